// Where outputs are pooled is for a schedule to say: before there is one the
// pooling stands behind the layer.

// RUN: not fadiff-opt %s --fadiff-attach-target=target=gemmini-large --fadiff-search 2>&1 | FileCheck %s

// CHECK: error: layer "a" pools and has no mapping; wanted the pooling behind the layer, which becomes part of it where a schedule says so
func.func @main(%x: tensor<4x4x4xi8>, %w: tensor<4x4xi8>) -> tensor<2x2x4xi8> {
  %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x4xi8>, tensor<4x4xi8>)
      workload(<[K = 4, C = 4, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">) epilogue(<scale = 1.0 : f32, relu, pool = <size = 2, stride = 2, pad = [0, 0], outputs = [2, 2]>>) {
  ^bb0(%a: tensor<4x4x4xi8>, %b: tensor<4x4xi8>):
    %r = tensor.empty() : tensor<2x2x4xi8>
    fadiff.yield %r : tensor<2x2x4xi8>
  } -> tensor<2x2x4xi8>
  return %0 : tensor<2x2x4xi8>
}
