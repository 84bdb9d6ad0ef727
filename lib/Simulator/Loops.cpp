//===- Loops.cpp - loop_ws ------------------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is checked as a whole and then executed as the instructions that it
// stands for, so that these are checked, counted and timed as everywhere.
//
//===----------------------------------------------------------------------===//

#include "MachineImpl.h"

using namespace fadiff;
using namespace fadiff::sim;
using namespace fadiff::isa;
using llvm::Twine;

bool Machine::Impl::checkLoop(const LoopWs &loop) {
  if (accelerator.loopUnit != LoopUnit::Matmul)
    return fail("nothing runs loop_ws: " +
                describeField(accelerator, "loop_unit"));
  for (Funct funct : {Funct::LoopWsConfigBounds, Funct::LoopWsConfigAddrsAB,
                      Funct::LoopWsConfigAddrsDC, Funct::LoopWsConfigStridesAB,
                      Funct::LoopWsConfigStridesDC})
    if (!loop.has(funct))
      return fail("no " + mnemonic({uint32_t(funct), 0, 0}) +
                  " since the loop before it; the halves of the loop unit "
                  "remember others");
  const LoopWsBounds &bounds = loop.bounds;
  const LoopWsRun &run = loop.run;
  const int64_t side = accelerator.side;
  struct {
    const char *name;
    int64_t blocks, pad;
  } const dims[] = {{"I", bounds.i, bounds.padI},
                    {"J", bounds.j, bounds.padJ},
                    {"K", bounds.k, bounds.padK}};
  for (const auto &dim : dims)
    if (dim.blocks < 1 || dim.pad >= side)
      return fail(Twine(dim.name) + " has " + Twine(dim.blocks) +
                  " blocks, the last of which lacks " + Twine(dim.pad) +
                  "; wanted at least 1 and a pad below " + Twine(side));
  if (run.aHalf > 2 || run.bHalf > 2)
    return fail("a_half " + Twine(unsigned(run.aHalf)) + ", b_half " +
                Twine(unsigned(run.bHalf)) +
                "; wanted 0 (in turns), 1 or 2, as there are two halves");
  if ((run.aHalf || run.bHalf) && accelerator.loopHalves == LoopHalves::Turns)
    return fail("a half is chosen, but " +
                describeField(accelerator, "loop_halves"));
  if (run.transposeA || run.transposeB || run.resadd || run.extensions)
    return fail("transposes, resadd and the extensions of rs2 are not "
                "simulated; wanted rs2 = 0");
  if (run.activation != Activation::None && run.activation != Activation::Relu)
    return fail("activation " + Twine(unsigned(run.activation)) +
                " needs normalisation hardware that this machine has not; "
                "wanted 0 (none) or 1 (ReLU)");
  const int64_t operands = loop.aRows(side) + loop.bRows(side);
  if (operands > accelerator.scratchpadRows() / 2)
    return fail("A and B take " + Twine(operands) +
                " rows; wanted at most half of the scratchpad, " +
                Twine(accelerator.scratchpadRows() / 2));
  if (loop.cRows(side) > accelerator.accumulatorRows() / 2)
    return fail("C takes " + Twine(loop.cRows(side)) +
                " rows; wanted at most half of the accumulator, " +
                Twine(accelerator.accumulatorRows() / 2));
  return checkLoopConfigs(loop);
}

/// The moves take their strides from config_ld and config_st, the addresses of
/// blocks from the loop's.
bool Machine::Impl::checkLoopConfigs(const LoopWs &loop) {
  if (pending)
    return fail("stands between a preload and its compute");
  auto agrees = [&](const Twine &what, uint64_t stride, int64_t bytes,
                    uint64_t configured) {
    return stride * bytes == configured ||
           fail(what + " has a stride of " + Twine(configured) +
                " bytes; wanted the loop's " + Twine(stride) + " elements of " +
                Twine(bytes));
  };
  const int64_t elementBytes = accelerator.elementBytes();
  struct {
    uint64_t address, stride;
    int64_t bytes;
  } const loads[] = {
      {loop.a, loop.aStride, elementBytes},
      {loop.b, loop.bStride, elementBytes},
      {loop.d, loop.dStride, loop.run.lowD ? elementBytes : 4},
  };
  for (unsigned id = 0; id < 3; ++id) {
    if (!loads[id].address)
      continue;
    if (!ldConfig[id])
      return fail("no config_ld for mvin " + Twine(id) + " before it");
    if (!agrees("config_ld for mvin " + Twine(id), loads[id].stride,
                loads[id].bytes, ldConfig[id]->stride))
      return false;
    if (ldConfig[id]->blockStride != accelerator.side)
      return fail("config_ld for mvin " + Twine(id) +
                  " has a block_stride of " + Twine(ldConfig[id]->blockStride) +
                  "; wanted the side, " + Twine(accelerator.side));
  }
  if (loop.d && !isReal() && loop.run.lowD != ldConfig[2]->shrink)
    return fail("low_d is " + Twine(unsigned(loop.run.lowD)) +
                " but config_ld has shrink " +
                Twine(unsigned(ldConfig[2]->shrink)) + "; wanted the same");
  if (!loop.c)
    return true;
  if (!stConfig)
    return fail("no config_st before it");
  if (stConfig->poolStride != 0)
    return fail("config_st pools; wanted pool_stride 0");
  if (readoutConfig && readoutConfig->perChannel && !loop.run.fullC)
    return fail("config_readout has a scale per channel, but its blocks start "
                "with one and the same; wanted one scale");
  return agrees("config_st", loop.cStride, loop.run.fullC ? 4 : elementBytes,
                stConfig->stride);
}

static bool overlap(const RowRange &a, const RowRange &b) {
  return a.count && b.count && a.first < b.first + b.count &&
         b.first < a.first + a.count;
}

/// Loads of a loop may be issued before computes of the one before it.
bool Machine::Impl::checkBesideLast(const char *what, const RowRange &loaded) {
  for (const RowRange &read : {running->a, running->b})
    if (overlap(loaded, read))
      return fail(Twine(what) + " is loaded to rows " + Twine(loaded.first) +
                  ".." + Twine(loaded.first + loaded.count - 1) +
                  " of the scratchpad, which the loop before it may still "
                  "read; load it to the other half");
  return true;
}

bool Machine::Impl::checkBesideLast(const LoopWs &loop,
                                    const LoopWsRows &rows) {
  // A loop of the other kind has issued everything before this one begins.
  if (!running || running->isConv)
    return true;
  const int64_t side = accelerator.side;
  if (!checkBesideLast("A", {false, rows.a, loop.a ? loop.aRows(side) : 0}) ||
      !checkBesideLast("B", {false, rows.b, loop.b ? loop.bRows(side) : 0}))
    return false;
  if (loop.d && !running->stores)
    return fail("D is loaded over sums that the loop before it may still make "
                "and does not store; wanted D = 0, which adds to them");
  return true;
}

bool Machine::Impl::unroll(const LoopSteps &steps, bool isConv) {
  unrolled = current;
  timing.beginLoop(isConv);
  const int64_t start = timing.issued();
  // When each was issued, for those that come behind.
  std::vector<int64_t> loads, executes;
  auto issue = [&](llvm::ArrayRef<LoopStep> all, llvm::ArrayRef<int64_t> others,
                   std::vector<int64_t> *times) {
    for (const LoopStep &step : all) {
      timing.issueAfter(step.after ? others[step.after - 1] : start);
      current = step.command;
      if (!dispatch(current))
        return false;
      ++counters->unrolledCommands;
      if (times)
        times->push_back(timing.issued());
    }
    return true;
  };
  const bool done = issue(steps.loads, {}, &loads) &&
                    issue(steps.executes, loads, &executes) &&
                    issue(steps.stores, executes, nullptr);
  timing.endLoop();
  current = *unrolled;
  unrolled.reset();
  return done;
}

bool Machine::Impl::loopWs(const Command &command) {
  loop.take(command);
  if (!checkLoop(loop))
    return false;
  const int64_t side = accelerator.side;
  const int64_t half = accelerator.scratchpadRows() / 2;
  auto start = [&](unsigned chosen) {
    return (chosen ? chosen == 2 : turns.secondHalf) ? half : 0;
  };
  LoopWsRows rows;
  rows.a = start(loop.run.aHalf);
  rows.b = start(loop.run.bHalf) + half - loop.bRows(side);
  rows.c = turns.secondSums ? accelerator.accumulatorRows() / 2 : 0;
  if (!checkBesideLast(loop, rows))
    return false;
  count(CommandKind::LoopWs);
  if (!unroll(expand(loop, rows, accelerator), /*isConv=*/false))
    return false;
  running = {{false, rows.a, loop.aRows(side), 1},
             {false, rows.b, loop.bRows(side), 1},
             loop.c != 0};
  turns.secondHalf = !turns.secondHalf;
  turns.secondSums = turns.secondSums != (loop.c != 0);
  loop = LoopWs();
  return true;
}
