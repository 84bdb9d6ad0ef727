//===- FusedStack.cpp - Fused chains with tied tiles ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/FusedStack.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace fadiff;
using llvm::Twine;

namespace {
llvm::Error mismatch(const Twine &what, const Twine &wanted,
                     const Twine &found) {
  return llvm::createStringError("fused stack: " + what + ": wanted " + wanted +
                                 ", found " + found);
}
std::string text(double value) { return llvm::formatv("{0}", value).str(); }

llvm::Error checkGate(const Twine &what, double gate) {
  if (gate >= 0 && gate <= 1) // also refuses NaN
    return llvm::Error::success();
  return mismatch(what, "a gate from 0 to 1", text(gate));
}

llvm::Error checkChain(const FusedStack &stack) {
  if (stack.layers.empty())
    return mismatch("layers", "at least one", "none");
  for (size_t l = 0; l < stack.layers.size(); ++l) {
    const Layer &layer = stack.layers[l];
    for (Dim dim : kAllDims)
      if (layer.dims[dim] < 1)
        return mismatch("layer '" + layer.name + "': " + Twine(dimName(dim)),
                        "at least 1", Twine(layer.dims[dim]));
    for (Axis axis : kAllAxes)
      if (layer.stride[axis] < 1 || layer.dilation[axis] < 1)
        return mismatch(
            "layer '" + layer.name + "': stride and dilation", "at least 1",
            Twine(std::min(layer.stride[axis], layer.dilation[axis])));
    if (l == 0)
      continue;
    const PerDim<int64_t> &before = stack.layers[l - 1].dims;
    int64_t made = before[Dim::G] * before[Dim::K];
    int64_t used = layer.dims[Dim::G] * layer.dims[Dim::C];
    if (made != used)
      return mismatch("layer '" + layer.name + "': input channels",
                      Twine(made) + ", the output channels of '" +
                          stack.layers[l - 1].name + "'",
                      Twine(used));
    if (before[Dim::N] != layer.dims[Dim::N])
      return mismatch("layer '" + layer.name + "': N", Twine(before[Dim::N]),
                      Twine(layer.dims[Dim::N]));
    for (Axis axis : kAllAxes) {
      int64_t most = layer.window(axis, layer.dims[outputDim(axis)],
                                  layer.dims[kernelDim(axis)]);
      if (before[outputDim(axis)] > most)
        return mismatch("layer '" + layer.name + "': input " +
                            (axis == Axis::H ? "rows" : "columns"),
                        "at most " + Twine(most) + " to be used",
                        Twine(before[outputDim(axis)]));
    }
  }
  for (const FusedStack::Skip &skip : stack.skips) {
    if (skip.layer >= stack.layers.size() || skip.tensor > skip.layer)
      return mismatch("skip", "a tensor before one of the layers",
                      "tensor " + Twine(skip.tensor) + " into layer " +
                          Twine(skip.layer));
    const PerDim<int64_t> &to = stack.layers[skip.layer].dims;
    const PerDim<int64_t> &from = stack.layers[skip.tensor].dims;
    int64_t found = from[Dim::G] * from[Dim::C];
    if (found != to[Dim::G] * to[Dim::K])
      return mismatch("skip into layer '" + stack.layers[skip.layer].name + "'",
                      Twine(to[Dim::G] * to[Dim::K]) + " channels",
                      Twine(found));
  }
  return llvm::Error::success();
}
} // namespace

llvm::Error fadiff::verify(const FusedStack &stack,
                           const StackChoice<double> &choice,
                           const Accelerator &target) {
  if (llvm::Error error = checkChain(stack))
    return error;
  const size_t n = stack.layers.size();
  for (auto [name, found, wanted] :
       {std::make_tuple("rows", choice.rows.size(), n),
        std::make_tuple("cols", choice.cols.size(), n),
        std::make_tuple("sigma", choice.sigma.size(), n),
        std::make_tuple("keep", choice.keep.size(), n),
        std::make_tuple("resident", choice.resident.size(), n),
        std::make_tuple("live", choice.live.size(), stack.skips.size())})
    if (found != wanted)
      return mismatch(name, Twine(wanted) + " entries", Twine(found));
  for (Axis axis : kAllAxes) {
    int64_t extent = stack.layers.back().dims[outputDim(axis)];
    if (!(choice.tile[axis] >= 1 && choice.tile[axis] <= double(extent)))
      return mismatch(axis == Axis::H ? "tile rows" : "tile columns",
                      "1 to " + Twine(extent), text(choice.tile[axis]));
  }
  for (size_t l = 0; l < n; ++l) {
    std::string layer = "layer '" + stack.layers[l].name + "': ";
    for (auto [name, value] : {std::make_pair("rows", choice.rows[l]),
                               std::make_pair("columns", choice.cols[l])})
      if (!(value >= 1 && value <= double(target.side)))
        return mismatch(layer + name + " of the array",
                        "1 to " + Twine(target.side), text(value));
    if (llvm::Error error = checkGate(layer + "sigma", choice.sigma[l]))
      return error;
    if (llvm::Error error = checkGate(layer + "residency", choice.resident[l]))
      return error;
    for (Axis axis : kAllAxes)
      if (llvm::Error error =
              checkGate(layer + "kept halo", choice.keep[l][axis]))
        return error;
  }
  for (double gate : choice.live)
    if (llvm::Error error = checkGate("live skip", gate))
      return error;
  return llvm::Error::success();
}

void fadiff::detail::walkTiles(const FusedStack &stack,
                               const StackChoice<double> &choice, Axis axis,
                               int64_t side, StackAxis<double> &extents) {
  const size_t n = stack.layers.size();
  const auto tile = int64_t(choice.tile[axis]);
  const int64_t outputs = stack.layers.back().dims[outputDim(axis)];
  std::vector<int64_t> done(n, 0); // of each tensor: rows that were there
  // The same with the padding.
  std::vector<int64_t> windowsDone(n, std::numeric_limits<int64_t>::min());
  for (size_t t = 0; t <= n; ++t)
    extents.block[t] = extents.produced[t] = extents.loaded[t] = 0;
  for (int64_t begin = 0; begin < outputs; begin += tile) {
    const int64_t end = std::min(outputs, begin + tile);
    Span made{begin, end};
    int64_t stride = 1; // of the last layer's outputs in rows of tensor t
    for (size_t t = n;; --t) {
      extents.block[t] = std::max(extents.block[t], double(made.extent()));
      extents.produced[t] += double(made.extent());
      if (t == 0)
        break;
      const Layer &layer = stack.layers[t - 1];
      Span read = inputSpan(layer, axis, made);
      // A single tap loads only the rows that it touches.
      int64_t loaded =
          loadedExtent(layer, axis, made, layer.dims[kernelDim(axis)]);
      int64_t windows =
          windowExtent(layer, axis, made, layer.dims[kernelDim(axis)]);
      PaddedExtent &padding = extents.padding[t - 1];
      padding.add(layer, axis, made, side);
      if (choice.keep[t - 1][axis] == 1) {
        padding.inside -= read.extent();
        read.begin = std::clamp(done[t - 1], read.begin, read.end);
        loaded = read.extent();
        padding.inside += loaded;
        Span window = windowSpan(layer, axis, made);
        window.begin = std::clamp(windowsDone[t - 1], window.begin, window.end);
        windows = window.extent();
        windowsDone[t - 1] = std::max(windowsDone[t - 1], window.end);
      }
      extents.paddingLoaded[t - 1] += double(windows - loaded);
      done[t - 1] = std::max(done[t - 1], read.end);
      extents.loaded[t - 1] += double(loaded);
      stride *= layer.stride[axis];
      made = read;
      if (t == 1 || choice.sigma[t - 1] == 1)
        continue;
      // From DRAM, where the layer before put it in tiles of its own.
      const int64_t all = stack.layers[t - 2].dims[outputDim(axis)];
      made.begin = std::min(all, begin * stride);
      made.end = end == outputs ? all : std::min(all, end * stride);
    }
  }
  for (size_t t = 0; t < n; ++t) {
    const Layer &layer = stack.layers[t];
    extents.window[t] = double(layer.window(axis, int64_t(extents.block[t + 1]),
                                            layer.dims[kernelDim(axis)]));
  }
}

bool fadiff::chooseResidency(const FusedStack &stack,
                             StackChoice<double> &choice,
                             const Accelerator &target, Convention convention) {
  for (double gate : {1.0, 0.0}) {
    choice.resident.assign(stack.layers.size(), gate);
    if (evaluateStack(stack, choice, target, convention).scratchpadBytes <=
        double(target.scratchpadBytes))
      return true;
  }
  return false;
}
