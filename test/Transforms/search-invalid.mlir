// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-small --fadiff-search -verify-diagnostics

// Beyond what index arithmetic is made for. (A layer of ordinary bounds has a
// mapping on every machine: one element of each operand at a time.)
// expected-error @+1 {{layer 'wide': rule 'layer-bounds' at dram: wanted 1 to 1073741824, found N = 2147483648; the layer itself is not computable}}
func.func @main(%x: tensor<2147483648x16xi8>, %w: tensor<16x16xi8>) -> tensor<2147483648x16xi8> {
  %0 = fadiff.layer "wide" ins(%x, %w : tensor<2147483648x16xi8>, tensor<16x16xi8>)
      workload(<[N = 2147483648, K = 16, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<2147483648x16xi8>, %b: tensor<16x16xi8>):
    fadiff.yield %a : tensor<2147483648x16xi8>
  } -> tensor<2147483648x16xi8>
  return %0 : tensor<2147483648x16xi8>
}
