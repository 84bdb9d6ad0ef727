//===- Throughput.h - Speed of the cost model -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many layer mappings per second one core evaluates.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_THROUGHPUT_H
#define FADIFF_BENCH_THROUGHPUT_H

#include "fadiff/CostModel/CostModel.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <vector>

namespace fadiff {

/// The 21 contractions of ResNet18 at 224 x 224 (He et al., "Deep Residual
/// Learning for Image Recognition", CVPR 2016, table 1), int8, padded as there.
std::vector<Layer> resnet18Layers();

/// A layer with a legal mapping of it.
struct Sample {
  Layer layer;
  Mapping mapping;
};
/// `perLayer` random mappings of each layer, the same for the same `seed`.
llvm::Expected<std::vector<Sample>> sampleMappings(llvm::ArrayRef<Layer> layers,
                                                   const Accelerator &target,
                                                   unsigned perLayer,
                                                   uint64_t seed);

/// Times each evaluation on this thread for `seconds`, in five equal parts, and
/// reports mappings per second (the median part) as the JSON object that
/// `fadiff-bench throughput` prints.
llvm::json::Object measureThroughput(llvm::ArrayRef<Sample> samples,
                                     const Accelerator &target,
                                     Convention convention, double seconds);

/// Times what a network's best schedule takes and what each of the machine's
/// numbers is worth there (CostModel/Rates.h): the cost model on the whole
/// schedule, slopes and ceilings, in milliseconds (the median of five parts of
/// `seconds`). Fails if the search does.
llvm::Expected<llvm::json::Object>
measureWorth(const Network &network, const Accelerator &target, double seconds);

} // namespace fadiff

#endif // FADIFF_BENCH_THROUGHPUT_H
