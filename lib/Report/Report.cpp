//===- Report.cpp - One run as a document ---------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Report/Report.h"
#include "Nest.h"

#include "fadiff/CostModel/Rates.h"
#include "fadiff/CostModel/Report.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/Figures.h"
#include "fadiff/Schedule/MappingText.h"
#include "fadiff/Search/Summary.h"
#include "fadiff/Support/Schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>

using namespace fadiff;
namespace json = llvm::json;

namespace {

/// All groups whose mappings are known as one network and one schedule.
struct Joined {
  Network network;
  Schedule schedule;
  std::vector<size_t> groups; ///< index into ReportInput::groups
};

class Builder {
public:
  explicit Builder(const ReportInput &input) : in(input) {}
  json::Object build();

private:
  void join();
  json::Object machine() const;
  json::Object totals() const;
  json::Array groups();
  json::Array layers() const;
  json::Array edges() const;
  json::Array knobs() const;
  json::Array sets() const;
  json::Value timeline() const;

  /// What the schedule costs with what the core does.
  struct Charge {
    double energy, cycles; ///< pJ, cycles
  };
  Charge chargeOn(const Accelerator &target) const;
  double objectiveOf(const Charge &charge) const;
  void countRates();
  /// Its slope, ratios and ceiling.
  json::Object worthOfKnob(const MachineKnob &knob, const Charge &now) const;

  const ReportInput &in;
  Joined joined;
  ScheduleBreakdown breakdown;
  /// Where the cost has rates, and what these are worth.
  std::optional<ScheduleCounts> counts;
  std::vector<RateWorth> worth;
  double energy = 0, cycles = 0; ///< predicted, without the core
  int64_t macs = 0, dramRead = 0, dramWrite = 0;
  bool allKnown = true;
};
} // namespace

void Builder::join() {
  // What no layer makes gets numbers of its own, far from those of layers.
  unsigned outside = 1u << 30;
  for (auto [index, group] : llvm::enumerate(in.groups)) {
    if (group.schedule.mappings.empty())
      continue;
    const unsigned base = joined.network.layers.size();
    const Network &own = group.network;
    std::map<unsigned, unsigned> renumbered;
    auto move = [&](std::optional<unsigned> operand) {
      if (!operand)
        return operand;
      if (*operand < own.layers.size())
        return std::optional<unsigned>(base + *operand);
      auto [it, isNew] = renumbered.try_emplace(*operand, outside);
      outside += isNew;
      return std::optional<unsigned>(it->second);
    };
    for (size_t i = 0; i < own.layers.size(); ++i) {
      joined.network.layers.push_back(own.layers[i]);
      joined.network.layers.back().trips = std::max<int64_t>(1, group.runs);
      Operands operands;
      if (i < own.operands.size())
        operands = {move(own.operands[i].input),
                    move(own.operands[i].residual)};
      else if (i > 0)
        operands.input = base + i - 1;
      joined.network.operands.push_back(operands);
    }
    for (Edge edge : own.edges) {
      edge.producer += base;
      edge.consumer += base;
      joined.network.edges.push_back(edge);
    }
    llvm::append_range(joined.schedule.mappings, group.schedule.mappings);
    joined.schedule.groups.push_back(group.schedule.groups.front().renumbered(
        [&](unsigned layer) { return base + layer; }));
    joined.groups.push_back(index);
  }
}

json::Object Builder::machine() const {
  const Accelerator &m = in.target;
  json::Object fields;
  visitFields(
      [&](const Field &field, const auto &value) {
        const std::string name =
            *field.section ? std::string(field.section) + "." + field.key
                           : std::string(field.key);
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, double>)
          fields[name] = value;
        else
          fields[name] = toText(value);
      },
      m);
  const double side = double(m.side);
  auto level = [&](Level which, json::Value bytes, double wordsPerCycle) {
    return json::Object{{"name", levelName(which)},
                        {"bytes", std::move(bytes)},
                        {"words_per_cycle", wordsPerCycle},
                        {"energy_per_access_pj", m.energyPerAccess[which]}};
  };
  return json::Object{
      {"name", m.name},
      {"side", m.side},
      {"arithmetic", nameOf(m.arithmetic)},
      {"clock_hz",
       m.clockHz > 0 ? json::Value(m.clockHz) : json::Value(nullptr)},
      {"area_mm2", m.area > 0 ? json::Value(m.area) : json::Value(nullptr)},
      {"peak_macs_per_cycle", m.side * m.side},
      {"dma_bytes_per_cycle", m.dmaBytesPerCycle},
      {"element_bytes", m.elementBytes()},
      {"levels",
       json::Array{level(Level::Registers, m.side * m.side * m.elementBytes(),
                         m.bandwidth[Level::Registers] * side * side),
                   level(Level::Accumulator, m.accumulatorBytes,
                         m.bandwidth[Level::Accumulator] * side),
                   level(Level::Scratchpad, m.scratchpadBytes,
                         m.bandwidth[Level::Scratchpad]),
                   level(Level::Dram, nullptr, m.bandwidth[Level::Dram])}},
      {"fields", std::move(fields)}};
}

json::Array Builder::groups() {
  json::Array listed;
  int64_t next = 0;
  size_t known = 0;
  for (auto [index, group] : llvm::enumerate(in.groups)) {
    json::Array layers;
    json::Object entry{{"name", group.name},
                       {"runs", group.runs},
                       {"runs_known", group.runsKnown}};
    if (known < joined.groups.size() && joined.groups[known] == index) {
      const FusionGroup &plan = joined.schedule.groups[known];
      for (size_t i = 0; i < group.network.layers.size(); ++i)
        layers.push_back(next++);
      for (const Layer &layer : group.network.layers)
        macs += layer.macs() * group.runs;
      entry["keeps_rows"] = plan.keeps.has_value();
      entry["pools_output"] = plan.poolsOutput;
      entry["by_loop"] = plan.byLoop;
      // What the schedule holds on chip while the group runs.
      const Accelerator &m = in.target;
      int64_t scratchpad = 0, accumulator = 0;
      if (plan.isTiled())
        scratchpad =
            groupScratchpadRows(joined.network, joined.schedule, plan, m);
      for (auto [member, layer] : llvm::enumerate(plan.layers)) {
        Layer tile = joined.network.layers[layer];
        if (plan.isTiled())
          tile = GroupTiles(joined.network, joined.schedule, plan)
                     .tileLayer(member);
        const Footprint rows = footprint(tile, joined.schedule.mappings[layer]);
        accumulator = std::max(accumulator, rows.outputRows);
        if (!plan.isTiled())
          scratchpad = rows.inputRows + rows.weightRows;
      }
      entry["scratchpad_bytes"] = scratchpad * m.side * m.elementBytes();
      entry["accumulator_bytes"] = accumulator * m.side * 4;
      ++known;
    }
    entry["layers"] = std::move(layers);
    if (group.known) {
      entry["energy_pj"] = group.energy;
      entry["cycles"] = group.cycles;
      entry["dram_read_bytes"] = group.dramRead;
      entry["dram_write_bytes"] = group.dramWrite;
    }
    energy += group.energy;
    cycles += group.cycles;
    allKnown &= group.known;
    const sim::Counters &found = group.simulated;
    dramRead += found.dramBytesRead;
    dramWrite += found.dramBytesWritten;
    auto part = [&](sim::ArrayTime what) {
      return found.arrayTime[size_t(what)];
    };
    entry["simulated"] =
        json::Object{{"cycles", found.cycles},
                     {"array", part(sim::ArrayTime::Compute)},
                     {"fill", part(sim::ArrayTime::Fill)},
                     {"load_wait", part(sim::ArrayTime::Load)},
                     {"store_wait", part(sim::ArrayTime::Store)},
                     {"issue", part(sim::ArrayTime::Issue)},
                     {"load_busy", found.loadBusyCycles},
                     {"execute_busy", found.executeBusyCycles},
                     {"store_busy", found.storeBusyCycles},
                     {"load_open", found.loadOpenCycles},
                     {"start", found.startCycles},
                     {"macs", found.macs},
                     {"commands", found.coreCommands()},
                     {"dram_read_bytes", found.dramBytesRead},
                     {"dram_write_bytes", found.dramBytesWritten}};
    entry["host_elements"] = group.hostElements;
    listed.push_back(std::move(entry));
  }
  return listed;
}

/// What the searches say of layers, by name.
static llvm::StringMap<json::Object>
runnersUp(llvm::ArrayRef<ReportedSearch> searches) {
  llvm::StringMap<json::Object> found;
  for (const ReportedSearch &search : searches) {
    const Summary summary(*search.network, *search.result);
    for (auto [index, layer] : llvm::enumerate(search.network->layers)) {
      const std::string text = summary.runnerUpText(unsigned(index));
      if (text.empty())
        continue;
      const Alternative &other = *search.result->runnersUp[index];
      found[layer.name] = json::Object{{"text", text},
                                       {"mapping", other.what},
                                       {"energy_pj", other.energy},
                                       {"cycles", other.cycles},
                                       {"objective_ratio", other.ratio}};
    }
  }
  return found;
}

json::Array Builder::layers() const {
  const json::Value judged = toJson(breakdown, /*slopes=*/true);
  const auto others = runnersUp(in.searches);
  json::Array listed;
  for (auto [g, group] :
       llvm::enumerate(*judged.getAsObject()->getArray("groups"))) {
    const FusionGroup &plan = joined.schedule.groups[g];
    for (auto [member, value] :
         llvm::enumerate(*group.getAsObject()->getArray("layers"))) {
      json::Object layer = *value.getAsObject();
      const unsigned index = plan.layers[member];
      const Layer &own = joined.network.layers[index];
      const Mapping &mapping = joined.schedule.mappings[index];
      const LayerBreakdown &parts = breakdown.groups[g][member];
      layer["group"] = int64_t(joined.groups[g]);
      layer["runs"] = own.trips;
      json::Object dims, words;
      for (Dim dim : kAllDims)
        if (own.dims[dim] != 1)
          dims[std::string(1, dimName(dim))] = own.dims[dim];
      for (Level level : kAllLevels)
        words[levelName(level)] = parts.cost.accesses(level);
      layer["dims"] = std::move(dims);
      layer["words"] = std::move(words);
      layer["total_energy_pj"] = parts.cost.energy * double(own.trips);
      layer["total_cycles"] = parts.cost.cycles * double(own.trips);
      layer["mapping"] = mappingText(mapping);
      layer["short_mapping"] = shortMappingText(mapping);
      layer["rows_used"] = mapping.rows;
      layer["columns_used"] = mapping.cols;
      layer["loops"] = loopsOf(joined.network, joined.schedule, plan, member);
      layer["tiles"] =
          tilesOf(joined.network, joined.schedule, plan, member, in.target);
      if (auto it = others.find(own.name); it != others.end())
        layer["runner_up"] = json::Object(it->second);
      listed.push_back(std::move(layer));
    }
  }
  return listed;
}

json::Array Builder::edges() const {
  json::Array listed;
  for (const ReportedSearch &search : in.searches) {
    const Summary summary(*search.network, *search.result);
    json::Object all = summary.toJson();
    json::Array *edges = all.getArray("edges");
    for (auto [edge, decision] : llvm::zip(*edges, search.result->edges)) {
      json::Object object = *edge.getAsObject();
      object["text"] = summary.reasonText(decision);
      object["residual"] = false;
      listed.push_back(std::move(object));
    }
    // A residual is an operand, not an edge that could be fused apart.
    const Network &network = *search.network;
    for (auto [consumer, operands] : llvm::enumerate(network.operands))
      if (operands.residual && *operands.residual < network.layers.size())
        listed.push_back(
            json::Object{{"producer", network.layers[*operands.residual].name},
                         {"consumer", network.layers[consumer].name},
                         {"residual", true}});
  }
  return listed;
}

double Builder::objectiveOf(const Charge &charge) const {
  return objectiveValue(in.objective, charge.energy, charge.cycles);
}

Builder::Charge Builder::chargeOn(const Accelerator &target) const {
  const ScheduleCost cost =
      evaluateSchedule(joined.network, joined.schedule, target, *in.cost);
  return {cost.energy + in.coreCycles * target.leakagePerCycle(),
          cost.cycles + in.coreCycles};
}

void Builder::countRates() {
  if (!in.hasRates)
    return;
  ScheduleCost cost =
      evaluateSchedule(joined.network, joined.schedule, in.target, *in.cost);
  if (!(cost.energy > 0 && cost.cycles > 0))
    return;
  cost.coreCycles = in.coreCycles;
  counts.emplace(joined.network, joined.schedule, cost, in.target);
  llvm::append_range(worth, worthOf(*counts, in.target));
}

json::Object Builder::worthOfKnob(const MachineKnob &knob,
                                  const Charge &now) const {
  const RateWorth *of = counts && knob.rate ? &worth[*knob.rate] : nullptr;
  auto ratio = [&](const Charge &then) {
    return json::Object{
        {"energy_ratio", then.energy / now.energy},
        {"cycles_ratio", then.cycles / now.cycles},
        {"objective_ratio", objectiveOf(then) / objectiveOf(now)}};
  };
  auto times = [&](double factor) -> Charge {
    if (!of)
      return chargeOn(turnKnob(in.target, knob.name, factor));
    Rates<double> rates = ratesOf(in.target);
    rates[*knob.rate] *= factor;
    const auto charge = counts->at(rates);
    return {charge.energy, charge.cycles};
  };
  json::Object entry{{"twice", ratio(times(2))}, {"half", ratio(times(0.5))}};
  if (of) {
    double slope = 0;
    if (in.objective != Objective::Latency)
      slope += of->energySlope;
    if (in.objective != Objective::Energy)
      slope += of->cyclesSlope;
    entry["slope"] = slope;
    entry["ceiling"] =
        ratio({now.energy / of->energyCeiling, now.cycles / of->cyclesCeiling});
    return entry;
  }
  constexpr double kStep = 1.001;
  entry["slope"] = (std::log(objectiveOf(times(kStep))) -
                    std::log(objectiveOf(times(1 / kStep)))) /
                   (2 * std::log(kStep));
  // As if it cost nothing: as much as it can ever bring.
  const bool isEnergy = llvm::StringRef(knob.name).contains("energy");
  entry["ceiling"] = ratio(times(isEnergy ? 1e-12 : 1e12));
  return entry;
}

/// The knobs, and what else is a rate of the machine and counts by `worth`.
static std::vector<MachineKnob> knobsAndRates(llvm::ArrayRef<RateWorth> worth) {
  using R = Rates<double>;
  std::vector<MachineKnob> knobs = machineKnobs();
  for (const MachineKnob &other :
       {MachineKnob{"issue.command_cycles", "cycles", false, R::kCommand},
        MachineKnob{"core", "", false, R::kCore},
        MachineKnob{"leakage", "mW", false, R::kLeakage}})
    if (!worth.empty() && worth[*other.rate].edpSlope() != 0)
      knobs.push_back(other);
  return knobs;
}

json::Array Builder::knobs() const {
  json::Array listed;
  const Charge now = chargeOn(in.target);
  if (!(objectiveOf(now) > 0))
    return listed;
  for (const MachineKnob &knob : knobsAndRates(worth)) {
    // A capacity gives room, which this schedule does not use.
    json::Object entry;
    if (!knob.isCapacity)
      entry = worthOfKnob(knob, now);
    entry["field"] = knob.name;
    entry["unit"] = knob.unit;
    entry["is_capacity"] = knob.isCapacity;
    json::Array again;
    for (const SearchedAgain &point : in.searchedAgain)
      if (point.field == knob.name) {
        json::Object object{{"factor", point.factor}, {"found", point.found}};
        if (point.found) {
          object["energy_pj"] = point.energy;
          object["cycles"] = point.cycles;
          object["objective_ratio"] =
              objectiveOf({point.energy, point.cycles}) / objectiveOf(now);
        }
        again.push_back(std::move(object));
      }
    entry["searched_again"] = std::move(again);
    listed.push_back(std::move(entry));
  }
  return listed;
}

json::Array Builder::sets() const {
  json::Array listed;
  if (!counts)
    return listed;
  const std::vector<MachineKnob> knobs = knobsAndRates(worth);
  for (const SetWorth &set : bestSets(*counts, in.target)) {
    if (set.names.size() < 2)
      continue;
    json::Array numbers;
    for (const std::string &name : set.names) {
      auto known = llvm::find_if(knobs, [&](const MachineKnob &knob) {
        return knob.rate && rateName(*knob.rate) == name;
      });
      numbers.push_back(known != knobs.end() ? known->name : name);
    }
    listed.push_back(json::Object{{"numbers", std::move(numbers)},
                                  {"edp_ratio", 1 / set.edpCeiling}});
  }
  return listed;
}

json::Value Builder::timeline() const {
  if (!in.trace)
    return nullptr;
  json::Array slices, members, regions, bytes;
  auto groupOf = [&](int64_t region) {
    return region >= 0 && region < int64_t(in.groups.size()) ? region : -1;
  };
  for (const sim::TraceSlice &slice : in.trace->slices().list())
    slices.push_back(json::Array{int64_t(slice.track), groupOf(slice.region),
                                 slice.start, slice.finish, slice.busy,
                                 slice.firstTile, slice.lastTile,
                                 slice.commands, slice.bytes});
  // The first layer of each group in the document.
  std::map<int64_t, int64_t> firstLayer;
  int64_t next = 0;
  for (auto [group, index] : llvm::zip(joined.schedule.groups, joined.groups)) {
    firstLayer[int64_t(index)] = next;
    next += int64_t(group.layers.size());
  }
  for (const sim::TraceSlice &slice : in.trace->memberSlices().list())
    if (auto first = firstLayer.find(groupOf(slice.region));
        first != firstLayer.end())
      members.push_back(
          json::Array{int64_t(slice.track), first->second + slice.member,
                      slice.start, slice.finish, slice.busy, slice.firstTile,
                      slice.lastTile, slice.commands, slice.bytes});
  for (const sim::TraceSpan &span : in.trace->regions())
    regions.push_back(
        json::Array{groupOf(span.region), span.start, span.finish});
  for (int64_t bin : in.trace->dramBytes())
    bytes.push_back(bin);
  return json::Object{
      {"tracks", json::Array{"load", "execute", "store", "host waits"}},
      {"slice_fields",
       json::Array{"track", "group", "start", "finish", "busy", "first_tile",
                   "last_tile", "commands", "dram_bytes"}},
      {"slices", std::move(slices)},
      {"merged_gap", in.trace->slices().mergedGap()},
      {"member_slice_fields",
       json::Array{"track", "layer", "start", "finish", "busy", "first_tile",
                   "last_tile", "commands", "dram_bytes"}},
      {"member_slices", std::move(members)},
      {"member_merged_gap", in.trace->memberSlices().mergedGap()},
      {"left_out_commands", in.trace->slices().leftOut()},
      {"left_out_member_commands", in.trace->memberSlices().leftOut()},
      {"regions", std::move(regions)},
      {"bin_cycles", in.trace->binCycles()},
      {"dram_bytes", std::move(bytes)}};
}

json::Object Builder::totals() const {
  const double all = cycles + in.coreCycles;
  const double simulated = double(in.simulatedCycles) + in.coreCycles;
  const double operations = 2 * double(macs);
  const double clock = in.target.clockHz;
  // What leaks grows with time, the core's included.
  const double leakage = in.target.leakagePerCycle();
  const double predictedEnergy = energy + in.coreCycles * leakage;
  const double simulatedEnergy = predictedEnergy + (simulated - all) * leakage;
  const Figures figures = figuresOf(in.target, simulatedEnergy, simulated);
  auto orNull = [](std::optional<double> value) {
    return value ? json::Value(*value) : json::Value(nullptr);
  };
  auto withClock = [&](double value) {
    return clock > 0 && std::isfinite(value) ? json::Value(value)
                                             : json::Value(nullptr);
  };
  std::optional<double> gap, unfused;
  if (in.searches.size() == 1) {
    const Summary summary(*in.searches[0].network, *in.searches[0].result);
    gap = summary.gap();
    if (in.searches[0].result->unfusedEnergy > 0)
      unfused = in.searches[0].result->unfusedValue() /
                in.searches[0].result->value();
  }
  return json::Object{
      {"objective", nameOf(in.objective)},
      {"macs", macs},
      {"energy_pj", predictedEnergy},
      {"energy_mj", predictedEnergy * 1e-9},
      {"core_energy_pj", in.coreCycles * leakage},
      {"simulated_energy_pj", simulatedEnergy},
      {"accelerator_cycles", cycles},
      {"core_cycles", in.coreCycles},
      {"predicted_cycles", all},
      {"simulated_accelerator_cycles", in.simulatedCycles},
      {"simulated_cycles", simulated},
      {"all_known", allKnown},
      {"edp_uj_cycles", predictedEnergy * 1e-6 * all},
      {"simulated_edp_uj_cycles", simulatedEnergy * 1e-6 * simulated},
      {"predicted_ms", withClock(all / clock * 1e3)},
      {"simulated_ms", withClock(simulated / clock * 1e3)},
      {"inferences_per_second", withClock(clock / simulated)},
      {"tops", withClock(operations / simulated * clock * 1e-12)},
      // An operation per pJ is a tera-operation per second and W.
      {"tops_per_watt", simulatedEnergy > 0
                            ? json::Value(operations / simulatedEnergy)
                            : json::Value(nullptr)},
      {"power_mw", withClock(figures.milliwatts)},
      {"inferences_per_second_per_mm2",
       figures.perSecondPerMm2 > 0 ? json::Value(figures.perSecondPerMm2)
                                   : json::Value(nullptr)},
      {"macs_per_cycle", simulated > 0 ? double(macs) / simulated : 0},
      {"array_use", simulated > 0 ? double(macs) / simulated /
                                        double(in.target.side * in.target.side)
                                  : 0},
      {"dram_read_bytes", dramRead},
      {"dram_write_bytes", dramWrite},
      {"dram_bytes", dramRead + dramWrite},
      {"dram_mb", double(dramRead + dramWrite) * 1e-6},
      {"gap", orNull(gap)},
      {"unfused_ratio", orNull(unfused)},
      {"host_share", simulated > 0 ? in.coreCycles / simulated : 0}};
}

json::Object Builder::build() {
  join();
  if (!joined.groups.empty()) {
    breakdown = breakDown(joined.network, joined.schedule, in.target, *in.cost);
    countRates();
  }
  json::Array searches;
  for (const ReportedSearch &search : in.searches) {
    json::Object all = Summary(*search.network, *search.result).toJson();
    all.erase("edges"); // they stand below, with their texts
    all.erase("layers");
    all["function"] = search.function;
    searches.push_back(std::move(all));
  }
  json::Object report{{"fadiff_report", kReportVersion},
                      {"network", in.network},
                      {"machine", machine()}};
  // The totals are of the groups.
  report["groups"] = groups();
  report["totals"] = totals();
  report["layers"] = layers();
  report["edges"] = edges();
  report["searches"] = std::move(searches);
  report["what_would_help"] = joined.groups.empty() ? json::Array() : knobs();
  report["what_would_help_together"] = sets();
  report["host"] = json::Object(in.host);
  report["timeline"] = timeline();
  report["sentence"] = summarySentence(report);
  return report;
}

json::Object fadiff::makeReport(const ReportInput &input) {
  return Builder(input).build();
}

/// "3.91 Mcycles"; three digits.
static std::string withPrefix(double value, llvm::StringRef unit) {
  for (auto [factor, prefix] : {std::pair(1e9, "G"), {1e6, "M"}, {1e3, "k"}})
    if (value >= factor)
      return llvm::formatv("{0:f2} {1}{2}", value / factor, prefix, unit);
  return llvm::formatv("{0:f0} {1}", value, unit);
}

std::string fadiff::summarySentence(const json::Object &report) {
  const json::Object &totals = *report.getObject("totals");
  const json::Object &machine = *report.getObject("machine");
  const double cycles = totals.getNumber("simulated_cycles").value_or(0);
  std::string text =
      llvm::formatv("{0} on {1}: ", report.getString("network").value_or(""),
                    machine.getString("name").value_or(""));
  if (auto ms = totals.getNumber("simulated_ms"))
    text += *ms >= 0.1 ? llvm::formatv("{0:f2} ms", *ms).str()
                       : llvm::formatv("{0:f2} us", *ms * 1e3).str();
  else
    text += withPrefix(cycles, "cycles");
  const double energy = totals.getNumber("simulated_energy_pj").value_or(0);
  text += energy >= 1e8 ? llvm::formatv(", {0:f2} mJ", energy * 1e-9).str()
                        : llvm::formatv(", {0:f2} uJ", energy * 1e-6).str();
  if (!totals.getBoolean("all_known").value_or(true))
    text += " without layers of which nothing was predicted";
  if (auto gap = totals.getNumber("gap"))
    text += *gap == 0
                ? ", as good as the bound allows"
                : llvm::formatv(", {0} % above the bound",
                                *gap < 0.0005
                                    ? "less than 0.1"
                                    : llvm::formatv("{0:f1}", *gap * 100).str())
                      .str();
  else if (const json::Array *searches = report.getArray("searches");
           searches && !searches->empty())
    text += ", no bound known";
  text += llvm::formatv(", {0:f1} % of time on the host",
                        totals.getNumber("host_share").value_or(0) * 100);
  return text;
}

llvm::Expected<json::Object> fadiff::readReport(llvm::StringRef text,
                                                llvm::StringRef file) {
  llvm::Expected<json::Value> value = parseJson(text, file);
  if (!value)
    return value.takeError();
  json::Object *report = value->getAsObject();
  const auto version =
      report ? report->getInteger("fadiff_report") : std::nullopt;
  auto fail = [&](const llvm::Twine &wanted, const llvm::Twine &found) {
    return llvm::createStringError(file + ": wanted " + wanted + ", found " +
                                   found);
  };
  if (!version)
    return fail("a report, as fadiff-run --report=<file>.json writes it",
                "another document");
  if (*version != kReportVersion)
    return fail("fadiff_report " + llvm::Twine(kReportVersion),
                llvm::Twine(*version));
  for (llvm::StringRef key : {"machine", "totals", "host"})
    if (!report->getObject(key))
      return fail("an object '" + key + "'", "none");
  for (llvm::StringRef key :
       {"groups", "layers", "edges", "what_would_help", "searches"}) {
    const json::Array *array = report->getArray(key);
    if (!array)
      return fail("an array '" + key + "'", "none");
    for (const json::Value &element : *array)
      if (!element.getAsObject())
        return fail("objects in '" + key + "'", "something else");
  }
  return std::move(*report);
}
