//===- HostReport.h - What a network leaves to the host ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is only as good as the part of the network that it is about. This
// analysis looks at the rest, once layers are formed: which operations are left
// on the host, how many elements they touch, why they are there and what would
// put them on the array.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_HOSTREPORT_H
#define FADIFF_ANALYSIS_HOSTREPORT_H

#include "fadiff/Hardware/CoreWork.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fadiff {

/// Why an operation is on the host, in parts of sentences.
struct HostCause {
  std::string reason; ///< the same text for all operations of one cause
  std::string remedy; ///< what would put it on the array; empty if nothing
  std::string detail; ///< numbers of this operation; empty if there are none
};

/// The attribute that notes why an operation is on the host.
inline constexpr llvm::StringLiteral kOnHostAttrName = "fadiff.on_host";

/// The attribute of what lays out weights and reads nothing else: it can be
/// done once, before all calls (fadiff/Codegen/Weights.h).
inline constexpr llvm::StringLiteral kOfWeightsAttrName = "fadiff.of_weights";

/// Whether the operation is a function of math.h that takes a call, or as many
/// instructions as one.
bool callsLibm(mlir::Operation &part);

/// Notes on `op` why it stays on the host, for whoever reports later. The first
/// note stands: it is nearest to the cause.
void noteOnHost(mlir::Operation *op, const HostCause &cause);

/// The same of an operation that lays out weights and reads nothing else.
void noteOfWeights(mlir::Operation *op, llvm::StringRef reason);

/// What is noted on `op`, else what can be said of operations of its kind on
/// any machine.
HostCause hostCauseOf(mlir::Operation *op);

/// Where `location` is, for people: the innermost name that somebody gave it,
/// else "file:line", else "".
std::string placeOf(mlir::Location location);

/// Whether the host spends time on `op` for each element of a tensor.
/// Constants, views, empty and filled tensors are free, and what stands in a
/// layer is the accelerator's.
bool touchesElements(mlir::Operation *op);

/// What `value` is another shape of.
mlir::Value withoutReshapes(mlir::Value value);

/// An operation that is left on the host.
struct HostOperation {
  /// Its name and, of a `linalg.generic`, what its body computes.
  std::string kind;
  std::string place; ///< as placeOf
  /// The layer that it stands behind, or else in front of; empty without any.
  std::string layer;
  bool isBehind = false;
  int64_t elements = 0; ///< read and written in one run, of static shapes
  int64_t trips = 1;    ///< runs per call of what is reported on
  int64_t macs = 0;     ///< multiply-accumulates of one run
  CoreWork work;        ///< of one run
  double cycles = 0;    ///< of the core, of one run; 0 without a target
  /// Max pooling of what a layer makes, or its padding: whether a group does it
  /// on chip is the schedule's choice.
  bool isPoolOfLayer = false;
  bool isOfWeights = false; ///< done once, if the caller wants that
  HostCause cause;
};

/// What becomes of a layer's sums.
enum class TailPlace {
  None,  ///< they are the result
  Array, ///< bias, scale and clamp are applied where the sums leave the array
  Host ///< some of them, or the step to the readers' type, follows on the host
};

struct ReportedLayer {
  std::string name;
  std::string place;
  int64_t macs = 0; ///< of one run
  int64_t trips = 1;
  bool tripsAreKnown = true;
  TailPlace tail = TailPlace::None;
  /// The host's operations that stand behind it or in front of it, and the
  /// elements that they touch in all their runs.
  unsigned hostOperations = 0;
  int64_t hostElements = 0;
};

/// The work of a function or a module, on the array and beside it, in one call.
struct HostReport {
  std::vector<HostOperation> operations; ///< in their order
  std::vector<ReportedLayer> layers;
  /// Operations that depend on no input, and so could be done once; nothing
  /// here counts them.
  unsigned constantOperations = 0;
  int64_t elements = 0;               ///< that `operations` touch, in all runs
  int64_t macs = 0, arrayMacs = 0;    ///< of host and array; of the array alone
  unsigned tails = 0, arrayTails = 0; ///< layers that have a tail; on the array
  /// Places of loops and branches around layers whose trips are not known: each
  /// is counted as one trip.
  std::vector<std::string> unknownTrips;

  /// What the core of the module's target takes for `operations` in all runs,
  /// predicted (Hardware/CoreWork.h), but for those of weights; without pooling
  /// of what layers make, if that is counted elsewhere.
  double cycles(bool withPoolsOfLayers = true) const;
  /// The same for those of weights.
  double weightCycles() const;

  /// A share in percent; of nothing, all is on the array.
  double macPercent() const { return macs ? 100.0 * arrayMacs / macs : 100; }
  double tailPercent() const {
    return tails ? 100.0 * arrayTails / tails : 100;
  }

  /// A line of totals, then a line for each cause.
  void print(llvm::raw_ostream &os) const;
  llvm::json::Object toJson() const;
};

/// Looks at `root`, a function or a module with layers, groups or loop nests in
/// it. Of a module, what its functions call counts as often as it is called.
HostReport reportHost(mlir::Operation *root);

} // namespace fadiff

#endif // FADIFF_ANALYSIS_HOSTREPORT_H
