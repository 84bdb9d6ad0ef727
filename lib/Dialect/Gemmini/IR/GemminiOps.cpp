//===- GemminiOps.cpp - Verifiers and syntax --------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifiers look at one operation and at constant operands; rules between
// operations are in InstructionOrder.cpp.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/ISA/Gemmini.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace fadiff::gemmini;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Nothing, `accumulate`, or `accumulate(%flag)`.
static ParseResult
parseAccumulate(OpAsmParser &parser,
                std::optional<OpAsmParser::UnresolvedOperand> &flag,
                UnitAttr &accumulate) {
  if (failed(parser.parseOptionalKeyword("accumulate")))
    return success();
  if (failed(parser.parseOptionalLParen())) {
    accumulate = UnitAttr::get(parser.getContext());
    return success();
  }
  flag.emplace();
  return failure(failed(parser.parseOperand(*flag)) ||
                 failed(parser.parseRParen()));
}

static void printAccumulate(OpAsmPrinter &printer, Operation *, Value flag,
                            UnitAttr accumulate) {
  if (accumulate)
    printer << " accumulate";
  if (flag)
    printer << " accumulate(" << flag << ")";
}

#define GET_OP_CLASSES
#include "fadiff/Dialect/Gemmini/IR/GemminiOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Building blocks of the verifiers
//===----------------------------------------------------------------------===//

namespace {

using Target = std::optional<fadiff::Accelerator>;

LogicalResult verifyRange(Operation *op, const Twine &what, int64_t value,
                          int64_t least, int64_t most, const Twine &reason) {
  if (value >= least && value <= most)
    return success();
  return op->emitOpError() << what << " must be " << least << " to " << most
                           << " (" << reason << "), found " << value;
}

/// An attribute that goes into an unsigned field.
LogicalResult verifyField(Operation *op, StringRef what, int64_t value,
                          int64_t least, const fadiff::isa::Field &field) {
  int64_t most = field.width >= 63 ? std::numeric_limits<int64_t>::max()
                                   : static_cast<int64_t>(field.max());
  return verifyRange(op, what, value, least, most,
                     "a field of " + Twine(field.width) + " bits");
}

LogicalResult verifyScale(Operation *op, const APFloat &scale) {
  if (scale.isFinite() && !scale.isZero())
    return success();
  SmallString<16> text;
  scale.toString(text);
  return op->emitOpError() << "scale must be finite and not zero, found "
                           << text;
}

/// A number of rows or columns: at most `most` on the target, if one is known.
LogicalResult verifyExtent(Operation *op, const Twine &what, Value extent,
                           int64_t least, const Target &target, int64_t most,
                           StringRef limit) {
  std::optional<int64_t> value = getConstant(extent);
  if (!value)
    return success();
  if (target)
    return verifyRange(op, what, *value, least, most,
                       Twine(limit) + " of '" + target->name + "'");
  return verifyField(op, (what).str(), *value, least, fadiff::isa::move::kRows);
}

bool isFullWidth(Value addr) {
  auto acc = addr.getDefiningOp<AccAddrOp>();
  return acc && acc.getFullWidth();
}

bool isAcc(Value addr) { return cast<AddrType>(addr.getType()).isAcc(); }

LogicalResult verifyRow(Operation *op, Value row, bool acc) {
  std::optional<int64_t> value = getConstant(row);
  if (!value)
    return success();
  if (Target target = fadiff::lookupMachine(op)) {
    int64_t rows = acc ? target->accumulatorRows() : target->scratchpadRows();
    return verifyRange(op, "row", *value, 0, rows - 1,
                       Twine("the ") + (acc ? "accumulator" : "scratchpad") +
                           " of '" + target->name + "'");
  }
  return verifyRange(op, "row", *value, 0, fadiff::isa::LocalAddress::kRowMask,
                     "the row bits of a local address");
}

/// The last of `rows` rows from `addr` must lie in its memory. `extra` are rows
/// that further blocks add.
LogicalResult verifyLocalRows(Operation *op, StringRef what, Value addr,
                              std::optional<int64_t> rows, int64_t extra,
                              const Target &target) {
  std::optional<int64_t> row = getRow(addr);
  if (!target || !row || !rows)
    return success();
  int64_t size =
      isAcc(addr) ? target->accumulatorRows() : target->scratchpadRows();
  if (*row + *rows + extra <= size)
    return success();
  return op->emitOpError() << what << " must end within the " << size
                           << " rows of the "
                           << (isAcc(addr) ? "accumulator" : "scratchpad")
                           << " of '" << target->name << "', found row " << *row
                           << " + " << *rows + extra << " rows";
}

/// Local rows that the blocks after the first add, `side` rows apart.
int64_t extraBlockRows(Value cols, const Target &target) {
  std::optional<int64_t> value = getConstant(cols);
  if (!target || !value || *value <= target->side)
    return 0;
  return (*value - 1) / target->side * target->side;
}

} // namespace

//===----------------------------------------------------------------------===//
// Local addresses
//===----------------------------------------------------------------------===//

LogicalResult SpadAddrOp::verify() {
  return verifyRow(*this, getRow(), /*acc=*/false);
}

LogicalResult AccAddrOp::verify() {
  if (getAccumulate() && getAccumulateIf())
    return emitOpError("wants either a static or a dynamic accumulate, found "
                       "both; drop the attribute");
  return verifyRow(*this, getRow(), /*acc=*/true);
}

/// A flag known at compile time becomes the attribute.
LogicalResult AccAddrOp::canonicalize(AccAddrOp op, PatternRewriter &rewriter) {
  APInt flag;
  if (!op.getAccumulateIf() ||
      !matchPattern(op.getAccumulateIf(), m_ConstantInt(&flag)))
    return failure();
  rewriter.replaceOpWithNewOp<AccAddrOp>(op, op.getRow(), flag.isOne(),
                                         op.getFullWidth());
  return success();
}

//===----------------------------------------------------------------------===//
// Configuration
//===----------------------------------------------------------------------===//

LogicalResult ConfigExOp::verify() {
  bool isOs = getDataflow() == Dataflow::OutputStationary;
  if (isOs ? getTransposeB() && !getTransposeA()
           : getTransposeB() && getTransposeA())
    return emitOpError() << "dataflow "
                         << (isOs ? "os can transpose neither, A, or both"
                                  : "ws can transpose neither, A, or B")
                         << ", found " << (isOs ? "B alone" : "both");
  if (!isOs && getShift() != 0)
    return emitOpError() << "shift must be 0 with dataflow ws, which does not "
                            "shift, found "
                         << getShift();
  if (failed(verifyRange(*this, "shift", getShift(), 0, 31,
                         "results have 32 bits")) ||
      failed(verifyField(*this, "a_stride", getAStride(), 0,
                         fadiff::isa::config_ex::kAStride)) ||
      failed(verifyField(*this, "c_stride", getCStride(), 1,
                         fadiff::isa::config_ex::kCStride)))
    return failure();
  return verifyScale(*this, getScale());
}

LogicalResult ConfigLdOp::verify() {
  if (failed(verifyRange(*this, "id", getId(), 0, 2, "mvin, mvin2 or mvin3")) ||
      failed(verifyField(*this, "stride", getStride(), 0,
                         fadiff::isa::config_ld::kStride)) ||
      failed(verifyField(*this, "block_stride", getBlockStride(), 1,
                         fadiff::isa::config_ld::kBlockStride)) ||
      failed(verifyField(*this, "pixel_repeats", getPixelRepeats(), 0,
                         fadiff::isa::config_ld::kPixelRepeats)) ||
      failed(verifyScale(*this, getScale())))
    return failure();
  Target target = fadiff::lookupMachine(*this);
  if (target && target->loadScale == fadiff::LoadScale::None &&
      !getScale().isExactlyValue(1))
    return emitOpError() << "scale must be 1, as "
                         << describeField(*target, "load_scale") << ", found "
                         << getScale().convertToFloat();
  return success();
}

LogicalResult ConfigStOp::verify() {
  if (failed(verifyField(*this, "stride", getStride(), 0,
                         fadiff::isa::config_st::kStride)) ||
      failed(verifyScale(*this, getScale())))
    return failure();
  // The RTL applies the activation before the scale, the ISA simulator after.
  if (getActivation() == Activation::Relu && getScale().isNegative())
    return emitOpError() << "scale must be positive with activation relu, "
                            "found "
                         << getScale().convertToFloat();
  PoolAttr pool = getPoolAttr();
  Target target = fadiff::lookupMachine(*this);
  if (!pool || !target)
    return success();
  const std::tuple<StringRef, int64_t, int64_t, const char *> limits[] = {
      {"size", pool.getSize(), target->pool.window, "pool_window"},
      {"stride", pool.getStride(), target->pool.stride, "pool_stride"},
      {"rows", pool.getRows(), target->pool.extent, "pool_extent"},
      {"cols", pool.getCols(), target->pool.extent, "pool_extent"}};
  for (auto [name, found, most, capability] : limits)
    if (found > most)
      return emitOpError() << "pool " << name << " must be at most " << most
                           << ", as " << describeField(*target, capability)
                           << ", found " << found;
  return success();
}

LogicalResult ConfigReadoutOp::verify() {
  const int64_t zeroPoint = static_cast<int64_t>(getZeroPoint()),
                low = static_cast<int64_t>(getLow()),
                high = static_cast<int64_t>(getHigh());
  if (failed(verifyRange(*this, "zero_point", zeroPoint, -128, 127, "int8")) ||
      failed(verifyRange(*this, "low", low, -128, 127, "int8")) ||
      failed(verifyRange(*this, "high", high, low, 127, "int8, from low on")))
    return failure();
  Target target = fadiff::lookupMachine(*this);
  if (!target)
    return success();
  const fadiff::ReadOutFeatures wanted = {static_cast<bool>(getFirst()),
                                          zeroPoint != 0,
                                          low != -128 || high != 127};
  if (!target->readOut.any() || !target->readOut.includes(wanted))
    return emitOpError() << "needs a machine whose read-out has "
                         << (wanted.any()
                                 ? llvm::join(fadiff::namesOf(wanted), ", ")
                                 : "more than one scale")
                         << ", found '" << target->name
                         << "' without; choose another target";
  return success();
}

LogicalResult MvinScalesOp::verify() {
  if (getConstant(getDram()) == 0)
    return emitOpError("DRAM address must not be 0, found constant 0");
  Target target = fadiff::lookupMachine(*this);
  if (target && !target->readOut.perChannel)
    return emitOpError() << "needs a machine whose read-out has per_channel, "
                            "found '"
                         << target->name << "' without; choose another target";
  const int64_t most = target ? target->readOut.scales : fadiff::kMaxFieldValue;
  const Twine limit = "the scales that the store unit holds";
  if (failed(verifyRange(*this, "first", getFirst(), 0, most - 1, limit)))
    return failure();
  return verifyRange(*this, "count", getCount(), 1,
                     most - static_cast<int64_t>(getFirst()), limit);
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

template <typename MvinLike> static LogicalResult verifyMvin(MvinLike op) {
  Target target = fadiff::lookupMachine(op);
  if (isGarbage(op.getAddr()))
    return op.emitOpError("destination must name rows, found gemmini.garbage");
  if (op.getDram() && getConstant(op.getDram()) == 0)
    return op.emitOpError("DRAM address must not be 0, which clears the rows; "
                          "write 'zero' if that is meant, found constant 0");
  if (failed(verifyExtent(op, "rows", op.getRows(), 1, target,
                          target ? target->side : 0, "the array side")) ||
      failed(verifyExtent(op, "cols", op.getCols(), 1, target,
                          target ? target->maxMoveColumns() : 0,
                          "the widest load")))
    return failure();
  // Further blocks lie as far apart as the configuration says.
  return verifyLocalRows(op, "destination", op.getAddr(),
                         getConstant(op.getRows()), /*extra=*/0, target);
}

LogicalResult MvinOp::verify() { return verifyMvin(*this); }
LogicalResult Mvin2Op::verify() { return verifyMvin(*this); }
LogicalResult Mvin3Op::verify() { return verifyMvin(*this); }

std::optional<unsigned> fadiff::gemmini::getLoadUnit(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<unsigned>>(op)
      .Case<MvinOp>([](auto) { return 0; })
      .Case<Mvin2Op>([](auto) { return 1; })
      .Case<Mvin3Op>([](auto) { return 2; })
      .Default([](auto) { return std::nullopt; });
}

LogicalResult MvoutOp::verify() {
  Target target = fadiff::lookupMachine(*this);
  if (isGarbage(getAddr()))
    return emitOpError("source must name rows, found gemmini.garbage");
  if (getConstant(getDram()) == 0)
    return emitOpError("DRAM address must not be 0, found constant 0");
  bool full = isFullWidth(getAddr());
  int64_t most = target ? (full ? target->side : target->maxMoveColumns()) : 0;
  if (failed(verifyExtent(*this, "rows", getRows(), 1, target,
                          target ? target->side : 0, "the array side")) ||
      failed(verifyExtent(*this, "cols", getCols(), 1, target, most,
                          full ? "one full-width block" : "the widest store")))
    return failure();
  return verifyLocalRows(*this, "source", getAddr(), getConstant(getRows()),
                         extraBlockRows(getCols(), target), target);
}

LogicalResult MvoutSpadOp::verify() {
  Target target = fadiff::lookupMachine(*this);
  if (target && !target->handsOverCopies())
    return emitOpError() << "needs a machine whose hand-over is mvout_spad, "
                            "found '"
                         << target->name << "' without it; store to DRAM and "
                         << "load again, or choose another target";
  if (isFullWidth(getAddr()))
    return emitOpError("source must be read as int8, found a full_width "
                       "address");
  if (isGarbage(getDst()))
    return emitOpError("destination must name rows, found gemmini.garbage");
  if (failed(verifyExtent(*this, "rows", getRows(), 1, target,
                          target ? target->side : 0, "the array side")) ||
      failed(verifyExtent(*this, "cols", getCols(), 1, target,
                          target ? target->side : 0, "the array side")) ||
      failed(verifyField(*this, "dst_stride", getDstStride(), 1,
                         fadiff::isa::mvout_spad::kDestinationStride)))
    return failure();
  std::optional<int64_t> rows = getConstant(getRows());
  if (failed(verifyLocalRows(*this, "source", getAddr(), rows, 0, target)))
    return failure();
  if (rows)
    rows = (*rows - 1) * static_cast<int64_t>(getDstStride()) + 1;
  return verifyLocalRows(*this, "destination", getDst(), rows, 0, target);
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

/// `rows` x `cols` at `addr`, at most one block. A garbage block may be empty.
/// Where an operand ends hangs on strides and transposes, see
/// InstructionOrder.cpp.
static LogicalResult verifyBlock(Operation *op, const Twine &name, Value addr,
                                 Value rows, Value cols, const Target &target) {
  int64_t least = isGarbage(addr) ? 0 : 1;
  int64_t most = target ? target->side : 0;
  if (failed(verifyExtent(op, name + " rows", rows, least, target, most,
                          "the array side")))
    return failure();
  return verifyExtent(op, name + " cols", cols, least, target, most,
                      "the array side");
}

static LogicalResult verifyReadable(Operation *op, const Twine &name,
                                    Value addr, const Target &target) {
  if (!target || !isAcc(addr) || target->handsOverInPlace())
    return success();
  return op->emitOpError() << name
                           << " must be in the scratchpad, as the array of '"
                           << target->name
                           << "' does not read the accumulator, found "
                           << addr.getType();
}

LogicalResult PreloadOp::verify() {
  Target target = fadiff::lookupMachine(*this);
  if (failed(verifyReadable(*this, "b", getB(), target)) ||
      failed(verifyBlock(*this, "b", getB(), getBRows(), getBCols(), target)))
    return failure();
  if (failed(verifyBlock(*this, "c", getC(), getCRows(), getCCols(), target)))
    return failure();
  // The stride of C is at least 1.
  return verifyLocalRows(*this, "c", getC(), getConstant(getCRows()),
                         /*extra=*/0, target);
}

template <typename ComputeLike>
static LogicalResult verifyCompute(ComputeLike op) {
  if (isGarbage(op.getA()))
    return op.emitOpError("a must name rows, found gemmini.garbage, which is "
                          "undefined data there");
  Target target = fadiff::lookupMachine(op);
  if (failed(verifyReadable(op, "a", op.getA(), target)) ||
      failed(verifyReadable(op, "d", op.getD(), target)) ||
      failed(verifyBlock(op, "a", op.getA(), op.getARows(), op.getACols(),
                         target)))
    return failure();
  return verifyBlock(op, "d", op.getD(), op.getDRows(), op.getDCols(), target);
}

LogicalResult ComputePreloadedOp::verify() { return verifyCompute(*this); }
LogicalResult ComputeAccumulatedOp::verify() { return verifyCompute(*this); }

/// A half of the scratchpad that a loop's operand goes to.
static LogicalResult verifyHalf(Operation *op, StringRef name, Value half,
                                const Target &target) {
  std::optional<int64_t> number = getConstant(half);
  if (!number)
    return success();
  if (failed(verifyRange(op, name, *number, 0, 2, "0 lets loops take turns")))
    return failure();
  if (*number && target && target->loopHalves != fadiff::LoopHalves::Chosen)
    return op->emitOpError()
           << name << " is " << *number << ", but "
           << describeField(*target, "loop_halves") << "; wanted 0";
  return success();
}

LogicalResult LoopWsOp::verify() {
  namespace enc = fadiff::isa::loop_ws;
  Target target = fadiff::lookupMachine(*this);
  if (target && target->loopUnit != fadiff::LoopUnit::Matmul)
    return emitOpError() << "needs a machine with a matmul loop, but "
                         << describeField(*target, "loop_unit");
  struct {
    StringRef name;
    Value blocks, pad;
  } const dims[] = {{"i", getI(), getPadI()},
                    {"j", getJ(), getPadJ()},
                    {"k", getK(), getPadK()}};
  for (const auto &dim : dims) {
    std::optional<int64_t> blocks = getConstant(dim.blocks);
    if (blocks && failed(verifyField(*this, dim.name, *blocks, 1, enc::kI)))
      return failure();
    std::optional<int64_t> pad = getConstant(dim.pad);
    if (pad && failed(target ? verifyRange(*this, "pad of " + dim.name, *pad, 0,
                                           target->side - 1,
                                           "less than the array side of '" +
                                               target->name + "'")
                             : verifyField(*this, ("pad of " + dim.name).str(),
                                           *pad, 0, enc::kPadI)))
      return failure();
  }
  for (auto [name, half] :
       {std::pair("half of a", getAHalf()), std::pair("half of b", getBHalf())})
    if (failed(verifyHalf(*this, name, half, target)))
      return failure();
  for (auto [name, stride] : {std::pair("stride of a", getAStride()),
                              std::pair("stride of b", getBStride()),
                              std::pair("stride of d", getDStride()),
                              std::pair("stride of c", getCStride())})
    if (failed(verifyField(*this, name, stride, 0, enc::kAStride)))
      return failure();
  if (getConstant(getD()).value_or(0) != 0 && getConstant(getAccumulate()) == 0)
    return emitOpError("accumulate must be true where d is loaded, as the "
                       "products would overwrite it, found constant false");
  std::optional<int64_t> i = getConstant(getI()), j = getConstant(getJ()),
                         k = getConstant(getK());
  if (!target)
    return success();
  auto fits = [&](StringRef what, int64_t rows, int64_t all,
                  StringRef memory) -> LogicalResult {
    if (rows <= all / 2)
      return success();
    return emitOpError() << what << " must fit into half of the " << memory
                         << " of '" << target->name << "', " << all / 2
                         << " rows, found " << rows << " rows";
  };
  if (i && j && k &&
      failed(fits("a and b", (*i + *j) * *k * target->side,
                  target->scratchpadRows(), "scratchpad")))
    return failure();
  if (i && j)
    return fits("c", *i * *j * target->side, target->accumulatorRows(),
                "accumulator");
  return success();
}

LogicalResult LoopConvWsOp::verify() {
  namespace enc = fadiff::isa::loop_conv_ws;
  Target target = fadiff::lookupMachine(*this);
  if (target && target->convLoopUnit != fadiff::ConvLoopUnit::Conv)
    return emitOpError() << "needs a machine with a convolution loop, but "
                         << describeField(*target, "conv_loop_unit");
  for (auto [name, values, count] :
       {std::tuple(StringRef("in_dims"), getInDims(), size_t(4)),
        std::tuple(StringRef("out_dims"), getOutDims(), size_t(3)),
        std::tuple(StringRef("strides"), getStrides(), size_t(3))}) {
    if (values.size() != count)
      return emitOpError() << name << " must be " << count << " numbers, found "
                           << values.size();
    for (int64_t value : values)
      if (failed(verifyField(*this, name, value, 1, enc::kInRowDim)))
        return failure();
  }
  struct {
    StringRef name;
    Value value;
    int64_t least;
    const fadiff::isa::Field &field;
  } const extents[] = {{"batches", getBatches(), 1, enc::kBatches},
                       {"orows", getOrows(), 1, enc::kOrows},
                       {"ocols", getOcols(), 1, enc::kOcols},
                       {"ochs", getOchs(), 1, enc::kOchs},
                       {"krows", getKrows(), 1, enc::kKrows},
                       {"kcols", getKcols(), 1, enc::kKcols},
                       {"kchs", getKchs(), 1, enc::kKchs},
                       {"pad_up", getPadUp(), 0, enc::kPadUp},
                       {"pad_down", getPadDown(), 0, enc::kPadDown},
                       {"pad_left", getPadLeft(), 0, enc::kPadLeft},
                       {"pad_right", getPadRight(), 0, enc::kPadRight}};
  for (const auto &extent : extents)
    if (std::optional<int64_t> value = getConstant(extent.value))
      if (failed(verifyField(*this, extent.name, *value, extent.least,
                             extent.field)))
        return failure();
  for (auto [name, value, field] :
       {std::tuple("kernel_dim", getKernelDim(), &enc::kKernelDim),
        std::tuple("stride", getStride(), &enc::kStride),
        std::tuple("dilation", getDilation(), &enc::kDilation),
        std::tuple("pixels_per_row", getPixelsPerRow(), &enc::kPixelsPerRow)})
    if (failed(verifyField(*this, name, value, 1, *field)))
      return failure();
  for (auto [name, half] : {std::pair("half of input", getInputHalf()),
                            std::pair("half of weights", getWeightHalf())})
    if (failed(verifyHalf(*this, name, half, target)))
      return failure();
  if (std::optional<ArrayRef<int64_t>> pool = getPool()) {
    if (pool->size() != 8)
      return emitOpError()
             << "pool must be 8 numbers (size, stride, rows above, "
                "columns left, pooled rows and columns of the "
                "tile, of the tensor), found "
             << pool->size();
    static constexpr std::pair<StringLiteral, std::pair<int64_t, int64_t>>
        bounds[] = {{"pool size", {1, 3}},
                    {"pool stride", {1, 3}},
                    {"pooled padding above", {0, 3}},
                    {"pooled padding left", {0, 3}},
                    {"pooled rows", {1, 255}},
                    {"pooled columns", {1, 255}},
                    {"pooled rows of the tensor", {1, 65535}},
                    {"pooled columns of the tensor", {1, 255}}};
    for (auto [value, bound] : llvm::zip_equal(*pool, bounds))
      if (failed(verifyRange(*this, bound.first, value, bound.second.first,
                             bound.second.second, "fields of config_st")))
        return failure();
  }
  if (getDownsample() && (getStride() != 2 || getKernelDim() != 1 || getPool()))
    return emitOpError(
        "downsample wants a 1x1 kernel, stride 2 and no pooling");
  return success();
}

LogicalResult RegionOp::verify() {
  if (static_cast<int64_t>(getId()) < 0)
    return emitOpError() << "id must not be negative, found "
                         << static_cast<int64_t>(getId());
  return success();
}

LogicalResult MemberOp::verify() {
  if (static_cast<int64_t>(getIndex()) < 0)
    return emitOpError() << "index must not be negative, found "
                         << static_cast<int64_t>(getIndex());
  return success();
}
