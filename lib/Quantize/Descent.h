//===- Descent.h - Rounding weights for the layer's error -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To round every weight to the nearest integer is best for the weights, but not
// for the sums: errors that point the same way add up. The squared error of an
// output channel's sums over the calibration data is d' G d, where d is what
// its weights are off and G the sum of the products of what they are multiplied
// by (Nagel et al., Up or Down? Adaptive Rounding for Post-Training
// Quantization, ICML 2020). Starting from the nearest, each weight in turn is
// rounded the other way if that lessens it, until none does.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_QUANTIZE_DESCENT_H
#define FADIFF_LIB_QUANTIZE_DESCENT_H

#include "Network.h"

namespace fadiff::quantize {

class RoundingProblem {
public:
  /// `scales` are those of the weights.
  RoundingProblem(const FloatLayer &layer, llvm::ArrayRef<double> scales);

  /// Adds what the layer reads in one of `samples` samples.
  void addInput(llvm::ArrayRef<float> input, unsigned samples);

  /// Improves `weights`, which are the nearest. Does nothing where the products
  /// would take more memory than they are worth.
  void solve(std::vector<int8_t> &weights);

private:
  /// Where the loops of one kind lead in an operand, in row-major order of the
  /// loops.
  struct Offsets {
    std::vector<int64_t> input, weights;
  };
  Offsets offsetsOf(llvm::ArrayRef<unsigned> loops) const;

  FloatLayer layer;
  std::vector<double> scales;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<int64_t> inputStep, weightStep; ///< of each loop
  Offsets groups, outputs, positions, terms;
  bool isFeasible = false;
  /// One symmetric matrix for each group.
  std::vector<std::vector<float>> products;
};

} // namespace fadiff::quantize

#endif // FADIFF_LIB_QUANTIZE_DESCENT_H
