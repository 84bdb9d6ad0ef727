//===- Options.h - What several subcommands take ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_FADIFF_BENCH_OPTIONS_H
#define FADIFF_TOOLS_FADIFF_BENCH_OPTIONS_H

#include "Command.h"

#include "fadiff/Transforms/Options.h"

#include <algorithm>
#include <string>
#include <vector>

namespace fadiff {

/// Networks by name, machines, threads.
struct CellOptions {
  explicit CellOptions(Command &command)
      : networks("network", llvm::cl::value_desc("name"),
                 llvm::cl::desc("Only these networks"),
                 llvm::cl::CommaSeparated, llvm::cl::sub(command.sub),
                 llvm::cl::cat(benchCategory())),
        machines("target", llvm::cl::value_desc("name|file"),
                 llvm::cl::desc("Only these machines"),
                 llvm::cl::CommaSeparated, llvm::cl::sub(command.sub),
                 llvm::cl::cat(benchCategory())),
        threads("threads", llvm::cl::value_desc("n"),
                llvm::cl::desc("Threads of each run (default 1)"),
                llvm::cl::init(1), llvm::cl::sub(command.sub),
                llvm::cl::cat(benchCategory())) {}

  /// For options with members of these names.
  template <typename OptionsT> void apply(OptionsT &options) const {
    options.networks.assign(networks.begin(), networks.end());
    options.machines.assign(machines.begin(), machines.end());
    options.threads = std::max(1u, threads.getValue());
  }

private:
  llvm::cl::list<std::string> networks, machines;
  llvm::cl::opt<unsigned> threads;
};

/// Network files, machines, limit of each search.
struct EmittedOptions {
  explicit EmittedOptions(Command &command)
      : files(llvm::cl::Positional, llvm::cl::OneOrMore,
              llvm::cl::desc("<network.mlir>..."), llvm::cl::sub(command.sub),
              llvm::cl::cat(benchCategory())),
        targets("target", llvm::cl::value_desc("name|file"),
                llvm::cl::CommaSeparated,
                llvm::cl::desc("Machines (default: gemmini-large, "
                               "gemmini-small, gemmini)"),
                llvm::cl::sub(command.sub), llvm::cl::cat(benchCategory())),
        limitText("time-limit", llvm::cl::value_desc("duration"),
                  llvm::cl::desc("Limit of each search (default 0s: until it "
                                 "ends by itself)"),
                  llvm::cl::init("0s"), llvm::cl::sub(command.sub),
                  llvm::cl::cat(benchCategory())),
        loopWs("loop-ws", llvm::cl::value_desc("auto|on|off"),
               llvm::cl::desc("Whether layers alone are run by Gemmini's "
                              "matmul loop (default off)"),
               llvm::cl::init(LoopUnitUse::Off), llvm::cl::sub(command.sub),
               llvm::cl::cat(benchCategory())) {}

  llvm::cl::list<std::string> files, targets;
  llvm::cl::opt<std::string> limitText;
  llvm::cl::opt<LoopUnitUse> loopWs;
};

} // namespace fadiff

#endif // FADIFF_TOOLS_FADIFF_BENCH_OPTIONS_H
