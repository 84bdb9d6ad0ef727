//===- NormalizeTest.cpp - Normalisation ends and changes nothing ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random graphs of elementwise operations and reshapes that add or drop unit
// dims, behind two or three contractions, joined wherever shapes allow.
//
//===----------------------------------------------------------------------===//

#include "fadiff/InitAll.h"
#include "fadiff/Runner/HostTensor.h"
#include "fadiff/Runner/Program.h"
#include "fadiff/Transforms/Passes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Rewrite/PatternApplicator.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace fadiff;

namespace {

/// Writes a module with a function @main.
class RandomGraph {
public:
  explicit RandomGraph(uint64_t seed) : rng(seed) {}

  std::string build(unsigned operations) {
    for (unsigned i = 0, e = 2 + pick(2); i < e; ++i)
      contract();
    for (unsigned i = 0; i < operations; ++i)
      switch (pick(5)) {
      case 0:
        expand(anyValue());
        break;
      case 1:
        collapse(anyValue());
        break;
      case 2:
        apply(anyValue(), nullptr);
        break;
      case 3:
        addBias(anyValue());
        break;
      default:
        join();
      }
    const Value &last = values.back();
    return "func.func @main(" + arguments + ") -> " + type(last.shape) +
           " {\n" + body + "  return " + last.name + " : " + type(last.shape) +
           "\n}\n";
  }

private:
  using Shape = std::vector<int64_t>;
  struct Value {
    std::string name;
    Shape shape;
  };

  unsigned pick(unsigned n) { return rng() % n; }
  const Value anyValue() {
    // Rather a late one.
    return values[values.size() - 1 -
                  std::min(pick(values.size()), pick(values.size()))];
  }
  static std::string type(const Shape &shape, const char *element = "i32") {
    std::string text = "tensor<";
    for (int64_t extent : shape)
      text += std::to_string(extent) + "x";
    return text + element + ">";
  }
  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string argument(const Shape &shape, const char *element) {
    std::string name = "%arg" + std::to_string(numArguments++);
    arguments +=
        (arguments.empty() ? "" : ", ") + name + ": " + type(shape, element);
    return name;
  }
  std::string define(const Shape &shape, const std::string &text) {
    std::string name = fresh();
    body += "  " + name + " = " + text + "\n";
    values.push_back({name, shape});
    return name;
  }
  std::string empty(const Shape &shape) {
    std::string name = fresh();
    body += "  " + name + " = tensor.empty() : " + type(shape) + "\n";
    return name;
  }

  void contract() {
    const int64_t rows = 1 + 2 * pick(2), columns = 2;
    std::string x = argument({rows, 3}, "i8"), w = argument({3, columns}, "i8");
    std::string zero = fresh();
    body += "  " + zero +
            " = arith.constant dense<0> : " + type({rows, columns}) + "\n";
    define({rows, columns},
           "linalg.matmul ins(" + x + ", " + w + " : " + type({rows, 3}, "i8") +
               ", " + type({3, columns}, "i8") + ") outs(" + zero + " : " +
               type({rows, columns}) + ") -> " + type({rows, columns}));
  }

  /// Axis `axis` of the smaller shape is two of the larger one.
  static std::string groups(size_t rank, size_t axis) {
    std::vector<std::string> each;
    for (size_t i = 0, of = 0; i < rank; ++i) {
      std::string group = std::to_string(of++);
      if (i == axis)
        group += ", " + std::to_string(of++);
      each.push_back("[" + group + "]");
    }
    return "[" + llvm::join(each, ", ") + "]";
  }
  Value expand(const Value &value, size_t axis, bool before) {
    Shape shape = value.shape;
    shape.insert(shape.begin() + axis + !before, 1);
    std::string extents;
    for (int64_t extent : shape)
      extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
    define(shape, "tensor.expand_shape " + value.name + " " +
                      groups(value.shape.size(), axis) + " output_shape [" +
                      extents + "] : " + type(value.shape) + " into " +
                      type(shape));
    return values.back();
  }
  void expand(const Value &value) {
    if (value.shape.size() < 4)
      expand(value, pick(value.shape.size()), pick(2));
  }
  /// Drops the unit dim `unit`, together with a neighbour.
  Value collapse(const Value &value, size_t unit) {
    Shape shape = value.shape;
    shape.erase(shape.begin() + unit);
    size_t axis =
        unit == shape.size() || (unit > 0 && pick(2)) ? unit - 1 : unit;
    define(shape, "tensor.collapse_shape " + value.name + " " +
                      groups(shape.size(), axis) + " : " + type(value.shape) +
                      " into " + type(shape));
    return values.back();
  }
  void collapse(const Value &value) {
    for (size_t i = 0; i < value.shape.size() && value.shape.size() > 1; ++i)
      if (value.shape[i] == 1) {
        collapse(value, i);
        return;
      }
  }

  static std::string map(size_t rank, const std::string &results) {
    std::string dims;
    for (size_t i = 0; i < rank; ++i)
      dims += (i ? ", d" : "d") + std::to_string(i);
    return "affine_map<(" + dims + ") -> (" +
           (results.empty() ? dims : results) + ")>";
  }
  void generic(const Shape &shape, const std::vector<Value> &inputs,
               const std::string &biasMap) {
    static const char *const kOps[] = {"addi", "subi", "muli", "maxsi"};
    std::string maps, names, types, parameters;
    for (size_t i = 0; i < inputs.size(); ++i) {
      maps += map(shape.size(), i ? biasMap : "") + ", ";
      names += (i ? ", " : "") + inputs[i].name;
      types += (i ? ", " : "") + type(inputs[i].shape);
      parameters += "%p" + std::to_string(i) + ": i32, ";
    }
    std::string iterators;
    for (size_t i = 0; i < shape.size(); ++i)
      iterators += i ? ", \"parallel\"" : "\"parallel\"";
    std::string init = empty(shape);
    define(shape,
           "linalg.generic {indexing_maps = [" + maps + map(shape.size(), "") +
               "], iterator_types = [" + iterators + "]} ins(" + names + " : " +
               types + ") outs(" + init + " : " + type(shape) + ") {\n  ^bb0(" +
               parameters + "%o: i32):\n    %r = arith." + kOps[pick(4)] +
               " %p0, " + (inputs.size() > 1 ? "%p1" : "%p0") +
               " : i32\n    linalg.yield %r : i32\n  } -> " + type(shape));
  }
  void apply(const Value &value, const Value *other) {
    std::vector<Value> inputs{value};
    if (other)
      inputs.push_back(*other);
    generic(value.shape, inputs, "");
  }
  void addBias(const Value &value) {
    size_t axis = pick(value.shape.size());
    Value bias{argument({value.shape[axis]}, "i32"), {value.shape[axis]}};
    generic(value.shape, {value, bias}, "d" + std::to_string(axis));
  }

  static Shape withoutUnits(Shape shape) {
    llvm::erase(shape, 1);
    return shape;
  }
  /// An elementwise operation of two values that are alike but for unit dims,
  /// each reshaped until they are alike.
  void join() {
    Value a = anyValue(), b = anyValue();
    if (withoutUnits(a.shape) != withoutUnits(b.shape))
      return;
    for (size_t i = 0; i < b.shape.size() && b.shape != a.shape;)
      if (b.shape[i] == 1 && b.shape.size() > 1)
        b = collapse(b, i);
      else
        ++i;
    for (size_t i = 0; i < a.shape.size() && b.shape != a.shape; ++i)
      if (i >= b.shape.size())
        b = expand(b, b.shape.size() - 1, /*before=*/false);
      else if (a.shape[i] == 1 && b.shape[i] != 1)
        b = expand(b, i, /*before=*/true);
    if (a.shape == b.shape)
      apply(pick(2) ? a : b, pick(2) ? &a : &b);
  }

  std::mt19937_64 rng;
  std::string arguments, body;
  std::vector<Value> values;
  unsigned next = 0, numArguments = 0;
};

std::vector<HostTensor> run(ModuleOp module) {
  auto entry = findEntryPoint(module, "main");
  ProgramOptions options;
  options.optLevel = 0;
  auto program = compileReference(module, *entry, options);
  EXPECT_TRUE(succeeded(program));
  return llvm::cantFail(
      (*program)->run(llvm::cantFail(makeArguments(*entry, 1))));
}

TEST(Normalize, EndsAndChangesNoResult) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  fadiff::registerAllDialects(registry);
  // Trials of patterns; beyond the bound none applies any more, so that a
  // failure ends, too.
  unsigned trials = 0, bound = 0;
  auto count = [&](llvm::function_ref<void()> apply,
                   const tracing::Action &action) {
    if (isa<ApplyPatternAction>(action) && ++trials > bound)
      return;
    apply();
  };
  for (uint64_t seed = 0; seed < 150; ++seed) {
    MLIRContext context(registry);
    const unsigned operations = 4 + seed % 24;
    std::string text = RandomGraph(seed).build(operations);
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    OwningOpRef<ModuleOp> normalized = module->clone();
    trials = 0;
    bound = 100 * operations * operations;
    context.registerActionHandler(count);
    PassManager pm(normalized->getOperation()->getName());
    pm.addPass(createNormalizePass());
    EXPECT_TRUE(succeeded(pm.run(*normalized)));
    context.registerActionHandler({});
    EXPECT_LE(trials, bound) << "seed " << seed << ":\n" << text;
    if (trials > bound || seed % 3 != 0)
      continue;
    std::string differences;
    llvm::raw_string_ostream os(differences);
    EXPECT_TRUE(
        llvm::cantFail(compareOutputs(run(*module), run(*normalized), os)))
        << "seed " << seed << ": " << differences << '\n'
        << text;
  }
}

} // namespace
