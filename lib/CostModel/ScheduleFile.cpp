//===- ScheduleFile.cpp - Schedules as JSON -------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/ScheduleFile.h"

#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/Yaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cmath>
#include <map>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static constexpr int64_t kMaxFactor = int64_t(1) << 30;
static constexpr std::array<const char *, 3> kTensorNames = {"W", "I", "O"};

static std::string levelKey(Level level) {
  return ("L" + Twine(static_cast<unsigned>(level))).str();
}
static std::string dimKey(Dim dim) { return std::string(1, dimName(dim)); }

std::optional<BuiltInModel> fadiff::parseBuiltInModel(StringRef name) {
  llvm::SmallVector<StringRef> words;
  name.split(words, ' ');
  BuiltInModel result;
  std::optional<Convention> convention = parseName<Convention>(words.front());
  if (!convention)
    return std::nullopt;
  result.convention = *convention;
  for (StringRef word : llvm::ArrayRef(words).drop_front()) {
    std::optional<Model> model = parseName<Model>(word);
    std::optional<Latency> latency = parseName<Latency>(word);
    if (!model && !latency)
      return std::nullopt;
    result.model = model.value_or(result.model);
    result.latency = latency.value_or(result.latency);
  }
  return result;
}

std::unique_ptr<CostFunction> fadiff::findCostFunction(StringRef name) {
  std::optional<BuiltInModel> model = parseBuiltInModel(name);
  if (!model)
    return nullptr;
  return createCostFunction(model->convention, model->model, model->latency);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Object perDim(const PerDim<int64_t> &values) {
  json::Object object;
  for (Dim dim : kAllDims)
    object[dimKey(dim)] = values[dim];
  return object;
}
static json::Array pair(const PerAxis<int64_t> &values) {
  return json::Array{values[Axis::H], values[Axis::W]};
}

json::Value fadiff::toJson(const Mapping &mapping, const Layer &layer) {
  json::Object temporal, permutation;
  for (Level level : kAllLevels) {
    temporal[levelKey(level)] = perDim(mapping.temporal[level]);
    json::Array order;
    for (Dim dim : mapping.order[level])
      order.push_back(dimKey(dim));
    permutation[levelKey(level)] = std::move(order);
  }
  const bool depthwise = layer.isDepthwise();
  return json::Object{
      {"temporal", std::move(temporal)},
      {"spatial",
       json::Object{
           {"L2_cols", json::Object{{"K", depthwise ? 1 : mapping.cols},
                                    {"G", depthwise ? mapping.cols : 1}}},
           {"L1_rows", json::Object{{"C", mapping.rows}}}}},
      {"permutation", std::move(permutation)}};
}

/// The form that points.json gives a machine; bandwidths of all instances.
static json::Value architecture(const Accelerator &target) {
  const int64_t side = target.side, words = target.accumulatorBytes / 4;
  json::Object energy{{"MAC", target.energyPerMac}}, bandwidth;
  for (Level level : kAllLevels) {
    energy[levelKey(level)] = target.energyPerAccess[level];
    double instances = level == Level::Registers     ? double(side * side)
                       : level == Level::Accumulator ? double(side)
                                                     : 1;
    bandwidth[levelKey(level)] = target.bandwidth[level] * instances;
  }
  return json::Object{
      {"name", target.name},
      {"pe_rows", side},
      {"pe_cols", side},
      {"acc_words_total", words},
      {"acc_words_per_column", words / side},
      {"acc_word_bits", 32},
      {"spad_words", target.scratchpadBytes / target.elementBytes()},
      {"reg_words_per_pe", 1},
      {"energy_pj", std::move(energy)},
      {"bandwidth_words_per_cycle", std::move(bandwidth)}};
}

namespace {
/// A field's value as JSON.
struct FieldWriter {
  json::Value operator()(int64_t value) const { return value; }
  json::Value operator()(double value) const { return value; }
  json::Value operator()(const ReadOutFeatures &value) const {
    return json::Array(namesOf(value));
  }
  template <typename EnumT>
  std::enable_if_t<std::is_enum_v<EnumT>, json::Value>
  operator()(EnumT value) const {
    return nameOf(value);
  }
};
} // namespace

static json::Value predicted(const LayerCost &cost) {
  json::Object levels;
  for (Level level : kAllLevels) {
    json::Object tensors;
    for (Tensor tensor : kAllTensors) {
      const AccessCounts<double> &counts = cost.access[level][tensor];
      if (counts.total() != 0)
        tensors[kTensorNames[static_cast<size_t>(tensor)]] =
            json::Object{{"reads", counts.reads},
                         {"fills", counts.fills},
                         {"updates", counts.updates}};
    }
    // What points.json has even where it is all zero.
    json::Object none{{"reads", 0}, {"fills", 0}, {"updates", 0}};
    auto expect = [&](const char *tensor) {
      if (!tensors.get(tensor))
        tensors[tensor] = json::Object(none);
    };
    switch (level) {
    case Level::Registers:
      expect("W");
      break;
    case Level::Accumulator:
      expect("O");
      break;
    case Level::Dram:
      expect("O");
      [[fallthrough]];
    case Level::Scratchpad:
      expect("W");
      expect("I");
      break;
    }
    levels[levelKey(level)] = json::Object{{"tensors", std::move(tensors)}};
  }
  return json::Object{{"levels", std::move(levels)},
                      {"macs", cost.macs},
                      {"compute_cycles", cost.computeCycles},
                      {"cycles", cost.cycles},
                      {"energy_total_pj", cost.energy},
                      {"dram_read_bytes", cost.dramBytes.reads()},
                      {"dram_write_bytes", cost.dramBytes.writes()}};
}

static const char *layerType(const Layer &layer) {
  if (layer.isDepthwise())
    return "depthwise";
  if (layer.dims[Dim::G] > 1)
    return "grouped";
  for (Dim dim : {Dim::P, Dim::Q, Dim::R, Dim::S})
    if (layer.dims[dim] != 1)
      return "standard";
  return "gemm";
}

/// What a group that keeps rows along the axis says.
static const char *keepKey(Axis axis) {
  return axis == Axis::H ? "keep_rows" : "keep_columns";
}

json::Object fadiff::toJson(const FusionGroup &group,
                            llvm::function_ref<json::Value(unsigned)> nameOf) {
  auto names = [&](llvm::ArrayRef<unsigned> layers) {
    return json::Array(llvm::map_range(layers, nameOf));
  };
  json::Object object{{"layers", names(group.layers)}};
  if (group.keeps)
    object[keepKey(*group.keeps)] = true;
  if (group.inputTurns)
    object["input_turns"] = true;
  if (group.poolsOutput)
    object["pools_output"] = true;
  if (group.byLoop)
    object["by_loop"] = true;
  if (!group.liveSkips.empty())
    object["live_skips"] = names(group.liveSkips);
  json::Array slices;
  for (FusionGroup::InputSlices own : group.inputSlices)
    slices.push_back(
        json::Object{{"layer", nameOf(own.layer)}, {"channels", own.channels}});
  if (!slices.empty())
    object["input_slices"] = std::move(slices);
  return object;
}

FusionGroup fadiff::readGroup(
    const JsonField &field,
    llvm::function_ref<std::optional<unsigned>(const JsonField &)> numberOf) {
  FusionGroup group;
  auto readAll = [&](const JsonField &names, std::vector<unsigned> &layers) {
    for (const JsonField &name : names.elements())
      if (const std::optional<unsigned> layer = numberOf(name))
        layers.push_back(*layer);
  };
  for (Axis axis : kAllAxes)
    if (field.has(keepKey(axis)) && field[keepKey(axis)].boolean()) {
      if (group.keeps)
        field[keepKey(axis)].complain("either rows or columns kept");
      group.keeps = axis;
    }
  if (field.has("input_turns"))
    group.inputTurns = field["input_turns"].boolean();
  if (field.has("pools_output"))
    group.poolsOutput = field["pools_output"].boolean();
  if (field.has("by_loop"))
    group.byLoop = field["by_loop"].boolean();
  readAll(field["layers"], group.layers);
  if (field.has("live_skips"))
    readAll(field["live_skips"], group.liveSkips);
  if (field.has("input_slices"))
    for (const JsonField &slices : field["input_slices"].elements())
      if (const std::optional<unsigned> layer = numberOf(slices["layer"]))
        group.inputSlices.push_back(
            {*layer, slices["channels"].integer(1, kMaxBound)});
  return group;
}

static std::string idOf(const ScheduleFile &file, unsigned layer) {
  return file.functions[layer] + "/" + file.network.layers[layer].name;
}

json::Value fadiff::toJson(const ScheduleFile &file, const CostFunction &cost) {
  ScheduleCost scored =
      evaluateSchedule(file.network, file.schedule, file.target, cost);
  json::Object target{{"name", file.target.name}};
  const Accelerator defaults;
  visitFields(
      [&](const Field &field, const auto &value, const auto &otherwise) {
        if (!field.isOptional || !(value == otherwise))
          target[field.name] = FieldWriter()(value);
      },
      file.target, defaults);

  std::map<unsigned, json::Value> byLayer;
  json::Array groups;
  auto withOptional = [&](json::Object object, const Layer &layer) {
    if (layer.padValue != 0)
      object["pad_value"] = layer.padValue;
    if (layer.hasScales)
      object["scales"] = true;
    if (!layer.channelsInnermost)
      object["channels_innermost"] = false;
    if (const std::optional<MaxPool> &pool = layer.pool)
      object["pool"] = json::Object{{"size", pool->size},
                                    {"stride", pool->stride},
                                    {"pad", pair(pool->padLow)},
                                    {"outputs", pair(pool->outputs)}};
    if (layer.trips != 1)
      object["trips"] = layer.trips;
    return object;
  };
  for (auto [group, groupCost] :
       llvm::zip_equal(file.schedule.groups, scored.groups)) {
    for (auto [position, index] : llvm::enumerate(group.layers)) {
      const Layer &layer = file.network.layers[index];
      const std::string id = idOf(file, index);
      byLayer.insert(
          {index,
           withOptional(
               json::Object{
                   {"id", id},
                   {"function", file.functions[index]},
                   {"layer", layer.name},
                   {"layer_type", layerType(layer)},
                   {"config", file.target.name},
                   {"dims", perDim(layer.dims)},
                   {"stride", pair(layer.stride)},
                   {"dilation", pair(layer.dilation)},
                   {"pad", pair(layer.padLow)},
                   {"input", pair(layer.inputExtent)},
                   {"bias", layer.hasBias},
                   {"residual", layer.hasResidual},
                   {"residual_bytes", layer.residualBytes},
                   {"residual_scaled", layer.scalesResidual},
                   {"residual_loads", layer.residualLoads},
                   {"element_bytes", layer.elementBytes},
                   {"output_bytes", layer.outputBytes},
                   {"fused_input", position > 0},
                   {"fused_output", position + 1 < group.layers.size()},
                   {"mapping", toJson(file.schedule.mappings[index], layer)},
                   {"predicted", predicted(groupCost.members[position])}},
               layer)});
    }
    json::Object object =
        toJson(group, [&](unsigned index) { return idOf(file, index); });
    object["energy_pj"] = groupCost.energy;
    object["cycles"] = groupCost.cycles;
    groups.push_back(std::move(object));
  }
  // Who reads what: the id of the layer that makes it, else a name.
  auto tensor = [&](unsigned number) {
    return number < file.network.layers.size()
               ? idOf(file, number)
               : "tensor #" +
                     std::to_string(number - file.network.layers.size());
  };
  json::Array points;
  for (auto &[index, point] : byLayer) {
    if (index < file.network.operands.size()) {
      const Operands &operands = file.network.operands[index];
      json::Object &object = *point.getAsObject();
      if (operands.input)
        object["input_tensor"] = tensor(*operands.input);
      if (operands.residual)
        object["residual_tensor"] = tensor(*operands.residual);
    }
    points.push_back(std::move(point));
  }
  return json::Object{
      {"schema_version", 1},
      {"fadiff_schedule", kScheduleFileVersion},
      {"model", file.model},
      {"target", std::move(target)},
      {"architectures",
       json::Object{{file.target.name, architecture(file.target)}}},
      {"points", std::move(points)},
      {"groups", std::move(groups)},
      {"totals",
       json::Object{{"energy_pj", scored.energy},
                    {"cycles", scored.cycles},
                    {"edp_uj_cycles", scored.edp()},
                    {"dram_read_bytes", scored.dramBytes.reads()},
                    {"dram_write_bytes", scored.dramBytes.writes()}}}};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static PerAxis<int64_t> readPair(const JsonField &field, int64_t low) {
  PerAxis<int64_t> pair;
  std::vector<JsonField> values = field.elements(2);
  for (Axis axis : kAllAxes)
    pair[axis] = values[static_cast<size_t>(axis)].integer(low, kMaxFactor);
  return pair;
}

Layer fadiff::readLayer(const JsonField &field) {
  Layer layer;
  layer.name = field["layer"].string().str();
  JsonField dims = field["dims"];
  double macs = 1;
  for (Dim dim : kAllDims) {
    layer.dims[dim] = dims[dimKey(dim)].integer(1, kMaxFactor);
    macs *= double(layer.dims[dim]);
  }
  if (macs > double(kMaxExact))
    dims.complain("fewer than 2^53 multiply-accumulates");
  layer.stride = readPair(field["stride"], 1);
  if (field.has("dilation"))
    layer.dilation = readPair(field["dilation"], 1);
  if (field.has("pad"))
    layer.padLow = readPair(field["pad"], 0);
  if (field.has("pad_value"))
    layer.padValue = field["pad_value"].integer(-128, 127);
  if (field.has("input"))
    layer.inputExtent = readPair(field["input"], 1);
  else
    for (Axis axis : kAllAxes)
      layer.inputExtent[axis] = layer.window(axis, layer.dims[outputDim(axis)],
                                             layer.dims[kernelDim(axis)]);
  if (field.has("bias"))
    layer.hasBias = field["bias"].boolean();
  if (field.has("residual"))
    layer.hasResidual = field["residual"].boolean();
  if (field.has("residual_bytes"))
    layer.residualBytes = field["residual_bytes"].integer(1, 4);
  if (field.has("residual_scaled"))
    layer.scalesResidual = field["residual_scaled"].boolean();
  if (field.has("residual_loads"))
    layer.residualLoads = field["residual_loads"].integer(1, kMaxResidualLoads);
  if (field.has("scales"))
    layer.hasScales = field["scales"].boolean();
  if (field.has("channels_innermost"))
    layer.channelsInnermost = field["channels_innermost"].boolean();
  if (field.has("element_bytes"))
    layer.elementBytes = field["element_bytes"].integer(1, 4);
  if (field.has("pool")) {
    const JsonField pool = field["pool"];
    layer.pool.emplace();
    layer.pool->size = pool["size"].integer(1, kMaxFactor);
    layer.pool->stride = pool["stride"].integer(1, kMaxFactor);
    layer.pool->padLow = readPair(pool["pad"], 0);
    layer.pool->outputs = readPair(pool["outputs"], 1);
  }
  if (field.has("trips"))
    layer.trips = field["trips"].integer(1, int64_t(kMaxExact));
  if (field.has("output_bytes"))
    layer.outputBytes = field["output_bytes"].integer(1, 4);
  return layer;
}

Mapping fadiff::readMapping(const JsonField &field, const Layer &layer) {
  Mapping result;
  JsonField temporal = field["temporal"], orders = field["permutation"];
  for (Level level : kAllLevels) {
    JsonField factors = temporal[levelKey(level)];
    for (Dim dim : kAllDims)
      result.temporal[level][dim] = factors[dimKey(dim)].integer(1, kMaxFactor);
    JsonField order = orders[levelKey(level)];
    PerDim<bool> seen{false};
    for (const auto &[index, name] :
         llvm::enumerate(order.elements(kNumDims))) {
      StringRef text = name.string();
      std::optional<Dim> dim = parseDim(std::string_view(text));
      if (!dim || seen[*dim]) {
        name.complain("each of N G K C P Q R S once");
        break;
      }
      seen[*dim] = true;
      result.order[level][index] = *dim;
    }
  }
  JsonField columns = field["spatial"]["L2_cols"];
  JsonField rows = field["spatial"]["L1_rows"];
  int64_t k = columns["K"].integer(1, kMaxFactor);
  int64_t g = columns["G"].integer(1, kMaxFactor);
  result.rows = rows["C"].integer(1, kMaxFactor);
  // A mapping has one column factor: K, or G where there are only groups.
  if (layer.isDepthwise() ? k != 1 : g != 1)
    columns[layer.isDepthwise() ? "K" : "G"].complain(
        layer.isDepthwise() ? "1 for a depthwise layer"
                            : "1 for a layer that is not depthwise");
  if (layer.isDepthwise() && result.rows != 1)
    rows["C"].complain("1 for a depthwise layer");
  result.cols = layer.isDepthwise() ? g : k;
  return result;
}

namespace {
struct FieldReader {
  const JsonField &object;

  template <typename ValueT>
  void operator()(const Field &field, ValueT &value) const {
    if (object.has(field.name) || !field.isOptional)
      read(field, object[field.name], value);
  }

private:
  static void read(const Field &field, const JsonField &found, int64_t &value) {
    value = found.integer(field.least, kMaxExact);
  }
  static void read(const Field &, const JsonField &found, double &value) {
    value = found.number(0);
  }
  static void read(const Field &, const JsonField &found,
                   ReadOutFeatures &value) {
    for (const JsonField &name : found.elements())
      if (!addFeature(value, name.string()))
        name.complain("per_channel, zero_point or clamp, each at most once");
  }
  template <typename EnumT>
  static std::enable_if_t<std::is_enum_v<EnumT>>
  read(const Field &, const JsonField &found, EnumT &value) {
    if (std::optional<EnumT> known = parseName<EnumT>(found.string()))
      value = *known;
    else
      found.complain(listNames<EnumT>());
  }
};

/// Complains where `found` differs from `wanted` beyond rounding.
class Comparison {
public:
  Comparison(Complaints &complaints) : complaints(complaints) {}

  void compare(const Twine &what, const json::Value &wanted,
               const json::Value *found) {
    const std::string path = what.str();
    if (const json::Object *object = wanted.getAsObject()) {
      const json::Object *other = found ? found->getAsObject() : nullptr;
      if (!other)
        return complain(path, "an object", found);
      for (const auto &[key, value] : *object)
        compare(path + "." + key.str(), value, other->get(key));
      return;
    }
    double a = *wanted.getAsNumber();
    std::optional<double> b = found ? found->getAsNumber() : std::nullopt;
    if (!b || !(std::fabs(a - *b) <= 1e-9 * std::fabs(a)))
      complain(path,
               llvm::formatv("{0} as computed from the mapping", wanted).str(),
               found);
  }

private:
  void complain(const std::string &path, const Twine &wanted,
                const json::Value *found) {
    complaints.add(path, wanted,
                   (found ? llvm::formatv("{0}", *found).str() : "nothing") +
                       "; the file is damaged, edited (then take out what was "
                       "computed: 'predicted', 'totals' and the groups' "
                       "numbers) or of another version of the model");
  }

  Complaints &complaints;
};

class Reader {
public:
  Reader(const json::Value &document, StringRef file)
      : complaints(file), root(complaints, document), document(document) {}

  llvm::Expected<ScheduleFile> run() {
    if (!root.has("fadiff_schedule"))
      complaints.add("", "a schedule, with a member 'fadiff_schedule'",
                     "none; write one with fadiff-translate "
                     "--fadiff-schedule-to-json");
    root["fadiff_schedule"].integer(kScheduleFileVersion, kScheduleFileVersion);
    result.model = root["model"].string().str();
    readTarget(root["target"]);
    std::map<std::string, unsigned, std::less<>> indexOf;
    if (!complaints.any())
      for (const auto &[index, field] :
           llvm::enumerate(root["points"].elements())) {
        complaints.enter("point #" + Twine(index));
        std::string id = readPoint(field);
        if (!indexOf.insert({id, unsigned(index)}).second)
          field["id"].complain("a name of its own");
        if (complaints.any())
          break;
      }
    if (!complaints.any())
      readOperands(indexOf);
    if (!complaints.any())
      readGroups(indexOf);
    if (!complaints.any())
      compareCosts();
    if (llvm::Error error = complaints.take())
      return error;
    return std::move(result);
  }

private:
  void readTarget(const JsonField &field) {
    Accelerator &target = result.target;
    target.name = field["name"].string().str();
    visitFields(FieldReader{field}, target);
    if (complaints.any())
      return;
    // The one place that knows which machines can be built.
    std::string yaml = toYaml(target);
    llvm::Expected<Accelerator> checked =
        parseAccelerator(llvm::MemoryBufferRef(yaml, "target"));
    if (!checked)
      complaints.add("target", "a machine that can be built",
                     llvm::toString(checked.takeError()));
  }

  std::string readPoint(const JsonField &field) {
    std::string id = field["id"].string().str();
    complaints.enter("point '" + id + "'");
    Layer layer = readLayer(field);
    Mapping mapping = readMapping(field["mapping"], layer);
    result.functions.push_back(field["function"].string().str());
    result.network.layers.push_back(std::move(layer));
    result.schedule.mappings.push_back(mapping);
    return id;
  }

  /// What layers read, where the file says so.
  void
  readOperands(const std::map<std::string, unsigned, std::less<>> &indexOf) {
    std::map<std::string, unsigned, std::less<>> numberOf = indexOf;
    auto number = [&](const JsonField &point, const char *member) {
      std::optional<unsigned> tensor;
      if (point.has(member))
        tensor = numberOf
                     .insert({point[member].string().str(),
                              unsigned(numberOf.size())})
                     .first->second;
      return tensor;
    };
    for (const JsonField &point : root["points"].elements())
      result.network.operands.push_back(
          {number(point, "input_tensor"), number(point, "residual_tensor")});
  }

  void readGroups(const std::map<std::string, unsigned, std::less<>> &indexOf) {
    std::vector<bool> taken(result.network.layers.size(), false);
    for (const auto &[number, field] :
         llvm::enumerate(root["groups"].elements())) {
      complaints.enter("group #" + Twine(number));
      bool allFound = true;
      FusionGroup group = readGroup(
          field, [&](const JsonField &name) -> std::optional<unsigned> {
            auto it = indexOf.find(name.string());
            if (it != indexOf.end())
              return it->second;
            name.complain("the id of a point");
            allFound = false;
            return std::nullopt;
          });
      if (!allFound)
        return;
      for (auto [i, layer] : llvm::enumerate(group.layers)) {
        if (taken[layer])
          return field["layers"].complain("points that are in no other group");
        taken[layer] = true;
        const auto before = llvm::ArrayRef(group.layers).take_front(i);
        std::optional<unsigned> input = result.network.operands[layer].input;
        if (!input && i > 0)
          input = before.back();
        if (input && llvm::is_contained(before, *input))
          result.network.edges.push_back({*input, layer, ""});
      }
      if (group.layers.empty())
        return field["layers"].complain("at least one layer");
      if (llvm::Error error =
              verify(result.network, result.schedule, group, result.target)) {
        // Alone, a mapping covers its layer; in a group, its part of the tile.
        const bool alone = !group.isTiled();
        if (alone)
          complaints.enter("point '" + field["layers"].elements()[0].string() +
                           "'");
        return complaints.add(alone ? "mapping" : "",
                              alone ? "a legal one" : "a legal group",
                              llvm::toString(std::move(error)));
      }
      result.schedule.groups.push_back(std::move(group));
    }
    complaints.enter("");
    if (auto it = llvm::find(taken, false); it != taken.end())
      complaints.add("groups", "each point in a group",
                     "point #" + Twine(it - taken.begin()) + " in none");
  }

  void compareCosts() {
    std::unique_ptr<CostFunction> cost = findCostFunction(result.model);
    if (!cost)
      return;
    json::Value fresh = toJson(result, *cost);
    const json::Object &wanted = *fresh.getAsObject();
    const json::Object &found = *document.getAsObject();
    Comparison comparison(complaints);
    complaints.enter("");
    auto compareMember = [&](const json::Object &wantedObject,
                             const json::Object &foundObject,
                             const char *member) {
      if (const json::Value *value = foundObject.get(member))
        comparison.compare(member, *wantedObject.get(member), value);
    };
    for (auto [a, b] : llvm::zip_equal(*wanted.getArray("points"),
                                       *found.getArray("points"))) {
      complaints.enter("point '" + *a.getAsObject()->getString("id") + "'");
      compareMember(*a.getAsObject(), *b.getAsObject(), "predicted");
    }
    for (auto [number, pair] : llvm::enumerate(llvm::zip_equal(
             *wanted.getArray("groups"), *found.getArray("groups")))) {
      complaints.enter("group #" + Twine(number));
      for (const char *member : {"energy_pj", "cycles"})
        compareMember(*std::get<0>(pair).getAsObject(),
                      *std::get<1>(pair).getAsObject(), member);
    }
    complaints.enter("");
    compareMember(wanted, found, "totals");
  }

  Complaints complaints;
  JsonField root;
  const json::Value &document;
  ScheduleFile result;
};
} // namespace

llvm::Expected<ScheduleFile> fadiff::readSchedule(StringRef text,
                                                  StringRef file) {
  llvm::Expected<json::Value> document = parseJson(text, file);
  if (!document)
    return document.takeError();
  return Reader(*document, file).run();
}
