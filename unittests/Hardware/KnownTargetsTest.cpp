//===- KnownTargetsTest.cpp -----------------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/KnownTargets.h"

#include "fadiff/Hardware/Yaml.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace fadiff;
using llvm::StringRef;

static Accelerator get(StringRef name) {
  llvm::Expected<Accelerator> target = findTarget(name);
  if (!target) {
    ADD_FAILURE() << llvm::toString(target.takeError());
    return {};
  }
  return *target;
}

static std::string path(const llvm::Twine &file) {
  return (FADIFF_SOURCE_DIR "/hardware/" + file).str();
}

TEST(KnownTargets, NamesAreTheFilesOfTheHardwareDirectory) {
  std::vector<std::string> stems;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(path(""), error), end;
       file != end && !error; file.increment(error))
    if (llvm::sys::path::extension(file->path()) == ".yaml")
      stems.push_back(llvm::sys::path::stem(file->path()).str());
  ASSERT_FALSE(error) << error.message();
  std::sort(stems.begin(), stems.end());
  std::vector<std::string> names;
  for (StringRef name : knownTargetNames())
    names.push_back(name.str());
  EXPECT_EQ(names, stems);
  EXPECT_EQ(names, (std::vector<std::string>{"gemmini", "gemmini-fp32",
                                             "gemmini-large", "gemmini-npu",
                                             "gemmini-small", "tiny"}));
}

TEST(KnownTargets, EmbeddedTextIsTheFile) {
  for (StringRef name : knownTargetNames()) {
    SCOPED_TRACE(name.str());
    Accelerator byName = get(name);
    EXPECT_EQ(byName.name, name);
    EXPECT_TRUE(byName == get(path(name + ".yaml")));
  }
}

// Sizes: FADiff paper, section 4.1. Energies and bandwidths: DOSA's published
// fits, evaluated by hand.
TEST(KnownTargets, Large) {
  Accelerator t = get("gemmini-large");
  EXPECT_EQ(t.side, 32);
  EXPECT_EQ(t.accumulatorBytes, 64 * 1024);
  EXPECT_EQ(t.scratchpadBytes, 512 * 1024);
  EXPECT_EQ(t.accumulatorRows(), 512);
  EXPECT_EQ(t.scratchpadRows(), 16384);
  EXPECT_EQ(t.handOver, HandOver::MvoutSpad);
  EXPECT_EQ(t.energyPerMac, 0.5608);
  EXPECT_EQ(t.energyPerAccess[Level::Registers], 0.48746172);
  EXPECT_EQ(t.energyPerAccess[Level::Accumulator], 2.141);
  EXPECT_EQ(t.energyPerAccess[Level::Scratchpad], 13.35656);
  EXPECT_EQ(t.energyPerAccess[Level::Dram], 100);
  EXPECT_EQ(t.bandwidth[Level::Scratchpad], 64);
}

TEST(KnownTargets, Small) {
  Accelerator t = get("gemmini-small");
  EXPECT_EQ(t.side, 16);
  EXPECT_EQ(t.accumulatorBytes, 8 * 1024);
  EXPECT_EQ(t.scratchpadBytes, 8 * 1024);
  EXPECT_EQ(t.accumulatorRows(), 128);
  EXPECT_EQ(t.scratchpadRows(), 512);
  EXPECT_EQ(t.handOver, HandOver::MvoutSpad);
  EXPECT_EQ(t.energyPerAccess[Level::Accumulator], 1.99025);
  EXPECT_EQ(t.energyPerAccess[Level::Scratchpad], 0.69104);
  EXPECT_EQ(t.bandwidth[Level::Scratchpad], 32);
}

TEST(KnownTargets, Stock) {
  Accelerator t = get("gemmini");
  EXPECT_EQ(t.side, 16);
  EXPECT_EQ(t.accumulatorBytes, 64 * 1024);
  EXPECT_EQ(t.scratchpadBytes, 256 * 1024);
  EXPECT_EQ(t.accumulatorRows(), 1024);
  EXPECT_EQ(t.scratchpadRows(), 16384);
  EXPECT_EQ(t.handOver, HandOver::AccumulatorOperand);
  EXPECT_EQ(t.energyPerAccess[Level::Accumulator], 2.342);
  EXPECT_EQ(t.energyPerAccess[Level::Scratchpad], 6.92328);
}

// Gemmini's ConfigsFP.scala, FP32DefaultConfig.
TEST(KnownTargets, SinglePrecision) {
  Accelerator t = get("gemmini-fp32");
  EXPECT_EQ(t.arithmetic, Arithmetic::Float32);
  EXPECT_EQ(t.elementBytes(), 4);
  EXPECT_EQ(t.side, 4);
  EXPECT_EQ(t.accumulatorBytes, 64 * 1024);
  EXPECT_EQ(t.accumulatorBanks, 1);
  EXPECT_EQ(t.scratchpadBytes, 256 * 1024);
  EXPECT_EQ(t.accumulatorRows(), 4096);
  EXPECT_EQ(t.scratchpadRows(), 16384);
  // gemmini_params.h: MAX_BYTES / (DIM * sizeof(elem_t)) = 4 blocks of 4.
  EXPECT_EQ(t.maxMoveColumns(), 16);
  EXPECT_EQ(t.scratchpadReadDelay, 1);
  EXPECT_EQ(t.handOver, HandOver::AccumulatorOperand);
  EXPECT_NEAR(t.energyPerAccess[Level::Scratchpad], 4 * (0.49 + 0.02513 * 256),
              1e-12);
  EXPECT_EQ(t.bandwidth[Level::Scratchpad], 2 * t.side);
}

// What the tests on IR that name it count on.
TEST(KnownTargets, Tiny) {
  Accelerator t = get("tiny");
  EXPECT_EQ(t.side, 4);
  EXPECT_EQ(t.scratchpadRows(), 64);
  EXPECT_EQ(t.accumulatorRows(), 16);
  EXPECT_EQ(t.maxMoveColumns(), 16);
  EXPECT_EQ(t.handOver, HandOver::MvoutSpad);
}

TEST(KnownTargets, AllFollowTheFitsAndTheDefaultPreset) {
  for (StringRef name : knownTargetNames()) {
    SCOPED_TRACE(name.str());
    Accelerator t = get(name);
    if (t.arithmetic == Arithmetic::Float32 || name == "tiny")
      continue; // another preset, or made up
    EXPECT_EQ(t.elementBytes(), 1);
    EXPECT_EQ(t.energyPerMac, 0.5608);
    EXPECT_EQ(t.energyPerAccess[Level::Registers], 0.48746172);
    EXPECT_NEAR(t.energyPerAccess[Level::Accumulator],
                1.94 + 0.1005 * (t.accumulatorBytes / 1024.0) / t.side, 1e-12);
    EXPECT_NEAR(t.energyPerAccess[Level::Scratchpad],
                0.49 + 0.02513 * (t.scratchpadBytes / 1024.0), 1e-12);
    EXPECT_EQ(t.energyPerAccess[Level::Dram], 100);
    EXPECT_EQ(t.bandwidth[Level::Registers], 2);
    EXPECT_EQ(t.bandwidth[Level::Accumulator], 2);
    EXPECT_EQ(t.bandwidth[Level::Scratchpad], 2 * t.side);
    EXPECT_EQ(t.bandwidth[Level::Dram], 8);
    EXPECT_EQ(t.scratchpadBanks, 4);
    EXPECT_EQ(t.accumulatorBanks, 2);
    EXPECT_EQ(t.dmaBytesPerCycle, 16);
    EXPECT_EQ(t.dmaMaxRequestBytes, 64);
    EXPECT_EQ(t.dmaRequestsInFlight, 16);
    EXPECT_EQ(t.dmaLatency, 100);
    EXPECT_EQ(t.loadStations, 8);
    EXPECT_EQ(t.storeStations, 4);
    EXPECT_EQ(t.executeStations, 16);
    EXPECT_EQ(t.commandCycles, 5);
    EXPECT_EQ(t.scratchpadReadDelay, 4);
    EXPECT_EQ(t.accumulatorPipe, 10);
    // One fit serves all machines; only the stock one has been measured.
    EXPECT_EQ(t.dmaColdLatency, get("gemmini").dmaColdLatency);
    EXPECT_EQ(t.dmaShortWriteCycles, 36);
    EXPECT_EQ(t.passCycles, get("gemmini").passCycles);
    EXPECT_EQ(t.overlapLoss, get("gemmini").overlapLoss);
  }
}

TEST(KnownTargets, UnknownNameListsTheKnownOnes) {
  for (StringRef name : {"gemini", "", "GEMMINI", "gemmini-large "}) {
    llvm::Expected<Accelerator> target = findTarget(name);
    ASSERT_FALSE(target) << name.str();
    EXPECT_EQ(llvm::toString(target.takeError()),
              "unknown target '" + name.str() +
                  "': wanted one of gemmini, gemmini-fp32, gemmini-large, "
                  "gemmini-npu, gemmini-small, tiny, or the path of a .yaml "
                  "file that describes a machine");
    // IR names no files.
    target = findKnownTarget(name);
    ASSERT_FALSE(target) << name.str();
    EXPECT_EQ(llvm::toString(target.takeError()),
              "unknown target '" + name.str() +
                  "': wanted one of gemmini, gemmini-fp32, gemmini-large, "
                  "gemmini-npu, gemmini-small, tiny");
  }
}

TEST(KnownTargets, UnreadableFile) {
  llvm::Expected<Accelerator> target = findTarget(path("none.yaml"));
  ASSERT_FALSE(target);
  std::string message = llvm::toString(target.takeError());
  EXPECT_NE(message.find("cannot read the hardware description"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("none.yaml"), std::string::npos) << message;
}
