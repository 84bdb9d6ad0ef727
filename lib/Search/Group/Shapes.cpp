//===- Shapes.cpp - Ways for a stretch of layers to be a group ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <iterator>
#include <numeric>

using namespace fadiff;

/// The orders in which the members can run: a side branch, which in the stretch
/// stands before the layer whose input it reads, may run as late as its output
/// is added.
static std::vector<std::vector<size_t>> ordersOf(const GroupFlow &flow) {
  std::vector<size_t> first(flow.members.size());
  std::iota(first.begin(), first.end(), size_t(0));
  std::vector<std::vector<size_t>> orders = {std::move(first)};
  for (const GroupFlow::Tile &tile : flow.tiles) {
    if (!tile.isResidual || !tile.producer)
      continue;
    for (size_t o = 0, n = orders.size(); o < n; ++o) {
      std::vector<size_t> order = orders[o];
      for (auto at = llvm::find(order, *tile.producer);
           *std::next(at) != tile.reader; ++at) {
        std::iter_swap(at, std::next(at));
        orders.push_back(order);
      }
    }
  }
  return orders;
}

std::vector<GroupShape>
fadiff::groupShapes(const Network &network, const TensorUses &uses,
                    llvm::ArrayRef<unsigned> chain, size_t first, size_t last,
                    const Accelerator &target, std::string *reason) {
  const llvm::ArrayRef<unsigned> stretch = chain.slice(first, last + 1 - first);
  // What is made inside must stay. Of the group's input, those up to some
  // member: in between it costs nothing.
  const std::optional<unsigned> input = uses.operands[stretch.front()].input;
  std::vector<unsigned> always, perhaps;
  for (unsigned layer : stretch) {
    const std::optional<unsigned> residual = uses.operands[layer].residual;
    if (!residual)
      continue;
    if (llvm::is_contained(stretch, *residual))
      always.push_back(layer);
    else if (residual == input)
      perhaps.push_back(layer);
  }
  std::vector<GroupShape> shapes;
  FusionGroup inPlace;
  inPlace.layers = stretch.vec();
  inPlace.liveSkips = always;
  for (std::vector<size_t> &order : ordersOf(flowOf(network, uses, inPlace))) {
    GroupShape shape;
    shape.places = std::move(order);
    for (size_t place : shape.places)
      shape.group.layers.push_back(stretch[place]);
    shape.group.liveSkips = always;
    auto consider = [&](std::string *why) {
      llvm::sort(shape.group.liveSkips);
      shape.flow = flowOf(network, uses, shape.group);
      if (llvm::Error error =
              verifyFlow(network, uses, shape.group, shape.flow, target)) {
        std::string text = llvm::toString(std::move(error));
        if (why && why->empty())
          *why = std::move(text);
        return false;
      }
      shapes.push_back(shape);
      return true;
    };
    if (!consider(reason))
      continue;
    for (unsigned layer : perhaps) {
      const std::vector<unsigned> before = shape.group.liveSkips;
      shape.group.liveSkips.push_back(layer);
      if (!consider(nullptr))
        shape.group.liveSkips = before;
    }
  }
  if (reason && !shapes.empty())
    reason->clear();
  return shapes;
}
