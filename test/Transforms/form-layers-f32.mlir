// What becomes the tail of a layer in f32, and where it ends.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-form-layers --remarks-filter=fadiff --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// Without a target, or for one in int8, none of this is a layer.
// RUN: not fadiff-opt %s --fadiff-form-layers 2>&1 | FileCheck %s --check-prefix=INT8
// INT8: error: nothing to schedule: wanted at least one int8 convolution or matrix product on tensors, found none
// INT8: note: not scheduled: its element types are f32 * f32 -> f32; the array takes i8 * i8 -> i32

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// Scale after ReLU is the same as before it.
// CHECK-LABEL: @relu_scale
// CHECK: fadiff.layer {{.*}} epilogue(<scale = 2.500000e-01 : f32, relu>)
func.func @relu_scale(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %start = arith.constant dense<0.0> : tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%start : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.maximumf %in, %zero : f32
    %3 = arith.mulf %2, %quarter : f32
    linalg.yield %3 : f32
  } -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// A bias behind the ReLU, a negative scale, and a clamp to 6 are no read-out.
// CHECK-LABEL: @other_tails
// CHECK-COUNT-3: fadiff.layer {{.*}} epilogue(<scale = 1.000000e+00 : f32{{(, relu)?}}>)
func.func @other_tails(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %start = arith.constant dense<0.0> : tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.25 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  // REMARK-DAG: [[#@LINE+1]]:8: remark: {{.*}}ends before its consumer: 'linalg.generic' stays on the host: 'arith.addf' is not part of the read-out sum + bias, * scale, relu at this point
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%start : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<4x6xf32>, tensor<6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %a = arith.maximumf %in, %zero : f32
    %c = arith.addf %a, %bias : f32
    linalg.yield %c : f32
  } -> tensor<4x6xf32>
  // REMARK-DAG: [[#@LINE+1]]:8: remark: {{.*}}'arith.mulf' is not part of the read-out
  %2 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%start : tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %minus : f32
    linalg.yield %a : f32
  } -> tensor<4x6xf32>
  // REMARK-DAG: [[#@LINE+1]]:8: remark: {{.*}}'arith.minimumf' is not part of the read-out
  %4 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%start : tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.minimumf %in, %six : f32
    %c = arith.maximumf %a, %zero : f32
    linalg.yield %c : f32
  } -> tensor<4x6xf32>
  return %1, %3, %5 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// Bytes of a padding that is no zero are made on the host.
// CHECK-LABEL: @padding
// CHECK: fadiff.layer {{.*}}pad = [1, 1]
// CHECK: fadiff.layer {{.*}}ins(%padded
func.func @padding(%x: tensor<1x5x5x2xf32>, %w: tensor<3x3x2x4xf32>) -> (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) {
  %start = arith.constant dense<0.0> : tensor<1x5x5x4xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x5x5x2xf32> to tensor<1x7x7x2xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %w : tensor<1x7x7x2xf32>, tensor<3x3x2x4xf32>) outs(%start : tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  // REMARK-DAG: [[#@LINE+5]]:8: remark: {{.*}}has its input padded on the host
  %2 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %one : f32
  } : tensor<1x5x5x2xf32> to tensor<1x7x7x2xf32>
  %3 = linalg.conv_2d_nhwc_hwcf ins(%2, %w : tensor<1x7x7x2xf32>, tensor<3x3x2x4xf32>) outs(%start : tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  return %1, %3 : tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>
}
