//===- EndToEndTest.cpp - Random networks, random schedules, all targets --===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ring as a property: whatever the layer and whatever legal mapping it
// gets, the emitted program computes what upstream lowering computes, bit for
// bit, and moves the DRAM bytes that the cost model predicted for the mapping.
//
//===----------------------------------------------------------------------===//

#include "RandomNetwork.h"
#include "RandomSchedule.h"
#include "fadiff/CostModel/CostModel.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/InitAll.h"
#include "fadiff/Runner/Scheduled.h"
#include "fadiff/Simulator/Runtime.h"
#include "fadiff/Transforms/SearchModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fadiff;

namespace {

constexpr unsigned kNetworksPerTest = 20;
constexpr unsigned kTests = 16;

class EndToEndTest : public ::testing::TestWithParam<unsigned> {
protected:
  EndToEndTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    fadiff::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    options.optLevel = 1;
  }

  /// Schedules `module` at random for `targetName`, runs it and compares.
  void check(ModuleOp module, const EntryPoint &entry, StringRef targetName,
             ArrayRef<HostTensor> arguments, ArrayRef<HostTensor> expected,
             std::mt19937_64 &rng) {
    llvm::Expected<Accelerator> machine = findTarget(targetName);
    ASSERT_TRUE(static_cast<bool>(machine));
    OwningOpRef<ModuleOp> scheduled(module.clone());
    ScheduleOptions scheduleOptions;
    scheduleOptions.target = targetName.str();
    PassManager prepare(&context);
    buildPreparePipeline(prepare, scheduleOptions);
    ASSERT_TRUE(succeeded(prepare.run(*scheduled)));

    SmallVector<ir::LayerOp> ops;
    auto main = *scheduled->getOps<mlir::func::FuncOp>().begin();
    Network network = extractNetwork(main, ops);
    ASSERT_FALSE(network.layers.empty());
    llvm::Expected<Schedule> schedule =
        test::randomSchedule(network, *machine, rng);
    ASSERT_TRUE(static_cast<bool>(schedule))
        << llvm::toString(schedule.takeError());
    applySchedule(ops, *schedule,
                  evaluateSchedule(network, *schedule, *machine), "machine");
    for (const FusionGroup &group : schedule->groups)
      fusedLayers += group.layers.size() > 1 ? group.layers.size() : 0;
    layers += network.layers.size();
    std::string decision;
    llvm::raw_string_ostream os(decision);
    for (const Mapping &mapping : schedule->mappings)
      os << ir::toAttr(&context, mapping) << '\n';
    SCOPED_TRACE(decision);

    PassManager materialize(&context);
    buildMaterializePipeline(materialize);
    ASSERT_TRUE(succeeded(materialize.run(*scheduled)));
    std::vector<NestPrediction> predicted = predictions(*scheduled);
    FailureOr<std::unique_ptr<Program>> program =
        compileScheduled(*scheduled, entry, options);
    ASSERT_TRUE(succeeded(program));

    sim::Machine simulator(*machine);
    sim::CurrentMachine current(simulator);
    llvm::Expected<std::vector<HostTensor>> found = (*program)->run(arguments);
    ASSERT_TRUE(static_cast<bool>(found));
    ASSERT_FALSE(simulator.fault().has_value()) << simulator.fault()->str();
    std::string report;
    llvm::raw_string_ostream reportStream(report);
    llvm::Expected<bool> equal = compareOutputs(expected, *found, reportStream);
    ASSERT_TRUE(static_cast<bool>(equal));
    EXPECT_TRUE(*equal) << report;
    for (auto [region, nest] : llvm::enumerate(predicted)) {
      sim::Counters counters = simulator.counters(region);
      EXPECT_EQ(nest.dramRead, counters.dramBytesRead) << nest.name;
      EXPECT_EQ(nest.dramWrite, counters.dramBytesWritten) << nest.name;
    }
  }

  /// Draws networks, runs each under a random schedule: on all `targets`, or
  /// on one after the other.
  void run(std::string (*draw)(std::mt19937_64 &), std::mt19937_64 &rng,
           ArrayRef<StringRef> targets, bool inTurn) {
    for (unsigned i = 0; i < kNetworksPerTest; ++i) {
      std::string text = draw(rng);
      SCOPED_TRACE(text);
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
      ASSERT_TRUE(module);
      FailureOr<EntryPoint> entry = findEntryPoint(*module, "main");
      ASSERT_TRUE(succeeded(entry));
      llvm::Expected<std::vector<HostTensor>> arguments =
          makeArguments(*entry, rng());
      ASSERT_TRUE(static_cast<bool>(arguments));
      FailureOr<std::unique_ptr<Program>> reference =
          compileReference(*module, *entry, options);
      ASSERT_TRUE(succeeded(reference));
      llvm::Expected<std::vector<HostTensor>> expected =
          (*reference)->run(*arguments);
      ASSERT_TRUE(static_cast<bool>(expected));
      for (auto [index, target] : llvm::enumerate(targets)) {
        if (inTurn && index != i % targets.size())
          continue;
        SCOPED_TRACE(target.str());
        check(*module, *entry, target, *arguments, *expected, rng);
        if (HasFailure())
          return;
      }
    }
    RecordProperty("layers", static_cast<int>(layers));
    RecordProperty("fused", static_cast<int>(fusedLayers));
  }

  MLIRContext context;
  ProgramOptions options;
  unsigned layers = 0, fusedLayers = 0;
};

TEST_P(EndToEndTest, RandomNetworksAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng(0xfad1ff + GetParam());
  run(test::randomNetwork, rng, {"gemmini-large", "gemmini-small", "gemmini"},
      /*inTurn=*/false);
  // The draw must reach fused programs, or the property says nothing of them.
  EXPECT_GT(fusedLayers, 0u);
}

TEST_P(EndToEndTest, RandomChainsAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng(0xc4a125 + GetParam());
  run(test::randomChain, rng, {"gemmini-large", "gemmini-small"},
      /*inTurn=*/true);
  EXPECT_GT(fusedLayers, layers / 2);
}

INSTANTIATE_TEST_SUITE_P(Random, EndToEndTest,
                         ::testing::Range(0u, kTests));

} // namespace
