//===- LibraryCommand.cpp - fadiff-bench library --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Heuristic.h"
#include "fadiff/Hardware/KnownTargets.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("library",
                       "What the programs of Gemmini's library take for whole "
                       "networks on the simulator",
                       run);

static cl::list<std::string>
    names("network", cl::value_desc("name"), cl::CommaSeparated,
          cl::desc("Networks (default: resnet18, mobilenetv1)"),
          cl::sub(command.sub), cl::cat(benchCategory()));
static cl::list<std::string> targets("target", cl::value_desc("name|file"),
                                     cl::CommaSeparated,
                                     cl::desc("Machines (default: gemmini)"),
                                     cl::sub(command.sub),
                                     cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  std::vector<llvm::StringRef> networks(names.begin(), names.end()),
      machines(targets.begin(), targets.end());
  if (networks.empty())
    networks = {"resnet18", "mobilenetv1"};
  if (machines.empty())
    machines = {"gemmini"};
  llvm::json::Array entries;
  for (llvm::StringRef name : machines) {
    llvm::Expected<Accelerator> machine = findTarget(name);
    if (!machine)
      return machine.takeError();
    auto times = timeLibraryNetworks(networks, *machine);
    if (!times)
      return times.takeError();
    for (llvm::json::Value &entry : *times)
      entries.push_back(std::move(entry));
  }
  return llvm::json::Object{{"library", std::move(entries)}};
}
