// RUN: fadiff-opt %s -convert-gemmini-to-llvm=target=rocc | FileCheck %s
// RUN: fadiff-opt %s --mlir-print-op-generic | fadiff-opt | FileCheck %s --check-prefix=ROUND

// A convolution loop is seven instructions, six configurations first.
// CHECK-LABEL: func.func @loop
// ROUND-LABEL: func.func @loop
func.func @loop(%in: i64, %w: i64, %b: i64, %out: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c20 = arith.constant 20 : index
  %c36 = arith.constant 36 : index
  gemmini.config_ex ws
  gemmini.config_st stride = 36
  // CHECK: ".insn r CUSTOM_3, 0x3, 16, x0
  // CHECK: ".insn r CUSTOM_3, 0x3, 17, x0
  // CHECK: ".insn r CUSTOM_3, 0x3, 18, x0
  // CHECK: ".insn r CUSTOM_3, 0x3, 19, x0
  // CHECK: ".insn r CUSTOM_3, 0x3, 20, x0
  // CHECK: ".insn r CUSTOM_3, 0x3, 21, x0
  // CHECK: ".insn r CUSTOM_3, 0x3, 15, x0
  // CHECK-NOT: insn
  // ROUND: gemmini.loop_conv_ws tile{{ *\[%.*\] *}}taps
  gemmini.loop_conv_ws tile [%c1, %c4, %c8, %c36] taps [%c3, %c3, %c20]
    pads [%c1, %c0, %c1, %c1] input(%in half %c1) weights(%w half %c1)
    bias(%b) output(%out) {
      in_dims = array<i64: 1, 8, 8, 20>, out_dims = array<i64: 8, 8, 36>,
      strides = array<i64: 20, 36, 36>, kernel_dim = 3 : i64}
  return
}
