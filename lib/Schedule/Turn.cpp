//===- Turn.cpp - Images with rows and columns exchanged ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/Turn.h"

#include <utility>

using namespace fadiff;

Dim fadiff::turned(Dim dim) {
  for (Axis axis : kAllAxes) {
    if (dim == outputDim(axis))
      return outputDim(turned(axis));
    if (dim == kernelDim(axis))
      return kernelDim(turned(axis));
  }
  return dim;
}

template <typename T> static void turn(PerDim<T> &values) {
  std::swap(values[Dim::P], values[Dim::Q]);
  std::swap(values[Dim::R], values[Dim::S]);
}
template <typename T> static void turn(PerAxis<T> &values) {
  std::swap(values[Axis::H], values[Axis::W]);
}

Layer fadiff::turned(Layer layer) {
  turn(layer.dims);
  for (PerAxis<int64_t> *values :
       {&layer.stride, &layer.dilation, &layer.padLow, &layer.inputExtent})
    turn(*values);
  if (layer.pool) {
    turn(layer.pool->padLow);
    turn(layer.pool->outputs);
  }
  return layer;
}

Mapping fadiff::turned(Mapping mapping) {
  for (Level level : kAllLevels) {
    turn(mapping.temporal[level]);
    for (Dim &dim : mapping.order[level])
      dim = turned(dim);
  }
  return mapping;
}

TurnedGroup fadiff::turned(const Network &network, const Schedule &schedule,
                           const FusionGroup &group) {
  TurnedGroup image{network, schedule, group};
  for (unsigned layer : group.layers) {
    image.network.layers[layer] = turned(network.layers[layer]);
    image.schedule.mappings[layer] = turned(schedule.mappings[layer]);
  }
  if (group.keeps)
    image.group.keeps = turned(*group.keeps);
  image.schedule.groups = {image.group};
  return image;
}
