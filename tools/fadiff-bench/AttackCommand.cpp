//===- AttackCommand.cpp - fadiff-bench attack ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Attack.h"
#include "fadiff/Transforms/Options.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("attack",
                       "Anneals over legal schedules of random networks to "
                       "get below the search's bounds",
                       run);

static cl::opt<uint64_t> cells("cells", cl::value_desc("n"),
                               cl::desc("Networks, machines and objectives"),
                               cl::init(100), cl::sub(command.sub),
                               cl::cat(benchCategory()));
static cl::opt<uint64_t> first("first", cl::value_desc("n"),
                               cl::desc("The number of the first cell"),
                               cl::init(0), cl::sub(command.sub),
                               cl::cat(benchCategory()));
static cl::opt<uint64_t> steps("steps", cl::value_desc("n"),
                               cl::desc("Changes that are tried from each "
                                        "start"),
                               cl::init(20000), cl::sub(command.sub),
                               cl::cat(benchCategory()));
static cl::opt<uint64_t> seed("seed", cl::value_desc("n"),
                              cl::desc("Of the cells"), cl::init(0),
                              cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<unsigned> threads("threads", cl::value_desc("n"),
                                 cl::desc("Threads (default 1)"), cl::init(1),
                                 cl::sub(command.sub),
                                 cl::cat(benchCategory()));

static cl::opt<Latency>
    latency("latency", cl::desc("How cycles are predicted"),
            cl::values(clEnumValN(Latency::Roofline, "roofline",
                                  "bandwidths only (default)"),
                       clEnumValN(Latency::Issue, "issue",
                                  "bandwidths, and the core that issues the "
                                  "commands"),
                       clEnumValN(Latency::Busy, "busy",
                                  "these, and the requests of the DMA"),
                       clEnumValN(Latency::Streams, "streams",
                                  "what the emitted streams take")),
            cl::init(Latency::Roofline), cl::sub(command.sub),
            cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  AttackOptions options;
  options.cells = cells;
  options.first = first;
  options.steps = steps;
  options.seed = seed;
  options.threads = threads;
  options.latency = latency;
  llvm::Expected<std::vector<AttackOutcome>> outcomes = attack(options);
  if (!outcomes)
    return outcomes.takeError();
  return toJson(*outcomes);
}
