//===- CostModel.cpp - Energy, latency and traffic ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/CostModel/Group.h"
#include "fadiff/Hardware/CoreWork.h"

#include <algorithm>

using namespace fadiff;

int64_t fadiff::detail::loadedExtent(const Layer &layer, Axis axis,
                                     Span outputs, int64_t kernelTile) {
  const int64_t taps = layer.dims[kernelDim(axis)];
  int64_t sum = 0;
  for (int64_t r0 = 0; r0 < taps; r0 += kernelTile) {
    const AxisAccess access(layer, axis, r0, std::min(kernelTile, taps - r0));
    sum += kernelTile == 1 ? access.touched(outputs)
                           : access.stored(outputs).extent();
  }
  return sum;
}

int64_t fadiff::detail::windowExtent(const Layer &layer, Axis axis,
                                     Span outputs, int64_t kernelTile) {
  const int64_t taps = layer.dims[kernelDim(axis)];
  if (outputs.extent() <= 0)
    return 0;
  if (kernelTile == 1)
    return outputs.extent() * taps;
  int64_t sum = 0;
  for (int64_t r0 = 0; r0 < taps; r0 += kernelTile)
    sum +=
        layer.window(axis, outputs.extent(), std::min(kernelTile, taps - r0));
  return sum;
}

int64_t fadiff::detail::loadedExtentSum(const Layer &layer, Axis axis,
                                        int64_t outTile, int64_t kernelTile) {
  const int64_t outputs = layer.dims[outputDim(axis)];
  const int64_t taps = layer.dims[kernelDim(axis)];
  const int64_t stride = std::max<int64_t>(1, layer.stride[axis]);
  // Touched rows alone are the same however P is cut.
  if (kernelTile == 1)
    return loadedExtent(layer, axis, {0, outputs}, 1);
  int64_t sum = 0;
  for (int64_t r0 = 0; r0 < taps; r0 += kernelTile) {
    const AxisAccess access(layer, axis, r0, std::min(kernelTile, taps - r0));
    const int64_t origin = access.low;
    auto loaded = [&](int64_t tile) {
      const int64_t p0 = tile * outTile;
      return access.stored({p0, std::min(p0 + outTile, outputs)}).extent();
    };
    // Whole tiles that no border cuts are alike: count them, walk the rest.
    const int64_t tiles = (outputs + outTile - 1) / outTile;
    const int64_t step = outTile * stride;
    const int64_t size = (outTile - 1) * stride + access.reach();
    const int64_t inside =
        origin >= 0 ? 0 : std::min(tiles, (-origin + step - 1) / step);
    const int64_t room = access.bound - origin - size;
    const int64_t outside = std::max(
        inside, room < 0 ? 0 : std::min(outputs / outTile, room / step + 1));
    sum += (outside - inside) * size;
    for (int64_t tile = 0; tile < inside; ++tile)
      sum += loaded(tile);
    for (int64_t tile = outside;
         tile < tiles && tile * step + origin < access.bound; ++tile)
      sum += loaded(tile);
  }
  return sum;
}

LayerCost fadiff::evaluateLayer(const Layer &layer, const Mapping &mapping,
                                const Accelerator &target,
                                Convention convention,
                                const FusedEnds<double> &fused, Model model,
                                Latency latency) {
  Nest<double> nest = exactNest(layer, mapping);
  LayerCost cost = countAccesses(nest, convention, target, fused, model);
  charge(cost, nest, target, convention, model, latency);
  return cost;
}

GroupCost fadiff::evaluateGroup(const Network &network,
                                const Schedule &schedule,
                                const FusionGroup &group,
                                const Accelerator &target,
                                Convention convention, Model model) {
  return evaluateGroup(network, schedule, group, target,
                       *createCostFunction(convention, model));
}

ScheduleCost fadiff::evaluateSchedule(const Network &network,
                                      const Schedule &schedule,
                                      const Accelerator &target,
                                      Convention convention, Model model) {
  ScheduleCost result = evaluateSchedule(
      network, schedule, target, *createCostFunction(convention, model));
  result.convention = convention;
  return result;
}

double fadiff::poolCyclesOfCore(const Layer &layer, const Accelerator &target) {
  if (!layer.pool)
    return 0;
  const MaxPool &pool = *layer.pool;
  const int64_t images = layer.dims[Dim::N], channels = layer.outputChannels();
  int64_t outputs = images * channels, padded = outputs;
  PerAxis<int64_t> window;
  bool hasPadding = false;
  for (Axis axis : kAllAxes) {
    outputs *= pool.outputs[axis];
    window[axis] = pool.window(pool.outputs[axis]);
    padded *= window[axis];
    hasPadding |=
        pool.padLow[axis] > 0 || window[axis] > layer.dims[outputDim(axis)];
  }
  CoreWork work;
  work.pooled = outputs * pool.size * pool.size;
  // Sums are begun; the image is copied into its padding, which is filled.
  work.moved = outputs;
  if (hasPadding)
    work.moved +=
        movesOf(padded, layer.outputBytes,
                {images, layer.dims[Dim::P], layer.dims[Dim::Q], channels},
                {0, pool.padLow[Axis::H], pool.padLow[Axis::W], 0},
                {images, window[Axis::H], window[Axis::W], channels});
  return coreCycles(work, target);
}

void fadiff::countCore(const Network &network, const Schedule &schedule,
                       const Accelerator &target, double besides,
                       ScheduleCost &cost) {
  cost.coreCycles += besides;
  for (const FusionGroup &group : schedule.groups) {
    if (group.poolsOutput)
      continue;
    const Layer &last = network.layers[group.layers.back()];
    cost.coreCycles += double(last.trips) * poolCyclesOfCore(last, target);
  }
  cost.cycles += cost.coreCycles;
  cost.energy += cost.coreCycles * target.leakagePerCycle();
}
