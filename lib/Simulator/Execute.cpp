//===- Execute.cpp - preload and compute ----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineImpl.h"
#include "Numerics.h"

#include <cstring>

using namespace fadiff;
using namespace fadiff::sim;
using namespace fadiff::isa;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool Machine::Impl::checkOperand(const char *what, const Operand &operand,
                                 int64_t rowStride, bool transposed) {
  if (!checkAddress(what, operand.address) ||
      !checkSize(what, operand.rows, operand.cols, accelerator.side))
    return false;
  if (operand.address.isAccumulator() &&
      accelerator.handOver != HandOver::AccumulatorOperand)
    return fail(Twine(what) + " is " + operand.address.str() +
                ", but the array of accelerator '" + accelerator.name +
                "' cannot read the accumulator");
  RowRange stored = storedRows(operand, rowStride, transposed);
  return checkRange(what, stored) &&
         checkWritten(what, stored, transposed ? operand.rows : operand.cols);
}

void Machine::Impl::readOperand(const Operand &operand, int64_t rowStride,
                                bool transposed, int8_t *out) {
  const int64_t side = accelerator.side, e = accelerator.elementBytes();
  int64_t storedRows = transposed ? operand.cols : operand.rows;
  int64_t storedCols = transposed ? operand.rows : operand.cols;
  llvm::SmallVector<int8_t, 64> line(storedCols * e);
  for (int64_t r = 0; r < storedRows; ++r) {
    int64_t row = operand.address.row() + r * rowStride;
    int8_t *to = transposed ? line.data() : out + r * side * e;
    if (operand.address.isAccumulator())
      scaleSums(accumulator.row(row), storedCols, exConfig->scale,
                exConfig->activation, to);
    else
      std::copy_n(scratchpad.row(row), storedCols * e, to);
    if (transposed)
      for (int64_t c = 0; c < storedCols; ++c)
        std::copy_n(&line[c * e], e, out + (c * side + r) * e);
  }
}

void Machine::Impl::widen(const int8_t *elements, int64_t count,
                          int32_t *out) const {
  if (isReal())
    std::memcpy(out, elements, 4 * count);
  else
    std::copy_n(elements, count, out);
}

//===----------------------------------------------------------------------===//
// preload
//===----------------------------------------------------------------------===//

bool Machine::Impl::preload(const Preload &preload) {
  if (!exConfig)
    return fail("no config_ex before it");
  if (pending)
    return fail("follows a preload that no compute has used");
  const Operand &b = preload.stationary;
  const Operand &c = preload.c;
  bool loads = !b.address.isGarbage();
  if (loads && !checkOperand("B", b, 1, exConfig->transposeB))
    return false;
  bool writes = !c.address.isGarbage();
  if (writes &&
      (!checkAddress("C", c.address) ||
       !checkSize("C", c.rows, c.cols, accelerator.side) ||
       !checkRange("C", rangeOf(c.address, c.rows, exConfig->cStride))))
    return false;

  pending = preload;
  RowRange rows;
  Counters &counts = count(CommandKind::Preload);
  if (loads) {
    stationaryKnown = true;
    stationaryRows = b.rows;
    stationaryCols = b.cols;
    rows = storedRows(b, 1, exConfig->transposeB);
    countReads(b.address.isAccumulator(), int64_t(b.rows) * b.cols);
    if (options.functional) {
      readOperand(b, 1, exConfig->transposeB, bytes.data());
      const int64_t side = accelerator.side;
      for (int64_t r = 0; r < b.rows; ++r)
        widen(&bytes[r * side * accelerator.elementBytes()], b.cols,
              &stationary[r * side]);
    }
  }
  counts.executeBusyCycles += timing.preload(rows, writes);
  if (loads)
    record(CommandKind::Preload, b.rows, b.cols);
  return true;
}

//===----------------------------------------------------------------------===//
// compute
//===----------------------------------------------------------------------===//

static std::string shape(int64_t rows, int64_t cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

bool Machine::Impl::compute(const Compute &compute) {
  if (!pending)
    return fail("no preload before it; each compute needs its own");
  const Operand &a = compute.a;
  const Operand &d = compute.moving;
  const Operand &b = pending->stationary;
  const Operand &c = pending->c;
  bool loads = !b.address.isGarbage();
  bool writes = !c.address.isGarbage();
  if (compute.accumulated && loads)
    return fail("the preload loads B, which compute_accumulated does not use; "
                "preload garbage or use compute_preloaded");
  if (compute.accumulated && !stationaryKnown)
    return fail("keeps the B in the array, but none has been loaded");

  int64_t bRows = stationaryRows, bCols = stationaryCols;
  bool zeros = !compute.accumulated && !loads;
  if (zeros) {
    bRows = b.rows;
    bCols = b.cols;
  }
  if (!checkOperand("A", a, exConfig->aStride, exConfig->transposeA))
    return false;
  if (bRows && a.cols != bRows)
    return fail("A is " + shape(a.rows, a.cols) + " but B is " +
                shape(bRows, bCols) + "; wanted A.cols = B.rows");
  if (writes && a.rows != c.rows)
    return fail("A is " + shape(a.rows, a.cols) + " but C is " +
                shape(c.rows, c.cols) + "; wanted A.rows = C.rows");
  if (writes && bCols && c.cols != bCols)
    return fail("B is " + shape(bRows, bCols) + " but C is " +
                shape(c.rows, c.cols) + "; wanted B.cols = C.cols");
  bool addsD = !d.address.isGarbage();
  if (addsD) {
    if (!checkOperand("D", d, 1, /*transposed=*/false))
      return false;
    if (writes && (d.rows != c.rows || d.cols != c.cols))
      return fail("D is " + shape(d.rows, d.cols) + " but C is " +
                  shape(c.rows, c.cols) + "; wanted the same");
  }
  RowRange result;
  if (writes)
    result = rangeOf(c.address, c.rows, exConfig->cStride);
  bool toAcc = writes && c.address.isAccumulator();
  bool accumulates = toAcc && c.address.isAccumulating();
  if (accumulates && !checkWritten("the sum in C", result, c.cols))
    return false;

  if (zeros) {
    stationaryKnown = true;
    stationaryRows = bRows;
    stationaryCols = bCols;
    std::fill(stationary.begin(), stationary.end(), 0);
  }
  if (options.functional && writes)
    multiply(compute);
  if (writes)
    markWritten(result, c.cols);

  Counters &counts = count(CommandKind::Compute);
  int64_t cols = writes ? int64_t(c.cols) : bCols;
  counts.macs += int64_t(a.rows) * a.cols * cols;
  counts.arrayBusyCycles += std::max<int64_t>(a.rows, 4);
  countReads(a.address.isAccumulator(), int64_t(a.rows) * a.cols);
  llvm::SmallVector<RowRange, 2> operands;
  operands.push_back(storedRows(a, exConfig->aStride, exConfig->transposeA));
  if (addsD) {
    countReads(d.address.isAccumulator(), int64_t(d.rows) * d.cols);
    operands.push_back(rangeOf(d.address, d.rows));
  }
  if (writes)
    countWrites(toAcc, int64_t(c.rows) * c.cols);
  if (accumulates)
    countReads(/*isAccumulator=*/true, int64_t(c.rows) * c.cols);
  counts.executeBusyCycles += timing.compute(a.rows, operands, result);
  if (!std::exchange(hasComputed, true))
    counts.startCycles += timing.lastSpan().start - regionStart;
  record(CommandKind::Compute, a.rows, a.cols);
  pending.reset();
  return true;
}

void Machine::Impl::multiply(const Compute &compute) {
  const int64_t side = accelerator.side, e = accelerator.elementBytes();
  const Operand &a = compute.a;
  const Operand &d = compute.moving;
  const Operand &c = pending->c;
  bool addsD = !d.address.isGarbage();
  bool toAcc = c.address.isAccumulator();
  bool accumulates = toAcc && c.address.isAccumulating();

  if (addsD) {
    readOperand(d, 1, /*transposed=*/false, bytes.data());
    for (int64_t i = 0; i < c.rows; ++i)
      widen(&bytes[i * side * e], c.cols, &words[i * side]);
  }
  // All of A is read before any of C is written: they may share rows.
  bool direct = !a.address.isAccumulator() && !exConfig->transposeA && toAcc;
  if (!direct)
    readOperand(a, exConfig->aStride, exConfig->transposeA, bytes.data());

  for (int64_t i = 0; i < c.rows; ++i) {
    const int8_t *row =
        direct ? scratchpad.row(a.address.row() + i * exConfig->aStride)
               : &bytes[i * side * e];
    int64_t cRow = c.address.row() + i * exConfig->cStride;
    if (isReal()) {
      // The array's own sum comes first: it matters in f32.
      int32_t *pass = &words[i * side];
      if (!addsD)
        std::fill_n(pass, c.cols, 0);
      multiplyRealRow(row, a.cols, stationary.data(), side, c.cols, pass);
      if (!toAcc)
        scaleSums(pass, c.cols, 1.0f, exConfig->activation,
                  scratchpad.row(cRow));
      else if (accumulates)
        addSums(pass, accumulator.row(cRow), c.cols);
      else
        std::copy_n(pass, c.cols, accumulator.row(cRow));
      continue;
    }
    int32_t *sum = toAcc ? accumulator.row(cRow) : &words[i * side];
    if (toAcc && addsD && accumulates)
      addRow(&words[i * side], sum, c.cols);
    else if (toAcc && addsD)
      std::copy_n(&words[i * side], c.cols, sum);
    else if (!accumulates && !addsD)
      std::fill_n(sum, c.cols, 0);
    multiplyRow(row, a.cols, stationary.data(), side, c.cols, sum);
    if (!toAcc)
      // No scale on this way: 1 only saturates (exact, as |sum| < 2^24).
      requantise(sum, scratchpad.row(cRow), c.cols, 1.0f,
                 exConfig->activation == Activation::Relu);
  }
}
