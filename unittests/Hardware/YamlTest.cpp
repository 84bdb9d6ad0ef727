//===- YamlTest.cpp -------------------------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/Yaml.h"

#include "fadiff/Hardware/KnownTargets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cstring>
#include <limits>

using namespace fadiff;
using llvm::StringRef;

static llvm::Expected<Accelerator> parse(StringRef text) {
  return parseAccelerator(llvm::MemoryBufferRef(text, "test.yaml"));
}

/// The text of hardware/gemmini.yaml.
static const std::string &stock() {
  static const std::string text = [] {
    auto buffer =
        llvm::MemoryBuffer::getFile(FADIFF_SOURCE_DIR "/hardware/gemmini.yaml");
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }();
  return text;
}

/// stock() with the first `from` after `anchor` replaced, and the line of that
/// place.
struct Edit {
  Edit(StringRef anchor, StringRef from, StringRef to) : text(stock()) {
    size_t start = text.find(anchor.str());
    size_t at =
        start == std::string::npos ? start : text.find(from.str(), start);
    if (at == std::string::npos) {
      ADD_FAILURE() << "no '" << from.str() << "' after '" << anchor.str()
                    << "' in hardware/gemmini.yaml";
      return;
    }
    line = 1 + std::count(text.begin(), text.begin() + at, '\n');
    text.replace(at, from.size(), to.str());
  }
  std::string text;
  long line = 0;
};

static std::string errorOf(StringRef text) {
  llvm::Expected<Accelerator> target = parse(text);
  if (target)
    return "accepted";
  return llvm::toString(target.takeError());
}

/// Expects that the edited file is refused on the edited line with `message`.
static void expectError(const Edit &edit, StringRef message) {
  std::string error = errorOf(edit.text);
  std::string place = "test.yaml:" + std::to_string(edit.line) + ":";
  EXPECT_TRUE(StringRef(error).starts_with(place))
      << "wanted " << place << "\nfound " << error;
  EXPECT_TRUE(StringRef(error).ends_with("error: " + message.str()))
      << "wanted " << message.str() << "\nfound " << error;
}

TEST(HardwareYaml, RoundTripOfEveryKnownTarget) {
  for (StringRef name : knownTargetNames()) {
    SCOPED_TRACE(name.str());
    llvm::Expected<Accelerator> target = findTarget(name);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    std::string text = toYaml(*target);
    llvm::Expected<Accelerator> again = parse(text);
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError()) << text;
    EXPECT_TRUE(*target == *again) << text;
    EXPECT_EQ(toYaml(*again), text);
  }
}

TEST(HardwareYaml, RoundTripOfEveryField) {
  // No two fields alike, so that a mixed-up pair shows.
  Accelerator a;
  a.name = "odd: \"name\" \\ # \n\t\xc3\xa9";
  a.side = 8;
  a.scratchpadBytes = 3 * 8 * 1024;
  a.scratchpadBanks = 3;
  a.accumulatorBytes = 5 * 32 * 64;
  a.accumulatorBanks = 5;
  a.energyPerMac = 0.1;
  double next = 1.0 / 3;
  for (Level level : kAllLevels) {
    a.energyPerAccess[level] = next /= 7;
    a.bandwidth[level] = next *= 1e30;
  }
  a.energyPerAccess[Level::Dram] = std::numeric_limits<double>::denorm_min();
  a.bandwidth[Level::Dram] = std::numeric_limits<double>::max();
  a.dmaBytesPerCycle = 32;
  a.dmaMaxRequestBytes = 256;
  a.dmaRequestsInFlight = 17;
  a.dmaLatency = 101;
  a.loadStations = 9;
  a.storeStations = 6;
  a.executeStations = 18;
  a.commandCycles = 7;
  a.scratchpadReadDelay = 10;
  a.accumulatorPipe = 11;
  a.dmaColdLatency = 45;
  a.dmaShortWriteCycles = 37;
  a.passCycles = 1.0 / 3;
  a.overlapLoss = 1;
  for (HandOver handOver :
       {HandOver::None, HandOver::MvoutSpad, HandOver::AccumulatorOperand}) {
    a.handOver = handOver;
    // Twice: the scratchpad's rows are four times as wide in f32.
    a.arithmetic = a.arithmetic == Arithmetic::Int8 ? Arithmetic::Float32
                                                    : Arithmetic::Int8;
    a.scratchpadBytes = 3 * 8 * 1024 * a.elementBytes();
    llvm::Expected<Accelerator> again = parse(toYaml(a));
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError()) << toYaml(a);
    EXPECT_TRUE(a == *again) << toYaml(a);
  }
}

TEST(HardwareYaml, OrderAndStyleOfFieldsAreFree) {
  std::string text = stock();
  size_t at = text.find("name: gemmini\n");
  ASSERT_NE(at, std::string::npos);
  text.erase(at, 14);
  text += "\nname: 'gemmini'\n";
  at = text.find("banks: {value: 4,");
  ASSERT_NE(at, std::string::npos);
  size_t end = text.find('}', at);
  text.replace(at, end - at + 1,
               "banks:\n    source: |\n      two\n      lines\n    value: 4");
  llvm::Expected<Accelerator> target = parse(text);
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  EXPECT_TRUE(*target == *findTarget("gemmini"));
}

TEST(HardwareYaml, MissingFields) {
  // Every line that names a field is dropped in turn, with all it holds.
  llvm::SmallVector<StringRef> lines;
  StringRef(stock()).split(lines, '\n', -1, /*KeepEmpty=*/true);
  unsigned fields = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    StringRef line = lines[i];
    size_t indent = line.find_first_not_of(' ');
    if (line.empty() || line.starts_with("#") || indent > 2)
      continue;
    if (line.trim().starts_with("source:"))
      continue;
    std::string key = line.trim().split(':').first.str();
    std::string text;
    bool dropping = false;
    for (size_t j = 0; j < lines.size(); ++j) {
      if (j == i)
        dropping = true;
      else if (lines[j].find_first_not_of(' ') <= indent || lines[j].empty())
        if (j > i && !lines[j].trim().starts_with("source:"))
          dropping = false;
      if (!dropping)
        text += lines[j].str() + "\n";
    }
    std::string error = errorOf(text);
    if (key == "core" || key == "pool_cycles" || key == "copy_cycles" ||
        key == "operation_cycles" || key == "call_cycles" || key == "clock" ||
        key == "area" || key == "rate") {
      EXPECT_EQ(error, "accepted");
      continue;
    }
    EXPECT_NE(error.find("missing required key '" + key + "'"),
              std::string::npos)
        << "without " << key << ": " << error;
    EXPECT_TRUE(StringRef(error).starts_with("test.yaml:")) << error;
    ++fields;
  }
  // name, 7 sections, hand_over, and the numbers inside the sections.
  EXPECT_EQ(fields, 9u + 28u);
}

TEST(HardwareYaml, MissingFieldNamesItsSection) {
  // The line is that of the section, whose first field comes first.
  Edit edit("accumulator:", "  banks:", "  # banks:");
  std::string text = edit.text;
  size_t source = text.find("      source:", text.find("# banks:"));
  text.insert(source, "#");
  std::string error = errorOf(text);
  EXPECT_TRUE(StringRef(error).ends_with(
      ": error: accumulator.banks: missing required key 'banks'"))
      << error;
  long section = 1 + std::count(text.begin(),
                                text.begin() + text.find("  capacity:"), '\n');
  EXPECT_TRUE(StringRef(error).starts_with(
      "test.yaml:" + std::to_string(section) + ":"))
      << error;
}

TEST(HardwareYaml, QuantityParts) {
  expectError(Edit("side:", "value: 16, ", ""),
              "array.side.value: missing required key 'value'");
  Edit source("side:", "source:", "sauce:");
  source.line -= 1; // The mapping that lacks it begins a line before.
  expectError(source, "array.side.source: missing required key 'source'");
  expectError(Edit("load_stations:", "8,", "8, unit: entries,"),
              "issue.load_stations.unit: wanted no unit, found 'entries'");
  expectError(Edit("capacity:", "unit: bytes", "unit: KiB"),
              "accumulator.capacity.unit: wanted 'bytes', found 'KiB'");
  EXPECT_TRUE(bool(parse(Edit("capacity:", ", unit: bytes", "").text)));
  expectError(Edit("side:", "{value: 16", "{min: 3, value: 16"),
              "array.side: unknown key 'min'; wanted one of value, unit, "
              "source");
  EXPECT_EQ(errorOf("name: x\narray:\n  side: 16\n"),
            "test.yaml:3:9: error: array.side: wanted {value: .., unit: .., "
            "source: \"..\"}");
  EXPECT_EQ(errorOf("name: x\narray: 3\n"),
            "test.yaml:2:8: error: array: wanted a mapping of fields, one per "
            "line");
}

TEST(HardwareYaml, EmptyTexts) {
  Edit name("name:", "gemmini", "\"  \"");
  expectError(name, "name: empty; name the machine");
  Edit source("dram:", "\"DOSA (Hong et al., MICRO 2023): 100 pJ per word\"",
              "' '");
  std::string error = errorOf(source.text);
  EXPECT_TRUE(StringRef(error).ends_with(
      "error: dram.energy_per_access.source: empty; say where the number "
      "comes from"))
      << error;
}

// The bandwidth of rooflines and what programs get are of one DRAM.
TEST(HardwareYaml, ARateIsNotFarFromTheBandwidth) {
  Edit fast("dram:", "20.48", "32.5");
  expectError(fast, "dram.rate: wanted 2 to 32 beside a bandwidth of 8, "
                    "found 32.5; leave it out where programs get that "
                    "bandwidth");
  EXPECT_EQ(errorOf(Edit("dram:", "20.48", "32").text), "accepted");
  EXPECT_EQ(errorOf(Edit("dram:", "20.48", "2").text), "accepted");
  // A copy of the file with another bandwidth: said at the rate.
  const std::string copy = Edit("dram:", "value: 8", "value: 2").text;
  EXPECT_NE(errorOf(copy).find("wanted 0.5 to 8 beside a bandwidth of 2"),
            std::string::npos)
      << errorOf(copy);
}

TEST(HardwareYaml, Arithmetic) {
  // Left out it is int8.
  EXPECT_EQ(stock().find("arithmetic"), std::string::npos);
  EXPECT_EQ(findTarget("gemmini")->arithmetic, Arithmetic::Int8);
  auto with = [](StringRef name) {
    std::string text = stock();
    text.insert(
        text.find("  energy_per_mac"),
        ("  arithmetic: {value: " + name + ", source: \"a test\"}\n").str());
    return text;
  };
  llvm::Expected<Accelerator> real = parse(with("f32"));
  ASSERT_TRUE(bool(real)) << llvm::toString(real.takeError());
  EXPECT_EQ(real->arithmetic, Arithmetic::Float32);
  EXPECT_EQ(real->scratchpadRows(),
            findTarget("gemmini")->scratchpadRows() / 4);
  std::string error = errorOf(with("bf16"));
  EXPECT_TRUE(
      StringRef(error).ends_with("error: array.arithmetic: wanted int8 or f32, "
                                 "found 'bf16'"))
      << error;
}

TEST(HardwareYaml, ReadOut) {
  // Left out there is nothing beside Gemmini's.
  EXPECT_EQ(stock().find("readout"), std::string::npos);
  EXPECT_FALSE(findTarget("gemmini")->readOut.any());
  auto with = [](StringRef names, StringRef more = "",
                 StringRef handOver = "mvout_spad") {
    std::string text = stock();
    const size_t at = text.find("accumulator_operand,");
    text.replace(at, strlen("accumulator_operand"), handOver.str());
    return text +
           ("\nreadout: {value: " + names + ", source: a test}\n" + more).str();
  };
  const StringRef scales = "readout_scales: {value: 96, source: a test}\n";
  llvm::Expected<Accelerator> some = parse(with("[clamp, zero_point]"));
  ASSERT_TRUE(bool(some)) << llvm::toString(some.takeError());
  EXPECT_TRUE(some->readOut.clamp && some->readOut.zeroPoint);
  EXPECT_FALSE(some->readOut.perChannel);
  llvm::Expected<Accelerator> all =
      parse(with("[per_channel, zero_point, clamp]", scales));
  ASSERT_TRUE(bool(all)) << llvm::toString(all.takeError());
  EXPECT_TRUE(all->readOut.includes({true, true, true, 0}));
  EXPECT_EQ(all->readOut.scales, 96);
  for (const Accelerator &machine : {*some, *all}) {
    llvm::Expected<Accelerator> again = parse(toYaml(machine));
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_TRUE(machine == *again) << toYaml(machine);
  }
  EXPECT_FALSE(*some == *all);

  auto expectWrong = [](const std::string &text, StringRef wanted) {
    const std::string error = errorOf(text);
    EXPECT_TRUE(StringRef(error).contains(wanted))
        << "wanted " << wanted.str() << "\nfound " << error;
  };
  expectWrong(with("[clamp, zero]"),
              "wanted per_channel, zero_point and clamp, each at most once, "
              "found 'zero'");
  expectWrong(with("[clamp, clamp]"), "each at most once, found 'clamp'");
  expectWrong(with("[per_channel]"), "readout_scales");
  expectWrong(with("[clamp]", scales), "unknown key 'readout_scales'");
  expectWrong(with("[clamp]", "", "accumulator_operand"),
              "wanted the hand-over none or mvout_spad");
}

TEST(HardwareYaml, UnknownAndRepeatedKeys) {
  expectError(Edit("name:", "name:", "speed: 1\nname:"),
              "unknown key 'speed'; wanted one of name, array, registers, "
              "accumulator, scratchpad, dram, dma, cache, issue, core, pool, "
              "hand_over, loop_unit, loop_halves, conv_loop_unit, clock, "
              "leakage, area, readout");
  Edit section("dma:", "dma:\n", "dma:\n  speed: 3\n");
  section.line += 1;
  expectError(section, "dma: unknown key 'speed'; wanted one of bus_width, "
                       "max_request, requests_in_flight, latency, "
                       "cold_latency, short_write_cycles");
  expectError(Edit("side:", "{value: 16", "{value: 16, value: 16"),
              "duplicated mapping key 'value'");
  EXPECT_NE(
      errorOf(stock() + "name: again\n").find("duplicated mapping key 'name'"),
      std::string::npos);
}

TEST(HardwareYaml, WrongTypes) {
  expectError(Edit("side:", "16", "sixteen"),
              "array.side: wanted a whole number, found 'sixteen'");
  expectError(Edit("side:", "16", "16.0"),
              "array.side: wanted a whole number, found '16.0'");
  expectError(Edit("side:", "16", "''"),
              "array.side: wanted a whole number, found ''");
  expectError(Edit("side:", "16", "99999999999999999999"),
              "array.side: wanted a whole number, found "
              "'99999999999999999999'");
  expectError(Edit("side:", "16", "[16]"),
              "array.side.value: wanted a plain value, found a mapping or "
              "sequence");
  expectError(Edit("energy_per_mac:", "0.5608", "0.5608pJ"),
              "array.energy_per_mac: wanted a positive number, found "
              "'0.5608pJ'");
  expectError(Edit("hand_over:", "accumulator_operand", "teleport"),
              "hand_over: wanted none, mvout_spad or "
              "accumulator_operand, found 'teleport'");
}

TEST(HardwareYaml, Ranges) {
  for (StringRef bad : {"0", "-4", "1073741825"})
    expectError(Edit("requests_in_flight:", "16", bad),
                "dma.requests_in_flight: wanted a number from 1 to 1073741824, "
                "found " +
                    bad.str());
  for (StringRef bad : {"0", "-1.5", "inf", "nan", "-0.0"})
    expectError(Edit("energy_per_mac:", "0.5608", bad),
                "array.energy_per_mac: wanted a positive number, found '" +
                    bad.str() + "'");
  expectError(Edit("side:", "16", "24"),
              "array.side: wanted a power of two, found 24");
  expectError(Edit("side:", "16", "1"),
              "array.side: wanted at least 2, found 1");
  expectError(Edit("bus_width:", "16", "12"),
              "dma.bus_width: wanted a power of two, found 12");
  expectError(Edit("max_request:", "64", "8"),
              "dma.max_request: wanted at least bus_width (16), found 8");
  expectError(Edit("max_request:", "64", "48"),
              "dma.max_request: wanted a power of two, found 48");
  expectError(Edit("overlap_loss:", "0.09", "1.5"),
              "issue.overlap_loss: wanted at most 1, found 1.5");
}

// What the RTL requires of a memory (GemminiConfigs.scala).
TEST(HardwareYaml, Banks) {
  expectError(Edit("scratchpad:", "262144", "262000"),
              "scratchpad.capacity: 262000 bytes do not divide into 4 banks of "
              "16-byte rows (side 16)");
  expectError(Edit("scratchpad:", "262144", "393216"),
              "scratchpad.capacity: 393216 bytes make 6144 rows per bank of 4 "
              "banks of 16-byte rows (side 16); wanted a power of two that is "
              "at least the side");
  expectError(Edit("accumulator:", "65536", "1024"),
              "accumulator.capacity: 1024 bytes make 8 rows per bank of 2 "
              "banks of 64-byte rows (side 16); wanted a power of two that is "
              "at least the side");
  expectError(Edit("accumulator:", "65536", "98304"),
              "accumulator.capacity: 98304 bytes make 768 rows per bank of 2 "
              "banks of 64-byte rows (side 16); wanted a power of two that is "
              "at least the side");
  expectError(Edit("scratchpad:", "262144", "1073741824"),
              "scratchpad.capacity: 1073741824 bytes make 67108864 rows; an "
              "address reaches 33554432");
  // 64 blocks in the accumulator.
  expectError(Edit("scratchpad:", "262144", "16384"),
              "scratchpad.capacity: 16384 bytes hold 64 blocks of side x side; "
              "wanted at least 66, two more than the accumulator");
  EXPECT_TRUE(bool(parse(Edit("scratchpad:", "262144", "32768").text)));
}

TEST(HardwareYaml, TooLargeOrTooDeep) {
  EXPECT_EQ(errorOf(std::string(32 * 1024 + 1, 'a')),
            "test.yaml: error: wanted at most 32768 bytes, found 32769; is "
            "this the description of a machine?");
  for (StringRef open : {"[", "{a: ", "- ", "? ", "-\t", "?\n"}) {
    std::string deep;
    for (unsigned i = 0; i < 500; ++i)
      deep += open;
    EXPECT_TRUE(StringRef(errorOf(deep)).starts_with("test.yaml:"))
        << errorOf(deep);
    deep += open;
    EXPECT_EQ(errorOf(deep),
              "test.yaml: error: wanted at most 500 brackets, found 501; is "
              "this the description of a machine?");
  }
  std::string indented;
  for (unsigned i = 0; indented.size() + i + 3 < 32 * 1024; ++i)
    indented += std::string(i, ' ') + "a:\n";
  EXPECT_TRUE(StringRef(errorOf(indented)).starts_with("test.yaml:"));
}

TEST(HardwareYaml, NotADescription) {
  EXPECT_EQ(errorOf(""),
            "test.yaml: error: empty; wanted the description of a machine");
  EXPECT_TRUE(StringRef(errorOf("# nothing\n")).starts_with("test.yaml:"));
  EXPECT_EQ(errorOf("gemmini"),
            "test.yaml:1:1: error: wanted a mapping of fields, one per line");
  EXPECT_TRUE(StringRef(errorOf("name: [a\nb: }")).starts_with("test.yaml:"));
  EXPECT_TRUE(StringRef(errorOf("%YAML 9.9\n---\n")).starts_with("test.yaml:"));
  EXPECT_EQ(errorOf(stock() + "---\nname: second\n"),
            "test.yaml: error: wanted one YAML document, found more");
}

// Cut off or with a byte changed anywhere, the text is refused or read, and
// an error says where; nothing worse.
TEST(HardwareYaml, DamagedText) {
  for (size_t i = 0; i < stock().rfind('}'); i += 7) {
    std::string cut = stock().substr(0, i);
    std::string error = errorOf(cut);
    EXPECT_TRUE(StringRef(error).starts_with("test.yaml:"))
        << "cut at " << i << ": " << error;
    for (char c : {'\0', '\n', '{', ':', '"', '\xff', '*', '-'}) {
      std::string changed = stock();
      changed[i] = c;
      error = errorOf(changed);
      EXPECT_TRUE(error == "accepted" ||
                  StringRef(error).starts_with("test.yaml:"))
          << "byte " << i << ": " << error;
    }
  }
}
