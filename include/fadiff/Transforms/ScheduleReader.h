//===- ScheduleReader.h - The schedule that a module carries ----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_SCHEDULEREADER_H
#define FADIFF_TRANSFORMS_SCHEDULEREADER_H

#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/Schedule.h"
#include "mlir/IR/BuiltinOps.h"

namespace fadiff {

/// The schedule that a module's layers and groups or, after materialisation,
/// its loop nests carry.
class ScheduleReader {
public:
  explicit ScheduleReader(mlir::MLIRContext *context) : context(context) {}

  /// Reads all layers and nests under `root`, or `root` itself. Emits the
  /// diagnostic if a layer has no mapping, or two differ in their cost model.
  llvm::LogicalResult read(mlir::Operation *root);

  /// Without edges; operands only of groups, as far as their layers share them.
  Network network;
  std::vector<std::string> functions; ///< per layer, where it stands
  Schedule schedule;
  /// Of all layers; null if there are none.
  ir::DifferentiableCost model;

private:
  llvm::LogicalResult addGroup(llvm::ArrayRef<ir::LayerOp> layers);
  llvm::LogicalResult addNest(ir::LoopNestOp nest);
  llvm::LogicalResult add(mlir::Operation *op, const Layer &layer,
                          ir::MappingAttr mapping, ir::DifferentiableCost cost);

  /// The group of the layers added last, and what these share, numbered as if
  /// there were no others.
  void add(ir::GroupValues values, bool isAlone);

  mlir::MLIRContext *context;
  /// While reading, tensors that no layer makes have numbers from here on.
  static constexpr unsigned kFirstOutside = 1u << 30;
  unsigned nextOutside = kFirstOutside;
};

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_SCHEDULEREADER_H
