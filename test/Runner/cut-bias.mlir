// Bias that is added behind the first reduction steps, where the first tile of a
// group is cut short: its halo lies outside of the image. What is no sum there
// becomes the bias, and nothing is added to rows that no step has written, which
// the simulator refuses.

// The fusion group with rows that stay has such a tile.
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-large latency=roofline" | fadiff-opt --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s --check-prefix=CODE
// CODE:      %[[ROWS:.*]] = arith.maxsi %{{.*}}, %c1 : index
// CODE:      %[[TO:.*]] = gemmini.acc_addr %{{.*}} accumulate(%{{.*}})
// CODE-NEXT: gemmini.mvin3 %{{.*}} to %[[TO]] rows %[[ROWS]]

// RUN: fadiff-run %s --target=gemmini-large --latency=roofline | FileCheck %s
// CHECK: as predicted
// CHECK: output identical to the reference

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @chain(%x: tensor<1x64x64x48xi8>, %w0: tensor<3x3x48x48xi8>, %b0: tensor<48xi32>, %w1: tensor<3x3x48x48xi8>, %b1: tensor<48xi32>) -> tensor<1x64x64x48xi8> {
  %z8 = arith.constant 0 : i8
  %scale = arith.constant 0.001 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %p0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z8 : i8
  } : tensor<1x64x64x48xi8> to tensor<1x66x66x48xi8>
  %e0 = tensor.empty() : tensor<1x64x64x48xi32>
  %f0 = linalg.broadcast ins(%b0 : tensor<48xi32>) outs(%e0 : tensor<1x64x64x48xi32>) dimensions = [0, 1, 2]
  %y0 = linalg.conv_2d_nhwc_hwcf ins(%p0, %w0 : tensor<1x66x66x48xi8>, tensor<3x3x48x48xi8>) outs(%f0 : tensor<1x64x64x48xi32>) -> tensor<1x64x64x48xi32>
  %g0 = tensor.empty() : tensor<1x64x64x48xi8>
  %q0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y0 : tensor<1x64x64x48xi32>) outs(%g0 : tensor<1x64x64x48xi8>) {
  ^bb0(%in: i32, %out: i8):
    %s = arith.sitofp %in : i32 to f32
    %t = arith.mulf %s, %scale : f32
    %r = math.roundeven %t : f32
    %u = arith.maximumf %r, %low : f32
    %v = arith.minimumf %u, %high : f32
    %n = arith.fptosi %v : f32 to i8
    linalg.yield %n : i8
  } -> tensor<1x64x64x48xi8>
  %p1 = tensor.pad %q0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z8 : i8
  } : tensor<1x64x64x48xi8> to tensor<1x66x66x48xi8>
  %e1 = tensor.empty() : tensor<1x64x64x48xi32>
  %f1 = linalg.broadcast ins(%b1 : tensor<48xi32>) outs(%e1 : tensor<1x64x64x48xi32>) dimensions = [0, 1, 2]
  %y1 = linalg.conv_2d_nhwc_hwcf ins(%p1, %w1 : tensor<1x66x66x48xi8>, tensor<3x3x48x48xi8>) outs(%f1 : tensor<1x64x64x48xi32>) -> tensor<1x64x64x48xi32>
  %g1 = tensor.empty() : tensor<1x64x64x48xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y1 : tensor<1x64x64x48xi32>) outs(%g1 : tensor<1x64x64x48xi8>) {
  ^bb0(%in: i32, %out: i8):
    %s = arith.sitofp %in : i32 to f32
    %t = arith.mulf %s, %scale : f32
    %r = math.roundeven %t : f32
    %u = arith.maximumf %r, %low : f32
    %v = arith.minimumf %u, %high : f32
    %n = arith.fptosi %v : f32 to i8
    linalg.yield %n : i8
  } -> tensor<1x64x64x48xi8>

  return %q1 : tensor<1x64x64x48xi8>
}
