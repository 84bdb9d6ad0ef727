//===- SearchModule.h - Schedule a module's layers --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_SEARCHMODULE_H
#define FADIFF_TRANSFORMS_SEARCHMODULE_H

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Search/Search.h"
#include "fadiff/Transforms/Options.h"
#include "fadiff/Workload/Network.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fadiff {

/// The layers of `function` that still want a mapping, in program order, and
/// the edges between them; `ops[i]` is layer i. An edge that can never be fused
/// says why. With `given` all layers, and there the mappings and groups of
/// those that have some (SearchOptions::given).
Network extractNetwork(mlir::FunctionOpInterface function,
                       llvm::SmallVectorImpl<ir::LayerOp> &ops,
                       Schedule *given = nullptr);

/// Fails with a diagnostic if one of the layers pools its outputs, which is
/// what a schedule decides.
llvm::LogicalResult refusePooled(llvm::ArrayRef<ir::LayerOp> ops);

/// Puts what the layers under `root` were made of in their place, whether they
/// have mappings or share groups; layers that are loop nests already stay.
void returnToHost(mlir::Operation *root);

/// Puts the layers of which no mapping is legal on `machine` back on the host,
/// each with a warning that says which rule is broken by how much; all but
/// those that are spared.
void leaveUnmappable(mlir::FunctionOpInterface function,
                     const Accelerator &machine,
                     llvm::function_ref<bool(ir::LayerOp)> isSpared = nullptr);

/// Writes mappings and costs on the layers and encloses the members of each
/// group of two or more in a fadiff.fusion_group; layers that have a mapping
/// keep it, and their groups. `schedule` must be legal; `model` is the name of
/// the model that predicted `cost`.
void applySchedule(llvm::ArrayRef<ir::LayerOp> ops, const Schedule &schedule,
                   const ScheduleCost &cost, llvm::StringRef model);

/// What was found for one function: nothing, with an empty network, if it has
/// no layers.
struct FunctionSearch {
  std::string function;
  Network network;
  SearchResult result;
  HostReport host; ///< of the scheduled function
};

/// Searches `network` as the layers of a function that has cost model `model`;
/// where it is null, by the built-in model of `options.convention`. The
/// SearchMonitor of `context`, if there is one, is told.
llvm::Expected<SearchResult> searchNetwork(const Network &network,
                                           const Accelerator &machine,
                                           ir::DifferentiableCost model,
                                           SearchOptions options,
                                           mlir::MLIRContext *context);

/// Searches every function of `module` for its layers' mappings and fusion
/// groups and writes them into the IR. Layers are judged by their cost_model,
/// which must be the same throughout a function; where there is none, by the
/// built-in model of `options.convention`. A layer of which no mapping fits
/// the machine goes back to the host, with a warning that says which rule is
/// broken by how much. Emits the diagnostic on failure; that not one layer is
/// left is one unless `allowEmpty`. `found`, if given, gets an element for each
/// function that has layers to map. With Packing::Auto thin layers get the
/// kernel taps as channels with which the whole function is best
/// (Search/Packing.h); else they stay as they are.
llvm::LogicalResult searchModule(mlir::ModuleOp module,
                                 const SearchOptions &options, Packing pack,
                                 bool allowEmpty = false,
                                 std::vector<FunctionSearch> *found = nullptr);

/// Writes the searches' summaries (Search/Summary.h): as JSON an array with an
/// object per function, as text one after the other.
void printSummaries(llvm::raw_ostream &os,
                    llvm::ArrayRef<FunctionSearch> searches, bool json);

/// "2s", "500ms", "0s" in seconds. Fails on anything else.
llvm::Expected<double> parseDuration(llvm::StringRef text);

/// What the search does, from options by the names of fadiff-search's: those of
/// the pass or of the pipeline. Where they leave starts and steps at 0 the
/// search's own defaults stay. Fails if the time limit or the constraint cannot
/// be read.
template <typename OptionsT>
llvm::Expected<SearchOptions> toSearchOptions(const OptionsT &options) {
  SearchOptions search;
  search.optimizer = options.optimizer;
  search.objective = options.objective;
  search.seed = options.seed;
  search.maxEvaluations = options.maxEvaluations;
  search.threads = std::max(1u, options.threads.getValue());
  search.fuse = options.fuse;
  search.loopUnit = options.loopWs;
  search.countCore = options.core == Switch::On;
  search.space = {/*unevenTiles=*/options.unevenTiles == Switch::On,
                  /*blockDiagonal=*/options.blockDiagonal == Switch::On};
  if (options.starts)
    search.gradient.starts = options.starts;
  if (options.steps)
    search.gradient.steps = options.steps;
  llvm::Expected<double> limit = parseDuration(options.timeLimit);
  if (!limit)
    return limit.takeError();
  search.timeLimit = *limit;
  if (!options.constraint.empty()) {
    llvm::Expected<Constraint> constraint = parseConstraint(options.constraint);
    if (!constraint)
      return constraint.takeError();
    search.constraint = std::move(*constraint);
  }
  return search;
}

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_SEARCHMODULE_H
