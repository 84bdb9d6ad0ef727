//===- ScoreModule.h - What a module takes on a machine ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_SCOREMODULE_H
#define FADIFF_TRANSFORMS_SCOREMODULE_H

#include "fadiff/Codesign/Codesign.h"
#include "fadiff/Transforms/Options.h"
#include "mlir/IR/BuiltinOps.h"

namespace fadiff {

/// Searches a copy of `module`, whose layers are formed, on `machine`. Fails,
/// with the first diagnostic, if the search does, if a layer fits no mapping
/// there, or unless one function has layers. Diagnostics are not shown.
llvm::Expected<NetworkScore> scoreModule(mlir::ModuleOp module,
                                         const Accelerator &machine,
                                         const SearchOptions &options,
                                         Packing pack);

/// Whether the time of the module's cost model has no bound of its own, so that
/// boundModule() takes less work than scoreModule().
bool isBoundedApart(mlir::ModuleOp module);

/// What no schedule in the time of the emitted streams is below: the search by
/// the roofline, below which they predict no time. Fails as scoreModule() does.
llvm::Expected<NetworkScore> boundModule(mlir::ModuleOp module,
                                         const Accelerator &machine,
                                         const SearchOptions &options,
                                         Packing pack);

/// Descends on the mappings of `modules`, whose layers are formed and stay as
/// they are, and on a machine at once; where the time is that of the streams,
/// by the roofline. Fails, with the first diagnostic, if a layer fits no
/// mapping at the machine's start, or unless one function of each module has
/// layers.
llvm::Expected<JointPoint> relaxModules(llvm::ArrayRef<mlir::ModuleOp> modules,
                                        const MovingMachine &machine,
                                        const SearchOptions &options);

/// Reads "1.15mm2" or "1.15" in mm2.
llvm::Expected<double> parseArea(llvm::StringRef text);
/// Reads "250mW" or "250" in mW.
llvm::Expected<double> parsePower(llvm::StringRef text);

/// Writes a front: a page if `path` ends in .html, else JSON.
llvm::Error writeFrontFile(llvm::StringRef path, llvm::json::Object document);

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_SCOREMODULE_H
