// Networks on memrefs: the reference runs them as they are, the accelerator what
// was raised to tensors. What is written to arguments are outputs.

// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-run %t/accumulate.mlir --target=gemmini-small --check | FileCheck %t/accumulate.mlir
// RUN: fadiff-run %t/network.mlir --target=gemmini-small --check | FileCheck %t/network.mlir
// RUN: fadiff-run %t/network.mlir --target=gemmini-small --fuse=off --seed=3 | FileCheck %t/network.mlir
// RUN: fadiff-run %t/swap.mlir --target=gemmini-small --check | FileCheck %t/swap.mlir
// RUN: fadiff-run %t/prints.mlir --target=gemmini-small --check 2>&1 | FileCheck %t/prints.mlir
// RUN: fadiff-run %t/returned.mlir --target=gemmini-small --check | FileCheck %t/returned.mlir
// RUN: fadiff-run %t/softmax.mlir --target=gemmini-small --check | FileCheck %t/softmax.mlir
// RUN: not fadiff-run %t/unknown.mlir --target=gemmini-small 2>&1 | FileCheck %t/unknown.mlir
// Scheduled in one step and run in another.
// RUN: fadiff-opt %t/network.mlir --fadiff-schedule=target=gemmini-small -o %t/scheduled.mlir
// RUN: fadiff-run %t/scheduled.mlir --reference=%t/network.mlir | FileCheck %t/network.mlir

//--- accumulate.mlir
// CHECK: {{^}}{{(conv|matmul|depthwise|contract):[0-9]+}}
// CHECK: : as predicted
// CHECK: output 0: tensor<20x24xi32>
// CHECK-NOT: output 1
// CHECK: output identical to the reference
func.func @main(%a: memref<20x24xi8>, %b: memref<24x24xi8, strided<[?, ?], offset: ?>>, %c: memref<20x24xi32>) {
  linalg.matmul ins(%a, %b : memref<20x24xi8>, memref<24x24xi8, strided<[?, ?], offset: ?>>) outs(%c : memref<20x24xi32>)
  return
}

//--- network.mlir
// CHECK: {{^(conv|matmul|depthwise):[0-9]+|^one}}
// CHECK: : as predicted
// CHECK: output 0: tensor<20x16xi8>
// CHECK-NEXT: output 1: tensor<20x24xi8>
// CHECK-NEXT: output identical to the reference
#m = affine_map<(a, b) -> (a, b)>
memref.global "private" constant @w1 : memref<32x24xi8> = dense<3>
memref.global "private" @w2 : memref<24x16xi8> = dense<-2>
memref.global @unused : memref<4xf80> = uninitialized
func.func @forward(%x: memref<20x32xi8>, %y: memref<20x16xi8>, %z: memref<20x24xi8>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : i32
  %w1 = memref.get_global @w1 : memref<32x24xi8>
  %w2 = memref.get_global @w2 : memref<24x16xi8>
  %s1 = memref.alloc() {alignment = 64 : i64} : memref<20x24xi32>
  linalg.fill ins(%c0 : i32) outs(%s1 : memref<20x24xi32>)
  linalg.matmul ins(%x, %w1 : memref<20x32xi8>, memref<32x24xi8>) outs(%s1 : memref<20x24xi32>) loc("one")
  %h = memref.alloc() : memref<20x24xi8>
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%s1 : memref<20x24xi32>) outs(%h : memref<20x24xi8>) {
  ^bb0(%i: i32, %o: i8):
    %scale = arith.constant 0.015625 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %f = arith.sitofp %i : i32 to f32
    %p = arith.mulf %f, %scale : f32
    %r = math.roundeven %p : f32
    %l = arith.maximumf %r, %low : f32
    %u = arith.minimumf %l, %high : f32
    %q = arith.fptosi %u : f32 to i8
    linalg.yield %q : i8
  }
  memref.dealloc %s1 : memref<20x24xi32>
  %s2 = memref.alloc() : memref<20x16xi32>
  linalg.fill ins(%c0 : i32) outs(%s2 : memref<20x16xi32>)
  linalg.matmul ins(%h, %w2 : memref<20x24xi8>, memref<24x16xi8>) outs(%s2 : memref<20x16xi32>)
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%s2 : memref<20x16xi32>) outs(%y : memref<20x16xi8>) {
  ^bb0(%i: i32, %o: i8):
    %q = arith.trunci %i : i32 to i8
    linalg.yield %q : i8
  }
  memref.copy %h, %z : memref<20x24xi8> to memref<20x24xi8>
  memref.dealloc %s2 : memref<20x16xi32>
  memref.dealloc %h : memref<20x24xi8>
  return
}

//--- swap.mlir
// Each argument ends as the other one began, and the sums see both.
// CHECK: output 0: tensor<16x16xi8>
// CHECK-NEXT: output 1: tensor<16x16xi8>
// CHECK-NEXT: output 2: tensor<16x16xi32>
// CHECK-NEXT: output identical to the reference
func.func @main(%a: memref<16x16xi8>, %b: memref<16x16xi8>, %c: memref<16x16xi32>) {
  %t = memref.alloc() : memref<16x16xi8>
  memref.copy %a, %t : memref<16x16xi8> to memref<16x16xi8>
  linalg.matmul ins(%a, %b : memref<16x16xi8>, memref<16x16xi8>) outs(%c : memref<16x16xi32>)
  memref.copy %b, %a : memref<16x16xi8> to memref<16x16xi8>
  linalg.matmul ins(%a, %b : memref<16x16xi8>, memref<16x16xi8>) outs(%c : memref<16x16xi32>)
  memref.copy %t, %b : memref<16x16xi8> to memref<16x16xi8>
  linalg.matmul ins(%a, %b : memref<16x16xi8>, memref<16x16xi8>) outs(%c : memref<16x16xi32>)
  memref.dealloc %t : memref<16x16xi8>
  return
}

//--- prints.mlir
// What is printed is what the buffer held there.
// CHECK: remark: the call of @printMemrefI32 is not run: what it prints is output 0
// CHECK: remark: the call of @printMemrefI32 is not run: what it prints is output 1
// CHECK: output 0: tensor<8x8xi32> {{.*}} min -3 max -3
// CHECK: output 1: tensor<8x8xi32> {{.*}} min 189 max 189
// CHECK: output 0 is as in the reference, which proves little: all elements are -3;
// CHECK: output 1 is as in the reference, which proves little: all elements are 189;
memref.global "private" @w : memref<16x8xi8> = dense<3>
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
func.func @main() {
  %minus = arith.constant -3 : i32
  %four = arith.constant 4 : i8
  %x = memref.alloca() : memref<8x16xi8>
  linalg.fill ins(%four : i8) outs(%x : memref<8x16xi8>)
  %w = memref.get_global @w : memref<16x8xi8>
  %c = memref.alloc() : memref<8x8xi32>
  linalg.fill ins(%minus : i32) outs(%c : memref<8x8xi32>)
  %u = memref.cast %c : memref<8x8xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  linalg.matmul ins(%x, %w : memref<8x16xi8>, memref<16x8xi8>) outs(%c : memref<8x8xi32>)
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  memref.dealloc %c : memref<8x8xi32>
  return
}

//--- returned.mlir
// CHECK: output 0: tensor<8x8xi32>
// CHECK-NEXT: output 1: tensor<8x16xi8>
// CHECK-NEXT: output identical to the reference
func.func private @product(%x: memref<8x16xi8>, %w: memref<16x8xi8>) -> memref<8x8xi32> {
  %c0 = arith.constant 0 : i32
  %c = memref.alloc() : memref<8x8xi32>
  linalg.fill ins(%c0 : i32) outs(%c : memref<8x8xi32>)
  linalg.matmul ins(%x, %w : memref<8x16xi8>, memref<16x8xi8>) outs(%c : memref<8x8xi32>)
  return %c : memref<8x8xi32>
}
func.func @main(%x: memref<8x16xi8>, %w: memref<16x8xi8>) -> (memref<8x8xi32>, memref<8x16xi8>) {
  %c = call @product(%x, %w) : (memref<8x16xi8>, memref<16x8xi8>) -> memref<8x8xi32>
  return %c, %x : memref<8x8xi32>, memref<8x16xi8>
}

//--- softmax.mlir
// Several loop nests in one operation, in place, and a table.
// CHECK: output 0: tensor<4x8xi32>
// CHECK-NEXT: output 1: tensor<4x8xf32>
// CHECK-NEXT: output 2: tensor<6xi32>
// CHECK-NEXT: output identical to the reference
#m = affine_map<(a) -> (a)>
func.func @main(%x: memref<4x16xi8>, %w: memref<16x8xi8>, %s: memref<4x8xi32>, %f: memref<4x8xf32>, %table: memref<9xi32>, %rows: memref<6xi32>, %r: memref<6xi32>) {
  linalg.softmax dimension(1) ins(%f : memref<4x8xf32>) outs(%f : memref<4x8xf32>)
  linalg.matmul ins(%x, %w : memref<4x16xi8>, memref<16x8xi8>) outs(%s : memref<4x8xi32>)
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%rows : memref<6xi32>) outs(%r : memref<6xi32>) {
  ^bb0(%a: i32, %b: i32):
    %k = arith.index_cast %a : i32 to index
    %v = memref.load %table[%k] : memref<9xi32>
    linalg.yield %v : i32
  }
  linalg.softmax dimension(1) ins(%f : memref<4x8xf32>) outs(%f : memref<4x8xf32>)
  return
}

//--- unknown.mlir
// CHECK: unknown.mlir:[[#@LINE+4]]:3: error: '@normalise' is only declared: wanted a body or a symbol that the host provides, found neither; pass --allow-external if you trust the network as you trust this program
func.func private @normalise(memref<8x8xi32>)
func.func @main(%x: memref<8x16xi8>, %w: memref<16x8xi8>, %c: memref<8x8xi32>) {
  linalg.matmul ins(%x, %w : memref<8x16xi8>, memref<16x8xi8>) outs(%c : memref<8x8xi32>)
  call @normalise(%c) : (memref<8x8xi32>) -> ()
  return
}
