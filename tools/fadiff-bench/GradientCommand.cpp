//===- GradientCommand.cpp - fadiff-bench gradient ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Gradient.h"
#include "fadiff/Transforms/Options.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("gradient",
                       "Descents without enumeration against the default "
                       "search, with and without their steps",
                       run);

static cl::opt<uint64_t> cells("cells", cl::value_desc("n"),
                               cl::desc("Random cells, as of attack (default "
                                        "0: five networks on three machines)"),
                               cl::init(0), cl::sub(command.sub),
                               cl::cat(benchCategory()));
static cl::opt<uint64_t> first("first", cl::value_desc("n"),
                               cl::desc("The number of the first cell"),
                               cl::init(0), cl::sub(command.sub),
                               cl::cat(benchCategory()));
static cl::opt<uint64_t> seed("seed", cl::value_desc("n"),
                              cl::desc("Of the cells"), cl::init(0),
                              cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<bool> large("large",
                           cl::desc("Cells that may be too large for "
                                    "enumeration, against all optimisers"),
                           cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<double> seconds("time", cl::value_desc("seconds"),
                               cl::desc("Of each optimiser on a large cell "
                                        "(default 10)"),
                               cl::init(10), cl::sub(command.sub),
                               cl::cat(benchCategory()));
static cl::opt<Latency> latency("latency",
                                cl::value_desc("roofline|issue|streams"),
                                cl::desc("How cycles are counted, but of large "
                                         "cells (default roofline)"),
                                cl::init(Latency::Roofline),
                                cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<unsigned> threads("threads", cl::value_desc("n"),
                                 cl::desc("Threads (default 1)"), cl::init(1),
                                 cl::sub(command.sub),
                                 cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  if (!(seconds > 0))
    return llvm::createStringError("--time: wanted seconds above 0, found " +
                                   llvm::formatv("{0}", seconds.getValue()));
  if (large) {
    if (latency != Latency::Roofline)
      return llvm::createStringError(
          "--latency: wanted 'roofline' with --large, as enumeration is to "
          "have a proof, found '" +
          nameOf(latency.getValue()) + "'; leave one of the two out");
    llvm::Expected<std::vector<LargeCell>> found =
        compareLarge(seed, first, cells, seconds);
    if (!found)
      return found.takeError();
    return toJson(*found);
  }
  GradientComparison options;
  options.networks = cells == 0;
  options.cells = cells;
  options.first = first;
  options.seed = seed;
  options.threads = std::max(1u, threads.getValue());
  options.latency = latency;
  llvm::Expected<std::vector<GradientCell>> found = compareGradient(options);
  if (!found)
    return found.takeError();
  return toJson(*found);
}
