//===- Gemmini.h - Encodings of the Gemmini instructions --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place where Gemmini's bit positions stand. The C++ encoder and
// decoder, the disassembler and the MLIR lowering (which packs run-time values
// with shifts and ors) are all written from the `Field` constants below.
//
// Sources: ucb-bar/gemmini src/main/scala/gemmini/GemminiISA.scala and
// LocalAddr.scala, and gemmini-rocc-tests include/gemmini.h.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ISA_GEMMINI_H
#define FADIFF_ISA_GEMMINI_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>

namespace fadiff {
namespace isa {

/// Every command is `.insn r kOpcode, kFunct3, funct, x0, rs1, rs2`: custom-3,
/// both sources read, no result.
inline constexpr unsigned kOpcode = 0x7b;
inline constexpr unsigned kFunct3 = 3;

/// funct7 of a command.
enum class Funct : uint32_t {
  Config = 0, ///< config_ex / config_ld / config_st / config_norm
  Mvin2 = 1,
  Mvin = 2,
  Mvout = 3,
  ComputePreloaded = 4,
  ComputeAccumulated = 5,
  Preload = 6,
  Flush = 7,
  LoopWs = 8,
  LoopWsConfigBounds = 9,
  LoopWsConfigAddrsAB = 10,
  LoopWsConfigAddrsDC = 11,
  LoopWsConfigStridesAB = 12,
  LoopWsConfigStridesDC = 13,
  Mvin3 = 14,
  LoopConvWs = 15,
  LoopConvWsConfig1 = 16,
  LoopConvWsConfig2 = 17,
  LoopConvWsConfig3 = 18,
  LoopConvWsConfig4 = 19,
  LoopConvWsConfig5 = 20,
  LoopConvWsConfig6 = 21,
  MvoutSpad = 23, ///< RTL with use_tl_ext_mem only
  // Of read-outs that can do more; no RTL has them.
  ConfigReadout = 96,
  MvinScales = 97,
};

/// Whether Gemmini has the command, in RTL of some configuration.
constexpr bool isGemminis(Funct funct) { return funct < Funct::ConfigReadout; }

/// One command as the core hands it over.
struct Command {
  uint32_t funct = 0;
  uint64_t rs1 = 0;
  uint64_t rs2 = 0;

  bool operator==(const Command &other) const {
    return funct == other.funct && rs1 == other.rs1 && rs2 == other.rs2;
  }
};

enum class Source : uint8_t { Rs1, Rs2 };
/// How the disassembler prints a field.
enum class FieldFormat : uint8_t { Unsigned, Hex, Float, Local };

/// Bits lo .. lo + width - 1 of one source register.
struct Field {
  const char *name;
  Source source;
  unsigned lo;
  unsigned width;
  FieldFormat format = FieldFormat::Unsigned;

  /// The largest value, i.e. `width` ones.
  constexpr uint64_t max() const {
    return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  }
  /// The field's bits in place.
  constexpr uint64_t mask() const { return max() << lo; }
  constexpr bool fits(uint64_t value) const { return value <= max(); }
  constexpr uint64_t get(const Command &command) const {
    return ((source == Source::Rs1 ? command.rs1 : command.rs2) >> lo) & max();
  }
  /// Replaces the field's bits; bits of `value` beyond the width are dropped.
  constexpr void set(Command &command, uint64_t value) const {
    uint64_t &reg = source == Source::Rs1 ? command.rs1 : command.rs2;
    reg = (reg & ~mask()) | ((value & max()) << lo);
  }
};

/// What rs1[1:0] selects in a Config command.
enum class ConfigKind : uint8_t { Ex = 0, Ld = 1, St = 2, Norm = 3 };
enum class Dataflow : uint8_t { OutputStationary = 0, WeightStationary = 1 };
/// LayerNorm and Gelu need hardware that this project does not target.
enum class Activation : uint8_t { None = 0, Relu = 1, LayerNorm = 2, Gelu = 3 };

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// Selects the configuration command; the same bits in all of them.
inline constexpr Field kConfigKind{"kind", Source::Rs1, 0, 2};

namespace config_ex {
inline constexpr Field kDataflow{"dataflow", Source::Rs1, 2, 1};
inline constexpr Field kActivation{"activation", Source::Rs1, 3, 2};
/// 1: only the two strides below are taken over.
inline constexpr Field kSetOnlyStrides{"set_only_strides", Source::Rs1, 7, 1};
inline constexpr Field kTransposeA{"transpose_a", Source::Rs1, 8, 1};
inline constexpr Field kTransposeB{"transpose_b", Source::Rs1, 9, 1};
/// Local rows from one row of A to the next.
inline constexpr Field kAStride{"a_stride", Source::Rs1, 16, 16};
/// f32 scale of operands read from the accumulator.
inline constexpr Field kScale{"scale", Source::Rs1, 32, 32, FieldFormat::Float};
/// Rounding right shift, output-stationary only.
inline constexpr Field kShift{"shift", Source::Rs2, 0, 32};
/// Local rows from one row of C to the next; never 0.
inline constexpr Field kCStride{"c_stride", Source::Rs2, 48, 16};
} // namespace config_ex

namespace config_ld {
/// 1: a load into the accumulator reads int8 and widens.
inline constexpr Field kShrink{"shrink", Source::Rs1, 2, 1};
/// 0 mvin, 1 mvin2, 2 mvin3.
inline constexpr Field kMvin{"mvin", Source::Rs1, 3, 2};
inline constexpr Field kPixelRepeats{"pixel_repeats", Source::Rs1, 8, 8};
/// Local rows between the side-column blocks of one mvin; at least its rows.
inline constexpr Field kBlockStride{"block_stride", Source::Rs1, 16, 16};
inline constexpr Field kScale{"scale", Source::Rs1, 32, 32, FieldFormat::Float};
/// Bytes from one DRAM row to the next; 0 broadcasts one row.
inline constexpr Field kStride{"stride", Source::Rs2, 0, 64};
} // namespace config_ld

namespace config_st {
inline constexpr Field kActivation{"activation", Source::Rs1, 2, 2};
/// 0: no pooling.
inline constexpr Field kPoolStride{"pool_stride", Source::Rs1, 4, 2};
inline constexpr Field kPoolSize{"pool_size", Source::Rs1, 6, 2};
inline constexpr Field kPadTop{"pad_top", Source::Rs1, 8, 2};
inline constexpr Field kPadLeft{"pad_left", Source::Rs1, 10, 2};
/// Pixels per pooled output row in DRAM.
inline constexpr Field kPoolOutDim{"pool_out_dim", Source::Rs1, 24, 8};
inline constexpr Field kPoolRows{"pool_rows", Source::Rs1, 32, 8};
inline constexpr Field kPoolCols{"pool_cols", Source::Rs1, 40, 8};
inline constexpr Field kRows{"rows", Source::Rs1, 48, 8};
inline constexpr Field kCols{"cols", Source::Rs1, 56, 8};
/// Bytes from one DRAM row to the next.
inline constexpr Field kStride{"stride", Source::Rs2, 0, 32};
inline constexpr Field kScale{"scale", Source::Rs2, 32, 32, FieldFormat::Float};
} // namespace config_st

/// Follows config_st, which sets no zero point, int8's bounds and one scale.
namespace config_readout {
/// int8 each.
inline constexpr Field kZeroPoint{"zero_point", Source::Rs1, 0, 8};
inline constexpr Field kLow{"low", Source::Rs1, 8, 8};
inline constexpr Field kHigh{"high", Source::Rs1, 16, 8};
/// 1: column j has the scale `first` + j in place of config_st's.
inline constexpr Field kPerChannel{"per_channel", Source::Rs1, 24, 1};
inline constexpr Field kFirst{"first", Source::Rs2, 0, 32};
} // namespace config_readout

/// `count` f32 from DRAM become the scales from `first` on.
namespace mvin_scales {
inline constexpr Field kDramAddress{"dram", Source::Rs1, 0, 64,
                                    FieldFormat::Hex};
inline constexpr Field kFirst{"first", Source::Rs2, 0, 32};
inline constexpr Field kCount{"count", Source::Rs2, 32, 32};
} // namespace mvin_scales

/// mvin, mvin2, mvin3, mvout.
namespace move {
inline constexpr Field kDramAddress{"dram", Source::Rs1, 0, 64,
                                    FieldFormat::Hex};
inline constexpr Field kLocalAddress{"local", Source::Rs2, 0, 32,
                                     FieldFormat::Local};
inline constexpr Field kCols{"cols", Source::Rs2, 32, 16};
inline constexpr Field kRows{"rows", Source::Rs2, 48, 16};
} // namespace move

namespace mvout_spad {
inline constexpr Field kDestination{"dest", Source::Rs1, 0, 32,
                                    FieldFormat::Local};
/// Scratchpad rows from one destination row to the next.
inline constexpr Field kDestinationStride{"dest_stride", Source::Rs1, 32, 32};
inline constexpr Field kLocalAddress{"local", Source::Rs2, 0, 32,
                                     FieldFormat::Local};
inline constexpr Field kCols{"cols", Source::Rs2, 32, 16};
inline constexpr Field kRows{"rows", Source::Rs2, 48, 16};
} // namespace mvout_spad

/// rs1: the stationary operand (B in WS, D in OS). rs2: the result C.
namespace preload {
inline constexpr Field kAddress{"b", Source::Rs1, 0, 32, FieldFormat::Local};
inline constexpr Field kCols{"b_cols", Source::Rs1, 32, 16};
inline constexpr Field kRows{"b_rows", Source::Rs1, 48, 16};
inline constexpr Field kCAddress{"c", Source::Rs2, 0, 32, FieldFormat::Local};
inline constexpr Field kCCols{"c_cols", Source::Rs2, 32, 16};
inline constexpr Field kCRows{"c_rows", Source::Rs2, 48, 16};
} // namespace preload

/// rs1: A. rs2: the other moving operand (D in WS, B in OS).
namespace compute {
inline constexpr Field kAAddress{"a", Source::Rs1, 0, 32, FieldFormat::Local};
inline constexpr Field kACols{"a_cols", Source::Rs1, 32, 16};
inline constexpr Field kARows{"a_rows", Source::Rs1, 48, 16};
inline constexpr Field kAddress{"d", Source::Rs2, 0, 32, FieldFormat::Local};
inline constexpr Field kCols{"d_cols", Source::Rs2, 32, 16};
inline constexpr Field kRows{"d_rows", Source::Rs2, 48, 16};
} // namespace compute

namespace flush {
/// 1: the command is skipped.
inline constexpr Field kSkip{"skip", Source::Rs1, 0, 1};
} // namespace flush

/// loop_ws and the five commands that configure it. I, J and K count blocks of
/// `side`; a pad is what is missing in the last one.
namespace loop_ws {
inline constexpr Field kPadI{"pad_i", Source::Rs1, 0, 16};
inline constexpr Field kPadJ{"pad_j", Source::Rs1, 16, 16};
inline constexpr Field kPadK{"pad_k", Source::Rs1, 32, 16};
inline constexpr Field kI{"i", Source::Rs2, 0, 16};
inline constexpr Field kJ{"j", Source::Rs2, 16, 16};
inline constexpr Field kK{"k", Source::Rs2, 32, 16};

/// Bytes; 0: the operand is in the scratchpad already.
inline constexpr Field kA{"a", Source::Rs1, 0, 64, FieldFormat::Hex};
inline constexpr Field kB{"b", Source::Rs2, 0, 64, FieldFormat::Hex};
/// 0: nothing is loaded into the sums, or stored.
inline constexpr Field kD{"d", Source::Rs1, 0, 64, FieldFormat::Hex};
inline constexpr Field kC{"c", Source::Rs2, 0, 64, FieldFormat::Hex};
/// Elements, not bytes.
inline constexpr Field kAStride{"a_stride", Source::Rs1, 0, 64};
inline constexpr Field kBStride{"b_stride", Source::Rs2, 0, 64};
inline constexpr Field kDStride{"d_stride", Source::Rs1, 0, 64};
inline constexpr Field kCStride{"c_stride", Source::Rs2, 0, 64};

/// 0: the first products overwrite the sums.
inline constexpr Field kAccumulate{"accumulate", Source::Rs1, 0, 1};
/// Sums leave as int32.
inline constexpr Field kFullC{"full_c", Source::Rs1, 1, 1};
/// D is int8.
inline constexpr Field kLowD{"low_d", Source::Rs1, 2, 1};
inline constexpr Field kActivation{"activation", Source::Rs1, 8, 3};
/// Half of the scratchpad, counted from 1; 0: the halves take turns, loop by
/// loop.
inline constexpr Field kBHalf{"b_half", Source::Rs1, 16, 2};
inline constexpr Field kAHalf{"a_half", Source::Rs1, 18, 2};
inline constexpr Field kTransposeA{"transpose_a", Source::Rs2, 0, 1};
inline constexpr Field kTransposeB{"transpose_b", Source::Rs2, 1, 1};
inline constexpr Field kResadd{"resadd", Source::Rs2, 2, 1};
/// RTL only: units that do nothing, and others.
inline constexpr Field kExtensions{"extensions", Source::Rs2, 3, 61,
                                   FieldFormat::Hex};
} // namespace loop_ws

/// loop_conv_ws and the six commands that configure it, all in elements:
/// input N x H x W x C, weights R x S x C x K, output N x P x Q x K. The first
/// two, and what ends in _dim or _stride, say what the tensors in DRAM are
/// like, the others what one loop takes of them.
namespace loop_conv_ws {
// loop_conv_ws_config_1
inline constexpr Field kBatchSize{"batch_size", Source::Rs1, 0, 16};
inline constexpr Field kInRowDim{"in_row_dim", Source::Rs1, 16, 16};
inline constexpr Field kInChannels{"in_channels", Source::Rs1, 32, 16};
inline constexpr Field kOutChannels{"out_channels", Source::Rs1, 48, 16};
inline constexpr Field kOutRowDim{"out_row_dim", Source::Rs2, 0, 16};
inline constexpr Field kPoolOutRowDim{"pool_out_row_dim", Source::Rs2, 16, 16};
inline constexpr Field kOutColDim{"out_col_dim", Source::Rs2, 32, 16};
inline constexpr Field kStride{"stride", Source::Rs2, 48, 8};
inline constexpr Field kPadding{"padding", Source::Rs2, 56, 8};
// loop_conv_ws_config_2
inline constexpr Field kPoolPadding{"pool_padding", Source::Rs1, 0, 8};
inline constexpr Field kPoolStride{"pool_stride", Source::Rs1, 8, 8};
inline constexpr Field kPoolSize{"pool_size", Source::Rs1, 16, 16};
inline constexpr Field kPoolOutColDim{"pool_out_col_dim", Source::Rs1, 32, 16};
inline constexpr Field kKernelDim{"kernel_dim", Source::Rs1, 48, 16};
/// Output channels of the loop.
inline constexpr Field kOchs{"ochs", Source::Rs2, 0, 16};
inline constexpr Field kPoolCols{"pool_cols", Source::Rs2, 16, 16};
inline constexpr Field kPoolRows{"pool_rows", Source::Rs2, 32, 16};
inline constexpr Field kBatches{"batches", Source::Rs2, 48, 16};
// loop_conv_ws_config_3: rows and columns of the loop's window that lie in the
// padding
inline constexpr Field kPadLeft{"pad_left", Source::Rs1, 0, 16};
/// Input channels of the loop.
inline constexpr Field kKchs{"kchs", Source::Rs1, 16, 16};
inline constexpr Field kKcols{"kcols", Source::Rs1, 32, 16};
inline constexpr Field kKrows{"krows", Source::Rs1, 48, 16};
inline constexpr Field kInColDim{"in_col_dim", Source::Rs2, 0, 16};
inline constexpr Field kPoolPadLeft{"pool_pad_left", Source::Rs2, 16, 8};
inline constexpr Field kPadDown{"pad_down", Source::Rs2, 24, 8};
inline constexpr Field kPadUp{"pad_up", Source::Rs2, 32, 16};
inline constexpr Field kPadRight{"pad_right", Source::Rs2, 48, 16};
// loop_conv_ws_config_4
inline constexpr Field kDilation{"dilation", Source::Rs1, 0, 10};
inline constexpr Field kPoolPadDown{"pool_pad_down", Source::Rs1, 10, 11};
inline constexpr Field kPoolPadUp{"pool_pad_up", Source::Rs1, 21, 11};
inline constexpr Field kPoolPadRight{"pool_pad_right", Source::Rs1, 32, 16};
inline constexpr Field kOrows{"orows", Source::Rs1, 48, 16};
inline constexpr Field kOcols{"ocols", Source::Rs2, 0, 16};
/// From one pixel (of weights: input channel) to the next.
inline constexpr Field kOutStride{"out_stride", Source::Rs2, 16, 16};
inline constexpr Field kWeightStride{"weight_stride", Source::Rs2, 32, 16};
inline constexpr Field kInStride{"in_stride", Source::Rs2, 48, 16};
// loop_conv_ws_config_5 and _6: bytes. 0: weights and input are in the
// scratchpad already; no bias; the sums stay.
inline constexpr Field kWeights{"weights", Source::Rs1, 0, 64,
                                FieldFormat::Hex};
inline constexpr Field kOutput{"output", Source::Rs2, 0, 64, FieldFormat::Hex};
inline constexpr Field kBias{"bias", Source::Rs1, 0, 64, FieldFormat::Hex};
inline constexpr Field kInput{"input", Source::Rs2, 0, 64, FieldFormat::Hex};
// loop_conv_ws
/// 1: where there is a bias address, zeros are loaded in its place.
inline constexpr Field kNoBias{"no_bias", Source::Rs1, 0, 1};
/// Kernels turned by 180 degrees, and tensors in other orders: for training.
inline constexpr Field kTraining{"training", Source::Rs1, 1, 5,
                                 FieldFormat::Hex};
inline constexpr Field kDepthwise{"depthwise", Source::Rs1, 6, 1};
/// Pixels of a row of the kernel that one pass multiplies; 0: 1.
inline constexpr Field kPixelsPerRow{"pixels_per_row", Source::Rs1, 8, 8};
/// As of loop_ws.
inline constexpr Field kWeightHalf{"weight_half", Source::Rs1, 16, 2};
inline constexpr Field kInputHalf{"input_half", Source::Rs1, 18, 2};
inline constexpr Field kNoPool{"no_pool", Source::Rs2, 0, 1};
/// A stride of 2 whose odd rows and columns are not loaded.
inline constexpr Field kDownsample{"downsample", Source::Rs2, 1, 1};
inline constexpr Field kInputDilated{"input_dilated", Source::Rs2, 2, 1};
inline constexpr Field kActivation{"activation", Source::Rs2, 3, 2};
} // namespace loop_conv_ws

//===----------------------------------------------------------------------===//
// Local addresses
//===----------------------------------------------------------------------===//

/// A row of the scratchpad (side x int8) or of the accumulator (side x int32),
/// with the flags that go with the access.
struct LocalAddress {
  static constexpr uint32_t kAccumulator = uint32_t(1) << 31;
  /// On a write to the accumulator: add instead of overwrite.
  static constexpr uint32_t kAccumulate = uint32_t(1) << 30;
  /// On a read of the accumulator by mvout: the int32 row as it is.
  static constexpr uint32_t kFullWidth = uint32_t(1) << 29;
  static constexpr uint32_t kNormMask = uint32_t(7) << 26;
  static constexpr uint32_t kRowMask = (uint32_t(1) << 26) - 1;
  /// "No operand": zeros for B and D, no write-back for C.
  static constexpr uint32_t kGarbage = 0xFFFFFFFF;

  uint32_t bits = 0;

  static constexpr LocalAddress scratchpad(uint32_t row) { return {row}; }
  static constexpr LocalAddress accumulator(uint32_t row,
                                            bool accumulate = false) {
    return {kAccumulator | (accumulate ? kAccumulate : 0) | row};
  }
  static constexpr LocalAddress fullWidth(uint32_t row) {
    return {kAccumulator | kFullWidth | row};
  }
  static constexpr LocalAddress garbage() { return {kGarbage}; }

  constexpr bool isGarbage() const { return bits == kGarbage; }
  constexpr bool isAccumulator() const { return bits & kAccumulator; }
  constexpr bool isAccumulating() const { return bits & kAccumulate; }
  constexpr bool isFullWidth() const { return bits & kFullWidth; }
  /// 0 except for the normalising write-outs.
  constexpr unsigned norm() const { return (bits & kNormMask) >> 26; }
  constexpr uint32_t row() const { return bits & kRowMask; }
  constexpr bool operator==(const LocalAddress &other) const {
    return bits == other.bits;
  }
  /// "sp[12]", "acc[3]", "acc[3]+" (accumulating), "acc[3]:i32" (full width),
  /// "garbage".
  std::string str() const;
};

/// A local block: `rows` rows from `address`, `cols` elements of each.
struct Operand {
  LocalAddress address = LocalAddress::garbage();
  uint16_t rows = 0;
  uint16_t cols = 0;

  bool operator==(const Operand &other) const {
    return address == other.address && rows == other.rows && cols == other.cols;
  }
};

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

struct ConfigEx {
  Dataflow dataflow = Dataflow::WeightStationary;
  Activation activation = Activation::None;
  bool setOnlyStrides = false;
  bool transposeA = false;
  bool transposeB = false;
  uint16_t aStride = 1;
  float scale = 1.0f;
  uint32_t shift = 0;
  uint16_t cStride = 1;
};

struct ConfigLd {
  /// 0 mvin, 1 mvin2, 2 mvin3.
  uint8_t mvin = 0;
  bool shrink = false;
  uint8_t pixelRepeats = 1;
  uint16_t blockStride = 0;
  float scale = 1.0f;
  /// Bytes.
  uint64_t stride = 0;
};

struct ConfigSt {
  Activation activation = Activation::None;
  uint8_t poolStride = 0;
  uint8_t poolSize = 0;
  uint8_t padTop = 0;
  uint8_t padLeft = 0;
  uint8_t poolOutDim = 0;
  uint8_t poolRows = 0;
  uint8_t poolCols = 0;
  uint8_t rows = 0;
  uint8_t cols = 0;
  /// Bytes.
  uint32_t stride = 0;
  float scale = 1.0f;
};

struct ConfigReadout {
  int8_t zeroPoint = 0;
  int8_t low = -128;
  int8_t high = 127;
  bool perChannel = false;
  uint32_t first = 0;
};

struct MvinScales {
  uint64_t dramAddress = 0;
  uint32_t first = 0;
  uint32_t count = 0;
};

/// mvin, mvin2, mvin3 or mvout.
struct Move {
  Funct funct = Funct::Mvin;
  uint64_t dramAddress = 0;
  LocalAddress localAddress;
  uint16_t rows = 0;
  uint16_t cols = 0;
};

struct MvoutSpad {
  LocalAddress destination;
  uint32_t destinationStride = 1;
  LocalAddress source;
  uint16_t rows = 0;
  uint16_t cols = 0;
};

struct Preload {
  /// B (WS) or D (OS).
  Operand stationary;
  Operand c;
};

struct Compute {
  /// false: compute_preloaded, true: compute_accumulated.
  bool accumulated = false;
  Operand a;
  /// D (WS) or B (OS).
  Operand moving;
};

struct Flush {
  bool skip = false;
};

/// loop_ws_config_bounds: blocks of `side`, and elements that the last ones
/// lack.
struct LoopWsBounds {
  uint16_t i = 1, j = 1, k = 1;
  uint16_t padI = 0, padJ = 0, padK = 0;
};

/// loop_ws_config_addrs_AB, .._addrs_DC, .._strides_AB or .._strides_DC: what
/// A and B, or D and C, get. Addresses in bytes, strides in elements.
struct LoopWsPair {
  Funct funct = Funct::LoopWsConfigAddrsAB;
  uint64_t first = 0;
  uint64_t second = 0;
};

struct LoopWsRun {
  bool accumulate = false;
  bool fullC = false;
  bool lowD = false;
  /// Only the normalising ones matter here; ReLU is config_st's.
  Activation activation = Activation::None;
  /// 1 or 2; 0: the halves take turns.
  uint8_t aHalf = 0, bHalf = 0;
  bool transposeA = false, transposeB = false;
  bool resadd = false;
  /// Bits that only RTL knows.
  uint64_t extensions = 0;
};

/// Encoding. A value that does not fit its field is a programming error and
/// asserts; check `Field::fits` on anything that comes from outside.
Command encode(const ConfigEx &config);
Command encode(const ConfigLd &config);
Command encode(const ConfigSt &config);
Command encode(const ConfigReadout &config);
Command encode(const MvinScales &move);
Command encode(const Move &move);
Command encode(const MvoutSpad &move);
Command encode(const Preload &preload);
Command encode(const Compute &compute);
Command encode(const Flush &flush);
Command encode(const LoopWsBounds &bounds);
Command encode(const LoopWsPair &pair);
Command encode(const LoopWsRun &run);

/// Decoding. The caller has looked at `funct` (and kConfigKind); every bit
/// pattern then decodes, whether or not a machine would accept it.
ConfigEx decodeConfigEx(const Command &command);
ConfigLd decodeConfigLd(const Command &command);
ConfigSt decodeConfigSt(const Command &command);
ConfigReadout decodeConfigReadout(const Command &command);
MvinScales decodeMvinScales(const Command &command);
Move decodeMove(const Command &command);
MvoutSpad decodeMvoutSpad(const Command &command);
Preload decodePreload(const Command &command);
Compute decodeCompute(const Command &command);
Flush decodeFlush(const Command &command);
LoopWsBounds decodeLoopWsBounds(const Command &command);
LoopWsPair decodeLoopWsPair(const Command &command);
LoopWsRun decodeLoopWsRun(const Command &command);

ConfigKind configKind(const Command &command);

/// "mvin2", "config_st", ...; "funct_99" for a number that names no command.
std::string mnemonic(const Command &command);
/// The fields of the command, empty if it has no struct above.
llvm::ArrayRef<Field> fieldsOf(const Command &command);
/// One line: the mnemonic and every field as name=value, or the raw registers
/// of a command that fieldsOf does not know.
std::string disassemble(const Command &command);

} // namespace isa
} // namespace fadiff

#endif // FADIFF_ISA_GEMMINI_H
