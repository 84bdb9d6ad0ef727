//===- embed.cpp - FADiff inside somebody else's compiler -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a module with one matrix product, schedules it twice, with options
// from C++ and from text, and prints the result and what each layer costs.
// docs/Embedding.md explains it.
//
//===----------------------------------------------------------------------===//

#include "fadiff/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// func.func @product(tensor<rows x depth x i8>, tensor<depth x cols x i8>)
///     -> tensor<rows x cols x i32>
static OwningOpRef<ModuleOp> buildProduct(MLIRContext &context, int64_t rows,
                                          int64_t depth, int64_t cols) {
  OpBuilder builder(&context);
  Location loc = NameLoc::get(builder.getStringAttr("product"));
  auto tensorOf = [&](int64_t h, int64_t w, unsigned bits) {
    return RankedTensorType::get({h, w}, builder.getIntegerType(bits));
  };
  RankedTensorType lhs = tensorOf(rows, depth, 8),
                   rhs = tensorOf(depth, cols, 8),
                   out = tensorOf(rows, cols, 32);

  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, "product", builder.getFunctionType({lhs, rhs}, {out}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value empty = tensor::EmptyOp::create(builder, loc, out.getShape(),
                                        builder.getI32Type());
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  Value sum = linalg::MatmulOp::create(builder, loc, TypeRange{out},
                                       body->getArguments(), init)
                  .getResult(0);
  func::ReturnOp::create(builder, loc, sum);
  return module;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

int main() {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                  tensor::TensorDialect>();
  fadiff::registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();

  // Options from C++.
  OwningOpRef<ModuleOp> module = buildProduct(context, 48, 64, 32);
  fadiff::ScheduleOptions options;
  options.target = "gemmini-small";
  options.objective = fadiff::Objective::Latency;
  options.seed = 7;
  PassManager pm(&context);
  fadiff::buildSchedulePipeline(pm, options);
  if (failed(verify(*module)) || failed(pm.run(*module)))
    return 1;

  // The same from text.
  fadiff::registerAllPasses();
  OwningOpRef<ModuleOp> again = buildProduct(context, 48, 64, 32);
  PassManager fromText(&context);
  if (failed(parsePassPipeline("fadiff-schedule{target=gemmini-small "
                               "objective=latency seed=7}",
                               fromText)) ||
      failed(fromText.run(*again)))
    return 1;

  llvm::outs() << print(*module) << '\n';
  module->walk([&](fadiff::ir::LoopNestOp nest) {
    if (fadiff::ir::CostAttr cost = nest.getCostAttr())
      llvm::outs() << "cycles " << cost.getCycles().getValueAsDouble()
                   << ", DRAM bytes read " << cost.getDramRead() << ", written "
                   << cost.getDramWrite() << '\n';
  });
  bool equal = print(*module) == print(*again);
  llvm::outs() << "C++ and text options give "
               << (equal ? "the same schedule" : "DIFFERENT schedules") << '\n';
  return equal ? 0 : 1;
}
