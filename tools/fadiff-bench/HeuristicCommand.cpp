//===- HeuristicCommand.cpp - fadiff-bench heuristic ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Heuristic.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Support/Files.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("heuristic",
                       "The peer's tiles against recorded ones, and its DRAM "
                       "bytes per network",
                       run);

static cl::opt<std::string> file(cl::Positional, cl::desc("[<layers.csv>]"),
                                 cl::init(""), cl::sub(command.sub),
                                 cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  std::vector<Accelerator> machines;
  for (llvm::StringRef name : {"gemmini-large", "gemmini-small", "gemmini"}) {
    llvm::Expected<Accelerator> machine = findTarget(name);
    if (!machine)
      return machine.takeError();
    machines.push_back(*machine);
  }
  auto result = compareHeuristicTraffic(machines);
  if (!result || file.empty())
    return result;
  auto buffer = openInput(file, kMostRecordBytes);
  if (!buffer)
    return buffer.takeError();
  // Recorded tiles are always those of the stock machine.
  const Accelerator &stock = machines.back();
  auto points = readFiresim((*buffer)->getBuffer(), file, stock);
  if (!points)
    return points.takeError();
  (*result)["tiles"] = scoreHeuristicTiles(*points, stock);
  return result;
}
