//===- MemoryAudit.cpp - Are core and accelerator fenced apart? -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryAudit.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace fadiff::isa;

MemoryAudit::Byte *MemoryAudit::find(uint64_t address) {
  return address - base < size ? &bytes[address - base] : nullptr;
}

void MemoryAudit::order(uint32_t before, uint64_t address, const char *first,
                        const char *second) {
  if (before == 0)
    return;
  if (before == epoch && firstError.empty())
    firstError = std::string("no fence between a ") + first + " and a " +
                 second + " at 0x" + llvm::utohexstr(address);
  if (before + 1 == epoch)
    needed[before - 1] = true;
}

void MemoryAudit::core(uint64_t address, unsigned size, bool write) {
  for (uint64_t at = address; at != address + size; ++at) {
    Byte *byte = find(at);
    if (!byte)
      continue;
    const char *name = write ? "write of the core" : "read of the core";
    order(byte->deviceWrite, at, "mvout", name);
    if (write)
      order(byte->deviceRead, at, "mvin", name);
    (write ? byte->coreWrite : byte->coreRead) = epoch;
  }
}

void MemoryAudit::device(uint64_t address, uint64_t size, bool write) {
  for (uint64_t at = address; at != address + size; ++at) {
    Byte *byte = find(at);
    if (!byte)
      continue;
    order(byte->coreWrite, at, "write of the core", write ? "mvout" : "mvin");
    if (write)
      order(byte->coreRead, at, "read of the core", "mvout");
    else
      order(byte->deviceWrite, at, "mvout", "mvin");
    (write ? byte->deviceWrite : byte->deviceRead) = epoch;
  }
}

void MemoryAudit::rows(uint64_t address, uint64_t rows, uint64_t stride,
                       uint64_t size, bool write) {
  for (uint64_t i = 0; i != rows; ++i)
    device(address + i * stride, size, write);
}

void MemoryAudit::accelerator(const Command &command) {
  switch (Funct(command.funct)) {
  case Funct::Config:
    if (configKind(command) == ConfigKind::Ld) {
      ConfigLd config = decodeConfigLd(command);
      if (config.mvin < 3)
        load[config.mvin] = config;
    } else if (configKind(command) == ConfigKind::St) {
      store = decodeConfigSt(command);
    }
    return;
  case Funct::Mvin:
  case Funct::Mvin2:
  case Funct::Mvin3: {
    Move move = decodeMove(command);
    const ConfigLd &config = load[move.funct == Funct::Mvin    ? 0
                                  : move.funct == Funct::Mvin2 ? 1
                                                               : 2];
    bool wide = move.localAddress.isAccumulator() && !config.shrink;
    // Address 0 fills with zeros.
    if (move.dramAddress != 0)
      rows(move.dramAddress, move.rows, config.stride,
           move.cols * (wide ? 4 : 1), /*write=*/false);
    return;
  }
  case Funct::Mvout: {
    Move move = decodeMove(command);
    bool wide = move.localAddress.isFullWidth();
    uint64_t size = move.cols * (wide ? 4 : 1);
    if (store.poolStride == 0)
      return rows(move.dramAddress, move.rows, store.stride, size,
                  /*write=*/true);
    for (unsigned row = 0; row != store.poolRows; ++row)
      rows(move.dramAddress + uint64_t(row) * store.poolOutDim * store.stride,
           store.poolCols, store.stride, size, /*write=*/true);
    return;
  }
  case Funct::LoopWsConfigBounds:
  case Funct::LoopWsConfigAddrsAB:
  case Funct::LoopWsConfigAddrsDC:
  case Funct::LoopWsConfigStridesAB:
  case Funct::LoopWsConfigStridesDC:
    loop.take(command);
    return;
  case Funct::LoopWs: {
    loop.take(command);
    // Where tiles lie on chip does not matter here.
    const LoopSteps steps = expand(loop, LoopWsRows(), machine);
    for (const LoopStep &step : steps.loads)
      accelerator(step.command);
    for (const LoopStep &step : steps.stores)
      accelerator(step.command);
    loop = LoopWs();
    return;
  }
  case Funct::LoopConvWsConfig1:
  case Funct::LoopConvWsConfig2:
  case Funct::LoopConvWsConfig3:
  case Funct::LoopConvWsConfig4:
  case Funct::LoopConvWsConfig5:
  case Funct::LoopConvWsConfig6:
    convLoop.take(command);
    return;
  case Funct::LoopConvWs: {
    convLoop.take(command);
    const LoopSteps steps = expand(convLoop, LoopConvWsRows(), machine);
    for (const LoopStep &step : steps.loads)
      accelerator(step.command);
    for (const LoopStep &step : steps.stores)
      accelerator(step.command);
    convLoop = LoopConvWs();
    return;
  }
  default:
    return;
  }
}

void MemoryAudit::fence() {
  needed.push_back(false);
  ++epoch;
}

unsigned MemoryAudit::idleFences() const {
  // The last epoch has no end.
  return std::count(needed.begin(), needed.end() - 1, false);
}
