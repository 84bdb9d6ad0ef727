//===- Firesim.cpp - Scoring against cycles of RTL ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Firesim.h"

#include "fadiff/Bench/Dosa.h"
#include "fadiff/Bench/Statistics.h"
#include "fadiff/Schedule/Turn.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The tile that Gemmini's library chose: "3_3_23_22_64_16_1" in the order
/// R S P Q C K N. It may be larger than the layer.
static PerDim<int64_t> readTiling(Complaints &complaints, const CsvRow &fields,
                                  const Layer &layer) {
  static constexpr Dim order[] = {Dim::R, Dim::S, Dim::P, Dim::Q,
                                  Dim::C, Dim::K, Dim::N};
  static constexpr llvm::StringLiteral column = "dse.auto_tiling";
  PerDim<int64_t> tile(1);
  StringRef text = fields.text(column);
  if (complaints.any())
    return tile;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, '_');
  if (parts.size() != std::size(order)) {
    complaints.add(column, "7 extents R_S_P_Q_C_K_N", "'" + text + "'");
    return tile;
  }
  for (auto [dim, part] : llvm::zip_equal(order, parts)) {
    int64_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 1 ||
        extent > int64_t(1) << 24) {
      complaints.add(column + ": " + Twine(dimName(dim)),
                     "an integer from 1 to 16777216", "'" + part + "'");
      return tile;
    }
    tile[dim] = std::min(extent, layer.dims[dim]);
  }
  return tile;
}

/// The library's tile as a mapping: pixels stream past weights that stay.
static double libraryRoofline(const Layer &layer, const PerDim<int64_t> &tile,
                              const LoopOrder &order,
                              const Accelerator &machine) {
  Mapping mapping;
  mapping.rows = std::min(machine.side, tile[Dim::C]);
  mapping.cols = std::min(machine.side, tile[Dim::K]);
  mapping.order[Level::Dram] = order;
  for (Dim dim : kAllDims) {
    int64_t array = mapping.spatial(layer, dim);
    int64_t factor = (tile[dim] + array - 1) / array;
    const bool streams = dim == Dim::N || dim == Dim::P || dim == Dim::Q;
    mapping.temporal[streams ? Level::Registers : Level::Accumulator][dim] =
        factor;
    mapping.temporal[Level::Dram][dim] =
        (layer.dims[dim] + factor * array - 1) / (factor * array);
  }
  return evaluateLayer(layer, mapping, machine).cycles;
}

llvm::Expected<std::vector<FiresimPoint>>
fadiff::readFiresim(StringRef text, StringRef file,
                    const Accelerator &machine) {
  llvm::Expected<CsvTable> table = parseCsv(text, file);
  if (!table)
    return table.takeError();
  // Gemmini's library visits images, pixels and output channels, and sums over
  // kernel positions and input channels innermost (its loop_conv_ws).
  static constexpr LoopOrder libraryOrder = {Dim::C, Dim::R, Dim::S, Dim::K,
                                             Dim::Q, Dim::P, Dim::N, Dim::G};
  Complaints complaints(file);
  const bool hasLibrary = // else only what was searched
      table->columns.contains(kFiresimColumns[FiresimPoint::Automatic]);
  std::vector<FiresimPoint> points;
  for (const auto &[index, row] : llvm::enumerate(table->rows)) {
    complaints.enter("row " + Twine(index + 1) + " (line " + Twine(row.line) +
                     ")");
    DosaRow parsed = readDosaRow(complaints, *table, row);
    if (!complaints.any() && !parsed.unsupported.empty())
      complaints.add("mapping.mapping", "a mapping that the array can run",
                     parsed.unsupported);
    CsvRow fields(complaints, *table, row);
    double cycles[2] = {
        fields.number(kFiresimColumns[FiresimPoint::Searched], 1)};
    PerDim<int64_t> tiling(1);
    if (hasLibrary) {
      cycles[FiresimPoint::Automatic] =
          fields.number(kFiresimColumns[FiresimPoint::Automatic], 1);
      tiling = readTiling(complaints, fields, parsed.layer);
    }
    if (complaints.any())
      return complaints.take();

    const Layer &layer = parsed.layer;
    FiresimPoint point;
    point.line = row.line;
    point.layer = std::make_shared<Layer>(turned(layer));
    point.column = FiresimPoint::Searched;
    point.cycles = cycles[point.column];
    point.roofline = evaluateLayer(layer, parsed.mapping, parsed.target,
                                   Convention::Timeloop)
                         .cycles;
    for (Dim dim : kAllDims)
      point.tile[turned(dim)] =
          parsed.mapping.tile(layer, Level::Scratchpad, dim);
    llvm::transform(parsed.mapping.order[Level::Dram], point.order.begin(),
                    [](Dim dim) { return turned(dim); });
    points.push_back(point);
    if (!hasLibrary)
      continue;

    point.column = FiresimPoint::Automatic;
    point.cycles = cycles[point.column];
    for (Dim dim : kAllDims)
      point.tile[turned(dim)] = tiling[dim];
    point.order = libraryOrder;
    point.roofline =
        libraryRoofline(*point.layer, point.tile, point.order, machine);
    points.push_back(point);
  }
  return points;
}

double fadiff::predictFiresim(const FiresimPoint &point,
                              const Accelerator &machine) {
  TiledLayer<double> tiled;
  tiled.layer = point.layer.get();
  for (Dim dim : kAllDims)
    tiled.tile[dim] = static_cast<double>(point.tile[dim]);
  tiled.run = tiled.tile;
  tiled.order = point.order;
  tiled.rows = tiled.cols = static_cast<double>(machine.side);
  return loopUnitLatency(tiled, machine).cycles;
}

//===----------------------------------------------------------------------===//
// Fitting
//===----------------------------------------------------------------------===//

/// Those that are fitted here: passCycles, dmaColdLatency, overlapLoss.
using Constants = FiresimConstants;

static Accelerator withConstants(Accelerator machine,
                                 const Constants &constants) {
  machine.passCycles = constants[0];
  machine.dmaColdLatency = std::llround(constants[1]);
  machine.overlapLoss = constants[2];
  return machine;
}

/// Mean relative error, infinite outside of what the constants may be.
static double loss(llvm::ArrayRef<const FiresimPoint *> points,
                   const Accelerator &machine, const Constants &constants) {
  if (constants[0] <= 0 || constants[1] < 0 || constants[2] < 0 ||
      constants[2] > 1)
    return std::numeric_limits<double>::infinity();
  Accelerator fitted = withConstants(machine, constants);
  double sum = 0;
  for (const FiresimPoint *point : points)
    sum += relativeError(predictFiresim(*point, fitted), point->cycles);
  return sum / static_cast<double>(points.size());
}

llvm::Expected<FiresimConstants> fadiff::fitConstants(FiresimConstants start,
                                                      FiresimConstants steps,
                                                      int halvings,
                                                      FiresimLoss loss) {
  FiresimConstants best = start;
  llvm::Expected<double> lowest = loss(best);
  if (!lowest)
    return lowest.takeError();
  while (halvings > 0) {
    bool improved = false;
    for (size_t i = 0; i < best.size(); ++i)
      for (double sign : {1.0, -1.0}) {
        FiresimConstants candidate = best;
        candidate[i] += sign * steps[i];
        llvm::Expected<double> value = loss(candidate);
        if (!value)
          return value.takeError();
        if (*value < *lowest - 1e-9) {
          *lowest = *value;
          best = candidate;
          improved = true;
        }
      }
    if (improved)
      continue;
    for (double &step : steps)
      step /= 2;
    --halvings;
  }
  return best;
}

static Constants fit(llvm::ArrayRef<const FiresimPoint *> points,
                     const Accelerator &machine) {
  return llvm::cantFail(
      fitConstants({8, 32, 0.1}, {1, 16, 0.05}, /*halvings=*/5,
                   [&](const Constants &constants) -> llvm::Expected<double> {
                     return loss(points, machine, constants);
                   }));
}

//===----------------------------------------------------------------------===//
// Scoring
//===----------------------------------------------------------------------===//

static json::Object compare(llvm::ArrayRef<double> predicted,
                            llvm::ArrayRef<double> cycles) {
  return json::Object{
      {"points", cycles.size()},
      {"latency_tau", kendallTau(predicted, cycles)},
      {"latency_rho", spearmanRho(predicted, cycles)},
      {"mean_abs_rel_error", meanRelativeError(predicted, cycles)},
      {"max_abs_rel_error", maxRelativeError(predicted, cycles)},
  };
}

json::Object fadiff::agreement(llvm::ArrayRef<FiresimPoint> points,
                               llvm::ArrayRef<double> predicted) {
  std::vector<double> all;
  std::array<std::vector<double>, 2> reference, prediction;
  for (auto [point, value] : llvm::zip_equal(points, predicted)) {
    all.push_back(point.cycles);
    reference[point.column].push_back(point.cycles);
    prediction[point.column].push_back(value);
  }
  json::Object result = compare(predicted, all);
  for (auto column : {FiresimPoint::Searched, FiresimPoint::Automatic})
    if (!reference[column].empty())
      result[kFiresimColumns[column]] =
          compare(prediction[column], reference[column]);
  return result;
}

static std::vector<double> predictAll(llvm::ArrayRef<FiresimPoint> points,
                                      const Accelerator &machine) {
  std::vector<double> cycles;
  for (const FiresimPoint &point : points)
    cycles.push_back(predictFiresim(point, machine));
  return cycles;
}

std::vector<int64_t> fadiff::layerKey(const Layer &layer) {
  std::vector<int64_t> key;
  for (Dim dim : kAllDims)
    key.push_back(layer.dims[dim]);
  for (Axis axis : kAllAxes) {
    key.push_back(layer.stride[axis]);
    key.push_back(layer.dilation[axis]);
  }
  return key;
}

/// The points of one layer, whatever its mapping, are held out together.
static json::Object fitAndValidate(llvm::ArrayRef<FiresimPoint> points,
                                   const Accelerator &machine) {
  std::map<std::vector<int64_t>, std::vector<size_t>> layers;
  std::vector<const FiresimPoint *> all;
  for (auto [index, point] : llvm::enumerate(points)) {
    layers[layerKey(*point.layer)].push_back(index);
    all.push_back(&point);
  }
  if (layers.size() < 2)
    return json::Object{{"layers", layers.size()}};
  Constants fitted = fit(all, machine);

  std::vector<double> heldOut(points.size());
  Constants low = fitted, high = fitted;
  for (const auto &[key, indices] : layers) {
    std::vector<const FiresimPoint *> others;
    for (const auto &[index, point] : llvm::enumerate(points))
      if (!llvm::is_contained(indices, index))
        others.push_back(&point);
    Constants constants = fit(others, machine);
    Accelerator without = withConstants(machine, constants);
    for (size_t index : indices)
      heldOut[index] = predictFiresim(points[index], without);
    for (size_t i = 0; i < constants.size(); ++i) {
      low[i] = std::min(low[i], constants[i]);
      high[i] = std::max(high[i], constants[i]);
    }
  }

  Accelerator best = withConstants(machine, fitted);
  auto range = [&](size_t i, json::Value value) {
    return json::Object{{"value", std::move(value)},
                        {"lowest_without_a_layer", low[i]},
                        {"highest_without_a_layer", high[i]}};
  };
  return json::Object{
      {"layers", layers.size()},
      {"constants",
       json::Object{{"pass_cycles", range(0, best.passCycles)},
                    {"dma_cold_latency", range(1, best.dmaColdLatency)},
                    {"overlap_loss", range(2, best.overlapLoss)}}},
      {"training", agreement(points, predictAll(points, best))},
      {"cross_validated", agreement(points, heldOut)},
  };
}

json::Object fadiff::scoreFiresim(llvm::ArrayRef<FiresimPoint> points,
                                  const Accelerator &machine, bool fit,
                                  unsigned worst) {
  std::vector<double> roofline, predicted = predictAll(points, machine);
  for (const FiresimPoint &point : points)
    roofline.push_back(point.roofline);
  json::Object result{
      {"rows", points.size() / 2},
      {"points", points.size()},
      {"target", machine.name},
      {"roofline", agreement(points, roofline)},
      {"loop_unit", agreement(points, predicted)},
  };
  if (fit)
    result["fit"] = fitAndValidate(points, machine);
  if (worst) {
    std::vector<size_t> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    // Too low and too high by the same factor count the same.
    auto distance = [&](size_t i) {
      return std::fabs(std::log(predicted[i] / points[i].cycles));
    };
    llvm::sort(order, [&](size_t a, size_t b) {
      return std::pair(-distance(a), a) < std::pair(-distance(b), b);
    });
    json::Array list;
    for (size_t i : llvm::ArrayRef(order).take_front(worst))
      list.push_back(json::Object{{"line", points[i].line},
                                  {"column", kFiresimColumns[points[i].column]},
                                  {"predicted", predicted[i]},
                                  {"reference", points[i].cycles},
                                  {"ratio", predicted[i] / points[i].cycles}});
    result["worst"] = std::move(list);
  }
  return result;
}
