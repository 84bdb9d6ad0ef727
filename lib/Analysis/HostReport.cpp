//===- HostReport.cpp - What a network leaves to the host -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/InPlace.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Analysis/OnConstants.h"
#include "fadiff/Analysis/PoolMatch.h"
#include "fadiff/Analysis/Trips.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <limits>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Names and places
//===----------------------------------------------------------------------===//

std::string fadiff::placeOf(Location location) {
  std::string name = layerName(location);
  if (FileLineColLoc file = fileLocation(location); file && name.empty())
    name = (llvm::sys::path::filename(file.getFilename().getValue()) + ":" +
            Twine(file.getLine()))
               .str();
  return json::fixUTF8(name);
}

/// The arithmetic in the body, each operation once.
static std::string kindOf(Operation *op) {
  std::string kind = op->getName().getStringRef().str();
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return kind;
  llvm::SmallSetVector<StringRef, 8> parts;
  for (Operation &inner : generic.getBody()->without_terminator())
    if (!inner.hasTrait<OpTrait::ConstantLike>())
      parts.insert(inner.getName().stripDialect());
  if (!parts.empty())
    kind += " (" + llvm::join(parts, ", ") + ")";
  return kind;
}

//===----------------------------------------------------------------------===//
// Causes
//===----------------------------------------------------------------------===//

void fadiff::noteOnHost(Operation *op, const HostCause &cause) {
  if (op->hasAttr(kOnHostAttrName))
    return;
  Builder builder(op->getContext());
  NamedAttrList note;
  note.set("reason", builder.getStringAttr(cause.reason));
  if (!cause.remedy.empty())
    note.set("remedy", builder.getStringAttr(cause.remedy));
  if (!cause.detail.empty())
    note.set("detail", builder.getStringAttr(cause.detail));
  op->setAttr(kOnHostAttrName, note.getDictionary(op->getContext()));
}

void fadiff::noteOfWeights(Operation *op, StringRef reason) {
  noteOnHost(op, {reason.str(),
                  "weights that are constants; of arguments, "
                  "fadiff-compile --prepare-weights does it once",
                  ""});
  op->setAttr(kOfWeightsAttrName, UnitAttr::get(op->getContext()));
}

static bool isPooling(Operation *op) {
  return op->getName().getStringRef().starts_with("linalg.pooling_");
}

/// Whether the body holds what the read-out has no unit for.
static bool isTranscendental(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->without_terminator(), [](Operation &part) {
    return isa_and_nonnull<math::MathDialect>(part.getDialect()) &&
           !isa<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp,
                math::AbsFOp, math::AbsIOp>(part);
  });
}

/// Whether the body has nothing but minima and maxima of one operand.
static bool isClamp(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 1 &&
         llvm::all_of(op.getBlock()->without_terminator(), [](Operation &part) {
           return part.hasTrait<OpTrait::ConstantLike>() ||
                  isa<arith::MaxSIOp, arith::MinSIOp, arith::MaximumFOp,
                      arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
                      part);
         });
}

static bool isLookup(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->without_terminator(), [](Operation &part) {
    return isa<tensor::ExtractOp>(part);
  });
}

static bool isOnArray(Operation *op) {
  return isa_and_nonnull<LayerOp, FusionGroupOp, LoopNestOp>(op);
}

/// Whether several axes of `type`, all outside of the innermost one, are one on
/// the other side of a reshape.
static bool joinsOuterAxes(RankedTensorType type,
                           ArrayRef<ReassociationIndices> groups) {
  return llvm::any_of(groups, [&](const ReassociationIndices &group) {
    return group.back() + 1 < type.getRank() &&
           llvm::count_if(group, [&](int64_t axis) {
             return type.getDimSize(axis) != 1;
           }) > 1;
  });
}

/// Whether a layer reads or writes what is transposed with several axes as one:
/// batch and heads of attention, say.
static bool isJoinedForLayer(linalg::TransposeOp op) {
  if (auto expand = op.getInput().getDefiningOp<tensor::ExpandShapeOp>();
      expand && isOnArray(expand.getSrc().getDefiningOp()) &&
      joinsOuterAxes(expand.getResultType(), expand.getReassociationIndices()))
    return true;
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
    return collapse &&
           joinsOuterAxes(collapse.getSrcType(),
                          collapse.getReassociationIndices()) &&
           llvm::any_of(collapse->getUsers(), isOnArray);
  });
}

/// Whether a layer multiplies by `value`, which stands for its weights.
static bool isMultipliedBy(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
      return isMultipliedBy(user->getResult(0));
    return isa<LayerOp>(user) && use.getOperandNumber() == 1;
  });
}

/// Of operations that no pass has noted anything on.
static HostCause causeByKind(Operation *op) {
  const HostCause moves{
      "it moves a tensor, and the accelerator moves only the tiles of its "
      "layers",
      "", ""};
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    ArrayRef<int64_t> axes = transpose.getPermutation();
    const bool isJoined = isJoinedForLayer(transpose);
    if (axes.empty() || axes.back() + 1 == int64_t(axes.size())) {
      if (!isJoined)
        return moves;
      return {"axes that it brings together are one loop of a layer, whose "
              "steps must all be of one length",
              "a batch of one", ""};
    }
    if (transpose->getNumResults() == 1 &&
        isMultipliedBy(transpose->getResult(0)))
      return {"a layer multiplies by its columns, and loads bring rows as they "
              "lie; the array's preload could turn a tile, but no schedule "
              "does that",
              "an operand that is stored the other way round, such as a cache "
              "of keys as columns",
              ""};
    const bool isImage = axes.size() == 4 && !isJoined;
    return {"it makes another axis the innermost one, and the accelerator "
            "walks only the others in any order",
            isImage ? "channels last (NHWC) in the exported network" : "", ""};
  }
  if (isa<tensor::PadOp>(op)) {
    if (llvm::any_of(op->getUsers(), isPooling))
      return {"it pads for pooling that stays on the host", "", ""};
    return {"the accelerator pads with a constant along image axes only, in "
            "front of "
            "a convolution",
            "padding of rows and columns with one number", ""};
  }
  if (isPooling(op))
    return {
        op->getName().getStringRef().contains("max")
            ? "the accelerator pools only int8, in square windows of one "
              "stride, where the core would take longer"
            : "the accelerator averages only int8, and images of 4096 bytes or "
              "more",
        "", ""};
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp) {
    if (isa<linalg::PackOp, linalg::UnPackOp>(op) ||
        isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
      return moves;
    if (isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()))
      return {"the accelerator has nothing for it", "", ""};
    return {"no pass lowers it to linalg", "", ""};
  }
  if (isa<linalg::CopyOp, linalg::BroadcastOp>(op) ||
      linalgOp.getBlock()->without_terminator().empty())
    return moves;
  if (isContraction(linalgOp))
    return {"it did not become a layer", "", ""};
  if (linalgOp.getNumReductionLoops() > 0)
    return {"it is a reduction, but no sum of products that the array computes",
            "", ""};
  if (isTranscendental(linalgOp))
    return {"the accelerator's read-out computes bias, scale, saturation and "
            "ReLU, no other functions",
            "ReLU as the activation", ""};
  if (isLookup(linalgOp))
    return {"it looks values up in a table", "ReLU as the activation", ""};
  if (isClamp(linalgOp))
    return {"it clamps to bounds that ReLU and saturation do not have",
            "ReLU in place of ReLU6, or a scale that has the bound at 127", ""};
  unsigned tensors = llvm::count_if(op->getOpOperands(), [&](OpOperand &use) {
    return linalgOp.payloadUsesValueFromOperand(&use) &&
           isa<ShapedType>(use.get().getType()) &&
           !matchPattern(use.get(), m_Constant());
  });
  if (tensors > 1)
    return {"it combines two tensors, which the accelerator does only in "
            "contractions and residual additions",
            "", ""};
  return {"it is neither a contraction nor the elementwise tail of one", "",
          ""};
}

HostCause fadiff::hostCauseOf(Operation *op) {
  // Whatever a pass has tried with it, this is what stands in the way.
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      linalgOp && linalgOp.getNumReductionLoops() == 0 &&
      isTranscendental(linalgOp))
    return causeByKind(op);
  auto note = op->getAttrOfType<DictionaryAttr>(kOnHostAttrName);
  auto partOf = [&](StringRef name) {
    auto part = note.getAs<StringAttr>(name);
    return part ? json::fixUTF8(part.getValue()) : std::string();
  };
  if (note && !partOf("reason").empty())
    return {partOf("reason"), partOf("remedy"), partOf("detail")};
  return causeByKind(op);
}

//===----------------------------------------------------------------------===//
// What is counted
//===----------------------------------------------------------------------===//

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

/// Names and bounds of memory, not its contents.
static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ReshapeOp, tensor::ExtractSliceOp, tensor::DimOp,
             tensor::BitcastOp, tensor::ParallelInsertSliceOp,
             bufferization::ToTensorOp, bufferization::ToBufferOp, WindowsOp>(
             op) ||
         isa<ViewLikeOpInterface>(op);
}

Value fadiff::withoutReshapes(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

bool fadiff::touchesElements(Operation *op) {
  if (isOnArray(op) || isView(op) || op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>() ||
      isa<linalg::FillOp, tensor::EmptyOp, tensor::SplatOp,
          tensor::FromElementsOp, tensor::ExtractOp, tensor::InsertOp,
          bufferization::AllocTensorOp, CallOpInterface,
          RegionBranchOpInterface>(op))
    return false;
  return llvm::any_of(op->getResults(), isTensor) ||
         (llvm::any_of(op->getOperands(), isTensor) &&
          isa<bufferization::MaterializeInDestinationOp>(op));
}

/// Adds `count` for each trip; more than a number holds is the most.
static void add(int64_t &sum, int64_t count, int64_t trips) {
  if (llvm::MulOverflow(count, trips, count) ||
      llvm::AddOverflow(sum, count, sum))
    sum = std::numeric_limits<int64_t>::max();
}

static int64_t elementsOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasStaticShape() ? shaped.getNumElements() : 0;
}

/// Elements that a concatenation copies: of what is not made in place.
static int64_t copiedBy(tensor::ConcatOp concat) {
  int64_t elements = 0;
  for (auto [number, input] : llvm::enumerate(concat.getInputs()))
    if (!isMadeInPlace(concat, unsigned(number)))
      elements += elementsOf(input.getType());
  return elements;
}

/// The same of what is inserted.
static int64_t copiedBy(tensor::InsertSliceOp insert) {
  return isMadeInPlace(insert) ? 0 : elementsOf(insert.getSourceType());
}

/// Elements read and written by one run.
static int64_t touchedBy(Operation *op) {
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return 2 * copiedBy(concat);
  // What lies around the slice stays as it is.
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return 2 * copiedBy(insert);
  int64_t elements = 0;
  for (Value result : op->getResults())
    elements += elementsOf(result.getType());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  auto inits = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (linalgOp ? !linalgOp.payloadUsesValueFromOperand(&operand)
                 : inits && inits.isDpsInit(&operand))
      continue;
    elements += elementsOf(operand.get().getType());
  }
  return elements;
}

static int64_t macsOf(linalg::LinalgOp op) {
  if (!isContraction(op) || op.hasDynamicShape())
    return 0;
  int64_t macs = 1;
  for (int64_t range : op.getStaticLoopRanges())
    if (llvm::MulOverflow(macs, range, macs))
      return std::numeric_limits<int64_t>::max();
  return macs;
}

//===----------------------------------------------------------------------===//
// Work of the core
//===----------------------------------------------------------------------===//

static bool isClampToConstant(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp>(op) &&
         matchPattern(op->getOperand(1), m_Constant());
}

/// Whether `value` is only clamped to constants and converted to an integer:
/// then the conversion rounds, and the clamp need not look at NaNs.
static bool isConverted(Value value) {
  if (!value.hasOneUse())
    return false;
  Operation *user = *value.user_begin();
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(user))
    return true;
  return isClampToConstant(user) && isConverted(user->getResult(0));
}

/// The same, perhaps scaled by positive constants and rounded on the way:
/// clamps go behind that.
static bool isScaledAndConverted(Value value) {
  if (isConverted(value))
    return true;
  if (!value.hasOneUse())
    return false;
  Operation *user = *value.user_begin();
  if (isClampToConstant(user))
    return isScaledAndConverted(user->getResult(0));
  if (isa<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp>(user))
    return isConverted(user->getResult(0));
  APFloat scale(0.0F);
  return isa<arith::MulFOp, arith::DivFOp>(user) &&
         user->getOperand(0) == value &&
         matchPattern(user->getOperand(1), m_ConstantFloat(&scale)) &&
         scale.isFiniteNonZero() && !scale.isNegative() &&
         isScaledAndConverted(user->getResult(0));
}

/// Instructions of a body's operation on a core without vectors; calls apart.
static int64_t stepsOf(Operation &part) {
  // Loads extend and stores truncate.
  if (part.hasTrait<OpTrait::ConstantLike>() ||
      isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp, linalg::IndexOp>(part))
    return 0;
  // A comparison and a branch around a move; what is chosen by a bit that is
  // read is masked by it.
  if (auto select = dyn_cast<arith::SelectOp>(part))
    return isa<BlockArgument>(select.getCondition()) ? 1 : 2;
  if (isa<arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(part))
    return 2;
  // What is large is whole already; the rest goes to an integer and back.
  if (isa<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp>(part))
    return isConverted(part.getResult(0)) ? 0 : 8;
  // Either operand may be no number, if it is not a constant.
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(part)) {
    if (llvm::none_of(part.getOperands(), [](Value value) {
          return matchPattern(value, m_Constant());
        }))
      return 6;
    return isScaledAndConverted(part.getResult(0)) ? 1 : 4;
  }
  if (isa<math::RsqrtOp>(part))
    return 2; // a root and a division
  if (auto exp = dyn_cast<math::ExpOp>(part); exp && exp.getType().isF32())
    return 25; // Runner/InlineExp.cpp
  if (auto extract = dyn_cast<tensor::ExtractOp>(part))
    // The address, scaled if elements are not bytes, and the load.
    return 2 + !extract.getType().isInteger(8);
  return 1;
}

bool fadiff::callsLibm(Operation &part) {
  return isa_and_nonnull<math::MathDialect>(part.getDialect()) &&
         !isa<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp,
              math::AbsFOp, math::AbsIOp, math::SqrtOp, math::RsqrtOp>(part);
}

/// How many calls of a function as long as log the operation is.
static int64_t callsOf(Operation &part) {
  if (auto exp = dyn_cast<math::ExpOp>(part); exp && exp.getType().isF32())
    return 0; // no call
  if (!isa_and_nonnull<math::MathDialect>(part.getDialect()) ||
      isa<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp,
          math::AbsFOp, math::AbsIOp, math::SqrtOp, math::RsqrtOp, math::FmaOp,
          math::CopySignOp>(part))
    return 0;
  return isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::ErfOp>(
             part)
             ? 1
             : 2;
}

/// How many trips of an unrolled loop share the work of one step: the pointers'
/// increments and the branch.
static constexpr int64_t kTripsOfStep = 2;

/// CoreWork::moved of elements that are copied from one tensor into another,
/// with the first at `low`.
static int64_t movedBetween(int64_t elements, RankedTensorType from,
                            ArrayRef<int64_t> low, RankedTensorType to) {
  if (from.getRank() != to.getRank() || !from.hasStaticShape() ||
      !to.hasStaticShape() || ShapedType::isDynamicShape(low))
    return elements;
  const unsigned bits =
      to.getElementType().isIntOrFloat() ? to.getElementTypeBitWidth() : 0;
  return movesOf(elements, bits == 8 ? 1 : 0, from.getShape(), low,
                 to.getShape());
}

/// What one run of `op` is for the core; of static shapes.
static CoreWork workOf(Operation *op) {
  CoreWork work;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    const int64_t elements = copiedBy(insert);
    work.moved = insert.hasUnitStride()
                     ? movedBetween(elements, insert.getSourceType(),
                                    insert.getStaticOffsets(), insert.getType())
                     : elements;
    return work;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    work.moved = movedBetween(elementsOf(pad.getType()), pad.getSourceType(),
                              pad.getStaticLow(), pad.getType());
    return work;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    work.moved = copiedBy(concat);
    return work;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp) {
    for (Type type : op->getResultTypes())
      work.moved += elementsOf(type);
    return work;
  }
  if (linalgOp.hasDynamicShape())
    return work;
  int64_t points = 1;
  for (int64_t range : linalgOp.getStaticLoopRanges())
    if (llvm::MulOverflow(points, range, points))
      points = std::numeric_limits<int64_t>::max();
  if (linalgOp.getBlock()->without_terminator().empty()) {
    work.moved = points;
    return work;
  }
  if (isPooling(op)) {
    work.pooled = points;
    return work;
  }
  if (linalgOp.getNumLoops() == 0)
    return work; // one point
  // What stays the same in the innermost loop is done once around it.
  const unsigned inner = linalgOp.getNumLoops() - 1;
  const int64_t innerTrips =
      std::max<int64_t>(linalgOp.getStaticLoopRanges()[inner], 1);
  CoreWork point, around;
  llvm::DenseSet<Value> varying;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    const bool isInit = linalgOp.isDpsInit(&operand);
    const bool isRead = linalgOp.payloadUsesValueFromOperand(&operand);
    const bool varies =
        linalgOp.getMatchingIndexingMap(&operand).isFunctionOfDim(inner);
    // A sum is in a register meanwhile.
    (varies ? point : around).operations += isRead + isInit;
    if (varies || isInit)
      varying.insert(linalgOp.getMatchingBlockArgument(&operand));
  }
  for (Operation &part : linalgOp.getBlock()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(part);
    const bool varies = index ? index.getDim() == inner
                              : llvm::any_of(part.getOperands(), [&](Value v) {
                                  return varying.contains(v);
                                });
    if (varies)
      varying.insert(part.result_begin(), part.result_end());
    CoreWork &of = varies ? point : around;
    const int64_t calls = callsOf(part);
    of.calls += calls;
    // What lies a loop's trip apart is read by a pointer, like an operand.
    const bool isStrided =
        isa<tensor::ExtractOp>(part) &&
        llvm::all_of(part.getOperands().drop_front(), [&](Value at) {
          return !varying.contains(at) || at.getDefiningOp<linalg::IndexOp>();
        });
    if (calls == 0)
      of.operations += isStrided ? 1 : stepsOf(part);
  }
  CoreWork loop;
  loop.operations = 1;
  work.add(loop, points / kTripsOfStep);
  work.add(point, points);
  work.add(around, points / innerTrips);
  return work;
}

double HostReport::cycles(bool withPoolsOfLayers) const {
  double sum = 0;
  for (const HostOperation &host : operations)
    if (!host.isOfWeights && (withPoolsOfLayers || !host.isPoolOfLayer))
      sum += host.cycles * double(host.trips);
  return sum;
}

double HostReport::weightCycles() const {
  double sum = 0;
  for (const HostOperation &host : operations)
    if (host.isOfWeights)
      sum += host.cycles * double(host.trips);
  return sum;
}

/// Whether `op` is max pooling of what a layer makes, or its padding.
static bool isPoolOfLayer(Operation *op) {
  if (isa<tensor::PadOp>(op) && op->hasOneUse())
    return isPooling(*op->user_begin()) && isPoolOfLayer(*op->user_begin());
  return op->getNumResults() == 1 && isPooling(op) &&
         matchMaxPool(op->getResult(0)).has_value();
}

//===----------------------------------------------------------------------===//
// Tails
//===----------------------------------------------------------------------===//

/// Whether `op` shifts, scales, clamps or casts each element of `chain`, as a
/// tail does: by constants, or by one number per channel.
static bool isTailLike(linalg::LinalgOp op, Value chain) {
  if (op.getNumReductionLoops() != 0 || isTranscendental(op) ||
      op.getBlock()->without_terminator().empty())
    return false;
  llvm::DenseSet<Value> derived;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() == chain)
      derived.insert(op.getMatchingBlockArgument(&operand));
    else if (op.payloadUsesValueFromOperand(&operand) &&
             !matchPattern(operand.get(), m_Constant()) &&
             op.getMatchingIndexingMap(&operand).isPermutation())
      return false; // a second tensor
  }
  // A product or quotient of two numbers that both come from the sum is
  // another function: x * sigmoid(x), x * clamp(x + 3).
  for (Operation &part : op.getBlock()->without_terminator()) {
    unsigned uses = llvm::count_if(
        part.getOperands(), [&](Value v) { return derived.contains(v); });
    if (uses > 1 && isa<arith::MulFOp, arith::MulIOp, arith::DivFOp>(part))
      return false;
    if (uses)
      derived.insert(part.result_begin(), part.result_end());
  }
  return true;
}

/// Whether an elementwise operation reads `result`, as it is or otherwise laid
/// out, for which `wanted` holds.
static bool isReadBy(Value result,
                     llvm::function_ref<bool(linalg::LinalgOp, Value)> wanted) {
  return llvm::any_of(result.getUsers(), [&](Operation *user) {
    if (isView(user) || isa<linalg::TransposeOp>(user))
      return llvm::any_of(user->getResults(),
                          [&](Value view) { return isReadBy(view, wanted); });
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && op.getNumReductionLoops() == 0 && wanted(op, result);
  });
}

/// A clamp, and whatever else makes int8 of int8.
static bool staysInt8(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(), [](Operation &part) {
    return isa<arith::CmpIOp>(part) ||
           llvm::all_of(part.getResultTypes(),
                        [](Type type) { return type.isInteger(8); });
  });
}

/// What becomes of the sums of `layer`; `result` is what the rest of the
/// network reads of it.
static TailPlace tailOf(const Layer &layer, EpilogueAttr epilogue,
                        Value result) {
  const bool isReal = layer.elementBytes == 4;
  // Sums of 32 bits are read out by whatever reads them.
  if (!isReal && layer.outputBytes == 4)
    return isReadBy(result, [](linalg::LinalgOp, Value) { return true; })
               ? TailPlace::Host
               : TailPlace::None;
  // Casts and scales of int8 are the reader's.
  if (isReadBy(result, [&](linalg::LinalgOp op, Value read) {
        return isTailLike(op, read) && (isReal || staysInt8(op));
      }))
    return TailPlace::Host;
  const bool hasTail = !isReal || layer.hasBias || epilogue.getRelu() ||
                       epilogue.getOneScale() != 1;
  return hasTail ? TailPlace::Array : TailPlace::None;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
class Reporter {
public:
  explicit Reporter(Operation *root) : root(root), onConstants(root) {
    if (TargetAttr target = lookupTarget(root))
      machine = target.getAccelerator();
  }

  HostReport run() {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isOnArray(op)) {
        addOnArray(op);
        return WalkResult::skip();
      }
      const bool counts = op != root && touchesElements(op);
      if (counts)
        addHost(op);
      inherit(op);
      visited.push_back(op);
      // The body of a linalg.generic is no list of operations on tensors.
      return counts || isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                                 : WalkResult::advance();
    });
    findLayersAfter();
    findLayersBehind();
    addUp();
    return std::move(report);
  }

private:
  Trips countTrips(Operation *op) const {
    return isa<FunctionOpInterface>(root) ? tripsOf(op) : runsOf(op);
  }

  /// `result`: what leaves the array of it; null if nothing does.
  void addLayer(const Layer &layer, EpilogueAttr epilogue, Operation *op,
                Value result, bool hasProducts) {
    ReportedLayer reported;
    reported.name = layer.name;
    reported.place = placeOf(op->getLoc());
    reported.macs = hasProducts ? layer.macs() : 0;
    const Trips trips = countTrips(op);
    reported.trips = trips.count;
    reported.tripsAreKnown = trips.isKnown();
    if (trips.unknown && unknown.insert(trips.unknown))
      report.unknownTrips.push_back(("'" +
                                     trips.unknown->getName().getStringRef() +
                                     "' at " + placeOf(trips.unknown->getLoc()))
                                        .str());
    reported.tail = result ? tailOf(layer, epilogue, result) : TailPlace::Array;
    report.layers.push_back(std::move(reported));
  }

  /// Layers, and what they make, by name.
  void addOnArray(Operation *op) {
    const size_t first = report.layers.size();
    if (auto nest = dyn_cast<LoopNestOp>(op)) {
      SmallVector<StageOp> stages = computingStages(nest);
      Value result = nest->getNumResults() ? nest->getResult(0)
                                           : nest->getOperands().back();
      for (StageOp stage : stages)
        addLayer(toLayer(stage), stage.getEpilogue(), stage,
                 stage == stages.back() ? result : Value(),
                 multiplies(toLayer(stage)));
    } else {
      SmallVector<LayerOp> layers;
      op->walk([&](LayerOp layer) { layers.push_back(layer); });
      for (LayerOp layer : layers)
        addLayer(toLayer(layer), layer.getEpilogue(), layer,
                 layer == layers.back() ? op->getResult(0) : Value(),
                 multiplies(toLayer(layer)));
    }
    for (Value result : op->getResults())
      layerOf[result] = report.layers.size() - 1;
    // Whatever stands in front and behind nothing belongs to the first.
    if (first < report.layers.size())
      layerAfter[op] = first;
  }

  /// A residual addition multiplies by one weight, ones or what its operands'
  /// scales make of them, which is no work of the network's.
  static bool multiplies(const Layer &layer) {
    return !layer.hasResidual || !layer.isDepthwise() ||
           layer.dims[Dim::R] * layer.dims[Dim::S] > 1;
  }

  void addHost(Operation *op) {
    if (onConstants.contains(op)) {
      ++report.constantOperations;
      return;
    }
    if (auto concat = dyn_cast<tensor::ConcatOp>(op);
        concat && copiedBy(concat) == 0)
      return;
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op);
        insert && copiedBy(insert) == 0)
      return;
    HostOperation host;
    host.kind = kindOf(op);
    host.place = placeOf(op->getLoc());
    host.elements = touchedBy(op);
    host.trips = countTrips(op).count;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      host.macs = macsOf(linalgOp);
    host.work = workOf(op);
    if (machine)
      host.cycles = coreCycles(host.work, *machine);
    host.isPoolOfLayer = isPoolOfLayer(op);
    // Of weights that a layer makes there is nothing to do in advance.
    host.isOfWeights = op->hasAttr(kOfWeightsAttrName) &&
                       llvm::none_of(op->getOperands(), [&](Value operand) {
                         return layerOf.contains(operand);
                       });
    host.cause = hostCauseOf(op);
    report.operations.push_back(std::move(host));
    hosts.push_back(op);
  }

  /// Results stand behind the layer that the operands stand behind.
  void inherit(Operation *op) {
    for (Value operand : op->getOperands())
      if (auto it = layerOf.find(operand); it != layerOf.end()) {
        const unsigned layer = it->second;
        for (Value result : op->getResults())
          layerOf[result] = layer;
        return;
      }
  }

  /// The first layer that reads what each operation makes, perhaps through
  /// others. Readers come behind.
  void findLayersAfter() {
    for (Operation *op : llvm::reverse(visited))
      for (Operation *user : op->getUsers()) {
        auto it = layerAfter.find(user);
        for (Operation *at = user; it == layerAfter.end() && at != root;
             at = at->getParentOp())
          if (isOnArray(at))
            it = layerAfter.find(at);
        if (it == layerAfter.end())
          continue;
        const unsigned layer = it->second;
        auto known = layerAfter.try_emplace(op, layer).first;
        known->second = std::min(known->second, layer);
      }
  }

  void findLayersBehind() {
    for (auto [index, op] : llvm::enumerate(hosts)) {
      HostOperation &host = report.operations[index];
      std::optional<unsigned> layer;
      for (Value operand : op->getOperands())
        if (auto it = layerOf.find(operand); it != layerOf.end()) {
          layer = it->second;
          host.isBehind = true;
          break;
        }
      if (auto it = layerAfter.find(op); !layer && it != layerAfter.end())
        layer = it->second;
      if (!layer)
        continue;
      ReportedLayer &beside = report.layers[*layer];
      host.layer = beside.name;
      ++beside.hostOperations;
      add(beside.hostElements, host.elements, host.trips);
    }
  }

  void addUp() {
    for (const HostOperation &host : report.operations) {
      add(report.elements, host.elements, host.trips);
      add(report.macs, host.macs, host.trips);
    }
    for (const ReportedLayer &layer : report.layers) {
      add(report.macs, layer.macs, layer.trips);
      add(report.arrayMacs, layer.macs, layer.trips);
      report.tails += layer.tail != TailPlace::None;
      report.arrayTails += layer.tail == TailPlace::Array;
    }
  }

  Operation *root;
  std::optional<Accelerator> machine;
  HostReport report;
  /// The layer, by its position, that a value comes from.
  llvm::DenseMap<Value, unsigned> layerOf;
  OnConstants onConstants;
  llvm::SmallSetVector<Operation *, 4> unknown;
  std::vector<Operation *> hosts;
  std::vector<Operation *> visited;
  /// The layer that an operation is, or that stands behind it.
  llvm::DenseMap<Operation *, unsigned> layerAfter;
};
} // namespace

HostReport fadiff::reportHost(Operation *root) { return Reporter(root).run(); }

//===----------------------------------------------------------------------===//
// In words
//===----------------------------------------------------------------------===//

static const char *tailName(TailPlace place) {
  switch (place) {
  case TailPlace::None:
    return "none";
  case TailPlace::Array:
    return "array";
  case TailPlace::Host:
    return "host";
  }
  return "";
}

namespace {
/// Operations with one cause.
struct Group {
  std::vector<const HostOperation *> operations;
  llvm::SmallSetVector<StringRef, 4> kinds;
  int64_t elements = 0;
  double cycles = 0;
};
} // namespace

/// " behind conv1 at net.mlir:12, at net.mlir:30 (3 times) and 4 more"
static std::string placesOf(const Group &group) {
  constexpr size_t kShown = 3;
  std::vector<std::string> places;
  for (const HostOperation *host : group.operations) {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (!host->layer.empty())
      os << (host->isBehind ? " behind " : " in front of ") << host->layer;
    if (!host->place.empty())
      os << " at " << host->place;
    if (host->trips != 1)
      os << " (" << host->trips << " times)";
    if (!text.empty() && !llvm::is_contained(places, text))
      places.push_back(text);
  }
  std::string all = llvm::join(llvm::ArrayRef(places).take_front(kShown), ",");
  if (places.size() > kShown)
    all += " and " + std::to_string(places.size() - kShown) + " more";
  return all;
}

void HostReport::print(llvm::raw_ostream &os) const {
  os << llvm::formatv("on the array: {0:f1} % of {1} multiply-accumulates",
                      macPercent(), macs);
  if (tails)
    os << llvm::formatv(", {0} of {1} tails ({2:f1} %)", arrayTails, tails,
                        tailPercent());
  os << llvm::formatv("; on the host: {0} operation{1}", operations.size(),
                      operations.size() == 1 ? "" : "s");
  if (!operations.empty())
    os << llvm::formatv(" that touch{0} {1} elements",
                        operations.size() == 1 ? "es" : "", elements);
  if (const double known = cycles())
    os << llvm::formatv(", {0:f0} cycles of the core predicted", known);
  if (const double known = weightCycles())
    os << llvm::formatv(", and {0:f0} for weights, which can be done once",
                        known);
  if (constantOperations)
    os << llvm::formatv(", and {0} on constants alone", constantOperations);
  os << '\n';
  for (const std::string &loop : unknownTrips)
    os << "  the trips of " << loop
       << " are not known: layers in it are counted once\n";

  llvm::MapVector<std::pair<StringRef, StringRef>, Group> groups;
  for (const HostOperation &host : operations) {
    Group &group = groups[{host.cause.reason, host.cause.remedy}];
    group.operations.push_back(&host);
    group.kinds.insert(host.kind);
    add(group.elements, host.elements, host.trips);
    group.cycles += host.cycles * double(host.trips);
  }
  std::vector<const Group *> sorted;
  for (const auto &entry : groups)
    sorted.push_back(&entry.second);
  // Operations lie in their order.
  llvm::sort(sorted, [](const Group *a, const Group *b) {
    return std::tuple(-a->cycles, -a->elements, a->operations.front()) <
           std::tuple(-b->cycles, -b->elements, b->operations.front());
  });
  constexpr size_t kShown = 12;
  for (const Group *group : llvm::ArrayRef(sorted).take_front(kShown)) {
    const HostCause &cause = group->operations.front()->cause;
    ArrayRef<StringRef> kinds = group->kinds.getArrayRef();
    os << "  " << group->operations.size() << " x "
       << llvm::join(kinds.take_front(2), " or ");
    if (kinds.size() > 2)
      os << " or " << kinds.size() - 2 << " more kinds";
    os << ", " << group->elements << " elements";
    if (group->cycles > 0)
      os << llvm::formatv(", {0:f0} cycles", group->cycles);
    if (std::string places = placesOf(*group); !places.empty())
      os << ',' << places;
    os << ": " << cause.reason;
    if (!cause.detail.empty())
      os << "; " << (group->operations.size() > 1 ? "of the first, " : "")
         << cause.detail;
    if (!cause.remedy.empty())
      os << "; what would help: " << cause.remedy;
    os << '\n';
  }
  if (sorted.size() > kShown)
    os << "  and " << sorted.size() - kShown
       << " more causes, which the summary as JSON lists\n";
}

json::Object HostReport::toJson() const {
  json::Array listed, perLayer, loops;
  for (const HostOperation &host : operations) {
    json::Object object{{"kind", host.kind},
                        {"elements", host.elements},
                        {"trips", host.trips},
                        {"reason", host.cause.reason}};
    if (!host.place.empty())
      object["place"] = host.place;
    if (!host.layer.empty())
      object[host.isBehind ? "behind" : "in_front_of"] =
          json::fixUTF8(host.layer);
    if (!host.cause.remedy.empty())
      object["remedy"] = host.cause.remedy;
    if (!host.cause.detail.empty())
      object["detail"] = host.cause.detail;
    if (host.macs)
      object["macs"] = host.macs;
    if (host.cycles > 0)
      object["cycles"] = host.cycles;
    listed.push_back(std::move(object));
  }
  for (const ReportedLayer &layer : layers) {
    json::Object object{{"name", json::fixUTF8(layer.name)},
                        {"macs", layer.macs},
                        {"trips", layer.trips},
                        {"trips_known", layer.tripsAreKnown},
                        {"tail", tailName(layer.tail)},
                        {"host_operations", layer.hostOperations},
                        {"host_elements", layer.hostElements}};
    if (!layer.place.empty())
      object["place"] = layer.place;
    perLayer.push_back(std::move(object));
  }
  for (const std::string &loop : unknownTrips)
    loops.push_back(loop);
  return json::Object{{"operations", std::move(listed)},
                      {"layers", std::move(perLayer)},
                      {"unknown_trips", std::move(loops)},
                      {"elements", elements},
                      {"cycles", cycles()},
                      {"weight_cycles", weightCycles()},
                      {"operations_on_constants", constantOperations},
                      {"macs", macs},
                      {"macs_on_array", arrayMacs},
                      {"macs_percent", macPercent()},
                      {"tails", tails},
                      {"tails_on_array", arrayTails},
                      {"tails_percent", tailPercent()}};
}
