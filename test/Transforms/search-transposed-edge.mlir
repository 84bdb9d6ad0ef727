// On chip there are no strides: a layer that reads the rows of the one before as
// columns does not share a group with it, though the extents are equal.

// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-run %t/network.mlir --target=gemmini-fp32 --check | FileCheck %s
// CHECK: 0 of 1 edges fused
// CHECK-NEXT: the consumer reads the producer's output transposed
// CHECK-NOT: differ, first
// CHECK: largest difference of floats

// Nor in a group that somebody else has written.
// RUN: not fadiff-opt %t/group.mlir --fadiff-attach-target=target=gemmini-fp32 --fadiff-verify-schedule 2>&1 | FileCheck %s --check-prefix=GROUP
// GROUP: error: {{.*}}wanted an edge from 'first', found none

//--- network.mlir
#in = affine_map<(n, p, q, k, c) -> (n, q, p, c)>
#w = affine_map<(n, p, q, k, c) -> (c, k)>
#out = affine_map<(n, p, q, k, c) -> (n, p, q, k)>
func.func @main(%x: tensor<1x8x8x16xf32>, %w: tensor<1x1x16x16xf32>, %v: tensor<16x16xf32>) -> tensor<1x8x8x16xf32> {
  %z = arith.constant dense<0.0> : tensor<1x8x8x16xf32>
  %s = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x16xf32>, tensor<1x1x16x16xf32>) outs(%z : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> loc("first")
  %t = linalg.generic {indexing_maps = [#in, #w, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%s, %v : tensor<1x8x8x16xf32>, tensor<16x16xf32>) outs(%z : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<1x8x8x16xf32> loc("second")
  return %t : tensor<1x8x8x16xf32>
}

//--- group.mlir
#in = affine_map<(n, p, q, k, c) -> (n, q, p, c)>
#w = affine_map<(n, p, q, k, c) -> (c, k)>
#out = affine_map<(n, p, q, k, c) -> (n, p, q, k)>
func.func @main(%x: tensor<1x8x8x16xf32>, %w: tensor<1x1x16x16xf32>, %v: tensor<16x16xf32>) -> tensor<1x8x8x16xf32> {
  %g = fadiff.fusion_group tile [N = 1, P = 8, Q = 8] {
    %a = fadiff.layer "first" ins(%x, %w : tensor<1x8x8x16xf32>, tensor<1x1x16x16xf32>)
        workload(<[K = 16, C = 16, P = 8, Q = 8], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 1.0 : f32>)
        mapping(<dram [], scratchpad [], accumulator [K:4 C:4], registers [P:8 Q:8], array [4 x 4]>) {
    ^bb0(%i: tensor<1x8x8x16xf32>, %k: tensor<1x1x16x16xf32>):
      %z = arith.constant dense<0.0> : tensor<1x8x8x16xf32>
      %s = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<1x8x8x16xf32>, tensor<1x1x16x16xf32>) outs(%z : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
      fadiff.yield %s : tensor<1x8x8x16xf32>
    } -> tensor<1x8x8x16xf32>
    %b = fadiff.layer "second" ins(%a, %v : tensor<1x8x8x16xf32>, tensor<16x16xf32>)
        workload(<[K = 16, C = 16, P = 8, Q = 8], layouts = "NWHC" "CK" "NPQK">) epilogue(<scale = 1.0 : f32>)
        mapping(<dram [], scratchpad [], accumulator [K:4 C:4], registers [P:8 Q:8], array [4 x 4]>) {
    ^bb0(%i: tensor<1x8x8x16xf32>, %k: tensor<16x16xf32>):
      %z = arith.constant dense<0.0> : tensor<1x8x8x16xf32>
      %s = linalg.generic {indexing_maps = [#in, #w, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%i, %k : tensor<1x8x8x16xf32>, tensor<16x16xf32>) outs(%z : tensor<1x8x8x16xf32>) {
      ^bb0(%p: f32, %q: f32, %c: f32):
        %0 = arith.mulf %p, %q : f32
        %1 = arith.addf %0, %c : f32
        linalg.yield %1 : f32
      } -> tensor<1x8x8x16xf32>
      fadiff.yield %s : tensor<1x8x8x16xf32>
    } -> tensor<1x8x8x16xf32>
    fadiff.yield %b : tensor<1x8x8x16xf32>
  } -> tensor<1x8x8x16xf32>
  return %g : tensor<1x8x8x16xf32>
}
