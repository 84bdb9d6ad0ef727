//===- Models.cpp - Cost models by name -----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Models.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fadiff;
using llvm::Twine;

llvm::Expected<Model> fadiff::findModel(llvm::StringRef name) {
  if (std::optional<Model> model = parseName<Model>(name))
    return *model;
  return llvm::createStringError("unknown model '" + name + "': wanted " +
                                 listNames<Model>());
}

static Mismatch mismatch(const Twine &what, const Twine &wanted,
                         int64_t found) {
  return {what.str(), wanted.str(), std::to_string(found)};
}

std::optional<Mismatch> fadiff::checkExactMapping(const Layer &layer,
                                                  const Mapping &mapping,
                                                  const Accelerator &target,
                                                  int64_t registerWords) {
  for (Dim dim : kAllDims) {
    const int64_t bound = layer.dims[dim];
    int64_t product = mapping.spatial(layer, dim);
    for (Level level : kAllLevels) {
      // Stop before it can overflow; bounds are far below 2^31.
      if (product <= bound)
        product *= mapping.temporal[level][dim];
    }
    if (product != bound)
      return mismatch("factors of " + Twine(dimName(dim)),
                      "a product of " + Twine(bound), product);
  }
  if (mapping.rows > target.side)
    return mismatch("factor over the array's rows",
                    "at most " + Twine(target.side), mapping.rows);
  if (mapping.cols > target.side)
    return mismatch("factor over the array's columns",
                    "at most " + Twine(target.side), mapping.cols);

  auto words = [&](Tensor tensor, Level level) {
    uint64_t product = 1;
    auto times = [&](int64_t extent) {
      product = llvm::SaturatingMultiply(product, uint64_t(extent));
    };
    for (Dim dim : kAllDims)
      if (isRelevant(tensor, dim) && (tensor != Tensor::I || dim == Dim::N ||
                                      dim == Dim::G || dim == Dim::C))
        times(mapping.tile(layer, level, dim));
    if (tensor == Tensor::I)
      for (Axis axis : kAllAxes)
        times(layer.window(axis, mapping.tile(layer, level, outputDim(axis)),
                           mapping.tile(layer, level, kernelDim(axis))));
    // Two of these still add up without overflow.
    return int64_t(std::min(product, uint64_t(1) << 61));
  };
  auto tooLarge = [&](Level level, int64_t capacity, int64_t tile) {
    return mismatch(levelName(level),
                    "tiles of at most " + Twine(capacity) + " words", tile);
  };
  // A depthwise layer uses a single row here; `rows` is 1 then.
  int64_t perRegister =
      words(Tensor::W, Level::Registers) / (mapping.rows * mapping.cols);
  if (perRegister > registerWords)
    return tooLarge(Level::Registers, registerWords, perRegister);
  // Each column has its own share of the accumulator.
  int64_t perColumn = words(Tensor::O, Level::Accumulator) / mapping.cols;
  int64_t columnWords = target.accumulatorBytes / (4 * target.side);
  if (perColumn > columnWords)
    return tooLarge(Level::Accumulator, columnWords, perColumn);
  int64_t scratchpad =
      words(Tensor::I, Level::Scratchpad) + words(Tensor::W, Level::Scratchpad);
  if (scratchpad > target.scratchpadBytes)
    return tooLarge(Level::Scratchpad, target.scratchpadBytes, scratchpad);
  return std::nullopt;
}
