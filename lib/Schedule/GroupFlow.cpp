//===- GroupFlow.cpp - Who reads what inside a fusion group ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/GroupFlow.h"
#include "Rule.h"

#include "fadiff/Workload/Access.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <tuple>

using namespace fadiff;
using fadiff::rules::fail;
using llvm::Error;

TensorUses::TensorUses(const Network &network)
    : operands(network.operands), readers(network.layers.size()) {
  const size_t n = network.layers.size();
  operands.resize(n);
  if (network.operands.empty())
    for (const Edge &edge : network.edges)
      if (edge.consumer < n && !operands[edge.consumer].input)
        operands[edge.consumer].input = edge.producer;
  for (unsigned layer = 0; layer < n; ++layer)
    for (std::optional<unsigned> tensor :
         {operands[layer].input, operands[layer].residual})
      if (tensor && *tensor < n)
        readers[*tensor].push_back(layer);
  if (network.operands.empty())
    for (const Edge &edge : network.edges)
      if (edge.consumer < n && edge.producer < n &&
          operands[edge.consumer].input != edge.producer)
        readers[edge.producer].push_back(edge.consumer);
}

GroupFlow GroupFlow::chain(size_t size) {
  GroupFlow flow;
  for (size_t i = 0; i < size; ++i) {
    Tile tile;
    if (i > 0)
      tile.producer = i - 1;
    tile.reader = tile.last = i;
    tile.first = tile.producer.value_or(i);
    flow.tiles.push_back(tile);
    Member member;
    member.input = i;
    if (i + 1 < size)
      member.output = i + 1;
    flow.members.push_back(member);
  }
  return flow;
}

bool GroupFlow::isChain() const {
  for (auto [i, member] : llvm::enumerate(members)) {
    const Tile &input = tiles[member.input];
    if (member.skip || input.reader != i || input.last != i || input.slice ||
        input.producer.has_value() != (i > 0) ||
        (i > 0 && *input.producer + 1 != i))
      return false;
  }
  return true;
}

bool GroupFlow::isShared(size_t tile) const {
  // All who read it are among those for which it has room.
  for (size_t i = tiles[tile].first; i <= tiles[tile].last; ++i) {
    const Member &member = members[i];
    if (member.skip == tile ? !tiles[tile].isResidual || tiles[tile].reader != i
                            : member.input == tile && tiles[tile].reader != i)
      return true;
  }
  return false;
}

std::pair<size_t, size_t> GroupFlow::turnsOf(size_t member) const {
  size_t first = member, last = member;
  while (first > 0 && tiles[members[first].input].slice)
    --first;
  while (last + 1 < members.size() && handsOverSlices(last))
    ++last;
  return {first, last};
}

static int64_t reachOf(const Layer &layer, Axis axis) {
  return (layer.dims[kernelDim(axis)] - 1) * layer.dilation[axis];
}

/// Of several readers of a tile, the one with the greatest has its window
/// there: no side branch, if there is a choice, and a large one.
static std::pair<bool, int64_t>
windowRank(const Network &network, const TensorUses &uses, unsigned layer) {
  const auto &readers = uses.readers[layer];
  const bool isBranch =
      !readers.empty() && llvm::all_of(readers, [&](unsigned reader) {
        return uses.operands[reader].input != layer;
      });
  const Layer &reader = network.layers[layer];
  return {!isBranch, reachOf(reader, Axis::H) + reachOf(reader, Axis::W)};
}

GroupFlow fadiff::flowOf(const Network &network, const TensorUses &uses,
                         const FusionGroup &group) {
  GroupFlow flow;
  std::vector<std::optional<unsigned>> tensors; // per tile
  const auto &layers = group.layers;
  auto positionOf = [&](unsigned layer,
                        size_t before) -> std::optional<size_t> {
    // Most read what came just before.
    for (size_t i = before; i-- > 0;)
      if (layers[i] == layer)
        return i;
    return std::nullopt;
  };
  auto tileOf = [&](unsigned tensor) -> std::optional<size_t> {
    for (size_t t = tensors.size(); t-- > 0;)
      if (tensors[t] == tensor)
        return t;
    return std::nullopt;
  };
  auto addTile = [&](std::optional<unsigned> tensor,
                     std::optional<size_t> producer, size_t reader,
                     bool isResidual) {
    GroupFlow::Tile tile;
    tile.producer = producer;
    tile.reader = tile.last = reader;
    tile.first = producer.value_or(reader);
    tile.isResidual = isResidual;
    if (producer)
      flow.members[*producer].output = flow.tiles.size();
    flow.tiles.push_back(tile);
    tensors.push_back(tensor);
    return flow.tiles.size() - 1;
  };
  for (size_t i = 0; i < layers.size(); ++i) {
    flow.members.emplace_back();
    const Operands &operands = uses.operands[layers[i]];
    std::optional<unsigned> input = operands.input;
    if (!input && i > 0)
      input = layers[i - 1];
    if (std::optional<size_t> known = input ? tileOf(*input) : std::nullopt) {
      GroupFlow::Tile &tile = flow.tiles[*known];
      tile.last = i;
      flow.members[i].input = *known;
      if (tile.isResidual ||
          windowRank(network, uses, layers[i]) >
              windowRank(network, uses, layers[tile.reader])) {
        tile.reader = i;
        tile.isResidual = false;
      }
    } else {
      flow.members[i].input =
          addTile(input, input ? positionOf(*input, i) : std::nullopt, i,
                  /*isResidual=*/false);
    }
    if (!operands.residual || !llvm::is_contained(group.liveSkips, layers[i]))
      continue;
    if (std::optional<size_t> known = tileOf(*operands.residual)) {
      flow.members[i].skip = *known;
      flow.tiles[*known].last = i;
    } else if (std::optional<size_t> producer =
                   positionOf(*operands.residual, i)) {
      flow.members[i].skip = addTile(operands.residual, producer, i,
                                     /*isResidual=*/true);
    }
  }
  for (size_t i = 0; i < layers.size(); ++i)
    flow.tiles[flow.members[i].input].slice = group.sliceOf(layers[i]);
  flow.tiles[flow.members.front().input].turns = group.inputTurns;
  // Members that take turns are all at work until the last slice is done.
  for (GroupFlow::Tile &tile : flow.tiles) {
    tile.first = flow.turnsOf(tile.first).first;
    tile.last = flow.turnsOf(tile.last).second;
  }
  return flow;
}

GroupFlow fadiff::flowOf(const Network &network, const FusionGroup &group) {
  return flowOf(network, TensorUses(network), group);
}

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

namespace {
/// Puts each tile on one of two stacks, such that none outlives what lies
/// below it.
class Stacker {
public:
  explicit Stacker(const GroupFlow &flow) : flow(flow) {
    for (size_t t = 0; t < flow.tiles.size(); ++t)
      stacks.order.push_back(t);
    // Of those that come at once the one that stays longer must lie below.
    llvm::sort(stacks.order, [&](size_t a, size_t b) {
      const GroupFlow::Tile &left = flow.tiles[a], &right = flow.tiles[b];
      return std::tuple(left.first, right.last, a) <
             std::tuple(right.first, left.last, b);
    });
    stacks.atTop.resize(flow.tiles.size());
  }

  std::optional<TileStacks> run() {
    if (!place(0))
      return std::nullopt;
    if (stacks.atTop.front())
      stacks.atTop.flip();
    return std::move(stacks);
  }

private:
  bool place(size_t next) {
    if (next == stacks.order.size())
      return true;
    if (++steps > kMostSteps)
      return false;
    // Where no other is forced, away from the one placed before.
    const bool away = next > 0 && !stacks.atTop[stacks.order[next - 1]];
    for (bool top : {away, !away}) {
      if (!fits(next, top))
        continue;
      stacks.atTop[stacks.order[next]] = top;
      if (place(next + 1))
        return true;
    }
    return false;
  }

  bool fits(size_t next, bool top) const {
    const GroupFlow::Tile &tile = flow.tiles[stacks.order[next]];
    for (size_t i = 0; i < next; ++i) {
      const GroupFlow::Tile &other = flow.tiles[stacks.order[i]];
      if (stacks.atTop[stacks.order[i]] == top && other.last >= tile.first &&
          other.last < tile.last)
        return false;
    }
    return true;
  }

  static constexpr unsigned kMostSteps = 1 << 16;
  const GroupFlow &flow;
  TileStacks stacks;
  unsigned steps = 0;
};
} // namespace

std::optional<TileStacks> fadiff::stackTiles(const GroupFlow &flow) {
  return Stacker(flow).run();
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static std::string shapeText(int64_t n, int64_t h, int64_t w, int64_t c) {
  return llvm::formatv("{0} x {1} x {2} x {3}", n, h, w, c).str();
}
static std::string inputShape(const Layer &layer) {
  return shapeText(layer.dims[Dim::N], layer.inputExtent[Axis::H],
                   layer.inputExtent[Axis::W], layer.inputChannels());
}
static std::string outputShape(const Layer &layer) {
  return shapeText(layer.dims[Dim::N], layer.dims[Dim::P], layer.dims[Dim::Q],
                   layer.outputChannels());
}
/// Of what others read of the layer, be it pooled.
static std::string readShape(const Layer &layer) {
  return shapeText(layer.dims[Dim::N], layer.readExtent(Axis::H),
                   layer.readExtent(Axis::W), layer.outputChannels());
}

/// What outputs of the layer the rows (columns) want that it hands over.
static AxisAccess underPool(const Layer &layer, Axis axis) {
  return layer.pool ? AxisAccess(*layer.pool, axis, layer.dims[outputDim(axis)])
                    : AxisAccess();
}

/// Each window holds the pixels of its own outputs, whatever the tile.
static Error verifyImageKept(const Layer &layer, const Layer &consumer) {
  for (Axis axis : kAllAxes) {
    const MaxPool *pool =
        layer.pool && &layer != &consumer ? &*layer.pool : nullptr;
    if (pool && (pool->stride != 1 || pool->padLow[axis] >= pool->size ||
                 pool->outputs[axis] != layer.dims[outputDim(axis)]))
      return fail(
          layer, "group-skip-window", Level::Scratchpad,
          "max pooling with stride 1 and as many pixels out as in, up to '" +
              consumer.name + "', which adds the skip",
          llvm::formatv("stride {0}, {1} pixels in, {2} out", pool->stride,
                        layer.dims[outputDim(axis)], pool->outputs[axis])
              .str(),
          "the tile of a skip holds what its reader's window does: leave the "
          "residual in dram, or split the group");
    if (layer.stride[axis] != 1 ||
        layer.dims[outputDim(axis)] != layer.inputExtent[axis] ||
        layer.padLow[axis] > reachOf(layer, axis))
      return fail(
          layer, "group-skip-window", Level::Scratchpad,
          "stride 1, as many pixels out as in, and no padding beyond the "
          "kernel, up to '" +
              consumer.name + "', which adds the skip",
          llvm::formatv("stride {0}, {1} pixels in, {2} out, padding {3}",
                        layer.stride[axis], layer.inputExtent[axis],
                        layer.dims[outputDim(axis)], layer.padLow[axis])
              .str(),
          "the tile of a skip holds what its reader's window does: leave the "
          "residual in dram, or split the group");
  }
  return Error::success();
}

namespace {
class FlowVerifier {
public:
  FlowVerifier(const Network &network, const TensorUses &uses,
               const FusionGroup &group, const GroupFlow &flow,
               const Accelerator &target)
      : network(network), uses(uses), group(group), flow(flow), target(target) {
  }

  Error run() {
    for (size_t i = 0; i < flow.members.size(); ++i)
      if (Error error = verifyReaders(i))
        return error;
    for (size_t i = 0; i < flow.members.size(); ++i) {
      if (Error error = verifyInput(i))
        return error;
      if (Error error = verifyResidual(i))
        return error;
    }
    if (Error error = verifySlices())
      return error;
    if (group.keeps)
      if (Error error = verifyRings())
        return error;
    if (group.inputTurns)
      if (Error error = verifyInputTurns())
        return error;
    for (unsigned layer : group.liveSkips)
      if (!llvm::is_contained(group.layers, layer))
        return fail(head(), "group-skip", Level::Scratchpad,
                    "live skips of members of the group",
                    layer < network.layers.size()
                        ? "'" + network.layers[layer].name + "'"
                        : "layer " + llvm::Twine(layer).str(),
                    "name a member");
    if (target.handsOverInPlace())
      if (Error error = verifyInPlace())
        return error;
    if (!stackTiles(flow))
      return fail(head(), "group-stack", Level::Scratchpad,
                  "tiles that two stacks can hold, each freed before "
                  "what lies below it",
                  "skips that cross", "keep fewer skips live");
    return Error::success();
  }

private:
  const Layer &layer(size_t member) const {
    return network.layers[group.layers[member]];
  }
  const Layer &head() const { return layer(0); }
  bool isLast(size_t member) const { return member + 1 == group.layers.size(); }
  bool isLive(size_t member) const {
    return llvm::is_contained(group.liveSkips, group.layers[member]);
  }

  /// The next tile of the input is loaded whole.
  Error verifyInputTurns() const {
    auto refuse = [&](const llvm::Twine &wanted, const llvm::Twine &found) {
      return fail(head(), "group-turns", Level::Scratchpad, wanted, found,
                  "let the group's input have one place");
    };
    if (group.layers.size() < 2)
      return refuse("a group of two or more layers",
                    "one, whose program lets tiles take turns where there is "
                    "room");
    const Layer &reader = layer(flow.tiles[flow.members.front().input].reader);
    if (reader.dims[Dim::G] > 1 && !reader.isDepthwise())
      return refuse("a reader of all channels at once", "groups of channels");
    return Error::success();
  }

  /// The array scales what it reads of the accumulator, A and D alike, by one
  /// factor. A residual that a member makes has one of its own.
  Error verifyInPlace() {
    if (group.keeps)
      return fail(head(), "group-keep", Level::Accumulator,
                  "a machine that copies accumulator to scratchpad",
                  describeField(target, "hand_over"),
                  "keep no rows on this machine");
    for (auto [i, member] : llvm::enumerate(flow.members)) {
      const std::optional<size_t> skip = member.skip;
      if (skip && flow.tiles[*skip].producer)
        return fail(layer(i), "group-skip", Level::Accumulator,
                    "a residual from outside of the group",
                    "one that '" + layer(*flow.tiles[*skip].producer).name +
                        "' hands over in the accumulator",
                    "as " + describeField(target, "hand_over") +
                        ", the array scales all that it reads there alike: put "
                        "the layers into different groups");
    }
    for (auto [i, member] : llvm::enumerate(flow.members)) {
      const GroupFlow::Tile &input = flow.tiles[member.input];
      if (input.producer && flow.isShared(member.input))
        return fail(layer(i), "group-branch", Level::Accumulator,
                    "one reader of what '" + layer(*input.producer).name +
                        "' hands over in the accumulator",
                    "several", "put the others into groups of their own");
    }
    return Error::success();
  }

  /// How many rows windows leave out between those of two rows that have `gap`
  /// others between them.
  static int64_t gapBelow(int64_t gap, int64_t stride, int64_t extent) {
    return std::max<int64_t>(0, (1 + gap) * stride - extent);
  }

  /// How many rows that nobody makes lie between those that the member makes
  /// for two tiles, where each is made once.
  int64_t gapMadeBy(size_t i) const {
    int64_t gap = 0;
    const bool isLast = !flow.members[i].output;
    if (!isLast) {
      const GroupFlow::Tile &output = flow.tiles[*flow.members[i].output];
      gap = gapMadeBy(output.reader);
      if (!output.isResidual)
        gap = gapReadBy(output.reader, gap);
    }
    const std::optional<MaxPool> &pool = layer(i).pool;
    if (pool && (!isLast || group.poolsOutput))
      gap = gapBelow(gap, pool->stride, pool->size);
    return gap;
  }

  int64_t gapReadBy(size_t i, int64_t gapMade) const {
    const Layer &reader = layer(i);
    return gapBelow(gapMade, reader.stride[Axis::H],
                    (reader.dims[Dim::R] - 1) * reader.dilation[Axis::H] + 1);
  }

  /// Others find rows of a loaded tile that is kept by their numbers, so that
  /// all of them must be there.
  Error verifyRings() {
    for (auto [t, tile] : llvm::enumerate(flow.tiles)) {
      if (tile.producer || !flow.isShared(t))
        continue;
      const Layer &owner = layer(tile.reader);
      auto refuse = [&](const llvm::Twine &found) {
        return fail(owner, "group-keep", Level::Scratchpad,
                    "windows without gaps between them along H, as others "
                    "read the same tile",
                    found, "keep no rows, or leave the residual in dram");
      };
      if (owner.stride[Axis::H] > 1 && owner.dims[Dim::R] == 1)
        return refuse(
            llvm::formatv("stride {0} and 1 tap", owner.stride[Axis::H]).str());
      // Of what it makes, rows are left out; others make them all.
      const int64_t made = gapMadeBy(tile.reader);
      if (const int64_t gap = gapReadBy(tile.reader, made); made > 0 && gap > 0)
        return refuse(
            llvm::formatv("gaps of {0} between those of two tiles, as "
                          "later strides leave out {1} of its rows",
                          gap, made)
                .str());
    }
    return Error::success();
  }

  /// Slices pass from a member to the next, which has no other use for them.
  Error verifySlices() {
    for (const FusionGroup::InputSlices &slices : group.inputSlices) {
      const auto found = llvm::find(group.layers, slices.layer);
      if (found == group.layers.end())
        return fail(head(), "group-slice", Level::Scratchpad,
                    "slices of the inputs of members",
                    slices.layer < network.layers.size()
                        ? "'" + network.layers[slices.layer].name + "'"
                        : "layer " + llvm::Twine(slices.layer).str(),
                    "name a member");
      const size_t i = found - group.layers.begin();
      const GroupFlow::Tile &input = flow.tiles[flow.members[i].input];
      if (!input.producer || *input.producer + 1 != i || input.reader != i ||
          flow.isShared(flow.members[i].input))
        return fail(layer(i), "group-slice", Level::Scratchpad,
                    "an input that the member before hands over, with one "
                    "reader",
                    "another one",
                    "the next slice overwrites it: hand it over whole");
      const int64_t channels = layer(i).inputChannels();
      if (slices.channels < 1 || slices.channels >= channels ||
          slices.channels % target.side)
        return fail(layer(i), "group-slice", Level::Scratchpad,
                    llvm::formatv("a multiple of {0} channels, less than {1}",
                                  target.side, channels)
                        .str(),
                    llvm::Twine(slices.channels),
                    "slices fill rows; hand all channels over whole");
      // What a depthwise member gets in slices it makes in slices.
      if (layer(i).isDepthwise() && flow.handsOverSlices(i) &&
          flow.tiles[*flow.members[i].output].slice != slices.channels)
        return fail(layer(i), "group-slice", Level::Scratchpad,
                    llvm::formatv("slices of {0} channels, as it gets them",
                                  slices.channels)
                        .str(),
                    llvm::Twine(flow.tiles[*flow.members[i].output].slice),
                    "a depthwise layer hands over the channels that it gets");
      if (!layer(i).isDepthwise() && flow.handsOverSlices(i))
        return fail(layer(i), "group-slice", Level::Scratchpad,
                    "a depthwise layer, if it gets and makes slices",
                    "one that adds up all channels first",
                    "hand its input or its output over whole");
    }
    return Error::success();
  }

  /// Nobody outside of the group reads an intermediate.
  Error verifyReaders(size_t i) {
    if (isLast(i))
      return Error::success();
    const unsigned index = group.layers[i];
    for (unsigned reader : uses.readers[index])
      if (!llvm::is_contained(group.layers, reader))
        return fail(layer(i), "group-fan-out", Level::Dram,
                    "members of the group as the only readers of its "
                    "output",
                    "'" + network.layers[reader].name + "', which is none",
                    "an output that others read must go to dram");
    return Error::success();
  }

  Error verifyInput(size_t i) {
    const GroupFlow::Tile &tile = flow.tiles[flow.members[i].input];
    const std::optional<unsigned> input = uses.operands[group.layers[i]].input;
    if (!tile.producer &&
        (tile.first > 0 || (input && llvm::is_contained(group.layers, *input))))
      return fail(layer(i), "group-chain", Level::Dram,
                  i > 0 ? "an edge from '" + layer(i - 1).name + "'"
                        : "an input from outside of the group",
                  "none", "each member of a group reads one before it");
    if (!isLast(i) && !flow.members[i].output)
      return fail(layer(i + 1), "group-chain", Level::Dram,
                  "an edge from '" + layer(i).name + "'", "none",
                  "each member of a group reads one before it");
    return tile.reader == i ? Error::success() : verifyShared(i, tile);
  }

  /// `i` reads the tile that is another member's window.
  Error verifyShared(size_t i, const GroupFlow::Tile &tile) {
    const Layer &side = layer(i), &main = layer(tile.reader);
    const std::optional<size_t> output = flow.members[i].output;
    if (!output || !flow.tiles[*output].isResidual || flow.isShared(*output))
      return fail(side, "group-branch", Level::Scratchpad,
                  "an output that is added to another member's sums, and "
                  "nothing else, as it reads the input of '" +
                      main.name + "'",
                  "other readers", "put it into a group of its own");
    if (inputShape(side) != inputShape(main))
      return fail(side, "group-shape", Level::Scratchpad,
                  "an input of " + inputShape(main) + " as '" + main.name +
                      "' reads",
                  inputShape(side), "both read the same tile");
    for (Axis axis : kAllAxes)
      if (side.stride[axis] != main.stride[axis] ||
          side.padLow[axis] > main.padLow[axis] ||
          reachOf(side, axis) - side.padLow[axis] >
              reachOf(main, axis) - main.padLow[axis] ||
          (side.readsPadding(axis) && side.padValue != main.padValue))
        return fail(side, "group-branch", Level::Scratchpad,
                    "windows inside of those of '" + main.name +
                        "', whose input it reads",
                    llvm::formatv("stride {0} and {1} taps, padding {2}",
                                  side.stride[axis], side.dims[kernelDim(axis)],
                                  side.padLow[axis])
                        .str(),
                    "put it into a group of its own");
    // Under the same rows that both hand over it makes none that 'main' does
    // not. So the machine also pools it if it pools 'main'.
    const size_t consumer = flow.tiles[*output].reader;
    for (Axis axis : kAllAxes) {
      const AxisAccess own = underPool(side, axis);
      const AxisAccess others =
          tile.reader == consumer ? AxisAccess() : underPool(main, axis);
      auto all = [&](const Layer &layer) {
        return Span{0, layer.dims[outputDim(axis)]};
      };
      if (own.scale != others.scale || own.low < others.low ||
          own.high > others.high ||
          AxisAccess(side, axis).stored(all(side)).end >
              AxisAccess(main, axis).window(all(main)).end)
        return fail(side, "group-branch", Level::Scratchpad,
                    "no more outputs under a pixel that it hands over than '" +
                        main.name + "', whose input it reads, has there",
                    llvm::formatv("{0} outputs from {1} on, {2} apart, for {3} "
                                  "from {4} on, {5} apart",
                                  own.reach(), own.low, own.scale,
                                  others.reach(), others.low, others.scale),
                    "put it into a group of its own");
    }
    return verifyPath(tile.reader, consumer, /*withFirst=*/false);
  }

  /// From `consumer` back to `from`, each reading the one before.
  Error verifyPath(size_t from, size_t consumer, bool withFirst) {
    for (size_t at = consumer; at != from || withFirst;) {
      if (Error error = verifyImageKept(layer(at), layer(consumer)))
        return error;
      if (at == from)
        break;
      const std::optional<size_t> producer =
          flow.tiles[flow.members[at].input].producer;
      if (!producer)
        return fail(layer(consumer), "group-skip", Level::Scratchpad,
                    "a chain of members from '" + layer(from).name + "'",
                    "none", "leave the residual in dram");
      at = *producer;
    }
    return Error::success();
  }

  Error verifyResidual(size_t i) {
    const Layer &consumer = layer(i);
    const std::optional<unsigned> residual =
        uses.operands[group.layers[i]].residual;
    if (!isLive(i)) {
      if (residual && llvm::is_contained(group.layers, *residual))
        return fail(consumer, "group-skip", Level::Scratchpad,
                    "the residual live, as '" + network.layers[*residual].name +
                        "' of the same group makes it",
                    "one from dram",
                    "what stays on chip cannot be read from dram");
      return Error::success();
    }
    if (!consumer.hasResidual || consumer.residualBytes != 1)
      return fail(consumer, "group-skip", Level::Scratchpad,
                  "a layer with an int8 residual",
                  consumer.hasResidual ? "one of four bytes" : "none",
                  "only residuals can stay live");
    if (consumer.scalesResidual)
      return fail(consumer, "group-skip", Level::Scratchpad,
                  "a residual that is added as it is", "one that is scaled",
                  "only loads from dram scale what they load");
    if (!flow.members[i].skip)
      return fail(consumer, "group-skip", Level::Scratchpad,
                  "a residual that a member up to it reads or makes",
                  "one that is neither", "leave the residual in dram");
    const GroupFlow::Tile &tile = flow.tiles[*flow.members[i].skip];
    const Layer &source = layer(tile.isResidual ? *tile.producer : tile.reader);
    const std::string wanted = outputShape(consumer);
    const std::string found =
        tile.isResidual ? readShape(source) : inputShape(source);
    if (wanted != found ||
        (tile.producer && layer(*tile.producer).outputBytes != 1))
      return fail(consumer, "group-shape", Level::Scratchpad,
                  "a residual of " + wanted + " int8 as its output", found,
                  "a residual is added element by element");
    for (const Layer *part : {&consumer, &source})
      if (!part->isDepthwise() && part->dims[Dim::G] != 1)
        return fail(*part, "group-shape", Level::Scratchpad, "G = 1",
                    llvm::formatv("G = {0}", part->dims[Dim::G]).str(),
                    "the channels of a grouped layer are not one run of "
                    "rows");
    if (tile.isResidual)
      return tile.reader == i
                 ? Error::success()
                 : fail(consumer, "group-skip", Level::Scratchpad,
                        "a residual of its own",
                        "one that '" + layer(tile.reader).name + "' adds, too",
                        "leave it in dram");
    return verifyPath(tile.reader, i, /*withFirst=*/true);
  }

  const Network &network;
  const TensorUses &uses;
  const FusionGroup &group;
  const GroupFlow &flow;
  const Accelerator &target;
};
} // namespace

Error fadiff::verifyFlow(const Network &network, const TensorUses &uses,
                         const FusionGroup &group, const GroupFlow &flow,
                         const Accelerator &target) {
  llvm::SmallVector<const Layer *> members;
  for (unsigned index : group.layers)
    members.push_back(&network.layers[index]);
  if (Error error = rules::verifyScales(members, target))
    return error;
  return FlowVerifier(network, uses, group, flow, target).run();
}
