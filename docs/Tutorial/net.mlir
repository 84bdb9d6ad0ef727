// The network of the tutorial: two convolutions, each with a kernel of 3 rows
// and 1 column, on images of 6 rows of 4 pixels with 4 channels.
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%image: tensor<1x6x4x4xi8>, %v: tensor<3x1x4x4xi8>, %w: tensor<3x1x4x4xi8>) -> tensor<1x6x4x4xi8> {
  %zero8 = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.01 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e32 = tensor.empty() : tensor<1x6x4x4xi32>
  %e8 = tensor.empty() : tensor<1x6x4x4xi8>
  %init = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x6x4x4xi32>) -> tensor<1x6x4x4xi32>

  // The first layer: pad, convolve, and bring the sums back to 8 bits.
  %p0 = tensor.pad %image low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%n: index, %h: index, %x: index, %c: index):
    tensor.yield %zero8 : i8
  } : tensor<1x6x4x4xi8> to tensor<1x8x4x4xi8>
  %s0 = linalg.conv_2d_nhwc_hwcf ins(%p0, %v : tensor<1x8x4x4xi8>, tensor<3x1x4x4xi8>) outs(%init : tensor<1x6x4x4xi32>) -> tensor<1x6x4x4xi32> loc("first")
  %y0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s0 : tensor<1x6x4x4xi32>) outs(%e8 : tensor<1x6x4x4xi8>) {
  ^bb0(%in: i32, %out: i8):
    %f = arith.sitofp %in : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %k = arith.minimumf %l, %high : f32
    %q = arith.fptosi %k : f32 to i8
    linalg.yield %q : i8
  } -> tensor<1x6x4x4xi8>

  // The second layer, in the same way.
  %p1 = tensor.pad %y0 low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%n: index, %h: index, %x: index, %c: index):
    tensor.yield %zero8 : i8
  } : tensor<1x6x4x4xi8> to tensor<1x8x4x4xi8>
  %s1 = linalg.conv_2d_nhwc_hwcf ins(%p1, %w : tensor<1x8x4x4xi8>, tensor<3x1x4x4xi8>) outs(%init : tensor<1x6x4x4xi32>) -> tensor<1x6x4x4xi32> loc("second")
  %y1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x6x4x4xi32>) outs(%e8 : tensor<1x6x4x4xi8>) {
  ^bb0(%in: i32, %out: i8):
    %f = arith.sitofp %in : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %r = math.roundeven %m : f32
    %l = arith.maximumf %r, %low : f32
    %k = arith.minimumf %l, %high : f32
    %q = arith.fptosi %k : f32 to i8
    linalg.yield %q : i8
  } -> tensor<1x6x4x4xi8>
  return %y1 : tensor<1x6x4x4xi8>
}
