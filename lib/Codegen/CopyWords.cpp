//===- CopyWords.cpp - Copies of bytes eight at a time ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Words are elements of other views of the same memory. A core traps at words
// that begin elsewhere, so only lines that are known to begin at words are
// copied so.
//
//===----------------------------------------------------------------------===//

#include "CopyWords.h"

#include "fadiff/Hardware/CoreWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {

constexpr int64_t kWord = fadiff::kCoreWordBytes;

/// Elements of a dense buffer, by their places in it.
struct Place {
  Value root;
  SmallVector<int64_t> shape, strides;
  int64_t offset = 0;
};

/// Where the elements of `view` are, if they are bytes of a dense buffer.
std::optional<Place> placeOf(Value view) {
  Place place;
  auto type = dyn_cast<MemRefType>(view.getType());
  if (!type || !type.getElementType().isInteger(8) || !type.hasStaticShape() ||
      failed(type.getStridesAndOffset(place.strides, place.offset)) ||
      ShapedType::isDynamicShape(place.strides) ||
      ShapedType::isDynamic(place.offset))
    return std::nullopt;
  place.root = view;
  while (auto part = place.root.getDefiningOp<memref::SubViewOp>())
    place.root = part.getSource();
  auto dense = cast<MemRefType>(place.root.getType());
  if (!dense.hasStaticShape() || !dense.getLayout().isIdentity() ||
      dense.getRank() == 0)
    return std::nullopt;
  llvm::append_range(place.shape, type.getShape());
  return place;
}

/// The innermost axes along which elements of all `places` are neighbours
/// become one, of whole words; nothing if lines do not begin at words.
bool toWords(MutableArrayRef<Place *> places) {
  const ArrayRef<int64_t> shape = places.front()->shape;
  int64_t axis = int64_t(shape.size()), line = 1;
  auto isDense = [&](Place *place) {
    return shape[axis - 1] == 1 || place->strides[axis - 1] == line;
  };
  for (; axis > 0 && llvm::all_of(places, isDense); --axis)
    line *= shape[axis - 1];
  if (line == 0 || line % kWord)
    return false;
  for (Place *place : places) {
    if (place->offset % kWord)
      return false;
    for (int64_t outer = 0; outer < axis; ++outer)
      if (shape[outer] > 1 && place->strides[outer] % kWord)
        return false;
  }
  for (Place *place : places) {
    place->shape.truncate(axis);
    place->strides.truncate(axis);
    for (int64_t &stride : place->strides)
      stride /= kWord;
    place->shape.push_back(line / kWord);
    place->strides.push_back(1);
    place->offset /= kWord;
  }
  return true;
}

/// A view of the elements at `place` in `root`.
Value viewOf(OpBuilder &builder, Location loc, Value root, const Place &place,
             Type element) {
  return memref::ReinterpretCastOp::create(
      builder, loc,
      MemRefType::get(place.shape, element,
                      StridedLayoutAttr::get(builder.getContext(), place.offset,
                                             place.strides)),
      root, place.offset, place.shape, place.strides);
}

/// `root` as words.
Value wordsOf(OpBuilder &builder, Location loc, Value root) {
  auto type = cast<MemRefType>(root.getType());
  const int64_t bytes = type.getNumElements();
  if (type.getRank() > 1) {
    ReassociationIndices all =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    root = memref::CollapseShapeOp::create(builder, loc, root,
                                           ArrayRef<ReassociationIndices>(all));
  }
  return memref::ViewOp::create(
      builder, loc, MemRefType::get({bytes / kWord}, builder.getI64Type()),
      root, arith::ConstantIndexOp::create(builder, loc, 0), ValueRange());
}

/// Whether memory begins at a word; the allocator's does, if nothing less is
/// asked for.
bool beginsAtWord(Value root) {
  auto alloc = root.getDefiningOp<memref::AllocOp>();
  return alloc && alloc.getAlignment().value_or(kWord) % uint64_t(kWord) == 0;
}

void fillWords(linalg::FillOp fill) {
  APInt byte;
  std::optional<Place> place = placeOf(fill.output());
  Place *places[] = {place ? &*place : nullptr};
  if (!place || !beginsAtWord(place->root) ||
      !matchPattern(fill.value(), m_ConstantInt(&byte)) || !toWords(places))
    return;
  OpBuilder builder(fill);
  const Location loc = fill.getLoc();
  Value word = arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(builder.getI64Type(),
                             APInt::getSplat(8 * kWord, byte)));
  linalg::FillOp::create(builder, loc, word,
                         viewOf(builder, loc,
                                wordsOf(builder, loc, place->root), *place,
                                builder.getI64Type()));
  fill.erase();
}

void copyWords(memref::CopyOp copy, SymbolTable &symbols) {
  std::optional<Place> source = placeOf(copy.getSource()),
                       target = placeOf(copy.getTarget());
  if (!source || !target)
    return;
  const Place bytes[] = {*source, *target};
  Place *places[] = {&*source, &*target};
  if (!toWords(places))
    return;
  OpBuilder builder(copy);
  const Location loc = copy.getLoc();
  auto copyAt = [&](OpBuilder &b, Value from, Value to) {
    memref::CopyOp::create(
        b, loc, viewOf(b, loc, wordsOf(b, loc, from), *source, b.getI64Type()),
        viewOf(b, loc, wordsOf(b, loc, to), *target, b.getI64Type()));
  };
  if (beginsAtWord(source->root) && beginsAtWord(target->root)) {
    copyAt(builder, source->root, target->root);
    copy.erase();
    return;
  }

  // A function of its own, so that no branch cuts the block in which others see
  // how long buffers live.
  Value roots[] = {source->root, target->root};
  auto callee = func::FuncOp::create(
      loc, "fadiff_host_copy",
      builder.getFunctionType(TypeRange(ValueRange(roots)), TypeRange()));
  callee.setPrivate();
  callee->setAttr("llvm.bareptr", builder.getUnitAttr());
  callee->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  symbols.insert(callee);
  func::CallOp::create(builder, loc, callee, roots);

  Block *body = callee.addEntryBlock();
  builder.setInsertionPointToStart(body);
  Value from = body->getArgument(0), to = body->getArgument(1);
  Value both = arith::OrIOp::create(
      builder, loc,
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, from),
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, to));
  Value rest = arith::AndIOp::create(
      builder, loc, both,
      arith::ConstantIndexOp::create(builder, loc, kWord - 1));
  Value isAligned =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                            arith::ConstantIndexOp::create(builder, loc, 0));
  scf::IfOp::create(
      builder, loc, isAligned,
      [&](OpBuilder &b, Location) {
        copyAt(b, from, to);
        scf::YieldOp::create(b, loc);
      },
      [&](OpBuilder &b, Location) {
        memref::CopyOp::create(b, loc,
                               viewOf(b, loc, from, bytes[0], b.getI8Type()),
                               viewOf(b, loc, to, bytes[1], b.getI8Type()));
        scf::YieldOp::create(b, loc);
      });
  func::ReturnOp::create(builder, loc);
  copy.erase();
}

struct CopyWordsPass : PassWrapper<CopyWordsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CopyWordsPass)

  StringRef getArgument() const override { return "fadiff-copy-words"; }
  StringRef getDescription() const override {
    return "Copy and fill lines of bytes eight at a time";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                memref::MemRefDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<memref::CopyOp> copies;
    SmallVector<linalg::FillOp> fills;
    getOperation().walk([&](Operation *op) {
      if (auto copy = dyn_cast<memref::CopyOp>(op))
        copies.push_back(copy);
      else if (auto fill = dyn_cast<linalg::FillOp>(op))
        if (fill.hasPureBufferSemantics())
          fills.push_back(fill);
    });
    for (memref::CopyOp copy : copies)
      copyWords(copy, symbols);
    for (linalg::FillOp fill : fills)
      fillWords(fill);
  }
};

} // namespace

std::unique_ptr<Pass> fadiff::createCopyWordsPass() {
  return std::make_unique<CopyWordsPass>();
}
