//===- Dosa.cpp - Scoring against DOSA's Timeloop runs --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Dosa.h"

#include "fadiff/Bench/Statistics.h"
#include "fadiff/CostModel/Counts.h"
#include "fadiff/Hardware/Design.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static constexpr int64_t kMaxFactor = int64_t(1) << 24;

//===----------------------------------------------------------------------===//
// Mapping strings
//===----------------------------------------------------------------------===//

static Mismatch malformed(const Twine &what, const Twine &wanted,
                          StringRef found) {
  return {what.str(), wanted.str(), ("'" + found + "'").str()};
}

std::optional<Mismatch> fadiff::parseDosaMapping(StringRef text,
                                                 DosaMapping &result) {
  static constexpr StringRef heads[kNumLevels] = {"L0[W]", "L1[O]", "L2[WI]",
                                                  "L3[WIO]"};
  llvm::SmallVector<StringRef> parts;
  text.split(parts, " - ");
  if (parts.size() != kNumLevels)
    return malformed("", "four levels, separated by ' - '", text);

  result = DosaMapping();
  for (const auto &[index, part] : llvm::enumerate(parts)) {
    const Level level = kAllLevels[kNumLevels - 1 - index];
    const StringRef head = heads[static_cast<unsigned>(level)];
    llvm::SmallVector<StringRef> words;
    part.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    if (words.empty() || words[0] != head)
      return malformed(": level #" + Twine(index), "'" + head + "' first",
                       part);
    // Listed loops from the outermost; the others make one trip, anywhere.
    llvm::SmallVector<Dim, kNumDims> outermostFirst;
    PerDim<bool> temporalSeen{false}, spatialSeen{false};
    for (StringRef word : llvm::drop_begin(words)) {
      StringRef rest = word;
      std::optional<Dim> dim = parseDim(std::string_view(rest.take_front(1)));
      rest = rest.drop_front();
      const bool spatial = rest.consume_back("X");
      int64_t factor = 0;
      if (!dim || *dim == Dim::G || rest.getAsInteger(10, factor) ||
          factor < 1 || factor > kMaxFactor)
        return malformed(": " + head,
                         "a dim of N K C P Q R S, a factor, and X if spatial",
                         word);
      bool &seen = (spatial ? spatialSeen : temporalSeen)[*dim];
      if (seen)
        return malformed(": " + head, "each dim once", word);
      seen = true;
      if (!spatial) {
        result.mapping.temporal[level][*dim] = factor;
        outermostFirst.push_back(*dim);
      } else if (level == Level::Scratchpad && *dim == Dim::K) {
        result.mapping.cols = factor;
      } else if (level == Level::Accumulator && *dim == Dim::C) {
        result.mapping.rows = factor;
      } else if (factor > 1) {
        result.unsupported = ("spatial factor of " +
                              Twine(StringRef(word.data(), 1)) + " at " + head)
                                 .str();
      }
    }
    LoopOrder &order = result.mapping.order[level];
    auto *out = std::copy(outermostFirst.rbegin(), outermostFirst.rend(),
                          order.begin());
    for (Dim dim : kAllDims)
      if (!temporalSeen[dim])
        *out++ = dim;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Accelerator fadiff::dosaMachine(int64_t side, int64_t accumulatorBytes,
                                int64_t scratchpadBytes) {
  // The fits of DOSA (Hong et al., MICRO 2023) to Accelergy's numbers are the
  // laws of this design; its sizes are any, not only those that can be built.
  static const Design design = llvm::cantFail(findDesign("gemmini"));
  static const Accelerator stock =
      llvm::cantFail(design.specialize(design.initial()));
  DesignPoint point = design.initial();
  auto set = [&](StringRef parameter, double value) {
    point[*design.parameterNamed(parameter)] = value;
  };
  set("side", double(side));
  set("accumulator_kib", double(accumulatorBytes) / 1024);
  set("scratchpad_kib", double(scratchpadBytes) / 1024);
  Accelerator target;
  target.name = "dosa";
  target.side = side;
  target.accumulatorBytes = accumulatorBytes;
  target.scratchpadBytes = scratchpadBytes;
  target.energyPerMac = stock.energyPerMac;
  target.energyPerAccess = stock.energyPerAccess;
  target.bandwidth = stock.bandwidth;
  visitFields(
      [&](const Field &field, auto &value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
          if (const Law *law = design.lawOf(field.name))
            value = law->evaluate(llvm::ArrayRef(point));
      },
      target);
  return target;
}

DosaRow fadiff::readDosaRow(Complaints &complaints, const CsvTable &table,
                            const CsvTable::Row &row) {
  CsvRow fields(complaints, table, row);
  DosaRow result;
  result.line = row.line;
  if (StringRef shape = fields.text("prob.shape"); shape != "cnn-layer")
    result.unsupported = ("problem shape '" + shape + "'").str();

  Layer &layer = result.layer;
  double macs = 1;
  for (Dim dim : kAllDims) {
    if (dim == Dim::G)
      continue;
    layer.dims[dim] =
        fields.integer(std::string("prob.") + dimName(dim), 1, kMaxFactor);
    macs *= static_cast<double>(layer.dims[dim]);
  }
  if (macs > double(kMaxExact))
    complaints.add("prob.*", "fewer than 2^53 multiply-accumulates",
                   llvm::formatv("{0}", macs).str());
  // In this shape W goes with P and R, H with Q and S.
  auto perAxis = [&](StringRef name) {
    auto read = [&](StringRef column) {
      return fields.integer(column, 1, 1 << 16);
    };
    return PerAxis<int64_t>(read(("prob.W" + name).str()),
                            read(("prob.H" + name).str()));
  };
  layer.stride = perAxis("stride");
  layer.dilation = perAxis("dilation");
  for (Axis axis : kAllAxes)
    layer.inputExtent[axis] = layer.window(axis, layer.dims[outputDim(axis)],
                                           layer.dims[kernelDim(axis)]);

  const int64_t side = fields.integer("arch.meshX", 1, 1 << 16);
  auto bytes = [&](const std::string &memory) {
    double bits = 1;
    for (StringRef field : {"depth", "width", "instances"})
      bits *= double(fields.integer(memory + "_" + field.str(), 1, kMaxFactor));
    if (bits > double(kMaxExact)) {
      complaints.add(memory + "_*", "less than 2^53 bits",
                     llvm::formatv("{0}", bits).str());
      return int64_t(1);
    }
    return static_cast<int64_t>(bits) / 8;
  };
  int64_t accumulator = bytes("arch.mem1"), scratchpad = bytes("arch.mem2");
  result.target = dosaMachine(side, accumulator, scratchpad);

  StringRef text = fields.text("mapping.mapping");
  if (complaints.any())
    return result;
  DosaMapping parsed;
  if (auto mismatch = parseDosaMapping(text, parsed)) {
    complaints.add("mapping.mapping", *mismatch);
    return result;
  }
  result.mapping = parsed.mapping;
  if (!parsed.unsupported.empty())
    result.unsupported = parsed.unsupported;
  if (!result.unsupported.empty())
    return result;
  // No column tells the size of the registers: one word, as in Gemmini.
  if (auto mismatch =
          checkExactMapping(layer, result.mapping, result.target, 1))
    complaints.add("mapping.mapping: ", *mismatch);
  return result;
}

llvm::Expected<DosaData> fadiff::readDosa(StringRef text, StringRef file) {
  llvm::Expected<CsvTable> table = parseCsv(text, file);
  if (!table)
    return table.takeError();
  Complaints complaints(file);
  DosaData data;
  for (const auto &[index, row] : llvm::enumerate(table->rows)) {
    complaints.enter("row " + Twine(index + 1) + " (line " + Twine(row.line) +
                     ")");
    DosaPoint point;
    point.row = readDosaRow(complaints, *table, row);
    CsvRow fields(complaints, *table, row);
    point.cycles = fields.number("target.cycle", 0);
    point.energy = fields.number("target.energy", 0);
    if (table->columns.contains("target.area"))
      point.area = fields.number("target.area", 0);
    if (complaints.any())
      return complaints.take();
    if (point.row.unsupported.empty())
      data.points.push_back(std::move(point));
    else
      ++data.skipped[point.row.unsupported];
  }
  return data;
}

//===----------------------------------------------------------------------===//
// Scoring
//===----------------------------------------------------------------------===//

/// Recounts `cost` as the Timeloop that DOSA ran does. Its data differ from
/// v3.0.3, whose counts the model follows, in two ways.
static LayerCost recount(LayerCost cost, const DosaRow &row) {
  Nest<double> nest = exactNest(row.layer, row.mapping);
  // First, a tile of O fills the accumulator also the first time, when there is
  // nothing to read from DRAM; v3.0.3 subtracts these |O| fills (tiling.cpp,
  // "first-read elision"). It makes every cycle count equal but for rounding.
  double outputs = 1;
  for (Dim dim : kAllDims)
    if (isRelevant(Tensor::O, dim))
      outputs *= static_cast<double>(row.layer.dims[dim]);
  cost.access[Level::Accumulator][Tensor::O].fills += outputs;
  charge(cost, nest, row.target, Convention::Timeloop);

  // Second, energy is charged per block, the last one whole: 64 words in DRAM
  // (block_size in DOSA's arch.yaml), one per column in the scratchpad (its
  // width). Cycles are not.
  LayerCost blocks = cost;
  auto roundTo = [](double &words, double block) {
    words = std::ceil(words / block) * block;
  };
  for (auto [level, block] :
       {std::pair(Level::Scratchpad, static_cast<double>(row.target.side)),
        std::pair(Level::Dram, 64.0)})
    for (Tensor tensor : kAllTensors) {
      AccessCounts<double> &counts = blocks.access[level][tensor];
      for (double *words : {&counts.reads, &counts.fills, &counts.updates})
        roundTo(*words, block);
    }
  charge(blocks, nest, row.target, Convention::Timeloop);
  cost.energy = blocks.energy;
  return cost;
}

/// The `count` points where a predicted value is furthest off, worst first.
static json::Array worstPoints(const DosaData &data, unsigned count,
                               llvm::ArrayRef<double> predicted,
                               llvm::ArrayRef<double> reference) {
  std::vector<size_t> order(data.points.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    double errorA = relativeError(predicted[a], reference[a]);
    double errorB = relativeError(predicted[b], reference[b]);
    return errorA != errorB ? errorA > errorB : a < b;
  });
  json::Array result;
  for (size_t i : llvm::ArrayRef(order).take_front(count))
    result.push_back(
        json::Object{{"line", data.points[i].row.line},
                     {"predicted", predicted[i]},
                     {"reference", reference[i]},
                     {"rel_error", relativeError(predicted[i], reference[i])}});
  return result;
}

namespace {
struct Prediction {
  std::vector<double> energy, cycles;
  void add(const LayerCost &cost) {
    energy.push_back(cost.energy * 1e-6);
    cycles.push_back(cost.cycles);
  }
};
} // namespace

json::Object fadiff::scoreDosa(const DosaData &data, Model model,
                               unsigned worst) {
  Prediction plain, recounted;
  std::vector<double> energy, cycles;
  for (const DosaPoint &point : data.points) {
    const DosaRow &row = point.row;
    LayerCost cost = evaluateLayer(row.layer, row.mapping, row.target,
                                   Convention::Timeloop, /*fused=*/{}, model);
    plain.add(cost);
    recounted.add(model == Model::Exact ? recount(cost, row) : cost);
    energy.push_back(point.energy);
    cycles.push_back(point.cycles);
  }
  unsigned skipped = 0;
  json::Object reasons;
  for (const auto &[reason, count] : data.skipped) {
    skipped += count;
    reasons[reason] = count;
  }
  auto agreement = [&](const Prediction &prediction) {
    const std::vector<double> &e = prediction.energy, &c = prediction.cycles;
    return json::Object{
        {"energy_mean_abs_error", meanRelativeError(e, energy)},
        {"energy_max_abs_error", maxRelativeError(e, energy)},
        {"cycles_mean_abs_error", meanRelativeError(c, cycles)},
        {"cycles_max_abs_error", maxRelativeError(c, cycles)},
        {"energy_tau", kendallTau(e, energy)},
        {"cycles_tau", kendallTau(c, cycles)},
    };
  };
  json::Object result = agreement(recounted);
  result["model"] = nameOf(model);
  result["rows"] = data.points.size() + skipped;
  result["rows_scored"] = data.points.size();
  result["rows_skipped"] = std::move(reasons);
  result["counted_as_timeloop_3_0_3"] = agreement(plain);
  if (worst) {
    result["worst_energy"] = worstPoints(data, worst, recounted.energy, energy);
    result["worst_cycles"] = worstPoints(data, worst, recounted.cycles, cycles);
  }
  return result;
}
