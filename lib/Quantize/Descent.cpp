//===- Descent.cpp - Rounding weights for the layer's error ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Descent.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::quantize;

/// By how many elements of the tensor that `map` indexes each loop moves on.
static SmallVector<int64_t> stepsOf(AffineMap map, ArrayRef<int64_t> shape) {
  auto offsetAt = [&](ArrayRef<int64_t> loops) {
    int64_t offset = 0;
    for (auto [index, extent] : llvm::zip(map.compose(loops), shape))
      offset = offset * extent + index;
    return offset;
  };
  SmallVector<int64_t> loops(map.getNumDims(), 0), steps;
  const int64_t start = offsetAt(loops);
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
    loops[loop] = 1;
    steps.push_back(offsetAt(loops) - start);
    loops[loop] = 0;
  }
  return steps;
}

RoundingProblem::RoundingProblem(const FloatLayer &ofLayer,
                                 ArrayRef<double> ofWeights)
    : layer(ofLayer), scales(ofWeights.begin(), ofWeights.end()) {
  linalg::LinalgOp op = layer.op;
  extents = op.getStaticLoopRanges();
  auto shapeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  inputStep = stepsOf(op.getMatchingIndexingMap(op.getDpsInputOperand(0)),
                      shapeOf(layer.input()));
  weightStep = stepsOf(op.getMatchingIndexingMap(op.getDpsInputOperand(1)),
                       shapeOf(layer.other()));
  SmallVector<unsigned> group, output, position, term;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind == utils::IteratorType::reduction)
      term.push_back(unsigned(loop));
    else if (weightStep[loop] == 0)
      position.push_back(unsigned(loop));
    else if (inputStep[loop] == 0)
      output.push_back(unsigned(loop));
    else
      group.push_back(unsigned(loop));
  }
  groups = offsetsOf(group);
  outputs = offsetsOf(output);
  positions = offsetsOf(position);
  terms = offsetsOf(term);
  // A matrix of 6,000 rows takes 144 MB.
  constexpr size_t kMostTerms = 6000, kMostElements = size_t(1) << 27;
  const size_t count = terms.input.size();
  isFeasible = count <= kMostTerms &&
               count * count * groups.input.size() <= kMostElements;
  if (isFeasible)
    products.assign(groups.input.size(),
                    std::vector<float>(count * count, 0.0f));
}

RoundingProblem::Offsets
RoundingProblem::offsetsOf(ArrayRef<unsigned> loops) const {
  Offsets offsets{{0}, {0}};
  for (unsigned loop : loops) {
    Offsets next;
    for (size_t i = 0; i < offsets.input.size(); ++i)
      for (int64_t at = 0; at < extents[loop]; ++at) {
        next.input.push_back(offsets.input[i] + at * inputStep[loop]);
        next.weights.push_back(offsets.weights[i] + at * weightStep[loop]);
      }
    offsets = std::move(next);
  }
  return offsets;
}

void RoundingProblem::addInput(ArrayRef<float> input, unsigned samples) {
  if (!isFeasible)
    return;
  // Neighbouring positions read nearly the same, so a part of them is enough.
  constexpr size_t kRows = 2048;
  const size_t wanted = std::max<size_t>(1, kRows / std::max(1u, samples));
  const size_t stride =
      std::max<size_t>(1, (positions.input.size() + wanted - 1) / wanted);
  const size_t n = terms.input.size();
  std::vector<float> row(n);
  for (size_t g = 0; g < groups.input.size(); ++g) {
    float *matrix = products[g].data();
    for (size_t p = 0; p < positions.input.size(); p += stride) {
      const int64_t start = groups.input[g] + positions.input[p];
      for (size_t t = 0; t < n; ++t)
        row[t] = input[size_t(start + terms.input[t])];
      // The lower half; solve() fills in the other.
      for (size_t i = 0; i < n; ++i) {
        const float factor = row[i];
        if (factor == 0)
          continue;
        float *to = matrix + i * n;
        for (size_t j = 0; j <= i; ++j)
          to[j] += factor * row[j];
      }
    }
  }
}

void RoundingProblem::solve(std::vector<int8_t> &weights) {
  if (!isFeasible)
    return;
  const std::vector<float> real = numbersOf(layer.weights);
  const size_t n = terms.input.size();
  std::vector<float> off(n), gradient(n);
  for (size_t g = 0; g < groups.input.size(); ++g) {
    std::vector<float> &matrix = products[g];
    double trace = 0;
    for (size_t i = 0; i < n; ++i) {
      trace += matrix[i * n + i];
      for (size_t j = 0; j < i; ++j)
        matrix[j * n + i] = matrix[i * n + j];
    }
    // What was not seen is not free: a hundredth of the mean square.
    const auto damping = static_cast<float>(0.01 * trace / double(n));
    for (size_t i = 0; i < n; ++i)
      matrix[i * n + i] += damping;
    for (size_t k = 0; k < outputs.input.size(); ++k) {
      const int64_t start = groups.weights[g] + outputs.weights[k];
      const size_t channel = g * outputs.input.size() + k;
      const double scale = scales[scales.size() > 1 ? channel : 0];
      std::fill(gradient.begin(), gradient.end(), 0.0f);
      for (size_t t = 0; t < n; ++t) {
        const auto at = size_t(start + terms.weights[t]);
        off[t] = static_cast<float>(scale * weights[at] - real[at]);
        const float *row = matrix.data() + t * n;
        for (size_t j = 0; j < n; ++j)
          gradient[j] += off[t] * row[j];
      }
      constexpr unsigned kSweeps = 20;
      for (unsigned sweep = 0; sweep < kSweeps; ++sweep) {
        bool changed = false;
        for (size_t t = 0; t < n; ++t) {
          // The other one of the two integers around the number.
          const int turn = off[t] > 0 ? -1 : 1;
          const auto at = size_t(start + terms.weights[t]);
          const int next = weights[at] + turn;
          if (next < -127 || next > 127)
            continue;
          const auto step = static_cast<float>(turn * scale);
          const float *row = matrix.data() + t * n;
          if (2 * step * gradient[t] + step * step * row[t] >= 0)
            continue;
          weights[at] = static_cast<int8_t>(next);
          off[t] += step;
          for (size_t j = 0; j < n; ++j)
            gradient[j] += step * row[j];
          changed = true;
        }
        if (!changed)
          break;
      }
    }
    // Done with; a layer's matrices are large.
    matrix = {};
  }
}
