// A mapping by hand that keeps all of the input, 256 rows, in a scratchpad of 64.
module {
  func.func @main(%x: tensor<64x16xi8>, %w: tensor<16x4xi8>) -> tensor<64x4xi32> {
    %0 = fadiff.layer "wide" ins(%x, %w : tensor<64x16xi8>, tensor<16x4xi8>)
        workload(<[N = 64, K = 4, C = 16], layouts = "NC" "CK" "NK">) epilogue(<>)
        mapping(<dram [], scratchpad [N:16], accumulator [C:4], registers [N:4], array [4 x 4]>) {
    ^bb0(%a: tensor<64x16xi8>, %b: tensor<16x4xi8>):
      %zero = arith.constant dense<0> : tensor<64x4xi32>
      %1 = linalg.matmul ins(%a, %b : tensor<64x16xi8>, tensor<16x4xi8>) outs(%zero : tensor<64x4xi32>) -> tensor<64x4xi32>
      fadiff.yield %1 : tensor<64x4xi32>
    } -> tensor<64x4xi32>
    return %0 : tensor<64x4xi32>
  }
}
