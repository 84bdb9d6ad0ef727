//===- QuantizeTest.cpp - Networks quantised ------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Quantize/Quantize.h"
#include "fadiff/InitAll.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fadiff;

namespace {

/// Two products with a ReLU between them, of which channel 0 computes a hundred
/// times what channel 1 does, and the second product makes up for it.
constexpr char kUneven[] = R"(
#id = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[80.0, 0.613], [-57.0, 0.377]]> : tensor<2x2xf32>
  %v = arith.constant dense<[[0.00831, 0.00317], [-0.73, 0.91]]> : tensor<2x2xf32>
  %b = arith.constant dense<[20.0, 0.1]> : tensor<2xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %i = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<8x2xf32>) dimensions = [0]
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x2xf32>, tensor<2x2xf32>) outs(%i : tensor<8x2xf32>) -> tensor<8x2xf32> loc("first")
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %zero : f32
    linalg.yield %m : f32
  } -> tensor<8x2xf32>
  %2 = linalg.matmul ins(%1, %v : tensor<8x2xf32>, tensor<2x2xf32>) outs(%s : tensor<8x2xf32>) -> tensor<8x2xf32> loc("second")
  return %2 : tensor<8x2xf32>
}
)";

/// The sum of a product that is clamped to 1 and one that reaches to 20.
constexpr char kClampedSummand[] = R"(
#id = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %w = arith.constant dense<[[3.0, 0.613], [-2.0, 0.377]]> : tensor<2x2xf32>
  %v = arith.constant dense<[[9.0, -11.0], [8.0, 7.5]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x2xf32>, tensor<2x2xf32>) outs(%s : tensor<8x2xf32>) -> tensor<8x2xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %zero : f32
    %n = arith.minimumf %m, %one : f32
    linalg.yield %n : f32
  } -> tensor<8x2xf32>
  %2 = linalg.matmul ins(%x, %v : tensor<8x2xf32>, tensor<2x2xf32>) outs(%s : tensor<8x2xf32>) -> tensor<8x2xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<8x2xf32>, tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<8x2xf32>
  return %3 : tensor<8x2xf32>
}
)";

/// A product for each of two groups.
constexpr char kGroups[] = R"(
func.func @main(%x: tensor<2x8x2xf32>) -> tensor<2x8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[[3.0, 0.0613], [-2.0, 0.0377]], [[0.29, 0.071], [0.22, -0.051]]]> : tensor<2x2x2xf32>
  %e = tensor.empty() : tensor<2x8x2xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x2xf32>) -> tensor<2x8x2xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<2x8x2xf32>, tensor<2x2x2xf32>) outs(%s : tensor<2x8x2xf32>) -> tensor<2x8x2xf32>
  return %0 : tensor<2x8x2xf32>
}
)";

class QuantizeTest : public ::testing::Test {
protected:
  QuantizeTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    fadiff::registerAllDialects(registry);
    context = std::make_unique<MLIRContext>(registry);
  }

  QuantizationReport quantize(llvm::StringRef text,
                              const QuantizeOptions &options) {
    auto module = parseSourceString<ModuleOp>(text, context.get());
    EXPECT_TRUE(module);
    FailureOr<QuantizationReport> report =
        quantizeNetwork(*module, "", options, [](const EntryPoint &entry) {
          return drawSamples(entry, 16, 1);
        });
    EXPECT_TRUE(succeeded(report));
    EXPECT_TRUE(succeeded(mlir::verify(*module)));
    return succeeded(report) ? *report : QuantizationReport();
  }

  static double outputOf(const QuantizationReport &report) {
    return report.outputs[0].heldOut.decibel();
  }

  std::unique_ptr<MLIRContext> context;
};

TEST_F(QuantizeTest, EqualChannelsLoseLess) {
  QuantizeOptions options;
  const QuantizationReport plain = quantize(kUneven, options);
  options.equalize = true;
  const QuantizationReport equal = quantize(kUneven, options);
  ASSERT_EQ(plain.layers.size(), 2u);
  EXPECT_EQ(plain.samples, 8u);
  EXPECT_EQ(plain.heldOut, 8u);
  // Channel 1 has one step of int8 or two.
  EXPECT_LT(plain.layers[0].channels[1].decibel(), 12);
  EXPECT_GT(equal.layers[0].channels[1].decibel(), 35);
  EXPECT_GT(outputOf(equal), outputOf(plain) + 15);
}

/// kUneven with an upper bound behind the first product.
std::string boundedAt(double bound) {
  std::string text = kUneven;
  auto replace = [&](llvm::StringRef from, const std::string &to) {
    text.replace(text.find(from.str()), from.size(), to);
  };
  replace("  %w = ", "  %most = arith.constant " +
                         llvm::formatv("{0:f1}", bound).str() +
                         " : f32\n  %w = ");
  replace("linalg.yield %m", "%n = arith.minimumf %m, %most : f32\n"
                             "    linalg.yield %n");
  return text;
}

// Channel 0 reaches the bound, channel 1 is far below it.
TEST_F(QuantizeTest, EqualChannelsKeepAnUpperBound) {
  QuantizeOptions options;
  const std::string text = boundedAt(60);
  const QuantizationReport plain = quantize(text, options);
  options.equalize = true;
  const QuantizationReport equal = quantize(text, options);
  ASSERT_EQ(plain.layers.size(), 2u);
  EXPECT_NEAR(plain.layers[0].outputScale, 60.0 / 127, 1e-6);
  EXPECT_NEAR(equal.layers[0].outputScale, 60.0 / 127, 1e-6);
  EXPECT_LT(plain.layers[0].channels[1].decibel(), 20);
  EXPECT_GT(equal.layers[0].channels[1].decibel(), 35);
  EXPECT_GT(outputOf(equal), outputOf(plain) + 15);
}

// Outputs are compared with those of the network that was given.
TEST_F(QuantizeTest, BoundsThatNoChannelReachesLeaveRoom) {
  QuantizeOptions options;
  options.equalize = true;
  const QuantizationReport equal = quantize(boundedAt(200), options);
  ASSERT_EQ(equal.layers.size(), 2u);
  EXPECT_LE(equal.layers[0].outputScale, 200.0 / 127 / 1.24);
  EXPECT_GT(equal.layers[0].channels[1].decibel(), 35);
  EXPECT_GT(outputOf(equal), 30);
}

TEST_F(QuantizeTest, ScalesOfChannelsLoseLess) {
  QuantizeOptions options;
  const QuantizationReport plain = quantize(kUneven, options);
  options.readOut.perChannel = true;
  options.readOut.scales = 2;
  const QuantizationReport channels = quantize(kUneven, options);
  EXPECT_EQ(plain.layers[0].weightScales.size(), 1u);
  EXPECT_EQ(channels.layers[0].weightScales.size(), 2u);
  EXPECT_GT(channels.layers[0].weights.decibel(),
            plain.layers[0].weights.decibel());
  // More channels than the machine has scales for.
  options.readOut.scales = 1;
  EXPECT_EQ(quantize(kUneven, options).layers[0].weightScales.size(), 1u);
}

TEST_F(QuantizeTest, SensitiveLayersStayInFloat) {
  QuantizeOptions options;
  const QuantizationReport plain = quantize(kUneven, options);
  const double first = plain.layers[0].own.decibel();
  const double second = plain.layers[1].own.decibel();
  ASSERT_NE(first, second);
  options.keepFloatBelow = (first + second) / 2;
  const QuantizationReport kept = quantize(kUneven, options);
  ASSERT_EQ(kept.layers.size(), 1u);
  ASSERT_EQ(kept.left.size(), 1u);
  EXPECT_EQ(kept.left[0].first, first < second ? "first" : "second");
  EXPECT_GT(outputOf(kept), outputOf(plain));
}

TEST_F(QuantizeTest, AClampHasAScaleOfItsOwn) {
  const QuantizationReport report = quantize(kClampedSummand, {});
  ASSERT_EQ(report.layers.size(), 2u);
  EXPECT_LE(report.layers[0].outputScale, 1.0 / 127);
  EXPECT_GT(report.layers[1].outputScale, 8.0 / 127);
  EXPECT_GT(outputOf(report), 35);
}

TEST_F(QuantizeTest, GroupsHaveNoBiasAndNoScaleForEachChannel) {
  QuantizeOptions options;
  options.readOut.perChannel = true;
  options.readOut.scales = 16;
  const QuantizationReport plain = quantize(kGroups, options);
  ASSERT_EQ(plain.layers.size(), 1u);
  EXPECT_EQ(plain.layers[0].weightScales.size(), 1u);
  options.biasCorrection = true;
  EXPECT_EQ(outputOf(quantize(kGroups, options)), outputOf(plain));
  options.rounding = Rounding::Descent;
  EXPECT_GE(outputOf(quantize(kGroups, options)), outputOf(plain) - 1);
}

TEST_F(QuantizeTest, WhatDoesNotFitIsComputedAgain) {
  QuantizeOptions options;
  const QuantizationReport kept = quantize(kUneven, options);
  options.keptBytes = 0;
  const QuantizationReport again = quantize(kUneven, options);
  EXPECT_EQ(outputOf(again), outputOf(kept));
}

TEST_F(QuantizeTest, TheSameNetworkEveryTime) {
  QuantizeOptions options;
  options.rounding = Rounding::Descent;
  options.biasCorrection = true;
  options.ranges = RangeMethod::Mse;
  std::string texts[2];
  for (std::string &text : texts) {
    const QuantizationReport report = quantize(kUneven, options);
    llvm::raw_string_ostream os(text);
    os << llvm::json::Value(report.toJson());
  }
  EXPECT_EQ(texts[0], texts[1]);
}

} // namespace
