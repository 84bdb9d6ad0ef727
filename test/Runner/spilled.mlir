// Sums that are spilled and read back, where tiles take turns in the
// accumulator: the first of a sweep comes whole, the others during the tile
// before, into the place of the one that left. The last tiles of each sweep are
// cut short, and the second one waits at a fence for them. The bias fills rows
// of cut tiles, too, which the prediction does not count.

// RUN: fadiff-run %s --target=gemmini --check 2>&1 | FileCheck %s

// CHECK: DRAM bytes {{.*}}: as predicted
// CHECK: scratchpad writes equal; simulated / predicted: scratchpad reads 1.000, accumulator 1.003, cycles {{1.00|0.99}}
// CHECK: output identical to the reference

func.func @main(%x: tensor<88x240xi8>, %w: tensor<240x32xi8>, %b: tensor<32xi32>) -> tensor<88x32xi32> {
  %y = fadiff.layer "mm" ins(%x, %w, %b : tensor<88x240xi8>, tensor<240x32xi8>, tensor<32xi32>)
      workload(<[N = 88, K = 32, C = 240], layouts = "NC" "CK" "NK">)
      epilogue(<>)
      mapping(<dram [C:3 K:2 N:3], scratchpad [], accumulator [C:5], registers [N:32], array [16 x 16]>) {
  ^bb0(%a: tensor<88x240xi8>, %v: tensor<240x32xi8>, %c: tensor<32xi32>):
    %e = tensor.empty() : tensor<88x32xi32>
    %f = linalg.broadcast ins(%c : tensor<32xi32>) outs(%e : tensor<88x32xi32>) dimensions = [0]
    %g = linalg.matmul ins(%a, %v : tensor<88x240xi8>, tensor<240x32xi8>) outs(%f : tensor<88x32xi32>) -> tensor<88x32xi32>
    fadiff.yield %g : tensor<88x32xi32>
  } -> tensor<88x32xi32>
  return %y : tensor<88x32xi32>
}
