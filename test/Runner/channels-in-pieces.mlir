// Channels of the input come 64 at a time, in 20 pieces of a move each, while
// those before are in use: behind each of the boxes of 16 channels and half of
// the rows. Those from 64 on are used in the fifth box, though the first 64 are
// again in the boxes of the other rows, so that all 20 come behind four boxes,
// five at once.

// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize | FileCheck %s --check-prefix=PIECES

// CHECK: DRAM bytes {{.*}}: as predicted
// CHECK: scratchpad writes equal; simulated / predicted: scratchpad reads 1.000, accumulator 1.000, cycles {{1.0[0-2]|0.99}}
// CHECK: output identical to the reference

// All but the first 20 pieces, of 160.
// PIECES: arith.cmpi slt, %{{.*}}, %c140
// PIECES: scf.for %{{.*}} = %c0 to %c5 step %c1

func.func @main(%a: tensor<320x512xi8>, %w: tensor<512x16xi8>) -> tensor<320x16xi32> {
  %z = fadiff.layer "mm" ins(%a, %w : tensor<320x512xi8>, tensor<512x16xi8>)
      workload(<[N = 320, K = 16, C = 512], layouts = "NC" "CK" "NK">)
      epilogue(<>)
      mapping(<dram [], scratchpad [C:4], accumulator [N:2 C:8], registers [N:160], array [16 x 16]>) {
  ^bb0(%in: tensor<320x512xi8>, %f: tensor<512x16xi8>):
    %c0 = arith.constant 0 : i32
    %e = tensor.empty() : tensor<320x16xi32>
    %g = linalg.fill ins(%c0 : i32) outs(%e : tensor<320x16xi32>) -> tensor<320x16xi32>
    %h = linalg.matmul ins(%in, %f : tensor<320x512xi8>, tensor<512x16xi8>) outs(%g : tensor<320x16xi32>) -> tensor<320x16xi32>
    fadiff.yield %h : tensor<320x16xi32>
  } -> tensor<320x16xi32>
  return %z : tensor<320x16xi32>
}
