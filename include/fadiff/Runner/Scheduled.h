//===- Scheduled.h - Run a scheduled network on the simulator ---*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_RUNNER_SCHEDULED_H
#define FADIFF_RUNNER_SCHEDULED_H

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/CostModel/CostModel.h"
#include "fadiff/Pipelines/Pipelines.h"
#include "fadiff/Runner/Program.h"
#include "fadiff/Search/Search.h"
#include "fadiff/Simulator/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace fadiff {

struct FunctionSearch;

/// Linalg to checked loop nests: leaves the public function `entry` alone in
/// `module`, what it calls inlined, so that each loop nest runs exactly once,
/// and schedules it. Of `options` only target, convention, model and latency
/// count. What the searches found is put into `found`. Emits the diagnostic on
/// failure.
llvm::LogicalResult scheduleEntry(mlir::ModuleOp module, llvm::StringRef entry,
                                  const ScheduleOptions &options,
                                  const SearchOptions &search,
                                  std::vector<FunctionSearch> *found = nullptr);

/// Bufferization, `fadiff-lower-to-gemmini`, instructions to calls of the
/// simulator, and the rest of the module to LLVM.
void buildSimulatorPipeline(mlir::OpPassManager &pm);

/// Lowers a copy of the scheduled `module` and compiles it against the
/// simulator's runtime. The program acts on the calling thread's
/// sim::CurrentMachine. The runtime's symbols are added to `options`.
mlir::FailureOr<std::unique_ptr<Program>>
compileScheduled(mlir::ModuleOp module, const EntryPoint &entry,
                 ProgramOptions options = {});

/// What the schedule promised for one loop nest; the position in the vector is
/// the simulator's region.
struct NestPrediction {
  std::string name;    ///< layers, joined by +
  std::string mapping; ///< in short, layer by layer
  bool known = false;  ///< the nest carries a cost
  /// Runs per call of the entry: the trips of the loops around the nest, and of
  /// those around the calls of its function. Where they are not known, one of
  /// each is counted.
  int64_t trips = 1;
  bool tripsAreKnown = true;
  double energy = 0; ///< pJ, of all trips, as are the three below
  double cycles = 0;
  int64_t dramRead = 0, dramWrite = 0; ///< bytes
  std::string model;                   ///< that predicted it
  /// The matmul loop runs it, and what that takes by its latency model, once.
  bool byLoop = false;
  double cyclesByLoop = 0;
  /// The nest alone as the cost model has it: its layers and one group of all;
  /// no mappings unless every stage carries one.
  Network network;
  Schedule schedule;
  /// The machine's counts for the mappings that the nest's stages carry,
  /// whichever model judged them: empty without a target or a mapping. Of one
  /// run.
  std::optional<GroupCost> counts;

  /// By how much the nest ran more often than was predicted: 1 if its trips
  /// were known.
  double unpredictedTrips(const sim::Counters &found) const {
    return tripsAreKnown || trips == 0 ? 1 : double(found.runs) / double(trips);
  }
};
std::vector<NestPrediction> predictions(mlir::ModuleOp module);

/// Prints the energy-delay product, and whether the DRAM bytes that the
/// simulator has counted are those that were predicted, nest by nest. Returns
/// whether they are wherever both are known. The table is printTable's
/// (Report/Report.h).
bool printAgreement(llvm::raw_ostream &os,
                    llvm::ArrayRef<NestPrediction> predicted,
                    const HostReport &host, const sim::Machine &machine);

/// Holds each nest's counts against what the simulator counted for its region:
/// DRAM bytes per tensor, multiply-accumulates and elements written to the
/// scratchpad must be equal; of its reads, the accumulator's traffic and the
/// cycles the ratio is printed. Prints one line to `os` and an error for each
/// difference to `errors`, naming group, tensor, predicted and found.
/// Returns whether there was none.
bool checkPredictions(llvm::raw_ostream &os, llvm::raw_ostream &errors,
                      llvm::ArrayRef<NestPrediction> predicted,
                      const sim::Machine &machine);

} // namespace fadiff

#endif // FADIFF_RUNNER_SCHEDULED_H
