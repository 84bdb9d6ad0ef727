//===- Timeloop.cpp - Scoring against Timeloop ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Timeloop.h"

#include "fadiff/Bench/Statistics.h"
#include "fadiff/CostModel/ScheduleFile.h"
#include "fadiff/Support/Schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Bounds and factors; what they are multiplied to is checked against 2^53.
static constexpr int64_t kMaxFactor = int64_t(1) << 24;

static const CountKind kinds[kNumCounts] = {
    {Level::Registers, Tensor::W, Access::Reads},
    {Level::Registers, Tensor::W, Access::Fills},
    {Level::Accumulator, Tensor::O, Access::Reads},
    {Level::Accumulator, Tensor::O, Access::Fills},
    {Level::Accumulator, Tensor::O, Access::Updates},
    {Level::Scratchpad, Tensor::W, Access::Reads},
    {Level::Scratchpad, Tensor::W, Access::Fills},
    {Level::Scratchpad, Tensor::I, Access::Reads},
    {Level::Scratchpad, Tensor::I, Access::Fills},
    {Level::Dram, Tensor::W, Access::Reads},
    {Level::Dram, Tensor::I, Access::Reads},
    {Level::Dram, Tensor::O, Access::Reads},
    {Level::Dram, Tensor::O, Access::Updates},
};

llvm::ArrayRef<CountKind> fadiff::countKinds() { return kinds; }

static StringRef accessName(Access access) {
  switch (access) {
  case Access::Reads:
    return "reads";
  case Access::Fills:
    return "fills";
  case Access::Updates:
    return "updates";
  }
  return "";
}

static double countOf(const LayerCost &cost, const CountKind &kind) {
  const AccessCounts<double> &counts = cost.access[kind.level][kind.tensor];
  switch (kind.access) {
  case Access::Reads:
    return counts.reads;
  case Access::Fills:
    return counts.fills;
  case Access::Updates:
    return counts.updates;
  }
  return 0;
}

static std::string levelKey(Level level) {
  return ("L" + Twine(static_cast<unsigned>(level))).str();
}
static std::string tensorKey(Tensor tensor) {
  return tensor == Tensor::W ? "W" : tensor == Tensor::I ? "I" : "O";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
struct Machine {
  Accelerator target;
  int64_t registerWords = 1;
};

class Reader {
public:
  Reader(const json::Value &document, StringRef file)
      : complaints(file), root(complaints, document) {}

  llvm::Expected<TimeloopData> run() {
    root["schema_version"].integer(1, 1);
    if (root.has("model") && root["model"].string() != "timeloop")
      root["model"].complain("timeloop, the only way of counting known here");
    for (const auto &[name, field] : root["architectures"].members()) {
      machineIndex[name] = static_cast<unsigned>(machines.size());
      machines.push_back(machine(name, field));
    }
    TimeloopData data;
    for (const Machine &m : machines)
      data.machines.push_back(m.target);
    if (!complaints.any())
      for (const auto &[index, field] :
           llvm::enumerate(root["points"].elements())) {
        complaints.enter("point #" + Twine(index));
        data.points.push_back(point(field));
        if (complaints.any())
          break;
      }
    if (llvm::Error error = complaints.take())
      return error;
    return data;
  }

private:
  Machine machine(StringRef name, const JsonField &field) {
    Machine result;
    Accelerator &target = result.target;
    target.name = name.str();
    int64_t rows = field["pe_rows"].integer(1, kMaxFactor);
    int64_t cols = field["pe_cols"].integer(1, kMaxFactor);
    if (rows != cols)
      field["pe_cols"].complain("as many columns as rows (" + Twine(rows) +
                                ")");
    target.side = rows;
    target.accumulatorBytes =
        4 * field["acc_words_total"].integer(1, kMaxExact / 4);
    target.scratchpadBytes = field["spad_words"].integer(1, kMaxExact);
    result.registerWords = field["reg_words_per_pe"].integer(1, kMaxExact);
    JsonField energy = field["energy_pj"];
    target.energyPerMac = energy["MAC"].number(0);
    JsonField bandwidth = field["bandwidth_words_per_cycle"];
    for (Level level : kAllLevels) {
      target.energyPerAccess[level] = energy[levelKey(level)].number(0);
      JsonField words = bandwidth[levelKey(level)];
      target.bandwidth[level] = words.number(0);
      if (target.bandwidth[level] == 0)
        words.complain("a positive number");
    }
    // The file gives all instances together, the record one of them.
    target.bandwidth[Level::Registers] /= static_cast<double>(rows * cols);
    target.bandwidth[Level::Accumulator] /= static_cast<double>(cols);
    return result;
  }

  TimeloopPoint point(const JsonField &field) {
    TimeloopPoint result;
    result.id = field["id"].string().str();
    complaints.enter("point '" + result.id + "'");
    result.layerType = field["layer_type"].string().str();
    Layer &layer = result.layer;
    layer = readLayer(field);

    StringRef config = field["config"].string();
    auto found = machineIndex.find(config.str());
    if (found == machineIndex.end()) {
      field["config"].complain("the name of one of the architectures");
      return result;
    }
    result.machine = found->second;
    const Machine &machine = machines[result.machine];
    result.mapping = readMapping(field["mapping"], layer);
    if (!complaints.any())
      if (auto mismatch = checkExactMapping(
              layer, result.mapping, machine.target, machine.registerWords))
        complaints.add("mapping: ", *mismatch);
    if (!complaints.any())
      // A schedule file has its own prediction in the same form.
      readReference(field[field.has("predicted") ? "predicted" : "timeloop"],
                    machine.target, result);
    return result;
  }

  void readReference(const JsonField &field, const Accelerator &target,
                     TimeloopPoint &point) {
    JsonField levels = field["levels"];
    // The roofline over what Timeloop counts; see TimeloopPoint::cycles.
    int64_t compute = field["compute_cycles"].integer(1, kMaxExact);
    point.cycles = static_cast<double>(compute);
    const Mapping &mapping = point.mapping;
    for (Level level : kAllLevels) {
      JsonField tensors = levels[levelKey(level)]["tensors"];
      double accesses = 0;
      for (const auto &member : tensors.members()) {
        const JsonField &tensor = member.second;
        for (Access access : {Access::Reads, Access::Fills, Access::Updates}) {
          JsonField count = tensor[accessName(access)];
          int64_t number = count.integer(0, kMaxExact);
          accesses += static_cast<double>(number);
          const CountKind *kind = llvm::find_if(kinds, [&](const CountKind &k) {
            return k.level == level && tensorKey(k.tensor) == member.first &&
                   k.access == access;
          });
          if (kind != std::end(kinds))
            point.counts[kind - kinds] = number;
          else if (number != 0)
            count.complain("0, as this machine makes no such access");
        }
      }
      for (const CountKind &kind : kinds)
        if (kind.level == level && !complaints.any())
          tensors[tensorKey(kind.tensor)];
      double instances = 1;
      if (level == Level::Registers)
        instances = static_cast<double>(mapping.rows * mapping.cols);
      else if (level == Level::Accumulator)
        instances = static_cast<double>(mapping.cols);
      point.cycles = std::max(point.cycles,
                              accesses / (target.bandwidth[level] * instances));
    }
    JsonField printed = field["cycles"];
    point.printedCycles = printed.number(1);
    // Timeloop rounds up what it computes in single precision.
    if (!complaints.any() &&
        std::fabs(point.printedCycles - point.cycles) > 1 + 1e-6 * point.cycles)
      printed.complain(llvm::formatv("{0} within 1, from the accesses and "
                                     "bandwidths in the file",
                                     point.cycles)
                           .str());
    point.energy = field["energy_total_pj"].number(0);
    JsonField macs = field["macs"];
    if (macs.integer(1, kMaxExact) != point.layer.macs())
      macs.complain(Twine(point.layer.macs()) + ", the product of the dims");
  }

  Complaints complaints;
  JsonField root;
  std::vector<Machine> machines;
  std::map<std::string, unsigned> machineIndex;
};
} // namespace

llvm::Expected<TimeloopData> fadiff::readTimeloop(StringRef text,
                                                  StringRef file) {
  llvm::Expected<json::Value> document = parseJson(text, file);
  if (!document)
    return document.takeError();
  return Reader(*document, file).run();
}

//===----------------------------------------------------------------------===//
// Scoring
//===----------------------------------------------------------------------===//

namespace {
struct Series {
  unsigned points = 0, counts = 0, exact = 0;
  double accuracy = 0; ///< sum over `counted`
  unsigned counted = 0;
  std::vector<double> energy, energyReference;
  std::vector<double> cycles, cyclesReference;

  void add(const LayerCost &cost, const TimeloopPoint &point) {
    ++points;
    for (const auto &[kind, wanted] : llvm::zip_equal(kinds, point.counts)) {
      double found = countOf(cost, kind), reference = double(wanted);
      ++counts;
      exact += found == reference;
      if (wanted == 0)
        continue;
      ++counted;
      accuracy += std::max(0.0, 1 - relativeError(found, reference));
    }
    energy.push_back(cost.energy);
    energyReference.push_back(point.energy);
    cycles.push_back(cost.cycles);
    cyclesReference.push_back(point.cycles);
  }

  json::Object report() const {
    std::optional<double> mean;
    if (counted)
      mean = accuracy / counted;
    return json::Object{
        {"points", points},
        {"counts_total", counts},
        {"counts_exact", exact},
        {"access_accuracy", mean},
        {"latency_tau", kendallTau(cycles, cyclesReference)},
        {"energy_tau", kendallTau(energy, energyReference)},
        {"energy_rho", spearmanRho(energy, energyReference)},
        {"latency_max_rel_error", maxRelativeError(cycles, cyclesReference)},
        {"energy_max_rel_error", maxRelativeError(energy, energyReference)},
    };
  }
};
} // namespace

json::Object fadiff::scoreTimeloop(const TimeloopData &data, Model model) {
  Series all;
  std::map<std::string, Series> byType;
  for (const TimeloopPoint &point : data.points) {
    LayerCost cost =
        evaluateLayer(point.layer, point.mapping, data.machines[point.machine],
                      Convention::Timeloop, /*fused=*/{}, model);
    all.add(cost, point);
    byType[point.layerType].add(cost, point);
  }
  json::Object types;
  for (const auto &[name, series] : byType)
    types[name] = series.report();
  json::Object result = all.report();
  result["model"] = nameOf(model);
  result["layer_types"] = std::move(types);
  return result;
}
