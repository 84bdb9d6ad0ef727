//===- Shapes.cpp - Ways for a stretch of layers to be a group ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"

#include "llvm/ADT/STLExtras.h"

using namespace fadiff;

std::vector<GroupShape>
fadiff::groupShapes(const Network &network, const TensorUses &uses,
                    llvm::ArrayRef<unsigned> chain, size_t first, size_t last,
                    const Accelerator &target, std::string *reason) {
  GroupShape shape;
  shape.group.layers.assign(chain.begin() + first, chain.begin() + last + 1);

  // What is made inside must stay. Of the group's input, those up to some
  // member: in between it costs nothing.
  const std::optional<unsigned> input = uses.operands[chain[first]].input;
  std::vector<unsigned> always, perhaps;
  for (unsigned layer : shape.group.layers) {
    const std::optional<unsigned> residual = uses.operands[layer].residual;
    if (!residual)
      continue;
    if (llvm::is_contained(shape.group.layers, *residual))
      always.push_back(layer);
    else if (residual == input)
      perhaps.push_back(layer);
  }
  std::vector<GroupShape> shapes;
  shape.group.liveSkips = always;
  auto consider = [&](std::string *why) {
    llvm::sort(shape.group.liveSkips);
    shape.flow = flowOf(network, uses, shape.group);
    if (llvm::Error error =
            verifyFlow(network, uses, shape.group, shape.flow, target)) {
      std::string text = llvm::toString(std::move(error));
      if (why)
        *why = std::move(text);
      return false;
    }
    shapes.push_back(shape);
    return true;
  };
  if (!consider(reason))
    return shapes;
  for (unsigned layer : perhaps) {
    const std::vector<unsigned> before = shape.group.liveSkips;
    shape.group.liveSkips.push_back(layer);
    if (!consider(nullptr))
      shape.group.liveSkips = before;
  }
  return shapes;
}
