//===- RandomSchedule.h - Random legal schedules ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_UNITTESTS_ENDTOEND_RANDOMSCHEDULE_H
#define FADIFF_UNITTESTS_ENDTOEND_RANDOMSCHEDULE_H

#include "fadiff/Schedule/Schedule.h"

#include <optional>
#include <random>

namespace fadiff::test {

/// How often, in percent, groups have a feature where they may.
struct Chances {
  unsigned keeps = 75;      ///< rows or columns
  unsigned rows = 70;       ///< of those that keep
  unsigned slices = 0;      ///< inputs of some members come in slices
  unsigned inputTurns = 60; ///< the input has a second place
};

/// A legal schedule of `network` on `target`: random mappings, and chains fused
/// with random tiles where a random try fits.
llvm::Expected<Schedule> randomSchedule(const Network &network,
                                        const Accelerator &target,
                                        std::mt19937_64 &rng,
                                        const Chances &chances);

/// The same without fusion, for layers that the matmul loop can run: under most
/// of the mappings it can. Nothing if no try fits some layer.
std::optional<Schedule> randomLoopSchedule(const Network &network,
                                           const Accelerator &target,
                                           std::mt19937_64 &rng);

} // namespace fadiff::test

#endif // FADIFF_UNITTESTS_ENDTOEND_RANDOMSCHEDULE_H
