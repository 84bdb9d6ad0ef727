// FADiff in the stock mlir-opt. A plugin that fails to load is only a line on
// standard error to mlir-opt, so what counts is the output.

// REQUIRES: no-sanitizers
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(fadiff-schedule{target=gemmini-small seed=3})' %s -o %t.plugin
// RUN: FileCheck %s --input-file=%t.plugin
// RUN: fadiff-opt --fadiff-schedule="target=gemmini-small seed=3" %s -o %t.opt
// RUN: diff %t.opt %t.plugin

// CHECK:     fadiff.target = #fadiff.target<"gemmini-small"
// CHECK-NOT: linalg.matmul
// CHECK:     fadiff.loop_nest
// CHECK:       fadiff.compute

// To instructions; and files in our dialects are read.
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %t.plugin \
// RUN:   --pass-pipeline='builtin.module(fadiff-bufferize,fadiff-lower-to-gemmini,convert-gemmini-to-llvm{target=rocc})' \
// RUN:   | FileCheck %s --check-prefix=ROCC
// ROCC: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 2, x0, $0, $1"

// Errors are errors here too.
// RUN: not mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(fadiff-schedule{target=tpu})' %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown target 'tpu'

// A program with another LLVM, or without a shared one, is told so, once, and
// nothing is registered.
// RUN: plugin-host %plugin 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER:      error: FADiffPlugin: built for LLVM and MLIR 22.1, loaded into 23.1; use a program of version 22.1, such as mlir-opt-22, or build FADiff with the other
// OTHER-NOT:  error
// OTHER:      FADiff 0.1.0: API version 0
// OTHER-NEXT: FADiff 0.1.0: API version 0
// RUN: plugin-host-static %plugin 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: error: FADiffPlugin: built for LLVM and MLIR 22.1, found no shared libLLVM of version 16 or later in this program; use one that links libLLVM.so and libMLIR.so of 22.1, such as mlir-opt-22

// Half an installation names the half that is missing.
// RUN: rm -rf %t.half && mkdir %t.half && cp %plugin %t.half/FADiffPlugin.so
// RUN: not mlir-opt --load-pass-plugin=%t.half/FADiffPlugin.so \
// RUN:   --pass-pipeline='builtin.module(fadiff-schedule)' %s 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: error: FADiffPlugin: {{.*}}FADiffPluginPasses.so: cannot open shared object file

func.func @main(%a: tensor<20x24xi8>, %b: tensor<24x18xi8>) -> tensor<20x18xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<20x18xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<20x18xi32>) -> tensor<20x18xi32>
  %sum = linalg.matmul ins(%a, %b : tensor<20x24xi8>, tensor<24x18xi8>) outs(%init : tensor<20x18xi32>) -> tensor<20x18xi32>
  return %sum : tensor<20x18xi32>
}
