//===- EmbeddingTest.cpp - The pipelines inside another program -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <thread>

using namespace mlir;

namespace {

/// Two matrix products after each other.
std::string chain(int64_t rows, int64_t depth, int64_t middle, int64_t cols) {
  return llvm::formatv(R"mlir(
func.func @main(%a: tensor<{0}x{1}xi8>, %b: tensor<{1}x{2}xi8>, %c: tensor<{2}x{3}xi8>) -> tensor<{0}x{3}xi32> {{
  %zero = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<{0}x{2}xi32>
  %i0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<{0}x{2}xi32>) -> tensor<{0}x{2}xi32>
  %s0 = linalg.matmul ins(%a, %b : tensor<{0}x{1}xi8>, tensor<{1}x{2}xi8>) outs(%i0 : tensor<{0}x{2}xi32>) -> tensor<{0}x{2}xi32>
  %t = arith.trunci %s0 : tensor<{0}x{2}xi32> to tensor<{0}x{2}xi8>
  %e1 = tensor.empty() : tensor<{0}x{3}xi32>
  %i1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<{0}x{3}xi32>) -> tensor<{0}x{3}xi32>
  %s1 = linalg.matmul ins(%t, %c : tensor<{0}x{2}xi8>, tensor<{2}x{3}xi8>) outs(%i1 : tensor<{0}x{3}xi32>) -> tensor<{0}x{3}xi32>
  return %s1 : tensor<{0}x{3}xi32>
}
)mlir",
                       rows, depth, middle, cols)
      .str();
}

/// A job as somebody else's program would have it: a context, a module,
/// options.
struct Job {
  std::string network;
  std::string target;
  fadiff::Objective objective = fadiff::Objective::Edp;
  uint64_t seed = 1;
  unsigned threads = 1;
};

/// What went wrong, or the scheduled module; everything that is made is made
/// here, in the calling thread.
std::string schedule(const Job &job,
                     function_ref<LogicalResult(OpPassManager &)> build) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                  tensor::TensorDialect>();
  fadiff::registerAllDialects(registry);
  MLIRContext context(registry);
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += "error: " + diagnostic.str() + "\n";
  });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(job.network, &context);
  if (!module)
    return errors;
  PassManager pm(&context);
  if (failed(build(pm)) || failed(pm.run(*module)))
    return errors;
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo());
  return text;
}

std::string scheduleFromStruct(const Job &job) {
  return schedule(job, [&](OpPassManager &pm) {
    fadiff::ScheduleOptions options;
    options.target = job.target;
    options.objective = job.objective;
    options.seed = job.seed;
    options.threads = job.threads;
    fadiff::buildSchedulePipeline(pm, options);
    return success();
  });
}

std::string scheduleFromText(const Job &job) {
  return schedule(job, [&](OpPassManager &pm) {
    std::string text =
        llvm::formatv("fadiff-schedule{{target={0} objective={1} seed={2} "
                      "threads={3}}",
                      job.target, fadiff::nameOf(job.objective), job.seed,
                      job.threads)
            .str();
    return parsePassPipeline(text, pm);
  });
}

/// Four different networks, machines and objectives.
std::vector<Job> fourJobs() {
  return {
      {chain(48, 64, 96, 32), "gemmini-small", fadiff::Objective::Edp, 1},
      {chain(128, 80, 24, 200), "gemmini-large", fadiff::Objective::Latency, 2},
      {chain(1, 512, 300, 40), "gemmini", fadiff::Objective::Energy, 3,
       /*threads=*/2},
      {chain(96, 96, 96, 96), "gemmini-small", fadiff::Objective::Latency, 4}};
}

TEST(Embedding, FourThreadsGiveTheBytesOfOne) {
  std::vector<Job> jobs = fourJobs();
  std::vector<std::string> alone, together(jobs.size());
  for (const Job &job : jobs) {
    alone.push_back(scheduleFromStruct(job));
    ASSERT_NE(alone.back().find("fadiff.loop_nest"), std::string::npos)
        << alone.back();
  }
  std::vector<std::thread> threads;
  for (size_t i = 0; i != jobs.size(); ++i)
    threads.emplace_back([&, i] { together[i] = scheduleFromStruct(jobs[i]); });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 0; i != jobs.size(); ++i)
    EXPECT_EQ(alone[i], together[i]) << "job " << i;
  // They are four results, not four copies of one.
  for (size_t i = 1; i != jobs.size(); ++i)
    EXPECT_NE(alone[0], alone[i]);
}

TEST(Embedding, OptionsFromTextAndFromStructsAreTheSame) {
  fadiff::registerAllPasses();
  for (const Job &job : fourJobs()) {
    std::string fromStruct = scheduleFromStruct(job);
    EXPECT_NE(fromStruct.find("fadiff.loop_nest"), std::string::npos);
    EXPECT_EQ(fromStruct, scheduleFromText(job));
  }
}

/// Every option of the struct survives the way over text.
TEST(Embedding, EveryOptionPrintsAndParses) {
  fadiff::ScheduleOptions options;
  options.target = "gemmini-small";
  options.objective = fadiff::Objective::Energy;
  options.seed = 99;
  options.timeLimit = "3s";
  options.threads = 2;
  options.starts = 5;
  options.steps = 6;
  options.fuse = fadiff::Fuse::Chains;
  options.allowEmpty = true;
  std::string text;
  llvm::raw_string_ostream os(text);
  options.print(os);
  fadiff::ScheduleOptions parsed;
  // Printed in braces, parsed without.
  llvm::StringRef inner = llvm::StringRef(text).trim();
  inner.consume_front("{");
  inner.consume_back("}");
  ASSERT_TRUE(succeeded(parsed.parseFromString(inner))) << text;
  std::string again;
  llvm::raw_string_ostream againOs(again);
  parsed.print(againOs);
  EXPECT_EQ(text, again);
  EXPECT_NE(text.find("allow-empty=true"), std::string::npos) << text;
}

/// Bad options and bad input come back as diagnostics, and the process goes on.
TEST(Embedding, ErrorsComeBack) {
  Job job = fourJobs()[0];
  std::string good = scheduleFromStruct(job);
  job.target = "tpu";
  EXPECT_NE(scheduleFromStruct(job).find("error: unknown target 'tpu'"),
            std::string::npos);
  job.target = "gemmini-small";
  fadiff::ScheduleOptions options;
  EXPECT_TRUE(failed(options.parseFromString("objective=speed")));
  EXPECT_TRUE(failed(options.parseFromString("speed=objective")));
  EXPECT_EQ(scheduleFromStruct(job), good);
}

} // namespace
