//===- ThroughputCommand.cpp - fadiff-bench throughput --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Networks.h"
#include "fadiff/Bench/Throughput.h"
#include "fadiff/Hardware/KnownTargets.h"

#include <cmath>

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command
    command("throughput",
            "Mappings per second of one core, on the layers of ResNet18", run);

static cl::opt<std::string> targetName("target", cl::value_desc("name|file"),
                                       cl::desc("The machine"),
                                       cl::init("gemmini"),
                                       cl::sub(command.sub),
                                       cl::cat(benchCategory()));
static cl::opt<unsigned> perLayer("mappings", cl::value_desc("n"),
                                  cl::desc("Random mappings of each layer"),
                                  cl::init(16), cl::sub(command.sub),
                                  cl::cat(benchCategory()));
static cl::opt<uint64_t> seed("seed", cl::value_desc("n"),
                              cl::desc("Seed of the random mappings"),
                              cl::init(0), cl::sub(command.sub),
                              cl::cat(benchCategory()));
static cl::opt<double> seconds("seconds", cl::value_desc("s"),
                               cl::desc("Time for each figure"), cl::init(1),
                               cl::sub(command.sub), cl::cat(benchCategory()));
static cl::list<std::string>
    networks("networks", cl::value_desc("name,..."),
             cl::desc("Also whole schedules of these networks, with what each\n"
                      "number of the machine is worth (default none)"),
             cl::CommaSeparated, cl::sub(command.sub),
             cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  if (perLayer == 0)
    return llvm::createStringError("--mappings: wanted at least 1, found 0");
  if (!std::isfinite(seconds) || seconds < 0 || seconds > 3600)
    return llvm::createStringError(
        llvm::formatv("--seconds: wanted 0 to 3600, found {0}",
                      seconds.getValue())
            .str());
  llvm::Expected<Accelerator> target = findTarget(targetName);
  if (!target)
    return target.takeError();
  llvm::json::Object schedules;
  for (const std::string &name : networks) {
    llvm::Expected<Network> network = benchNetwork(name);
    if (!network)
      return network.takeError();
    llvm::Expected<llvm::json::Object> worth =
        measureWorth(*network, *target, seconds);
    if (!worth)
      return worth.takeError();
    schedules[name] = std::move(*worth);
  }
  std::vector<Layer> layers = resnet18Layers();
  auto samples = sampleMappings(layers, *target, perLayer, seed);
  if (!samples)
    return samples.takeError();
  llvm::json::Object result{
      {"network", "resnet18"},
      {"target", target->name},
      {"layers", layers.size()},
      {"mappings", samples->size()},
      {"seconds_per_figure", seconds.getValue()},
      {"machine",
       measureThroughput(*samples, *target, Convention::Machine, seconds)},
      {"timeloop",
       measureThroughput(*samples, *target, Convention::Timeloop, seconds)},
  };
  if (!networks.empty())
    result["schedules"] = std::move(schedules);
  return std::move(result);
}
