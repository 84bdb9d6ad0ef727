//===- ReportTest.cpp - The document of a run -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Report/Report.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace fadiff;
namespace json = llvm::json;

namespace {

Accelerator machine() {
  Accelerator target;
  target.name = "test";
  target.side = 4;
  target.scratchpadBytes = 4096;
  target.accumulatorBytes = 4096;
  target.energyPerMac = 0.5;
  target.energyPerAccess[Level::Registers] = 0.25;
  target.energyPerAccess[Level::Accumulator] = 2;
  target.energyPerAccess[Level::Scratchpad] = 1;
  target.energyPerAccess[Level::Dram] = 100;
  target.bandwidth[Level::Registers] = 2;
  target.bandwidth[Level::Accumulator] = 2;
  target.bandwidth[Level::Scratchpad] = 8;
  target.bandwidth[Level::Dram] = 1;
  return target;
}

/// 8 x 8 times 8 x 8, with sums that stay in the accumulator, run `runs` times.
ReportedGroup product(const std::string &name, int64_t runs) {
  ReportedGroup group;
  group.name = name;
  Layer layer;
  layer.name = name;
  layer.dims[Dim::N] = layer.dims[Dim::K] = layer.dims[Dim::C] = 8;
  group.network.layers = {layer};
  Mapping mapping;
  mapping.rows = mapping.cols = 4;
  mapping.temporal[Level::Registers][Dim::N] = 8;
  mapping.temporal[Level::Accumulator][Dim::C] = 2;
  mapping.temporal[Level::Scratchpad][Dim::K] = 2;
  FusionGroup alone;
  alone.layers = {0};
  group.schedule = {{mapping}, {alone}};
  group.runs = runs;
  const LayerCost cost = evaluateLayer(layer, mapping, machine());
  group.energy = cost.energy * double(runs);
  group.cycles = cost.cycles * double(runs);
  group.simulated.cycles = 300;
  group.simulated.arrayTime = {100, 50, 120, 20, 10};
  group.simulated.dramBytesRead = 128;
  group.simulated.dramBytesWritten = 64;
  return group;
}

struct Reported {
  std::unique_ptr<CostFunction> cost = createCostFunction(Convention::Machine);
  ReportInput input;
  Reported() {
    input.network = "net";
    input.target = machine();
    input.cost = cost.get();
    input.hasRates = true;
    input.groups = {product("a", 1), product("b", 3)};
    input.simulatedCycles = 600;
    input.coreCycles = 200;
  }
};

const json::Object &element(const json::Object &report, llvm::StringRef key,
                            size_t index) {
  return *(*report.getArray(key))[index].getAsObject();
}

TEST(Report, TotalsAreThoseOfTheGroups) {
  Reported r;
  const json::Object report = makeReport(r.input);
  const json::Object &totals = *report.getObject("totals");
  EXPECT_EQ(totals.getInteger("macs"), 512 + 3 * 512);
  EXPECT_EQ(totals.getNumber("energy_pj"),
            r.input.groups[0].energy + r.input.groups[1].energy);
  EXPECT_EQ(totals.getInteger("dram_bytes"), 2 * (128 + 64));
  EXPECT_EQ(totals.getNumber("simulated_cycles"), 800);
  EXPECT_EQ(totals.getNumber("host_share"), 0.25);
  // Without a clock there are no seconds; operations per energy there are.
  EXPECT_FALSE(totals.getNumber("simulated_ms"));
  EXPECT_DOUBLE_EQ(*totals.getNumber("tops_per_watt"),
                   2 * 2048 / *totals.getNumber("energy_pj"));
  EXPECT_EQ(
      report.getString("sentence"),
      "net on test: 800 cycles, " +
          llvm::formatv("{0:f2}", *totals.getNumber("energy_pj") * 1e-6).str() +
          " uJ, 25.0 % of time on the host");
}

TEST(Report, SecondsWantAClock) {
  Reported r;
  r.input.target.clockHz = 1e6;
  const json::Object report = makeReport(r.input);
  const json::Object &totals = *report.getObject("totals");
  EXPECT_DOUBLE_EQ(*totals.getNumber("simulated_ms"), 0.8);
  EXPECT_DOUBLE_EQ(*totals.getNumber("inferences_per_second"), 1250);
  EXPECT_DOUBLE_EQ(*totals.getNumber("tops"), 2 * 2048 / 800e-6 * 1e-12);
  EXPECT_EQ(report.getString("sentence")->substr(0, 21),
            "net on test: 0.80 ms,");
}

// What leaks is predicted with the predicted cycles, the core's among them, and
// grows with the simulated ones.
TEST(Report, LeakageGrowsWithTime) {
  Reported r;
  r.input.target.clockHz = 1e9;
  r.input.target.leakageMilliwatts = 50; // pJ in each cycle
  double energy = 0, cycles = 0;
  for (ReportedGroup &group : r.input.groups) {
    group.energy += 50 * group.cycles;
    energy += group.energy;
    cycles += group.cycles;
  }
  const json::Object report = makeReport(r.input);
  const json::Object &totals = *report.getObject("totals");
  EXPECT_EQ(totals.getNumber("core_energy_pj"), 50 * 200);
  EXPECT_DOUBLE_EQ(*totals.getNumber("energy_pj"), energy + 50 * 200);
  EXPECT_DOUBLE_EQ(*totals.getNumber("edp_uj_cycles"),
                   (energy + 50 * 200) * 1e-6 * (cycles + 200));
  const double simulated = energy + 50 * (800 - cycles);
  EXPECT_DOUBLE_EQ(*totals.getNumber("simulated_energy_pj"), simulated);
  EXPECT_DOUBLE_EQ(*totals.getNumber("simulated_edp_uj_cycles"),
                   simulated * 1e-6 * 800);
  EXPECT_DOUBLE_EQ(*totals.getNumber("power_mw"), simulated / 800);
  const json::Object &layer = element(report, "layers", 0);
  EXPECT_DOUBLE_EQ(*layer.getNumber("leakage_pj"),
                   50 * *layer.getNumber("cycles"));
  // It is one of the numbers that would help.
  double share = 0;
  for (const json::Value &value : *report.getArray("what_would_help"))
    if (value.getAsObject()->getString("field") == "leakage")
      share = *value.getAsObject()->getNumber("slope");
  EXPECT_NEAR(share, 50 * (cycles + 200) / (energy + 50 * 200), 1e-12);
}

TEST(Report, LayersHaveTheirPartsLoopsAndTiles) {
  Reported r;
  const json::Object report = makeReport(r.input);
  const json::Object &layer = element(report, "layers", 1);
  double energy = *layer.getObject("array")->getNumber("energy_pj");
  for (const auto &level : *layer.getObject("levels"))
    for (const auto &part : *level.second.getAsObject()->getObject("energy_pj"))
      energy += *part.second.getAsNumber();
  EXPECT_NEAR(energy, *layer.getNumber("energy_pj"), 1e-9 * energy);
  EXPECT_NEAR(*layer.getNumber("total_energy_pj"), 3 * energy, 1e-9 * energy);
  EXPECT_EQ(layer.getInteger("group"), 1);
  EXPECT_EQ(llvm::formatv("{0}", (*layer.getArray("loops"))[0]).str(),
            R"({"dim":"K","level":"scratchpad","trips":2})");
  EXPECT_EQ(layer.getArray("loops")->size(), 3u);
  int64_t sums = 0;
  for (const json::Value &value : *layer.getArray("tiles"))
    if (value.getAsObject()->getString("level") == "accumulator")
      sums = *value.getAsObject()->getInteger("bytes");
  EXPECT_EQ(sums, 8 * 4 * 4); // 8 rows of 4 sums
  EXPECT_EQ(layer.getString("short_mapping"), "S[K2] A[C2] 4x4");
  // A name of each slope is a name.
  for (const auto &slope : *layer.getObject("dlog_edp_dlog_factor"))
    EXPECT_TRUE(slope.first.str().find('.') != std::string::npos)
        << slope.first.str();
}

TEST(Report, KnobsJudgeTheScheduleOnAnotherMachine) {
  Reported r;
  r.input.searchedAgain = {{"scratchpad.capacity", 2, true, 1000, 300},
                           {"scratchpad.capacity", 0.5, false}};
  const json::Object report = makeReport(r.input);
  bool seen = false;
  for (const json::Value &value : *report.getArray("what_would_help")) {
    const json::Object &knob = *value.getAsObject();
    const llvm::StringRef field = *knob.getString("field");
    if (field == "dram.energy_per_access") {
      seen = true;
      EXPECT_EQ(knob.getObject("twice")->getNumber("cycles_ratio"), 1);
      const double twice = *knob.getObject("twice")->getNumber("energy_ratio");
      const double half = *knob.getObject("half")->getNumber("energy_ratio");
      const double none = *knob.getObject("ceiling")->getNumber("energy_ratio");
      // Energy is linear in it.
      EXPECT_NEAR(twice - 1, 2 * (1 - half), 1e-12);
      EXPECT_NEAR(1 - none, 2 * (1 - half), 1e-9);
      EXPECT_NEAR(*knob.getNumber("slope"), twice - 1, 1e-5);
    }
    if (field == "scratchpad.capacity") {
      EXPECT_FALSE(knob.getObject("twice"));
      ASSERT_EQ(knob.getArray("searched_again")->size(), 2u);
      const json::Object &first =
          *(*knob.getArray("searched_again"))[0].getAsObject();
      EXPECT_NEAR(*first.getNumber("objective_ratio"),
                  1000e-6 * 300 /
                      *report.getObject("totals")->getNumber("edp_uj_cycles"),
                  1e-9);
    }
  }
  EXPECT_TRUE(seen);
  // Every knob turns what it says, and nothing else.
  for (const MachineKnob &knob : machineKnobs()) {
    const Accelerator turned = turnKnob(machine(), knob.name, 2);
    EXPECT_FALSE(turned == machine()) << knob.name;
    EXPECT_TRUE(turnKnob(turned, knob.name, 0.5) == machine()) << knob.name;
  }
}

// Rates are worth what the model itself says of other machines, and sets of
// them at least as much as each alone.
TEST(Report, WorthIsWhatTheModelSays) {
  Reported r;
  const json::Object closed = makeReport(r.input);
  r.input.hasRates = false;
  const json::Object tried = makeReport(r.input);
  EXPECT_TRUE(tried.getArray("what_would_help_together")->empty());
  const json::Array &help = *closed.getArray("what_would_help");
  const json::Array &others = *tried.getArray("what_would_help");
  double best = 1;
  bool hasCore = false;
  for (size_t i = 0; i < help.size(); ++i) {
    const json::Object &knob = *help[i].getAsObject();
    SCOPED_TRACE(knob.getString("field")->str());
    if (*knob.getBoolean("is_capacity"))
      continue;
    best = std::min(best,
                    *knob.getObject("ceiling")->getNumber("objective_ratio"));
    if (i >= others.size()) {
      hasCore |= knob.getString("field") == "core";
      continue;
    }
    const json::Object &other = *others[i].getAsObject();
    ASSERT_EQ(knob.getString("field"), other.getString("field"));
    EXPECT_NEAR(*knob.getNumber("slope"), *other.getNumber("slope"), 1e-5);
    for (llvm::StringRef point : {"twice", "half", "ceiling"})
      for (llvm::StringRef ratio :
           {"energy_ratio", "cycles_ratio", "objective_ratio"})
        EXPECT_NEAR(*knob.getObject(point)->getNumber(ratio),
                    *other.getObject(point)->getNumber(ratio), 1e-9)
            << point.str() << ' ' << ratio.str();
  }
  EXPECT_TRUE(hasCore);
  const json::Array &sets = *closed.getArray("what_would_help_together");
  ASSERT_EQ(sets.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const json::Object &set = *sets[i].getAsObject();
    EXPECT_EQ(set.getArray("numbers")->size(), i + 2);
    EXPECT_LE(*set.getNumber("edp_ratio"), best);
    best = *set.getNumber("edp_ratio");
  }
}

TEST(Report, NoTextEndsTheScript) {
  Reported r;
  r.input.network = "</script><b>&";
  std::string page;
  llvm::raw_string_ostream os(page);
  writePage(os, makeReport(r.input));
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>\\u003cb>"), std::string::npos)
      << "the JSON has it, escaped";
  EXPECT_NE(page.find("<title>&lt;/script&gt;&lt;b&gt;&amp; on test"),
            std::string::npos);
}

TEST(Report, ReadsWhatItWrites) {
  Reported r;
  const json::Object report = makeReport(r.input);
  const std::string text =
      llvm::formatv("{0:2}", json::Value(json::Object(report)));
  llvm::Expected<json::Object> read = readReport(text, "a.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  std::string lines;
  llvm::raw_string_ostream os(lines);
  EXPECT_EQ(printDifferences(os, report, *read), 0u) << lines;
}

TEST(Report, DifferencesAreNamed) {
  Reported r;
  const json::Object before = makeReport(r.input);
  r.input.target.bandwidth[Level::Dram] = 2;
  r.input.groups.pop_back();
  const json::Object after = makeReport(r.input);
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_GT(printDifferences(os, before, after), 5u);
  EXPECT_NE(text.find("machine\n  dram.bandwidth "), std::string::npos) << text;
  EXPECT_NE(text.find("layer only in the first: b\n"), std::string::npos);
  EXPECT_NE(text.find("x 0.2500\n"), std::string::npos) << "macs";
  EXPECT_EQ(text.find("layer a\n  energy"), std::string::npos) << text;
}

TEST(Report, GroupsWithoutMappingsAreNamed) {
  Reported r;
  r.input.groups[0].schedule = {};
  r.input.groups[0].known = false;
  const json::Object report = makeReport(r.input);
  EXPECT_EQ(report.getArray("layers")->size(), 1u);
  EXPECT_EQ(element(report, "groups", 0).getArray("layers")->size(), 0u);
  EXPECT_EQ(element(report, "groups", 0).getString("name"), "a");
  EXPECT_EQ(element(report, "layers", 0).getInteger("group"), 1);
  EXPECT_NE(report.getString("sentence")
                ->find("uJ without layers of which nothing was predicted"),
            llvm::StringRef::npos);
}

} // namespace
