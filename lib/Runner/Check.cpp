//===- Check.cpp - Predicted counts against simulated ones ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/Scheduled.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <tuple>

using namespace fadiff;

namespace {
/// One number that model and simulator both count.
struct Count {
  std::string name;
  llvm::StringRef unit;
  int64_t predicted, found;
};
} // namespace

/// What the loads into the accumulator are.
static std::string sumsOf(const DramBytes &dram) {
  llvm::SmallVector<llvm::StringRef> names;
  if (dram.residual > 0)
    names.push_back("residual");
  if (dram.partialReads > 0)
    names.push_back("partial sums");
  if (dram.scales > 0)
    names.push_back("scales");
  if (dram.bias > 0 || names.empty())
    names.insert(names.begin(), "bias");
  return llvm::join(names, " and ");
}

/// A mvin's instruction says which operand it loads; see Counters.h. `trips`:
/// runs of the group, whose counts are of one.
static std::vector<Count> countsOf(const GroupCost &group, int64_t trips,
                                   const sim::Counters &found) {
  double macs = 0, spadWrites = 0;
  for (const LayerCost &member : group.members) {
    const auto &spad = member.access[Level::Scratchpad];
    macs += member.arrayMacs;
    spadWrites +=
        spad[Tensor::W].fills + spad[Tensor::I].fills + spad[Tensor::O].updates;
  }
  const DramBytes &dram = group.dramBytes;
  auto whole = [trips](double value) { return std::llround(value) * trips; };
  return {
      {"loops around it", "runs", trips, found.runs},
      {"input", "DRAM bytes read", whole(dram.input + dram.padding),
       found.dramBytesByMvin[0]},
      {"weights", "DRAM bytes read", whole(dram.weights),
       found.dramBytesByMvin[1]},
      {sumsOf(dram), "DRAM bytes read",
       whole(dram.bias + dram.residual + dram.partialReads + dram.scales),
       found.dramBytesByMvin[2]},
      {"output", "DRAM bytes written", whole(dram.outputWrites),
       found.dramBytesWritten},
      {"array", "multiply-accumulates", whole(macs), found.macs},
      {"scratchpad", "elements written, zeros left out", whole(spadWrites),
       found.scratchpadWrites - found.scratchpadZeros},
  };
}

bool fadiff::checkPredictions(llvm::raw_ostream &os, llvm::raw_ostream &errors,
                              llvm::ArrayRef<NestPrediction> predicted,
                              const sim::Machine &machine) {
  const std::unique_ptr<CostFunction> busyUnits =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Busy);
  bool equal = true;
  unsigned checked = 0, unpredicted = 0;
  double modelCycles = 0, modelAccumulator = 0, modelReads = 0;
  sim::Counters sum;
  for (size_t region = 0; region < predicted.size(); ++region) {
    const NestPrediction &nest = predicted[region];
    if (!nest.counts) {
      errors << "error: check: group '" << nest.name
             << "' carries no mapping to predict from; search, or write one\n";
      equal = false;
      continue;
    }
    ++checked;
    sim::Counters found = machine.counters(int64_t(region));
    // Where the trips are not known, each is checked.
    const int64_t trips = nest.tripsAreKnown ? nest.trips : found.runs;
    unpredicted += !nest.tripsAreKnown;
    for (const Count &count : countsOf(*nest.counts, trips, found)) {
      if (count.predicted == count.found)
        continue;
      equal = false;
      errors << "error: check: group '" << nest.name << "', " << count.name
             << ": predicted " << count.predicted << ' ' << count.unit
             << ", found " << count.found << '\n';
    }
    // Eq. (commands): a program issues no fewer.
    double least = 0;
    for (const LayerCost &member : nest.counts->members)
      least += member.commands * double(trips);
    if (!nest.byLoop && least > double(found.coreCommands()) * (1 + 1e-9)) {
      equal = false;
      errors << "error: check: group '" << nest.name
             << "', commands: predicted at least "
             << llvm::formatv("{0:f1}", least) << ", found "
             << found.coreCommands() << '\n';
    }
    // Eqs. (requests) and (visits): the reader is busy no less, and nothing
    // ends before the writer, or before what units are certain to take.
    double reader = 0, writer = 0, open = 0;
    for (const LayerCost &member : nest.counts->members) {
      reader += member.readerCycles * double(trips);
      writer += member.writerCycles * double(trips);
      open += member.openCycles * double(trips);
    }
    // The matmul loop takes the whole array, whatever the mapping says.
    double units = 0;
    if (!nest.byLoop && !nest.schedule.groups.empty())
      for (const MemberCost &member :
           evaluateGroup(nest.network, nest.schedule,
                         nest.schedule.groups.front(), machine.accelerator(),
                         *busyUnits)
               .members)
        units += member.certainCycles * double(trips);
    for (auto [name, least, busy] :
         {std::tuple("the DMA's reader", reader, found.loadBusyCycles),
          {"the DMA's writer", writer, found.cycles},
          {"open loads", open, found.cycles},
          {"all units", units, found.cycles}}) {
      if (least <= double(busy) * (1 + 1e-9))
        continue;
      equal = false;
      errors << "error: check: group '" << nest.name << "': predicted "
             << llvm::formatv("{0:f1}", least) << " cycles of " << name
             << " at least, found " << busy << '\n';
    }
    modelCycles += nest.known ? nest.cycles * nest.unpredictedTrips(found)
                              : nest.counts->cycles * double(trips);
    sum += found;
    for (const LayerCost &member : nest.counts->members) {
      const auto &spad = member.access[Level::Scratchpad];
      modelReads +=
          double(trips) * (spad[Tensor::W].reads + spad[Tensor::I].reads);
      modelAccumulator += double(trips) * member.accesses(Level::Accumulator);
    }
  }
  auto ratio = [](double found, double predicted) {
    return predicted > 0 ? llvm::formatv("{0:f3}", found / predicted).str()
                         : std::string("-");
  };
  os << "check: " << checked << " groups, DRAM bytes per tensor, "
     << "multiply-accumulates and scratchpad writes "
     << (equal ? "equal" : "NOT equal")
     << "; simulated / predicted: scratchpad reads "
     << ratio(double(sum.scratchpadReads), modelReads) << ", accumulator "
     << ratio(double(sum.accumulatorReads + sum.accumulatorWrites),
              modelAccumulator)
     << ", cycles " << ratio(double(sum.cycles), modelCycles) << '\n';
  if (unpredicted)
    os << "check: of " << unpredicted
       << " groups in loops whose trips were not known, each run was compared, "
          "not their number\n";
  return equal;
}
