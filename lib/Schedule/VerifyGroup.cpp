//===- VerifyGroup.cpp - Legality of fusion groups ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rule.h"

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/MatmulLoop.h"
#include "fadiff/Schedule/Placement.h"
#include "fadiff/Schedule/Residency.h"
#include "fadiff/Schedule/Schedule.h"
#include "fadiff/Schedule/Turn.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace fadiff;
using namespace fadiff::rules;
using llvm::Error;
using llvm::formatv;

/// The pair shares an unblocked edge, and nobody reads the intermediate across
/// a blocked one, so from DRAM.
static Error verifyEdge(const Network &network, unsigned producer,
                        unsigned consumer) {
  const Layer &from = network.layers[producer], &to = network.layers[consumer];
  bool found = false;
  for (const Edge &edge : network.edges) {
    if (edge.producer != producer)
      continue;
    if (edge.consumer != consumer && !edge.blocked.empty())
      return fail(from, "group-fan-out", Level::Dram,
                  "no reader of its output from which it is apart",
                  "'" + network.layers[edge.consumer].name + "' (" +
                      edge.blocked + ")",
                  "an output that others read must go to dram");
    if (edge.consumer != consumer)
      continue;
    if (!edge.blocked.empty())
      return fail(to, "group-blocked", Level::Dram, "an edge that may be fused",
                  edge.blocked, "put the layers into different groups");
    found = true;
  }
  if (!found)
    return fail(to, "group-chain", Level::Dram,
                "an edge from '" + from.name + "'", "none",
                "each member of a group reads one before it");
  return Error::success();
}

static Error verifyPool(const Layer &layer, const Accelerator &target) {
  auto check = [&](const char *what, int64_t value, int64_t most,
                   const char *capability) -> Error {
    if (value >= 1 && value <= most)
      return Error::success();
    return fail(
        layer, "group-pool", Level::Accumulator,
        (most == 0 ? std::string("no pooling, as ")
                   : formatv("{0} of 1 to {1} pixels, as ", what, most).str()) +
            describeField(target, capability),
        llvm::Twine(value), "let the host pool");
  };
  if (Error error =
          check("windows", layer.pool->size, target.pool.window, "pool_window"))
    return error;
  return check("strides", layer.pool->stride, target.pool.stride,
               "pool_stride");
}

Error fadiff::verifyHandOver(const Layer &from, const Layer &to,
                             const Accelerator &target) {
  for (const Layer *layer : {&from, &to})
    if (!layer->isDepthwise() && layer->dims[Dim::G] != 1)
      return fail(*layer, "group-shape", Level::Scratchpad, named(Dim::G, 1),
                  named(Dim::G, layer->dims[Dim::G]),
                  "the channels of a grouped layer are not one run of rows");
  if (to.dims[Dim::N] != from.dims[Dim::N])
    return fail(to, "group-shape", Level::Scratchpad,
                named(Dim::N, from.dims[Dim::N]) + " as in '" + from.name + "'",
                named(Dim::N, to.dims[Dim::N]),
                "producer and consumer walk the same batch");
  for (Axis axis : kAllAxes)
    if (to.inputExtent[axis] != from.readExtent(axis))
      return fail(to, "group-shape", Level::Scratchpad,
                  formatv("{0} input {1} as '{2}' puts out",
                          from.readExtent(axis),
                          axis == Axis::H ? "rows" : "columns", from.name)
                      .str(),
                  llvm::Twine(to.inputExtent[axis]),
                  "the consumer reads what the producer makes");
  if (to.inputChannels() != from.outputChannels())
    return fail(to, "group-shape", Level::Scratchpad,
                llvm::Twine(from.outputChannels()) + " input channels as '" +
                    from.name + "' puts out",
                llvm::Twine(to.inputChannels()),
                "the consumer reads all channels of the producer");
  if (from.outputBytes != to.elementBytes)
    return fail(from, "group-output-bytes", Level::Scratchpad,
                (llvm::Twine(to.elementBytes) + " bytes per element").str(),
                llvm::Twine(from.outputBytes),
                "an intermediate on chip has the type of inputs");
  return from.pool ? verifyPool(from, target) : Error::success();
}

Error fadiff::verifyPoolsOutput(const Layer &layer, const Accelerator &target) {
  if (!layer.pool)
    return fail(layer, "group-pool", Level::Dram,
                "a max pooling through which all of its readers read it",
                "none", "store the outputs as they are");
  if (layer.elementBytes != 1 || layer.outputBytes != 1)
    return fail(layer, "group-pool", Level::Dram, "int8 in and out",
                formatv("{0} and {1} bytes per element", layer.elementBytes,
                        layer.outputBytes)
                    .str(),
                "let the host pool");
  return verifyPool(layer, target);
}

/// A store pools what lies in the accumulator at once.
static Error verifyPooledTile(const Layer &layer, const Layer &tile,
                              const Mapping &mapping,
                              const Accelerator &target) {
  for (Axis axis : kAllAxes) {
    const Dim dim = outputDim(axis);
    if (int64_t found = mapping.tile(tile, Level::Accumulator, dim);
        found != tile.dims[dim])
      return fail(layer, "group-pool", Level::Accumulator,
                  named(dim, tile.dims[dim]) + ", the whole tile",
                  named(dim, found),
                  "outputs are pooled as they leave the accumulator: iterate "
                  "P and Q further in, or use a smaller tile");
    if (int64_t found = tile.dims[dim]; found > target.pool.extent)
      return fail(layer, "group-pool", Level::Accumulator,
                  formatv("at most {0} {1}, as {2}", target.pool.extent,
                          axis == Axis::H ? "rows" : "columns",
                          describeField(target, "pool_extent"))
                      .str(),
                  llvm::Twine(found), "use a smaller tile");
  }
  return Error::success();
}

/// A group runs as a whole, so its layers run equally often.
static Error verifyTrips(const Layer &one, const Layer &other) {
  if (one.trips == other.trips)
    return Error::success();
  return fail(
      other, "group-trips", Level::Dram,
      formatv("{0} trips, as layer '{1}' has", one.trips, one.name).str(),
      llvm::Twine(other.trips),
      "put layers of different loops into different groups");
}

Error fadiff::verifyFusible(const Network &network, unsigned producer,
                            unsigned consumer, const Accelerator &target) {
  const Layer &from = network.layers[producer], &to = network.layers[consumer];
  if (Error error = verifyEdge(network, producer, consumer))
    return error;
  if (Error error = verifyTrips(from, to))
    return error;
  if (target.handOver == HandOver::None)
    return fail(from, "group-hand-over", Level::Scratchpad,
                "a machine that hands tiles over on chip",
                describeField(target, "hand_over"),
                "fuse nothing on this machine");
  if (from.pool && target.handsOverInPlace())
    return fail(from, "group-pool", Level::Accumulator,
                "a machine that copies accumulator to scratchpad",
                describeField(target, "hand_over"),
                "let the host pool: put the layers into different groups");
  return verifyHandOver(from, to, target);
}

/// Tiles that pass from member to member hold `side` channels per row on all
/// ends.
static Error verifyPacking(const Network &network, const Schedule &schedule,
                           const FusionGroup &group, const GroupFlow &flow,
                           const Accelerator &target) {
  auto check = [&](size_t member, bool isOutput) -> Error {
    const Layer &layer = network.layers[group.layers[member]];
    const Mapping &mapping = schedule.mappings[group.layers[member]];
    const int64_t wanted = std::min(
        target.side, isOutput ? layer.outputChannels() : layer.inputChannels());
    // A depthwise layer's columns are its rows too.
    const bool isColumns = isOutput || layer.isDepthwise();
    const int64_t found = isColumns ? mapping.cols : mapping.rows;
    if (found == wanted)
      return Error::success();
    return fail(layer, "group-packing", Level::Scratchpad,
                llvm::Twine(wanted) + (isColumns ? " columns" : " rows"),
                llvm::Twine(found),
                "a handed-over row holds that many channels");
  };
  for (size_t i = 0; i < flow.members.size(); ++i) {
    const GroupFlow::Member &member = flow.members[i];
    const GroupFlow::Tile &input = flow.tiles[member.input];
    if (member.output || member.skip)
      if (Error error = check(i, /*isOutput=*/true))
        return error;
    if (input.producer || flow.isShared(member.input))
      if (Error error = check(i, /*isOutput=*/false))
        return error;
  }
  return Error::success();
}

/// What others read of the group's input is loaded all at once.
static Error verifyLoadedOnce(const Layer &layer, const Mapping &mapping,
                              llvm::StringRef rule, const char *advice) {
  for (Dim dim : {Dim::G, Dim::C, Dim::R, Dim::S})
    if (int64_t trips = mapping.trips(layer, Level::Dram, dim); trips > 1)
      return fail(layer, rule, Level::Dram, named(dim, 1), named(dim, trips),
                  advice);
  return Error::success();
}

/// The next tile of the input, which takes turns with this one, comes whole.
static Error verifyInputTurns(const Layer &reader, const Mapping &mapping,
                              const GroupLoops &loops,
                              const Accelerator &target) {
  const int64_t wanted = std::min(target.side, reader.inputChannels()),
                found = reader.isDepthwise() ? mapping.cols : mapping.rows;
  if (found < wanted)
    return fail(reader, "group-turns", Level::Scratchpad,
                formatv("{0} channels in a row of the input", wanted).str(),
                formatv("{0}", found).str(),
                "use all of the array, or let the input have one place");
  bool isCut = false;
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    isCut |= loops.mapping.trips(loops.outputs, Level::Dram, dim) > 1;
  if (!isCut)
    return fail(reader, "group-turns", Level::Scratchpad,
                "a group of several tiles", "one",
                "let the input have one place");
  return verifyLoadedOnce(reader, mapping, "group-turns",
                          "the next tile of the input comes whole: iterate "
                          "this dim further in, or let it have one place");
}

/// The group's loops stand outside all others that the last member has at DRAM.
static Error verifyGroupLoops(const GroupLoops &group) {
  const Layer &last = group.outputs;
  const Dim *other = nullptr;
  const auto loops = emittedLoops(last, group.mapping, Level::Dram);
  for (const EmittedLoop &loop : loops)
    if (isRelevant(Tensor::W, loop.dim))
      other = other ? other : &loop.dim;
    else if (other)
      return fail(last, "group-loop-order", Level::Dram,
                  "the N, P and Q loops outermost",
                  std::string("loop ") + dimName(*other) + " outside " +
                      std::string(1, dimName(loop.dim)),
                  "the group's tile loops are shared by all members");
  return Error::success();
}

/// Rows are kept from one tile to the next: these must be neighbours along P.
static Error verifyKeptRows(const GroupLoops &group) {
  const Layer &last = group.outputs;
  const auto loops = emittedLoops(last, group.mapping, Level::Dram);
  const EmittedLoop *inner = nullptr;
  for (const EmittedLoop &loop : loops)
    if (!isRelevant(Tensor::W, loop.dim))
      inner = &loop;
  if (llvm::none_of(loops,
                    [](const EmittedLoop &loop) { return loop.dim == Dim::P; }))
    return fail(last, "group-keep", Level::Dram, "several tiles along P", "one",
                "rows are kept for the next tile: make the tile's P smaller, "
                "or keep none");
  if (inner->dim != Dim::P)
    return fail(last, "group-keep", Level::Dram,
                "P innermost of the group's loops",
                std::string("loop ") + dimName(inner->dim) + " inside P",
                "rows are kept for the next tile along P");
  return Error::success();
}

/// Tiles are walked one by one; keeps a hostile group from taking all memory.
static Error verifyTileCount(const Network &network, const FusionGroup &group,
                             const GroupLoops &groupLoops) {
  const Layer &last = groupLoops.outputs;
  const Mapping &mapping = groupLoops.mapping;
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    if (int64_t trips = mapping.trips(last, Level::Dram, dim);
        trips > kMostGroupTiles)
      return fail(
          last, "group-tiles", Level::Dram,
          formatv("at most {0} tiles along {1}", kMostGroupTiles, dimName(dim))
              .str(),
          llvm::Twine(trips), "use a larger tile");
  if (!group.keeps)
    return Error::success();
  std::vector<const Layer *> chain;
  for (unsigned index : group.layers)
    chain.push_back(&network.layers[index]);
  const double lead = estimateLeadTrips(
      chain, mapping.tile(last, Level::Scratchpad, Dim::P), group.poolsOutput);
  if (!(lead <= kMostGroupTiles))
    return fail(
        last, "group-tiles", Level::Dram,
        formatv("at most {0} tiles before its first row", kMostGroupTiles)
            .str(),
        formatv("{0:f0}", lead).str(), "keep no rows, or use a larger tile");
  return Error::success();
}

/// The extent that the factors on chip cover: `wanted`, where every loop is
/// needed for it and the last trips may be cut, else what they come to.
static int64_t tileWithoutExcess(const Mapping &mapping, Dim dim,
                                 int64_t wanted) {
  int64_t product = 1;
  bool needed = true;
  for (Level level :
       {Level::Registers, Level::Accumulator, Level::Scratchpad}) {
    const int64_t factor = mapping.temporal[level][dim];
    int64_t less;
    needed &= !llvm::MulOverflow(product, factor - 1, less) && less < wanted;
    if (llvm::MulOverflow(product, factor, product))
      return std::numeric_limits<int64_t>::max();
  }
  return needed && product > wanted &&
                 mapping.temporal[Level::Registers][dim] <= wanted
             ? wanted
             : product;
}

/// Of a member that hands over in place or reads what was.
static Error verifyInPlace(const GroupTiles &tiles, const Residency &residency,
                           size_t member, const Mapping &mapping,
                           const Accelerator &target) {
  const Layer &layer = tiles.layer(member), &tile = tiles.tileLayer(member);
  const bool handsOver = tiles.flow().members[member].output.has_value();
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    if (int64_t found = mapping.tile(tile, Level::Accumulator, dim);
        handsOver && found != tile.dims[dim])
      return fail(layer, "group-sums", Level::Accumulator,
                  named(dim, tile.dims[dim]) + ", the whole tile",
                  named(dim, found),
                  "sums that are handed over stay in the accumulator: loop "
                  "over the tile's pixels there or in the registers");
  const int64_t rows = residency.rowsAt(Level::Accumulator, member);
  if (rows <= target.accumulatorRows())
    return Error::success();
  return fail(
      layer, "group-accumulator", Level::Accumulator,
      formatv("at most {0} rows", target.accumulatorRows()).str(),
      formatv(
          "{0} (handed over {1}, own sums {2})", rows,
          residency.rowsAt(Level::Accumulator, member, Resident::Kind::Tile),
          residency.rowsAt(Level::Accumulator, member, Resident::Kind::Sums))
          .str(),
      "use a smaller tile of the group, or smaller ones of its last "
      "member's sums");
}

/// The channels that the outermost of the member's own loops, or no loop at
/// all, leaves at once of `dim`.
static int64_t outermostStep(const Layer &tile, const Mapping &mapping,
                             Dim dim) {
  auto loops = emittedLoops(tile, mapping, Level::Dram);
  Level inside = Level::Scratchpad;
  if (loops.empty()) {
    loops = emittedLoops(tile, mapping, Level::Scratchpad);
    inside = Level::Accumulator;
  }
  return loops.empty() || loops.front().dim != dim
             ? tile.dims[dim]
             : mapping.tile(tile, inside, dim);
}

/// Of a member that makes or gets slices of channels: the outermost of its own
/// loops walks them, and all sums of those that take turns fit together.
static Error verifySlices(const GroupTiles &tiles, const Residency &residency,
                          size_t member, const Mapping &mapping,
                          const Accelerator &target) {
  const GroupFlow &flow = tiles.flow();
  const auto [first, last] = flow.turnsOf(member);
  if (first == last)
    return Error::success();
  const Layer &layer = tiles.layer(member), &tile = tiles.tileLayer(member);
  auto check = [&](Dim dim, int64_t wanted) -> Error {
    const int64_t found = outermostStep(tile, mapping, dim);
    if (found == wanted)
      return Error::success();
    return fail(layer, "group-slice", Level::Scratchpad,
                named(dim, wanted) + " in the outermost loop of its own at "
                                     "dram, else at the scratchpad",
                named(dim, found),
                "that loop walks the slices which members hand over in turn");
  };
  if (const int64_t slice = flow.tiles[flow.members[member].input].slice)
    if (Error error = check(layer.isDepthwise() ? Dim::G : Dim::C, slice))
      return error;
  if (flow.handsOverSlices(member))
    if (Error error = check(layer.isDepthwise() ? Dim::G : Dim::K,
                            flow.tiles[*flow.members[member].output].slice))
      return error;
  if (target.handsOverInPlace())
    return Error::success();
  const int64_t rows = residency.rowsAt(Level::Accumulator, member);
  if (rows <= target.accumulatorRows())
    return Error::success();
  return fail(layer, "group-accumulator", Level::Accumulator,
              formatv("at most {0} rows", target.accumulatorRows()).str(),
              formatv("{0} for the sums of {1} members that take turns", rows,
                      last - first + 1)
                  .str(),
              "use a smaller tile of the group, or hand over whole");
}

static Error verifyGroupTiles(const Network &network, const Schedule &schedule,
                              const FusionGroup &group, const GroupLoops &loops,
                              const GroupTiles &tiles,
                              const Residency &residency,
                              const Accelerator &target) {
  const Layer &last = network.layers[group.layers.back()];
  if (Error error = verifyGroupLoops(loops))
    return error;
  if (group.keeps)
    if (Error error = verifyKeptRows(loops))
      return error;
  for (size_t i = 0; i < group.layers.size(); ++i) {
    const Layer &layer = network.layers[group.layers[i]];
    const Mapping &mapping = schedule.mappings[group.layers[i]];
    for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
      int64_t wanted = tiles.nominal(i, dim);
      int64_t found = tileWithoutExcess(mapping, dim, wanted);
      if (wanted == 0)
        return fail(layer, "group-tile", Level::Scratchpad,
                    "a producer whose outputs are read",
                    "windows of the padding only",
                    "put the layers into different groups");
      if (wanted != found && tiles.isLast(i) && tiles.pooling(i))
        return fail(layer, "group-tile", Level::Scratchpad,
                    named(dim, wanted) + ", what lies under pooled outputs",
                    named(dim, found),
                    "the tile of a layer that stores pooled outputs holds "
                    "whole windows");
      if (wanted != found)
        return fail(layer, "group-tile", Level::Scratchpad,
                    named(dim, wanted) + ", what a tile of '" + last.name +
                        "' needs",
                    named(dim, found), "members' tiles follow from the last's");
    }
    if (Error error =
            target.handsOverInPlace()
                ? verifyInPlace(tiles, residency, i, mapping, target)
                : verifyAccumulator(
                      layer, footprint(tiles.tileLayer(i), mapping), target))
      return error;
    if (Error error = verifySlices(tiles, residency, i, mapping, target))
      return error;
    if (tiles.pooling(i))
      if (Error error =
              verifyPooledTile(layer, tiles.tileLayer(i), mapping, target))
        return error;
    if (int64_t visits = outputVisits(tiles.tileLayer(i), mapping); visits != 1)
      return fail(layer, "group-spill", Level::Accumulator,
                  "each output tile visited once", formatv("{0}", visits).str(),
                  "inside a group partial sums stay in the accumulator: put "
                  "the C, R and S loops inside the K, P, Q and N loops");
  }
  return Error::success();
}

static Residency residencyOf(const GroupTiles &tiles, const Schedule &schedule,
                             const FusionGroup &group,
                             const Accelerator &target) {
  std::vector<Mapping> mappings;
  for (unsigned layer : group.layers)
    mappings.push_back(schedule.mappings[layer]);
  return Residency(tiles, mappings, target);
}

int64_t fadiff::groupScratchpadRows(const Network &network,
                                    const Schedule &schedule,
                                    const FusionGroup &group,
                                    const Accelerator &target) {
  return asKeptRows(network, schedule, group,
                    [&](const Network &network, const Schedule &schedule,
                        const FusionGroup &group) {
                      return residencyOf(GroupTiles(network, schedule, group),
                                         schedule, group, target)
                          .peak(Level::Scratchpad);
                    });
}

/// Whether the machine's loop unit can run the layer.
static Error verifyLoop(const Layer &layer, const Mapping &mapping,
                        const Accelerator &target) {
  if (llvm::Expected<MatmulLoop> loop = planMatmulLoop(layer, mapping, target))
    return Error::success();
  else
    return fail(layer, "group-loop", Level::Dram,
                "a layer that the machine's loop unit can run",
                llvm::toString(loop.takeError()),
                "let it run by its own program");
}

Error fadiff::verify(const Network &network, const Schedule &schedule,
                     const FusionGroup &group, const Accelerator &target) {
  auto problem = [](const llvm::Twine &text) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
  };
  if (group.layers.empty())
    return problem("rule 'group-members': wanted at least one layer in a "
                   "fusion group, found none; drop the group");
  if (schedule.mappings.size() != network.layers.size())
    return problem("rule 'mapping-per-layer': wanted " +
                   llvm::Twine(network.layers.size()) + " mappings, found " +
                   llvm::Twine(schedule.mappings.size()) +
                   "; give every layer one");
  for (unsigned index : group.layers)
    if (index >= network.layers.size())
      return problem("rule 'group-members': wanted layer numbers below " +
                     llvm::Twine(network.layers.size()) + ", found " +
                     llvm::Twine(index) + "; name a layer of the network");

  if (group.layers.size() == 1) {
    const Layer &alone = network.layers[group.layers.front()];
    if (group.keeps)
      return fail(alone, "group-keep", Level::Scratchpad,
                  "a group of two or more layers", "one",
                  "a layer alone keeps no rows");
    if (group.inputTurns)
      return fail(alone, "group-turns", Level::Scratchpad,
                  "a group of two or more layers", "one",
                  "the program of a layer alone lets tiles take turns where "
                  "there is room");
    if (!group.liveSkips.empty())
      return fail(alone, "group-skip", Level::Scratchpad,
                  "no live skip, as the layer is in no group",
                  llvm::Twine(group.liveSkips.size()),
                  "leave the residual in dram");
    if (!group.inputSlices.empty())
      return fail(alone, "group-slice", Level::Scratchpad,
                  "no slices of its input, as the layer is in no group",
                  llvm::Twine(group.inputSlices.size()),
                  "loop over the channels at dram");
    if (!group.poolsOutput) {
      const Mapping &mapping = schedule.mappings[group.layers.front()];
      if (Error error = verify(alone, mapping, target))
        return error;
      return group.byLoop ? verifyLoop(alone, mapping, target)
                          : Error::success();
    }
  }
  if (group.byLoop)
    return fail(network.layers[group.layers.front()], "group-loop", Level::Dram,
                "a layer alone that stores its outputs as they are",
                "a group of tiles",
                "the machine's loop unit goes from dram to dram");
  if (group.poolsOutput)
    if (Error error =
            verifyPoolsOutput(network.layers[group.layers.back()], target))
      return error;

  if (group.keeps == Axis::W)
    return asKeptRows(network, schedule, group, [&](auto &&...rows) -> Error {
      if (Error error = verify(rows..., target))
        return problem("with rows and columns (H and W, P and Q, R and S) "
                       "exchanged, as columns are kept: " +
                       llvm::toString(std::move(error)));
      return Error::success();
    });
  const TensorUses uses(network);
  const GroupFlow flow = flowOf(network, uses, group);
  const Layer &first = network.layers[group.layers.front()];
  const GroupLoops loops(network.layers[group.layers.back()],
                         schedule.mappings[group.layers.back()],
                         group.poolsOutput);
  for (size_t i = 0; i < group.layers.size(); ++i) {
    const Layer &layer = network.layers[group.layers[i]];
    const Mapping &mapping = schedule.mappings[group.layers[i]];
    if (Error error = verifyParts(layer, mapping, target))
      return error;
    if (Error error = verifyTrips(first, layer))
      return error;
    const bool isLast = i + 1 == group.layers.size();
    if (Error error = verifyCoverage(isLast ? loops.outputs : layer,
                                     isLast ? loops.mapping : mapping))
      return error;
    const GroupFlow::Tile &input = flow.tiles[flow.members[i].input];
    if (input.producer)
      if (Error error = verifyFusible(network, group.layers[*input.producer],
                                      group.layers[i], target))
        return error;
  }
  if (Error error = verifyFlow(network, uses, group, flow, target))
    return error;
  if (Error error = verifyPacking(network, schedule, group, flow, target))
    return error;
  for (auto [t, tile] : llvm::enumerate(flow.tiles))
    if (!tile.producer && flow.isShared(t))
      if (Error error = verifyLoadedOnce(
              network.layers[group.layers[tile.reader]],
              schedule.mappings[group.layers[tile.reader]], "group-skip-tile",
              "other members read the whole input tile: "
              "iterate this dim further in, or leave the "
              "residual in dram"))
        return error;
  if (group.inputTurns) {
    const unsigned reader =
        group.layers[flow.tiles[flow.members.front().input].reader];
    if (Error error = verifyInputTurns(
            network.layers[reader], schedule.mappings[reader], loops, target))
      return error;
  }
  if (Error error = verifyTileCount(network, group, loops))
    return error;
  const GroupTiles tiles(network, schedule, group);
  if (group.inputTurns && !tiles.keepsRows() && !tiles.alwaysMakes(0))
    return fail(first, "group-turns", Level::Scratchpad,
                "a first member that makes something for each tile",
                "tiles whose windows lie in the padding",
                "let the input have one place");
  const Residency residency = residencyOf(tiles, schedule, group, target);
  if (Error error = verifyGroupTiles(network, schedule, group, loops, tiles,
                                     residency, target))
    return error;

  if (int64_t rows = residency.peak(Level::Scratchpad);
      rows > target.scratchpadRows())
    return fail(
        first, "group-capacity", Level::Scratchpad,
        formatv("at most {0} rows", target.scratchpadRows()).str(),
        formatv("{0} for the group of {1}", rows, group.layers.size()).str(),
        group.liveSkips.empty()
            ? "use a smaller tile, fewer resident weights or a shorter group"
            : "use a smaller tile, fewer resident weights or a shorter group, "
              "or leave residuals in dram");
  return Error::success();
}
