//===- Defines.cpp - Scoring against DeFiNES ------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Defines.h"

#include "fadiff/Bench/Statistics.h"
#include "fadiff/Support/Schema.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static constexpr int64_t kMaxExtent = 1 << 16;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class Reader {
public:
  Reader(const json::Value &document, StringRef file)
      : complaints(file), root(complaints, document) {}

  llvm::Expected<DefinesData> run() {
    for (const auto &[name, field] : root["accelerators"].members()) {
      machineIndex[name] = static_cast<unsigned>(data.accelerators.size());
      data.accelerators.push_back(machine(name, field));
    }
    for (const auto &[name, field] : root["stacks"].members()) {
      stackIndex[name] = static_cast<unsigned>(data.stacks.size());
      data.stackNames.push_back(name);
      data.stacks.push_back(stack(name, field));
    }
    if (!complaints.any())
      for (const JsonField &field : root["points"].elements()) {
        data.points.push_back(point(field));
        if (complaints.any())
          break;
      }
    if (llvm::Error error = complaints.take())
      return error;
    return std::move(data);
  }

private:
  Accelerator machine(StringRef name, const JsonField &field) {
    Accelerator target;
    target.name = name.str();
    std::vector<JsonField> array = field["array"].elements(2);
    target.side = array[0].integer(1, kMaxExtent);
    if (array[1].integer(1, kMaxExtent) != target.side)
      array[1].complain("as many columns as rows (" + Twine(target.side) + ")");
    target.scratchpadBytes = 1024 * field["spad_KB"].integer(1, 1 << 24);
    target.accumulatorBytes = 1024 * field["acc_KB"].integer(1, 1 << 24);
    JsonField energy = field["epa_pJ"];
    target.energyPerMac = energy["mac"].number(0);
    target.energyPerAccess[Level::Registers] = energy["reg"].number(0);
    target.energyPerAccess[Level::Accumulator] = energy["acc"].number(0);
    target.energyPerAccess[Level::Scratchpad] = energy["spad"].number(0);
    target.energyPerAccess[Level::Dram] = energy["dram"].number(0);
    JsonField bandwidth = field["bw_elems_per_cycle"];
    auto ports = [&](StringRef read, StringRef write) {
      double words = positive(bandwidth[read]);
      if (positive(bandwidth[write]) != words)
        bandwidth[write].complain("the same as " + read);
      return 2 * words;
    };
    target.bandwidth[Level::Scratchpad] = ports("spad_read", "spad_write");
    // The file gives all columns together, the record one of them.
    target.bandwidth[Level::Accumulator] =
        ports("acc_read", "acc_write") / double(target.side);
    target.bandwidth[Level::Dram] = positive(bandwidth["dram_shared"]);
    return target;
  }

  static double positive(const JsonField &field) {
    double value = field.number(0);
    if (value == 0)
      field.complain("a positive number");
    return value;
  }

  FusedStack stack(StringRef name, const JsonField &field) {
    FusedStack result;
    for (const JsonField &entry : field["layers"].elements()) {
      Layer layer;
      layer.name = (name + "." + Twine(result.layers.size() + 1)).str();
      StringRef kind = entry["kind"].string();
      int64_t in = entry["cin"].integer(1, kMaxExtent);
      int64_t out = entry["cout"].integer(1, kMaxExtent);
      if (kind == "dw") {
        layer.dims[Dim::G] = in;
        if (out != in)
          entry["cout"].complain(Twine(in) + ", as many as cin");
      } else if (kind == "pw" || kind == "conv") {
        layer.dims[Dim::C] = in;
        layer.dims[Dim::K] = out;
      } else {
        entry["kind"].complain("dw, pw or conv");
      }
      int64_t taps = entry["k"].integer(1, kMaxExtent);
      int64_t stride = entry["stride"].integer(1, kMaxExtent);
      int64_t extent = entry["out_hw"].integer(1, kMaxExtent);
      int64_t inputs = entry["in_hw"].integer(1, kMaxExtent);
      for (Axis axis : kAllAxes) {
        layer.dims[outputDim(axis)] = extent;
        layer.dims[kernelDim(axis)] = taps;
        layer.stride[axis] = stride;
        layer.inputExtent[axis] = inputs;
      }
      int64_t wanted = layer.window(Axis::H, extent, taps);
      if (!complaints.any() && inputs != wanted)
        entry["in_hw"].complain(Twine(wanted) +
                                ", what out_hw, k and stride come to");
      result.layers.push_back(layer);
    }
    if (!complaints.any())
      if (llvm::Error error = verify(
              result, StackChoice<double>::fused(result, 1), Accelerator()))
        field.complain("a chain of layers (" +
                       llvm::toString(std::move(error)) + ")");
    return result;
  }

  unsigned lookUp(const JsonField &field,
                  const std::map<std::string, unsigned> &index) {
    auto found = index.find(field.string().str());
    if (found != index.end())
      return found->second;
    field.complain("a name that the file defines");
    return 0;
  }

  DefinesPoint point(const JsonField &field) {
    DefinesPoint result;
    result.stack = lookUp(field["stack"], stackIndex);
    result.accelerator = lookUp(field["accelerator"], machineIndex);
    StringRef mode = field["mode"].string();
    result.fused = mode != "layer_by_layer";
    // "h" is along the width: a tile's left neighbour.
    result.cached[Axis::W] =
        mode == "h_cached_v_recompute" || mode == "fully_cached";
    result.cached[Axis::H] = mode == "fully_cached";
    if (result.fused && mode != "fully_recompute" && !result.cached[Axis::W])
      field["mode"].complain("layer_by_layer, fully_recompute, "
                             "h_cached_v_recompute or fully_cached");
    if (complaints.any())
      return result;
    const Layer &last = data.stacks[result.stack].layers.back();
    result.tile[Axis::H] = field["tile_y"].integer(1, last.dims[Dim::P]);
    result.tile[Axis::W] = field["tile_x"].integer(1, last.dims[Dim::Q]);
    result.canonical = field["canonical"].boolean();
    result.onChip = field["intermediate_on_chip"].boolean();
    result.resident = field["weights_resident"].boolean();
    result.macs = double(field["macs"].integer(1, kMaxExact));
    result.dramBytes = double(field["dram_total"].integer(0, kMaxExact));
    result.energy = positive(field["energy_pJ"]);
    result.cycles = positive(field["latency_cyc"]);
    return result;
  }

  Complaints complaints;
  JsonField root;
  DefinesData data;
  std::map<std::string, unsigned> machineIndex, stackIndex;
};
} // namespace

llvm::Expected<DefinesData> fadiff::readDefines(StringRef text,
                                                StringRef file) {
  llvm::Expected<json::Value> document = parseJson(text, file);
  if (!document)
    return document.takeError();
  return Reader(*document, file).run();
}

//===----------------------------------------------------------------------===//
// Scoring
//===----------------------------------------------------------------------===//

StackCost fadiff::evaluatePoint(const DefinesData &data,
                                const DefinesPoint &point) {
  const FusedStack &stack = data.stacks[point.stack];
  const Accelerator &target = data.accelerators[point.accelerator];
  auto choice = StackChoice<double>::fused(stack, target.side);
  for (Axis axis : kAllAxes) {
    choice.tile[axis] = double(point.tile[axis]);
    for (PerAxis<double> &keep : choice.keep)
      keep[axis] = point.cached[axis] ? 1 : 0;
  }
  chooseResidency(stack, choice, target, Convention::Timeloop);
  return evaluateStack(stack, choice, target, Convention::Timeloop);
}

namespace {
/// The fused canonical on-chip points of one stack on one accelerator.
struct Series {
  std::vector<double> energy, cycles, edp;
  std::vector<double> energyReference, cyclesReference, edpReference;

  /// How much worse the model's pick is than the best point.
  double regret() const {
    size_t pick = llvm::min_element(edp) - edp.begin();
    return edpReference[pick] / *llvm::min_element(edpReference) - 1;
  }
};

struct Mean {
  double sum = 0, most = 0;
  unsigned count = 0;
  void add(std::optional<double> value) {
    if (!value)
      return;
    sum += *value;
    most = count ? std::max(most, *value) : *value;
    ++count;
  }
  std::optional<double> mean() const {
    return count ? std::optional<double>(sum / count) : std::nullopt;
  }
  std::optional<double> max() const {
    return count ? std::optional<double>(most) : std::nullopt;
  }
};
} // namespace

json::Object fadiff::scoreDefines(const DefinesData &data) {
  unsigned fused = 0, macsExact = 0;
  unsigned eligible = 0, dramExact = 0, streamed = 0, streamedExact = 0;
  unsigned onChip = 0, fits = 0;
  std::map<std::pair<unsigned, unsigned>, Series> series;
  for (const DefinesPoint &point : data.points) {
    if (!point.fused)
      continue;
    StackCost cost = evaluatePoint(data, point);
    ++fused;
    macsExact += cost.macs == point.macs;
    if (!point.onChip)
      continue;
    ++onChip;
    fits += cost.scratchpadBytes <=
            double(data.accelerators[point.accelerator].scratchpadBytes);
    bool equal = cost.dramBytes.total() == point.dramBytes;
    (point.resident ? eligible : streamed) += 1;
    (point.resident ? dramExact : streamedExact) += equal;
    if (!point.canonical)
      continue;
    Series &s = series[{point.accelerator, point.stack}];
    s.energy.push_back(cost.energy);
    s.cycles.push_back(cost.cycles);
    s.edp.push_back(cost.energy * cost.cycles);
    s.energyReference.push_back(point.energy);
    s.cyclesReference.push_back(point.cycles);
    s.edpReference.push_back(point.energy * point.cycles);
  }

  json::Object accelerators;
  for (unsigned a = 0; a < data.accelerators.size(); ++a) {
    Mean energy, cycles, edp, regret;
    unsigned points = 0;
    json::Object stacks;
    for (const auto &[key, s] : series) {
      if (key.first != a)
        continue;
      auto energyTau = kendallTau(s.energy, s.energyReference);
      auto cyclesTau = kendallTau(s.cycles, s.cyclesReference);
      auto edpTau = kendallTau(s.edp, s.edpReference);
      energy.add(energyTau);
      cycles.add(cyclesTau);
      edp.add(edpTau);
      regret.add(s.regret());
      points += s.energy.size();
      stacks[data.stackNames[key.second]] =
          json::Object{{"points", s.energy.size()},
                       {"energy_tau", energyTau},
                       {"latency_tau", cyclesTau},
                       {"edp_tau", edpTau},
                       {"edp_regret", s.regret()}};
    }
    accelerators[data.accelerators[a].name] =
        json::Object{{"points", points},
                     {"energy_tau", energy.mean()},
                     {"latency_tau", cycles.mean()},
                     {"edp_tau", edp.mean()},
                     {"edp_regret_mean", regret.mean()},
                     {"edp_regret_max", regret.max()},
                     {"stacks", std::move(stacks)}};
  }
  return json::Object{
      {"points", data.points.size()},
      {"points_fused", fused},
      {"points_on_chip", onChip},
      {"points_on_chip_predicted_to_fit", fits},
      {"macs_exact", macsExact},
      {"macs_eligible", fused},
      {"dram_exact", dramExact},
      {"dram_eligible", eligible},
      {"dram_exact_streamed_weights", streamedExact},
      {"dram_streamed_weights", streamed},
      {"accelerators", std::move(accelerators)},
  };
}
