//===- Tool.h - How every tool begins and ends ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_SUPPORT_TOOL_H
#define FADIFF_TOOLS_SUPPORT_TOOL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/InitLLVM.h"

namespace fadiff {

/// The first object of main(): LLVM's signal handlers, and --version that names
/// FADiff.
class Tool {
public:
  Tool(int &argc, char **&argv);

  /// What main() returns: 0 if all succeeded and all that was printed has
  /// arrived; says so if it has not.
  int exitCode(bool succeeded) const;

private:
  llvm::InitLLVM init;
};

/// Fails if the option was given without a machine, twice, or with one that
/// there is not.
llvm::Error checkTarget(const llvm::cl::opt<std::string> &target);

/// Does `work` on the input called `name`. If that ends in a signal, as some
/// texts end MLIR's own parsers, says so in an error and exits with 1: there is
/// no state left to go on with.
void orExit(llvm::StringRef name, llvm::function_ref<void()> work);

} // namespace fadiff

#endif // FADIFF_TOOLS_SUPPORT_TOOL_H
