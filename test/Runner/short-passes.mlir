// No pass of an array is shorter than four rows: 49 rows are 4, 13, 16 and 16,
// and the 33 of the last tile, which are known only when the program runs, 4, 13
// and 16. The 64 weight tiles take 49 cycles each, then 33, 5,248 in all; if
// passes began with one row, that took four cycles, 52 and 36.

// RUN: fadiff-run %s --target=gemmini --check --json | %python -c "import json, sys; print(json.load(sys.stdin)['groups'][0]['simulated']['array'])" | FileCheck %s --check-prefix=BUSY
// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s

// BUSY: {{^5248$}}
// CHECK: DRAM bytes {{.*}}: as predicted
// CHECK: scratchpad writes equal; simulated / predicted: scratchpad reads 1.000, accumulator 1.000, cycles 1.00
// CHECK: output identical to the reference

func.func @main(%a: tensor<82x256xi8>, %w: tensor<256x64xi8>) -> tensor<82x64xi32> {
  %z = fadiff.layer "mm" ins(%a, %w : tensor<82x256xi8>, tensor<256x64xi8>)
      workload(<[N = 82, K = 64, C = 256], layouts = "NC" "CK" "NK">)
      epilogue(<>)
      mapping(<dram [N:2], scratchpad [], accumulator [C:16 K:4], registers [N:49], array [16 x 16]>) {
  ^bb0(%in: tensor<82x256xi8>, %f: tensor<256x64xi8>):
    %c0 = arith.constant 0 : i32
    %e = tensor.empty() : tensor<82x64xi32>
    %g = linalg.fill ins(%c0 : i32) outs(%e : tensor<82x64xi32>) -> tensor<82x64xi32>
    %h = linalg.matmul ins(%in, %f : tensor<82x256xi8>, tensor<256x64xi8>) outs(%g : tensor<82x64xi32>) -> tensor<82x64xi32>
    fadiff.yield %h : tensor<82x64xi32>
  } -> tensor<82x64xi32>
  return %z : tensor<82x64xi32>
}
