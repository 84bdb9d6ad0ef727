//===- RandomNetwork.cpp - Random small networks as MLIR text -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomNetwork.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <optional>

using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

using Shape = SmallVector<int64_t, 4>;

std::string tensorType(ArrayRef<int64_t> shape, const char *element) {
  std::string type = "tensor<";
  for (int64_t extent : shape)
    type += std::to_string(extent) + "x";
  return type + element + ">";
}

/// A tensor value on its way through the network.
struct Value {
  std::string name;
  Shape shape;
  const char *element = "";
  std::string type() const { return tensorType(shape, element); }
};

class Writer {
public:
  /// `wide`: tails that only a read-out which can do more has.
  Writer(std::mt19937_64 &rng, bool real, bool wide = false)
      : rng(rng), real(real), wide(wide), operand(real ? "f32" : "i8"),
        sumType(real ? "f32" : "i32"), zero(real ? "0.0" : "0"), os(body) {}

  std::string write() { return write(network()); }
  std::string writeChain() { return write(chain()); }
  std::string writePools() { return write(pools()); }
  std::string writePooledBlocks() { return write(pooledBlocks()); }
  std::string writePooledBranches() { return write(pooledBranches()); }
  std::string writeThin() { return write(thin()); }
  std::string writeBlocks() { return write(blocks()); }
  std::string writeProduct() { return write(product()); }

private:
  std::string write(const Value &result) {
    os.flush();
    std::string module = "func.func @main(";
    for (size_t i = 0; i < arguments.size(); ++i)
      module +=
          (i ? ", " : "") + arguments[i].name + ": " + arguments[i].type();
    return module + ") -> " + result.type() + " {\n" + body + "  return " +
           result.name + " : " + result.type() + "\n}\n";
  }

  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(rng() % (high - low + 1));
  }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  /// Mostly small, sometimes up to 200, often odd.
  int64_t channels() { return chance(25) ? pick(1, 200) : pick(1, 40); }

  Value argument(ArrayRef<int64_t> shape, const char *element) {
    Value value{"%arg" + std::to_string(arguments.size()), Shape(shape),
                element};
    arguments.push_back(value);
    return value;
  }
  Value fresh(ArrayRef<int64_t> shape, const char *element) {
    return {"%v" + std::to_string(next++), Shape(shape), element};
  }
  std::string constant(const std::string &value, const char *type) {
    std::string name = "%c" + std::to_string(next++);
    os << "  " << name << " = arith.constant " << value << " : " << type
       << '\n';
    return name;
  }
  Value empty(ArrayRef<int64_t> shape, const char *element) {
    Value value = fresh(shape, element);
    os << "  " << value.name << " = tensor.empty() : " << value.type() << '\n';
    return value;
  }
  Value zeros(ArrayRef<int64_t> shape) { return filled(shape, sumType, zero); }
  Value filled(ArrayRef<int64_t> shape, const char *element, const char *with) {
    std::string start = constant(with, element);
    Value init = empty(shape, element), value = fresh(shape, element);
    os << "  " << value.name << " = linalg.fill ins(" << start << " : "
       << element << ") outs(" << init.name << " : " << init.type() << ") -> "
       << value.type() << '\n';
    return value;
  }

  /// With zeros, or with a zero point.
  Value pad(const Value &input, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
    return pad(input, low, high,
               real || chance(60) ? zero : std::to_string(pick(-128, 127)));
  }
  Value pad(const Value &input, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
            const std::string &with) {
    Shape shape = input.shape;
    for (size_t i = 0; i < shape.size(); ++i)
      shape[i] += low[i] + high[i];
    if (shape == input.shape)
      return input;
    std::string padding = constant(with, operand);
    Value value = fresh(shape, operand);
    auto list = [&](ArrayRef<int64_t> values) {
      std::string text;
      for (int64_t v : values)
        text += (text.empty() ? "" : ", ") + std::to_string(v);
      return text;
    };
    os << "  " << value.name << " = tensor.pad " << input.name << " low["
       << list(low) << "] high[" << list(high) << "] {\n  ^bb0(";
    for (size_t i = 0; i < shape.size(); ++i)
      os << (i ? ", " : "") << "%i" << i << ": index";
    os << "):\n    tensor.yield " << padding << " : " << operand
       << "\n  } : " << input.type() << " to " << value.type() << '\n';
    return value;
  }

  Value contract(const std::string &op, const std::string &attributes,
                 const Value &input, const Value &weights,
                 ArrayRef<int64_t> shape) {
    Value init = startsFromTensors && chance(15) ? argument(shape, sumType)
                                                 : zeros(shape);
    Value sum = fresh(shape, sumType);
    os << "  " << sum.name << " = " << op << attributes << " ins(" << input.name
       << ", " << weights.name << " : " << input.type() << ", "
       << weights.type() << ") outs(" << init.name << " : " << init.type()
       << ") -> " << sum.type() << '\n';
    return sum;
  }

  /// Elementwise `code` on `input`, whose scalar is %in; the result is %r. A
  /// second operand, %b, has a value per channel or per element.
  Value elementwise(const Value &input, const char *element,
                    const std::string &code, const Value *bias = nullptr,
                    size_t channelAxis = 0) {
    Value init = empty(input.shape, element),
          value = fresh(input.shape, element);
    std::string dims, iterators;
    for (size_t i = 0; i < input.shape.size(); ++i) {
      dims += (i ? ", d" : "d") + std::to_string(i);
      iterators += std::string(i ? ", " : "") + "\"parallel\"";
    }
    std::string map = "affine_map<(" + dims + ") -> (" + dims + ")>";
    os << "  " << value.name << " = linalg.generic {indexing_maps = [" << map
       << ", ";
    if (bias && bias->shape.size() == input.shape.size())
      os << map << ", ";
    else if (bias)
      os << "affine_map<(" << dims << ") -> (d" << channelAxis << ")>, ";
    os << map << "], iterator_types = [" << iterators << "]} ins(" << input.name
       << (bias ? ", " + bias->name : "") << " : " << input.type()
       << (bias ? ", " + bias->type() : "") << ") outs(" << init.name << " : "
       << init.type() << ") {\n  ^bb0(%in: " << input.element
       << (bias ? std::string(", %b: ") + bias->element : "")
       << ", %out: " << element << "):\n"
       << code << "    linalg.yield %r : " << element << "\n  } -> "
       << value.type() << '\n';
    return value;
  }

  /// Bias, requantisation, ReLU, each perhaps.
  Value tail(Value sum, size_t channelAxis, int64_t fanIn, bool mustRequantise,
             bool mayBias = true) {
    if (mayBias && chance(60)) {
      Value bias = argument({sum.shape[channelAxis]}, sumType);
      sum = elementwise(sum, sumType,
                        real ? "    %r = arith.addf %in, %b : f32\n"
                             : "    %r = arith.addi %in, %b : i32\n",
                        &bias, channelAxis);
    }
    if (!mustRequantise && chance(20))
      return sum;
    if (real)
      return realTail(sum, fanIn);
    const double magnitude = 73.0 * std::sqrt(double(fanIn));
    return wide ? wideReadOut(sum, magnitude, channelAxis)
                : readOut(sum, magnitude);
  }

  std::string factor(double magnitude) {
    std::string scale;
    llvm::raw_string_ostream(scale)
        << llvm::format("%.8e", (0.3 + 0.1 * double(pick(0, 12))) / magnitude);
    return scale;
  }

  /// The same with scales of channels, a zero point, bounds and ReLU, each
  /// perhaps.
  Value wideReadOut(Value sum, double magnitude, size_t channelAxis) {
    std::optional<Value> scales;
    if (chance(60)) {
      scales = Value{"", {sum.shape[channelAxis]}, "f32"};
      std::string values;
      for (int64_t i = 0; i < scales->shape[0]; ++i)
        values += (i ? ", " : "") + factor(magnitude);
      scales->name =
          constant("dense<[" + values + "]>", scales->type().c_str());
    }
    const std::string scale =
        scales ? "%b" : constant(factor(magnitude), "f32");
    const int64_t zeroPoint = chance(70) ? pick(-128, 127) : 0;
    int64_t low = -128, high = 127;
    if (chance(40)) {
      low = pick(-128, 100);
      high = pick(low, 127);
    }
    if (chance(40)) // ReLU
      low = std::max(low, zeroPoint);
    high = std::max(low, high);
    auto real = [&](int64_t value) {
      return constant(std::to_string(value) + ".0", "f32");
    };
    std::string offset = real(zeroPoint), least = real(low), most = real(high);
    return elementwise(
        sum, "i8",
        "    %f = arith.sitofp %in : i32 to f32\n    %m = arith.mulf %f, " +
            scale +
            " : f32\n    %e = math.roundeven %m : f32\n    %z = "
            "arith.addf %e, " +
            offset + " : f32\n    %l = arith.maximumf %z, " + least +
            " : f32\n    %h = arith.minimumf %l, " + most +
            " : f32\n    %r = arith.fptosi %h : f32 to i8\n",
        scales ? &*scales : nullptr, channelAxis);
  }

  /// Requantisation and perhaps ReLU of sums of about `magnitude` times what is
  /// left; some saturate.
  Value readOut(Value sum, double magnitude) {
    std::string s = constant(factor(magnitude), "f32"),
                low = constant("-128.0", "f32"),
                high = constant("127.0", "f32");
    Value result = elementwise(
        sum, "i8",
        "    %f = arith.sitofp %in : i32 to f32\n    %m = arith.mulf %f, " + s +
            " : f32\n    %e = math.roundeven %m : f32\n    %l = "
            "arith.maximumf %e, " +
            low + " : f32\n    %h = arith.minimumf %l, " + high +
            " : f32\n    %r = arith.fptosi %h : f32 to i8\n");
    if (!chance(50))
      return result;
    return elementwise(result, "i8",
                       "    %r = arith.maxsi %in, " + constant(zero, "i8") +
                           " : i8\n");
  }

  /// Scale, ReLU, each perhaps.
  Value realTail(Value sum, int64_t fanIn) {
    std::string scale;
    llvm::raw_string_ostream(scale)
        << llvm::format("%.8e", 1.0 / std::sqrt(double(fanIn)));
    if (chance(50))
      sum = elementwise(sum, "f32",
                        "    %r = arith.mulf %in, " + constant(scale, "f32") +
                            " : f32\n");
    if (chance(50))
      sum = elementwise(sum, "f32",
                        "    %r = arith.maximumf %in, " +
                            constant("0.0", "f32") + " : f32\n");
    return sum;
  }

  /// Now and then with a weight, a scale and a bias.
  Value residual(const Value &value, const Value &other) {
    std::string input = "    %x = arith.extsi %in : i8 to i32\n",
                added = "    %y = arith.extsi %b : i8 to i32\n", x = "%x";
    const int64_t weight = chance(30) ? pick(2, 3) : 1;
    if (weight != 1) {
      input += "    %wx = arith.muli %x, " +
               constant(std::to_string(weight), "i32") + " : i32\n";
      x = "%wx";
    }
    if (chance(50)) {
      const std::string scale =
          constant(std::to_string(0.1 * double(pick(1, 12))), "f32");
      const std::string low = constant("-128.0", "f32"),
                        high = constant("127.0", "f32");
      added = "    %f = arith.sitofp %b : i8 to f32\n    %m = arith.mulf %f, " +
              scale +
              " : f32\n    %e = math.roundeven %m : f32\n    %l = "
              "arith.maximumf %e, " +
              low + " : f32\n    %h = arith.minimumf %l, " + high +
              " : f32\n    %s = arith.fptosi %h : f32 to i8\n"
              "    %y = arith.extsi %s : i8 to i32\n";
      if (chance(50)) {
        added += "    %whole = arith.extsi %b : i8 to i32\n"
                 "    %often = arith.muli %whole, " +
                 constant(std::to_string(pick(1, 3)), "i32") +
                 " : i32\n    %xw = arith.addi " + x + ", %often : i32\n";
        x = "%xw";
      }
    }
    Value sum = elementwise(
        value, "i32",
        input + added + "    %r = arith.addi " + x + ", %y : i32\n", &other);
    if (chance(30)) {
      const size_t channelAxis = sum.shape.size() - 1;
      Value bias = argument({sum.shape[channelAxis]}, sumType);
      sum = elementwise(sum, "i32", "    %r = arith.addi %in, %b : i32\n",
                        &bias, channelAxis);
    }
    return readOut(sum, /*magnitude=*/double(weight));
  }

  /// Pixels of padding on one side of windows of `reach` pixels, `stride`
  /// apart: up to half a window, now and then so many that whole windows lie in
  /// it.
  int64_t padding(int64_t reach, int64_t stride) {
    return chance(85) ? pick(0, reach / 2) : pick(0, reach + stride);
  }

  Value convolution(Value input, bool pointwise, bool mustRequantise) {
    enum Layout { NHWC_HWCF, NHWC_FHWC, NCHW_FCHW };
    Layout layout = pointwise || !chance(30)
                        ? NHWC_HWCF
                        : (chance(50) ? NHWC_FHWC : NCHW_FCHW);
    bool channelsFirst = layout == NCHW_FCHW;
    size_t h = channelsFirst ? 2 : 1, w = h + 1, c = channelsFirst ? 1 : 3;
    int64_t r = pointwise ? 1 : pick(1, 7), s = pointwise ? 1 : pick(1, 7);
    int64_t strideH = pointwise ? 1 : pick(1, 3),
            strideW = pointwise ? 1 : pick(1, 3);
    int64_t dilH = pointwise || chance(70) ? 1 : 2,
            dilW = pointwise || chance(70) ? 1 : 2;
    Shape low(4, 0), high(4, 0);
    if (!pointwise) {
      // Enough padding for one output at least, sometimes more than the kernel.
      low[h] = pick(0, r), low[w] = pick(0, s);
      high[h] = pick(0, r), high[w] = pick(0, s);
      high[h] += std::max<int64_t>(0, (r - 1) * dilH + 1 - low[h] - high[h] -
                                          input.shape[h]);
      high[w] += std::max<int64_t>(0, (s - 1) * dilW + 1 - low[w] - high[w] -
                                          input.shape[w]);
    }
    Value padded = pad(input, low, high);
    int64_t k = channels(), inC = input.shape[c];
    Shape weightShape = layout == NHWC_HWCF   ? Shape{r, s, inC, k}
                        : layout == NHWC_FHWC ? Shape{k, r, s, inC}
                                              : Shape{k, inC, r, s};
    int64_t p = (padded.shape[h] - (r - 1) * dilH - 1) / strideH + 1;
    int64_t q = (padded.shape[w] - (s - 1) * dilW - 1) / strideW + 1;
    Shape out = channelsFirst ? Shape{input.shape[0], k, p, q}
                              : Shape{input.shape[0], p, q, k};
    static const char *const names[] = {"linalg.conv_2d_nhwc_hwcf",
                                        "linalg.conv_2d_nhwc_fhwc",
                                        "linalg.conv_2d_nchw_fchw"};
    Value sum = contract(names[layout], window(strideH, strideW, dilH, dilW),
                         padded, argument(weightShape, operand), out);
    return tail(sum, c, inC * r * s, mustRequantise);
  }

  std::string window(int64_t strideH, int64_t strideW, int64_t dilH,
                     int64_t dilW) {
    return " {dilations = dense<[" + std::to_string(dilH) + ", " +
           std::to_string(dilW) + "]> : tensor<2xi64>, strides = dense<[" +
           std::to_string(strideH) + ", " + std::to_string(strideW) +
           "]> : tensor<2xi64>}";
  }

  Value depthwise(Value input, bool mustRequantise) {
    int64_t r = pick(1, 5), s = pick(1, 5), strideH = pick(1, 3),
            strideW = pick(1, 3), dilation = chance(80) ? 1 : 2;
    Shape low(4, 0), high(4, 0);
    for (int axis : {1, 2}) {
      int64_t reach = ((axis == 1 ? r : s) - 1) * dilation + 1;
      low[axis] = padding(reach, axis == 1 ? strideH : strideW);
      high[axis] = padding(reach, axis == 1 ? strideH : strideW);
      high[axis] += std::max<int64_t>(0, reach - low[axis] - high[axis] -
                                             input.shape[axis]);
    }
    Value padded = pad(input, low, high);
    int64_t c = input.shape[3];
    Shape out{input.shape[0],
              (padded.shape[1] - (r - 1) * dilation - 1) / strideH + 1,
              (padded.shape[2] - (s - 1) * dilation - 1) / strideW + 1, c};
    Value sum = contract("linalg.depthwise_conv_2d_nhwc_hwc",
                         window(strideH, strideW, dilation, dilation), padded,
                         argument({r, s, c}, operand), out);
    return tail(sum, 3, r * s, mustRequantise);
  }

  /// Groups of several channels, in two layouts, or several outputs of each
  /// channel.
  Value grouped() {
    const int64_t n = pick(1, 3), h = pick(1, 12), w = pick(1, 12);
    const int64_t g = pick(2, 5), c = pick(1, 9), k = pick(2, 9);
    const int64_t r = pick(1, 4), s = pick(1, 4);
    const int64_t strideH = pick(1, 3), strideW = pick(1, 3);
    const int64_t lowH = padding(r, strideH), lowW = padding(s, strideW);
    const int64_t highH =
        padding(r, strideH) + std::max<int64_t>(0, r - lowH - h);
    const int64_t highW =
        padding(s, strideW) + std::max<int64_t>(0, s - lowW - w);
    const int64_t p = (h + lowH + highH - r) / strideH + 1,
                  q = (w + lowW + highW - s) / strideW + 1;
    const std::string windows = window(strideH, strideW, 1, 1);
    auto sum = [&](const std::string &op, const Shape &input, const Shape &low,
                   const Shape &high, const Shape &weights, const Shape &out) {
      Value padded = pad(argument(input, operand), low, high);
      return contract("linalg." + op, windows, padded,
                      argument(weights, operand), out);
    };
    auto finish = [&](Value sums, int64_t channels) {
      return tail(sums, 0, channels * r * s, /*mustRequantise=*/false,
                  /*mayBias=*/false);
    };
    switch (pick(0, 2)) {
    case 0:
      return finish(sum("conv_2d_nhwgc_gfhwc", {n, h, w, g, c},
                        {0, lowH, lowW, 0, 0}, {0, highH, highW, 0, 0},
                        {g, k, r, s, c}, {n, p, q, g, k}),
                    c);
    case 1:
      return finish(sum("conv_2d_ngchw_gfchw", {n, g, c, h, w},
                        {0, 0, 0, lowH, lowW}, {0, 0, 0, highH, highW},
                        {g, k, c, r, s}, {n, g, k, p, q}),
                    c);
    default:
      return finish(sum("depthwise_conv_2d_nhwc_hwcm", {n, h, w, g},
                        {0, lowH, lowW, 0}, {0, highH, highW, 0}, {r, s, g, k},
                        {n, p, q, g, k}),
                    1);
    }
  }

  Value gemm(Value input, bool mustRequantise) {
    int64_t k = channels();
    Value sum =
        contract("linalg.matmul", "", input,
                 argument({input.shape[1], k}, operand), {input.shape[0], k});
    return tail(sum, 1, input.shape[1], mustRequantise);
  }

  Value batchedGemm() {
    int64_t batch = pick(1, 5), m = pick(1, 40), k = channels(), c = channels();
    Value input = argument({batch, m, c}, operand);
    Value sum = contract("linalg.batch_matmul", "", input,
                         argument({batch, c, k}, operand), {batch, m, k});
    return tail(sum, 2, c, /*mustRequantise=*/false, /*mayBias=*/false);
  }

  Value image() { return image(pick(1, 3), channels()); }
  Value image(int64_t batch, int64_t channels) {
    // Keep products of extents small: these run in an interpreter of sorts. In
    // the smallest most pixels are borders.
    auto extent = [&] {
      return pick(1, chance(20) ? 40 : chance(30) ? 4 : 16);
    };
    int64_t h = extent(), w = extent();
    return argument({batch, h, w, channels}, operand);
  }

  /// A layer of a chain: kernels 1 to 5, strides 1 to 3, in the layout that
  /// fuses. `keepsShape` has the result in the input's shape.
  Value link(Value input, bool mustRequantise, bool keepsShape = false,
             bool mustBeWindow = false) {
    const bool depthwise = !mustBeWindow && chance(30);
    const bool pointwise = !mustBeWindow && !depthwise && chance(40);
    int64_t r = pointwise ? 1 : pick(1, 5), s = pointwise ? 1 : pick(1, 5);
    int64_t strideH = keepsShape || chance(65) ? 1 : pick(2, 3);
    int64_t strideW = keepsShape || chance(65) ? 1 : pick(2, 3);
    int64_t dilH = pointwise || chance(85) ? 1 : pick(2, 3);
    int64_t dilW = pointwise || chance(85) ? 1 : pick(2, 3);
    Shape low(4, 0), high(4, 0);
    for (int axis : {1, 2}) {
      int64_t reach = axis == 1 ? (r - 1) * dilH + 1 : (s - 1) * dilW + 1;
      int64_t stride = axis == 1 ? strideH : strideW;
      if (keepsShape) {
        low[axis] = pick(0, reach - 1);
        high[axis] = reach - 1 - low[axis];
        continue;
      }
      low[axis] = padding(reach, stride);
      high[axis] = padding(reach, stride);
      high[axis] += std::max<int64_t>(0, reach - low[axis] - high[axis] -
                                             input.shape[axis]);
    }
    Value padded = pad(input, low, high);
    int64_t c = input.shape[3], k = depthwise || keepsShape ? c : channels();
    Shape out{input.shape[0],
              (padded.shape[1] - (r - 1) * dilH - 1) / strideH + 1,
              (padded.shape[2] - (s - 1) * dilW - 1) / strideW + 1, k};
    Shape weights = depthwise ? Shape{r, s, c} : Shape{r, s, c, k};
    Value sum = contract(depthwise ? "linalg.depthwise_conv_2d_nhwc_hwc"
                                   : "linalg.conv_2d_nhwc_hwcf",
                         window(strideH, strideW, dilH, dilW), padded,
                         argument(weights, operand), out);
    return tail(sum, 3, (depthwise ? 1 : c) * r * s, mustRequantise);
  }

  Value chain() {
    Value value = image();
    for (int64_t links = pick(2, 5); links > 0; --links) {
      if (!real && chance(20)) { // a residual block
        Value inner = link(value, /*mustRequantise=*/true, /*keepsShape=*/true);
        if (chance(50))
          inner = link(inner, /*mustRequantise=*/true, /*keepsShape=*/true);
        value = chance(50) ? residual(inner, value) : residual(value, inner);
        continue;
      }
      value = link(value, /*mustRequantise=*/links > 1);
      if (value.element == std::string("i8") && chance(15))
        value = residual(value, argument(value.shape, "i8"));
    }
    return value;
  }

  /// Windows of 1 to 3 pixels, 1 to 3 apart, with padding or without; the last
  /// ones may reach behind the image.
  /// `keepsShape` has the result in the input's shape.
  Value maxPool(Value input, bool keepsShape = false) {
    const int64_t size = pick(1, 3), stride = keepsShape ? 1 : pick(1, 3);
    Shape low(4, 0), high(4, 0), out = input.shape;
    for (int axis : {1, 2}) {
      low[axis] = pick(0, size - 1);
      high[axis] = keepsShape ? size - 1 - low[axis] : pick(0, size - 1);
      high[axis] += std::max<int64_t>(0, size - low[axis] - high[axis] -
                                             input.shape[axis]);
      out[axis] =
          (input.shape[axis] + low[axis] + high[axis] - size) / stride + 1;
      // No window lies behind the image altogether.
      while ((out[axis] - 1) * stride - low[axis] >= input.shape[axis])
        --out[axis], high[axis] -= stride;
      high[axis] = std::max<int64_t>(0, high[axis]);
    }
    return pooled(input, size, stride, low, high, out);
  }
  Value pooled(Value input, int64_t size, int64_t stride, const Shape &low,
               const Shape &high, const Shape &out) {
    Value padded = pad(input, low, high, "-128");
    Value taps = empty({size, size}, "i8"), init = filled(out, "i8", "-128");
    Value value = fresh(out, "i8");
    os << "  " << value.name << " = linalg.pooling_nhwc_max"
       << window(stride, stride, 1, 1) << " ins(" << padded.name << ", "
       << taps.name << " : " << padded.type() << ", " << taps.type()
       << ") outs(" << init.name << " : " << init.type() << ") -> "
       << value.type() << '\n';
    return value;
  }

  /// Two branches that read the same and are added: a layer with a window, then
  /// perhaps another one, and a layer without, both with the same stride. With
  /// `pools` both are pooled, the second in windows inside of the first's.
  Value diamond(Value input, bool pools = false) {
    const int64_t c = input.shape[3], k = pick(2, 40);
    const int64_t strideH = pick(1, 2), strideW = pick(1, 2);
    auto branch = [&](int64_t r, int64_t s) {
      Shape low(4, 0), high(4, 0), out = input.shape;
      low[1] = pick(0, r - 1), low[2] = pick(0, s - 1);
      high[1] = r - 1 - low[1], high[2] = s - 1 - low[2];
      out[1] = (out[1] - 1) / strideH + 1, out[2] = (out[2] - 1) / strideW + 1;
      out[3] = k;
      Value sum =
          contract("linalg.conv_2d_nhwc_hwcf", window(strideH, strideW, 1, 1),
                   pad(input, low, high), argument({r, s, c, k}, operand), out);
      return tail(sum, 3, c * r * s, /*mustRequantise=*/true);
    };
    const bool sideFirst = pools || chance(50);
    Value side = input, main = input;
    if (sideFirst)
      side = branch(1, 1);
    main = branch(pick(1, 4), pick(1, 4));
    if (pools)
      poolBoth(main, side);
    if (chance(70))
      main = link(main, /*mustRequantise=*/true, /*keepsShape=*/true);
    if (!sideFirst)
      side = branch(1, 1);
    return chance(50) ? residual(main, side) : residual(side, main);
  }

  void poolBoth(Value &main, Value &side) {
    const int64_t stride = pick(1, 2), size = pick(1, 3), inner = pick(1, size);
    const bool padded = chance(40);
    Shape low(4, 0), high(4, 0), innerLow(4, 0), innerHigh(4, 0);
    Shape out = main.shape;
    for (int axis : {1, 2}) {
      const int64_t extent = main.shape[axis];
      // Padding is the machine's only behind ReLU.
      low[axis] = padded ? pick(0, size - 1) : 0;
      innerLow[axis] = pick(std::max<int64_t>(0, low[axis] - (size - inner)),
                            std::min(low[axis], inner - 1));
      out[axis] = std::max<int64_t>(
          1, (extent + low[axis] + (padded ? pick(0, size - 1) : 0) - size) /
                     stride +
                 1);
      // No window lies behind the image altogether.
      while ((out[axis] - 1) * stride - innerLow[axis] >= extent)
        --out[axis];
      const int64_t end = (out[axis] - 1) * stride - extent;
      high[axis] = std::max<int64_t>(0, end + size - low[axis]);
      innerHigh[axis] = std::max<int64_t>(0, end + inner - innerLow[axis]);
    }
    main = pooled(main, size, stride, low, high, out);
    side = pooled(side, inner, stride, innerLow, innerHigh, out);
  }

  /// One to three residual blocks, some of them after a layer.
  Value blocks() {
    const int64_t extent = chance(20) ? 24 : 10;
    Value value = argument(
        {pick(1, 3), pick(1, extent), pick(1, extent), pick(2, 40)}, operand);
    if (chance(30))
      value = link(value, /*mustRequantise=*/true, /*keepsShape=*/true);
    for (int64_t count = pick(1, 3); count > 0; --count) {
      if (chance(35)) {
        value = diamond(value);
        continue;
      }
      Value inner = value;
      for (int64_t links = pick(1, 3); links > 0; --links)
        inner = link(inner, /*mustRequantise=*/true, /*keepsShape=*/true);
      value = chance(50) ? residual(inner, value) : residual(value, inner);
    }
    if (chance(50))
      value = link(value, /*mustRequantise=*/false);
    return value;
  }

  /// Two to four layers with max pooling between some of them, and perhaps
  /// behind the last; perhaps a residual block reads what was pooled.
  Value pools() {
    Value value = image(pick(1, 3), pick(1, 60));
    for (int64_t links = pick(1, 3); links > 0; --links) {
      value = link(value, /*mustRequantise=*/true);
      if (links == 1 || chance(50))
        value = maxPool(value);
      else if (chance(30))
        value = residual(value, argument(value.shape, "i8"));
    }
    if (chance(30)) {
      Value inner = link(value, /*mustRequantise=*/true, /*keepsShape=*/true);
      value = chance(50) ? residual(inner, value) : residual(value, inner);
    }
    // What is stored may be pooled for the host.
    if (chance(50))
      return maxPool(link(value, /*mustRequantise=*/true));
    return link(value, /*mustRequantise=*/false);
  }

  /// One or two residual blocks with max pooling inside.
  Value pooledBlocks() {
    Value value =
        argument({pick(1, 3), pick(1, 12), pick(1, 12), pick(2, 40)}, operand);
    for (int64_t count = pick(1, 2); count > 0; --count) {
      Value inner = link(value, /*mustRequantise=*/true, /*keepsShape=*/true);
      inner = maxPool(inner, /*keepsShape=*/true);
      for (int64_t links = pick(0, 2); links > 0; --links)
        inner = link(inner, /*mustRequantise=*/true, /*keepsShape=*/true);
      value = chance(50) ? residual(inner, value) : residual(value, inner);
    }
    return link(value, /*mustRequantise=*/false);
  }

  /// Two pooled branches that are added, perhaps behind a layer.
  Value pooledBranches() {
    Value value =
        argument({pick(1, 3), pick(1, 12), pick(1, 12), pick(2, 40)}, operand);
    if (chance(50))
      value = link(value, /*mustRequantise=*/true, /*keepsShape=*/true);
    value = diamond(value, /*pools=*/true);
    return chance(50) ? value : link(value, /*mustRequantise=*/false);
  }

  /// A convolution of one to six channels; half of the time others follow.
  Value thin() {
    Value value = image(pick(1, 3), pick(1, 6));
    if (chance(50))
      return convolution(value, /*pointwise=*/false, /*mustRequantise=*/false);
    int64_t links = pick(1, 3);
    value = link(value, /*mustRequantise=*/true, /*keepsShape=*/false,
                 /*mustBeWindow=*/true);
    for (; links > 0; --links)
      value = link(value, /*mustRequantise=*/links > 1);
    return value;
  }

  /// A matrix product over whole blocks of channels, of all sides up to 32, as
  /// the matmul loop wants it.
  Value product() {
    const int64_t c = 32 * pick(1, 4);
    switch (pick(0, 2)) {
    case 0:
      return gemm(argument({pick(1, 150), c}, operand), false);
    case 1: {
      const int64_t batch = pick(1, 4), k = channels();
      Value input = argument({batch, pick(1, 60), c}, operand);
      Value sum = contract("linalg.batch_matmul", "", input,
                           argument({batch, c, k}, operand),
                           {batch, input.shape[1], k});
      return tail(sum, 2, c, /*mustRequantise=*/false, /*mayBias=*/false);
    }
    default:
      return convolution(
          argument({pick(1, 3), pick(1, 14), pick(1, 14), c}, operand),
          /*pointwise=*/true, /*mustRequantise=*/false);
    }
  }

  Value network() {
    startsFromTensors = true;
    switch (pick(0, 9)) {
    case 0:
      return gemm(argument({pick(1, 90), channels()}, operand), false);
    case 1:
      return batchedGemm();
    case 2:
    case 3:
      return depthwise(image(), false);
    case 4: {
      Value hidden = gemm(argument({pick(1, 90), channels()}, operand), true);
      return gemm(hidden, false);
    }
    case 5: {
      Value hidden = convolution(image(), /*pointwise=*/true, true);
      if (chance(40))
        hidden = convolution(hidden, /*pointwise=*/true, true);
      return convolution(hidden, /*pointwise=*/true, false);
    }
    case 6: {
      Value hidden = depthwise(image(), true);
      return convolution(hidden, /*pointwise=*/true, false);
    }
    case 7:
      return grouped();
    default:
      return convolution(image(), /*pointwise=*/false, false);
    }
  }

  std::mt19937_64 &rng;
  const bool real, wide;
  const char *const operand, *const sumType, *const zero;
  std::string body;
  llvm::raw_string_ostream os;
  std::vector<Value> arguments;
  unsigned next = 0;
  /// Whether sums may start from an argument instead of zeros.
  bool startsFromTensors = false;
};

} // namespace

std::string fadiff::test::randomNetwork(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false).write();
}

std::string fadiff::test::randomChain(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false).writeChain();
}

std::string fadiff::test::randomWideNetwork(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false, /*wide=*/true).write();
}

std::string fadiff::test::randomWideChain(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false, /*wide=*/true).writeChain();
}

std::string fadiff::test::randomWidePools(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false, /*wide=*/true).writePools();
}

std::string fadiff::test::randomRealNetwork(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/true).write();
}

std::string fadiff::test::randomRealChain(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/true).writeChain();
}

std::string fadiff::test::randomBlocks(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false).writeBlocks();
}

std::string fadiff::test::randomPools(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false).writePools();
}

std::string fadiff::test::randomPooledBlocks(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false).writePooledBlocks();
}

std::string fadiff::test::randomPooledBranches(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false).writePooledBranches();
}

std::string fadiff::test::randomProduct(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false).writeProduct();
}

std::string fadiff::test::randomRealProduct(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/true).writeProduct();
}

std::string fadiff::test::randomThinNetwork(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/false).writeThin();
}

std::string fadiff::test::randomRealThinNetwork(std::mt19937_64 &rng) {
  return Writer(rng, /*real=*/true).writeThin();
}
