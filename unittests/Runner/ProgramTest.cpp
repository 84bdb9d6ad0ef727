//===- ProgramTest.cpp - Compiling and running modules --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/Program.h"
#include "fadiff/Runner/HostLowering.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace fadiff;

namespace {

int32_t triple(int32_t value) { return 3 * value; }

class ProgramTest : public ::testing::Test {
protected:
  ProgramTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    context = std::make_unique<MLIRContext>(registry);
    context->printOpOnDiagnostic(false);
    context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back(diagnostic.str());
    });
  }

  OwningOpRef<ModuleOp> parse(llvm::StringRef text) {
    auto module = parseSourceString<ModuleOp>(text, context.get());
    EXPECT_TRUE(module);
    return module;
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  std::unique_ptr<MLIRContext> context;
  std::vector<std::string> errors;
};

template <typename T> std::vector<T> elements(const HostTensor &tensor) {
  const T *data = reinterpret_cast<const T *>(tensor.data());
  return std::vector<T>(data, data + tensor.spec().numElements());
}

const char *const kCallsHost = R"mlir(
func.func private @host_triple(i32) -> i32
func.func @main(%a: tensor<2xi32> {fadiff.fill = "uniform(7,7)"}) -> tensor<2xi32> {
  %e = tensor.empty() : tensor<2xi32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}
      ins(%a : tensor<2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %x = func.call @host_triple(%in) : (i32) -> i32
    linalg.yield %x : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}
)mlir";

TEST_F(ProgramTest, CallsSymbolsOfTheHost) {
  auto module = parse(kCallsHost);
  auto entry = findEntryPoint(*module, "main");
  ASSERT_TRUE(succeeded(entry));
  ProgramOptions options;
  options.symbols.emplace_back("host_triple",
                               reinterpret_cast<void *>(&triple));
  auto program = compileReference(*module, *entry, options);
  ASSERT_TRUE(succeeded(program));
  auto outputs = (*program)->run(llvm::cantFail(makeArguments(*entry, 0)));
  ASSERT_TRUE(bool(outputs));
  EXPECT_EQ(elements<int32_t>(outputs->front()),
            (std::vector<int32_t>{21, 21}));
}

TEST_F(ProgramTest, InlineExponentialsHaveTheBitsOfTheLibrary) {
  // Every 4093rd float, then bounds and what is no number.
  std::vector<float> numbers;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 4093)
    numbers.push_back(llvm::bit_cast<float>(uint32_t(bits)));
  for (float bound : {0x1.62e42ep+6F, -0x1.9fe368p+6F, 0x1.5d58ap+6F, 88.0F,
                      -87.3365F, 0.0F, INFINITY})
    for (float sign : {1.0F, -1.0F})
      for (float to : {-INFINITY, INFINITY})
        numbers.insert(numbers.end(),
                       {sign * bound, std::nextafter(sign * bound, to)});
  numbers.push_back(NAN);
  const std::string type = "memref<" + std::to_string(numbers.size()) + "xf32>";
  auto module = parse("func.func @main(%x: " + type + ", %y: " + type +
                      R"mlir() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = memref.dim %x, %zero : )mlir" +
                      type + R"mlir(
  scf.for %i = %zero to %count step %one {
    %a = memref.load %x[%i] : )mlir" +
                      type + R"mlir(
    %b = math.exp %a : f32
    memref.store %b, %y[%i] : )mlir" +
                      type + "\n  }\n  return\n}");
  PassManager passes(context.get());
  passes.addPass(createInlineExpPass());
  ASSERT_TRUE(succeeded(passes.run(*module)));
  EXPECT_EQ(print(*module).find("math.exp"), std::string::npos);
  auto entry = findEntryPoint(*module, "main");
  ASSERT_TRUE(succeeded(entry));
  auto program = compileReference(*module, *entry);
  ASSERT_TRUE(succeeded(program));
  auto arguments = llvm::cantFail(makeArguments(*entry, 0));
  std::memcpy(arguments[0].data(), numbers.data(),
              numbers.size() * sizeof(float));
  auto outputs = (*program)->run(std::move(arguments));
  ASSERT_TRUE(bool(outputs));
  const std::vector<float> found = elements<float>(outputs->back());
  for (auto [number, result] : llvm::zip_equal(numbers, found)) {
    const float expected = std::exp(number);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(result)) << number;
    else
      EXPECT_EQ(llvm::bit_cast<uint32_t>(result),
                llvm::bit_cast<uint32_t>(expected))
          << number;
  }
}

TEST_F(ProgramTest, MissingSymbolIsAnError) {
  auto module = parse(kCallsHost);
  auto entry = findEntryPoint(*module, "main");
  ASSERT_TRUE(succeeded(entry));
  EXPECT_TRUE(failed(compileReference(*module, *entry)));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0],
            "'@host_triple' is only declared: wanted a body or a symbol that "
            "the host provides, found neither; pass --allow-external if you "
            "trust the network as you trust this program");
}

TEST_F(ProgramTest, OptimisationLevelOutOfRangeIsAnError) {
  auto module = parse("func.func @main(%a: tensor<2xi8>) -> tensor<2xi8> {"
                      "  return %a : tensor<2xi8> }");
  auto entry = findEntryPoint(*module, "main");
  ASSERT_TRUE(succeeded(entry));
  ProgramOptions options;
  options.optLevel = 4;
  EXPECT_TRUE(failed(compileReference(*module, *entry, options)));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0],
            "cannot be compiled with optimisation level 4; wanted 0 to 3");
}

TEST_F(ProgramTest, WrongArgumentsAreAnError) {
  auto module = parse("func.func @main(%a: tensor<2xi8>) -> tensor<2xi8> {"
                      "  return %a : tensor<2xi8> }");
  auto entry = findEntryPoint(*module, "main");
  ASSERT_TRUE(succeeded(entry));
  auto program = compileReference(*module, *entry);
  ASSERT_TRUE(succeeded(program));
  auto none = (*program)->run({});
  ASSERT_FALSE(none);
  EXPECT_EQ(llvm::toString(none.takeError()),
            "'@main' takes 1 arguments; found 0");

  EntryPoint other = *entry;
  other.arguments[0].shape = {3};
  auto wrong = (*program)->run(llvm::cantFail(makeArguments(other, 0)));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(llvm::toString(wrong.takeError()),
            "argument #0 of '@main' must be tensor<2xi8>; found tensor<3xi8>");
}

// The network is an argument of several compilations, and its tensors of
// several runs; neither may change under way, and the compiled program may
// outlive the IR it came from.
/// An intermediate of a petabyte: an error, and the process goes on.
TEST_F(ProgramTest, RunningOutOfMemoryIsAnError) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "AddressSanitizer's allocator does not return null";
#endif
#endif
  auto module = parse(R"mlir(
func.func private @host_triple(i32) -> i32
func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
  %zero = arith.constant 0 : index
  %huge = tensor.empty() : tensor<281474976710656xi32>
  %v = tensor.extract %a[%zero] : tensor<2xi32>
  %full = linalg.fill ins(%v : i32) outs(%huge : tensor<281474976710656xi32>) -> tensor<281474976710656xi32>
  %x = tensor.extract %full[%zero] : tensor<281474976710656xi32>
  %y = func.call @host_triple(%x) : (i32) -> i32
  %r = tensor.from_elements %y, %y : tensor<2xi32>
  return %r : tensor<2xi32>
}
)mlir");
  auto entry = findEntryPoint(*module, "main");
  ASSERT_TRUE(succeeded(entry));
  ProgramOptions options;
  options.optLevel = 0; // or LLVM does without the buffer
  options.symbols.emplace_back("host_triple",
                               reinterpret_cast<void *>(&triple));
  auto program = compileReference(*module, *entry, options);
  ASSERT_TRUE(succeeded(program));
  auto arguments = makeArguments(*entry, /*seed=*/0);
  ASSERT_TRUE(static_cast<bool>(arguments));
  for (int i = 0; i != 2; ++i) {
    auto results = (*program)->run(*arguments);
    ASSERT_FALSE(static_cast<bool>(results));
    EXPECT_EQ(llvm::toString(results.takeError()),
              "the program ran out of memory: wanted 1125899906842624 bytes "
              "for an intermediate buffer");
  }
}

TEST_F(ProgramTest, LeavesModuleAndArgumentsAlone) {
  auto module = parse(R"mlir(
    func.func @main(%a: tensor<4xi32> {fadiff.fill = "ones"}) -> tensor<4xi32> {
      %c = arith.constant 5 : i32
      %r = linalg.fill ins(%c : i32) outs(%a : tensor<4xi32>) -> tensor<4xi32>
      return %r : tensor<4xi32>
    })mlir");
  auto entry = findEntryPoint(*module, "main");
  ASSERT_TRUE(succeeded(entry));
  std::string before = print(*module);
  auto program = compileReference(*module, *entry);
  ASSERT_TRUE(succeeded(program));
  EXPECT_EQ(print(*module), before);

  module = nullptr;
  context.reset();
  auto arguments = llvm::cantFail(makeArguments(*entry, 0));
  for (int round = 0; round < 2; ++round) {
    auto outputs = (*program)->run(arguments);
    ASSERT_TRUE(bool(outputs));
    EXPECT_EQ(elements<int32_t>(outputs->front()),
              (std::vector<int32_t>{5, 5, 5, 5}));
    EXPECT_EQ(elements<int32_t>(arguments[0]),
              (std::vector<int32_t>{1, 1, 1, 1}));
  }
}

// A product and a sum that give another result when fused: (2^12 + 1)^2 needs
// 25 bits, so rounding it first loses the one that the subtraction would leave.
TEST_F(ProgramTest, DoesNotContractFloatingPoint) {
  auto module = parse(R"mlir(
    #id = affine_map<(d0) -> (d0)>
    func.func @main(%a: tensor<64xf32> {fadiff.fill = "uniform(4097,4097)"},
                    %b: tensor<64xf32> {fadiff.fill = "uniform(-16785408,-16785408)"})
        -> tensor<64xf32> {
      %e = tensor.empty() : tensor<64xf32>
      %r = linalg.generic {indexing_maps = [#id, #id, #id],
                           iterator_types = ["parallel"]}
          ins(%a, %b : tensor<64xf32>, tensor<64xf32>)
          outs(%e : tensor<64xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %p = arith.mulf %x, %x : f32
        %s = arith.addf %p, %y : f32
        linalg.yield %s : f32
      } -> tensor<64xf32>
      return %r : tensor<64xf32>
    })mlir");
  auto entry = findEntryPoint(*module, "main");
  ASSERT_TRUE(succeeded(entry));
  for (unsigned level = 0; level <= 3; ++level) {
    ProgramOptions options;
    options.optLevel = level;
    auto program = compileReference(*module, *entry, options);
    ASSERT_TRUE(succeeded(program));
    auto outputs = (*program)->run(llvm::cantFail(makeArguments(*entry, 0)));
    ASSERT_TRUE(bool(outputs));
    EXPECT_EQ(elements<float>(outputs->front()), std::vector<float>(64, 0.0f))
        << "at optimisation level " << level;
  }
}

// Different code for the same operations gives the same bits, floats included.
TEST_F(ProgramTest, ExamplesDoNotDependOnOptimisation) {
  for (const char *name : {"tiny", "gpt3_block_small"}) {
    std::string path =
        std::string(FADIFF_SOURCE_DIR) + "/examples/" + name + ".mlir";
    auto module = parseSourceFile<ModuleOp>(path, context.get());
    ASSERT_TRUE(module) << path;
    auto entry = findEntryPoint(*module, "main");
    ASSERT_TRUE(succeeded(entry));
    auto arguments = llvm::cantFail(makeArguments(*entry, 11));
    std::vector<HostTensor> reference;
    for (unsigned level : {3, 0, 1}) {
      ProgramOptions options;
      options.optLevel = level;
      auto program = compileReference(*module, *entry, options);
      ASSERT_TRUE(succeeded(program));
      auto outputs = (*program)->run(arguments);
      ASSERT_TRUE(bool(outputs));
      if (reference.empty()) {
        reference = std::move(*outputs);
        continue;
      }
      std::string text;
      llvm::raw_string_ostream os(text);
      EXPECT_TRUE(llvm::cantFail(compareOutputs(reference, *outputs, os)))
          << name << " at level " << level << ": " << text;
    }
  }
}

} // namespace
