//===- FormLayers.cpp - Contractions and their tails to layers ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaxPools.h"
#include "Normalize.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Analysis/OnConstants.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/SearchMonitor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace fadiff {
#define GEN_PASS_DEF_FORMLAYERSPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

/// Adds to `captured`, in dependence order, the operations that compute what
/// `op` reads beside `known`. Only constants and empty tensors may be copied
/// into a layer; anything else is an operand the accelerator does not have.
static LogicalResult collectCaptured(Operation *op,
                                     const llvm::DenseSet<Value> &known,
                                     llvm::SetVector<Operation *> &captured,
                                     std::string &reason) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  for (Value value : values) {
    if (known.contains(value))
      continue;
    Operation *def = value.getDefiningOp();
    if (!def || !(def->hasTrait<OpTrait::ConstantLike>() ||
                  (isa<tensor::EmptyOp>(def) && def->getNumOperands() == 0))) {
      reason = "'" + op->getName().getStringRef().str() +
               "' reads a value that is neither an operand of the layer nor a "
               "constant";
      return failure();
    }
    captured.insert(def);
  }
  return success();
}

/// Axis permutation that undoes `permutation`.
static SmallVector<int64_t> inverse(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> result(permutation.size());
  for (auto [i, axis] : llvm::enumerate(permutation))
    result[axis] = i;
  return result;
}

namespace {
/// The operand of a layer that a value of the program is.
struct OperandView {
  ArrayRef<int64_t> permutation;
  /// Where channels of all groups lie, after the permutation, and how many
  /// groups there are.
  std::optional<size_t> joined;
  int64_t groups = 1;

  static OperandView of(const LayerOperand &operand, const Layer &layer) {
    OperandView view{operand.permutation, std::nullopt, layer.dims[Dim::G]};
    if (operand.joinsGroups)
      view.joined = operand.permutedLayout().find('G');
    return view;
  }

  RankedTensorType typeOf(RankedTensorType type) const {
    SmallVector<int64_t> shape(type.getShape());
    for (auto [i, axis] : llvm::enumerate(permutation))
      shape[i] = type.getDimSize(axis);
    if (joined) {
      shape[*joined] /= groups;
      shape.insert(shape.begin() + *joined, groups);
    }
    return type.clone(shape);
  }

  Value view(OpBuilder &builder, Location loc, Value value) const {
    auto type = typeOf(cast<RankedTensorType>(value.getType()));
    value = withAxes(builder, loc, value, permutation);
    return joined ? tensor::ExpandShapeOp::create(builder, loc, type, value,
                                                  parts(type))
                  : value;
  }

  /// The program's value of the layer's.
  Value undo(OpBuilder &builder, Location loc, Value value) const {
    if (joined)
      value = tensor::CollapseShapeOp::create(
          builder, loc, value, parts(cast<RankedTensorType>(value.getType())));
    return withAxes(builder, loc, value, inverse(permutation));
  }

private:
  /// Of the layer's axes.
  SmallVector<ReassociationIndices> parts(RankedTensorType type) const {
    SmallVector<ReassociationIndices> result;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (axis == int64_t(*joined) + 1)
        result.back().push_back(axis);
      else
        result.push_back({axis});
    return result;
  }
};
} // namespace

/// Replaces the matched operations by a layer; `captured` are copied into it.
static LayerOp formLayer(OpBuilder &builder, const LayerMatch &match,
                         StringRef name,
                         const llvm::SetVector<Operation *> &captured) {
  Location loc = match.contraction->getLoc();
  builder.setInsertionPointAfterValue(match.output.value);
  const Layer shape = toLayer(match.workload);
  const auto inputView = OperandView::of(match.input, shape);
  const auto weightView = OperandView::of(match.weights, shape);
  const auto outputView = OperandView::of(match.output, shape);
  OperandView residualView = outputView;
  residualView.permutation = match.residualPermutation;
  Value input = inputView.view(builder, loc, match.input.value);
  Value weights = weightView.view(builder, loc, match.weights.value);
  Value residual = match.residual;
  if (residual)
    residual = residualView.view(builder, loc, residual);
  auto outputType = cast<RankedTensorType>(match.output.value.getType());
  auto layer = LayerOp::create(builder, loc, outputView.typeOf(outputType),
                               name, input, weights, match.bias, residual,
                               match.workload, match.epilogue, MappingAttr(),
                               DifferentiableCost(), CostAttr());
  // What another dialect has noted on the contraction stays with the layer;
  // linalg's own notes are about the operation that goes.
  for (NamedAttribute attr : match.contraction->getDiscardableAttrs())
    if (!isa_and_nonnull<linalg::LinalgDialect>(attr.getNameDialect()) &&
        attr.getName() != kOnHostAttrName)
      layer->setDiscardableAttr(attr.getName(), attr.getValue());
  Value replacement = outputView.undo(builder, loc, layer.getResult());
  // Operations of the match read the old value among themselves; they die.
  Value replaced = match.output.value;
  replaced.replaceAllUsesWith(replacement);

  Block *body = builder.createBlock(&layer.getBody());
  IRMapping mapping;
  auto bind = [&](Value outside, const OperandView &view, Value operand) {
    Value inside = body->addArgument(operand.getType(), operand.getLoc());
    mapping.map(outside, view.undo(builder, loc, inside));
  };
  bind(match.input.value, inputView, input);
  bind(match.weights.value, weightView, weights);
  if (match.bias)
    bind(match.bias, {}, match.bias);
  if (residual)
    bind(match.residual, residualView, residual);
  for (Operation *op : captured)
    builder.clone(*op, mapping);
  for (Operation *op : match.ops)
    builder.clone(*op, mapping)->removeAttr(kOnHostAttrName);
  // The last op's clone holds what the replaced value was.
  Value result = body->back().getResult(0);
  YieldOp::create(builder, loc, outputView.view(builder, loc, result));
  for (Operation *op : llvm::reverse(match.ops))
    if (op->use_empty())
      op->erase();
  for (Operation *op : llvm::reverse(captured))
    if (isOpTriviallyDead(op))
      op->erase();
  return layer;
}

namespace {
struct FormLayersPass
    : public fadiff::impl::FormLayersPassBase<FormLayersPass> {
  using Base::Base;

  void runOnOperation() override {
    // Without a target, layers are what most machines take.
    if (TargetAttr target = lookupTarget(getOperation())) {
      machine = target.getAccelerator();
      arithmetic = machine->arithmetic;
      readOut = machine->readOut;
    }
    SmallVector<linalg::LinalgOp> candidates;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!op->getParentOfType<LayerOp>() && isContraction(op))
        candidates.push_back(op);
    });
    // Before layers bring transposes of their own.
    reportMoves();

    SmallVector<std::pair<Location, HostCause>> misses;
    unsigned formed = 0;
    getOperation().walk([&](LayerOp) { ++formed; });
    llvm::StringMap<unsigned> usedNames;
    for (linalg::LinalgOp op : candidates) {
      std::string reason;
      if (succeeded(tryForm(op, formed, usedNames, reason))) {
        ++formed;
        continue;
      }
      // What a pass in front has tried says more than the types.
      if (op->hasAttr(kOnHostAttrName)) {
        misses.emplace_back(op.getLoc(), hostCauseOf(op));
        reason = misses.back().second.reason;
      } else {
        misses.emplace_back(op.getLoc(), HostCause{reason, remedyOf(op), ""});
        noteOnHost(op, misses.back().second);
      }
      remark::missed(op.getLoc(),
                     remark::RemarkOpts::name("OnHost").category("fadiff"))
          << ("'" + op->getName().getStringRef() +
              "' stays on the host: " + reason)
                 .str();
    }
    if (residual)
      formResiduals(formed, usedNames);
    if (pools && machine)
      formPools(formed, usedNames);
    if (failed(joinRest()))
      return signalPassFailure();
    reportRest();
    if (formed || allowEmpty)
      return;
    reportNothing(misses);
    signalPassFailure();
  }

private:
  /// No layer was formed: an error where the first could have been, and a note
  /// for each reason why there is none.
  void reportNothing(SmallVectorImpl<std::pair<Location, HostCause>> &misses) {
    // Products with zero points are contractions only without them.
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op->hasAttr(kOnHostAttrName) && op.getNumReductionLoops() > 0 &&
          !isContraction(op))
        misses.emplace_back(op.getLoc(), hostCauseOf(op));
    });
    Location at = getOperation().getLoc();
    if (!misses.empty())
      at = misses.front().first;
    else
      getOperation().walk([&](FunctionOpInterface function) {
        if (function.isExternal())
          return WalkResult::advance();
        at = function.getLoc();
        return WalkResult::interrupt();
      });
    InFlightDiagnostic diag =
        emitError(at, "nothing to schedule: wanted at least one ")
        << nameOf(arithmetic)
        << " convolution or matrix product on tensors, found none; pass "
        << allowEmptyOption(&getContext()) << " to accept this";
    llvm::MapVector<StringRef, SmallVector<size_t>> byReason;
    for (auto [index, miss] : llvm::enumerate(misses))
      byReason[miss.second.reason].push_back(index);
    for (auto &[reason, indices] : byReason) {
      const auto &[loc, cause] = misses[indices.front()];
      Diagnostic &note = diag.attachNote(loc);
      note << "not scheduled: " << reason;
      if (indices.size() > 1)
        note << "; the same holds for " << indices.size() - 1 << " more";
      if (!cause.remedy.empty())
        note << "; what would help: " << cause.remedy;
    }
  }

  /// What would make a layer of a contraction that is none for its types.
  std::string remedyOf(linalg::LinalgOp op) const {
    auto takes = [&](unsigned operand, auto isWanted) {
      return isWanted(
          cast<ShapedType>(op->getOperand(operand).getType()).getElementType());
    };
    auto isReal = [](Type type) { return type.isF32(); };
    auto isByte = [](Type type) { return type.isInteger(8); };
    if (arithmetic == Arithmetic::Int8 && takes(0, isReal) && takes(1, isReal))
      return "a machine that works in f32, such as target=gemmini-fp32, or a "
             "network quantised to int8";
    if (arithmetic == Arithmetic::Float32 && takes(0, isByte) &&
        takes(1, isByte))
      return "a machine that works in int8, such as target=gemmini";
    const Type sum = getElementTypeOrSelf(op.getDpsInits().front());
    if (arithmetic == Arithmetic::Float32 && (sum.isF16() || sum.isBF16()))
      return "halves=widen, which takes its sums in f32 and rounds once";
    return "";
  }

  /// Exporters also call values "", "%12" and "12".
  static bool isWorthReading(StringRef name) {
    return !name.starts_with("%") && llvm::any_of(name, llvm::isAlpha);
  }

  /// What the layer is and the line where it stands, such as "conv:12".
  static std::string nameByPlace(LayerMatch &match, unsigned index) {
    const Layer layer = toLayer(match.workload);
    const bool hasImage =
        StringRef(match.input.layout).find_first_of("HW") != StringRef::npos;
    const StringRef kind = layer.isDepthwise() ? "depthwise"
                           : hasImage          ? "conv"
                                               : "matmul";
    FileLineColLoc file = fileLocation(match.contraction.getLoc());
    return file ? (kind + ":" + Twine(file.getLine())).str()
                : ("layer" + Twine(index)).str();
  }

  LogicalResult tryForm(linalg::LinalgOp op, unsigned index,
                        llvm::StringMap<unsigned> &usedNames,
                        std::string &reason) {
    if (op.hasDynamicShape()) {
      llvm::raw_string_ostream(reason)
          << "a schedule needs static extents, found " << op->getOperandTypes()
          << "; make the shapes static, or give those of the arguments with "
             "fadiff-static-shapes";
      return failure();
    }
    FailureOr<LayerMatch> match = matchLayer(op, arithmetic, reason, readOut);
    if (failed(match))
      return failure();
    std::string name = layerName(op.getLoc());
    if (!isWorthReading(name))
      name = nameByPlace(*match, index);
    return form(*match, std::move(name), usedNames, reason);
  }

  LogicalResult form(LayerMatch &match, std::string name,
                     llvm::StringMap<unsigned> &usedNames,
                     std::string &reason) {
    llvm::DenseSet<Value> known{match.input.value, match.weights.value};
    for (Value added : {match.bias, match.residual})
      if (added)
        known.insert(added);
    for (Operation *part : match.ops)
      known.insert(part->result_begin(), part->result_end());
    llvm::SetVector<Operation *> captured;
    for (Operation *part : match.ops)
      if (failed(collectCaptured(part, known, captured, reason)))
        return failure();

    if (unsigned count = usedNames[name]++)
      name += "#" + std::to_string(count);
    Location loc = match.contraction->getLoc();
    OpBuilder builder(match.contraction);
    std::string tailEnd = match.tailEnd;
    // Behind int8 the read-out is complete: what follows is there for what it
    // is.
    const bool isReadOut =
        getElementTypeOrSelf(match.output.value.getType()).isInteger(8);
    if (!tailEnd.empty() && !isReadOut)
      for (Operation *user : match.output.value.getUsers())
        if (auto reader = dyn_cast<linalg::LinalgOp>(user);
            reader && !isContraction(reader))
          noteOnHost(reader,
                     {tailEnd,
                      match.tailIsReal
                          ? "a result that is quantised to int8 again, or a "
                            "machine that works in f32"
                          : "",
                      ""});
    if (Operation *stop = match.tailEndsAt) {
      auto other = dyn_cast<linalg::LinalgOp>(stop);
      if (!isReadOut && !(other && isContraction(other)))
        noteOnHost(stop, {tailEnd, "", ""});
      tailEnd = ("'" + stop->getName().getStringRef() + "' stays on the host: ")
                    .str() +
                tailEnd;
    }
    bool transposed = !match.input.permutation.empty() ||
                      !match.weights.permutation.empty() ||
                      !match.output.permutation.empty();
    bool padded = match.input.value.getDefiningOp<tensor::PadOp>() != nullptr;
    formLayer(builder, match, name, captured);
    if (padded)
      remark::analysis(loc,
                       remark::RemarkOpts::name("Padding").category("fadiff"))
          << "layer '" + name +
                 "' has its input padded on the host; the accelerator pads "
                 "with a constant along image axes only";
    if (!tailEnd.empty())
      remark::analysis(loc, remark::RemarkOpts::name("Tail").category("fadiff"))
          << "layer '" + name + "' ends before its consumer: " + tailEnd;
    if (transposed)
      remark::analysis(loc,
                       remark::RemarkOpts::name("Layout").category("fadiff"))
          << "layer '" + name +
                 "' has operands transposed on the host, channels last";
    return success();
  }

  /// None if no target is attached.
  std::optional<Accelerator> machine;
  Arithmetic arithmetic = Arithmetic::Int8;
  ReadOutFeatures readOut;

  /// By the layer that makes a summand, if there is one.
  static std::string nameOfSum(LayerMatch &match) {
    for (Value summand : {match.input.value, match.residual})
      if (auto layer = withoutReshapes(summand).getDefiningOp<LayerOp>())
        return layer.getName().str() + ".add";
    const std::string name = layerName(match.contraction.getLoc());
    return isWorthReading(name) ? name : "add";
  }

  /// Sums of two tensors, once the layers that make them are known.
  void formResiduals(unsigned &formed, llvm::StringMap<unsigned> &usedNames) {
    SmallVector<std::pair<linalg::LinalgOp, ResidualSum>> sums;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op->getParentOfType<LayerOp>() || op.hasDynamicShape())
        return;
      if (std::optional<ResidualSum> sum = matchResidualSum(op))
        sums.push_back({op, *sum});
    });
    for (auto &[op, sum] : sums) {
      std::string reason;
      FailureOr<LayerMatch> match = failure();
      if (sum.scale && machine && machine->loadScale == LoadScale::None)
        reason = "a summand has a scale, but " +
                 describeField(*machine, "load_scale");
      else
        match = matchResidual(op, sum, reason, readOut);
      if (succeeded(match)) {
        OpBuilder builder(op);
        auto type = cast<ShapedType>(match->input.value.getType());
        Type element = type.getElementType();
        auto taps =
            RankedTensorType::get({1, 1, type.getShape().back()}, element);
        Attribute tap = element.isF32()
                            ? Attribute(builder.getOneAttr(element))
                            : builder.getIntegerAttr(element, sum.weight);
        auto weights = arith::ConstantOp::create(
            builder, op.getLoc(), DenseElementsAttr::get(taps, tap));
        match->weights.value = weights;
        if (succeeded(form(*match, nameOfSum(*match), usedNames, reason))) {
          ++formed;
          continue;
        }
        weights.erase();
      }
      remark::analysis(op.getLoc(),
                       remark::RemarkOpts::name("Residual").category("fadiff"))
          << "the sum of two tensors stays on the host: " + reason;
      noteOnHost(op, {reason, "", ""});
    }
  }

  /// Layers that bring into the accumulator what it can pool, but no layer
  /// makes for that alone.
  void formPools(unsigned &formed, llvm::StringMap<unsigned> &usedNames) {
    IRRewriter rewriter(&getContext());
    for (CopyOfImage copy :
         copyInFrontOfMaxPools(rewriter, getOperation(), *machine)) {
      std::string reason;
      if (succeeded(tryForm(copy.contraction, formed, usedNames, reason)))
        ++formed;
      else
        copy.copy.replaceAllUsesWith(copy.image);
    }
  }

  /// Whether what is read there is computed when the network is compiled. To
  /// repeat constants is nothing to compute.
  static bool isComputedOfConstants(OpOperand &use) {
    auto maker = use.get().getDefiningOp<linalg::GenericOp>();
    return maker && !maker.getBlock()->without_terminator().empty() &&
           isMadeOfConstants(use.get());
  }

  /// Elementwise operations that no layer has taken become one where they
  /// follow each other, so that the host writes no tensors in between.
  LogicalResult joinRest() {
    joinTransposes();
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *use) {
      Operation *maker = use->get().getDefiningOp();
      auto reader = dyn_cast<linalg::GenericOp>(use->getOwner());
      return maker->hasOneUse() && reader && isElementwise(reader) &&
             maker->getBlock() == reader->getBlock() &&
             !isComputedOfConstants(*use);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    const FrozenRewritePatternSet frozen(std::move(patterns));
    // What joins two has the second one's location, but not its attributes.
    llvm::DenseMap<Location, Attribute> causes;
    for (bool changed = true; changed;) {
      SmallVector<Operation *> rest;
      getOperation().walk([&](linalg::GenericOp op) {
        if (op->getParentOfType<LayerOp>() || !isElementwise(op))
          return;
        rest.push_back(op);
        if (Attribute cause = op->getAttr(kOnHostAttrName);
            cause && !isa<UnknownLoc>(op.getLoc()))
          causes.try_emplace(op.getLoc(), cause);
      });
      if (failed(applyOpPatternsGreedily(rest, frozen, config, &changed)))
        return failure();
      if (changed)
        continue;
      for (Operation *op : rest)
        if (op->hasAttr(kOnHostAttrName))
          causes.erase(op->getLoc());
      for (Operation *op : rest)
        if (Attribute cause = causes.lookup(op->getLoc()))
          op->setAttr(kOnHostAttrName, cause);
    }
    return success();
  }

  /// A transpose beside an elementwise operation is one that reads or writes by
  /// another map, and joins it.
  void joinTransposes() {
    SmallVector<linalg::TransposeOp> transposes;
    getOperation().walk([&](linalg::TransposeOp op) {
      if (op->getParentOfType<LayerOp>() || !op.hasPureTensorSemantics())
        return;
      auto canJoin = [&](Operation *other) {
        auto generic = dyn_cast_or_null<linalg::GenericOp>(other);
        return generic && isElementwise(generic) &&
               other->getBlock() == op->getBlock();
      };
      Value made = op->getResult(0), read = op.getInput();
      if ((made.hasOneUse() && canJoin(*made.user_begin())) ||
          (read.hasOneUse() && canJoin(read.getDefiningOp())))
        transposes.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::TransposeOp op : transposes) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(
          rewriter, cast<linalg::LinalgOp>(op.getOperation()));
    }
  }

  static bool isElementwise(linalg::GenericOp op) {
    return op.hasPureTensorSemantics() &&
           op.getNumParallelLoops() == op.getNumLoops();
  }

  /// Remarks for what moves whole tensors.
  void reportMoves() {
    getOperation().walk([&](Operation *op) {
      if (op->getParentOfType<LayerOp>() ||
          !isa<linalg::TransposeOp, tensor::ConcatOp, tensor::InsertSliceOp>(
              op))
        return;
      remark::missed(op->getLoc(),
                     remark::RemarkOpts::name("OnHost").category("fadiff"))
          << ("'" + op->getName().getStringRef() + "' stays on the host: ")
                     .str() +
                 hostCauseOf(op).reason;
    });
  }

  /// Remarks for what is left that computes but is no contraction.
  void reportRest() {
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op->getParentOfType<LayerOp>() || isContraction(op) ||
          isa<linalg::FillOp, linalg::TransposeOp, linalg::BroadcastOp,
              linalg::CopyOp>(op.getOperation()))
        return;
      remark::missed(op.getLoc(),
                     remark::RemarkOpts::name("OnHost").category("fadiff"))
          << ("'" + op->getName().getStringRef() + "' stays on the host: ")
                     .str() +
                 hostCauseOf(op).reason;
    });
  }
};
} // namespace
