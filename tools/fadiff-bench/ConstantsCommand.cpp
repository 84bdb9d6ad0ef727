//===- ConstantsCommand.cpp - fadiff-bench constants ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "fadiff/Bench/Constants.h"

#include "llvm/Support/raw_ostream.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command
    command("constants",
            "The gap to the optimum as the search's constants change", run);

static cl::list<std::string> constants("constant", cl::value_desc("name"),
                                       cl::desc("Only these"),
                                       cl::CommaSeparated, cl::sub(command.sub),
                                       cl::cat(benchCategory()));
static CellOptions cells(command);
static cl::opt<unsigned> seeds("seeds", cl::value_desc("n"),
                               cl::desc("Seeds 0 to n - 1 (default 2)"),
                               cl::init(2), cl::sub(command.sub),
                               cl::cat(benchCategory()));
static cl::opt<bool> table("table",
                           cl::desc("Print a Markdown table to standard error"),
                           cl::sub(command.sub), cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  ConstantsOptions options;
  options.constants.assign(constants.begin(), constants.end());
  options.seeds = seeds;
  cells.apply(options);
  llvm::Expected<std::vector<ConstantsPoint>> points = runConstants(options);
  if (!points)
    return points.takeError();
  if (table)
    llvm::errs() << toMarkdown(*points);
  return toJson(*points);
}
