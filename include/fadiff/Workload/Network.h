//===- Network.h - Layers and the tensors between them ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_WORKLOAD_NETWORK_H
#define FADIFF_WORKLOAD_NETWORK_H

#include "fadiff/Workload/Layer.h"

#include <optional>
#include <string>
#include <vector>

namespace fadiff {

/// Layer `producer`'s output is layer `consumer`'s input operand.
struct Edge {
  unsigned producer = 0;
  unsigned consumer = 0;
  /// Why the pair can never share a fusion group, whatever the mapping; empty
  /// if it can.
  std::string blocked;
  /// The pair has to share a fusion group.
  bool mustFuse = false;
};

/// What a layer reads beside its weights and bias, as numbers of tensors: below
/// the number of layers what that layer makes, from there on what no layer
/// does. Equal numbers are the same tensor.
struct Operands {
  std::optional<unsigned> input;
  std::optional<unsigned> residual;
};

/// A network as a directed acyclic graph; layers are in topological order.
struct Network {
  std::vector<Layer> layers;
  std::vector<Edge> edges;
  /// Per layer. If there are none, inputs are as the edges say, and no layer
  /// reads a residual that another one makes or reads.
  std::vector<Operands> operands;
};

} // namespace fadiff

#endif // FADIFF_WORKLOAD_NETWORK_H
