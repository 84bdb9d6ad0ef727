//===- CodesignTest.cpp - The best machine of a design --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Codesign/Codesign.h"
#include "fadiff/Bench/Attack.h"
#include "fadiff/CostModel/Rates.h"
#include "fadiff/Hardware/Figures.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Hardware/Yaml.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <map>

using namespace fadiff;

/// hardware/designs/gemmini.yaml with other parameters, laws of some fields
/// (section.key, law) and area.
static Design
design(llvm::StringRef parameters,
       std::vector<std::pair<llvm::StringRef, llvm::StringRef>> laws,
       llvm::StringRef area) {
  std::string text =
      llvm::cantFail(findDesign("gemmini"))
          .toYaml(llvm::cantFail(findDesign("gemmini")).initial(), "x");
  text = ("name: test\nparameters:\n" + parameters).str() +
         text.substr(text.find("array:"));
  auto replace = [&](size_t from, llvm::StringRef law) {
    const size_t value = text.find("value: ", from);
    const size_t end = text.find_first_of(",}", value);
    text.replace(value, end - value, ("law: \"" + law + "\"").str());
  };
  for (auto [place, law] : laws) {
    const auto [section, key] = place.split('.');
    const size_t at = text.find(("\n" + section + ":").str());
    EXPECT_NE(at, std::string::npos) << section.str();
    replace(key.empty() ? at : text.find((key + ":").str(), at), law);
    if (place == "dram.bandwidth") {
      // One that stands still beside it is refused.
      const size_t rate = text.find("  rate:", at);
      text.erase(rate, text.find("}\n", rate) + 2 - rate);
    }
  }
  replace(text.find("\narea:"), area);
  llvm::Expected<Design> made =
      Design::parse(llvm::MemoryBufferRef(text, "test.yaml"));
  EXPECT_TRUE(bool(made)) << llvm::toString(made.takeError());
  return std::move(*made);
}

/// Small machines, so that small networks feel their sizes.
static Design smallMachines() {
  return design(R"(
  side: {from: 2, to: 8, init: 4, legal: doubling, source: "test"}
  rows: {from: 16, to: 256, init: 64, legal: doubling, source: "test"}
  sums: {from: 8, to: 64, init: 16, legal: doubling, source: "test"}
  hand_over: {values: [mvout_spad, none], init: none, source: "test"}
)",
                {{"array.side", "side"},
                 {"accumulator.capacity", "8 * sums * side"},
                 {"accumulator.energy_per_access", "1 + 0.2 * sums / side"},
                 {"scratchpad.capacity", "4 * rows * side"},
                 {"scratchpad.energy_per_access", "0.5 + 0.05 * rows^0.5"},
                 {"scratchpad.bandwidth", "2 * side"},
                 {"hand_over.", "hand_over"}},
                "0.01 * side^2 + 0.002 * rows + 0.004 * sums");
}

/// What the real search finds for a network.
static llvm::Expected<NetworkScore> scoreOf(const Network &network,
                                            const Accelerator &machine,
                                            Objective objective) {
  SearchOptions options;
  options.objective = objective;
  llvm::Expected<SearchResult> result = search(network, machine, options);
  if (!result)
    return result.takeError();
  NetworkScore score;
  score.energy = result->cost.energy;
  score.cycles = result->cost.cycles;
  score.value = result->value();
  score.bound = result->bound;
  const ScheduleCounts counts(network, result->schedule, result->cost, machine);
  for (const RateWorth &worth : worthOf(counts, machine)) {
    score.energySlopes.push_back(worth.energySlope);
    score.cyclesSlopes.push_back(worth.cyclesSlope);
  }
  return score;
}

namespace {
/// Networks on machines, each pair searched once.
class Scorer {
public:
  Scorer(std::vector<Network> networks, Objective objective)
      : networks(std::move(networks)), objective(objective) {}

  llvm::Expected<std::vector<NetworkScore>>
  operator()(const Accelerator &machine) {
    auto [it, isNew] = known.try_emplace(toYaml(machine));
    if (!isNew)
      return it->second;
    std::vector<NetworkScore> scores;
    for (const Network &network : networks) {
      llvm::Expected<NetworkScore> score = scoreOf(network, machine, objective);
      if (!score) {
        known.erase(it);
        return score.takeError();
      }
      scores.push_back(std::move(*score));
    }
    return it->second = scores;
  }

private:
  std::map<std::string, std::vector<NetworkScore>> known;
  std::vector<Network> networks;
  Objective objective;
};
} // namespace

static Network drawn(uint64_t number) {
  return attackCell(/*seed=*/20261123, number).network;
}

// The grid knows nothing of boxes, and searches no made-up machine.
TEST(CodesignTest, BoxesFindWhatTheGridFinds) {
  const Design machines = smallMachines();
  unsigned searched = 0, all = 0;
  for (uint64_t number : {1, 2}) {
    for (Objective objective :
         {Objective::Edp, Objective::Energy, Objective::Latency}) {
      Scorer score({drawn(number)}, objective);
      for (double area : {0.0, 0.5}) {
        SCOPED_TRACE(number);
        SCOPED_TRACE(area);
        CodesignOptions options;
        options.objective = objective;
        options.mostArea = area;
        options.method = CodesignMethod::Grid;
        auto grid = codesign(machines, options, score);
        ASSERT_TRUE(bool(grid)) << llvm::toString(grid.takeError());
        options.method = CodesignMethod::Boxes;
        auto boxes = codesign(machines, options, score);
        ASSERT_TRUE(bool(boxes)) << llvm::toString(boxes.takeError());
        EXPECT_EQ(boxes->legal, grid->legal);
        EXPECT_EQ(boxes->affordable, grid->affordable);
        EXPECT_EQ(area > 0, boxes->affordable < boxes->legal);
        EXPECT_NEAR(boxes->best().value, grid->best().value,
                    1e-9 * grid->best().value);
        if (boxes->bound) {
          EXPECT_LE(*boxes->bound, grid->best().value * (1 + 1e-9));
          EXPECT_GE(*boxes->gap(), 0);
        }
        searched += boxes->searches;
        all += grid->searches;
      }
    }
  }
  EXPECT_LT(2 * searched, all);
}

// The front by boxes is that of all machines, and no machine is searched twice.
TEST(CodesignTest, FrontsAreThoseOfTheGrid) {
  const Design machines = smallMachines();
  Scorer score({drawn(2)}, Objective::Edp);
  CodesignOptions options;
  options.method = CodesignMethod::Grid;
  auto grid = codesign(machines, options, score);
  ASSERT_TRUE(bool(grid)) << llvm::toString(grid.takeError());
  const auto wanted = paretoFront(grid->machines);
  options.method = CodesignMethod::Boxes;
  std::map<std::string, unsigned> asked;
  auto counted = [&](const Accelerator &machine) {
    EXPECT_EQ(++asked[toYaml(machine)], 1u);
    return score(machine);
  };
  auto front = codesignFront(machines, options, FrontOver::Area, counted);
  ASSERT_TRUE(bool(front)) << llvm::toString(front.takeError());
  EXPECT_EQ(front->searches, asked.size());
  ASSERT_EQ(front->points.size(), wanted.size());
  ASSERT_GT(wanted.size(), 3u);
  for (auto [point, machine] : llvm::zip_equal(front->points, wanted)) {
    EXPECT_NEAR(point.machine.value, machine->value, 1e-9 * machine->value);
    EXPECT_NEAR(point.machine.machine.area, machine->machine.area, 1e-9);
    if (point.bound) {
      EXPECT_LE(*point.bound, machine->value * (1 + 1e-9));
    }
  }
  EXPECT_EQ(front->whole.best().value, front->points.back().machine.value);
  // Stopped early, wherever, it says so, and has the largest ones if any.
  for (unsigned part = 1; part < 8; ++part) {
    const unsigned most = front->searches * part / 8;
    options.mostSearches = most;
    auto stopped = codesignFront(machines, options, FrontOver::Area, score);
    if (!stopped) {
      EXPECT_NE(llvm::toString(stopped.takeError()).find("stopped before"),
                std::string::npos);
      continue;
    }
    EXPECT_TRUE(stopped->stopped) << most;
    EXPECT_LE(stopped->searches, most);
    EXPECT_LE(stopped->points.size(), front->points.size());
  }
  options = {};
  options.goal = CodesignGoal::Smallest;
  options.most = 1;
  auto refused = codesignFront(machines, options, FrontOver::Area, score);
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(llvm::toString(refused.takeError()).find("found a goal to keep"),
            std::string::npos);
}

// Over power, too: each machine is the best of all that take no more, and what
// takes less is none of them.
TEST(CodesignTest, FrontsOverPowerAreThoseOfTheGrid) {
  const Design machines = smallMachines();
  Scorer score({drawn(2)}, Objective::Latency);
  CodesignOptions options;
  options.objective = Objective::Latency;
  options.method = CodesignMethod::Grid;
  auto grid = codesign(machines, options, score);
  ASSERT_TRUE(bool(grid)) << llvm::toString(grid.takeError());
  std::vector<const ScoredMachine *> wanted;
  for (const ScoredMachine &machine : grid->machines)
    if (llvm::none_of(grid->machines, [&](const ScoredMachine &other) {
          return std::make_pair(other.value, other.milliwatts()) <
                     std::make_pair(machine.value, machine.milliwatts()) &&
                 other.milliwatts() <= machine.milliwatts();
        }))
      wanted.push_back(&machine);
  llvm::sort(wanted, [](const ScoredMachine *a, const ScoredMachine *b) {
    return a->milliwatts() < b->milliwatts();
  });
  ASSERT_GT(wanted.size(), 2u);
  options.method = CodesignMethod::Boxes;
  auto front = codesignFront(machines, options, FrontOver::Power, score);
  ASSERT_TRUE(bool(front)) << llvm::toString(front.takeError());
  std::vector<std::pair<double, double>> found, expected;
  for (const CodesignFront::Point &point : front->points)
    found.push_back({point.machine.milliwatts(), point.machine.value});
  for (const ScoredMachine *machine : wanted)
    if (expected.empty() ||
        machine->milliwatts() > expected.back().first * (1 + 1e-6))
      expected.push_back({machine->milliwatts(), machine->value});
  ASSERT_EQ(found.size(), expected.size());
  for (auto [a, b] : llvm::zip_equal(found, expected)) {
    EXPECT_NEAR(a.first, b.first, 1e-5 * b.first);
    EXPECT_NEAR(a.second, b.second, 1e-9 * b.second);
  }
  for (size_t i = 1; i < front->searched.size(); ++i)
    EXPECT_LE(front->searched[i - 1].milliwatts(),
              front->searched[i].milliwatts());
}

// Where a search finds more than its bound, the boxes need a search for each
// machine whose bound is below the best, and for no other and no made-up one.
TEST(CodesignTest, BoundsApartSpareSearches) {
  const Design machines = smallMachines();
  unsigned spared = 0;
  for (uint64_t number : {1, 2, 3}) {
    Scorer exact({drawn(number)}, Objective::Edp);
    // Of 1 to 1.6 times as much, which changes the order of machines.
    auto score = [&](const Accelerator &machine)
        -> llvm::Expected<std::vector<NetworkScore>> {
      auto scores = exact(machine);
      if (scores)
        for (NetworkScore &one : *scores)
          one.value *= 1 + 0.6 *
                               double((machine.scratchpadBytes / 64 * 7 +
                                       machine.accumulatorBytes / 32 * 5 +
                                       machine.side * 3) %
                                      11) /
                               10;
      return scores;
    };
    for (CodesignGoal goal : {CodesignGoal::Best, CodesignGoal::Smallest}) {
      CodesignOptions options;
      options.goal = goal;
      options.most = std::numeric_limits<double>::infinity();
      options.method = CodesignMethod::Grid;
      auto grid = codesign(machines, options, score);
      ASSERT_TRUE(bool(grid)) << llvm::toString(grid.takeError());
      if (goal == CodesignGoal::Smallest) {
        options.most =
            grid->machines[grid->machines.size() / 3].networks[0].value;
        grid = codesign(machines, options, score);
        ASSERT_TRUE(bool(grid)) << llvm::toString(grid.takeError());
      }
      // What has to be searched, as its bound alone does not rule it out.
      auto keyOf = [&](const ScoredMachine &of) {
        return goal == CodesignGoal::Best ? *of.networks[0].bound
                                          : of.machine.area;
      };
      const ScoredMachine &best = grid->best();
      unsigned needed = 0;
      for (const ScoredMachine &of : grid->machines)
        needed +=
            keyOf(of) <=
            (goal == CodesignGoal::Best ? best.value : best.machine.area) *
                (1 + 1e-9);
      options.method = CodesignMethod::Boxes;
      auto boxes = codesign(machines, options, score, nullptr, exact);
      ASSERT_TRUE(bool(boxes)) << llvm::toString(boxes.takeError());
      EXPECT_EQ(keyOf(boxes->best()), keyOf(best));
      EXPECT_EQ(boxes->best().value, best.value);
      EXPECT_LE(boxes->searches, needed);
      EXPECT_EQ(boxes->searches, boxes->machines.size());
      EXPECT_GT(boxes->bounded, 0u);
      ASSERT_TRUE(boxes->bound && grid->bound);
      EXPECT_LE(*boxes->bound, *grid->bound * (1 + 1e-9));
      spared += boxes->legal - boxes->searches;
    }
  }
  EXPECT_GT(spared, 0u);
}

/// Joint descents on the networks, as ScoreFunction's searches are.
static llvm::Expected<JointPoint> relaxed(std::vector<Network> networks,
                                          Objective objective,
                                          const MovingMachine &machine) {
  SearchOptions options;
  options.objective = objective;
  options.gradient.steps = 60;
  return descendJointly(
      networks, std::vector<SearchOptions>(networks.size(), options), machine);
}

// What joint descents end at is searched, and its neighbours are: the grid's
// best with fewer searches, though nothing promises it.
TEST(CodesignTest, JointDescentsEndNearTheBestMachine) {
  const Design machines = smallMachines();
  unsigned searched = 0, all = 0;
  for (uint64_t number : {1, 2}) {
    Scorer score({drawn(number)}, Objective::Edp);
    for (double area : {0.0, 0.5}) {
      SCOPED_TRACE(number);
      SCOPED_TRACE(area);
      auto relax = [&](const MovingMachine &machine) {
        return relaxed({drawn(number)}, Objective::Edp, machine);
      };
      CodesignOptions options;
      options.mostArea = area;
      options.method = CodesignMethod::Grid;
      auto grid = codesign(machines, options, score);
      ASSERT_TRUE(bool(grid)) << llvm::toString(grid.takeError());
      options.method = CodesignMethod::Descent;
      auto joint = codesign(machines, options, score, relax);
      ASSERT_TRUE(bool(joint)) << llvm::toString(joint.takeError());
      EXPECT_GT(joint->descents, 0u);
      EXPECT_LE(joint->best().value, grid->best().value * 1.01);
      if (area > 0) {
        EXPECT_LE(joint->best().machine.area, area);
      }
      searched += joint->searches;
      all += grid->searches;
      // Mappings first: some legal machine, and no proof.
      options.method = CodesignMethod::Dosa;
      auto dosa = codesign(machines, options, score, relax);
      ASSERT_TRUE(bool(dosa)) << llvm::toString(dosa.takeError());
      EXPECT_GE(dosa->best().value, grid->best().value * (1 - 1e-9));
      EXPECT_FALSE(dosa->bound);
    }
  }
  EXPECT_LT(2 * searched, all);
}

// The machine moves with the mappings: where nothing speaks against more of
// something it gets all, and where it costs energy alone, little of it.
TEST(CodesignTest, MachinesMoveWithTheirMappings) {
  const Accelerator tiny = *findKnownTarget("tiny");
  MovingMachine moving;
  moving.start = {std::log(2.0)};
  moving.low = {std::log(0.5)};
  moving.high = {std::log(64.0)};
  moving.at = [&](llvm::ArrayRef<double> logs) {
    Accelerator machine = tiny;
    machine.bandwidth[Level::Dram] = std::exp(logs[0]);
    machine.energyPerAccess[Level::Dram] = 100 * std::exp(logs[0]);
    return machine;
  };
  using R = Rates<double>;
  NumberSlopes slopes;
  slopes.rates[R::kEnergy + unsigned(Level::Dram)] =
      slopes.rates[R::kBandwidth + unsigned(Level::Dram)] = 1;
  moving.slopesAt = [&](llvm::ArrayRef<double>) {
    return std::vector<NumberSlopes>{slopes};
  };
  auto end = [&](Objective objective, const MovingMachine &machine) {
    auto point = relaxed({drawn(2)}, objective, machine);
    EXPECT_TRUE(bool(point)) << llvm::toString(point.takeError());
    return *point;
  };
  EXPECT_NEAR(end(Objective::Energy, moving).logs[0], moving.low[0], 0.1);
  EXPECT_GT(end(Objective::Latency, moving).logs[0], std::log(4.0));
  // Twice the same is the same.
  EXPECT_EQ(end(Objective::Edp, moving).logs, end(Objective::Edp, moving).logs);
  // An area that rises with it is kept, and a clock that falls with it counts.
  const auto free = moving.at;
  moving.at = [&](llvm::ArrayRef<double> logs) {
    Accelerator machine = free(logs);
    machine.area = std::exp(logs[0]);
    machine.clockHz = 1e9 / std::exp(2 * logs[0]);
    return machine;
  };
  slopes.area = 1;
  slopes.clock = -2;
  moving.mostArea = 3;
  EXPECT_NEAR(end(Objective::Latency, moving).logs[0], std::log(3.0), 0.2);
  moving.isTimed = true;
  EXPECT_NEAR(end(Objective::Latency, moving).logs[0], moving.low[0], 0.1);
  // What the mappings need: less where an access costs more the more there is.
  MovingMachine follows;
  follows.sizes = Sizes::Follow;
  follows.start = {std::log(double(tiny.scratchpadBytes))};
  follows.low = {std::log(64.0)};
  follows.high = {std::log(1e6)};
  follows.scratchpad = 0;
  double exponent = 0;
  follows.at = [&](llvm::ArrayRef<double> logs) {
    Accelerator machine = tiny;
    machine.scratchpadBytes = int64_t(std::exp(logs[0]));
    machine.energyPerAccess[Level::Scratchpad] =
        std::exp(exponent * (logs[0] - follows.start[0]));
    return machine;
  };
  follows.slopesAt = [&](llvm::ArrayRef<double>) {
    NumberSlopes slopes;
    slopes.scratchpad = 1;
    slopes.rates[R::kEnergy + unsigned(Level::Scratchpad)] = exponent;
    return std::vector<NumberSlopes>{slopes};
  };
  const double cheap = end(Objective::Energy, follows).logs[0];
  exponent = 4;
  EXPECT_LT(end(Objective::Energy, follows).logs[0], cheap - 0.1);
}

// Slopes by the machine's numbers are those of the loss, with mappings that
// violate capacities: the penalties weigh what layers cost.
TEST(CodesignTest, JointSlopesAreDifferences) {
  using R = Rates<double>;
  constexpr unsigned kScratchpad = kNumRates, kAccumulator = kNumRates + 1,
                     kArea = kNumRates + 2, kClock = kNumRates + 3,
                     kAll = kNumRates + 4;
  Accelerator base = *findKnownTarget("tiny");
  base.commandCycles = 50;
  base.leakageMilliwatts = 5;
  base.clockHz = 1e9;
  base.area = 2;
  // No roof is exactly the array's.
  base.bandwidth[Level::Accumulator] = 1.9;
  // So many rows that whole ones are nearly any number.
  base.scratchpadBytes <<= 20;
  base.accumulatorBytes <<= 20;
  MovingMachine moving;
  moving.start.assign(kAll, 0.0);
  moving.low.assign(kAll, -30.0);
  moving.high.assign(kAll, 30.0);
  moving.mostArea = 1.5;
  moving.isTimed = true;
  moving.at = [&](llvm::ArrayRef<double> logs) {
    Accelerator machine = base;
    machine.energyPerMac *= std::exp(logs[R::kMac]);
    for (Level level : kAllLevels) {
      const auto l = unsigned(level);
      machine.energyPerAccess[level] *= std::exp(logs[R::kEnergy + l]);
      machine.bandwidth[level] *= std::exp(logs[R::kBandwidth + l]);
    }
    machine.leakageMilliwatts *= std::exp(logs[R::kLeakage]);
    auto times = [](int64_t &number, double log) {
      number = std::llround(double(number) * std::exp(log));
    };
    times(machine.commandCycles, logs[R::kCommand]);
    times(machine.scratchpadBytes, logs[kScratchpad]);
    times(machine.accumulatorBytes, logs[kAccumulator]);
    machine.area *= std::exp(logs[kArea]);
    machine.clockHz *= std::exp(logs[kClock]);
    return machine;
  };
  moving.slopesAt = [&](llvm::ArrayRef<double>) {
    std::vector<NumberSlopes> slopes(kAll);
    for (unsigned i = 0; i < kNumRates; ++i)
      slopes[i].rates[i] = 1;
    slopes[kScratchpad].scratchpad = 1;
    slopes[kAccumulator].accumulator = 1;
    slopes[kArea].area = 1;
    slopes[kClock].clock = 1;
    slopes[kClock].rates[R::kLeakage] = -1;
    return slopes;
  };
  // The first mappings fill the memories as far as the layers can, which then
  // shrink to 65536 rows.
  const double small = -std::log(double(1 << 10)),
               smallSums = -std::log(double(1 << 8));
  auto large = [](uint64_t number) {
    Network network = drawn(number);
    for (Layer &layer : network.layers)
      for (Dim dim : {Dim::N, Dim::P, Dim::Q})
        layer.dims[dim] *= 20;
    return network;
  };
  for (Objective objective :
       {Objective::Edp, Objective::Energy, Objective::Latency})
    for (Latency latency : {Latency::Roofline, Latency::Issue})
      for (bool isTight : {false, true})
        for (uint64_t number : {1, 2}) {
          std::vector<double> logs(kAll, 0.0);
          if (isTight) {
            logs[kScratchpad] = small;
            logs[kAccumulator] = smallSums;
          }
          SearchOptions options;
          options.objective = objective;
          options.latency = latency;
          options.space.unevenTiles = true;
          auto at = [&](llvm::ArrayRef<double> logs) {
            auto found = jointSlopesAt({large(number), large(number + 1)},
                                       {options, options}, moving, logs);
            EXPECT_TRUE(bool(found)) << llvm::toString(found.takeError());
            return *found;
          };
          const JointSlopes here = at(logs);
          if (isTight) {
            EXPECT_LT(here.slopes[kScratchpad], 0);
            EXPECT_LT(here.slopes[kAccumulator], 0);
          }
          for (unsigned p = 0; p < kAll; ++p) {
            SCOPED_TRACE(p);
            const bool isCapacity = p == kScratchpad || p == kAccumulator;
            const bool isWhole = isCapacity || p == R::kCommand;
            const double apart = isCapacity ? 0.01 : isWhole ? 0.02 : 1e-5;
            std::vector<double> more = logs, less = logs;
            more[p] += apart;
            less[p] -= apart;
            const double difference =
                (at(more).loss - at(less).loss) / (2 * apart);
            EXPECT_NEAR(here.slopes[p], difference,
                        isWhole ? 0.02 * std::fabs(difference) + 1e-6
                                : 1e-6 * std::max(1.0, std::fabs(difference)));
          }
        }
}

// Of a cost of somebody else's slopes are differences: near those of the same
// cost as the model knows it.
TEST(CodesignTest, JointSlopesOfAForeignCost) {
  const Accelerator tiny = *findKnownTarget("tiny");
  using R = Rates<double>;
  MovingMachine moving;
  moving.start = {0.1, -2};
  moving.low = {-1, -3};
  moving.high = {1, 1};
  moving.at = [&](llvm::ArrayRef<double> logs) {
    Accelerator machine = tiny;
    machine.energyPerMac *= std::exp(logs[0]);
    machine.bandwidth[Level::Dram] *= std::exp(logs[1]);
    return machine;
  };
  moving.slopesAt = [&](llvm::ArrayRef<double>) {
    std::vector<NumberSlopes> slopes(2);
    slopes[0].rates[R::kMac] = 1;
    slopes[1].rates[R::kBandwidth + unsigned(Level::Dram)] = 1;
    return slopes;
  };
  const std::unique_ptr<CostFunction> cost =
      createCostFunction(Convention::Machine);
  for (uint64_t number : {1, 2, 3}) {
    SearchOptions options;
    options.fuse = Fuse::Off;
    // Where DRAM binds.
    auto at = [&] {
      auto found = jointSlopesAt(drawn(number), options, moving, moving.start);
      EXPECT_TRUE(bool(found)) << llvm::toString(found.takeError());
      return *found;
    };
    const JointSlopes exact = at();
    options.cost = cost.get();
    const JointSlopes foreign = at();
    EXPECT_NEAR(foreign.loss, exact.loss, 1e-9 * std::fabs(exact.loss));
    EXPECT_GT(exact.slopes[0], 0);
    EXPECT_LT(exact.slopes[1], 0);
    for (unsigned p = 0; p < 2; ++p)
      EXPECT_NEAR(foreign.slopes[p], exact.slopes[p],
                  0.05 * std::fabs(exact.slopes[p]));
  }
}

TEST(CodesignTest, SmallestMachineThatIsFastEnough) {
  const Design machines = smallMachines();
  Scorer score({drawn(2)}, Objective::Latency);
  CodesignOptions options;
  options.objective = Objective::Latency;
  options.method = CodesignMethod::Grid;
  auto all = codesign(machines, options, score);
  ASSERT_TRUE(bool(all));
  // In the middle of what there is.
  options.most = all->machines[all->machines.size() / 3].value;
  options.goal = CodesignGoal::Smallest;
  double least = 1e30;
  for (const ScoredMachine &machine : all->machines)
    if (machine.value <= options.most)
      least = std::min(least, machine.machine.area);
  for (CodesignMethod method : {CodesignMethod::Grid, CodesignMethod::Boxes}) {
    options.method = method;
    auto found = codesign(machines, options, score);
    ASSERT_TRUE(bool(found));
    EXPECT_LE(found->best().value, options.most);
    EXPECT_EQ(found->best().machine.area, least);
    if (found->bound)
      EXPECT_LE(*found->bound, least * (1 + 1e-9));
  }
  options.most = all->best().value / 10;
  auto none = codesign(machines, options, score);
  ASSERT_FALSE(bool(none));
  EXPECT_NE(llvm::toString(none.takeError()).find("by the bounds none can"),
            std::string::npos);
}

TEST(CodesignTest, SeveralNetworksByTheirGeometricMean) {
  const Design machines = smallMachines();
  Scorer score({drawn(1), drawn(2)}, Objective::Edp);
  CodesignOptions options;
  auto boxes = codesign(machines, options, score);
  ASSERT_TRUE(bool(boxes));
  const ScoredMachine &best = boxes->best();
  ASSERT_EQ(best.networks.size(), 2u);
  EXPECT_NEAR(best.value,
              std::sqrt(best.networks[0].value * best.networks[1].value),
              1e-9 * best.value);
  options.method = CodesignMethod::Grid;
  auto grid = codesign(machines, options, score);
  ASSERT_TRUE(bool(grid));
  EXPECT_NEAR(best.value, grid->best().value, 1e-9 * best.value);
  // On the front of all machines none is smaller and better.
  const auto front = paretoFront(grid->machines);
  ASSERT_FALSE(front.empty());
  EXPECT_EQ(front.back()->value, grid->best().value);
  for (const ScoredMachine *of : front)
    for (const ScoredMachine &other : grid->machines)
      EXPECT_FALSE(other.machine.area < of->machine.area &&
                   other.value <= of->value);
}

TEST(CodesignTest, StoppedSearchesKeepTheirBound) {
  const Design machines = smallMachines();
  Scorer score({drawn(1)}, Objective::Edp);
  CodesignOptions options;
  options.method = CodesignMethod::Grid;
  auto grid = codesign(machines, options, score);
  ASSERT_TRUE(bool(grid));
  options.method = CodesignMethod::Boxes;
  for (unsigned most = 1; most < 40; most += 3) {
    options.mostSearches = most;
    auto some = codesign(machines, options, score);
    if (!some) { // only made-up machines so far
      llvm::consumeError(some.takeError());
      continue;
    }
    EXPECT_LE(some->searches, most);
    if (some->bound)
      EXPECT_LE(*some->bound, grid->best().value * (1 + 1e-9)) << most;
    EXPECT_GE(some->best().value, grid->best().value * (1 - 1e-9));
  }
}

TEST(CodesignTest, RefusesWhatCannotBe) {
  const Design machines = smallMachines();
  Scorer score({drawn(1)}, Objective::Edp);
  auto errorOf = [&](const Design &design, const CodesignOptions &options) {
    auto result = codesign(design, options, score);
    return result ? std::string() : llvm::toString(result.takeError());
  };
  CodesignOptions options;
  options.mostArea = 0.01;
  EXPECT_NE(errorOf(machines, options)
                .find("no legal machine of design 'test' has at most 0.01 mm2; "
                      "the smallest has"),
            std::string::npos);
  const Design ranges = design(
      R"(
  words: {from: 2, to: 32, init: 8, legal: any, source: "test"}
)",
      {{"dram.bandwidth", "words"}}, "1 + 0.1 * words");
  options = {};
  options.method = CodesignMethod::Grid;
  EXPECT_NE(errorOf(ranges, options)
                .find("'words' can be any number from 2 to "
                      "32, which method grid cannot try"),
            std::string::npos);
  options.method = CodesignMethod::Boxes;
  EXPECT_NE(errorOf(ranges, options).find("wanted a gap above 0"),
            std::string::npos);
  options.method = CodesignMethod::Dosa;
  EXPECT_NE(errorOf(machines, options).find("wanted mappings to start from"),
            std::string::npos);
  options.method = CodesignMethod::Boxes;
  const Design unknown = design(
      R"(
  delay: {from: 2, to: 32, init: 8, legal: any, source: "test"}
)",
      {{"scratchpad.read_delay", "delay"}}, "1 + 0.1 * delay");
  options.gap = 0.01;
  EXPECT_NE(errorOf(unknown, options).find("nobody knows whether more"),
            std::string::npos);
}

/// Costs that are known in closed form: what methods make of a law is checked
/// without a search.
static llvm::Expected<std::vector<NetworkScore>>
closedForm(const Accelerator &machine,
           llvm::function_ref<ScheduleCounts(const Accelerator &)> count) {
  const ScheduleCounts counts = count(machine);
  const auto charge = counts.at(ratesOf(machine));
  NetworkScore score;
  score.energy = charge.energy;
  score.cycles = score.value = charge.cycles;
  score.bound = score.value;
  for (const RateWorth &worth : worthOf(counts, machine)) {
    score.energySlopes.push_back(worth.energySlope);
    score.cyclesSlopes.push_back(worth.cyclesSlope);
  }
  return std::vector<NetworkScore>{score};
}
static ScheduleCounts countsOf(std::vector<Counts> members) {
  ScheduleCounts counts({}, {}, {}, {});
  counts.members = std::move(members);
  return counts;
}

// DRAGON's theorem 1 says that a machine is optimal where no unit idles. Two
// vertices with (compute, memory) = (10, 1) and (1, 10), P + BW <= 2: the only
// optimum is P = BW = 1, where each idles for 9 of 20.
TEST(CodesignTest, TheBestMachineNeedNotBeBalanced) {
  const Design split = design(
      R"(
  p: {from: 0.1, to: 1.9, init: 0.3, legal: any, source: "test"}
  bw: {from: 0.1, to: 1.9, init: 1.5, legal: any, source: "test"}
)",
      {{"accumulator.bandwidth", "p"}, {"dram.bandwidth", "bw"}}, "p + bw");
  auto score = [](const Accelerator &machine) {
    return closedForm(machine, [](const Accelerator &) {
      Counts first, second;
      first.words[Level::Accumulator] = second.words[Level::Dram] = 10;
      first.words[Level::Dram] = second.words[Level::Accumulator] = 1;
      return countsOf({first, second});
    });
  };
  CodesignOptions options;
  options.objective = Objective::Latency;
  options.mostArea = 2;
  for (CodesignMethod method :
       {CodesignMethod::Boxes, CodesignMethod::Descent}) {
    SCOPED_TRACE(nameOf(method).str());
    options.method = method;
    options.gap = 0.005;
    auto found = codesign(split, options, score);
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    EXPECT_NEAR(found->best().value, 20, 0.2);
    EXPECT_NEAR(found->best().machine.bandwidth[Level::Dram], 1, 0.1);
    if (method == CodesignMethod::Boxes) {
      ASSERT_TRUE(found->bound);
      EXPECT_LE(*found->bound, 20);
      EXPECT_LE(*found->gap(), 0.006);
    }
  }
}

// Blind methods take numbers of ranges, too. Of as many machines the process's
// are better than random ones on a function with one valley; on a grid both
// end when all is known.
TEST(CodesignTest, BayesianOptimisationFindsTheValley) {
  auto score = [](const Accelerator &machine)
      -> llvm::Expected<std::vector<NetworkScore>> {
    auto away = [&](Level level, double wanted) {
      const double log = std::log(machine.bandwidth[level] / wanted);
      return log * log;
    };
    NetworkScore score;
    score.energy = score.cycles = score.value =
        std::exp(away(Level::Accumulator, 0.4) + away(Level::Dram, 1.1));
    return std::vector<NetworkScore>{score};
  };
  auto machines = [&](llvm::StringRef legal) {
    return design(("\n  p: {from: 0.125, to: 2, init: 0.25, legal: " + legal +
                   ", source: \"test\"}\n  bw: {from: 0.125, to: 2, init: "
                   "0.25, legal: " +
                   legal + ", source: \"test\"}\n")
                      .str(),
                  {{"accumulator.bandwidth", "p"}, {"dram.bandwidth", "bw"}},
                  "p + bw");
  };
  double bo = 0, random = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    CodesignOptions options;
    options.objective = Objective::Latency;
    options.mostArea = 3;
    options.seed = seed;
    options.mostSearches = 20;
    for (auto [method, sum] :
         {std::make_pair(CodesignMethod::Bo, &bo),
          std::make_pair(CodesignMethod::Random, &random)}) {
      options.method = method;
      auto found = codesign(machines("any"), options, score);
      ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
      EXPECT_EQ(found->searches, 20u);
      EXPECT_LE(found->best().machine.area, 3);
      *sum += std::log(found->best().value);
    }
    options.mostSearches = 0;
    options.method = CodesignMethod::Bo;
    auto all = codesign(machines("doubling"), options, score);
    ASSERT_TRUE(bool(all)) << llvm::toString(all.takeError());
    EXPECT_EQ(all->searches, all->affordable);
    EXPECT_EQ(all->best().machine.bandwidth[Level::Dram], 1);
    EXPECT_EQ(all->best().machine.bandwidth[Level::Accumulator], 0.5);
  }
  EXPECT_LT(5 * bo, random);
}

// DRAGON, 11.4, with the N / B cubed products that blocks of B x B need: P
// multipliers of area a, blocks of B in memory of area c B^2, A = a P + c B^2,
// time the longer of N^3 / P and 2 N^3 / (B BW). In closed form
// B = (-a b + sqrt(a^2 b^2 + 4 c A)) / 2 c with b = BW / 2 and P = b B.
TEST(CodesignTest, BlockedProductInClosedForm) {
  const double a = 1, c = 1e-3, n = 1024;
  const double b = 16 / 2.0; // words that a block takes, over the bandwidth
  struct Case {
    const char *compute; ///< the rate of (N / B)^3 block products
    double area, bestP, bestB;
  };
  // B products per block product as the text prints it, so that the array is
  // the larger the smaller the blocks are, and memory idles; with B^3 as it is,
  // array and memory balance.
  const double printedP = std::min(b, 2 * 1.0 / (3 * a));
  const double trueB =
      (-a * b + std::sqrt(a * a * b * b + 4 * c * 30)) / (2 * c);
  const Case cases[] = {
      {"p * b", 1, printedP, std::sqrt((1 - a * printedP) / c)},
      {"p", 30, b * trueB, trueB}};
  EXPECT_NEAR(cases[0].bestP, 0.667, 1e-3);
  EXPECT_NEAR(cases[0].bestB, 18.26, 1e-2);
  EXPECT_NEAR(cases[1].bestP, 29.99, 1e-2);
  EXPECT_NEAR(cases[1].bestB, 3.748, 1e-3);
  for (const Case &at : cases) {
    SCOPED_TRACE(at.compute);
    const Design block = design(
        R"(
  p: {from: 0.1, to: 100, init: 0.5, legal: any, source: "test"}
  b: {from: 1, to: 100, init: 2, legal: any, source: "test"}
)",
        {{"accumulator.bandwidth", at.compute}, {"dram.bandwidth", "8 * b"}},
        "p + 1e-3 * b^2");
    auto score = [&](const Accelerator &machine) {
      return closedForm(machine, [&](const Accelerator &) {
        Counts product;
        product.words[Level::Accumulator] = n * n * n;
        product.words[Level::Dram] = n * n * n;
        return countsOf({product});
      });
    };
    CodesignOptions options;
    options.objective = Objective::Latency;
    options.mostArea = at.area;
    options.method = CodesignMethod::Boxes;
    options.gap = 1e-4;
    auto found = codesign(block, options, score);
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    const DesignPoint &point = found->best().point;
    EXPECT_NEAR(point[0], at.bestP, 0.01 * at.bestP);
    EXPECT_NEAR(point[1], at.bestB, 0.01 * at.bestB);
    const Accelerator &machine = found->best().machine;
    const double array = n * n * n / machine.bandwidth[Level::Accumulator],
                 memory = n * n * n / machine.bandwidth[Level::Dram];
    EXPECT_NEAR(found->best().value, std::max(array, memory), 1e-6 * array);
    if (at.area == 1) {
      EXPECT_LT(memory, 0.1 * array); // idles
    } else {
      EXPECT_NEAR(memory, array, 0.02 * array);
    }
  }
}

// The fastest machine takes too much power; another schedule might take less,
// so that it was dropped must not enter the bound.
TEST(CodesignTest, PowerDropsMachinesAndKeepsTheBoundTrue) {
  const Design machines = llvm::cantFail(findDesign("gemmini-cacti"));
  auto score = [](const Accelerator &machine) {
    return closedForm(machine, [](const Accelerator &of) {
      Counts counts;
      counts.arrayMacs = 1e7;
      counts.array = 1e7 / double(of.side * of.side);
      counts.accesses[Level::Scratchpad] = 1e6;
      counts.accesses[Level::Accumulator] = 1e6;
      counts.accesses[Level::Dram] = counts.words[Level::Dram] =
          1e6 / std::sqrt(double(of.scratchpadBytes) / 1024);
      return countsOf({counts});
    });
  };
  auto powerOf = [](const ScoredMachine &of) {
    return figuresOf(of.machine, of.networks[0].energy, of.networks[0].cycles)
        .milliwatts;
  };
  CodesignOptions options;
  options.objective = Objective::Latency;
  options.method = CodesignMethod::Grid;
  const CodesignResult all = llvm::cantFail(codesign(machines, options, score));
  std::vector<double> powers;
  for (const ScoredMachine &machine : all.machines)
    powers.push_back(powerOf(machine));
  llvm::sort(powers);
  options.mostPower = powers[powers.size() / 4];
  const ScoredMachine *best = nullptr;
  for (const ScoredMachine &machine : all.machines)
    if (powerOf(machine) <= options.mostPower &&
        (!best || machine.value < best->value))
      best = &machine;
  ASSERT_TRUE(best);
  EXPECT_GT(best->value, all.best().value);
  for (CodesignMethod method :
       {CodesignMethod::Grid, CodesignMethod::Boxes, CodesignMethod::Descent}) {
    SCOPED_TRACE(nameOf(method).str());
    options.method = method;
    const CodesignResult found =
        llvm::cantFail(codesign(machines, options, score));
    for (const ScoredMachine &machine : found.machines)
      EXPECT_LE(powerOf(machine), options.mostPower);
    if (method == CodesignMethod::Descent) {
      EXPECT_GE(found.best().value, best->value * (1 - 1e-9));
      continue;
    }
    EXPECT_NEAR(found.best().value, best->value, 1e-9 * best->value);
    ASSERT_TRUE(found.bound);
    EXPECT_LE(*found.bound, all.best().value * (1 + 1e-9));
  }
  options.mostPower = powers.front() / 2;
  for (CodesignMethod method : {CodesignMethod::Grid, CodesignMethod::Boxes}) {
    options.method = method;
    auto none = codesign(machines, options, score);
    ASSERT_FALSE(bool(none));
    EXPECT_NE(llvm::toString(none.takeError())
                  .find("no machine that was tried has a schedule of at most"),
              std::string::npos);
  }
  std::string text = machines.toYaml(machines.initial(), "timeless") +
                     "\nparameters:\n  side: {value: 16, source: \"test\"}\n";
  for (llvm::StringRef field : {"\nclock:", "\nleakage:"}) {
    const size_t begin = text.find(field.str());
    ASSERT_NE(begin, std::string::npos) << field.str();
    // To the next line that is not indented.
    size_t end = begin + 1;
    do
      end = text.find('\n', end + 1);
    while (end + 1 < text.size() && text[end + 1] == ' ');
    text.erase(begin, end - begin);
  }
  const Design timeless =
      llvm::cantFail(Design::parse(llvm::MemoryBufferRef(text, "x.yaml")));
  auto none = codesign(timeless, options, score);
  ASSERT_FALSE(bool(none));
  EXPECT_NE(llvm::toString(none.takeError()).find("has no clock"),
            std::string::npos);
}
