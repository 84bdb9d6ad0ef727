//===- Gemmini.cpp - Encodings of the Gemmini instructions ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/ISA/Gemmini.h"

#include "fadiff/ISA/LoopConvWs.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cassert>

using namespace fadiff;
using namespace fadiff::isa;

namespace {

/// Collects the fields of one command.
class Encoder {
public:
  explicit Encoder(Funct funct) { command.funct = uint32_t(funct); }
  Encoder(ConfigKind kind) : Encoder(Funct::Config) {
    add(kConfigKind, uint64_t(kind));
  }

  Encoder &add(const Field &field, uint64_t value) {
    assert(field.fits(value) && "value does not fit its instruction field");
    field.set(command, value);
    return *this;
  }
  Encoder &addFloat(const Field &field, float value) {
    return add(field, llvm::bit_cast<uint32_t>(value));
  }
  Encoder &add(const Field &address, const Field &rows, const Field &cols,
               const Operand &operand) {
    return add(address, operand.address.bits)
        .add(rows, operand.rows)
        .add(cols, operand.cols);
  }
  Command finish() const { return command; }

private:
  Command command;
};

float getFloat(const Field &field, const Command &command) {
  return llvm::bit_cast<float>(uint32_t(field.get(command)));
}

Operand getOperand(const Field &address, const Field &rows, const Field &cols,
                   const Command &command) {
  return {{uint32_t(address.get(command))},
          uint16_t(rows.get(command)),
          uint16_t(cols.get(command))};
}

} // namespace

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

Command isa::encode(const ConfigEx &config) {
  using namespace config_ex;
  return Encoder(ConfigKind::Ex)
      .add(kDataflow, uint64_t(config.dataflow))
      .add(kActivation, uint64_t(config.activation))
      .add(kSetOnlyStrides, config.setOnlyStrides)
      .add(kTransposeA, config.transposeA)
      .add(kTransposeB, config.transposeB)
      .add(kAStride, config.aStride)
      .addFloat(kScale, config.scale)
      .add(kShift, config.shift)
      .add(kCStride, config.cStride)
      .finish();
}

Command isa::encode(const ConfigLd &config) {
  using namespace config_ld;
  return Encoder(ConfigKind::Ld)
      .add(kShrink, config.shrink)
      .add(kMvin, config.mvin)
      .add(kPixelRepeats, config.pixelRepeats)
      .add(kBlockStride, config.blockStride)
      .addFloat(kScale, config.scale)
      .add(kStride, config.stride)
      .finish();
}

Command isa::encode(const ConfigSt &config) {
  using namespace config_st;
  return Encoder(ConfigKind::St)
      .add(kActivation, uint64_t(config.activation))
      .add(kPoolStride, config.poolStride)
      .add(kPoolSize, config.poolSize)
      .add(kPadTop, config.padTop)
      .add(kPadLeft, config.padLeft)
      .add(kPoolOutDim, config.poolOutDim)
      .add(kPoolRows, config.poolRows)
      .add(kPoolCols, config.poolCols)
      .add(kRows, config.rows)
      .add(kCols, config.cols)
      .add(kStride, config.stride)
      .addFloat(kScale, config.scale)
      .finish();
}

Command isa::encode(const ConfigReadout &config) {
  using namespace config_readout;
  return Encoder(Funct::ConfigReadout)
      .add(kZeroPoint, uint8_t(config.zeroPoint))
      .add(kLow, uint8_t(config.low))
      .add(kHigh, uint8_t(config.high))
      .add(kPerChannel, config.perChannel)
      .add(kFirst, config.first)
      .finish();
}

Command isa::encode(const MvinScales &m) {
  using namespace mvin_scales;
  return Encoder(Funct::MvinScales)
      .add(kDramAddress, m.dramAddress)
      .add(kFirst, m.first)
      .add(kCount, m.count)
      .finish();
}

Command isa::encode(const Move &m) {
  assert((m.funct == Funct::Mvin || m.funct == Funct::Mvin2 ||
          m.funct == Funct::Mvin3 || m.funct == Funct::Mvout) &&
         "not a move");
  return Encoder(m.funct)
      .add(move::kDramAddress, m.dramAddress)
      .add(move::kLocalAddress, m.localAddress.bits)
      .add(move::kRows, m.rows)
      .add(move::kCols, m.cols)
      .finish();
}

Command isa::encode(const MvoutSpad &m) {
  using namespace mvout_spad;
  return Encoder(Funct::MvoutSpad)
      .add(kDestination, m.destination.bits)
      .add(kDestinationStride, m.destinationStride)
      .add(kLocalAddress, m.source.bits)
      .add(kRows, m.rows)
      .add(kCols, m.cols)
      .finish();
}

Command isa::encode(const Preload &p) {
  using namespace preload;
  return Encoder(Funct::Preload)
      .add(kAddress, kRows, kCols, p.stationary)
      .add(kCAddress, kCRows, kCCols, p.c)
      .finish();
}

Command isa::encode(const Compute &c) {
  using namespace compute;
  return Encoder(c.accumulated ? Funct::ComputeAccumulated
                               : Funct::ComputePreloaded)
      .add(kAAddress, kARows, kACols, c.a)
      .add(kAddress, kRows, kCols, c.moving)
      .finish();
}

Command isa::encode(const Flush &f) {
  return Encoder(Funct::Flush).add(flush::kSkip, f.skip).finish();
}

Command isa::encode(const LoopWsBounds &bounds) {
  using namespace loop_ws;
  return Encoder(Funct::LoopWsConfigBounds)
      .add(kPadI, bounds.padI)
      .add(kPadJ, bounds.padJ)
      .add(kPadK, bounds.padK)
      .add(kI, bounds.i)
      .add(kJ, bounds.j)
      .add(kK, bounds.k)
      .finish();
}

Command isa::encode(const LoopWsPair &pair) {
  // The registers are one field each, whatever they mean.
  return Encoder(pair.funct)
      .add(loop_ws::kA, pair.first)
      .add(loop_ws::kB, pair.second)
      .finish();
}

Command isa::encode(const LoopWsRun &run) {
  using namespace loop_ws;
  return Encoder(Funct::LoopWs)
      .add(kAccumulate, run.accumulate)
      .add(kFullC, run.fullC)
      .add(kLowD, run.lowD)
      .add(kActivation, uint64_t(run.activation))
      .add(kBHalf, run.bHalf)
      .add(kAHalf, run.aHalf)
      .add(kTransposeA, run.transposeA)
      .add(kTransposeB, run.transposeB)
      .add(kResadd, run.resadd)
      .add(kExtensions, run.extensions)
      .finish();
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

ConfigKind isa::configKind(const Command &command) {
  return ConfigKind(kConfigKind.get(command));
}

ConfigEx isa::decodeConfigEx(const Command &command) {
  using namespace config_ex;
  ConfigEx config;
  config.dataflow = Dataflow(kDataflow.get(command));
  config.activation = Activation(kActivation.get(command));
  config.setOnlyStrides = kSetOnlyStrides.get(command);
  config.transposeA = kTransposeA.get(command);
  config.transposeB = kTransposeB.get(command);
  config.aStride = kAStride.get(command);
  config.scale = getFloat(kScale, command);
  config.shift = kShift.get(command);
  config.cStride = kCStride.get(command);
  return config;
}

ConfigLd isa::decodeConfigLd(const Command &command) {
  using namespace config_ld;
  ConfigLd config;
  config.shrink = kShrink.get(command);
  config.mvin = kMvin.get(command);
  config.pixelRepeats = kPixelRepeats.get(command);
  config.blockStride = kBlockStride.get(command);
  config.scale = getFloat(kScale, command);
  config.stride = kStride.get(command);
  return config;
}

ConfigSt isa::decodeConfigSt(const Command &command) {
  using namespace config_st;
  ConfigSt config;
  config.activation = Activation(kActivation.get(command));
  config.poolStride = kPoolStride.get(command);
  config.poolSize = kPoolSize.get(command);
  config.padTop = kPadTop.get(command);
  config.padLeft = kPadLeft.get(command);
  config.poolOutDim = kPoolOutDim.get(command);
  config.poolRows = kPoolRows.get(command);
  config.poolCols = kPoolCols.get(command);
  config.rows = kRows.get(command);
  config.cols = kCols.get(command);
  config.stride = kStride.get(command);
  config.scale = getFloat(kScale, command);
  return config;
}

ConfigReadout isa::decodeConfigReadout(const Command &command) {
  using namespace config_readout;
  ConfigReadout config;
  config.zeroPoint = int8_t(kZeroPoint.get(command));
  config.low = int8_t(kLow.get(command));
  config.high = int8_t(kHigh.get(command));
  config.perChannel = kPerChannel.get(command);
  config.first = kFirst.get(command);
  return config;
}

MvinScales isa::decodeMvinScales(const Command &command) {
  using namespace mvin_scales;
  MvinScales m;
  m.dramAddress = kDramAddress.get(command);
  m.first = kFirst.get(command);
  m.count = kCount.get(command);
  return m;
}

Move isa::decodeMove(const Command &command) {
  Move m;
  m.funct = Funct(command.funct);
  m.dramAddress = move::kDramAddress.get(command);
  m.localAddress = {uint32_t(move::kLocalAddress.get(command))};
  m.rows = move::kRows.get(command);
  m.cols = move::kCols.get(command);
  return m;
}

MvoutSpad isa::decodeMvoutSpad(const Command &command) {
  using namespace mvout_spad;
  MvoutSpad m;
  m.destination = {uint32_t(kDestination.get(command))};
  m.destinationStride = kDestinationStride.get(command);
  m.source = {uint32_t(kLocalAddress.get(command))};
  m.rows = kRows.get(command);
  m.cols = kCols.get(command);
  return m;
}

Preload isa::decodePreload(const Command &command) {
  using namespace preload;
  return {getOperand(kAddress, kRows, kCols, command),
          getOperand(kCAddress, kCRows, kCCols, command)};
}

Compute isa::decodeCompute(const Command &command) {
  using namespace compute;
  return {Funct(command.funct) == Funct::ComputeAccumulated,
          getOperand(kAAddress, kARows, kACols, command),
          getOperand(kAddress, kRows, kCols, command)};
}

Flush isa::decodeFlush(const Command &command) {
  return {flush::kSkip.get(command) != 0};
}

LoopWsBounds isa::decodeLoopWsBounds(const Command &command) {
  using namespace loop_ws;
  LoopWsBounds bounds;
  bounds.i = kI.get(command);
  bounds.j = kJ.get(command);
  bounds.k = kK.get(command);
  bounds.padI = kPadI.get(command);
  bounds.padJ = kPadJ.get(command);
  bounds.padK = kPadK.get(command);
  return bounds;
}

LoopWsPair isa::decodeLoopWsPair(const Command &command) {
  return {Funct(command.funct), command.rs1, command.rs2};
}

LoopWsRun isa::decodeLoopWsRun(const Command &command) {
  using namespace loop_ws;
  LoopWsRun run;
  run.accumulate = kAccumulate.get(command);
  run.fullC = kFullC.get(command);
  run.lowD = kLowD.get(command);
  run.activation = Activation(kActivation.get(command));
  run.bHalf = kBHalf.get(command);
  run.aHalf = kAHalf.get(command);
  run.transposeA = kTransposeA.get(command);
  run.transposeB = kTransposeB.get(command);
  run.resadd = kResadd.get(command);
  run.extensions = kExtensions.get(command);
  return run;
}

//===----------------------------------------------------------------------===//
// Disassembly
//===----------------------------------------------------------------------===//

static constexpr Field configExFields[] = {
    config_ex::kDataflow,   config_ex::kActivation, config_ex::kSetOnlyStrides,
    config_ex::kTransposeA, config_ex::kTransposeB, config_ex::kAStride,
    config_ex::kScale,      config_ex::kShift,      config_ex::kCStride};
static constexpr Field configLdFields[] = {
    config_ld::kMvin,        config_ld::kShrink, config_ld::kPixelRepeats,
    config_ld::kBlockStride, config_ld::kScale,  config_ld::kStride};
static constexpr Field configStFields[] = {
    config_st::kActivation, config_st::kPoolStride, config_st::kPoolSize,
    config_st::kPadTop,     config_st::kPadLeft,    config_st::kPoolOutDim,
    config_st::kPoolRows,   config_st::kPoolCols,   config_st::kRows,
    config_st::kCols,       config_st::kStride,     config_st::kScale};
static constexpr Field configReadoutFields[] = {
    config_readout::kZeroPoint, config_readout::kLow, config_readout::kHigh,
    config_readout::kPerChannel, config_readout::kFirst};
static constexpr Field mvinScalesFields[] = {
    mvin_scales::kDramAddress, mvin_scales::kFirst, mvin_scales::kCount};
static constexpr Field moveFields[] = {move::kDramAddress, move::kLocalAddress,
                                       move::kRows, move::kCols};
static constexpr Field mvoutSpadFields[] = {
    mvout_spad::kDestination, mvout_spad::kDestinationStride,
    mvout_spad::kLocalAddress, mvout_spad::kRows, mvout_spad::kCols};
static constexpr Field preloadFields[] = {preload::kAddress, preload::kRows,
                                          preload::kCols,    preload::kCAddress,
                                          preload::kCRows,   preload::kCCols};
static constexpr Field computeFields[] = {compute::kAAddress, compute::kARows,
                                          compute::kACols,    compute::kAddress,
                                          compute::kRows,     compute::kCols};
static constexpr Field flushFields[] = {flush::kSkip};
static constexpr Field loopBoundsFields[] = {loop_ws::kI,    loop_ws::kJ,
                                             loop_ws::kK,    loop_ws::kPadI,
                                             loop_ws::kPadJ, loop_ws::kPadK};
static constexpr Field loopAddrsABFields[] = {loop_ws::kA, loop_ws::kB};
static constexpr Field loopAddrsDCFields[] = {loop_ws::kD, loop_ws::kC};
static constexpr Field loopStridesABFields[] = {loop_ws::kAStride,
                                                loop_ws::kBStride};
static constexpr Field loopStridesDCFields[] = {loop_ws::kDStride,
                                                loop_ws::kCStride};
static constexpr Field loopRunFields[] = {
    loop_ws::kAccumulate, loop_ws::kFullC,      loop_ws::kLowD,
    loop_ws::kActivation, loop_ws::kAHalf,      loop_ws::kBHalf,
    loop_ws::kTransposeA, loop_ws::kTransposeB, loop_ws::kResadd,
    loop_ws::kExtensions};

/// By function number, from LoopConvWs on.
static const std::array<llvm::SmallVector<Field>, 7> &loopConvFields() {
  static const auto fields = [] {
    std::array<llvm::SmallVector<Field>, 7> fields;
    for (const LoopConvWs::Binding &binding : LoopConvWs::bindings())
      fields[uint32_t(binding.funct) - uint32_t(Funct::LoopConvWs)].push_back(
          binding.field);
    return fields;
  }();
  return fields;
}

llvm::ArrayRef<Field> isa::fieldsOf(const Command &command) {
  switch (Funct(command.funct)) {
  case Funct::Config:
    switch (configKind(command)) {
    case ConfigKind::Ex:
      return configExFields;
    case ConfigKind::Ld:
      return configLdFields;
    case ConfigKind::St:
      return configStFields;
    case ConfigKind::Norm:
      return {};
    }
    return {};
  case Funct::Mvin:
  case Funct::Mvin2:
  case Funct::Mvin3:
  case Funct::Mvout:
    return moveFields;
  case Funct::MvoutSpad:
    return mvoutSpadFields;
  case Funct::ConfigReadout:
    return configReadoutFields;
  case Funct::MvinScales:
    return mvinScalesFields;
  case Funct::Preload:
    return preloadFields;
  case Funct::ComputePreloaded:
  case Funct::ComputeAccumulated:
    return computeFields;
  case Funct::Flush:
    return flushFields;
  case Funct::LoopWsConfigBounds:
    return loopBoundsFields;
  case Funct::LoopWsConfigAddrsAB:
    return loopAddrsABFields;
  case Funct::LoopWsConfigAddrsDC:
    return loopAddrsDCFields;
  case Funct::LoopWsConfigStridesAB:
    return loopStridesABFields;
  case Funct::LoopWsConfigStridesDC:
    return loopStridesDCFields;
  case Funct::LoopWs:
    return loopRunFields;
  case Funct::LoopConvWs:
  case Funct::LoopConvWsConfig1:
  case Funct::LoopConvWsConfig2:
  case Funct::LoopConvWsConfig3:
  case Funct::LoopConvWsConfig4:
  case Funct::LoopConvWsConfig5:
  case Funct::LoopConvWsConfig6:
    return loopConvFields()[command.funct - uint32_t(Funct::LoopConvWs)];
  default:
    return {};
  }
}

std::string isa::mnemonic(const Command &command) {
  switch (Funct(command.funct)) {
  case Funct::Config: {
    static constexpr const char *names[] = {"config_ex", "config_ld",
                                            "config_st", "config_norm"};
    return names[unsigned(configKind(command))];
  }
  case Funct::Mvin:
    return "mvin";
  case Funct::Mvin2:
    return "mvin2";
  case Funct::Mvin3:
    return "mvin3";
  case Funct::Mvout:
    return "mvout";
  case Funct::MvoutSpad:
    return "mvout_spad";
  case Funct::ConfigReadout:
    return "config_readout";
  case Funct::MvinScales:
    return "mvin_scales";
  case Funct::Preload:
    return "preload";
  case Funct::ComputePreloaded:
    return "compute_preloaded";
  case Funct::ComputeAccumulated:
    return "compute_accumulated";
  case Funct::Flush:
    return "flush";
  case Funct::LoopWs:
    return "loop_ws";
  case Funct::LoopWsConfigBounds:
    return "loop_ws_config_bounds";
  case Funct::LoopWsConfigAddrsAB:
    return "loop_ws_config_addrs_AB";
  case Funct::LoopWsConfigAddrsDC:
    return "loop_ws_config_addrs_DC";
  case Funct::LoopWsConfigStridesAB:
    return "loop_ws_config_strides_AB";
  case Funct::LoopWsConfigStridesDC:
    return "loop_ws_config_strides_DC";
  case Funct::LoopConvWs:
    return "loop_conv_ws";
  case Funct::LoopConvWsConfig1:
  case Funct::LoopConvWsConfig2:
  case Funct::LoopConvWsConfig3:
  case Funct::LoopConvWsConfig4:
  case Funct::LoopConvWsConfig5:
  case Funct::LoopConvWsConfig6:
    return "loop_conv_ws_config_" +
           std::to_string(command.funct - uint32_t(Funct::LoopConvWs));
  }
  return "funct_" + std::to_string(command.funct);
}

std::string LocalAddress::str() const {
  if (isGarbage())
    return "garbage";
  std::string text = isAccumulator() ? "acc[" : "sp[";
  text += std::to_string(row()) + "]";
  if (isAccumulating())
    text += "+";
  if (isFullWidth())
    text += ":i32";
  if (norm())
    text += ":norm" + std::to_string(norm());
  return text;
}

std::string isa::disassemble(const Command &command) {
  std::string text = mnemonic(command);
  llvm::raw_string_ostream os(text);
  llvm::ArrayRef<Field> fields = fieldsOf(command);
  if (fields.empty())
    os << " rs1=" << llvm::format_hex(command.rs1, 18)
       << " rs2=" << llvm::format_hex(command.rs2, 18);
  for (const Field &field : fields) {
    uint64_t value = field.get(command);
    os << ' ' << field.name << '=';
    switch (field.format) {
    case FieldFormat::Unsigned:
      os << value;
      break;
    case FieldFormat::Hex:
      os << llvm::format_hex(value, 2);
      break;
    case FieldFormat::Float:
      os << llvm::format("%.9g", double(getFloat(field, command)));
      break;
    case FieldFormat::Local:
      os << LocalAddress{uint32_t(value)}.str();
      break;
    }
  }
  return text;
}
