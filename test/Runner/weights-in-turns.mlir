// Tiles of weights take turns in two places: what comes of the next one is
// spread over all trips that use this one, where otherwise it would come on
// those of its first use, beside the sums that were spilled. The last tiles
// along C and K are cut short.

// RUN: fadiff-run %s --target=gemmini-large --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize | FileCheck %s --check-prefix=PLACES

// CHECK: DRAM bytes {{.*}}: as predicted
// CHECK: scratchpad writes equal; simulated / predicted: scratchpad reads 1.000, accumulator 1.000, cycles 1.0{{[0-2]}}
// CHECK: output identical to the reference

// Of 16,384 rows the last 1,408 are the second place of 22 x 2 blocks.
// PLACES: arith.constant 14976 : index

func.func @main(%a: tensor<512x1400xi8>, %w: tensor<1400x240xi8>) -> tensor<512x240xi32> {
  %z = fadiff.layer "mm" ins(%a, %w : tensor<512x1400xi8>, tensor<1400x240xi8>)
      workload(<[N = 512, K = 240, C = 1400], layouts = "NC" "CK" "NK">)
      epilogue(<>)
      mapping(<dram [C:2 K:4], scratchpad [N:4 K:2], accumulator [C:22], registers [N:128], array [32 x 32]>) {
  ^bb0(%in: tensor<512x1400xi8>, %f: tensor<1400x240xi8>):
    %c0 = arith.constant 0 : i32
    %e = tensor.empty() : tensor<512x240xi32>
    %g = linalg.fill ins(%c0 : i32) outs(%e : tensor<512x240xi32>) -> tensor<512x240xi32>
    %h = linalg.matmul ins(%in, %f : tensor<512x1400xi8>, tensor<1400x240xi8>) outs(%g : tensor<512x240xi32>) -> tensor<512x240xi32>
    fadiff.yield %h : tensor<512x240xi32>
  } -> tensor<512x240xi32>
  return %z : tensor<512x240xi32>
}
