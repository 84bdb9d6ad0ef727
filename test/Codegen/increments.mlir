// Words of commands grow by constants, from a first one that LLVM knows nothing
// of but that it may move. Here lines of 15 outputs have 17 inputs, so on each
// trip these are 17 rows on.

// REQUIRES: riscv
// RUN: fadiff-compile %s --target=gemmini --schedule="fuse=off pack=off" --emit=llvm -O0 | FileCheck %s

// CHECK-LABEL: define internal void @fadiff_nest_conv
// CHECK:         call i64 asm "", "=r,0"(i64 %{{[0-9]+}}) #[[ASM:[0-9]+]]
// CHECK:         call void asm sideeffect ".insn r CUSTOM_3, 0x3, 5, x0, $0, $1", "r,r,~{memory}"(i64 %[[INPUT:[0-9]+]], i64 {{[0-9]+}})
// CHECK:         add i64 %[[INPUT]], 17{{$}}
// CHECK:       attributes #[[ASM]] = { nounwind willreturn memory(none) }
func.func @conv(%x: tensor<1x32x32x16xi8>, %w: tensor<3x3x16x16xi8>) -> tensor<1x30x30x16xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x30x30x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x30x30x16xi32>) -> tensor<1x30x30x16xi32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x32x32x16xi8>, tensor<3x3x16x16xi8>) outs(%init : tensor<1x30x30x16xi32>) -> tensor<1x30x30x16xi32>
  return %y : tensor<1x30x30x16xi32>
}
