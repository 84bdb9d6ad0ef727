// An expansion, a depthwise layer whose input is padded with its zero point -128, and a projection: one fusion
// group, whose intermediate is padded on chip. A schedule file keeps the value; without it the cost is another one.

// RUN: fadiff-run %s --target=gemmini-small 2>&1 | FileCheck %s
// RUN: fadiff-run %s --target=gemmini 2>&1 | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-small --fadiff-bufferize --fadiff-lower-to-gemmini | FileCheck %s --check-prefix=GEMMINI
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-small pack=off" | fadiff-translate --fadiff-schedule-to-json -o %t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-small --fadiff-form-layers --fadiff-apply-schedule=file=%t.json | FileCheck %s --check-prefix=APPLIED
// RUN: sed -e '/"pad_value"/d' %t.json > %t.zeros.json
// RUN: not fadiff-opt %s --fadiff-attach-target=target=gemmini-small --fadiff-form-layers --fadiff-apply-schedule=file=%t.zeros.json 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: 2 of 2 edges fused
// CHECK: as predicted
// CHECK: output identical to the reference

// GEMMINI: memref.global "private" constant @fadiff_padding_8_minus_128 : memref<64xi8> = dense<-128>
// GEMMINI: memref.get_global @fadiff_padding_8_minus_128
// GEMMINI: gemmini.config_ld id = 0 stride = 0

// JSON: "pad_value": -128
// APPLIED: fadiff.fusion_group
// APPLIED: pad = [1, 1], pad_value = -128
// REFUSED: error: {{.*}}point 'main/{{(conv|depthwise|matmul):[0-9]+}}': predicted.energy_total_pj: wanted

#pixels = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%x: tensor<1x14x14x16xi8>, %w1: tensor<1x1x16x32xi8>, %w2: tensor<3x3x32xi8>, %w3: tensor<1x1x32x16xi8>) -> tensor<1x14x14x16xi8> {
  %zp = arith.constant -128 : i8
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %s1 = arith.constant 1.5e-3 : f32
  %s2 = arith.constant 2.0e-3 : f32
  %s3 = arith.constant 1.0e-3 : f32
  %zero = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<1x14x14x32xi32>
  %b32 = tensor.empty() : tensor<1x14x14x32xi8>
  %e16 = tensor.empty() : tensor<1x14x14x16xi32>
  %b16 = tensor.empty() : tensor<1x14x14x16xi8>
  %z32 = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x14x14x32xi32>) -> tensor<1x14x14x32xi32>
  %z16 = linalg.fill ins(%zero : i32) outs(%e16 : tensor<1x14x14x16xi32>) -> tensor<1x14x14x16xi32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w1 : tensor<1x14x14x16xi8>, tensor<1x1x16x32xi8>) outs(%z32 : tensor<1x14x14x32xi32>) -> tensor<1x14x14x32xi32>
  %1 = linalg.generic {indexing_maps = [#pixels, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<1x14x14x32xi32>) outs(%b32 : tensor<1x14x14x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %f = arith.sitofp %in : i32 to f32
    %m = arith.mulf %f, %s1 : f32
    %e = math.roundeven %m : f32
    %l = arith.maximumf %e, %low : f32
    %h = arith.minimumf %l, %high : f32
    %r = arith.fptosi %h : f32 to i8
    linalg.yield %r : i8
  } -> tensor<1x14x14x32xi8>
  %2 = tensor.pad %1 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zp : i8
  } : tensor<1x14x14x32xi8> to tensor<1x16x16x32xi8>
  %3 = linalg.depthwise_conv_2d_nhwc_hwc ins(%2, %w2 : tensor<1x16x16x32xi8>, tensor<3x3x32xi8>) outs(%z32 : tensor<1x14x14x32xi32>) -> tensor<1x14x14x32xi32>
  %4 = linalg.generic {indexing_maps = [#pixels, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x14x14x32xi32>) outs(%b32 : tensor<1x14x14x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %f = arith.sitofp %in : i32 to f32
    %m = arith.mulf %f, %s2 : f32
    %e = math.roundeven %m : f32
    %l = arith.maximumf %e, %low : f32
    %h = arith.minimumf %l, %high : f32
    %r = arith.fptosi %h : f32 to i8
    linalg.yield %r : i8
  } -> tensor<1x14x14x32xi8>
  %5 = linalg.conv_2d_nhwc_hwcf ins(%4, %w3 : tensor<1x14x14x32xi8>, tensor<1x1x32x16xi8>) outs(%z16 : tensor<1x14x14x16xi32>) -> tensor<1x14x14x16xi32>
  %6 = linalg.generic {indexing_maps = [#pixels, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x14x14x16xi32>) outs(%b16 : tensor<1x14x14x16xi8>) {
  ^bb0(%in: i32, %out: i8):
    %f = arith.sitofp %in : i32 to f32
    %m = arith.mulf %f, %s3 : f32
    %e = math.roundeven %m : f32
    %l = arith.maximumf %e, %low : f32
    %h = arith.minimumf %l, %high : f32
    %r = arith.fptosi %h : f32 to i8
    linalg.yield %r : i8
  } -> tensor<1x14x14x16xi8>
  return %6 : tensor<1x14x14x16xi8>
}
