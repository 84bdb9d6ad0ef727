//===- GrowthCommand.cpp - fadiff-bench growth ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Growth.h"
#include "fadiff/Hardware/KnownTargets.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("growth",
                       "Time and memory for chains of 10, 100 and 1000 layers",
                       run);

static cl::list<unsigned> lengths("lengths", cl::value_desc("n,..."),
                                  cl::desc("Layers of the chains, 1 to 1000\n"
                                           "(default 10,100,1000)"),
                                  cl::CommaSeparated, cl::sub(command.sub),
                                  cl::cat(benchCategory()));
static cl::opt<std::string> targetName("target", cl::value_desc("name|file"),
                                       cl::desc("The machine (default "
                                                "gemmini-large)"),
                                       cl::init("gemmini-large"),
                                       cl::sub(command.sub),
                                       cl::cat(benchCategory()));
static cl::opt<unsigned> starts("starts", cl::value_desc("n"),
                                cl::desc("Descents (default: the search's)"),
                                cl::init(0), cl::sub(command.sub),
                                cl::cat(benchCategory()));
static cl::opt<unsigned>
    steps("steps", cl::value_desc("n"),
          cl::desc("Steps of each (default: the search's)"), cl::init(0),
          cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<unsigned> threads("threads", cl::value_desc("n"),
                                 cl::desc("Threads (default 1)"), cl::init(1),
                                 cl::sub(command.sub),
                                 cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  llvm::Expected<Accelerator> target = findTarget(targetName);
  if (!target)
    return target.takeError();
  GrowthOptions options;
  options.target = *target;
  if (!lengths.empty())
    options.lengths.assign(lengths.begin(), lengths.end());
  if (starts)
    options.search.gradient.starts = starts;
  if (steps)
    options.search.gradient.steps = steps;
  options.search.threads = std::max(1u, threads.getValue());
  llvm::Expected<std::vector<GrowthPoint>> points = runGrowth(options);
  if (!points)
    return points.takeError();
  return toJson(*points);
}
