// Which function is run, what it may take and give, and what a comparison is
// worth. Every network here has one layer, which the accelerator runs.

// RUN: rm -rf %t && split-file %s %t

// The only public function is the one that is meant; numbers, an index among
// them, are arguments and results like any other.
// RUN: fadiff-run %t/numbers.mlir --target=gemmini-small --print-values | FileCheck %t/numbers.mlir
// Without results there is nothing to compare, and nothing that has to run.
// RUN: fadiff-run %t/nothing.mlir --allow-empty | FileCheck %t/nothing.mlir
// RUN: fadiff-run %t/tuple.mlir --target=gemmini-small | FileCheck %t/tuple.mlir
// Extents that are open in a result, and in a contraction that stays on the host.
// RUN: fadiff-run %t/dynamic.mlir --target=gemmini-small | FileCheck %t/dynamic.mlir
// Drivers around the network: unreachable ones, and one that prints.
// RUN: fadiff-run %t/driver.mlir --entry=forward --target=gemmini-small | FileCheck %t/driver.mlir --check-prefix=FORWARD
// RUN: fadiff-run %t/driver.mlir --target=gemmini-small 2>&1 | FileCheck %t/driver.mlir
// Nothing of the module is dropped by scheduling.
// RUN: fadiff-opt %t/driver.mlir --fadiff-schedule=target=gemmini-small | FileCheck %t/driver.mlir --check-prefix=KEPT
// Outputs that would come out so of anything.
// RUN: fadiff-run %t/vacuous.mlir --target=gemmini-small | FileCheck %t/vacuous.mlir
// Integers that are indices are in range, and others that are not are an error.
// RUN: fadiff-run %t/gather.mlir --target=gemmini-small | FileCheck %t/gather.mlir
// RUN: not fadiff-run %t/outside.mlir --target=gemmini-small 2>&1 | FileCheck %t/outside.mlir
// RUN: not fadiff-run %t/outside.mlir --entry=slice --target=gemmini-small 2>&1 | FileCheck %t/outside.mlir --check-prefix=SLICE
// Types that C++ has no number for.
// RUN: fadiff-run %t/types.mlir --target=gemmini-small --print-values | FileCheck %t/types.mlir
// Blocks of floats of 4 bits with a scale.
// RUN: fadiff-run %t/microscaled.mlir --target=gemmini-fp32 --print-values | FileCheck %t/microscaled.mlir
// Integers of 4 bits, as arguments, constants and results, widened by the host.
// RUN: fadiff-run %t/nibbles.mlir --target=gemmini-small --print-values | FileCheck %t/nibbles.mlir

//--- numbers.mlir
// CHECK: {{^}}{{(conv|matmul|depthwise|contract):[0-9]+}}
// CHECK: output 0: tensor<2x2xi32>
// CHECK-NEXT: values 0: 23 28 30 37
// CHECK-NEXT: output 1: tensor<i32>
// CHECK-NEXT: values 1: 5
// CHECK-NEXT: output 2: tensor<i1>
// CHECK-NEXT: values 2: 1
// CHECK-NEXT: output 3: tensor<f16>
// CHECK-NEXT: values 3: 0.5
// CHECK-NEXT: output identical to the reference
func.func @net(%start: i32 {fadiff.fill = "uniform(5,5)"}, %row: index {fadiff.fill = "ones"}, %yes: i1 {fadiff.fill = "ones"}, %half: f16 {fadiff.fill = "uniform(0.5,0.5)"}) -> (tensor<2x2xi32>, i32, i1, f16) {
  %rows = arith.constant dense<[[9, 9], [2, 3], [3, 4]]> : tensor<3x2xi8>
  %w = arith.constant dense<[[3, 4], [4, 5]]> : tensor<2x2xi8>
  %x = tensor.extract_slice %rows[%row, 0] [2, 2] [1, 1] : tensor<3x2xi8> to tensor<2x2xi8>
  %e = tensor.empty() : tensor<2x2xi32>
  %f = linalg.fill ins(%start : i32) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>
  %r = linalg.matmul ins(%x, %w : tensor<2x2xi8>, tensor<2x2xi8>) outs(%f : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r, %start, %yes, %half : tensor<2x2xi32>, i32, i1, f16
}

//--- nothing.mlir
// CHECK: nothing to compare: the function returns, writes and prints nothing
func.func @main() {
  return
}

//--- tuple.mlir
// CHECK: output 0: tensor<i32>
// CHECK: output 1: tensor<8x8xi32>
// CHECK: output 2: tensor<8x16xi8>
// CHECK: output identical to the reference
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>, %n: i32) -> (i32, tuple<tensor<8x8xi32>, tensor<8x16xi8>>) {
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  %t = builtin.unrealized_conversion_cast %0, %x : tensor<8x8xi32>, tensor<8x16xi8> to tuple<tensor<8x8xi32>, tensor<8x16xi8>>
  return %n, %t : i32, tuple<tensor<8x8xi32>, tensor<8x16xi8>>
}

//--- dynamic.mlir
// CHECK: {{^}}{{(conv|matmul|depthwise|contract):[0-9]+}}
// CHECK-NEXT: {{^}}total
// CHECK: output 0: tensor<8x8xi32>
// CHECK: output 1: tensor<{{[2-6]}}x8xi32>
// CHECK: output identical to the reference
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>, %rows: index {fadiff.fill = "uniform(2,6)"}) -> (tensor<8x8xi32>, tensor<?x8xi32>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  %some = tensor.extract_slice %x[0, 0] [%rows, 16] [1, 1] : tensor<8x16xi8> to tensor<?x16xi8>
  %e = tensor.empty(%rows) : tensor<?x8xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<?x8xi32>) -> tensor<?x8xi32>
  %1 = linalg.matmul ins(%some, %w : tensor<?x16xi8>, tensor<16x8xi8>) outs(%f : tensor<?x8xi32>) -> tensor<?x8xi32>
  return %0, %1 : tensor<8x8xi32>, tensor<?x8xi32>
}

//--- driver.mlir
// FORWARD: output 0: tensor<8x8xi32>
// FORWARD-NOT: output 1
// FORWARD: output identical to the reference

// CHECK: driver.mlir:[[#@LINE+33]]:3: remark: the call of @printMemrefI32 is not run: what it prints is output 0
// CHECK: driver.mlir:[[#@LINE+33]]:3: remark: 'vector.print' is not run: what it prints is output 1
// CHECK: driver.mlir:[[#@LINE+33]]:3: remark: the call of @printNewline is not run: nothing is printed
// CHECK: driver.mlir:[[#@LINE+33]]:8: remark: the call of @rtclock is not run: its result is 0
// CHECK: output 0: tensor<8x8xi32>
// CHECK: output 1: tensor<i32>
// CHECK: output identical to the reference

// KEPT: func.func private @unknown(tensor<?x4xi8>) -> tensor<?x4xi8>
// KEPT: call @unknown
// KEPT: call @printMemrefI32
// KEPT: vector.print
// KEPT: fadiff.loop_nest
func.func private @printMemrefI32(tensor<*xi32>)
func.func private @printNewline()
func.func private @rtclock() -> f64
func.func private @unknown(tensor<?x4xi8>) -> tensor<?x4xi8>
transform.sequence failures(propagate) {
^bb1(%all: !transform.any_op):
  %0 = transform.structured.match ops{["linalg.matmul"]} in %all : (!transform.any_op) -> !transform.any_op
}
func.func @benchmark(%x: tensor<?x4xi8>) -> tensor<?x4xi8> {
  %0 = call @unknown(%x) : (tensor<?x4xi8>) -> tensor<?x4xi8>
  return %0 : tensor<?x4xi8>
}
func.func @main() {
  %x = arith.constant dense<[[1, -2, 3, 4]]> : tensor<1x4xi8>
  %p = tensor.pad %x low[3, 5] high[4, 7] { ^bb0(%i: index, %j: index): %c = arith.constant 7 : i8
    tensor.yield %c : i8 } : tensor<1x4xi8> to tensor<8x16xi8>
  %w = arith.constant dense<2> : tensor<16x8xi8>
  %r = call @forward(%p, %w) : (tensor<8x16xi8>, tensor<16x8xi8>) -> tensor<8x8xi32>
  %n = arith.constant 6 : i32
  %u = tensor.cast %r : tensor<8x8xi32> to tensor<*xi32>
  call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
  vector.print %n : i32
  call @printNewline() : () -> ()
  %t = call @rtclock() : () -> f64
  return
}
func.func @forward(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> tensor<8x8xi32> {
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

//--- vacuous.mlir
// CHECK-NOT: output identical
// CHECK: output 0 is as in the reference, which proves little: all elements are NaN; choose other arguments with fadiff.fill or --inputs
// CHECK-NEXT: output 1 is as in the reference, which proves little: all elements are 0;
// CHECK-NEXT: output 2 is as in the reference, which proves little: all elements are saturated;
// CHECK-NEXT: the others: output identical to the reference
#m = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>) -> (tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x8xi8>, tensor<8x8xi32>) {
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  %ef = tensor.empty() : tensor<8x8xf32>
  %e8 = tensor.empty() : tensor<8x8xi8>
  %nan, %none, %ends = linalg.generic {indexing_maps = [#m, #m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xi32>) outs(%ef, %zero, %e8 : tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x8xi8>) {
  ^bb0(%a: i32, %o: f32, %p: i32, %q: i8):
    %c0 = arith.constant 0 : i32
    %n = arith.constant -1.0 : f32
    %s = math.sqrt %n : f32
    %d = arith.andi %a, %c0 : i32
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %positive = arith.cmpi sgt, %a, %c0 : i32
    %end = arith.select %positive, %high, %low : i8
    linalg.yield %s, %d, %end : f32, i32, i8
  } -> (tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x8xi8>)
  return %nan, %none, %ends, %0 : tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x8xi8>, tensor<8x8xi32>
}

//--- gather.mlir
// CHECK: output identical to the reference
#in = affine_map<(a, b) -> (a)>
#m = affine_map<(a, b) -> (a, b)>
func.func @main(%rows: tensor<8xi64>, %table: tensor<5x16xi8>, %w: tensor<16x8xi8>, %column: i32) -> (tensor<8x8xi32>, tensor<8x16xi8>, i8) {
  %e = tensor.empty() : tensor<8x16xi8>
  %x = linalg.generic {indexing_maps = [#in, #m], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<8xi64>) outs(%e : tensor<8x16xi8>) {
  ^bb0(%i: i64, %o: i8):
    %row = arith.index_cast %i : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%row, %j] : tensor<5x16xi8>
    linalg.yield %v : i8
  } -> tensor<8x16xi8>
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  %c0 = arith.constant 0 : index
  %c = arith.index_cast %column : i32 to index
  %v = tensor.extract %table[%c0, %c] : tensor<5x16xi8>
  return %0, %x, %v : tensor<8x8xi32>, tensor<8x16xi8>, i8
}

//--- outside.mlir
// CHECK: error: the program stopped at {{.*}}outside.mlir:[[#@LINE+5]]:8: 'memref.load': out-of-bounds access
// SLICE: error: the program stopped at {{.*}}outside.mlir:[[#@LINE+9]]:8: 'memref.subview': {{.*}}out-of-bounds
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>, %i: index {fadiff.fill = "uniform(9,9)"}) -> (tensor<8x8xi32>, i8) {
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  %v = tensor.extract %x[%i, %i] : tensor<8x16xi8>
  return %0, %v : tensor<8x8xi32>, i8
}
func.func @slice(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>, %i: index {fadiff.fill = "uniform(9,9)"}) -> tensor<4x8xi32> {
  %zero = arith.constant dense<0> : tensor<4x8xi32>
  %s = tensor.extract_slice %x[%i, 0] [4, 16] [1, 1] : tensor<8x16xi8> to tensor<4x16xi8>
  %0 = linalg.matmul ins(%s, %w : tensor<4x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

//--- types.mlir
// CHECK: output 0: tensor<8x8xi32>
// CHECK: output 1: tensor<2xf16> {{.*}} min 0.25 max 0.25
// CHECK-NEXT: values 1: 0.25 0.25
// CHECK: output 2: tensor<2xbf16>
// CHECK-NEXT: values 2: 0.75 0.75
// CHECK: output 3: tensor<4xi1>
// CHECK-NEXT: values 3: {{[01] [01] [01] [01]$}}
// CHECK: output 4: tensor<2xindex>
// CHECK-NEXT: values 4: 3 3
// CHECK: output identical to the reference
func.func @main(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>, %h: tensor<2xf16> {fadiff.fill = "uniform(0.25,0.25)"}, %b: tensor<2xbf16> {fadiff.fill = "uniform(0.75,0.75)"}, %i: tensor<4xi1>, %n: tensor<2xindex> {fadiff.fill = "uniform(3,3)"}) -> (tensor<8x8xi32>, tensor<2xf16>, tensor<2xbf16>, tensor<4xi1>, tensor<2xindex>) {
  %zero = arith.constant dense<0> : tensor<8x8xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xi8>, tensor<16x8xi8>) outs(%zero : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0, %h, %b, %i, %n : tensor<8x8xi32>, tensor<2xf16>, tensor<2xbf16>, tensor<4xi1>, tensor<2xindex>
}

//--- nibbles.mlir
// CHECK: {{^}}{{(conv|matmul|depthwise|contract):[0-9]+}}
// CHECK: values 0: 39 102 39 102
// CHECK: output 1: tensor<2x2xi4> {{.*}} min -8 max 7 zero 0.00% saturated 50.00%
// CHECK-NEXT: values 1: -8 7 -1 5
// CHECK: values 2: -5 -5 -5 -5
// CHECK: values 3: -5
// CHECK: output identical to the reference
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<2x2xi8> {fadiff.fill = "uniform(3,3)"}, %n: tensor<2x2xi4> {fadiff.fill = "uniform(-5,-5)"}, %one: i4 {fadiff.fill = "uniform(-5,-5)"}) -> (tensor<2x2xi32>, tensor<2x2xi4>, tensor<2x2xi4>, i4) {
  %zero = arith.constant dense<0> : tensor<2x2xi32>
  %w4 = arith.constant dense<[[-8, 7], [-1, 5]]> : tensor<2x2xi4>
  %e = tensor.empty() : tensor<2x2xi8>
  %w = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%w4, %n : tensor<2x2xi4>, tensor<2x2xi4>) outs(%e : tensor<2x2xi8>) {
  ^bb0(%a: i4, %b: i4, %o: i8):
    %wide = arith.extsi %a : i4 to i8
    %other = arith.extui %b : i4 to i8
    %sum = arith.addi %wide, %other : i8
    linalg.yield %sum : i8
  } -> tensor<2x2xi8>
  %r = linalg.matmul ins(%x, %w : tensor<2x2xi8>, tensor<2x2xi8>) outs(%zero : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r, %w4, %n, %one : tensor<2x2xi32>, tensor<2x2xi4>, tensor<2x2xi4>, i4
}

//--- microscaled.mlir
// CHECK: {{^}}{{(conv|matmul|depthwise|contract):[0-9]+}}
// CHECK: values 0: 0 -9
// CHECK: values 1: -1.5 -1.5
// CHECK: values 2: 0.5 0.5
// CHECK: the others: output identical to the reference
#lhs = affine_map<(i, j, k, b) -> (i, k, b)>
#rhs = affine_map<(i, j, k, b) -> (j, k, b)>
#scale = affine_map<(i, j, k, b) -> (i, k)>
#out = affine_map<(i, j, k, b) -> (i, j)>
func.func @main(%x: tensor<1x1x2xf4E2M1FN> {fadiff.fill = "uniform(-1.4,-1.4)"}, %s: tensor<1x1xf8E8M0FNU> {fadiff.fill = "uniform(0.5,0.5)"}) -> (tensor<1x2xf32>, tensor<1x1x2xf4E2M1FN>, tensor<2xf8E8M0FNU>) {
  %zero = arith.constant dense<0.0> : tensor<1x2xf32>
  %w = arith.constant dense<[[[1.0, -1.0]], [[6.0, 6.0]]]> : tensor<2x1x2xf4E2M1FN>
  %one = arith.constant dense<1.0> : tensor<2x1xf8E8M0FNU>
  %halves = arith.constant dense<0.5> : tensor<2xf8E8M0FNU>
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #scale, affine_map<(i, j, k, b) -> (j, k)>, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w, %s, %one : tensor<1x1x2xf4E2M1FN>, tensor<2x1x2xf4E2M1FN>, tensor<1x1xf8E8M0FNU>, tensor<2x1xf8E8M0FNU>) outs(%zero : tensor<1x2xf32>) {
  ^bb0(%a: f4E2M1FN, %b: f4E2M1FN, %as: f8E8M0FNU, %bs: f8E8M0FNU, %o: f32):
    %0 = arith.scaling_extf %a, %as : f4E2M1FN, f8E8M0FNU to f32
    %1 = arith.scaling_extf %b, %bs : f4E2M1FN, f8E8M0FNU to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x2xf32>
  return %r, %x, %halves : tensor<1x2xf32>, tensor<1x1x2xf4E2M1FN>, tensor<2xf8E8M0FNU>
}
