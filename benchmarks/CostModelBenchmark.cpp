//===- CostModelBenchmark.cpp - Speed of the cost model -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One layer mapping at a time, over random legal mappings of ResNet18's layers:
// exact, relaxed, and relaxed with its gradient. For profiles: perf record
// CostModelBenchmark --benchmark_filter=Exact/machine.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Throughput.h"
#include "fadiff/CostModel/Relaxed.h"
#include "fadiff/Hardware/KnownTargets.h"

#include "benchmark/benchmark.h"

using namespace fadiff;

namespace {

struct Workload {
  Accelerator target = llvm::cantFail(findTarget("gemmini"));
  std::vector<Sample> samples = llvm::cantFail(
      sampleMappings(resnet18Layers(), target, /*perLayer=*/256, /*seed=*/0));
};

template <typename Evaluate>
void run(benchmark::State &state, Evaluate evaluate) {
  static const Workload workload;
  size_t next = 0;
  for (auto _ : state) {
    auto cost = evaluate(workload.samples[next], workload.target);
    benchmark::DoNotOptimize(cost);
    if (++next == workload.samples.size())
      next = 0;
  }
  state.SetItemsProcessed(state.iterations());
}

template <Convention convention> void exact(benchmark::State &state) {
  run(state, [](const Sample &sample, const Accelerator &target) {
    return evaluateLayer(sample.layer, sample.mapping, target, convention);
  });
}

template <Convention convention> void relaxed(benchmark::State &state) {
  run(state, [](const Sample &sample, const Accelerator &target) {
    return evaluateRelaxed(relaxedNest(sample.layer,
                                       relaxedFactors(sample.mapping),
                                       sample.mapping.order),
                           target, convention);
  });
}

template <Convention convention> void gradient(benchmark::State &state) {
  run(state, [](const Sample &sample, const Accelerator &target) {
    return differentiateRelaxed(sample.layer, relaxedFactors(sample.mapping),
                                sample.mapping.order, target, convention);
  });
}

BENCHMARK(exact<Convention::Machine>)->Name("Exact/machine");
BENCHMARK(exact<Convention::Timeloop>)->Name("Exact/timeloop");
BENCHMARK(relaxed<Convention::Machine>)->Name("Relaxed/machine");
BENCHMARK(relaxed<Convention::Timeloop>)->Name("Relaxed/timeloop");
BENCHMARK(gradient<Convention::Machine>)->Name("Gradient/machine");
BENCHMARK(gradient<Convention::Timeloop>)->Name("Gradient/timeloop");

} // namespace

BENCHMARK_MAIN();
