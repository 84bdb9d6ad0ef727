// What a network may not do in the process that runs it, and how what it does
// wrong is reported. The exit code is 1 each time.

// RUN: rm -rf %t && split-file %s %t

// Functions of the process, its data, inline assembly, calls to anywhere.
// RUN: not fadiff-run %t/system.mlir 2>&1 | FileCheck %t/system.mlir
// RUN: not fadiff-run %t/dropped.mlir 2>&1 | FileCheck %t/dropped.mlir
// RUN: not fadiff-run %t/environ.mlir 2>&1 | FileCheck %t/environ.mlir
// RUN: not fadiff-run %t/asm.mlir 2>&1 | FileCheck %t/asm.mlir
// RUN: not fadiff-run %t/module-asm.mlir 2>&1 | FileCheck %t/module-asm.mlir
// RUN: not fadiff-run %t/pointer.mlir 2>&1 | FileCheck %t/pointer.mlir

// What is trusted may.
// RUN: fadiff-run %t/labs.mlir --allow-external | FileCheck %t/labs.mlir
// RUN: fadiff-run %t/asm.mlir --allow-external | FileCheck %t/labs.mlir
// RUN: not fadiff-run %t/nowhere.mlir --allow-external 2>&1 | FileCheck %t/nowhere.mlir
// The C library's mathematics belong to what lowered networks call.
// RUN: fadiff-run %t/math.mlir --target=gemmini-fp32 | FileCheck %t/math.mlir

// Traps.
// RUN: not fadiff-run %t/divide.mlir 2>&1 | FileCheck %t/divide.mlir
// RUN: not fadiff-run %t/overflow.mlir 2>&1 | FileCheck %t/overflow.mlir
// RUN: not fadiff-run %t/remainder.mlir --reference-only 2>&1 | FileCheck %t/remainder.mlir
// RUN: not fadiff-run %t/assert.mlir 2>&1 | FileCheck %t/assert.mlir
// RUN: not fadiff-run %t/load.mlir 2>&1 | FileCheck %t/load.mlir

//--- system.mlir
// CHECK-NOT: done by the network
// CHECK: system.mlir:[[#@LINE+6]]:8: error: '@system' is only declared: wanted a body or a symbol that the host provides, found neither; pass --allow-external if you trust the network as you trust this program
// CHECK: system.mlir:[[#@LINE+2]]:1: note: declared here
llvm.mlir.global internal constant @cmd("echo done by the network\00")
llvm.func @system(!llvm.ptr) -> i32
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  %p = llvm.mlir.addressof @cmd : !llvm.ptr
  %r = llvm.call @system(%p) : (!llvm.ptr) -> i32
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

//--- dropped.mlir
// LLVM drops such a body and calls the process's function.
// CHECK: dropped.mlir:[[#@LINE+5]]:3: error: '@sync' is only declared
llvm.func available_externally @sync() attributes {no_inline} {
  llvm.return
}
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  llvm.call @sync() : () -> ()
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

//--- environ.mlir
// CHECK: environ.mlir:[[#@LINE+4]]:8: error: '@environ' is only declared
llvm.mlir.global external @environ() : !llvm.ptr
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  // The address is read, so that it is not dead.
  %p = llvm.mlir.addressof @environ : !llvm.ptr
  %v = llvm.load volatile %p : !llvm.ptr -> i64
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

//--- asm.mlir
// CHECK: asm.mlir:[[#@LINE+2]]:3: error: inline assembly would run in this process; pass --allow-external
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  llvm.inline_asm has_side_effects "nop", "" : () -> ()
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

//--- module-asm.mlir
// CHECK: module-asm.mlir:[[#@LINE+1]]:1: error: contains inline assembly
module attributes {llvm.module_asm = ["nop"]} {
  func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
    %zero = arith.constant dense<0> : tensor<8x8xi32>
    %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
    return %0 : tensor<8x8xi32>
  }
}

//--- pointer.mlir
// CHECK: pointer.mlir:[[#@LINE+4]]:3: error: calls through a pointer, which may point anywhere in this process; call a function by its name; pass --allow-external
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  %c = llvm.mlir.constant(64 : i64) : i64
  %p = llvm.inttoptr %c : i64 to !llvm.ptr
  llvm.call %p() : !llvm.ptr, () -> ()
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

//--- labs.mlir
// CHECK: output identical to the reference
func.func private @labs(i64) -> i64
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  %c = arith.constant -1 : i64
  %v = func.call @labs(%c) : (i64) -> i64
  %t = arith.trunci %v : i64 to i32
  %e = tensor.empty() : tensor<8x8xi32>
  %f = linalg.fill ins(%t : i32) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  %1 = linalg.add ins(%0, %f : tensor<8x8xi32>, tensor<8x8xi32>) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %1 : tensor<8x8xi32>
}

//--- nowhere.mlir
// CHECK: nowhere.mlir:[[#@LINE+3]]:3: error: '@no_such_function' is only declared: wanted a body or a symbol that the host provides, found neither; this process has no such symbol
func.func private @no_such_function()
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  func.call @no_such_function() : () -> ()
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

//--- math.mlir
// CHECK: output 0
#m = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x8xf32>) outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%zero : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = math.erf %a : f32
    %3 = math.tanh %2 : f32
    %4 = math.exp %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = math.powf %4, %5 : f32
    %7 = math.cbrt %6 : f32
    %8 = math.log1p %7 : f32
    %9 = arith.remf %8, %4 : f32
    linalg.yield %9 : f32
  } -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

//--- divide.mlir
// CHECK: error: the program stopped at {{.*}}divide.mlir:[[#@LINE+8]]:10: 'arith.divsi' divides by zero
#m = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  %1 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xi32>) outs(%zero : tensor<8x8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %d = arith.subi %a, %a : i32
    %q = arith.divsi %a, %d : i32
    linalg.yield %q : i32
  } -> tensor<8x8xi32>
  return %1 : tensor<8x8xi32>
}

//--- overflow.mlir
// CHECK: error: the program stopped at {{.*}}overflow.mlir:[[#@LINE+7]]:10: 'arith.divsi' divides the least number by -1, whose quotient does not fit
#m = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>, %least: tensor<8x8xi32> {fadiff.fill = "uniform(-2147483648,-2147483648)"}, %minus: tensor<8x8xi32> {fadiff.fill = "uniform(-1,-1)"}) -> (tensor<8x8xi32>, tensor<8x8xi32>) {
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  %1 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%least, %minus : tensor<8x8xi32>, tensor<8x8xi32>) outs(%zero : tensor<8x8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %q = arith.divsi %a, %b : i32
    linalg.yield %q : i32
  } -> tensor<8x8xi32>
  return %0, %1 : tensor<8x8xi32>, tensor<8x8xi32>
}

//--- remainder.mlir
// CHECK: error: the program stopped at {{.*}}remainder.mlir:[[#@LINE+6]]:10: 'arith.remui' divides by zero
#m = affine_map<(a) -> (a)>
func.func @main(%x: tensor<8xi32>, %y: tensor<8xi32> {fadiff.fill = "zeros"}) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %0 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %q = arith.remui %a, %b : i32
    linalg.yield %q : i32
  } -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

//--- assert.mlir
// CHECK: error: the program stopped at {{.*}}assert.mlir:[[#@LINE+4]]:3: assertion failed: it holds
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  %false = arith.constant false
  // Speaks for itself.
  cf.assert %false, "it holds"
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

//--- load.mlir
// CHECK: error: the program was stopped by an access to memory that it does not own, or by too deep a recursion (SIGSEGV); an operation of the network does what MLIR leaves undefined
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  %c = llvm.mlir.constant(64 : i64) : i64
  %p = llvm.inttoptr %c : i64 to !llvm.ptr
  %v = llvm.load volatile %p : !llvm.ptr -> i32
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}
