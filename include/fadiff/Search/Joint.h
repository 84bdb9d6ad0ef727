//===- Joint.h - Descent on mappings and a machine at once ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The relaxed problem of docs/Search.md with numbers of the machine among its
// variables. What comes out is a place where good machines are to be looked
// for, and neither a schedule nor a bound (docs/Codesign.md, "Descent").
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_JOINT_H
#define FADIFF_SEARCH_JOINT_H

#include "fadiff/CostModel/Rates.h"
#include "fadiff/Search/Search.h"
#include "llvm/ADT/ArrayRef.h"

#include <functional>
#include <vector>

namespace fadiff {

/// What comes first, the machine's sizes or the mappings.
enum class Sizes : uint8_t {
  Move,   ///< with the mappings, which have to fit
  Follow, ///< they are what the mappings need, as DOSA's are
};

/// Slopes of the logarithms of a machine's numbers by that of a parameter.
struct NumberSlopes {
  std::array<double, kNumRates> rates{}; ///< those of Rates.h
  double scratchpad = 0, accumulator = 0, area = 0, clock = 0;
};

/// A machine whose numbers follow from parameters that move.
struct MovingMachine {
  /// Natural logarithms of the parameters: where they start, and their range.
  std::vector<double> start, low, high;
  /// The machine at logarithms of parameters. It need not be one that can be
  /// built, but at the start. What mappings are made for is the same at all:
  /// side, arithmetic, hand-over.
  std::function<Accelerator(llvm::ArrayRef<double>)> at;
  /// What its numbers do there, by each parameter.
  std::function<std::vector<NumberSlopes>(llvm::ArrayRef<double>)> slopesAt;
  /// In mm2, of Accelerator::area; 0 for any.
  double mostArea = 0;
  /// Whether cycles of machines at different places differ in length.
  bool isTimed = false;
  Sizes sizes = Sizes::Move;
  /// Of Sizes::Follow: the parameters, as indices, that the capacities of
  /// scratchpad and accumulator follow from; none where they are fixed.
  std::optional<unsigned> scratchpad, accumulator;
};

/// Where a descent ended.
struct JointPoint {
  std::vector<double> logs; ///< of the parameters
  /// The sum over the networks of the relaxed objective's logarithm there, with
  /// what is exceeded, area included, as penalties.
  double loss = 0;
  /// Calls of the cost model, relaxed ones.
  uint64_t evaluations = 0;
};

/// One descent of `options.gradient.steps` steps on the mappings of all
/// networks, what they fuse, and the machine. With Sizes::Follow layer by layer
/// and with real factors. `options[i]` are those of network i; steps, stop and
/// seed are the first one's. Fails if a layer has no legal mapping at the
/// start.
llvm::Expected<JointPoint> descendJointly(llvm::ArrayRef<Network> networks,
                                          llvm::ArrayRef<SearchOptions> options,
                                          const MovingMachine &machine);

/// The loss of such a descent before its first step, without noise, on the
/// machine at `logs`, and its slopes by these.
struct JointSlopes {
  double loss = 0;
  std::vector<double> slopes;
};
llvm::Expected<JointSlopes> jointSlopesAt(llvm::ArrayRef<Network> networks,
                                          llvm::ArrayRef<SearchOptions> options,
                                          const MovingMachine &machine,
                                          llvm::ArrayRef<double> logs);

} // namespace fadiff

#endif // FADIFF_SEARCH_JOINT_H
