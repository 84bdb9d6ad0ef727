// Words of commands grow by constants, from a first one that LLVM knows nothing
// of but that it may move. Here lines of 15 outputs have 17 inputs, so on each
// trip these are 17 rows on. Weights that are loaded beside the first lines only
// are worked out there from the trip, of which LLVM knows nothing either.

// REQUIRES: riscv
// RUN: fadiff-compile %s --target=gemmini --schedule="fuse=off pack=off" --emit=llvm -O0 | FileCheck %s

// CHECK-LABEL: define internal void @fadiff_nest_conv
// CHECK:         call i64 asm "", "=r,0"(i64 %{{[0-9]+}}) #[[ASM:[0-9]+]]
// CHECK:         call void asm sideeffect ".insn r CUSTOM_3, 0x3, 5, x0, $0, $1", "r,r,~{memory}"(i64 %[[INPUT:[0-9]+]], i64 {{[0-9]+}})
// CHECK:         add i64 %[[INPUT]], 17{{$}}
// CHECK-LABEL: define internal void @fadiff_nest_matmul
// CHECK:         call i1 @llvm.expect.with.probability.i1(i1 %{{[0-9]+}}, i1 false, double 8.000000e-01)
// CHECK-NEXT:    br i1 %{{[0-9]+}}, label %[[FIRST:[0-9]+]], label
// CHECK:       [[FIRST]]:
// CHECK-NEXT:    %[[TRIP:[0-9]+]] = call i64 asm "", "=r,0"(i64 %{{[0-9]+}}) #[[ASM]]
// CHECK-NEXT:    mul i64 %[[TRIP]], 32
// CHECK:         call void asm sideeffect ".insn r CUSTOM_3, 0x3, 1, x0, $0, $1"
// CHECK:       attributes #[[ASM]] = { nounwind willreturn memory(none) }
func.func @main(%x: tensor<30x30x16xi8>, %w: tensor<3x3x16x16xi8>) -> tensor<30x30x16xi32> {
  %y = fadiff.layer "conv" ins(%x, %w : tensor<30x30x16xi8>, tensor<3x3x16x16xi8>)
      workload(<[K = 16, C = 16, P = 30, Q = 30, R = 3, S = 3], pad = [1, 1], layouts = "HWC" "RSCK" "PQK">)
      epilogue(<>)
      mapping(<dram [Q:2], scratchpad [], accumulator [S:3 R:3 P:30], registers [Q:15], array [16 x 16]>) {
  ^bb0(%in: tensor<30x30x16xi8>, %f: tensor<3x3x16x16xi8>):
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : i8
    %padded = tensor.pad %in low[1, 1, 0] high[1, 1, 0] {
    ^bb1(%i: index, %j: index, %k: index):
      tensor.yield %c0 : i8
    } : tensor<30x30x16xi8> to tensor<32x32x16xi8>
    %image = tensor.expand_shape %padded [[0, 1], [2], [3]] output_shape [1, 32, 32, 16] : tensor<32x32x16xi8> into tensor<1x32x32x16xi8>
    %empty = tensor.empty() : tensor<1x30x30x16xi32>
    %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x30x30x16xi32>) -> tensor<1x30x30x16xi32>
    %sums = linalg.conv_2d_nhwc_hwcf ins(%image, %f : tensor<1x32x32x16xi8>, tensor<3x3x16x16xi8>) outs(%init : tensor<1x30x30x16xi32>) -> tensor<1x30x30x16xi32>
    %r = tensor.collapse_shape %sums [[0, 1], [2], [3]] : tensor<1x30x30x16xi32> into tensor<30x30x16xi32>
    fadiff.yield %r : tensor<30x30x16xi32>
  } -> tensor<30x30x16xi32>
  return %y : tensor<30x30x16xi32>
}

func.func @product(%x: tensor<48x64xi8>, %w: tensor<64x32xi8>) -> tensor<48x32xi32> {
  %y = fadiff.layer "matmul" ins(%x, %w : tensor<48x64xi8>, tensor<64x32xi8>)
      workload(<[N = 48, K = 32, C = 64], layouts = "NC" "CK" "NK">) epilogue(<>)
      mapping(<dram [], scratchpad [N:4], accumulator [K:2 C:4], registers [N:12], array [16 x 16]>) {
  ^bb0(%in: tensor<48x64xi8>, %f: tensor<64x32xi8>):
    %zero = arith.constant 0 : i32
    %empty = tensor.empty() : tensor<48x32xi32>
    %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<48x32xi32>) -> tensor<48x32xi32>
    %r = linalg.matmul ins(%in, %f : tensor<48x64xi8>, tensor<64x32xi8>) outs(%init : tensor<48x32xi32>) -> tensor<48x32xi32>
    fadiff.yield %r : tensor<48x32xi32>
  } -> tensor<48x32xi32>
  return %y : tensor<48x32xi32>
}
