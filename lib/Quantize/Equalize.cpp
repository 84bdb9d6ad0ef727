//===- Equalize.cpp - Channels of one range -------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Equalize.h"
#include "Network.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::quantize;

namespace {
/// A layer's constants while they change.
struct Constants {
  std::vector<float> weights, bias;
};

/// An axis of a tensor's elements in row-major order.
struct AxisOf {
  size_t count = 1, inner = 1;

  AxisOf(ArrayRef<int64_t> shape, unsigned axis) : count(size_t(shape[axis])) {
    for (int64_t extent : shape.drop_front(axis + 1))
      inner *= size_t(extent);
  }
  size_t operator()(size_t index) const { return index / inner % count; }
};

struct Pair {
  unsigned first, second;
  AxisOf firstAxis, secondAxis; ///< of the weights
  /// By how much each channel is divided so far, and the least that may be.
  std::vector<double> total, least;
  std::vector<double> outputs; ///< what each channel reaches
  /// Channels whose factor stays 1.
  std::vector<bool> isFixed;
};
} // namespace

static ArrayRef<int64_t> shapeOf(const FloatLayer &layer) {
  DenseElementsAttr weights = layer.weights;
  return weights.getType().getShape();
}

/// The operand that alone reads `value`, behind padding with zeros and max
/// pooling that leave the axis `axis` as it is.
static OpOperand *soleReader(Value value, unsigned axis) {
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *op = use.getOwner();
    const bool pools =
        isa<linalg::PoolingNhwcMaxOp, linalg::PoolingNchwMaxOp>(op);
    const unsigned channels = isa<linalg::PoolingNchwMaxOp>(op) ? 1 : 3;
    if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      // Zeros, and what is less than any number, are so at any scale.
      if (pad.getStaticLow()[axis] != 0 || pad.getStaticHigh()[axis] != 0 ||
          !pad.getConstantPaddingValue())
        return nullptr;
      auto constant =
          pad.getConstantPaddingValue().getDefiningOp<arith::ConstantOp>();
      auto number =
          constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
      if (!number ||
          (!number.getValue().isZero() && !number.getValue().isInfinity()))
        return nullptr;
    } else if (!pools || use.getOperandNumber() != 0 || axis != channels) {
      return &use;
    }
    value = op->getResult(0);
  }
  return nullptr;
}

static std::vector<Pair> findPairs(FloatNetwork &network) {
  llvm::DenseMap<Operation *, unsigned> layerOf;
  for (auto [index, layer] : llvm::enumerate(network.layers))
    layerOf[layer.op] = unsigned(index);
  std::vector<Pair> pairs;
  for (auto [index, layer] : llvm::enumerate(network.layers)) {
    if (!layer.weights || !layer.channelAxis || !layer.weightAxis)
      continue;
    OpOperand *use = soleReader(layer.output, *layer.channelAxis);
    auto it = use ? layerOf.find(use->getOwner()) : layerOf.end();
    if (it == layerOf.end() || use->getOperandNumber() != 0)
      continue;
    FloatLayer &reader = network.layers[it->second];
    if (!reader.weights)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(
        reader.op.getMatchingIndexingMap(use).getResult(*layer.channelAxis));
    if (!loop)
      continue;
    std::optional<unsigned> axis =
        reader.op.getMatchingIndexingMap(reader.op.getDpsInputOperand(1))
            .getResultPosition(loop);
    if (!axis || shapeOf(reader)[*axis] != layer.channels ||
        shapeOf(layer)[*layer.weightAxis] != layer.channels)
      continue;
    pairs.push_back({unsigned(index), it->second,
                     AxisOf(shapeOf(layer), *layer.weightAxis),
                     AxisOf(shapeOf(reader), *axis),
                     std::vector<double>(size_t(layer.channels), 1.0),
                     std::vector<double>(size_t(layer.channels), 0.0),
                     std::vector<double>(size_t(layer.channels), 0.0),
                     std::vector<bool>(size_t(layer.channels), false)});
  }
  return pairs;
}

/// What the first layers' outputs are seen to reach, and what their upper
/// bounds leave to do. False if `maxima` failed.
static bool lookAtOutputs(FloatNetwork &network, std::vector<Pair> &pairs,
                          const MaximaSource &maxima) {
  if (pairs.empty())
    return true;
  const SmallVector<unsigned> firsts =
      llvm::map_to_vector(pairs, [](const Pair &pair) { return pair.first; });
  const std::optional<ChannelMaxima> seen = maxima(network, firsts);
  if (!seen)
    return false;
  // What was not seen may be larger than what was.
  constexpr double kRoom = 1.25;
  for (Pair &pair : pairs) {
    const double high = network.layers[pair.first].high;
    for (auto [k, most] : llvm::enumerate((*seen)[pair.first])) {
      pair.outputs[k] = most;
      pair.least[k] = kRoom * most / high;
      pair.isFixed[k] = pair.least[k] >= 1;
    }
  }
  return true;
}

static std::vector<double> rangesAlong(ArrayRef<float> weights,
                                       const AxisOf &axis) {
  std::vector<double> ranges(axis.count, 0);
  for (size_t i = 0; i < weights.size(); ++i)
    ranges[axis(i)] =
        std::max(ranges[axis(i)], std::abs(static_cast<double>(weights[i])));
  return ranges;
}

/// Divides and multiplies once; returns the largest change of a range.
static double equalize(Pair &pair, std::vector<Constants> &constants) {
  Constants &first = constants[pair.first];
  Constants &second = constants[pair.second];
  const std::vector<double> before = rangesAlong(first.weights, pair.firstAxis);
  const std::vector<double> behind =
      rangesAlong(second.weights, pair.secondAxis);
  // Of the widest channel, which sets the scale of the tensor.
  auto widest = [](const std::vector<double> &ranges) {
    return std::max(*llvm::max_element(ranges),
                    std::numeric_limits<double>::min());
  };
  const double most[] = {widest(before), widest(pair.outputs), widest(behind)};
  std::vector<float> factors(before.size(), 1.0f);
  double change = 0;
  for (size_t k = 0; k < factors.size(); ++k) {
    if (before[k] == 0 || behind[k] == 0 || pair.isFixed[k])
      continue;
    // A channel that is next to nothing is not blown up to be of weight.
    constexpr double kMost = 1e3;
    const double share =
        std::max(before[k] / most[0], pair.outputs[k] / most[1]);
    factors[k] = static_cast<float>(std::max(
        std::clamp(std::sqrt(share / (behind[k] / most[2])), 1 / kMost, kMost),
        pair.least[k] / pair.total[k]));
    pair.total[k] *= factors[k];
    pair.outputs[k] /= factors[k];
    change = std::max(change, std::abs(std::log(double(factors[k]))));
  }
  for (size_t i = 0; i < first.weights.size(); ++i)
    first.weights[i] /= factors[pair.firstAxis(i)];
  for (size_t k = 0; k < first.bias.size(); ++k)
    first.bias[k] /= factors[k];
  for (size_t i = 0; i < second.weights.size(); ++i)
    second.weights[i] *= factors[pair.secondAxis(i)];
  return change;
}

static Value constantBefore(OpBuilder &builder, Operation *op,
                            DenseElementsAttr like,
                            const std::vector<float> &numbers) {
  builder.setInsertionPoint(op);
  return arith::ConstantOp::create(
      builder, op->getLoc(),
      DenseElementsAttr::get(like.getType(), ArrayRef<float>(numbers)));
}

/// Gives `layer` new constants; others may read the old ones.
static void replaceConstants(FloatLayer &layer, const Constants &constants) {
  OpBuilder builder(layer.op);
  layer.op->setOperand(
      1, constantBefore(builder, layer.op, layer.weights, constants.weights));
  if (!layer.bias)
    return;
  if (layer.startsFromBias) {
    Value vector =
        constantBefore(builder, layer.op, layer.bias, constants.bias);
    OpOperand *init = layer.op.getDpsInitOperand(0);
    auto type = cast<RankedTensorType>(init->get().getType());
    if (vector.getType() == type)
      return init->set(vector);
    Value empty = tensor::EmptyOp::create(
        builder, layer.op.getLoc(), type.getShape(), type.getElementType());
    SmallVector<int64_t> others;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (axis != int64_t(*layer.channelAxis))
        others.push_back(axis);
    return init->set(linalg::BroadcastOp::create(builder, layer.op.getLoc(),
                                                 vector, empty, others)
                         ->getResult(0));
  }
  for (Operation *op : layer.ops)
    if (op != layer.op.getOperation())
      for (OpOperand &operand : op->getOpOperands())
        if (operand.get() == layer.biasValue)
          operand.set(constantBefore(builder, op, layer.bias, constants.bias));
}

std::optional<unsigned> quantize::equalizeChannels(func::FuncOp function,
                                                   const MaximaSource &maxima) {
  // Weights that cannot be quantised are told of later.
  FailureOr<FloatNetwork> network = [&] {
    ScopedDiagnosticHandler silent(function.getContext(),
                                   [](Diagnostic &) { return success(); });
    return analyseNetwork(function, {});
  }();
  if (failed(network))
    return 0;
  std::vector<Pair> pairs = findPairs(*network);
  if (!lookAtOutputs(*network, pairs, maxima))
    return std::nullopt;
  std::vector<Constants> constants(network->layers.size());
  for (auto [own, layer] : llvm::zip(constants, network->layers)) {
    if (layer.weights)
      own.weights = numbersOf(layer.weights);
    if (layer.bias)
      own.bias = numbersOf(layer.bias);
  }
  // Pairs that share a layer settle after a few rounds.
  constexpr unsigned kRounds = 20;
  constexpr double kSettled = 1e-3;
  for (unsigned round = 0; round < kRounds; ++round) {
    double change = 0;
    for (Pair &pair : pairs)
      change = std::max(change, equalize(pair, constants));
    if (change < kSettled)
      break;
  }
  llvm::DenseSet<unsigned> changed;
  for (const Pair &pair : pairs)
    changed.insert_range(ArrayRef<unsigned>{pair.first, pair.second});
  for (auto [index, layer] : llvm::enumerate(network->layers))
    if (changed.contains(unsigned(index)))
      replaceConstants(layer, constants[index]);
  return unsigned(pairs.size());
}
