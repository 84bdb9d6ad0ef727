//===- Command.h - A subcommand of fadiff-bench -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A subcommand lives in one file: a Command object of static storage, and its
// options with cl::sub(command.sub). That file and its line in CMakeLists.txt
// are all that there is to add.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_FADIFF_BENCH_COMMAND_H
#define FADIFF_TOOLS_FADIFF_BENCH_COMMAND_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace fadiff {

class Command {
public:
  /// The result of `run` is the JSON object on standard output.
  using Run = llvm::Expected<llvm::json::Object> (*)();
  Command(llvm::StringRef name, llvm::StringRef description, Run run)
      : sub(name, description), run(run), next(first()) {
    first() = this;
  }
  Command(const Command &) = delete;
  Command &operator=(const Command &) = delete;

  llvm::cl::SubCommand sub;
  const Run run;
  /// The commands form a list, as other files' statics may come first.
  Command *const next;
  static Command *&first() {
    static Command *head = nullptr;
    return head;
  }
};

/// The key of a result under which a command counts what it could not take; the
/// exit code is 1 unless that is 0, or there is no such key.
inline constexpr llvm::StringLiteral kRefused = "refused";

/// The category that --help shows.
llvm::cl::OptionCategory &benchCategory();

} // namespace fadiff

#endif // FADIFF_TOOLS_FADIFF_BENCH_COMMAND_H
