//===- Emitted.h - Networks as emitted programs -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the subcommands share that schedule a network, emit its program and run
// that on the simulator, which counts and times but computes no data.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_FADIFF_BENCH_EMITTED_H
#define FADIFF_TOOLS_FADIFF_BENCH_EMITTED_H

#include "fadiff/Runner/Scheduled.h"
#include "fadiff/Transforms/Options.h"
#include "fadiff/Transforms/SearchModule.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace fadiff {

class ModelOptions;

/// One way to schedule a network.
struct Contender {
  llvm::StringLiteral name;
  Optimizer optimizer;
  Fuse fuse;
  Packing pack;           ///< of thin layers
  bool countCore = false; ///< SearchOptions::countCore
  Objective objective = Objective::Edp;
  LatencyChoice latency = LatencyChoice::Auto;
  Requantisation requantize = Requantisation::Exact;
};

/// A program that has run, without a fault and with all that it wrote fenced.
struct EmittedProgram {
  Accelerator accelerator;
  /// The position is the simulator's region.
  std::vector<NestPrediction> predicted;
  std::vector<FunctionSearch> searches; ///< per function with work
  HostReport host;                      ///< of all of it
  std::unique_ptr<sim::Machine> machine;
};

/// Schedules the function `main` of a copy of `module` and runs its program.
/// `what` names the run in errors; `limit` is that of the search, in seconds, 0
/// for none; `loopWs` says which layers the matmul loop runs, as for
/// fadiff-materialize. A difference between predicted and simulated counts is
/// an error.
llvm::Expected<EmittedProgram> runEmitted(mlir::ModuleOp module,
                                          const std::string &what,
                                          const std::string &target,
                                          const Contender &contender,
                                          double limit, LoopUnitUse loopWs);

/// Reads network files; holds what their modules need.
class EmittedNetworks {
public:
  EmittedNetworks();
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  read(const std::string &file, const ModelOptions *options = nullptr);
  mlir::MLIRContext *getContext() { return &context; }

private:
  mlir::MLIRContext context;
};

/// The names, or those of the three machines that results are given for.
std::vector<std::string> machinesOrAll(llvm::ArrayRef<std::string> names);

} // namespace fadiff

#endif // FADIFF_TOOLS_FADIFF_BENCH_EMITTED_H
