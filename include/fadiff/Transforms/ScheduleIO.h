//===- ScheduleIO.h - Schedules between files and IR ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_SCHEDULEIO_H
#define FADIFF_TRANSFORMS_SCHEDULEIO_H

#include "fadiff/CostModel/ScheduleFile.h"
#include "mlir/IR/BuiltinOps.h"

namespace fadiff {

/// Writes the file's mappings, their cost and its groups on the layers of
/// `module`, which must be exactly those of the file by function, name and
/// shape. A module without a target gets the file's; another target is an
/// error. Emits the diagnostic on failure.
llvm::LogicalResult applyScheduleFile(mlir::ModuleOp module,
                                      const ScheduleFile &file);

/// Writes the schedule of the mapped layers or loop nests of `module` as JSON.
/// Emits the diagnostic on failure.
llvm::LogicalResult exportSchedule(mlir::ModuleOp module,
                                   llvm::raw_ostream &os);

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_SCHEDULEIO_H
