//===- GemminiToLLVM.cpp - Instructions to RoCC or calls --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction is a function number and two registers. Registers are packed
// by CommandBuilder from the fields of ISA/Gemmini.h and nowhere else.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Conversion/GemminiToLLVM.h"
#include "fadiff/Conversion/Passes.h"
#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/ISA/Gemmini.h"
#include "fadiff/ISA/LoopConvWs.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Triple.h"

namespace fadiff {
#define GEN_PASS_DEF_CONVERTGEMMINITOLLVM
#include "fadiff/Conversion/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff::gemmini;
using fadiff::GemminiRuntime;
using fadiff::isa::Command;
using fadiff::isa::Field;
using fadiff::isa::Funct;
using fadiff::isa::LocalAddress;
namespace enc = fadiff::isa;

namespace {

//===----------------------------------------------------------------------===//
// Packing and emitting
//===----------------------------------------------------------------------===//

constexpr StringLiteral kExecuteName = "fadiff_gemmini_execute";
constexpr StringLiteral kFenceName = "fadiff_gemmini_fence";
constexpr StringLiteral kRegionName = "fadiff_gemmini_region";
constexpr StringLiteral kMemberName = "fadiff_gemmini_member";

std::optional<uint64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getZExtValue();
  return std::nullopt;
}

Value createI64(OpBuilder &builder, Location loc, uint64_t value) {
  return arith::ConstantOp::create(
      builder, loc, builder.getI64IntegerAttr(static_cast<int64_t>(value)));
}

/// `index` and narrower integers as i64, zero extended.
Value castToI64(OpBuilder &builder, Location loc, Value value) {
  Type i64 = builder.getI64Type();
  if (value.getType() == i64)
    return value;
  if (value.getType().isIndex())
    return arith::IndexCastUIOp::create(builder, loc, i64, value);
  return arith::ExtUIOp::create(builder, loc, i64, value);
}

/// `value` moved up to bit `lo` and added to `word`, which may be null. Fields
/// do not overlap, and of a sum LLVM knows that it grows with an address in it.
Value addField(OpBuilder &builder, Location loc, Value word, Value value,
               unsigned lo) {
  value = castToI64(builder, loc, value);
  if (lo != 0)
    value =
        arith::ShLIOp::create(builder, loc, value, createI64(builder, loc, lo));
  return word ? arith::AddIOp::create(builder, loc, word, value) : value;
}

/// `word` with constant bits added; a constant if there is no word.
Value addConstant(OpBuilder &builder, Location loc, Value word, uint64_t bits) {
  if (!word)
    return createI64(builder, loc, bits);
  if (bits == 0)
    return word;
  return arith::AddIOp::create(builder, loc, word,
                               createI64(builder, loc, bits));
}

/// Builds the registers of one command field by field. Constant fields are
/// collected at compile time, the others are shifted into place by code.
class CommandBuilder {
public:
  CommandBuilder(OpBuilder &builder, Location loc, Funct funct)
      : builder(builder), loc(loc) {
    fixed.funct = static_cast<uint32_t>(funct);
  }
  CommandBuilder(OpBuilder &builder, Location loc, const Command &command)
      : builder(builder), loc(loc), fixed(command) {}

  void set(const Field &field, uint64_t value) { field.set(fixed, value); }

  void set(const Field &field, Value value) {
    if (std::optional<uint64_t> constant = getConstant(value))
      return set(field, *constant);
    Value &word = field.source == enc::Source::Rs1 ? rs1 : rs2;
    word = addField(builder, loc, word, value, field.lo);
  }

  LogicalResult emit(Operation *op, GemminiRuntime runtime) {
    Value rs1Value = addConstant(builder, loc, rs1, fixed.rs1);
    Value rs2Value = addConstant(builder, loc, rs2, fixed.rs2);
    if (runtime == GemminiRuntime::Rocc) {
      if (!enc::isGemminis(static_cast<Funct>(fixed.funct)))
        return op->emitOpError(
            "is an instruction that no Gemmini has, for a read-out that only "
            "the simulator knows; choose a target without 'readout'");
      LLVM::InlineAsmOp::create(
          builder, loc, /*resultTypes=*/TypeRange(),
          ValueRange{rs1Value, rs2Value},
          llvm::formatv(".insn r CUSTOM_3, {0:x}, {1}, x0, $0, $1",
                        enc::kFunct3, fixed.funct)
              .str(),
          "r,r,~{memory}", /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          /*asm_dialect=*/nullptr, /*operand_attrs=*/nullptr);
      return success();
    }
    Value funct = arith::ConstantOp::create(
        builder, loc,
        builder.getI32IntegerAttr(static_cast<int32_t>(fixed.funct)));
    return emitCall(builder, op, kExecuteName, {funct, rs1Value, rs2Value});
  }

  /// Calls a function of the simulator's runtime, declaring it if need be.
  static LogicalResult emitCall(OpBuilder &builder, Operation *op,
                                StringRef name, ValueRange arguments) {
    auto module = op->getParentOfType<ModuleOp>();
    if (!module)
      return op->emitOpError("must be in a module to call ") << name;
    Operation *existing = SymbolTable::lookupSymbolIn(module, name);
    if (existing && !isa<LLVM::LLVMFuncOp>(existing)) {
      InFlightDiagnostic diag = op->emitOpError()
                                << "calls the runtime's llvm.func @" << name
                                << ", found another symbol of that name";
      diag.attachNote(existing->getLoc()) << "rename this, or drop it";
      return diag;
    }
    FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
        builder, module, name, llvm::to_vector(arguments.getTypes()),
        LLVM::LLVMVoidType::get(builder.getContext()));
    if (failed(function))
      return failure();
    LLVM::CallOp::create(builder, op->getLoc(), *function, arguments);
    return success();
  }

private:
  OpBuilder &builder;
  Location loc;
  Command fixed;
  Value rs1, rs2;
};

//===----------------------------------------------------------------------===//
// Local addresses
//===----------------------------------------------------------------------===//

struct SpadAddrLowering : OpConversionPattern<SpadAddrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SpadAddrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (std::optional<uint64_t> row = getConstant(adaptor.getRow()))
      rewriter.replaceOp(op, createI64(rewriter, op.getLoc(), *row));
    else
      rewriter.replaceOp(op,
                         castToI64(rewriter, op.getLoc(), adaptor.getRow()));
    return success();
  }
};

struct AccAddrLowering : OpConversionPattern<AccAddrOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AccAddrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    uint64_t bits = LocalAddress::kAccumulator;
    if (op.getAccumulate())
      bits |= LocalAddress::kAccumulate;
    if (op.getFullWidth())
      bits |= LocalAddress::kFullWidth;

    Value word;
    if (std::optional<uint64_t> row = getConstant(adaptor.getRow()))
      bits |= *row;
    else
      word = castToI64(rewriter, op.getLoc(), adaptor.getRow());
    if (Value flag = adaptor.getAccumulateIf()) {
      if (std::optional<uint64_t> constant = getConstant(flag))
        bits |= *constant ? LocalAddress::kAccumulate : 0;
      else
        word = addField(rewriter, op.getLoc(), word, flag,
                        llvm::countr_zero(LocalAddress::kAccumulate));
    }
    rewriter.replaceOp(op, addConstant(rewriter, op.getLoc(), word, bits));
    return success();
  }
};

struct GarbageLowering : OpConversionPattern<GarbageOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GarbageOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, createI64(rewriter, op.getLoc(), LocalAddress::kGarbage));
    return success();
  }
};

/// Ping-pong buffers are chosen by a select between addresses.
struct AddrSelectLowering : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<AddrType>(op.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCondition(),
                                                 adaptor.getTrueValue(),
                                                 adaptor.getFalseValue());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

template <typename OpTy>
struct InstructionLowering : OpConversionPattern<OpTy> {
  InstructionLowering(const TypeConverter &converter, MLIRContext *context,
                      std::optional<GemminiRuntime> runtime)
      : OpConversionPattern<OpTy>(converter, context), runtime(runtime) {}

  GemminiRuntime runtimeFor(Operation *op) const {
    if (runtime)
      return *runtime;
    auto module = op->getParentOfType<ModuleOp>();
    auto triple = module ? module->getAttrOfType<StringAttr>(
                               LLVM::LLVMDialect::getTargetTripleAttrName())
                         : StringAttr();
    return triple && llvm::Triple(triple.getValue()).isRISCV()
               ? GemminiRuntime::Rocc
               : GemminiRuntime::Simulator;
  }

  std::optional<GemminiRuntime> runtime;
};

/// An instruction that is nothing but operands and attributes: `fill` packs
/// them.
template <typename OpTy> struct CommandLowering : InstructionLowering<OpTy> {
  using InstructionLowering<OpTy>::InstructionLowering;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    CommandBuilder command = start(op, adaptor, rewriter);
    if (failed(command.emit(op, this->runtimeFor(op))))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  CommandBuilder start(OpTy op, typename OpTy::Adaptor adaptor,
                       OpBuilder &builder) const;
};

template <>
CommandBuilder CommandLowering<ConfigExOp>::start(ConfigExOp op, OpAdaptor,
                                                  OpBuilder &builder) const {
  enc::ConfigEx config;
  config.dataflow = static_cast<enc::Dataflow>(op.getDataflow());
  config.activation = static_cast<enc::Activation>(op.getActivation());
  config.transposeA = op.getTransposeA();
  config.transposeB = op.getTransposeB();
  config.aStride = op.getAStride();
  config.cStride = op.getCStride();
  config.scale = op.getScale().convertToFloat();
  config.shift = op.getShift();
  return CommandBuilder(builder, op.getLoc(), enc::encode(config));
}

template <>
CommandBuilder CommandLowering<ConfigLdOp>::start(ConfigLdOp op, OpAdaptor,
                                                  OpBuilder &builder) const {
  enc::ConfigLd config;
  config.mvin = op.getId();
  config.shrink = op.getShrink();
  config.pixelRepeats = op.getPixelRepeats();
  config.blockStride = op.getBlockStride();
  config.scale = op.getScale().convertToFloat();
  config.stride = op.getStride();
  return CommandBuilder(builder, op.getLoc(), enc::encode(config));
}

template <>
CommandBuilder CommandLowering<ConfigStOp>::start(ConfigStOp op, OpAdaptor,
                                                  OpBuilder &builder) const {
  enc::ConfigSt config;
  config.activation = static_cast<enc::Activation>(op.getActivation());
  config.stride = op.getStride();
  config.scale = op.getScale().convertToFloat();
  if (std::optional<PoolAttr> pool = op.getPool()) {
    config.poolStride = pool->getStride();
    config.poolSize = pool->getSize();
    config.padTop = pool->getPadTop();
    config.padLeft = pool->getPadLeft();
    config.poolOutDim = pool->getOutDim();
    config.poolRows = pool->getOutRows();
    config.poolCols = pool->getOutCols();
    config.rows = pool->getRows();
    config.cols = pool->getCols();
  }
  return CommandBuilder(builder, op.getLoc(), enc::encode(config));
}

template <>
CommandBuilder
CommandLowering<ConfigReadoutOp>::start(ConfigReadoutOp op, OpAdaptor adaptor,
                                        OpBuilder &builder) const {
  enc::ConfigReadout config;
  config.zeroPoint = static_cast<int8_t>(op.getZeroPoint());
  config.low = static_cast<int8_t>(op.getLow());
  config.high = static_cast<int8_t>(op.getHigh());
  config.perChannel = static_cast<bool>(op.getFirst());
  CommandBuilder command(builder, op.getLoc(), enc::encode(config));
  if (adaptor.getFirst())
    command.set(enc::config_readout::kFirst, adaptor.getFirst());
  return command;
}

template <>
CommandBuilder CommandLowering<MvinScalesOp>::start(MvinScalesOp op,
                                                    OpAdaptor adaptor,
                                                    OpBuilder &builder) const {
  CommandBuilder command(builder, op.getLoc(), Funct::MvinScales);
  command.set(enc::mvin_scales::kDramAddress, adaptor.getDram());
  command.set(enc::mvin_scales::kFirst, op.getFirst());
  command.set(enc::mvin_scales::kCount, op.getCount());
  return command;
}

template <typename Adaptor>
CommandBuilder startMove(Location loc, Funct funct, Adaptor adaptor,
                         OpBuilder &builder) {
  CommandBuilder command(builder, loc, funct);
  // Address 0 is the zero fill.
  if (adaptor.getDram())
    command.set(enc::move::kDramAddress, adaptor.getDram());
  command.set(enc::move::kLocalAddress, adaptor.getAddr());
  command.set(enc::move::kCols, adaptor.getCols());
  command.set(enc::move::kRows, adaptor.getRows());
  return command;
}

template <>
CommandBuilder CommandLowering<MvinOp>::start(MvinOp op, OpAdaptor adaptor,
                                              OpBuilder &builder) const {
  return startMove(op.getLoc(), Funct::Mvin, adaptor, builder);
}

template <>
CommandBuilder CommandLowering<Mvin2Op>::start(Mvin2Op op, OpAdaptor adaptor,
                                               OpBuilder &builder) const {
  return startMove(op.getLoc(), Funct::Mvin2, adaptor, builder);
}

template <>
CommandBuilder CommandLowering<Mvin3Op>::start(Mvin3Op op, OpAdaptor adaptor,
                                               OpBuilder &builder) const {
  return startMove(op.getLoc(), Funct::Mvin3, adaptor, builder);
}

template <>
CommandBuilder CommandLowering<MvoutOp>::start(MvoutOp op, OpAdaptor adaptor,
                                               OpBuilder &builder) const {
  return startMove(op.getLoc(), Funct::Mvout, adaptor, builder);
}

template <>
CommandBuilder CommandLowering<MvoutSpadOp>::start(MvoutSpadOp op,
                                                   OpAdaptor adaptor,
                                                   OpBuilder &builder) const {
  CommandBuilder command(builder, op.getLoc(), Funct::MvoutSpad);
  command.set(enc::mvout_spad::kDestination, adaptor.getDst());
  command.set(enc::mvout_spad::kDestinationStride, op.getDstStride());
  command.set(enc::mvout_spad::kLocalAddress, adaptor.getAddr());
  command.set(enc::mvout_spad::kCols, adaptor.getCols());
  command.set(enc::mvout_spad::kRows, adaptor.getRows());
  return command;
}

template <>
CommandBuilder CommandLowering<PreloadOp>::start(PreloadOp op,
                                                 OpAdaptor adaptor,
                                                 OpBuilder &builder) const {
  CommandBuilder command(builder, op.getLoc(), Funct::Preload);
  command.set(enc::preload::kAddress, adaptor.getB());
  command.set(enc::preload::kCols, adaptor.getBCols());
  command.set(enc::preload::kRows, adaptor.getBRows());
  command.set(enc::preload::kCAddress, adaptor.getC());
  command.set(enc::preload::kCCols, adaptor.getCCols());
  command.set(enc::preload::kCRows, adaptor.getCRows());
  return command;
}

template <typename Adaptor>
CommandBuilder startCompute(Location loc, Funct funct, Adaptor adaptor,
                            OpBuilder &builder) {
  CommandBuilder command(builder, loc, funct);
  command.set(enc::compute::kAAddress, adaptor.getA());
  command.set(enc::compute::kACols, adaptor.getACols());
  command.set(enc::compute::kARows, adaptor.getARows());
  command.set(enc::compute::kAddress, adaptor.getD());
  command.set(enc::compute::kCols, adaptor.getDCols());
  command.set(enc::compute::kRows, adaptor.getDRows());
  return command;
}

template <>
CommandBuilder CommandLowering<ComputePreloadedOp>::start(
    ComputePreloadedOp op, OpAdaptor adaptor, OpBuilder &builder) const {
  return startCompute(op.getLoc(), Funct::ComputePreloaded, adaptor, builder);
}

template <>
CommandBuilder CommandLowering<ComputeAccumulatedOp>::start(
    ComputeAccumulatedOp op, OpAdaptor adaptor, OpBuilder &builder) const {
  return startCompute(op.getLoc(), Funct::ComputeAccumulated, adaptor, builder);
}

template <>
CommandBuilder CommandLowering<FlushOp>::start(FlushOp op, OpAdaptor,
                                               OpBuilder &builder) const {
  CommandBuilder command(builder, op.getLoc(), Funct::Flush);
  command.set(enc::flush::kSkip, op.getSkip() ? 1 : 0);
  return command;
}

/// Six instructions: the loop unit forgets what it was told after each loop.
struct LoopWsLowering : InstructionLowering<LoopWsOp> {
  using InstructionLowering::InstructionLowering;

  LogicalResult
  matchAndRewrite(LoopWsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    using namespace enc::loop_ws;
    const GemminiRuntime runtime = runtimeFor(op);
    auto start = [&](Funct funct) {
      return CommandBuilder(rewriter, op.getLoc(), funct);
    };
    auto emitPair = [&](Funct funct, const Field &first, auto x,
                        const Field &second, auto y) {
      CommandBuilder command = start(funct);
      command.set(first, x);
      command.set(second, y);
      return command.emit(op, runtime);
    };
    CommandBuilder bounds = start(Funct::LoopWsConfigBounds);
    bounds.set(kI, adaptor.getI());
    bounds.set(kJ, adaptor.getJ());
    bounds.set(kK, adaptor.getK());
    bounds.set(kPadI, adaptor.getPadI());
    bounds.set(kPadJ, adaptor.getPadJ());
    bounds.set(kPadK, adaptor.getPadK());
    CommandBuilder run = start(Funct::LoopWs);
    run.set(kAccumulate, adaptor.getAccumulate());
    run.set(kFullC, uint64_t(op.getFullC()));
    run.set(kLowD, uint64_t(op.getLowD()));
    run.set(kAHalf, adaptor.getAHalf());
    run.set(kBHalf, adaptor.getBHalf());
    if (failed(bounds.emit(op, runtime)) ||
        failed(emitPair(Funct::LoopWsConfigAddrsAB, kA, adaptor.getA(), kB,
                        adaptor.getB())) ||
        failed(emitPair(Funct::LoopWsConfigAddrsDC, kD, adaptor.getD(), kC,
                        adaptor.getC())) ||
        failed(emitPair(Funct::LoopWsConfigStridesAB, kAStride, op.getAStride(),
                        kBStride, op.getBStride())) ||
        failed(emitPair(Funct::LoopWsConfigStridesDC, kDStride, op.getDStride(),
                        kCStride, op.getCStride())) ||
        failed(run.emit(op, runtime)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Seven instructions, for the same reason.
struct LoopConvWsLowering : InstructionLowering<LoopConvWsOp> {
  using InstructionLowering::InstructionLowering;

  LogicalResult
  matchAndRewrite(LoopConvWsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    using fadiff::isa::LoopConvWs;
    const GemminiRuntime runtime = runtimeFor(op);
    // What is known: all but the values below.
    LoopConvWs known;
    ArrayRef<int64_t> in = op.getInDims(), out = op.getOutDims(),
                      strides = op.getStrides();
    known.batchSize = in[0];
    known.inRowDim = in[1];
    known.inColDim = in[2];
    known.inChannels = in[3];
    known.outRowDim = known.poolOutRowDim = out[0];
    known.outColDim = known.poolOutColDim = out[1];
    known.outChannels = out[2];
    known.inStride = strides[0];
    known.weightStride = strides[1];
    known.outStride = strides[2];
    known.kernelDim = op.getKernelDim();
    known.stride = op.getStride();
    known.dilation = op.getDilation();
    known.pixelsPerRow = op.getPixelsPerRow();
    known.noBias = op.getNoBias();
    known.depthwise = op.getDepthwise();
    known.downsample = op.getDownsample();
    known.activation = uint64_t(op.getActivation());
    if (std::optional<ArrayRef<int64_t>> pool = op.getPool()) {
      known.noPool = 0;
      known.poolSize = (*pool)[0];
      known.poolStride = (*pool)[1];
      known.poolPadUp = (*pool)[2];
      known.poolPadLeft = (*pool)[3];
      known.poolRows = (*pool)[4];
      known.poolCols = (*pool)[5];
      known.poolOutRowDim = (*pool)[6];
      known.poolOutColDim = (*pool)[7];
    }
    using L = LoopConvWs;
    const std::pair<uint64_t L::*, Value> values[] = {
        {&L::batches, adaptor.getBatches()},
        {&L::orows, adaptor.getOrows()},
        {&L::ocols, adaptor.getOcols()},
        {&L::ochs, adaptor.getOchs()},
        {&L::krows, adaptor.getKrows()},
        {&L::kcols, adaptor.getKcols()},
        {&L::kchs, adaptor.getKchs()},
        {&L::padUp, adaptor.getPadUp()},
        {&L::padDown, adaptor.getPadDown()},
        {&L::padLeft, adaptor.getPadLeft()},
        {&L::padRight, adaptor.getPadRight()},
        {&L::input, adaptor.getInput()},
        {&L::inputHalf, adaptor.getInputHalf()},
        {&L::weights, adaptor.getWeights()},
        {&L::weightHalf, adaptor.getWeightHalf()},
        {&L::bias, adaptor.getBias()},
        {&L::output, adaptor.getOutput()}};
    for (const fadiff::isa::Command &command : known.commands()) {
      CommandBuilder builder(rewriter, op.getLoc(), Funct(command.funct));
      for (const L::Binding &binding : L::bindings()) {
        if (binding.funct != Funct(command.funct))
          continue;
        const auto *value = llvm::find_if(values, [&](const auto &entry) {
          return entry.first == binding.member;
        });
        if (value != std::end(values))
          builder.set(binding.field, value->second);
        else
          builder.set(binding.field, known.*binding.member);
      }
      if (failed(builder.emit(op, runtime)))
        return failure();
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct FenceLowering : InstructionLowering<FenceOp> {
  using InstructionLowering::InstructionLowering;

  LogicalResult
  matchAndRewrite(FenceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (runtimeFor(op) == GemminiRuntime::Rocc)
      LLVM::InlineAsmOp::create(
          rewriter, op.getLoc(), /*resultTypes=*/TypeRange(), ValueRange(),
          "fence", "~{memory}", /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          /*asm_dialect=*/nullptr, /*operand_attrs=*/nullptr);
    else if (failed(CommandBuilder::emitCall(rewriter, op, kFenceName, {})))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// A mark for the simulator, which other targets drop.
template <typename MarkOp> struct MarkLowering : InstructionLowering<MarkOp> {
  using InstructionLowering<MarkOp>::InstructionLowering;

  LogicalResult
  matchAndRewrite(MarkOp op, typename MarkOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (this->runtimeFor(op) == GemminiRuntime::Simulator) {
      constexpr bool isRegion = std::is_same_v<MarkOp, RegionOp>;
      int64_t number;
      if constexpr (isRegion)
        number = op.getId();
      else
        number = op.getIndex();
      Value id = createI64(rewriter, op.getLoc(), number);
      if (failed(CommandBuilder::emitCall(
              rewriter, op, isRegion ? kRegionName : kMemberName, id)))
        return failure();
    }
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pass and interface
//===----------------------------------------------------------------------===//

struct ConvertGemminiToLLVM
    : fadiff::impl::ConvertGemminiToLLVMBase<ConvertGemminiToLLVM> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyInstructionOrder(getOperation())))
      return signalPassFailure();

    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    RewritePatternSet patterns(context);
    fadiff::populateGemminiToLLVMPatterns(converter, patterns, runtime);
    patterns.add<AddrSelectLowering>(converter, context);

    // Addresses may be carried by loops, branches and functions.
    ConversionTarget target(*context);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    cf::populateCFStructuralTypeConversions(converter, patterns);
    scf::populateSCFStructuralTypeConversions(converter, patterns);
    target.addIllegalDialect<GemminiDialect>();
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        return llvm::all_of(
                   function.getArgumentTypes(),
                   [&](Type type) { return converter.isLegal(type); }) &&
               llvm::all_of(function.getResultTypes(),
                            [&](Type type) { return converter.isLegal(type); });
      return converter.isLegal(op) &&
             llvm::all_of(op->getRegions(), [&](Region &region) {
               return converter.isLegal(&region);
             });
    });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

struct GemminiToLLVMInterface : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void loadDependentDialects(MLIRContext *context) const final {
    context->loadDialect<arith::ArithDialect, LLVM::LLVMDialect>();
  }

  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &converter,
      RewritePatternSet &patterns) const final {
    fadiff::populateGemminiToLLVMPatterns(converter, patterns,
                                          /*runtime=*/std::nullopt);
    target.addIllegalDialect<GemminiDialect>();
  }
};

} // namespace

void fadiff::populateGemminiToLLVMPatterns(
    TypeConverter &converter, RewritePatternSet &patterns,
    std::optional<GemminiRuntime> runtime) {
  converter.addConversion([](AddrType type) -> Type {
    return IntegerType::get(type.getContext(), 64);
  });
  MLIRContext *context = patterns.getContext();
  patterns.add<SpadAddrLowering, AccAddrLowering, GarbageLowering>(converter,
                                                                   context);
  patterns.add<CommandLowering<ConfigExOp>, CommandLowering<ConfigLdOp>,
               CommandLowering<ConfigStOp>, CommandLowering<ConfigReadoutOp>,
               CommandLowering<MvinScalesOp>, CommandLowering<MvinOp>,
               CommandLowering<Mvin2Op>, CommandLowering<Mvin3Op>,
               CommandLowering<MvoutOp>, CommandLowering<MvoutSpadOp>,
               CommandLowering<PreloadOp>, CommandLowering<ComputePreloadedOp>,
               CommandLowering<ComputeAccumulatedOp>, CommandLowering<FlushOp>,
               LoopWsLowering, LoopConvWsLowering, FenceLowering,
               MarkLowering<RegionOp>, MarkLowering<MemberOp>>(
      converter, context, runtime);
}

void fadiff::registerConvertGemminiToLLVMInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, GemminiDialect *dialect) {
    dialect->addInterfaces<GemminiToLLVMInterface>();
  });
}
