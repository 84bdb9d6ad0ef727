//===- LayerMatch.cpp - Layers recognised by structure --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/LayerMatch.h"
#include "TailMatch.h"
#include "fadiff/Workload/Layer.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

std::string LayerOperand::permutedLayout() const {
  std::string result = permutation.empty() ? layout : "";
  for (int64_t axis : permutation)
    result += layout[axis];
  if (joinsGroups)
    result.insert(result.find_first_of("CK"), "G");
  return result;
}

std::string fadiff::layerName(Location loc) {
  std::string name;
  loc->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part)) {
      name = named.getName().str();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return name;
}

FileLineColLoc fadiff::fileLocation(Location loc) {
  FileLineColLoc file;
  loc->walk([&](Location part) {
    file = dyn_cast<FileLineColLoc>(part);
    return file ? WalkResult::interrupt() : WalkResult::advance();
  });
  return file;
}

/// Skips a sign extension.
static Value skipExtension(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtSIOp>())
    return extension.getIn();
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    return extension.getIn();
  return value;
}

bool fadiff::isContraction(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return false;
  Block *body = op.getBlock();
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::AddFOp>(add))
    return false;
  Value accumulator = op.getRegionOutputArgs()[0];
  Value product;
  if (add->getOperand(0) == accumulator)
    product = add->getOperand(1);
  else if (add->getOperand(1) == accumulator)
    product = add->getOperand(0);
  else
    return false;
  Operation *mul = skipExtension(product).getDefiningOp();
  if (!isa_and_nonnull<arith::MulIOp, arith::MulFOp>(mul))
    return false;
  // A product of two int8 that wraps at less than 16 bits is another function.
  if (auto type = dyn_cast<IntegerType>(mul->getResult(0).getType());
      type && type.getWidth() < 16)
    return false;
  Value lhs = skipExtension(mul->getOperand(0));
  Value rhs = skipExtension(mul->getOperand(1));
  auto inputs = op.getRegionInputArgs();
  return (lhs == inputs[0] && rhs == inputs[1]) ||
         (lhs == inputs[1] && rhs == inputs[0]);
}

namespace {
/// Which of the eight dims each loop of the op is.
struct LoopRoles {
  SmallVector<std::optional<Dim>> dimOfLoop;
  SmallVector<int64_t> ranges;
  PerAxis<int64_t> stride{1, 1}, dilation{1, 1};
  bool isWindow = false;
};
} // namespace

static bool assign(LoopRoles &roles, ArrayRef<unsigned> loops,
                   ArrayRef<Dim> dims) {
  if (loops.size() > dims.size())
    return false;
  for (auto [loop, dim] : llvm::zip(loops, dims))
    roles.dimOfLoop[loop] = dim;
  return true;
}

/// GEMM-like: batch, rows, columns, one reduction.
static FailureOr<LoopRoles> contractionRoles(linalg::LinalgOp op,
                                             std::string &reason) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims)) {
    reason = "its indexing maps are neither a contraction nor a convolution";
    return failure();
  }
  LoopRoles roles;
  roles.dimOfLoop.resize(op.getNumLoops());
  if (!assign(roles, dims->batch, {Dim::G}) ||
      !assign(roles, dims->m, {Dim::N, Dim::P, Dim::Q}) ||
      !assign(roles, dims->n, {Dim::K}) || !assign(roles, dims->k, {Dim::C})) {
    reason = "it has more loops of one kind than a layer has dims (at most one "
             "batch, three row, one column and one reduction loop); collapse "
             "them first";
    return failure();
  }
  return roles;
}

static FailureOr<LoopRoles>
convolutionRoles(linalg::LinalgOp op, const linalg::ConvolutionDimensions &dims,
                 std::string &reason) {
  LoopRoles roles;
  roles.isWindow = true;
  roles.dimOfLoop.resize(op.getNumLoops());
  // A one-dimensional convolution runs along W.
  bool is1D = dims.outputImage.size() == 1;
  static constexpr Dim image[] = {Dim::P, Dim::Q}, kernel[] = {Dim::R, Dim::S};
  if (!assign(roles, dims.outputImage, ArrayRef(image).drop_front(is1D)) ||
      !assign(roles, dims.filterLoop, ArrayRef(kernel).drop_front(is1D))) {
    reason = "it is a convolution over " +
             std::to_string(dims.outputImage.size()) +
             " axes; a layer has at most two";
    return failure();
  }
  // Without a window along rows, they may be any axis.
  static constexpr Dim batches[] = {Dim::N, Dim::P};
  if (!assign(roles, dims.batch, ArrayRef(batches).drop_back(is1D ? 0 : 1)) ||
      !assign(roles, dims.outputChannel, {Dim::K}) ||
      !assign(roles, dims.inputChannel, {Dim::C}) ||
      !assign(roles, dims.depth, {Dim::G})) {
    reason = "it has more than one batch, group, or channel loop; collapse "
             "them first";
    return failure();
  }
  for (auto [i, stride] : llvm::enumerate(dims.strides))
    roles.stride[is1D ? Axis::W : static_cast<Axis>(i)] = stride;
  for (auto [i, dilation] : llvm::enumerate(dims.dilations))
    roles.dilation[is1D ? Axis::W : static_cast<Axis>(i)] = dilation;
  return roles;
}

/// Upstream reads the strides and dilations of any operation as numbers of 64
/// bits, one for each element, but verifies those of its named ones only.
static bool hasReadableWindow(linalg::LinalgOp op, std::string &reason) {
  for (StringRef name : {"strides", "dilations"}) {
    auto numbers = op->getAttrOfType<DenseIntElementsAttr>(name);
    if (!numbers || (numbers.getElementType().isInteger(64) &&
                     numbers.getNumElements() <= op.getNumLoops()))
      continue;
    llvm::raw_string_ostream(reason)
        << "its '" << name << "' are " << numbers.getType()
        << "; wanted an i64 for each axis of its window";
    return false;
  }
  return true;
}

/// The terms `factor * loop` that `index` is the sum of. None if it is not.
static std::optional<SmallVector<std::pair<unsigned, int64_t>>>
termsOf(AffineExpr index) {
  SmallVector<std::pair<unsigned, int64_t>> terms;
  SmallVector<std::pair<AffineExpr, int64_t>> rest{{index, 1}};
  while (!rest.empty()) {
    auto [expr, factor] = rest.pop_back_val();
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      terms.emplace_back(loop.getPosition(), factor);
      continue;
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (binary && binary.getKind() == AffineExprKind::Add) {
      rest.emplace_back(binary.getLHS(), factor);
      rest.emplace_back(binary.getRHS(), factor);
      continue;
    }
    auto by = binary && binary.getKind() == AffineExprKind::Mul
                  ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                  : AffineConstantExpr();
    if (!by || by.getValue() < 1 || by.getValue() > kMaxWork / factor)
      return std::nullopt;
    rest.emplace_back(binary.getLHS(), factor * by.getValue());
  }
  return terms;
}

std::optional<JoinedLoops> fadiff::matchJoined(AffineExpr index,
                                               ArrayRef<int64_t> ranges) {
  auto terms = termsOf(index);
  if (!terms || terms->size() != 2)
    return std::nullopt;
  auto [outer, inner] = std::pair(terms->front(), terms->back());
  if (outer.second == 1)
    std::swap(outer, inner);
  if (inner.second != 1 || outer.second != ranges[inner.first] ||
      outer.first == inner.first)
    return std::nullopt;
  return JoinedLoops{outer.first, inner.first};
}

/// The loop over groups of a convolution that counts the channels of all groups
/// in its image or in its sums, which no other contraction does.
static std::optional<unsigned> joinedGroups(ArrayRef<AffineMap> maps,
                                            ArrayRef<int64_t> ranges) {
  auto hasLoop = [](AffineMap map, unsigned loop) {
    return llvm::any_of(map.getResults(), [&](AffineExpr index) {
      auto dim = dyn_cast<AffineDimExpr>(index);
      return dim && dim.getPosition() == loop;
    });
  };
  for (AffineMap map : {maps[2], maps[0]})
    for (AffineExpr index : map.getResults())
      if (std::optional<JoinedLoops> joined = matchJoined(index, ranges);
          joined && hasLoop(maps[1], joined->outer) &&
          hasLoop(maps[1], joined->inner) &&
          (map == maps[2] || hasLoop(maps[2], joined->outer)))
        return joined->outer;
  return std::nullopt;
}

FailureOr<linalg::ConvolutionDimensions>
fadiff::convolutionDims(linalg::LinalgOp op) {
  std::string reason;
  if (!hasReadableWindow(op, reason))
    return failure();
  // To upstream a window slides over the channels of groups.
  if (op.getNumDpsInputs() > 1 && op.getNumDpsInits() == 1 &&
      joinedGroups(op.getIndexingMapsArray(), op.getStaticLoopRanges()))
    return failure();
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->filterLoop.empty())
    return failure();
  return dims;
}

/// A convolution whose kernel has one tap and no loops, as it is without unit
/// dims: rows and columns are loops times a stride. Null if it is none.
static std::optional<LoopRoles> stridedRoles(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  LoopRoles roles;
  roles.isWindow = true;
  roles.dimOfLoop.resize(op.getNumLoops());
  // The input with strides of one is a contraction's.
  SmallVector<std::pair<unsigned, int64_t>> strided;
  SmallVector<AffineExpr> plain;
  for (AffineExpr index : maps[0].getResults()) {
    plain.push_back(index);
    auto product = dyn_cast<AffineBinaryOpExpr>(index);
    if (!product || product.getKind() != AffineExprKind::Mul)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(product.getLHS());
    auto stride = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!loop || !stride || stride.getValue() < 1)
      return std::nullopt;
    plain.back() = loop;
    strided.emplace_back(loop.getPosition(), stride.getValue());
  }
  maps[0] = AffineMap::get(maps[0].getNumDims(), 0, plain, op.getContext());
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(maps);
  if (strided.empty() || failed(dims))
    return std::nullopt;
  // The last two rows are the image's, or the only one its columns.
  ArrayRef<unsigned> rows = dims->m;
  static constexpr Dim image[] = {Dim::N, Dim::P, Dim::Q};
  if (rows.size() > 3 ||
      !assign(roles, rows, ArrayRef(image).drop_front(3 - rows.size())) ||
      !assign(roles, dims->batch, {Dim::G}) ||
      !assign(roles, dims->n, {Dim::K}) || !assign(roles, dims->k, {Dim::C}))
    return std::nullopt;
  for (auto [loop, stride] : strided) {
    const std::optional<Dim> dim = roles.dimOfLoop[loop];
    if (dim != Dim::P && dim != Dim::Q)
      return std::nullopt;
    roles.stride[*dim == Dim::P ? Axis::H : Axis::W] = stride;
  }
  return roles;
}

/// The roles of the loops of such a convolution. Null if it is none.
static std::optional<LoopRoles> groupedRoles(linalg::LinalgOp op) {
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  LoopRoles roles;
  roles.isWindow = true;
  roles.ranges = op.getStaticLoopRanges();
  roles.dimOfLoop.resize(op.getNumLoops());
  std::optional<unsigned> group = joinedGroups(maps, roles.ranges);
  if (!group)
    return std::nullopt;
  roles.dimOfLoop[*group] = Dim::G;
  // Whether `index` is of channels, of which a group's own ones are `dim`.
  auto takeChannels = [&](AffineExpr index, Dim dim) {
    if (isa<AffineDimExpr>(index))
      return true;
    auto joined = matchJoined(index, roles.ranges);
    return joined && joined->outer == *group &&
           assign(roles, joined->inner, {dim});
  };
  SmallVector<unsigned> rows;
  for (AffineExpr index : maps[2].getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (index.isFunctionOfDim(*group)) {
      if (!takeChannels(index, Dim::K))
        return std::nullopt;
    } else if (loop) {
      rows.push_back(loop.getPosition());
    } else {
      return std::nullopt;
    }
  }
  // What reads the image: a loop over rows, times a stride, and taps.
  SmallVector<Dim> image{Dim::N, Dim::P, Dim::Q};
  if (rows.size() == 2 &&
      llvm::is_contained(maps[0].getResults(),
                         getAffineDimExpr(rows.front(), op.getContext())))
    image.erase(&image[1]);
  if (rows.size() > image.size() ||
      !assign(roles, rows, ArrayRef(image).take_back(rows.size())))
    return std::nullopt;
  for (AffineExpr index : maps[0].getResults()) {
    if (index.isFunctionOfDim(*group)) {
      if (!takeChannels(index, Dim::C))
        return std::nullopt;
      continue;
    }
    auto terms = termsOf(index);
    if (!terms || terms->size() > 2)
      return std::nullopt;
    if (llvm::is_contained(rows, terms->back().first))
      std::swap(terms->front(), terms->back());
    const auto [row, stride] = terms->front();
    if (!llvm::is_contained(rows, row))
      return std::nullopt;
    const Dim dim = *roles.dimOfLoop[row];
    if (dim == Dim::N) {
      if (!isa<AffineDimExpr>(index))
        return std::nullopt;
      continue;
    }
    const Axis axis = dim == Dim::P ? Axis::H : Axis::W;
    roles.stride[axis] = stride;
    if (terms->size() == 1)
      continue;
    const auto [tap, dilation] = terms->back();
    if (!assign(roles, tap, {kernelDim(axis)}))
      return std::nullopt;
    roles.dilation[axis] = dilation;
  }
  // Each loop is another dim; one that only the weights have is a group's one
  // channel.
  PerDim<unsigned> loops{0};
  for (auto [dim, extent] : llvm::zip_equal(roles.dimOfLoop, roles.ranges)) {
    if (!dim && extent == 1)
      dim = Dim::C;
    if (!dim || ++loops[*dim] > 1)
      return std::nullopt;
  }
  return roles;
}

std::optional<ChannelGroups> fadiff::channelGroups(linalg::LinalgOp op) {
  std::optional<LoopRoles> roles = groupedRoles(op);
  if (!roles)
    return std::nullopt;
  ChannelGroups loops;
  for (auto [loop, dim] : llvm::enumerate(roles->dimOfLoop)) {
    if (dim == Dim::G)
      loops.group = loop;
    else if (dim == Dim::K)
      loops.filter = loop;
    else if (dim == Dim::C)
      loops.channel = loop;
  }
  return loops;
}

static FailureOr<LoopRoles> findRoles(linalg::LinalgOp op,
                                      std::string &reason) {
  if (!hasReadableWindow(op, reason))
    return failure();
  if (std::optional<LoopRoles> roles = groupedRoles(op))
    return *roles;
  if (std::optional<LoopRoles> roles = stridedRoles(op))
    return *roles;
  FailureOr<linalg::ConvolutionDimensions> conv = convolutionDims(op);
  FailureOr<LoopRoles> roles = succeeded(conv)
                                   ? convolutionRoles(op, *conv, reason)
                                   : contractionRoles(op, reason);
  if (failed(roles))
    return failure();
  for (auto [loop, dim] : llvm::enumerate(roles->dimOfLoop))
    if (!dim) {
      reason = "loop " + std::to_string(loop) + " is no dim of a layer";
      return failure();
    }
  roles->ranges = op.getStaticLoopRanges();
  return roles;
}

/// What indexes the input along `axis`: the output loop, or the window
/// `out * stride + kernel * dilation`. Null if no loop runs along the axis.
static AffineExpr windowExpr(const LoopRoles &roles, Axis axis,
                             MLIRContext *context) {
  AffineExpr out, kernel;
  for (auto [loop, dim] : llvm::enumerate(roles.dimOfLoop)) {
    if (*dim == outputDim(axis))
      out = getAffineDimExpr(loop, context);
    else if (*dim == kernelDim(axis))
      kernel = getAffineDimExpr(loop, context);
  }
  if (!out)
    return out;
  AffineExpr window = out * roles.stride[axis];
  return kernel ? window + kernel * roles.dilation[axis] : window;
}

/// An operand and its axis letters, each out of `allowed` (H and W stand for
/// the windows of the input). Every index expression must be exactly what the
/// workload will say: anything else would be read as a different layer.
static std::optional<LayerOperand> operandOf(linalg::LinalgOp op,
                                             OpOperand &use,
                                             const LoopRoles &roles,
                                             StringRef allowed) {
  const AffineMap map = op.getMatchingIndexingMap(&use);
  LayerOperand operand;
  operand.value = use.get();
  for (AffineExpr result : map.getResults()) {
    char letter = 0;
    if (auto loop = dyn_cast<AffineDimExpr>(result))
      letter = dimName(*roles.dimOfLoop[loop.getPosition()]);
    else if (auto joined = matchJoined(result, roles.ranges);
             joined && roles.dimOfLoop[joined->outer] == Dim::G) {
      letter = dimName(*roles.dimOfLoop[joined->inner]);
      operand.joinsGroups = true;
    }
    if (!allowed.contains(letter)) {
      letter = 0;
      for (Axis axis : kAllAxes) {
        AffineExpr window = windowExpr(roles, axis, map.getContext());
        if (window && simplifyAffineExpr(result - window, map.getNumDims(),
                                         map.getNumSymbols()) == 0)
          letter = axis == Axis::H ? 'H' : 'W';
      }
    }
    if (!letter || !allowed.contains(letter))
      return std::nullopt;
    operand.layout += letter;
  }
  return operand;
}

/// Moves `channel` last if it is not; axes of extent 1 behind it do no harm.
static void permuteChannelLast(LayerOperand &operand, char channel) {
  auto type = cast<RankedTensorType>(operand.value.getType());
  size_t position = operand.layout.find(channel);
  if (position == std::string::npos)
    return;
  bool contiguous = true;
  for (size_t axis = position + 1; axis < operand.layout.size(); ++axis)
    contiguous &= type.getDimSize(axis) == 1;
  if (contiguous)
    return;
  for (size_t axis = 0; axis < operand.layout.size(); ++axis)
    if (axis != position)
      operand.permutation.push_back(axis);
  operand.permutation.push_back(position);
}

/// Whether `value` is a constant zero, or a constant of zeros.
static bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

/// The padding in front of `input`, if it can be folded, and its value: zero,
/// or an int8.
static tensor::PadOp matchPad(Value input, StringRef layout, int64_t &value) {
  auto pad = input.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.getSourceType().hasStaticShape())
    return {};
  Value padding = pad.getConstantPaddingValue();
  APInt integer;
  if (!padding ||
      (!isZero(padding) && (!padding.getType().isInteger(8) ||
                            !matchPattern(padding, m_ConstantInt(&integer)))))
    return {};
  for (auto [axis, letter] : llvm::enumerate(layout)) {
    int64_t low = pad.getStaticLow()[axis], high = pad.getStaticHigh()[axis];
    if (ShapedType::isDynamic(low) || ShapedType::isDynamic(high) || low < 0 ||
        high < 0 || (letter != 'H' && letter != 'W' && (low || high)))
      return {};
  }
  value = isZero(padding) ? 0 : integer.getSExtValue();
  return pad;
}

/// Channels of a depthwise layer are its groups.
static bool isDepthwise(const PerDim<int64_t> &dims) {
  return dims[Dim::G] > 1 && dims[Dim::K] == 1 && dims[Dim::C] == 1;
}

static PerDim<int64_t> dimsOf(linalg::LinalgOp op, const LoopRoles &roles) {
  PerDim<int64_t> dims{1};
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, dim] : llvm::enumerate(roles.dimOfLoop))
    dims[*dim] = ranges[loop];
  return dims;
}

/// Moves the axis last that the array wants there: that of channels (C or K),
/// which in groups of one are the groups.
static void permuteChannelsLast(LayerOperand &operand, char channel,
                                const LoopRoles &roles,
                                const PerDim<int64_t> &dims) {
  const bool hasNone = operand.layout.find(channel) == std::string::npos;
  permuteChannelLast(operand, isDepthwise(dims) || (roles.isWindow && hasNone)
                                  ? 'G'
                                  : channel);
}

/// Where a bias would vary; the rank if there is a single channel without axis.
static size_t channelAxisOf(StringRef outputLayout,
                            const PerDim<int64_t> &dims) {
  size_t axis = outputLayout.find(isDepthwise(dims) ? 'G' : 'K');
  if (axis == StringRef::npos)
    axis = outputLayout.find('G');
  return axis == StringRef::npos ? outputLayout.size() : axis;
}

std::optional<unsigned> fadiff::outputChannelAxis(linalg::LinalgOp op) {
  std::string reason;
  FailureOr<LoopRoles> roles = findRoles(op, reason);
  if (failed(roles))
    return std::nullopt;
  auto sums = operandOf(op, *op.getDpsInitOperand(0), *roles, "NGKPQ");
  if (!sums)
    return std::nullopt;
  size_t axis = channelAxisOf(sums->layout, dimsOf(op, *roles));
  if (axis == sums->layout.size())
    return std::nullopt;
  return axis;
}

std::optional<ChannelPermutations>
fadiff::channelPermutations(linalg::LinalgOp op) {
  std::string reason;
  FailureOr<LoopRoles> roles = findRoles(op, reason);
  if (failed(roles))
    return std::nullopt;
  const PerDim<int64_t> dims = dimsOf(op, *roles);
  const std::pair<const char *, char> axes[] = {
      {"NGCHW", 'C'}, {"GKCRS", 'K'}, {"NGKPQ", 'K'}};
  ChannelPermutations permutations;
  bool isEmpty = true;
  for (auto [i, letters] : llvm::enumerate(axes)) {
    auto operand = operandOf(op, op->getOpOperand(i), *roles, letters.first);
    if (!operand)
      return std::nullopt;
    permuteChannelsLast(*operand, letters.second, *roles, dims);
    permutations[i] = operand->permutation;
    isEmpty &= permutations[i].empty();
  }
  if (isEmpty)
    return std::nullopt;
  return permutations;
}

/// What the sums of `channels` channels start from: zero, a bias per channel,
/// or any tensor, which is loaded as it is.
static LogicalResult matchInit(LayerMatch &match, Value init,
                               unsigned channelAxis, int64_t channels,
                               std::string &reason) {
  if (isZero(init))
    return success();
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    if (isZero(fill.getInputs()[0])) {
      match.ops.push_back(fill);
      return success();
    }
  match.bias = matchBroadcast(init, channelAxis, match.ops);
  if (!match.bias) {
    // Without pixels the two are the same.
    const auto shape = cast<RankedTensorType>(init.getType()).getShape();
    (shape == ArrayRef(channels) ? match.bias : match.residual) = init;
  }
  if (!init.getDefiningOp<tensor::EmptyOp>())
    return success();
  reason = "its sum starts from a tensor.empty, whose elements have no values; "
           "fill it with zeros first";
  return failure();
}

/// Whether the array computes op's sums: int8 products in int32, or all in f32.
static bool hasElementsOf(Arithmetic arithmetic, linalg::LinalgOp op,
                          std::string &reason) {
  Type elements[3];
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    elements[i] = cast<ShapedType>(operand.getType()).getElementType();
  const bool isInt8 = arithmetic == Arithmetic::Int8;
  if (isInt8 ? elements[0].isSignlessInteger(8) &&
                   elements[1].isSignlessInteger(8) &&
                   elements[2].isSignlessInteger(32)
             : llvm::all_of(elements, [](Type type) { return type.isF32(); }))
    return true;
  llvm::raw_string_ostream(reason)
      << "its element types are " << elements[0] << " * " << elements[1]
      << " -> " << elements[2] << "; the array takes "
      << (isInt8 ? "i8 * i8 -> i32" : "f32 * f32 -> f32");
  return false;
}

/// Whether a schedule can count the layer; this is where operations of other
/// dialects are admitted.
static bool isCountable(const Layer &layer, std::string &reason) {
  std::optional<OutOfBounds> found = findOutOfBounds(layer);
  if (!found)
    return true;
  llvm::raw_string_ostream os(reason);
  os << "its " << found->what << " is " << found->value << "; a layer has at ";
  if (found->value < found->least)
    os << "least " << found->least;
  else
    os << "most " << found->most << ", split the operation";
  return false;
}

FailureOr<LayerMatch> fadiff::matchLayer(linalg::LinalgOp op,
                                         Arithmetic arithmetic,
                                         std::string &reason,
                                         const ReadOutFeatures &readOut) {
  if (!op.hasPureTensorSemantics()) {
    reason = "it works on memrefs; fadiff-raise-memrefs brings it to tensors "
             "unless its output overlaps another operand";
    return failure();
  }
  LayerMatch match;
  match.contraction = op;
  if (!hasElementsOf(arithmetic, op, reason))
    return failure();
  FailureOr<LoopRoles> roles = findRoles(op, reason);
  if (failed(roles))
    return failure();

  OpOperand *initUse = op.getDpsInitOperand(0);
  auto input = operandOf(op, *op.getDpsInputOperand(0), *roles, "NGCHW");
  auto weights = operandOf(op, *op.getDpsInputOperand(1), *roles, "GKCRS");
  auto output = operandOf(op, *initUse, *roles, "NGKPQ");
  if (!input || !weights || !output) {
    reason =
        "an operand is indexed by an expression that is no axis of a layer";
    return failure();
  }
  match.input = *input;
  match.weights = *weights;
  match.output = *output;

  PerDim<int64_t> dims = dimsOf(op, *roles);
  size_t channelAxis = channelAxisOf(match.output.layout, dims);

  PerAxis<int64_t> pad{0, 0}, extent{1, 1};
  int64_t padValue = 0;
  if (tensor::PadOp padOp =
          roles->isWindow
              ? matchPad(match.input.value, match.input.layout, padValue)
              : tensor::PadOp()) {
    match.ops.push_back(padOp);
    match.input.value = padOp.getSource();
    for (auto [axis, letter] : llvm::enumerate(match.input.layout))
      if (letter == 'H' || letter == 'W')
        pad[letter == 'H' ? Axis::H : Axis::W] = padOp.getStaticLow()[axis];
  }
  auto inputType = cast<RankedTensorType>(match.input.value.getType());
  for (auto [axis, letter] : llvm::enumerate(match.input.layout))
    if (letter == 'H' || letter == 'W')
      extent[letter == 'H' ? Axis::H : Axis::W] = inputType.getDimSize(axis);

  Layer layer;
  layer.dims = dims;
  layer.stride = roles->stride;
  layer.dilation = roles->dilation;
  layer.padLow = pad;
  layer.padValue = padValue;
  layer.inputExtent = extent;
  if (!isCountable(layer, reason))
    return failure();

  const int64_t channels = dims[Dim::G] * dims[Dim::K];
  if (failed(matchInit(match, initUse->get(), channelAxis, channels, reason)))
    return failure();
  match.ops.push_back(op);

  ReadOutFeatures ofTail = readOut;
  ofTail.perChannel &= channels <= readOut.scales;
  Tail tail = matchTail(op->getResult(0), channelAxis, match.bias, ofTail);
  // To the layer a bias has one value per group and channel.
  auto biasType = tail.bias ? cast<RankedTensorType>(tail.bias.getType())
                            : RankedTensorType();
  if (biasType && biasType.getDimSize(0) != channels) {
    reason = "it has groups that share one bias";
    return failure();
  }
  const int64_t scaled = tail.scales ? tail.scales.getNumElements() : channels;
  if (scaled != channels && scaled != dims[Dim::K]) {
    reason = "it has channels of a group that share one scale";
    return failure();
  }
  match.bias = tail.bias;
  match.tailEnd = tail.end;
  match.tailEndsAt = tail.endsAt;
  match.tailIsReal = tail.isReal;
  match.ops.append(tail.ops);
  match.output.value = tail.result;
  match.channelAxis = channelAxis;

  permuteChannelsLast(match.input, 'C', *roles, dims);
  permuteChannelsLast(match.weights, 'K', *roles, dims);
  permuteChannelsLast(match.output, 'K', *roles, dims);
  if (match.residual)
    match.residualPermutation = match.output.permutation;

  MLIRContext *context = op.getContext();
  SmallVector<int64_t> bounds;
  for (Dim dim : kAllDims)
    bounds.push_back(dims[dim]);
  match.workload = ir::WorkloadAttr::get(
      context, bounds, {roles->stride[Axis::H], roles->stride[Axis::W]},
      {roles->dilation[Axis::H], roles->dilation[Axis::W]},
      {pad[Axis::H], pad[Axis::W]}, {extent[Axis::H], extent[Axis::W]},
      padValue, match.input.permutedLayout(), match.weights.permutedLayout(),
      match.output.permutedLayout());
  DenseFPElementsAttr scales = tail.scales;
  // To the layer each group has scales of its own.
  if (scaled != channels) {
    SmallVector<APFloat> ofGroups;
    for (int64_t group = 0; group < dims[Dim::G]; ++group)
      llvm::append_range(ofGroups, scales.getValues<APFloat>());
    auto type =
        RankedTensorType::get({channels}, scales.getType().getElementType());
    scales = cast<DenseFPElementsAttr>(DenseElementsAttr::get(type, ofGroups));
  }
  Attribute scale = scales;
  if (!scale && tail.scale)
    scale = FloatAttr::get(Float32Type::get(context), *tail.scale);
  match.epilogue =
      ir::EpilogueAttr::get(context, scale, tail.relu, tail.zeroPoint, tail.low,
                            tail.high, ir::MaxPoolAttr(), FloatAttr(), 0);
  return match;
}
