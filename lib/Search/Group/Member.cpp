//===- Member.cpp - Every way for a member to run in a group --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Space.h"

#include "../Problem/Factors.h"
#include "Memory.h"
#include "Share.h"

#include "fadiff/CostModel/Group.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Residency.h"
#include "fadiff/Schedule/Turn.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

using namespace fadiff;
using namespace fadiff::exact;
using llvm::divideCeilSigned;

static Dim columnsOf(const Layer &layer) {
  return layer.isDepthwise() ? Dim::G : Dim::K;
}

/// Reductions with a loop at DRAM: every output tile stays in the accumulator
/// until they are through.
static bool streamsReductions(const Layer &layer, const MemberTiles &own) {
  return llvm::any_of(kAllDims, [&](Dim dim) {
    return isReduction(dim) && own.extent[dim] < layer.dims[dim];
  });
}

/// Whether one array tile has all taps and input channels: then weights can
/// stay in it while pixels pass (G3).
static bool hasOnePass(const Layer &layer, int64_t rows) {
  return layer.dims[Dim::R] == 1 && layer.dims[Dim::S] == 1 &&
         layer.dims[Dim::C] <= rows;
}

/// `layer`: with the nominal tile as N, P and Q. `width`: of slices.
static Mapping makeMapping(const Layer &layer, const MemberTiles &own,
                           int64_t width) {
  const Dim columns = columnsOf(layer);
  Mapping m;
  m.cols = own.cols;
  m.rows = own.rows;
  auto &accumulator = m.temporal[Level::Accumulator];
  for (Dim dim : kShared) {
    m.temporal[Level::Registers][dim] = own.extent[dim];
    m.temporal[Level::Scratchpad][dim] =
        divideCeilSigned(layer.dims[dim], own.extent[dim]);
  }
  // Outermost of its own, as slices come (G12): their channels.
  const bool sums = own.turns.gets() && !layer.isDepthwise();
  const int64_t channels = divideCeilSigned(own.extent[Dim::C], m.rows);
  accumulator[Dim::C] = sums ? std::min(width, channels) : channels;
  if (sums)
    m.temporal[Level::Scratchpad][Dim::C] =
        divideCeilSigned(channels, accumulator[Dim::C]);
  accumulator[Dim::R] = own.extent[Dim::R];
  accumulator[Dim::S] = own.extent[Dim::S];
  const int64_t blocks = divideCeilSigned(own.extent[columns], m.cols);
  // Without a loop at DRAM that of the scratchpad walks slices.
  const bool isWhole = own.extent[columns] >= layer.dims[columns];
  if (sums || streamsReductions(layer, own))
    accumulator[columns] = blocks;
  else if (own.turns.any() && isWhole)
    accumulator[columns] = std::min(width, blocks);
  m.temporal[Level::Scratchpad][columns] =
      divideCeilSigned(blocks, accumulator[columns]);
  for (Dim dim : {Dim::G, Dim::K, Dim::C, Dim::R, Dim::S})
    m.temporal[Level::Dram][dim] =
        divideCeilSigned(layer.dims[dim], own.extent[dim]);
  for (Level level : kAllLevels)
    m.order[level] = {Dim::S, Dim::R, Dim::C, Dim::K,
                      Dim::G, Dim::Q, Dim::P, Dim::N};
  if (hasOnePass(layer, m.rows) || own.turns.any())
    m.order[Level::Scratchpad] = {Dim::Q, Dim::P, Dim::N, Dim::S,
                                  Dim::R, Dim::C, Dim::K, Dim::G};
  return m;
}

FusionGroup GroupSpace::groupOf(const GroupShape &shape, const GroupTile &tile,
                                llvm::ArrayRef<MemberTiles> own) const {
  FusionGroup group = shape.group;
  group.keeps = tile.keeps;
  group.poolsOutput = tile.poolsOutput;
  for (auto [layer, tiles] : llvm::zip_equal(group.layers, own)) {
    if (tiles.turns.gets())
      group.inputSlices.push_back({layer, tile.sliceWidth * target.side});
    group.inputTurns |= tiles.inputTurns;
  }
  return group;
}

std::vector<Mapping>
GroupSpace::mappingsOf(size_t first, const GroupShape &shape,
                       const GroupTile &tile,
                       llvm::ArrayRef<MemberTiles> own) const {
  std::vector<const Layer *> members;
  for (size_t place : shape.places)
    members.push_back(chainIf(tile.keeps)[first + place]);
  const GroupTiles tied(std::move(members), tile.tile(),
                        flowOf(network, uses, groupOf(shape, tile, own)),
                        tile.keeps.has_value(), tile.poolsOutput);
  std::vector<Mapping> mappings;
  for (auto [i, tiles] : llvm::enumerate(own)) {
    Mapping m = makeMapping(tied.tileLayer(i), tiles, tile.sliceWidth);
    for (Dim dim : kShared)
      m.temporal[Level::Dram][dim] = tied.dramFactor(i, dim);
    // Rows are kept for the next tile along P.
    if (tile.keeps)
      m.order[Level::Dram] = {Dim::S, Dim::R, Dim::C, Dim::K,
                              Dim::G, Dim::P, Dim::Q, Dim::N};
    mappings.push_back(tile.keeps == Axis::W ? turned(m) : m);
  }
  return mappings;
}

namespace fadiff::exact {
/// Lists the options of all members with one tile, or set of tiles.
class TileVisitor {
public:
  using Shares = PerDim<const Share *>;

  TileVisitor(GroupSpace &space, size_t last,
              const PerDim<const DimTile *> &dims, const DimTile *madeAgain,
              GroupTile &result)
      : space(space), target(space.target), layers(space.chainIf(result.keeps)),
        last(last), dims(dims), madeAgain(madeAgain),
        keepRows(result.keeps.has_value()), poolsOutput(result.poolsOutput),
        isSingle(llvm::all_of(kShared,
                              [&](Dim dim) {
                                return result.extents[dim].least ==
                                       result.extents[dim].most;
                              })),
        result(result) {}

  /// Whether options are bounds that a precise list has not.
  bool wasShortened() const { return shortened; }

  /// False if there is no group.
  bool run() {
    bool goesOn = true;
    size_t next = last + 1; // members from here on are listed
    auto listDownTo = [&](size_t end) {
      for (; goesOn && next > end && !costsTooMuch(next); --next)
        goesOn = listMember(next - 1);
    };
    if (space.isRemembered(last)) {
      const size_t same = std::max(space.earliest[last], space.memory->same);
      auto [it, isNew] = space.memory->tiles.insert(
          {ChainMemory::keyOf(last, result), KnownMembers()});
      if (!isNew) {
        recall(it->second);
        goesOn = it->second.goesOn;
        next -= result.options.size();
      } else {
        const size_t before = space.held;
        listDownTo(same);
        if (space.complete)
          remember(goesOn, space.held - before, it->second);
        else
          space.memory->tiles.erase(it);
      }
    }
    listDownTo(space.earliest[last]);
    return result.options.size() > 1 ||
           (poolsOutput && llvm::any_of(result.options, [](const auto &lists) {
              return llvm::any_of(lists, [](const OptionList *list) {
                return list != nullptr;
              });
            }));
  }

private:
  void recall(const KnownMembers &known) {
    result.options = known.options;
    space.held += known.held;
    floor = known.floor;
    keptBehind = known.keptBehind;
    reloaded = known.reloaded;
    leastSoFar = known.least;
    shortened = known.shortened;
  }
  void remember(bool goesOn, size_t held, KnownMembers &known) const {
    known = {result.options, held,       floor,     keptBehind,
             reloaded,       leastSoFar, shortened, goesOn};
  }

  /// Lists what member `i` can do; those behind it are listed. False if no
  /// group starts before it.
  bool listMember(size_t i) {
    Shares shares{nullptr};
    tileLayer = *layers[i];
    for (Dim dim : kShared) {
      shares[dim] = &(*dims[dim])[i];
      tileLayer.dims[dim] = shares[dim]->nominal;
    }
    if (llvm::any_of(kShared, [&](Dim d) { return tileLayer.dims[d] == 0; }))
      return false;
    known.clear();
    inputChannels = layers[i]->inputChannels();
    outputChannels = layers[i]->outputChannels();
    const MemberContexts &contexts = space.contextsOf(last, i);
    std::vector<const OptionList *> &lists = result.options.emplace_back();
    lists.reserve(contexts.all.size());
    if (space.anything && i < space.memory->same) {
      lists.assign(contexts.all.size(), space.anything);
      return false;
    }
    const std::array<bool, kPasses> taken = takenBehind(i);
    const int64_t behind = floor;
    const int64_t ownKept = keepsHandedOver(i)
                                ? std::min(keptWindow(i, rowsOfMember(i)),
                                           target.scratchpadRows() + 1)
                                : 0;
    int64_t least = std::numeric_limits<int64_t>::max();
    double loads = 1;
    bool isStreamed = false;
    bool mayGetSlices = false;
    for (auto [context, goesOn, alone] :
         llvm::zip(contexts.all, contexts.goesOn, contexts.alone)) {
      mayGetSlices |= context.turns.gets();
      // A layer alone that does not pool is no group, and keeps no rows.
      if ((alone && (!poolsOutput || keepRows)) ||
          !taken[size_t(context.turns.out)] || !isListed(context)) {
        lists.push_back(nullptr);
        continue;
      }
      // Slices are made again.
      kept = context.loadsInput || context.turns.gets() ? 0 : ownKept;
      Shares own = shares;
      Share rows;
      exact.reset();
      if (context.turns.isExact()) {
        findExact(i, context);
        if (!exact) {
          lists.push_back(nullptr);
          continue;
        }
        own[Dim::P] = &exact->rows;
        tileLayer.dims[Dim::P] = exact->rows.nominal;
        if (kept > 0 || context.turns.in == Pass::Kept)
          kept =
              std::min(keptWindow(i, exact->rows), target.scratchpadRows() + 1);
      } else if (keepRows && context.turns.makes()) {
        // Not less than the least of what is made once and of what is made
        // for each tile (G13).
        rows = *shares[Dim::P];
        rows.rings.clear();
        lower(rows, (*madeAgain)[i]);
        keepLeast(rows.cuts);
        own[Dim::P] = &rows;
        tileLayer.dims[Dim::P] = rows.nominal;
      } else {
        tileLayer.dims[Dim::P] = shares[Dim::P]->nominal;
      }
      lists.push_back(collect(i, own, context, behind));
      if (!goesOn)
        continue;
      for (const MemberOption &option : found) {
        least = std::min(least, option.live);
        // With a loop over reductions each column block loads it again.
        if (streamsReductions(*layers[i], option.tiles)) {
          loads = double(
              divideCeilSigned(layers[i]->dims[Dim::K], option.tiles.cols));
          isStreamed = true;
        }
      }
    }
    tileLayer.dims[Dim::P] = shares[Dim::P]->nominal;
    keptBehind += mayGetSlices ? 0 : ownKept;
    reloaded = reloadCost(i, shares, loads, isStreamed);
    // Nothing that goes on to members before.
    if (least == std::numeric_limits<int64_t>::max())
      return false;
    floor = std::max(behind, least);
    addLeast(lists);
    return true;
  }

  /// How the member behind `i`, which is listed, can get its input from it.
  /// With residuals another one may be the next.
  std::array<bool, kPasses> takenBehind(size_t i) const {
    std::array<bool, kPasses> taken;
    taken.fill(i == last || space.hasResiduals());
    if (taken.front())
      return taken;
    for (auto [context, list] :
         llvm::zip_equal(space.contextsOf(last, i + 1).all,
                         llvm::ArrayRef(result.options).drop_back().back()))
      taken[size_t(context.turns.in)] |= list && !context.loadsInput;
    return taken;
  }

  /// Whether the members from `next` on cost so much that, whatever could be
  /// saved before them, all layers had better be alone (G14).
  bool costsTooMuch(size_t next) const {
    // What pairs cost is told.
    if (space.aloneUpTo.empty() || next >= last)
      return false;
    const size_t first = space.earliest[last];
    auto isTooMuch = [&](double BoundPoint::*part) {
      return leastSoFar.*part +
                 (space.leastUpTo[next].*part - space.leastUpTo[first].*part) >
             space.aloneUpTo[last + 1].*part - space.aloneUpTo[first].*part;
    };
    return isTooMuch(&BoundPoint::energy) && isTooMuch(&BoundPoint::cycles);
  }

  /// The least energy and cycles of the next member, in any context.
  void addLeast(llvm::ArrayRef<const OptionList *> lists) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    BoundPoint own{infinity, infinity};
    for (const OptionList *list : lists) {
      if (!list)
        continue;
      own.energy = std::min(own.energy, list->corners.front().energy);
      own.cycles = std::min(own.cycles, list->corners.back().cycles);
    }
    leastSoFar.energy += own.energy;
    leastSoFar.cycles += own.cycles;
  }

  const Share &rowsOfMember(size_t i) const { return (*dims[Dim::P])[i]; }
  /// Whether rows of what another member hands over to `i` stay, if this is
  /// its window.
  bool keepsHandedOver(size_t i) const {
    return keepRows && rowsOfMember(i).keepsHandedOver;
  }
  /// The rows of that; all who read it are in the group.
  int64_t keptWindow(size_t i, const Share &rows) const {
    HeldTile held;
    held.reader = layers[i];
    held.outputs = tileLayer.dims;
    for (const Share::Ring &ring : rows.rings)
      held.lines = std::max(held.lines, ring.lines);
    return held.rows(target.side);
  }

  /// Of a slice.
  int64_t sliceChannels() const { return result.sliceWidth * target.side; }

  /// Whether the tile's lists have options in this context. Slices where rows
  /// are kept have exact ones if there is one tile, listed precisely, and else
  /// bounds of them.
  bool isListed(const MemberContext &context) {
    const Turns turns = context.turns;
    // Slices are less than all channels.
    if ((turns.gets() && inputChannels <= sliceChannels()) ||
        (turns.makes() && outputChannels <= sliceChannels()))
      return false;
    const bool tellsApart = keepRows && result.isPrecise;
    // What stays anyway need not be told of.
    if (llvm::any_of(context.live, [&](const MemberContext::Tile &tile) {
          return tile.pass == Pass::Kept && keepsHandedOver(tile.reader);
        }))
      return false;
    if (turns.isExact() || turns.in == Pass::Kept || turns.out == Pass::Kept)
      return tellsApart && isSingle;
    if (keepRows && turns.any() && !result.isPrecise)
      shortened = true;
    return !(tellsApart && isSingle && turns.in == Pass::Whole &&
             turns.makes() && context.hasExactRuns);
  }

  /// What turns make of a member where rows are kept: slices are made when
  /// their reader makes something, some rows again.
  struct Exact {
    Share rows;
    bool keepsInput = false; ///< that another member hands over
    int64_t sliceRows = 0;   ///< of the scratchpad, of what it hands over
  };
  /// Of a context with exact slices; none if it is not for this member.
  void findExact(size_t i, const MemberContext &context) {
    FusionGroup whole;
    whole.layers.assign(space.indices.begin(),
                        space.indices.begin() + last + 1);
    whole.liveSkips = whole.layers;
    GroupFlow flow = flowOf(space.network, space.uses, whole);
    const size_t input = flow.members[i].input;
    if (context.turns.gets())
      flow.tiles[input].slice = sliceChannels();
    size_t passes = isExactlySliced(context.turns.out)
                        ? size_t(context.turns.out) - size_t(Pass::Slices)
                        : 0;
    for (size_t m = i; passes > 0; --passes) {
      const std::optional<size_t> output = flow.members[m].output;
      if (!output)
        return;
      flow.tiles[*output].slice = sliceChannels();
      m = flow.tiles[*output].reader;
    }
    const std::optional<size_t> output = flow.members[i].output;
    const GroupTiles tied(layers.take_front(last + 1).vec(), result.tile(),
                          std::move(flow), /*keepRows=*/true, poolsOutput);
    exact.emplace();
    exact->rows = makeShare(tied, i, Dim::P, space.divisors, target.side);
    exact->keepsInput = tied.keepsTile(input);
    if (context.turns.makes())
      exact->sliceRows = tied.held(*output).rows(target.side);
    // Whoever hands over its input must know whether that stays.
    const bool staysAnew = exact->keepsInput && !keepsHandedOver(i);
    if (!context.loadsInput && !context.turns.gets() &&
        staysAnew != (context.turns.in == Pass::Kept))
      exact.reset();
  }

  /// Whether rows of what `i` loads stay.
  bool keepsLoaded(size_t i, bool isShared) const {
    return keepRows && staysForNext(*layers[i], isShared);
  }

  /// What the members from `i` on cost more, at most, if they were a group of
  /// their own, or `i` alone: the first of them would load its input.
  BoundPoint reloadCost(size_t i, const Shares &shares, double loads,
                        bool isStreamed) const {
    const Layer &layer = *layers[i];
    double words = double(layer.dims[Dim::G] * layer.dims[Dim::C]);
    for (Dim dim : kShared)
      words *= double(shares[dim]->most);
    words *= loads;
    const double bytes = words * double(layer.elementBytes);
    const double bandwidth = target.bandwidth[Level::Scratchpad];
    const double fills = bandwidth > 0 ? words / bandwidth : 0;
    const double loadCycles = bytes * dramCyclesPerByte(target, space.latency);
    double issue = 0, requests = 0;
    if (space.latency != Latency::Roofline) {
      MovedWords<double> moved;
      moved.input = words;
      issue = detail::commandsOf(layer, 1.0, 0.0, moved, target) *
              double(target.commandCycles);
    }
    if (space.latency == Latency::Busy) {
      // Alone, it asks for each tile of channels on its own.
      const int64_t channels = layer.inputChannels();
      int64_t perPixel = divideCeilSigned(channels * layer.elementBytes,
                                          target.dmaMaxRequestBytes);
      if (isStreamed || layer.isDepthwise())
        perPixel = std::max(
            perPixel,
            divideCeilSigned(channels, std::min(target.side, channels)));
      const double rows = words / double(channels) * double(perPixel);
      requests = std::max(
          rows * detail::cyclesPerRequest(target),
          detail::openCycles(
              rows, words * detail::beatsPerWord(layer.elementBytes, target),
              rows, target));
    }
    const double longest = std::max({loadCycles, fills, issue, requests});
    return {bytes * target.energyPerAccess[Level::Dram] +
                words * target.energyPerAccess[Level::Scratchpad] +
                longest * target.leakagePerCycle(),
            longest};
  }

  /// Whether a group without its first member `i` is no worse at any prices,
  /// with `i` alone, if this is what `i` costs at least (G7). Its input may be
  /// what others add, too.
  bool isBetterAlone(size_t i, const BoundPoint &cost) const {
    // Handed over in place, what the next one would load takes no room of the
    // scratchpad.
    if (space.hasResiduals() || target.handsOverInPlace())
      return false;
    const double energy = cost.energy - reloaded.energy;
    const double cycles = cost.cycles - reloaded.cycles;
    const GroupSpace::Points points = space.alone[i];
    // Some mixture of two of its points costs no more.
    for (const BoundPoint &a : points)
      for (const BoundPoint &b : points) {
        if (a.energy > energy || b.cycles > cycles)
          continue;
        if (a.cycles <= cycles || b.energy <= energy)
          return true;
        // As much of b as makes the cycles right.
        const double part = (a.cycles - cycles) / (a.cycles - b.cycles);
        if (a.energy + part * (b.energy - a.energy) <= energy)
          return true;
      }
    return false;
  }

  const OptionList *collect(size_t i, const Shares &shares,
                            const MemberContext &context, int64_t behind) {
    // The rows of members that take turns are added up.
    floor = context.turns.any() ? 0 : behind;
    found.clear();
    if (context.turns.gets() && !layers[i]->isDepthwise())
      enumerateSumming(i, shares, context);
    else
      enumerate(i, shares, context, i == last, fixedRows(context));
    floor = behind;
    space.held += found.size();
    return space.pool->add(found);
  }

  /// Whether the tile counts as this member's: of those that take turns the
  /// first one counts all that are live, the others what they add.
  static bool counts(const MemberContext &context,
                     const MemberContext::Tile &tile) {
    return !context.turns.gets() || tile.isNew;
  }

  /// Rows of the tiles that are live, but for an input that the member loads.
  int64_t fixedRows(const MemberContext &context) const {
    // What does not fit alone need not be told apart.
    const int64_t most = target.scratchpadRows() + 1;
    int64_t rows = 0;
    for (const MemberContext::Tile &tile : context.live)
      if (counts(context, tile) && !isKept(tile) && // those lie elsewhere
          levelOfTile(tile.isLoaded, target) == Level::Scratchpad)
        rows += std::min(rowsOf(tile), most);
    return std::min(rows, most);
  }

  bool isKept(const MemberContext::Tile &tile) const {
    if (tile.pass != Pass::Whole)
      return tile.pass == Pass::Kept;
    // Whoever loads a tile for others, too, loads it at once.
    return tile.isLoaded ? keepsLoaded(tile.reader, /*isShared=*/true)
                         : !tile.isResidual && keepsHandedOver(tile.reader);
  }

  /// Rows of the accumulator beside the tiles that are handed over there.
  int64_t roomForSums(const MemberContext &context) const {
    int64_t room = target.accumulatorRows();
    for (const MemberContext::Tile &tile : context.live)
      if (counts(context, tile) &&
          levelOfTile(tile.isLoaded, target) == Level::Accumulator)
        room -= std::min(rowsOf(tile), target.accumulatorRows() + 1);
    return room;
  }

  int64_t rowsOf(const MemberContext::Tile &tile) const {
    const bool isSlice = isSliced(tile.pass);
    if (isSlice && exact && exact->sliceRows)
      return exact->sliceRows;
    HeldTile held;
    held.reader = layers[tile.reader];
    for (Dim dim : kShared)
      held.outputs[dim] = (*dims[dim])[tile.reader].nominal;
    held.isResidual = tile.isResidual;
    held.isLoaded = tile.isLoaded;
    held.slice = isSlice ? sliceChannels() : 0;
    return held.rows(target.side);
  }

  /// As in GroupTiles.
  const MaxPool *pooling(size_t i) const {
    const Layer &layer = *layers[i];
    return layer.pool && (poolsOutput || i != last) ? &*layer.pool : nullptr;
  }

  /// Blocks of pixels that fit the accumulator, one column block deep: of
  /// those, the ones with the fewest blocks or the fewest chunks of bias (G3);
  /// with `roomMatters` those of fewer pixels, too (G12). `whole`: those of one
  /// sample and all its pixels (G10).
  void findBlocks(Shares shares, int64_t room, bool whole, bool countsMatter,
                  bool chunksMatter, bool roomMatters) {
    blocks.clear();
    Share wholeP, wholeQ;
    if (whole)
      for (auto [dim, share] :
           {std::pair(Dim::P, &wholeP), {Dim::Q, &wholeQ}}) {
        share->cuts = {{shares[dim]->nominal, shares[dim]->tiles}};
        shares[dim] = share;
      }
    for (const Share::Cut &n : shares[Dim::N]->cuts)
      for (const Share::Cut &p : shares[Dim::P]->cuts) {
        if (n.block * p.block > room)
          break;
        for (const Share::Cut &q : llvm::reverse(shares[Dim::Q]->cuts)) {
          const int64_t pixels = n.block * p.block * q.block;
          if (pixels > room)
            continue;
          Block next;
          next.cuts[Dim::N] = n;
          next.cuts[Dim::P] = p;
          next.cuts[Dim::Q] = q;
          const int64_t count = n.count * p.count * q.count;
          if (countsMatter)
            next.count = count;
          if (chunksMatter)
            next.chunks = count * divideCeilSigned(pixels, target.side);
          if (roomMatters)
            next.pixels = pixels;
          auto isNoWorse = [](const Block &a, const Block &b) {
            return a.count <= b.count && a.chunks <= b.chunks &&
                   a.pixels <= b.pixels;
          };
          if (llvm::none_of(blocks, [&](const Block &other) {
                return isNoWorse(other, next);
              })) {
            llvm::erase_if(blocks, [&](const Block &other) {
              return isNoWorse(next, other);
            });
            blocks.push_back(next);
          }
          if (!chunksMatter && !roomMatters)
            break; // smaller blocks only make more of them
        }
      }
  }

  /// Whether a factor may cut `bound`.
  bool divides(int64_t bound, int64_t factor) const {
    return !space.divisors || bound % factor == 0;
  }
  /// The largest such factor up to `limit`.
  int64_t largestFactor(int64_t bound, int64_t limit) const {
    while (!divides(bound, limit))
      --limit;
    return limit;
  }

  void enumerate(size_t i, const Shares &shares, const MemberContext &context,
                 bool isLast, int64_t fixedRows) {
    const Layer &layer = *layers[i];
    const int64_t cols = std::min(target.side, layer.dims[columnsOf(layer)]);
    // A depthwise layer alone, which has nobody to pack for, may have smaller
    // blocks of channels: their weights are fewer (G10).
    const bool anyBlocks = layer.isDepthwise() && isLast &&
                           context.loadsInput && !context.wholeInput &&
                           !context.liveSkip;
    if (!anyBlocks)
      return enumerate(i, shares, context, isLast, fixedRows, cols);
    const bool isSerial = space.space.isSerial(layer);
    for (int64_t block = isSerial ? 1 : cols; block >= 1; --block)
      if (divides(layer.dims[Dim::G], block))
        enumerate(i, shares, context, isLast, fixedRows, block);
  }

  void enumerate(size_t i, const Shares &shares, const MemberContext &context,
                 bool isLast, int64_t fixedRows, int64_t cols) {
    const Layer &layer = *layers[i];
    const bool isFirst = context.loadsInput;
    const bool depthwise = layer.isDepthwise();
    const Dim columns = columnsOf(layer);
    int64_t mostRows =
        depthwise ? 1 : std::min(target.side, layer.dims[Dim::C]);
    // Fewer, so that they divide, if packing does not want them all.
    if (!divides(layer.dims[columns], cols)) {
      if (!isLast || context.liveSkip || depthwise)
        return;
      cols = largestFactor(layer.dims[columns], cols);
    }
    if (!divides(layer.dims[Dim::C], mostRows)) {
      if (!isFirst || context.wholeInput)
        return;
      mostRows = largestFactor(layer.dims[Dim::C], mostRows);
    }
    MemberTiles own;
    own.turns = context.turns;
    own.rows = int32_t(mostRows);
    own.cols = int32_t(cols);
    PerDim<Share::Cut> cuts({0, 0});
    auto consider = [&] {
      for (Dim dim : kShared)
        own.extent[dim] = int32_t(cuts[dim].block);
      return take(i, shares, context, isLast, fixedRows, own, cuts);
    };

    if (pooling(i))
      for (Dim dim : {Dim::P, Dim::Q})
        if (shares[dim]->nominal > target.pool.extent)
          return;
    // All reductions on chip; all output channels, or one column block (G4).
    // Sums that are handed over in place are there all at once, and their room
    // is taken.
    const bool isHeld = target.handsOverInPlace() && !isLast;
    const int64_t room = roomForSums(context);
    if (room < 0)
      return;
    const int64_t width = context.turns.any() ? result.sliceWidth : 1;
    if (isHeld) {
      takeWholeTile(shares);
    } else {
      findBlocks(shares, room / width, pooling(i) != nullptr,
                 !hasOnePass(layer, mostRows), layer.hasBias,
                 context.turns.any() && result.isPrecise);
      if (context.turns.any() && !result.isPrecise)
        shortened = true;
    }
    for (bool resident : {true, false}) {
      for (Dim dim : {Dim::G, Dim::K, Dim::C, Dim::R, Dim::S})
        own.extent[dim] = int32_t(layer.dims[dim]);
      if (!resident) {
        // A depthwise layer's blocks load an input each.
        if (context.wholeInput && depthwise)
          break;
        // Columns to spare are given up if only that makes two blocks.
        if (layer.dims[columns] <= cols) {
          if (!isLast || context.liveSkip || depthwise || cols == 1)
            break;
          own.cols = int32_t(largestFactor(cols, cols - 1));
        }
      }
      for (int64_t wide = resident ? 1 : usefulBlocks(layer, columns, own.cols);
           wide >= 1; --wide) {
        if (!resident) {
          const int64_t extent = wide * width * own.cols;
          if (wide > 1 && (extent >= layer.dims[columns] ||
                           !divides(layer.dims[columns], extent)))
            continue;
          own.extent[columns] = int32_t(extent);
        }
        for (const Block &block : blocks) {
          cuts = block.cuts;
          consider();
        }
      }
    }

    if (context.wholeInput) // nor do reductions have a loop at DRAM
      return;

    // A loop over reductions at DRAM: the whole tile in the accumulator.
    own.cols = int32_t(cols);
    int64_t pixels = 1;
    for (Dim dim : kShared) {
      pixels *= shares[dim]->nominal;
      cuts[dim] = {shares[dim]->nominal, shares[dim]->tiles};
      own.extent[dim] = int32_t(shares[dim]->nominal);
    }
    if (pixels * width > room && !isHeld)
      return;
    // Fewer rows of the array and fewer column blocks cost more and take less
    // room; fewer taps may do either.
    const int64_t columnBlocks = divideCeilSigned(layer.dims[columns], cols);
    // More output channels at once matter only where each block of them loads
    // the input again, or to requests.
    const int64_t mostBlocks = isFirst && !depthwise
                                   ? columnBlocks
                                   : usefulBlocks(layer, columns, cols);
    const int64_t deepest =
        width > 1 ? width
                  : largestFactor(columnBlocks,
                                  isHeld ? mostBlocks
                                         : std::min(mostBlocks, room / pixels));
    for (int64_t r = isFirst ? layer.dims[Dim::R] : 1; r >= 1; --r)
      for (int64_t s = isFirst ? layer.dims[Dim::S] : 1; s >= 1; --s) {
        if (!divides(layer.dims[Dim::R], r) || !divides(layer.dims[Dim::S], s))
          continue;
        // Large kernels have very many tap tiles.
        if (space.outOfEffort()) {
          space.complete = false;
          return;
        }
        own.extent[Dim::R] = int32_t(r);
        own.extent[Dim::S] = int32_t(s);
        bool enough = false;
        // Packing wants all rows of a later member.
        const int64_t fewest = isFirst ? 1 : mostRows;
        for (int64_t rows = mostRows; rows >= fewest && !enough; --rows) {
          if (!divides(layer.dims[Dim::C], rows))
            continue;
          own.rows = int32_t(rows);
          bool isWidest = true;
          for (int64_t wide = isFirst ? usefulBlocks(layer, Dim::C, rows) : 1;
               wide >= 1; --wide) {
            const int64_t blocksOfRows =
                divideCeilSigned(layer.dims[Dim::C], rows);
            if (!divides(blocksOfRows, wide))
              continue;
            wide = divideCeilSigned(blocksOfRows,
                                    divideCeilSigned(blocksOfRows, wide));
            own.extent[Dim::C] =
                int32_t(std::min(layer.dims[Dim::C], wide * rows));
            if (!streamsReductions(layer, own))
              continue;
            const Ended ended =
                enumerateStreaming(i, shares, context, isLast, fixedRows, own,
                                   cuts, cols, width, deepest);
            // Fewer rows with more channels may ask for less.
            enough =
                ended == Ended::Set || (ended == Ended::Enough && isWidest);
            if (ended != Ended::No)
              break;
            isWidest = false;
          }
        }
      }
  }

  /// Whether what takes less room than what was listed is of no use, or whether
  /// that stands for all.
  enum class Ended { No, Enough, Set };

  /// The last step of that: output channels at once, up to `deepest` blocks.
  Ended enumerateStreaming(size_t i, const Shares &shares,
                           const MemberContext &context, bool isLast,
                           int64_t fixedRows, MemberTiles own,
                           const PerDim<Share::Cut> &cuts, int64_t cols,
                           int64_t width, int64_t deepest) {
    const Layer &layer = *layers[i];
    const bool isFirst = context.loadsInput;
    const Dim columns = columnsOf(layer);
    const int64_t columnBlocks = divideCeilSigned(layer.dims[columns], cols);
    for (int64_t deep = deepest; deep >= 1; --deep) {
      // Wide slices are those of one width.
      if (!divides(columnBlocks, deep) || (width > 1 && deep != width))
        continue;
      if (width == 1)
        deep = divideCeilSigned(columnBlocks,
                                divideCeilSigned(columnBlocks, deep));
      own.extent[columns] = int32_t(std::min(layer.dims[columns], deep * cols));
      // The price of these, the room of the smallest.
      if (isFirst && !result.isPrecise) {
        MemberTiles least = own;
        least.rows = 1;
        least.extent[Dim::C] = 1;
        least.extent[columns] = int32_t(cols);
        shortened = true;
        take(i, shares, context, isLast, fixedRows, own, cuts, &least);
        // Of one that makes slices that is a bound only.
        own.extent[columns] = least.extent[columns];
        if (context.turns.makes())
          take(i, shares, context, isLast, fixedRows, own, cuts, &least);
        return Ended::Set;
      }
      if (take(i, shares, context, isLast, fixedRows, own, cuts) <= floor)
        // Fewer rows might let more columns in.
        return deep == deepest ? Ended::Enough : Ended::No;
      // Less of anything would cost no less. Of what it makes in slices the
      // next one would load all.
      if (isFirst && deep == deepest && !context.turns.makes() &&
          isBetterAlone(i, considered))
        return Ended::Enough;
    }
    return Ended::No;
  }

  /// Blocks of so many channels of `dim` that input or weights of one step
  /// should have at most: more take no fewer requests, if these count, and
  /// nothing else (G4).
  int64_t usefulBlocks(const Layer &layer, Dim dim, int64_t block) const {
    return space.latency == Latency::Busy
               ? detail::usefulBlocks(layer, dim, block, target)
               : 1;
  }

  /// Pixels of what member `i` makes in a tile.
  int64_t pixelsOf(size_t i) const {
    int64_t pixels = 1;
    for (Dim dim : kShared)
      pixels *= (*dims[dim])[i].nominal;
    return pixels;
  }

  /// All blocks of its tile at once.
  void takeWholeTile(const Shares &shares) {
    Block whole;
    for (Dim dim : kShared)
      whole.cuts[dim] = {shares[dim]->nominal, shares[dim]->tiles};
    blocks.assign(1, whole);
  }

  /// Of a member that adds up slices of its input's channels, with sums of all
  /// its outputs in the accumulator: weights that stay, or those of a slice and
  /// one tap at a time (G12).
  void enumerateSumming(size_t i, const Shares &shares,
                        const MemberContext &context) {
    const Layer &layer = *layers[i];
    MemberTiles own;
    own.turns = context.turns;
    own.cols = int32_t(std::min(target.side, layer.dims[Dim::K]));
    own.rows = int32_t(std::min(target.side, layer.dims[Dim::C]));
    if (!divides(layer.dims[Dim::K], own.cols) ||
        !divides(layer.dims[Dim::C], own.rows))
      return;
    if (pooling(i))
      for (Dim dim : {Dim::P, Dim::Q})
        if (shares[dim]->nominal > target.pool.extent)
          return;
    const int64_t room = roomForSums(context);
    const bool isHeld = target.handsOverInPlace() && i != last;
    if (room < 0 ||
        (!isHeld &&
         pixelsOf(i) * divideCeilSigned(layer.dims[Dim::K], own.cols) > room))
      return;
    PerDim<Share::Cut> cuts({0, 0});
    for (Dim dim : kShared) {
      cuts[dim] = {shares[dim]->nominal, shares[dim]->tiles};
      own.extent[dim] = int32_t(shares[dim]->nominal);
    }
    own.extent[Dim::K] = int32_t(layer.dims[Dim::K]);
    for (bool resident : {true, false}) {
      for (Dim dim : {Dim::C, Dim::R, Dim::S})
        own.extent[dim] = int32_t(resident        ? layer.dims[dim]
                                  : dim == Dim::C ? result.sliceWidth * own.rows
                                                  : 1);
      take(i, shares, context, i == last, fixedRows(context), own, cuts);
    }
  }

  /// Of the member that reads what `i` hands over; in a chain, the next one.
  int64_t windowPixels(size_t i, bool isLast) const {
    if (isLast)
      return 0;
    const Layer &reader = *layers[i + 1];
    int64_t pixels = (*dims[Dim::N])[i + 1].nominal;
    for (Axis axis : kAllAxes) {
      const Dim dim = outputDim(axis);
      pixels *= reader.window(axis, (*dims[dim])[i + 1].nominal,
                              reader.dims[kernelDim(axis)]);
    }
    return pixels;
  }

  /// What the first member loads comes whole if no loop at DRAM cuts it.
  bool loadsWhole(size_t i, const MemberContext &context,
                  const MemberTiles &own) const {
    return context.loadsInput && llvm::all_of(kLoadedWhole, [&](Dim dim) {
             return own.extent[dim] >= layers[i]->dims[dim];
           });
  }

  /// Whether the group's input may have two places (rule group-turns). By the
  /// roofline that changes nothing.
  bool mayTakeTurns(size_t i, const Shares &shares,
                    const MemberContext &context, bool isLast,
                    const MemberTiles &own) const {
    const Layer &layer = *layers[i];
    // A last member that loads it is alone, unless others read it, too.
    if (space.latency != Latency::Busy || (isLast && !context.wholeInput) ||
        !loadsWhole(i, context, own) ||
        (layer.dims[Dim::G] > 1 && !layer.isDepthwise()) ||
        (layer.isDepthwise() ? own.cols : own.rows) <
            std::min(target.side, layer.inputChannels()))
      return false;
    if (!isSingle)
      return true;
    // Each tile has something for it, as it has for the last member.
    bool isCut = false;
    for (Dim dim : kShared) {
      const int64_t tiles = (*dims[dim])[last].tiles;
      isCut |= tiles > 1;
      if (!keepRows && shares[dim]->tiles != tiles)
        return false;
    }
    return isCut;
  }

  /// Adds an option unless it does not fit or another one is no worse, and the
  /// same with two places for the input. Returns the live rows of the former.
  /// With `least`, that takes as much room as this.
  int64_t take(size_t i, const Shares &shares, const MemberContext &context,
               bool isLast, int64_t fixedRows, const MemberTiles &own,
               const PerDim<Share::Cut> &cuts,
               const MemberTiles *least = nullptr) {
    if (mayTakeTurns(i, shares, context, isLast, own)) {
      MemberTiles inTurns = own;
      inTurns.inputTurns = true;
      takeOne(i, shares, context, isLast, fixedRows, inTurns, cuts, least);
    }
    return takeOne(i, shares, context, isLast, fixedRows, own, cuts, least);
  }

  int64_t takeOne(size_t i, const Shares &shares, const MemberContext &context,
                  bool isLast, int64_t fixedRows, const MemberTiles &own,
                  const PerDim<Share::Cut> &cuts, const MemberTiles *least) {
    const Layer &layer = *layers[i];
    MemberOption option;
    const bool isFirst = context.loadsInput;
    const bool loadsOnce =
        keepsLoaded(i, context.wholeInput) && loadsWhole(i, context, own);
    // Of a tile that others read, too, they have counted one place.
    const bool hasTwoPlaces = own.inputTurns && !loadsOnce;
    const bool staysWhole = hasTwoPlaces && !context.wholeInput;
    Known &known = lookUp(context, least ? *least : own, cuts, loadsOnce);
    const Footprint &rows = known.rows;
    option.kept = kept;
    if (isFirst)
      option.kept =
          loadsOnce
              ? ringRows(rows.inputRows, known.inputLines,
                         (exact ? exact->rows : rowsOfMember(i))
                             .ringLines(context.firstReader, context.lastReader,
                                        own.inputTurns))
          : staysWhole   ? 2 * rows.inputRows
          : hasTwoPlaces ? rows.inputRows
                         : 0;
    option.live =
        fixedRows + (isFirst && !loadsOnce && !staysWhole ? rows.inputRows : 0);
    (known.isResident ? option.resident : option.live) += rows.weightRows;
    // Less room than others need anyway is of no use (G6).
    option.live = std::max(option.live, floor);
    considered = {0, 0};
    if (context.turns.any()) {
      option.sums = target.accumulatorRows() - roomForSums(context);
      // With smaller blocks, which are not listed then, it takes fewer.
      const bool isSumming = context.turns.gets() && !layer.isDepthwise();
      if (hasOwnSums(/*handsOver=*/!isLast, target) &&
          (result.isPrecise || isSumming))
        option.sums += rows.outputRows;
      // More columns than a slice has would be handed over at once (G13).
      option.isBound =
          (keepRows && result.isPrecise && !context.turns.isExact()) ||
          ((context.turns.makes() || layer.isDepthwise()) &&
           !known.isResident &&
           own.extent[columnsOf(layer)] > result.sliceWidth * own.cols);
    }
    // Where nobody reads it both stay, which is not counted.
    const bool isUncounted = hasTwoPlaces && context.wholeInput;
    MemberOption counted = option;
    option.isBound |= isUncounted;
    if (option.live + option.resident + option.kept + keptBehind >
        target.scratchpadRows())
      return option.live;
    option.tiles = own;
    std::optional<BoundPoint> &cost =
        (least ? lookUp(context, own, cuts, loadsOnce) : known).cost;
    if (!cost)
      cost = costOf(i, shares, context, isLast, own, cuts, loadsOnce);
    considered = *cost;
    option.energy = considered.energy;
    option.cycles = considered.cycles;
    offer(option);
    // With both counted all the time, and one once more by who else reads it.
    if (isUncounted && !counted.isBound) {
      counted.live = std::max(counted.live - rows.inputRows, floor);
      counted.kept += rows.inputRows;
      counted.tiles = own;
      counted.energy = option.energy;
      counted.cycles = option.cycles;
      if (counted.live + counted.resident + counted.kept + keptBehind <=
          target.scratchpadRows())
        offer(counted);
    }
    return option.live;
  }

  /// Adds an option unless another one is no worse.
  void offer(const MemberOption &option) {
    auto isNoWorseThan = [](const MemberOption &a, const MemberOption &b) {
      return a.energy <= b.energy && a.cycles <= b.cycles && a.live <= b.live &&
             a.resident <= b.resident && a.kept <= b.kept && a.sums <= b.sums &&
             a.isBound <= b.isBound;
    };
    if (llvm::any_of(found, [&](const MemberOption &other) {
          return isNoWorseThan(other, option);
        }))
      return;
    llvm::erase_if(found, [&](const MemberOption &other) {
      return isNoWorseThan(option, other);
    });
    found.push_back(option);
  }

  /// What a member's own tiles mean in all contexts in which it moves the same.
  struct Known {
    Footprint rows;
    int64_t inputLines = 0; ///< rows of the image in its tile of the input
    bool isResident = false;
    std::optional<BoundPoint> cost;
  };

  Known &lookUp(const MemberContext &context, const MemberTiles &own,
                const PerDim<Share::Cut> &cuts, bool loadsOnce) {
    // Whether channels are the outermost loop of its own changes no count.
    const bool getsMatter = tileLayer.padValue != 0 || !tileLayer.isDepthwise();
    KnownKey key;
    auto *next = key.begin();
    for (Dim dim : kAllDims)
      *next++ = own.extent[dim];
    for (Dim dim : kShared)
      *next++ = cuts[dim].count;
    // As many as the key has room for.
    const std::array<int64_t, kKnownFlags> flags = {
        own.rows,
        own.cols,
        own.turns.gets() && getsMatter,
        own.turns.any() && result.sliceWidth > 1,
        keepRows
            ? int64_t(size_t(own.turns.in) * kPasses + size_t(own.turns.out))
            : 0,
        context.loadsInput,
        own.inputTurns,
        context.liveSkip,
        loadsOnce};
    std::copy(flags.begin(), flags.end(), next);
    auto [it, isNew] = known.try_emplace(key);
    if (isNew) {
      const Mapping mapping = makeMapping(tileLayer, own, result.sliceWidth);
      it->second.rows = footprint(tileLayer, mapping);
      it->second.inputLines = storedInputExtent(tileLayer, mapping, Axis::H);
      it->second.isResident = weightsResident(tileLayer, mapping);
    }
    return it->second;
  }

  BoundPoint costOf(size_t i, const Shares &shares,
                    const MemberContext &context, bool isLast,
                    const MemberTiles &own, const PerDim<Share::Cut> &cuts,
                    bool loadsOnce) {
    const Layer &layer = *layers[i];
    const Mapping mapping = makeMapping(tileLayer, own, result.sliceWidth);
    RelaxedFactors<double> factors;
    detail::forEachWholeFactor(
        tileLayer, mapping,
        [&](auto factorOf, double value) { factorOf(factors) = value; });
    auto nest = detail::nestOver</*Whole=*/true, /*Grouped=*/true>(
        layer, tileLayer.dims, factors, mapping.order);
    for (Dim dim : kShared) {
      const Share &share = *shares[dim];
      nest.count[Level::Registers][dim] = nest.count[Level::Accumulator][dim] =
          double(cuts[dim].count);
      nest.count[Level::Scratchpad][dim] = nest.trips[Level::Dram][dim] =
          double(share.tiles);
      nest.group.extent[dim] = double(share.produced);
    }
    if (const MaxPool *pool = pooling(i)) {
      PerDim<int64_t> handedOver;
      for (Dim dim : kShared)
        handedOver[dim] = shares[dim]->handedOver;
      detail::sharePooling(nest, *pool, handedOver);
    }
    for (Axis axis : kAllAxes) {
      const Share &share = *shares[outputDim(axis)];
      const bool once = axis == Axis::H && loadsOnce;
      const int64_t taps = own.extent[kernelDim(axis)] - 1;
      nest.group.loaded[axis] =
          double(once ? share.loadedOnce : share.loaded[taps]);
      nest.group.windows[axis] =
          double(once ? share.windowsOnce : share.windows[taps]);
    }
    if (layer.padValue != 0 && !context.loadsInput) {
      const int64_t channels = layer.inputChannels();
      // Pooled rows are as wide as the window: its padding is cleared again for
      // each slice.
      const bool isSlice = context.turns.gets() && !pooling(i - 1);
      detail::sharePadding(
          nest, shares[Dim::P]->padding, shares[Dim::Q]->padding,
          isSlice ? std::min(channels, sliceChannels()) : channels);
    }
    nest.group.window = double(windowPixels(i, isLast));
    ++space.evaluations;
    MemberMoves<double> moves =
        memberMoves(context.loadsInput, isLast, context.liveSkip, nest);
    moves.inputBeside = own.inputTurns;
    const MemberCost cost = countMember(
        nest, moves, target, Convention::Machine, Model::Exact, space.latency);
    return {cost.energy, cost.cycles};
  }

  GroupSpace &space;
  const Accelerator &target;
  /// Of the chain; turned if columns are kept, and so are all tiles.
  const llvm::ArrayRef<const Layer *> layers;
  const size_t last;
  const PerDim<const DimTile *> dims;
  const DimTile *const madeAgain; ///< along P, if no rows were kept
  const bool keepRows, poolsOutput;
  const bool isSingle; ///< one tile, no set of them
  GroupTile &result;
  std::optional<Exact> exact;                    ///< of the context at hand
  int64_t inputChannels = 0, outputChannels = 0; ///< of the member at hand
  int64_t kept = 0;       ///< rows of the member's input that are handed over
  int64_t keptBehind = 0; ///< the same of all members further on
  BoundPoint reloaded;    ///< of the members further on (reloadCost)
  BoundPoint leastSoFar;  ///< of the members that are listed
  BoundPoint considered;  ///< cost of the last option, 0 if it does not fit
  Layer tileLayer;        ///< of the member at hand, with its nominal tile
  int64_t floor = 0; ///< least live rows that all members further on can have
  bool shortened = false; ///< a list is not precise (GroupTile::isPrecise)
  struct Block {
    PerDim<Share::Cut> cuts{{0, 0}};
    int64_t count = 0, chunks = 0, pixels = 0;
  };
  llvm::SmallVector<Block, 8> blocks;
  llvm::SmallVector<MemberOption, 16> found;
  static constexpr size_t kKnownFlags = 9;
  using KnownKey = std::array<int64_t, kNumDims + kShared.size() + kKnownFlags>;
  struct KnownHash {
    size_t operator()(const KnownKey &key) const {
      return llvm::hash_combine_range(key.begin(), key.end());
    }
  };
  std::unordered_map<KnownKey, Known, KnownHash> known; ///< of the member
};
} // namespace fadiff::exact

bool GroupSpace::listOptions(size_t last, const PerDim<const DimTile *> &dims,
                             const DimTile *madeAgain, GroupTile &tile) {
  TileVisitor visitor(*this, last, dims, madeAgain, tile);
  const bool found = visitor.run();
  tile.isPrecise |= !visitor.wasShortened();
  return found;
}
