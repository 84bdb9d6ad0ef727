//===- GemminiConfig.cpp - Machines as parameters of the generator --------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the generator takes by another name or unit than a description has.
// Delays are those of its presets, which descriptions take over.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/Yaml.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fadiff;

llvm::Expected<std::string> fadiff::toGemminiConfig(const Accelerator &target) {
  const Accelerator defaults;
  auto cannot = [&](const char *field) {
    return llvm::createStringError("Gemmini's generator has no parameter for " +
                                   describeField(target, field));
  };
  if (target.readOut.any())
    return cannot("readout");
  if (!(target.pool == defaults.pool) && target.pool.window != 0)
    return cannot("pool_window");
  if (target.scratchpadBytes % 1024)
    return cannot("scratchpad_bytes");
  if (target.accumulatorBytes % 1024)
    return cannot("accumulator_bytes");
  const bool isInt = target.arithmetic == Arithmetic::Int8;
  std::string text;
  llvm::raw_string_ostream os(text);
  auto word = [](bool value) { return value ? "true" : "false"; };
  os << "// '" << target.name
     << "' by the parameters of Gemmini's generator; delays are the preset's.\n"
     << "package gemmini\n\nobject FadiffConfig {\n  val config = "
     << (isInt ? "GemminiConfigs.defaultConfig"
               : "GemminiFPConfigs.FP32DefaultConfig")
     << ".copy(\n";
  os << llvm::formatv("    tileRows = 1, tileColumns = 1,\n"
                      "    meshRows = {0}, meshColumns = {0},\n",
                      target.side);
  os << llvm::formatv("    sp_capacity = CapacityInKilobytes({0}), sp_banks = "
                      "{1},\n",
                      target.scratchpadBytes / 1024, target.scratchpadBanks);
  os << llvm::formatv(
      "    acc_capacity = CapacityInKilobytes({0}), acc_banks = "
      "{1},\n",
      target.accumulatorBytes / 1024, target.accumulatorBanks);
  os << llvm::formatv("    dma_buswidth = {0}, dma_maxbytes = {1},\n"
                      "    max_in_flight_mem_reqs = {2},\n",
                      8 * target.dmaBytesPerCycle, target.dmaMaxRequestBytes,
                      target.dmaRequestsInFlight);
  os << llvm::formatv("    reservation_station_entries_ld = {0},\n"
                      "    reservation_station_entries_st = {1},\n"
                      "    reservation_station_entries_ex = {2},\n",
                      target.loadStations, target.storeStations,
                      target.executeStations);
  os << "    has_max_pool = " << word(target.pool.window != 0) << ",\n"
     << "    ex_read_from_acc = " << word(target.handsOverInPlace()) << ",\n"
     << "    use_tl_ext_mem = " << word(target.handsOverCopies())
     << "\n  )\n}\n";
  return text;
}
