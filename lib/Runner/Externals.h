//===- Externals.h - What compiled code may reach of its host ---*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network is data that somebody else has written, and its program runs in
// this process. It gets the functions that lowered networks need and no others,
// and what it does wrong comes back as an error (docs/Frontends.md, "Trust").
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_RUNNER_EXTERNALS_H
#define FADIFF_LIB_RUNNER_EXTERNALS_H

#include "fadiff/Runner/Program.h"

namespace fadiff {

/// Reports inline assembly, calls through pointers that are not of the module,
/// and used symbols without a definition that `options` do not offer, each at
/// its place. `module` is in the LLVM dialect.
mlir::LogicalResult checkExternals(mlir::ModuleOp module,
                                   const ProgramOptions &options);

/// Makes what `options` offer, and no more of the process, known to compiled
/// code.
llvm::Error defineExternals(llvm::orc::LLJIT &jit,
                            const ProgramOptions &options);

/// Calls compiled code. If it runs out of memory, aborts, fails an assertion or
/// is stopped by a signal, frees what it had allocated and says so. Each byte
/// of what it allocates holds `fresh` first, if given.
llvm::Error callProgram(void (*entry)(void **), void **arguments,
                        std::optional<uint8_t> fresh);

} // namespace fadiff

#endif // FADIFF_LIB_RUNNER_EXTERNALS_H
