//===- StageAhead.cpp - Loads that run one part ahead ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is fetched in parts, each while the one before is in use. The loops of
// the stage are the digits of a counter: the next part is where the counter
// goes from here. Digits outside of the tile's load lead to the next tile. Its
// first part may come while the last one of this tile is in use, because
// nothing after that reads the first part's rows again.
//
//===----------------------------------------------------------------------===//

#include "StageEmitter.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

/// Of `count` from `first` on what is there of `all`.
static std::pair<Value, Value> upTo(const IndexMath &m, Value first,
                                    int64_t count, Value all) {
  return {first,
          m.max(m.constant(0), m.min(m.constant(count), m.sub(all, first)))};
}

void StageEmitter::enterLoop(ForOp op, Value offset, const Interval &whole) {
  loops.push_back({op, toDim(op.getDim()), static_cast<int64_t>(op.getStep()),
                   offset, whole});
  if (loop)
    return; // It runs ahead by itself.
  IndexMath m = math(op.getLoc());
  auto advance = [&](LoadOp load, const FetchAhead &ahead) {
    if (ahead.loop == op)
      fetchPart(m, load, nextPart(m, load, ahead));
  };
  advance(plan.weights, plan.weightsAhead);
  advance(plan.input, plan.inputAhead);
  fetchNext(m, op, /*isBehind=*/false);
}

void StageEmitter::leaveLoop() {
  if (!loop) {
    ForOp left = loops.back().op;
    fetchNext(math(left.getLoc()), left, /*isBehind=*/true);
  }
  loops.pop_back();
}

/// Pieces of the next tiles, or of this one's input, that come in front of the
/// boxes of `loop`'s trip, or behind the only one.
void StageEmitter::fetchNext(const IndexMath &m, ForOp loop, bool isBehind) {
  if (plan.weightTurns == loop && plan.stream.weightTurns->isBehind == isBehind)
    fetchNextWeights(m);
  if (plan.inputTurns == loop && plan.stream.inputTurns->isBehind == isBehind)
    fetchNextInput(m);
  if (plan.inputSpread == loop && plan.stream.inputSpread->isBehind == isBehind)
    fetchOwnInput(m);
}

//===----------------------------------------------------------------------===//
// One tile ahead
//===----------------------------------------------------------------------===//

/// How many of the loops at hand, from the outermost on, are around `load`; 0
/// if that is null.
size_t StageEmitter::loopsAround(LoadOp load) const {
  size_t count = 0;
  while (load && count < loops.size() &&
         loops[count].op->isProperAncestor(load.getOperation()))
    ++count;
  return count;
}

/// Of all the tiles that the nest loads there. The loops around the load are
/// the digits; the last one is that of the nest's runs.
Value StageEmitter::tileNumber(const IndexMath &m, LoadOp load) const {
  Value number = run->run;
  for (const LoopState &loop : ArrayRef(loops).take_front(loopsAround(load)))
    number =
        m.add(m.mul(number, llvm::divideCeil(loop.whole.nominal, loop.step)),
              m.floorDiv(loop.offset, loop.step));
  return number;
}

/// Whether a tile of the input comes when it is wanted: always, or only the
/// first one, the others having come beside the one before, or being the same.
Value StageEmitter::bringsInput(const IndexMath &m) const {
  if (inputOfSlices.load)
    return inputOfSlices.isFirst;
  return plan.inputTurns ? m.equal(tileNumber(m, plan.input), m.constant(0))
                         : m.flag(true);
}

/// The same of weights.
Value StageEmitter::bringsWeights(const IndexMath &m) const {
  return plan.weightTurns ? m.equal(tileNumber(m, plan.weights), m.constant(0))
                          : m.flag(true);
}

/// Of the two places of tiles that take turns, that of the tile at hand or of
/// the next one.
Value StageEmitter::placeInTurn(const IndexMath &m, LoadOp load, Value first,
                                int64_t second, bool isNext) const {
  Value isSecond =
      m.equal(m.mod(tileNumber(m, load), 2), m.constant(isNext ? 0 : 1));
  return m.select(isSecond, m.constant(second), first);
}

void StageEmitter::turnInput(const IndexMath &m, PixelTile &tile,
                             bool isNext) const {
  tile.base = placeInTurn(m, plan.input, tile.base, run->freeRow, isNext);
}

/// The second place of weights is at the scratchpad's end.
void StageEmitter::turnWeights(const IndexMath &m, WeightTile &tile,
                               bool isNext) const {
  tile.base =
      placeInTurn(m, plan.weights, tile.base,
                  nest.machine.scratchpadRows() - plan.weightRows, isNext);
}

void StageEmitter::begin() {
  const std::optional<TileTurns> &turns = plan.stream.inputTurns;
  IndexMath m = math(stage.getLoc());
  if (LoadOp load = inputOfSlices.load)
    beginInput(load, entry);
  if (turns && nextInput.loader && !plan.inputTurns)
    fetchShare(m, m.constant(0));
}

/// From the piece `first` of the share of the group's next tile on, those that
/// come at once.
void StageEmitter::fetchShare(const IndexMath &m, Value first) {
  StageEmitter &loader = *nextInput.loader;
  m.branch(loader.run->hasNext, [&] {
    Operation *begin = m.constant(0).getDefiningOp();
    loader.loadPieces(m, nextInput, first, plan.stream.inputTurns->atOnce);
    const LoadConfig wanted = *loader.loadConfigs[0];
    if (!nextInput.isPadded) {
      loadConfigs[0] = wanted;
      return;
    }
    // What clears the padding has been set where the stage begins, or goes on.
    setsInput = true;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(begin);
    emitConfig(builder, m.loc, 0, wanted);
  });
}

void StageEmitter::bringPieces(const NextInput &next) {
  if (next.share.count == 0)
    return;
  IndexMath m = math(stage.getLoc());
  m.branch(run->hasNext, [&] {
    Operation *begin = m.constant(0).getDefiningOp();
    loadPieces(m, next, m.constant(0), next.share.perSlice());
    // Whatever members have set.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(begin);
    emitConfig(builder, m.loc, 0, *loadConfigs[0]);
  });
}

/// Of the pieces of the tile that this stage loads in the next run, from
/// `first` of the slice's share on, `most` at most.
void StageEmitter::loadPieces(const IndexMath &m, const NextInput &next,
                              Value first, int64_t most) {
  const TurnShare &share = next.share;
  // Of this slice, and of all.
  Value count =
      m.min(m.constant(most), m.sub(m.constant(share.perSlice()), first));
  if (share.slices > 1) {
    first = m.add(first, m.mul(next.slice, share.perSlice()));
    count = m.max(m.constant(0),
                  m.min(count, m.sub(m.constant(share.count), first)));
  }
  Box box = entry;
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    box[dim] = run->next[dim];
  InputSource from = inputAt(m, plan.input, box);
  if (!inputRing)
    turnInput(m, from.tile, /*isNext=*/true);
  const int64_t parts = llvm::divideCeil(share.height, share.lines),
                ofLine = llvm::divideCeil(from.tile.w, share.columns);
  m.forEach(count, 1, [&](Value i, Value) {
    Value piece = m.add(m.add(first, i), m.constant(share.first));
    InputRegion region;
    region.w = upTo(m, m.mul(m.mod(piece, ofLine), share.columns),
                    share.columns, from.w.count);
    piece = m.floorDiv(piece, ofLine);
    Value rest = m.floorDiv(piece, parts);
    Value line = m.mul(m.mod(piece, parts), share.lines);
    if (from.kept) // The first that is not there yet.
      line = m.add(line, from.kept);
    region.h = upTo(m, line, share.lines, from.h.count);
    region.n = upTo(m, m.mod(rest, from.tile.n), 1, box[Dim::N].size);
    std::tie(region.channel, region.channels) =
        upTo(m, m.mul(m.floorDiv(rest, from.tile.n), share.channels),
             share.channels, box[inChannel()].size);
    loadRegion(m, from, region);
  });
}

/// Whether pieces of the next tile are due on the trip at hand, and the first
/// one's number.
std::pair<Value, Value> StageEmitter::duePieces(const IndexMath &m, LoadOp load,
                                                const TileTurns &turns) const {
  // The trip's number, of those that are always there.
  Value zero = m.constant(0), trip = zero, isDue = m.flag(true);
  for (const LoopState &loop : llvm::drop_begin(loops, loopsAround(load))) {
    if (loop.step >= loop.whole.nominal)
      continue;
    if (IndexMath::known(loop.whole.size) == loop.whole.nominal)
      trip = m.add(m.mul(trip, llvm::divideCeil(loop.whole.nominal, loop.step)),
                   m.floorDiv(loop.offset, loop.step));
    else
      isDue = m.both(isDue, m.equal(loop.offset, zero));
  }
  if (turns.from > 0) {
    isDue = m.both(isDue, m.less(m.constant(turns.from - 1), trip));
    trip = m.sub(trip, m.constant(turns.from));
  }
  Value begin = m.mul(m.floorDiv(trip, turns.every), turns.atOnce);
  isDue = m.both(isDue, m.equal(m.mod(trip, turns.every), zero));
  isDue = m.both(isDue, m.less(begin, m.constant(turns.all)));
  return {isDue, begin};
}

/// Whether there is a tile behind the one at hand, and what it is of.
std::pair<Value, Box> StageEmitter::nextTile(const IndexMath &m,
                                             LoadOp load) const {
  SmallVector<Value> offsets;
  const auto outside = ArrayRef(loops).take_front(loopsAround(load));
  Value carry = countOn(m, outside, offsets);
  Box box = entry;
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    box[dim] = {m.select(carry, run->next[dim].offset, entry[dim].offset),
                m.select(carry, run->next[dim].size, entry[dim].size),
                entry[dim].nominal};
  return {m.either(m.negate(carry), run->hasNext),
          tileAt(m, outside, box, offsets)};
}

/// The pieces of the input's next tile that are due.
void StageEmitter::fetchNextInput(const IndexMath &m) {
  const TileTurns &turns = *plan.stream.inputTurns;
  LoadOp load = plan.input;
  auto [isDue, begin] = duePieces(m, load, turns);
  if (nextInput.loader)
    return m.branch(isDue, [&, begin = begin] { fetchShare(m, begin); });
  auto [exists, box] = nextTile(m, load);
  m.branch(m.both(isDue, exists), [&, begin = begin, &box = box] {
    InputSource from = inputAt(m, load, box);
    turnInput(m, from.tile, /*isNext=*/true);
    loadPieces(m, from, turns, begin, /*fromChannel=*/0);
  });
}

/// The pieces of the input's tile at hand that are due, all but those of its
/// first move of channels.
void StageEmitter::fetchOwnInput(const IndexMath &m) {
  const TileTurns &spread = *plan.stream.inputSpread;
  auto [isDue, begin] = duePieces(m, plan.input, spread);
  m.branch(m.both(isDue, bringsInput(m)), [&, begin = begin] {
    loadPieces(m, *inputSource, spread, begin, plan.stream.inputChannels);
  });
}

/// Of the pieces of the tile `from`, of its channels from one on, those that
/// come at once, the first of them `begin`.
void StageEmitter::loadPieces(const IndexMath &m, const InputSource &from,
                              const TileTurns &turns, Value begin,
                              int64_t fromChannel) {
  const Box &box = from.tile.origin;
  const int64_t parts = llvm::divideCeil(from.tile.h, turns.lines),
                groups = llvm::divideCeil(from.tile.n, turns.images);
  m.forEach(m.constant(turns.atOnce), 1, [&](Value i, Value) {
    Value piece = m.add(begin, i), rest = m.floorDiv(piece, parts);
    InputRegion region;
    region.h = upTo(m, m.mul(m.mod(piece, parts), turns.lines), turns.lines,
                    from.h.count);
    region.n = upTo(m, m.mul(m.mod(rest, groups), turns.images), turns.images,
                    box[Dim::N].size);
    region.w = {m.constant(0), from.w.count};
    Value channel = m.mul(m.floorDiv(rest, groups), plan.stream.inputChannels);
    std::tie(region.channel, region.channels) =
        upTo(m, m.add(channel, m.constant(fromChannel)),
             plan.stream.inputChannels, box[inChannel()].size);
    loadRegion(m, from, region);
  });
}

/// The same of weights, of which each piece is a move.
void StageEmitter::fetchNextWeights(const IndexMath &m) {
  const TileTurns &turns = *plan.stream.weightTurns;
  LoadOp load = plan.weights;
  auto [isDue, begin] = duePieces(m, load, turns);
  auto [exists, box] = nextTile(m, load);
  m.branch(m.both(isDue, exists), [&, begin = begin, &box = box] {
    WeightSource from = weightsAt(m, load, box);
    turnWeights(m, from.tile, /*isNext=*/true);
    m.forEach(m.constant(turns.atOnce), 1, [&](Value i, Value) {
      Box part = box;
      Value piece = m.add(begin, i);
      auto next = [&](Dim dim, int64_t size) {
        const int64_t count = llvm::divideCeil(box[dim].nominal, size);
        auto [first, there] =
            upTo(m, m.mul(m.mod(piece, count), size), size, box[dim].size);
        part[dim] = {m.add(box[dim].offset, first), there, size};
        piece = m.floorDiv(piece, count);
      };
      if (!depthwise)
        next(Dim::K, plan.stream.weightColumns);
      next(inChannel(), plan.stream.weightRows);
      next(tapDim(), plan.stream.weightTaps);
      // Behind the last piece there is none.
      const Dim last = otherTapDim();
      auto [tap, there] = upTo(m, piece, 1, box[last].size);
      part[last] = {m.add(box[last].offset, tap), there, 1};
      loadWeightPart(m, from, part);
    });
  });
}

/// The part at the tile's start. It is here already if the tile before brought
/// it in.
StageEmitter::NextPart StageEmitter::firstPart(const IndexMath &m, LoadOp load,
                                               const FetchAhead &ahead,
                                               const Box &box) const {
  NextPart first;
  first.exists = m.flag(true);
  if (ahead.acrossTiles)
    for (const LoopState &loop : loops)
      first.exists = m.both(first.exists, m.equal(loop.offset, m.constant(0)));
  first.tile = first.part = box;
  // The loops from the load down to the one that walks the parts.
  SmallVector<ForOp> inner;
  for (Operation *op = ahead.loop; op != load->getParentOp() && op != stage;
       op = op->getParentOp())
    inner.push_back(cast<ForOp>(op));
  for (ForOp op : llvm::reverse(inner)) {
    Dim dim = toDim(op.getDim());
    if (!leadsOn(load, dim))
      continue;
    int64_t step = op == ahead.loop ? ahead.step : op.getStep();
    Interval &interval = first.part[dim];
    if (interval.nominal > step)
      interval = {interval.offset, m.min(m.constant(step), interval.size),
                  step};
  }
  return first;
}

/// The part after the one at the current trip of `ahead.loop`, the innermost of
/// the loops around.
StageEmitter::NextPart StageEmitter::nextPart(const IndexMath &m, LoadOp load,
                                              const FetchAhead &ahead) const {
  Value zero = m.constant(0);
  // The loops from here on are inside of the load, where only some lead on.
  size_t inside = 0;
  while (inside < loops.size() &&
         loops[inside].op->isProperAncestor(load.getOperation()))
    ++inside;
  auto stepOf = [&](const LoopState &loop) {
    return loop.op == ahead.loop ? ahead.step : loop.step;
  };

  // Count on, the innermost digit first.
  SmallVector<Value> offsets(loops.size());
  Value carry = m.flag(true), carryFromTile;
  Value isFirstUse = m.flag(true), isLastUse = m.flag(true);
  for (size_t i = loops.size(); i-- > 0;) {
    const LoopState &loop = loops[i];
    if (i + 1 == inside)
      carryFromTile = carry;
    Value next = m.add(loop.offset, m.constant(stepOf(loop)));
    Value wraps = m.negate(m.less(next, loop.whole.size));
    if (i >= inside && !leadsOn(load, loop.dim)) {
      isFirstUse = m.both(isFirstUse, m.equal(loop.offset, zero));
      isLastUse = m.both(isLastUse, wraps);
      continue;
    }
    auto select = [&](Value condition, Value yes, Value no) {
      return builder.createOrFold<arith::SelectOp>(m.loc, condition, yes, no);
    };
    offsets[i] = select(carry, select(wraps, zero, next), loop.offset);
    carry = m.both(carry, wraps);
  }
  if (!carryFromTile)
    carryFromTile = carry;

  NextPart result;
  result.exists = m.both(isFirstUse, m.negate(carryFromTile));
  if (ahead.acrossTiles && inside > 0)
    result.exists =
        m.either(result.exists,
                 m.both(m.both(isLastUse, carryFromTile), m.negate(carry)));
  const LoopState &last = loops.back();
  if (ahead.step != last.step)
    result.exists =
        m.both(result.exists, m.equal(m.mod(last.offset, ahead.step), zero));

  Box box = entry;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (i == inside)
      result.tile = box;
    const LoopState &loop = loops[i];
    if (i >= inside && !leadsOn(load, loop.dim))
      continue;
    Interval &interval = box[loop.dim];
    const int64_t step = stepOf(loop);
    interval = stepAt(m, interval, step, offsets[i]);
    if (step == 1)
      interval.size = m.constant(1);
  }
  result.part = box;
  return result;
}

void StageEmitter::fetchPart(const IndexMath &m, LoadOp load,
                             const NextPart &next) {
  const bool areWeights = load.getOperand() == LoadedOperand::weights;
  Value isDue =
      m.both(next.exists, areWeights ? bringsWeights(m) : bringsInput(m));
  m.branch(isDue, [&] {
    if (areWeights)
      loadWeightPart(m, weightsAt(m, load, next.tile), next.part);
    else
      loadInputPart(m, inputAt(m, load, next.tile), next.part);
  });
}
