//===- Emit.cpp - The network in int8 -------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is written in the spelling that layers are formed from without
// any fitting (docs/Frontends.md): bytes are multiplied and summed in int32;
// sums get a bias, are multiplied by one f32, rounded half to even and clamped.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "fadiff/Quantize/Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::quantize;

std::vector<double> quantize::unitsOfSums(FloatNetwork &network, unsigned index,
                                          const Numbers &numbers) {
  FloatLayer layer = network.layers[index];
  auto scaleOfValue = [&](Value value) {
    return numbers.scales[network.classOf(value)];
  };
  const double input = scaleOfValue(layer.input());
  if (layer.isSum)
    return {input};
  if (!layer.weights)
    return {input * scaleOfValue(layer.other())};
  std::vector<double> units = numbers.layers[index].scales;
  for (double &unit : units)
    unit *= input;
  return units;
}

namespace {
class Emitter {
public:
  Emitter(FloatNetwork &network, const Numbers &numbers, bool isApart)
      : network(network), numbers(numbers), isApart(isApart),
        builder(network.function.getContext()) {
    auto module = network.function->getParentOfType<ModuleOp>();
    copy = cast<ModuleOp>(module->clone(mapping));
    function =
        cast<func::FuncOp>(mapping.lookup(network.function.getOperation()));
  }

  void run() {
    if (!isApart)
      for (Value entry : network.entries)
        quantise(entry);
    if (!isApart)
      for (OpOperand *use : network.readsBytes) {
        Value entry = use->get();
        setInsertionPointAfter(bytes[entry]);
        mapping.lookup(use->getOwner())
            ->setOperand(use->getOperandNumber(),
                         dequantise(bytes[entry], scaleOfValue(entry)));
      }
    for (const Step &step : network.steps)
      if (step.layer)
        emitLayer(*step.layer);
      else if (!isApart)
        emitMove(*step.move);
  }

  Value bytesOf(Value value) const { return bytes.lookup(value); }
  Value sumsOf(unsigned layer) const { return sums.lookup(layer); }

  /// Adds `values` to what the function returns; drops what nobody reads.
  Instrumented finish(ArrayRef<Value> values) {
    Instrumented result;
    auto ret = cast<func::ReturnOp>(function.getBody().front().getTerminator());
    result.results = ret.getNumOperands();
    ret->insertOperands(ret.getNumOperands(), values);
    auto type = function.getFunctionType();
    SmallVector<Type> results(ret.getOperandTypes());
    function.setFunctionType(
        FunctionType::get(copy.getContext(), type.getInputs(), results));
    if (ArrayAttr old = function.getResAttrsAttr()) {
      SmallVector<Attribute> attributes(old.begin(), old.end());
      attributes.resize(results.size(), DictionaryAttr::get(copy.getContext()));
      function.setResAttrsAttr(ArrayAttr::get(copy.getContext(), attributes));
    }
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
    result.module = copy;
    return result;
  }

private:
  Value mapped(Value value) const { return mapping.lookup(value); }
  double scaleOfValue(Value value) const {
    return numbers.scales[network.classOf(value)];
  }

  static Value real(OpBuilder &b, Location loc, double value) {
    return arith::ConstantOp::create(
        b, loc, b.getF32FloatAttr(static_cast<float>(value)));
  }

  /// A float as int8, from `low` on.
  static Value narrow(OpBuilder &b, Location loc, Value value, double low) {
    value = math::RoundEvenOp::create(b, loc, value);
    value = arith::MaximumFOp::create(b, loc, value, real(b, loc, low));
    value =
        arith::MinimumFOp::create(b, loc, value, real(b, loc, kLargestByte));
    return arith::FPToSIOp::create(b, loc, b.getI8Type(), value);
  }

  using Body = llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;
  /// The tensor of what `body` makes of the elements of `operands`, the first
  /// of which has the result's shape; others are read by `maps`.
  Value mapElements(Location loc, ValueRange operands, Type element, Body body,
                    ArrayRef<AffineMap> maps = {}) {
    auto type = cast<RankedTensorType>(operands[0].getType());
    const unsigned rank = type.getRank();
    SmallVector<AffineMap> all{builder.getMultiDimIdentityMap(rank)};
    llvm::append_range(all, maps);
    all.push_back(builder.getMultiDimIdentityMap(rank));
    Value empty =
        tensor::EmptyOp::create(builder, loc, type.getShape(), element);
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               builder, loc, empty.getType(), operands, ValueRange{empty}, all,
               loops,
               [&](OpBuilder &b, Location l, ValueRange args) {
                 linalg::YieldOp::create(b, l, body(b, l, args));
               })
        .getResult(0);
  }

  void setInsertionPointAfter(Value value) {
    builder.setInsertionPointAfterValue(value);
  }

  /// The bytes of float tensor `value`, from where it is made.
  Value quantise(Value value) {
    Value &result = bytes[value];
    if (result)
      return result;
    OpBuilder::InsertionGuard guard(builder);
    Value from = mapped(value);
    setInsertionPointAfter(from);
    const double scale = scaleOfValue(value);
    result = mapElements(from.getLoc(), from, builder.getI8Type(),
                         [&](OpBuilder &b, Location l, ValueRange args) {
                           Value scaled = arith::MulFOp::create(
                               b, l, args[0], real(b, l, 1 / scale));
                           return narrow(b, l, scaled, -128);
                         });
    return result;
  }

  /// `value` is `found` from now on, also to those who read it as float.
  void replace(Value value, Value found) {
    bytes[value] = found;
    if (!isApart)
      mapped(value).replaceAllUsesWith(dequantise(found, scaleOfValue(value)));
  }

  Value dequantise(Value found, double scale) {
    return mapElements(
        found.getLoc(), found, builder.getF32Type(),
        [&](OpBuilder &b, Location l, ValueRange args) {
          Value number = arith::SIToFPOp::create(b, l, b.getF32Type(), args[0]);
          return arith::MulFOp::create(b, l, number, real(b, l, scale))
              .getResult();
        });
  }

  Value operandBytes(Value value) {
    return isApart ? quantise(value) : bytes.lookup(value);
  }

  Value emitSums(FloatLayer &layer, unsigned index) {
    const Location loc = layer.op.getLoc();
    const Type i32 = builder.getI32Type();
    Value x = operandBytes(layer.input());
    if (layer.isSum)
      return mapElements(
          loc, {x, operandBytes(layer.other())}, i32,
          [&](OpBuilder &b, Location l, ValueRange args) {
            Value a = arith::ExtSIOp::create(b, l, i32, args[0]);
            Value c = arith::ExtSIOp::create(b, l, i32, args[1]);
            return arith::AddIOp::create(b, l, a, c).getResult();
          },
          builder.getMultiDimIdentityMap(
              cast<ShapedType>(x.getType()).getRank()));
    Value w;
    if (layer.weights) {
      auto type = cast<RankedTensorType>(layer.weights.getType())
                      .clone(builder.getI8Type());
      w = arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(
              type, ArrayRef<int8_t>(numbers.layers[index].weights)));
    } else {
      w = operandBytes(layer.other());
    }
    auto type = cast<RankedTensorType>(layer.sums().getType());
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), i32);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value start =
        linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
    return linalg::GenericOp::create(
               builder, loc, start.getType(), ValueRange{x, w},
               ValueRange{start}, layer.op.getIndexingMapsArray(),
               layer.op.getIteratorTypesArray(),
               [&](OpBuilder &b, Location l, ValueRange args) {
                 Value a = arith::ExtSIOp::create(b, l, i32, args[0]);
                 Value c = arith::ExtSIOp::create(b, l, i32, args[1]);
                 Value product = arith::MulIOp::create(b, l, a, c);
                 Value sum = arith::AddIOp::create(b, l, args[2], product);
                 linalg::YieldOp::create(b, l, sum);
               })
        .getResult(0);
  }

  /// Which element of a vector belongs to an element of the layer's output.
  AffineMap channelMap(const FloatLayer &layer, unsigned rank) {
    AffineExpr index = layer.channelAxis
                           ? builder.getAffineDimExpr(*layer.channelAxis)
                           : builder.getAffineConstantExpr(0);
    return AffineMap::get(rank, 0, index);
  }

  void emitLayer(unsigned index) {
    FloatLayer layer = network.layers[index];
    const LayerNumbers &own = numbers.layers[index];
    const Location loc = layer.op.getLoc();
    OpBuilder::InsertionGuard guard(builder);
    setInsertionPointAfter(mapped(layer.output));
    Value value = emitSums(layer, index);
    sums[index] = value;
    const unsigned rank = cast<ShapedType>(value.getType()).getRank();
    std::vector<double> factors = unitsOfSums(network, index, numbers);
    for (double &factor : factors)
      factor *= layer.scale / scaleOfValue(layer.output);
    const bool perChannel = factors.size() > 1;
    const bool hasBias =
        llvm::any_of(own.bias, [](int32_t number) { return number != 0; });
    SmallVector<Value> operands{value};
    SmallVector<AffineMap> maps;
    if (hasBias) {
      auto type = RankedTensorType::get({int64_t(own.bias.size())},
                                        builder.getI32Type());
      operands.push_back(arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(type, ArrayRef<int32_t>(own.bias))));
      maps.push_back(channelMap(layer, rank));
    }
    auto addBias = [&](OpBuilder &b, Location l, ValueRange args) -> Value {
      return hasBias ? arith::AddIOp::create(b, l, args[0], args[1]).getResult()
                     : args[0];
    };
    if (perChannel) {
      if (hasBias)
        operands = {
            mapElements(loc, operands, builder.getI32Type(), addBias, maps)};
      auto type = RankedTensorType::get({int64_t(factors.size())},
                                        builder.getF32Type());
      const SmallVector<float> narrowed(factors.begin(), factors.end());
      operands.push_back(arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(type, ArrayRef<float>(narrowed))));
      maps = {channelMap(layer, rank)};
    }
    value = mapElements(
        loc, operands, builder.getI8Type(),
        [&](OpBuilder &b, Location l, ValueRange args) {
          Value sum = perChannel ? args[0] : addBias(b, l, args);
          Value number = arith::SIToFPOp::create(b, l, b.getF32Type(), sum);
          Value factor = perChannel ? args[1] : real(b, l, factors[0]);
          Value scaled = arith::MulFOp::create(b, l, number, factor);
          return narrow(b, l, scaled, layer.relu ? 0 : -128);
        },
        maps);
    replace(layer.output, value);
  }

  void emitMove(const Move &move) {
    Operation *op = mapping.lookup(move.op);
    const Location loc = op->getLoc();
    const Type i8 = builder.getI8Type();
    auto type = cast<RankedTensorType>(move.result().getType()).clone(i8);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(op);
    Value source = bytes.lookup(move.sources[0]);
    auto number = [&](int8_t value) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getIntegerAttr(i8, value));
    };
    auto empty = [&]() -> Value {
      return tensor::EmptyOp::create(builder, loc, type.getShape(), i8);
    };
    auto pad = [&](tensor::PadOp from, int8_t value) -> Value {
      return tensor::PadOp::create(
          builder, loc,
          cast<RankedTensorType>(from.getResult().getType()).clone(i8), source,
          from.getMixedLowPad(), from.getMixedHighPad(), number(value));
    };
    Value result =
        llvm::TypeSwitch<Operation *, Value>(op)
            .Case([&](linalg::TransposeOp turned) {
              return linalg::TransposeOp::create(builder, loc, source, empty(),
                                                 turned.getPermutation())
                  ->getResult(0);
            })
            .Case([&](tensor::PadOp from) { return pad(from, 0); })
            .Case([&](tensor::InsertSliceOp insert) -> Value {
              Value dest = move.sources.size() > 1
                               ? bytes.lookup(move.sources[1])
                               : empty();
              return tensor::InsertSliceOp::create(
                  builder, loc, source, dest, insert.getMixedOffsets(),
                  insert.getMixedSizes(), insert.getMixedStrides());
            })
            .Case([&](tensor::ConcatOp concat) -> Value {
              SmallVector<Value> parts = llvm::map_to_vector(
                  move.sources, [&](Value v) { return bytes.lookup(v); });
              return tensor::ConcatOp::create(builder, loc, type,
                                              concat.getDim(), parts);
            })
            .Case([&](linalg::GenericOp generic) -> Value {
              return linalg::GenericOp::create(
                         builder, loc, type, ValueRange{source},
                         ValueRange{empty()}, generic.getIndexingMapsArray(),
                         generic.getIteratorTypesArray(),
                         [](OpBuilder &b, Location l, ValueRange args) {
                           linalg::YieldOp::create(b, l, args[0]);
                         })
                  .getResult(0);
            })
            .Default([&](Operation *other) -> Value {
              if (move.isPool)
                return emitPool(other, source, type, pad, number);
              Operation *moved = builder.clone(*other);
              moved->setOperand(0, source);
              moved->getResult(0).setType(type);
              return moved->getResult(0);
            });
    replace(move.result(), result);
  }

  Value emitPool(Operation *op, Value source, RankedTensorType type,
                 llvm::function_ref<Value(tensor::PadOp, int8_t)> pad,
                 llvm::function_ref<Value(int8_t)> number) {
    const Location loc = op->getLoc();
    auto pool = cast<linalg::LinalgOp>(op);
    if (auto padded = pool.getDpsInputs()[0].getDefiningOp<tensor::PadOp>();
        padded && padded.getResultType().getShape() !=
                      cast<ShapedType>(source.getType()).getShape())
      source = pad(padded, INT8_MIN);
    Value taps = tensor::EmptyOp::create(
        builder, loc,
        cast<ShapedType>(pool.getDpsInputs()[1].getType()).getShape(),
        type.getElementType());
    Value start = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    start = linalg::FillOp::create(builder, loc, number(INT8_MIN), start)
                .getResult(0);
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<linalg::PoolingNhwcMaxOp, linalg::PoolingNchwMaxOp,
              linalg::PoolingNwcMaxOp, linalg::PoolingNcwMaxOp>(
            [&](auto named) -> Value {
              return std::decay_t<decltype(named)>::create(
                         builder, loc, TypeRange{type},
                         ValueRange{source, taps}, ValueRange{start},
                         named.getStridesAttr(), named.getDilationsAttr())
                  ->getResult(0);
            });
  }

  FloatNetwork &network;
  const Numbers &numbers;
  bool isApart;
  OpBuilder builder;
  IRMapping mapping;
  ModuleOp copy;
  func::FuncOp function;
  DenseMap<Value, Value> bytes;
  DenseMap<unsigned, Value> sums;
};
} // namespace

Instrumented quantize::returnReals(FloatNetwork &network,
                                   ArrayRef<Value> values) {
  IRMapping mapping;
  auto module = network.function->getParentOfType<ModuleOp>();
  auto copy = cast<ModuleOp>(module->clone(mapping));
  auto function =
      cast<func::FuncOp>(mapping.lookup(network.function.getOperation()));
  auto ret = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  Instrumented result;
  result.results = ret.getNumOperands();
  for (Value value : values)
    ret->insertOperands(ret.getNumOperands(), mapping.lookup(value));
  SmallVector<Type> results(ret.getOperandTypes());
  function.setFunctionType(FunctionType::get(
      copy.getContext(), function.getFunctionType().getInputs(), results));
  function.removeResAttrsAttr();
  result.module = copy;
  return result;
}

Instrumented quantize::emitApart(FloatNetwork &network,
                                 const Numbers &numbers) {
  Emitter emitter(network, numbers, /*isApart=*/true);
  emitter.run();
  SmallVector<Value> values;
  for (auto [index, layer] : llvm::enumerate(network.layers))
    values.push_back(emitter.bytesOf(layer.output));
  for (auto [index, layer] : llvm::enumerate(network.layers))
    if (layer.weights)
      values.push_back(emitter.sumsOf(unsigned(index)));
  return emitter.finish(values);
}

Instrumented quantize::emitWhole(FloatNetwork &network, const Numbers &numbers,
                                 bool returnsOutputs) {
  Emitter emitter(network, numbers, /*isApart=*/false);
  emitter.run();
  SmallVector<Value> values;
  if (returnsOutputs)
    for (const FloatLayer &layer : network.layers)
      values.push_back(emitter.bytesOf(layer.output));
  return emitter.finish(values);
}
