//===- Cache.cpp - Results that are kept ----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One JSON object per line: a header, then entries ordered by key, each with a
// check sum of its own, so that damage costs only the lines it touches.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Cache.h"

#include "fadiff/CostModel/ScheduleFile.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Support/Schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace fadiff;
using llvm::formatv;
using llvm::StringRef;
namespace json = llvm::json;

StringRef fadiff::modelVersion() {
  return
#include "ModelVersion.inc"
      ;
}

static constexpr int64_t kMaxFactor = int64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
/// Collects everything that a result depends on.
class Key {
public:
  explicit Key(const char *kind) { add(kind); }

  // A length in front keeps neighbours apart.
  void add(StringRef value) {
    text += formatv("{0}:{1};", value.size(), value).str();
  }
  template <typename IntT>
  std::enable_if_t<std::is_integral_v<IntT>> add(IntT value) {
    text += formatv("{0};", value);
  }
  void add(double value) {
    text += formatv("{0:x};", llvm::bit_cast<uint64_t>(value));
  }
  template <typename EnumT>
  std::enable_if_t<std::is_enum_v<EnumT>> add(EnumT value) {
    add(int64_t(value));
  }
  void add(const ReadOutFeatures &value) {
    for (StringRef name : namesOf(value))
      add(name);
  }
  template <typename... ValuesT> void addAll(const ValuesT &...values) {
    (add(values), ...);
  }
  void add(const SearchSpace &space) {
    const auto &[unevenTiles, blockDiagonal] = space;
    addAll(unevenTiles, blockDiagonal);
  }
  void add(const GradientOptions &options) {
    const auto &[starts, steps, snapshotEvery, temperatureFirst,
                 temperatureLast, divisorSharpness, orderTemperature, penalty,
                 learningRate, adamBeta1, adamBeta2] = options;
    addAll(starts, steps, snapshotEvery, temperatureFirst, temperatureLast,
           divisorSharpness, orderTemperature, penalty, learningRate, adamBeta1,
           adamBeta2);
  }
  void add(const ClosureOptions &options) {
    const auto &[mostEvaluations] = options;
    add(mostEvaluations);
  }
  void add(const ClimbOptions &options) {
    const auto &[sweeps, restarts] = options;
    addAll(sweeps, restarts);
  }
  void add(const DosaOptions &options) {
    const auto &[starts, steps, roundEvery, learningRate] = options;
    addAll(starts, steps, roundEvery, learningRate);
  }
  void add(const GeneticOptions &options) {
    const auto &[population, tournament, crossoverRate, mutationRate] = options;
    addAll(population, tournament, crossoverRate, mutationRate);
  }
  void add(const BayesianOptions &options) {
    const auto &[evaluationsPerLayer, initial, points, candidates] = options;
    addAll(evaluationsPerLayer, initial, points, candidates);
  }
  void add(const RandomChanges &changes) {
    const auto &[count, temperature, doubt, commands] = changes;
    addAll(count, temperature, doubt, commands);
  }
  void add(const StreamsOptions &options) {
    const auto &[whole, own, fewLayers, wholeOfFew, ownOfFew] = options;
    addAll(whole, own, fewLayers, wholeOfFew, ownOfFew);
  }
  void add(const Layer &layer) {
    for (int64_t number : contentOf(layer))
      add(number);
  }
  void add(const Accelerator &target) {
    add(target.name);
    visitFields([this](const Field &, auto value) { add(value); }, target);
  }

  std::string take() const {
    llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::ArrayRef(
        reinterpret_cast<const uint8_t *>(text.data()), text.size()));
    return llvm::utohexstr(hash.high64, /*LowerCase=*/true, /*Width=*/16) +
           llvm::utohexstr(hash.low64, /*LowerCase=*/true, /*Width=*/16);
  }

private:
  std::string text;
};
} // namespace

static std::string keyOf(const Layer &layer, const Accelerator &target,
                         const ExactOptions &options) {
  Key key("layer");
  key.add(layer);
  key.add(target);
  key.add(int64_t(options.convention));
  key.add(int64_t(options.latency));
  key.add(int64_t(options.capacityRule()));
  key.add(options.space);
  return key.take();
}

static json::Value toJson(const Mapping &mapping);

static std::string textOf(const json::Value &value) {
  return formatv("{0}", value).str();
}

static std::string keyOf(const Network &network, const Accelerator &target,
                         const SearchOptions &options) {
  Key key("network");
  for (const Layer &layer : network.layers) {
    key.add(layer.name); // reasons name layers
    key.add(layer);
    if (layer.trips != 1) {
      key.add("trips");
      key.add(layer.trips);
    }
  }
  key.add("edges");
  for (const Edge &edge : network.edges) {
    key.add(int64_t(edge.producer));
    key.add(int64_t(edge.consumer));
    key.add(edge.blocked);
    key.add(edge.mustFuse);
  }
  key.add("operands");
  for (const Operands &operands : network.operands)
    for (std::optional<unsigned> tensor : {operands.input, operands.residual})
      key.add(tensor ? int64_t(*tensor) : -1);
  key.add(target);
  // All members by name: one that is added does not compile until it is here.
  // What changes no result is not looked at.
  const auto &[objective, constraint, convention, latency, overlap, cost,
               costName, cache, memory, optimizer, seed, timeLimit,
               maxEvaluations, evaluationsPerLayer, misfits, threads, fuse,
               loopUnit, core, coreCycles, space, given, gradient, closure,
               climb, dosa, genetic, bayesian, streams, progress, stop] =
      options;
  key.add(cost ? costName : "");
  if (constraint) {
    const auto &[unit, most, text] = *constraint;
    key.add("constraint");
    key.addAll(unit, most);
  }
  key.addAll(objective, convention, latency, overlap, optimizer, seed,
             timeLimit, maxEvaluations, evaluationsPerLayer, misfits, fuse,
             loopUnit, space, gradient, closure, climb, dosa, genetic, bayesian,
             streams);
  if (core) {
    key.add("core");
    key.addAll(coreCycles);
  }
  for (const FusionGroup &group : given.groups) {
    key.add(textOf(toJson(group, [](unsigned layer) { return layer; })));
    for (unsigned layer : group.layers)
      key.add(textOf(toJson(given.mappings[layer])));
  }
  return key.take();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static json::Value toJson(const Mapping &mapping) {
  json::Array temporal, orders;
  for (Level level : kAllLevels) {
    json::Array factors;
    std::string order;
    for (Dim dim : kAllDims)
      factors.push_back(mapping.temporal[level][dim]);
    for (Dim dim : mapping.order[level])
      order += dimName(dim);
    temporal.push_back(std::move(factors));
    orders.push_back(std::move(order));
  }
  return json::Object{{"temporal", std::move(temporal)},
                      {"array", json::Array{mapping.rows, mapping.cols}},
                      {"order", std::move(orders)}};
}

static Mapping toMapping(const JsonField &field) {
  Mapping mapping;
  std::vector<JsonField> temporal = field["temporal"].elements(kNumLevels);
  std::vector<JsonField> orders = field["order"].elements(kNumLevels);
  for (Level level : kAllLevels) {
    size_t l = static_cast<size_t>(level);
    std::vector<JsonField> factors = temporal[l].elements(kNumDims);
    for (Dim dim : kAllDims)
      mapping.temporal[level][dim] =
          factors[static_cast<size_t>(dim)].integer(1, kMaxFactor);
    StringRef order = orders[l].string();
    for (size_t i = 0; i < kNumDims; ++i) {
      std::optional<Dim> dim;
      if (order.size() == kNumDims)
        dim = parseDim(std::string_view(order).substr(i, 1));
      if (!dim) {
        orders[l].complain("an order of N G K C P Q R S");
        return mapping;
      }
      mapping.order[level][i] = *dim; // verify() wants each once
    }
  }
  std::vector<JsonField> array = field["array"].elements(2);
  mapping.rows = array[0].integer(1, kMaxFactor);
  mapping.cols = array[1].integer(1, kMaxFactor);
  return mapping;
}

/// A list of one, or of none.
static json::Value toJson(const std::optional<Alternative> &other) {
  if (!other)
    return json::Array();
  return json::Array{json::Object{{"what", json::fixUTF8(other->what)},
                                  {"energy", other->energy},
                                  {"cycles", other->cycles},
                                  {"ratio", other->ratio}}};
}

static std::optional<Alternative> toAlternative(const JsonField &field) {
  std::optional<Alternative> other;
  for (const JsonField &own : field.elements())
    other = {own["what"].string().str(), own["energy"].number(0),
             own["cycles"].number(0), own["ratio"].number(0)};
  return other;
}

static constexpr std::pair<const char *, std::optional<double> SearchStages::*>
    kStages[] = {{"stage_bound", &SearchStages::bound},
                 {"stage_enumerated", &SearchStages::enumerated},
                 {"stage_climbed", &SearchStages::climbed},
                 {"stage_annealed", &SearchStages::annealed}};

static json::Value toJson(const SearchResult &result) {
  json::Array mappings, groups, edges, runnersUp;
  for (const Mapping &mapping : result.schedule.mappings)
    mappings.push_back(toJson(mapping));
  for (const FusionGroup &group : result.schedule.groups)
    groups.push_back(toJson(group, [](unsigned layer) { return layer; }));
  for (const EdgeDecision &edge : result.edges)
    edges.push_back(json::Object{{"fused", edge.fused},
                                 {"sigma", edge.sigma},
                                 {"reason", json::fixUTF8(edge.reason)},
                                 {"grouping", json::fixUTF8(edge.grouping)},
                                 {"energy", edge.energy},
                                 {"cycles", edge.cycles},
                                 {"other", toJson(edge.other)}});
  for (const std::optional<Alternative> &other : result.runnersUp)
    runnersUp.push_back(toJson(other));
  json::Object object{{"mappings", std::move(mappings)},
                      {"groups", std::move(groups)},
                      {"edges", std::move(edges)},
                      {"runners_up", std::move(runnersUp)},
                      {"energy", result.cost.energy},
                      {"cycles", result.cost.cycles},
                      {"unfused_energy", result.unfusedEnergy},
                      {"unfused_cycles", result.unfusedCycles},
                      {"evaluations", int64_t(result.evaluations)},
                      {"enumerated", int64_t(result.enumerated)},
                      {"starts", result.startsRun},
                      {"restarts", result.restartsRun},
                      {"given", result.givenLayers},
                      {"given_energy", result.givenEnergy},
                      {"given_cycles", result.givenCycles},
                      {"distinct", result.distinctLayers},
                      {"exact", result.exactLayers},
                      {"ended", int64_t(result.ended)}};
  if (result.bound)
    object["bound"] = *result.bound;
  if (result.unfusedBound)
    object["unfused_bound"] = *result.unfusedBound;
  for (auto [name, stage] : kStages)
    if (std::optional<double> value = result.stages.*stage)
      object[name] = *value;
  return object;
}

static SearchResult toResult(const JsonField &field) {
  SearchResult result;
  constexpr int64_t most = 1 << 30;
  for (const JsonField &mapping : field["mappings"].elements())
    result.schedule.mappings.push_back(toMapping(mapping));
  for (const JsonField &group : field["groups"].elements())
    result.schedule.groups.push_back(
        readGroup(group, [](const JsonField &layer) {
          return std::optional(unsigned(layer.integer(0, most)));
        }));
  for (const JsonField &edge : field["edges"].elements()) {
    EdgeDecision decision;
    decision.edge = unsigned(result.edges.size());
    decision.fused = edge["fused"].boolean();
    decision.sigma = edge["sigma"].number(0);
    decision.reason = edge["reason"].string().str();
    decision.grouping = edge["grouping"].string().str();
    decision.energy = edge["energy"].number(0);
    decision.cycles = edge["cycles"].number(0);
    decision.other = toAlternative(edge["other"]);
    result.edges.push_back(decision);
  }
  for (const JsonField &other : field["runners_up"].elements())
    result.runnersUp.push_back(toAlternative(other));
  result.cost.energy = field["energy"].number(0);
  result.cost.cycles = field["cycles"].number(0);
  result.unfusedEnergy = field["unfused_energy"].number(0);
  result.unfusedCycles = field["unfused_cycles"].number(0);
  result.evaluations = uint64_t(field["evaluations"].integer(0, kMaxExact));
  result.enumerated = uint64_t(field["enumerated"].integer(0, kMaxExact));
  result.startsRun = unsigned(field["starts"].integer(0, most));
  result.restartsRun = unsigned(field["restarts"].integer(0, most));
  result.givenLayers = unsigned(field["given"].integer(0, most));
  result.givenEnergy = field["given_energy"].number(0);
  result.givenCycles = field["given_cycles"].number(0);
  result.distinctLayers = unsigned(field["distinct"].integer(0, most));
  result.exactLayers = unsigned(field["exact"].integer(0, most));
  result.ended = static_cast<Ended>(
      field["ended"].integer(0, int64_t(Ended::MaxEvaluations)));
  if (field.has("bound"))
    result.bound = field["bound"].number(0);
  if (field.has("unfused_bound"))
    result.unfusedBound = field["unfused_bound"].number(0);
  for (auto [name, stage] : kStages)
    if (field.has(name))
      result.stages.*stage = field[name].number(0);
  return result;
}

static json::Value toJson(const LayerHull &hull) {
  json::Array points;
  for (const Candidate &point : hull.points)
    points.push_back(json::Object{{"energy", point.energy},
                                  {"cycles", point.cycles},
                                  {"mapping", toJson(point.mapping)}});
  return json::Object{{"points", std::move(points)},
                      {"evaluated", int64_t(hull.evaluated)},
                      {"pruned", int64_t(hull.pruned)}};
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static std::string sumOf(StringRef key, const json::Value &value) {
  return llvm::utohexstr(
      llvm::xxh3_64bits(key.str() + formatv("{0}", value).str()),
      /*LowerCase=*/true, /*Width=*/16);
}

SearchCache::SearchCache(StringRef file,
                         std::function<void(const std::string &)> warnAbout)
    : path(file.str()), warn(std::move(warnAbout)) {
  load();
}

void SearchCache::load() {
  auto complain = [&](const std::string &why) {
    changed = true; // to be written anew
    warn("the cache '" + path + "' " + why);
  };
  if (!llvm::sys::fs::exists(path))
    return;
  // A device may never end, and none keeps what is written to it.
  if (llvm::Error error = checkRegularFile(path)) {
    isFile = false;
    return warn("the cache '" + path +
                "' is ignored: " + llvm::toString(std::move(error)));
  }
  auto buffer = openInput(path, kMostRecordBytes);
  if (!buffer) {
    // Too much of it, or not ours to read: no reason to replace it.
    isFile = false;
    return warn("the cache '" + path +
                "' is ignored: " + llvm::toString(buffer.takeError()));
  }
  llvm::SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  auto parse = [&](StringRef line) -> std::optional<json::Object> {
    llvm::Expected<json::Value> value = parseJson(line, path);
    if (!value) {
      llvm::consumeError(value.takeError());
      return std::nullopt;
    }
    if (json::Object *object = value->getAsObject())
      return std::move(*object);
    return std::nullopt;
  };
  std::optional<json::Object> header =
      lines.empty() ? std::nullopt : parse(lines.front());
  std::optional<int64_t> version =
      header ? header->getInteger("fadiff_cache") : std::nullopt;
  if (!version)
    return complain("is ignored: wanted a first line with \"fadiff_cache\", "
                    "found none");
  if (*version != kCacheVersion)
    return complain(formatv("is ignored: wanted version {0}, found {1}",
                            kCacheVersion, *version)
                        .str());
  StringRef model = header->getString("model").value_or("none");
  if (model != modelVersion())
    return complain(formatv("is ignored: wanted model version {0}, found {1}",
                            modelVersion(), model)
                        .str());
  size_t damaged = 0;
  for (StringRef line : llvm::ArrayRef(lines).drop_front()) {
    std::optional<json::Object> entry = parse(line);
    std::optional<StringRef> key, sum;
    const json::Value *value = nullptr;
    if (entry) {
      key = entry->getString("key");
      sum = entry->getString("sum");
      value = entry->get("value");
    }
    if (key && sum && value && sumOf(*key, *value) == *sum)
      entries.insert({key->str(), *value});
    else
      ++damaged;
  }
  if (damaged > 0)
    complain(formatv("is damaged: {0} of {1} entries are ignored", damaged,
                     lines.size() - 1)
                 .str());
}

std::optional<json::Value> SearchCache::lookUp(const std::string &key) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = entries.find(key);
  if (it == entries.end())
    return std::nullopt;
  return it->second;
}

void SearchCache::keep(const std::string &key, json::Value value) {
  std::lock_guard<std::mutex> lock(mutex);
  entries.insert_or_assign(key, std::move(value));
  changed = true;
}

void SearchCache::reject(const std::string &key, const std::string &why) {
  std::lock_guard<std::mutex> lock(mutex);
  entries.erase(key);
  changed = true;
  warn("the cache '" + path + "' has a wrong entry, which is ignored: " + why);
}

llvm::Error SearchCache::save() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!changed || !isFile)
    return llvm::Error::success();
  llvm::Error error =
      writeOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
        os << formatv("{0}\n",
                      json::Value(json::Object{{"fadiff_cache", kCacheVersion},
                                               {"model", modelVersion()}}));
        for (const auto &[key, value] : entries)
          os << formatv("{0}\n",
                        json::Value(json::Object{{"key", key},
                                                 {"sum", sumOf(key, value)},
                                                 {"value", value}}));
        return llvm::Error::success();
      });
  changed = false;
  return error;
}

std::optional<SearchResult> SearchCache::find(const Network &network,
                                              const Accelerator &target,
                                              const SearchOptions &options) {
  const std::string key = keyOf(network, target, options);
  std::optional<json::Value> value = lookUp(key);
  if (!value || (options.cost && options.costName.empty()))
    return std::nullopt;
  Complaints complaints("search");
  SearchResult result = toResult(JsonField(complaints, *value));
  if (!complaints.any() &&
      (result.schedule.mappings.size() != network.layers.size() ||
       result.runnersUp.size() != network.layers.size() ||
       result.edges.size() != network.edges.size()))
    complaints.add("", "a mapping per layer and a decision per edge",
                   "another number");
  if (llvm::Error error = complaints.take()) {
    reject(key, llvm::toString(std::move(error)));
    return std::nullopt;
  }
  if (llvm::Error error = verify(network, result.schedule, target)) {
    reject(key, llvm::toString(std::move(error)));
    return std::nullopt;
  }
  std::unique_ptr<CostFunction> builtIn = createCostFunction(
      options.convention, Model::Exact, options.latency, options.overlap);
  ScheduleCost cost = evaluateSchedule(network, result.schedule, target,
                                       options.cost ? *options.cost : *builtIn);
  if (options.countCore)
    countCore(network, result.schedule, target, options.coreCycles, cost);
  if (cost.energy != result.cost.energy || cost.cycles != result.cost.cycles) {
    reject(key, "its schedule costs something else than it says");
    return std::nullopt;
  }
  result.cost = std::move(cost);
  result.cost.convention = options.convention;
  result.optimizer = options.optimizer;
  result.objective = options.objective;
  result.constraint = options.constraint;
  result.space = options.space;
  result.fuse = options.fuse;
  result.seed = options.seed;
  result.cached = true;
  result.trace.push_back(
      {0, result.evaluations, result.cost.energy, result.cost.cycles});
  return result;
}

void SearchCache::store(const Network &network, const Accelerator &target,
                        const SearchOptions &options,
                        const SearchResult &result) {
  if (result.ended == Ended::TimeLimit || result.ended == Ended::Stopped ||
      (options.cost && options.costName.empty()))
    return;
  keep(keyOf(network, target, options), ::toJson(result));
}

std::optional<LayerHull> SearchCache::find(const Layer &layer,
                                           const Accelerator &target,
                                           const ExactOptions &options) {
  const std::string key = keyOf(layer, target, options);
  std::optional<json::Value> value = lookUp(key);
  if (!value)
    return std::nullopt;
  Complaints complaints("layer");
  JsonField field(complaints, *value);
  LayerHull hull;
  hull.evaluated = uint64_t(field["evaluated"].integer(0, kMaxExact));
  hull.pruned = uint64_t(field["pruned"].integer(0, kMaxExact));
  for (const JsonField &point : field["points"].elements()) {
    Candidate next{toMapping(point["mapping"]), point["energy"].number(0),
                   point["cycles"].number(0)};
    if (complaints.any())
      break;
    if (options.capacityRule() == Capacity::Rows)
      if (llvm::Error error = verify(layer, next.mapping, target))
        complaints.add("", "a legal mapping", llvm::toString(std::move(error)));
    LayerCost cost =
        evaluateLayer(layer, next.mapping, target, options.convention, {},
                      Model::Exact, options.latency);
    if (cost.energy != next.energy || cost.cycles != next.cycles)
      complaints.add("", "the cost of the mapping", "another");
    hull.points.push_back(next);
    hull.bound.push_back({next.energy, next.cycles});
  }
  if (hull.points.empty())
    complaints.add("points", "at least one", "none");
  if (llvm::Error error = complaints.take()) {
    reject(key, llvm::toString(std::move(error)));
    return std::nullopt;
  }
  return hull;
}

void SearchCache::store(const Layer &layer, const Accelerator &target,
                        const ExactOptions &options, const LayerHull &hull) {
  keep(keyOf(layer, target, options), ::toJson(hull));
}
