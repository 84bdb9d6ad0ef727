//===- DesignTest.cpp - Machines with free parameters ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/Design.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Hardware/Yaml.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace fadiff;

static Design gemmini() { return llvm::cantFail(findDesign("gemmini")); }

/// A point of it by its parameters' names.
static DesignPoint at(const Design &design, double side, double scratchpad,
                      double accumulator, bool inPlace) {
  DesignPoint point = design.initial();
  point[*design.parameterNamed("side")] = side;
  point[*design.parameterNamed("scratchpad_kib")] = scratchpad;
  point[*design.parameterNamed("accumulator_kib")] = accumulator;
  point[*design.parameterNamed("hand_over")] = inPlace ? 1 : 0;
  return point;
}

TEST(DesignTest, TheShippedMachinesAreSpecialisations) {
  const Design design = gemmini();
  const std::tuple<const char *, DesignPoint> machines[] = {
      {"gemmini", at(design, 16, 256, 64, true)},
      {"gemmini-large", at(design, 32, 512, 64, false)},
      {"gemmini-small", at(design, 16, 8, 8, false)}};
  for (const auto &[name, point] : machines) {
    Accelerator made = llvm::cantFail(design.specialize(point));
    made.name = name;
    EXPECT_EQ(made, llvm::cantFail(findKnownTarget(name))) << name;
  }
  EXPECT_EQ(design.initial(), std::get<1>(machines[0]));
}

// A clock that does not follow from parameters is no law: objectives of designs
// stay in cycles.
TEST(DesignTest, ShippedMachinesShareAFixedClock) {
  EXPECT_FALSE(gemmini().lawOf("clock_hz"));
  for (llvm::StringRef name : knownTargetNames())
    EXPECT_EQ(llvm::cantFail(findKnownTarget(name)).clockHz,
              name == "tiny" ? 0 : 1e9)
        << name.str();
}

TEST(DesignTest, WritesAnOrdinaryMachine) {
  const Design design = gemmini();
  const DesignPoint point = at(design, 32, 128, 64, false);
  const std::string yaml = design.toYaml(point, "found");
  Accelerator read =
      llvm::cantFail(parseAccelerator(llvm::MemoryBufferRef(yaml, "found")));
  EXPECT_EQ(read.name, "found");
  Accelerator made = llvm::cantFail(design.specialize(point));
  made.name = "found";
  EXPECT_EQ(read, made);
  EXPECT_EQ(read.scratchpadBytes, 128 * 1024);
  EXPECT_DOUBLE_EQ(read.energyPerAccess[Level::Scratchpad],
                   0.49 + 0.02513 * 128);
  EXPECT_NE(yaml.find("law 0.49 + 0.02513 * scratchpad_kib at scratchpad_kib "
                      "= 128; DOSA"),
            std::string::npos)
      << yaml;
  EXPECT_FALSE(isDesign(yaml));
}

TEST(DesignTest, CountsLegalMachines) {
  const Design design = gemmini();
  unsigned legal = 0;
  for (double side = 8; side <= 128; side *= 2)
    for (double scratchpad = 8; scratchpad <= 2048; scratchpad *= 2)
      for (double accumulator = 4; accumulator <= 512; accumulator *= 2) {
        auto machine =
            design.specialize(at(design, side, scratchpad, accumulator, false));
        legal += bool(machine);
        if (!machine)
          llvm::consumeError(machine.takeError());
      }
  EXPECT_EQ(legal, 207u);
}

TEST(DesignTest, LawsOfAnyScalar) {
  const Design design = gemmini();
  const DesignPoint point = at(design, 32, 512, 64, false);
  const Law *area = design.lawOf("area");
  ASSERT_TRUE(area);
  EXPECT_NEAR(area->evaluate(point), 2.136, 5e-4);
  const Law *energy = design.lawOf("energy_accumulator");
  ASSERT_TRUE(energy);
  EXPECT_DOUBLE_EQ(energy->evaluate(point), 1.94 + 0.1005 * 64 / 32);
  // Rises with the accumulator and falls with the side.
  const auto [low, high] =
      energy->range(at(design, 16, 8, 8, false), at(design, 64, 8, 32, false));
  EXPECT_DOUBLE_EQ(low, 1.94 + 0.1005 * 8 / 64);
  EXPECT_DOUBLE_EQ(high, 1.94 + 0.1005 * 32 / 16);
}

namespace {
/// y = k KiB^s (nm/22)^b of a macro of 128 bits.
struct Fit {
  double k, s, b;
  double at(double kib, double nm) const {
    return k * std::pow(kib, s) * std::pow(nm / 22, b);
  }
};
} // namespace

// Designs of memories by CACTI 7 against the table that their laws are from, in
// pJ, mW and mm2.
static void checkCacti(llvm::StringRef name, Fit read, Fit write, Fit leaks,
                       Fit takes) {
  const Design design = llvm::cantFail(findDesign(name));
  unsigned legal = 0;
  for (double nm : {22.0, 32.0, 90.0})
    for (double side : {16.0, 32.0, 128.0})
      for (double scratchpad : {64.0, 256.0, 2048.0})
        for (double accumulator : {16.0, 512.0}) {
          DesignPoint point =
              at(design, side, scratchpad, accumulator, /*inPlace=*/false);
          point[*design.parameterNamed("nm")] = nm;
          auto made = design.specialize(point);
          if (!made) {
            llvm::consumeError(made.takeError());
            continue;
          }
          ++legal;
          auto accessOf = [&](double kib) {
            return (read.at(kib, nm) + write.at(kib, nm)) / 2;
          };
          // Words of 8 and 32 bits; 4 and 2 banks of macros.
          const double wide = side * 8 / 128, sums = side * 32 / 128;
          const double ofScratchpad = scratchpad / (4 * wide);
          const double ofAccumulator = accumulator / (2 * sums);
          auto all = [&](Fit fit) {
            return 4 * wide * fit.at(ofScratchpad, nm) +
                   2 * sums * fit.at(ofAccumulator, nm);
          };
          EXPECT_NEAR(made->energyPerAccess[Level::Scratchpad],
                      accessOf(ofScratchpad) / 16, 1e-12);
          EXPECT_NEAR(made->energyPerAccess[Level::Accumulator],
                      accessOf(ofAccumulator) / 4, 1e-12);
          const double leakage = all(leaks);
          EXPECT_NEAR(made->leakageMilliwatts, leakage, 1e-12 * leakage);
          const double area = 4.216e-4 * side * side + 0.0197 + all(takes);
          EXPECT_NEAR(made->area, area, 1e-12 * area);
          EXPECT_GT(made->clockHz, 0);
        }
  EXPECT_GT(legal, 30u);
}

TEST(DesignTest, MemoriesByCacti) {
  checkCacti("gemmini-cacti", {0.706, 0.553, 1.70}, {1.141, 0.463, 1.74},
             {0.114, 0.965, 1.26}, {8.93e-4, 0.985, 1.91});
  checkCacti("gemmini-cacti-lstp", {0.729, 0.572, 1.82}, {1.191, 0.473, 1.90},
             {7.9e-5, 0.959, -0.28}, {9.28e-4, 0.986, 1.89});
}

/// The design with one place changed.
static std::string errorOf(llvm::StringRef from, llvm::StringRef to) {
  std::string text = gemmini().toYaml(gemmini().initial(), "x");
  text = R"(name: d
parameters:
  kib: {from: 8, to: 64, init: 16, legal: doubling, unit: KiB, source: "here"}
  how: {values: [none, mvout_spad], init: none, source: "here"}
)" + text.substr(text.find("array:"));
  const size_t old = text.find("energy_per_access: {value: 6.92328");
  EXPECT_NE(old, std::string::npos);
  text.replace(old, 34, "energy_per_access: {law: \"0.5 + 2 * kib^0.5\"");
  const size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from.str();
  text.replace(place, from.size(), to);
  auto design = Design::parse(llvm::MemoryBufferRef(text, "d.yaml"));
  return design ? "" : llvm::toString(design.takeError());
}

TEST(DesignTest, RefusesWhatIsNoDesign) {
  EXPECT_EQ(errorOf("kib^0.5", "kib^0.5"), "");
  const std::tuple<const char *, const char *, const char *> cases[] = {
      {"kib^0.5", "kb",
       "scratchpad.energy_per_access: wanted one of the "
       "parameters kib, how, found 'kb'"},
      {"kib^0.5", "how", "the parameter 'how', which is a word"},
      {"0.5 + 2", "0.5 - 2", "positive factors, found '-'"},
      {"0.5 + 2", "0 + 2", "wanted a positive number, found '0'"},
      {"0.5 + 2 * kib^0.5", "2 * kib^-900",
       "wanted positive numbers for all values of the parameters, found 0 to"},
      {"kib^0.5", "kib^900", "to inf"},
      {"kib^0.5", "kib^x", "wanted a number behind ^"},
      {"kib^0.5", "kib)", "wanted +, *, / or ^, found ')'"},
      {"from: 8, to: 64", "from: 8", "wanted one of value, values, or from"},
      {"from: 8, to: 64", "from: 80, to: 64", "wanted from at most to"},
      {"init: 16", "init: 17", "init: wanted one of the values, found '17'"},
      {", init: none", "", "parameters.how: wanted 'init'"},
      {"source: \"here\"", "source: \" \"", "wanted 'source'"},
      {"legal: doubling", "legal: odd", "wanted any or doubling, found 'odd'"},
      {"  how:", "  kib:", "parameter 'kib' is there twice"},
      {"law: \"0.5", "lawe: \"0.5", "scratchpad.energy_per_access"},
      {"{value: 8, unit: words/cycle,", "{law: \"kib\", unit: words/cycle,",
       "dram.rate: wanted a law, or no rate, beside a bandwidth that depends "
       "on 'kib', found one number"},
      {"[none, mvout_spad]", "[]", "wanted at least one value"},
      {"parameters:", "array: {", "error"},
  };
  for (const auto &[from, to, wanted] : cases) {
    const std::string error = errorOf(from, to);
    EXPECT_NE(error.find(wanted), std::string::npos) << to << ": " << error;
    EXPECT_EQ(error.rfind("d.yaml:", 0), 0u) << error;
  }
}

/// gemmini's design with one place changed; its error, if it is none.
static llvm::Expected<Design> changed(llvm::StringRef from,
                                      llvm::StringRef to) {
  auto file = llvm::MemoryBuffer::getFile(FADIFF_SOURCE_DIR
                                          "/hardware/designs/gemmini.yaml");
  EXPECT_TRUE(bool(file));
  std::string text = (*file)->getBuffer().str();
  const size_t place = text.find(from.str());
  EXPECT_NE(place, std::string::npos) << from.str();
  text.replace(place, from.size(), to.str());
  return Design::parse(llvm::MemoryBufferRef(text, "d.yaml"));
}

// Where no machine is legal the rule is named, and what would be.
TEST(DesignTest, NamesTheNearestLegalValues) {
  auto errorOf = [](llvm::StringRef from, llvm::StringRef to) {
    auto design = changed(from, to);
    return design ? "" : llvm::toString(design.takeError());
  };
  const char *scratchpad = "scratchpad_kib: {from: 8, to: 2048, init: 256, "
                           "legal: doubling";
  // No power of two.
  std::string error =
      errorOf(scratchpad, "scratchpad_kib: {values: [100, 200], init: 100");
  EXPECT_EQ(error.rfind("d.yaml:36:", 0), 0u) << error;
  EXPECT_NE(error.find("wanted a power of two that is at least the side"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("the nearest that make a machine: scratchpad_kib = 64, "
                       "which is none of its values, below and 128, which is "
                       "none of its values, above)"),
            std::string::npos)
      << error;
  // Less than the accumulator and two blocks: more of one or less of the other.
  error = errorOf(scratchpad, "scratchpad_kib: {values: [8, 64], init: 8");
  EXPECT_NE(error.find("two more than the accumulator"), std::string::npos)
      << error;
  EXPECT_NE(error.find("scratchpad_kib = 32, which is none of its values, "
                       "above; accumulator_kib = 16 below)"),
            std::string::npos)
      << error;
  // What one parameter alone cannot mend.
  error = errorOf("banks: {value: 4,", "banks: {value: 3,");
  EXPECT_NE(error.find("no other value of one of them makes a machine"),
            std::string::npos)
      << error;
}

// A law that falls where it should rise is one, with a note at its line.
TEST(DesignTest, NotesLawsThatFall) {
  for (llvm::StringRef name :
       {"gemmini", "gemmini-cacti", "gemmini-cacti-lstp"})
    EXPECT_TRUE(llvm::cantFail(findDesign(name)).notes.empty());
  auto design =
      changed("0.49 + 0.02513 * scratchpad_kib", "4 + 100 / scratchpad_kib");
  ASSERT_TRUE(bool(design)) << llvm::toString(design.takeError());
  ASSERT_EQ(design->notes.size(), 1u);
  EXPECT_EQ(design->notes.front().rfind("d.yaml:", 0), 0u);
  EXPECT_NE(design->notes.front().find(
                "scratchpad.energy_per_access falls as scratchpad_kib rises"),
            std::string::npos)
      << design->notes.front();
}

TEST(DesignTest, SaysAtWhichLineAMachineIsNone) {
  const Design design = gemmini();
  auto machine = design.specialize(at(design, 16, 8, 64, false));
  ASSERT_FALSE(machine);
  const std::string error = llvm::toString(machine.takeError());
  // The line of the scratchpad's capacity in the design's own text.
  EXPECT_NE(error.find("gemmini:36:"), std::string::npos) << error;
  EXPECT_NE(error.find("two more than the accumulator"), std::string::npos)
      << error;
}
