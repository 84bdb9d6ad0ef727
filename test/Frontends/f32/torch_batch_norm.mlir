// A residual block as torch exports ResNet's: NCHW, batch normalisation as one
// generic over five tensors, ReLU as compare and select, a projection with a
// batch normalisation of its own. All of it is folded: three layers and a sum.

// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS-NOT: math.rsqrt
// LAYERS: fadiff.layer {{.*}}epilogue(<scale = 1.000000e+00 : f32, relu>)
// LAYERS: fadiff.layer {{.*}}epilogue(<scale = 1.000000e+00 : f32>)
// LAYERS-NOT: math.rsqrt
// CHECK: as predicted
// CHECK: {{largest difference of floats from the reference: .*e-0[6-9] of the largest element, allowed: 1.0e-05|output identical}}

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @main(%x: tensor<1x4x8x8xf32>) -> tensor<1x6x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.000000e-05 : f64
  %w0 = arith.constant dense<[[[[-0.37, 0.35, 0.26], [-0.24, -0.00, -0.05], [0.15, 0.29, -0.41]], [[-0.47, 0.34, -0.07], [0.26, -0.50, -0.05], [0.22, -0.27, 0.45]], [[0.40, -0.47, -0.47], [0.04, 0.44, -0.12], [-0.28, -0.08, -0.47]], [[-0.28, -0.06, -0.00], [-0.27, -0.27, -0.28], [-0.04, -0.21, -0.48]]], [[[0.34, 0.06, 0.14], [-0.31, 0.49, 0.36], [-0.38, -0.17, 0.22]], [[0.21, 0.44, -0.08], [0.33, 0.17, -0.20], [0.09, 0.38, 0.35]], [[0.01, 0.09, -0.47], [-0.26, 0.30, -0.09], [-0.33, 0.05, 0.20]], [[0.17, -0.13, -0.06], [0.01, 0.28, 0.02], [-0.11, -0.01, -0.47]]], [[[-0.46, 0.20, 0.48], [0.09, -0.11, -0.33], [0.00, 0.48, 0.27]], [[0.04, 0.36, -0.27], [0.01, 0.45, 0.08], [-0.04, -0.23, 0.05]], [[0.46, -0.49, 0.28], [0.32, 0.39, 0.24], [0.31, 0.02, 0.06]], [[-0.07, -0.44, 0.37], [0.07, -0.30, 0.00], [-0.02, -0.14, -0.15]]], [[[0.04, 0.12, 0.11], [-0.04, -0.47, -0.27], [-0.32, 0.08, 0.36]], [[0.30, 0.30, 0.32], [-0.24, 0.34, 0.17], [-0.42, -0.48, -0.49]], [[0.26, -0.25, -0.39], [0.12, -0.16, -0.43], [-0.34, 0.03, -0.33]], [[-0.23, 0.21, -0.05], [-0.18, -0.03, -0.48], [-0.11, -0.08, -0.31]]], [[[-0.39, 0.40, 0.01], [-0.29, 0.11, 0.32], [-0.48, -0.48, -0.35]], [[0.22, -0.34, 0.20], [0.18, 0.04, -0.28], [0.48, 0.30, 0.02]], [[-0.28, 0.15, -0.11], [0.08, -0.18, 0.13], [-0.44, -0.20, 0.47]], [[0.38, -0.19, 0.36], [-0.19, 0.44, 0.24], [-0.08, -0.25, -0.49]]], [[[0.38, -0.46, 0.32], [0.46, 0.07, -0.33], [0.37, 0.47, 0.20]], [[0.01, -0.12, -0.15], [-0.29, 0.17, -0.07], [-0.31, -0.40, 0.17]], [[-0.20, -0.00, -0.17], [0.37, 0.40, -0.48], [-0.30, -0.17, 0.49]], [[0.28, -0.16, -0.29], [0.17, 0.34, 0.43], [-0.16, 0.38, 0.19]]]]> : tensor<6x4x3x3xf32>
  %mean0 = arith.constant dense<[-0.0155, 0.4855, -0.2654, 0.2255, -0.4153, -0.3303]> : tensor<6xf32>
  %var0 = arith.constant dense<[1.8398, 0.5833, 1.5664, 1.2804, 1.7140, 0.8626]> : tensor<6xf32>
  %gamma0 = arith.constant dense<[-0.4791, -0.6264, 1.1023, 0.3119, 1.3629, 1.1618]> : tensor<6xf32>
  %beta0 = arith.constant dense<[-0.7293, 0.1023, -0.7915, -0.9217, -0.8536, 0.7323]> : tensor<6xf32>
  %w1 = arith.constant dense<[[[[0.29, 0.33, -0.16], [0.12, 0.28, -0.12], [0.07, -0.28, -0.42]], [[-0.23, 0.39, 0.06], [0.43, -0.04, -0.22], [0.29, 0.33, -0.49]], [[0.17, -0.41, -0.38], [0.39, -0.46, -0.26], [0.49, -0.08, -0.38]], [[-0.33, -0.26, 0.24], [-0.40, 0.41, -0.12], [0.47, 0.41, -0.21]], [[-0.25, -0.02, -0.40], [0.15, -0.46, -0.49], [0.48, -0.20, 0.10]], [[-0.05, -0.19, -0.44], [0.41, 0.47, 0.47], [-0.39, -0.28, 0.12]]], [[[0.48, 0.04, 0.19], [0.16, -0.24, 0.04], [-0.19, -0.25, -0.42]], [[-0.22, 0.48, -0.05], [0.15, 0.14, 0.44], [-0.11, -0.19, -0.17]], [[-0.18, 0.35, 0.39], [-0.20, -0.17, 0.04], [0.08, 0.10, -0.25]], [[-0.48, -0.26, -0.43], [0.05, -0.43, -0.42], [0.14, -0.21, 0.29]], [[-0.01, 0.36, -0.35], [0.00, 0.29, -0.42], [0.45, -0.33, 0.28]], [[0.48, 0.32, -0.18], [-0.39, 0.01, 0.42], [-0.21, 0.39, -0.36]]], [[[0.41, -0.47, -0.18], [0.40, 0.30, 0.41], [0.34, 0.25, 0.19]], [[-0.32, -0.07, -0.34], [0.21, 0.17, -0.25], [-0.44, 0.46, 0.31]], [[0.05, 0.04, 0.35], [-0.05, -0.10, -0.16], [-0.24, -0.48, 0.15]], [[-0.08, 0.07, -0.44], [-0.15, -0.36, -0.37], [-0.24, 0.33, -0.10]], [[-0.10, 0.11, -0.27], [-0.49, 0.03, 0.00], [0.15, -0.06, 0.19]], [[0.23, -0.26, -0.00], [-0.02, -0.27, -0.09], [0.06, 0.41, 0.42]]], [[[-0.22, 0.15, -0.45], [-0.43, 0.01, 0.38], [-0.34, 0.27, 0.38]], [[-0.19, 0.19, 0.35], [-0.13, 0.20, 0.24], [0.09, 0.36, 0.40]], [[0.46, 0.07, -0.32], [-0.25, -0.28, 0.07], [0.26, -0.45, 0.18]], [[0.22, -0.15, 0.02], [-0.34, 0.23, -0.46], [0.48, 0.31, 0.13]], [[-0.23, 0.41, 0.46], [-0.36, 0.28, 0.34], [0.16, 0.20, -0.05]], [[0.42, 0.47, -0.12], [0.30, -0.07, -0.34], [-0.17, -0.37, 0.41]]], [[[0.46, -0.38, 0.10], [-0.09, -0.38, -0.20], [-0.25, 0.25, -0.50]], [[-0.31, -0.06, -0.48], [0.13, 0.11, 0.34], [-0.29, -0.22, 0.04]], [[-0.23, 0.09, -0.25], [0.18, 0.29, 0.31], [0.47, 0.05, -0.01]], [[0.36, 0.27, 0.07], [-0.12, -0.22, -0.39], [0.31, -0.38, 0.25]], [[0.05, 0.46, 0.26], [0.47, -0.36, 0.00], [0.07, -0.19, 0.00]], [[-0.14, 0.03, -0.50], [-0.06, -0.05, -0.20], [-0.10, 0.28, 0.18]]], [[[-0.01, 0.15, -0.12], [-0.30, -0.50, -0.22], [0.10, 0.38, 0.33]], [[0.01, 0.49, -0.04], [0.33, -0.09, 0.24], [0.49, -0.19, -0.33]], [[0.12, 0.03, -0.14], [-0.50, -0.11, -0.07], [-0.09, 0.36, 0.08]], [[0.23, 0.40, 0.25], [-0.01, 0.25, 0.14], [0.15, 0.13, -0.09]], [[0.13, 0.13, 0.44], [0.28, 0.35, 0.27], [0.32, 0.11, -0.15]], [[-0.24, 0.21, 0.37], [0.04, -0.35, 0.33], [-0.02, -0.03, -0.45]]]]> : tensor<6x6x3x3xf32>
  %mean1 = arith.constant dense<[0.0103, 0.2447, -0.0774, -0.1448, 0.1568, -0.4803]> : tensor<6xf32>
  %var1 = arith.constant dense<[1.1129, 1.9030, 1.4428, 0.9235, 1.4400, 1.2890]> : tensor<6xf32>
  %gamma1 = arith.constant dense<[-0.8733, -0.8769, 1.1581, -0.6928, -1.2753, 0.9920]> : tensor<6xf32>
  %beta1 = arith.constant dense<[0.0464, -0.2636, 0.0230, 0.4735, -0.6629, 0.3061]> : tensor<6xf32>
  %w2 = arith.constant dense<[[[[0.21]], [[0.32]], [[-0.23]], [[0.11]]], [[[-0.27]], [[0.06]], [[-0.33]], [[0.29]]], [[[0.37]], [[-0.17]], [[-0.28]], [[0.46]]], [[[0.21]], [[0.34]], [[-0.47]], [[0.40]]], [[[0.12]], [[-0.18]], [[-0.07]], [[0.26]]], [[[0.29]], [[-0.31]], [[0.13]], [[-0.33]]]]> : tensor<6x4x1x1xf32>
  %mean2 = arith.constant dense<[0.4730, -0.0564, 0.4131, 0.2282, 0.1063, -0.2380]> : tensor<6xf32>
  %var2 = arith.constant dense<[1.1479, 0.4495, 0.4486, 1.4883, 0.8500, 1.5525]> : tensor<6xf32>
  %gamma2 = arith.constant dense<[-0.7785, 0.6545, 0.6554, -0.5835, -1.1808, -0.3090]> : tensor<6xf32>
  %beta2 = arith.constant dense<[-0.0153, -0.8001, -0.6265, -0.8893, 0.1950, 0.7778]> : tensor<6xf32>
  %e = tensor.empty() : tensor<1x6x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %p0 = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%p0, %w0 : tensor<1x4x10x10xf32>, tensor<6x4x3x3xf32>) outs(%f : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %n0 = linalg.generic {indexing_maps = [#id, #channel, #channel, #channel, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c0, %gamma0, %beta0, %mean0, %var0 : tensor<1x6x4x4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<1x6x4x4xf32>) {
  ^bb0(%in: f32, %g: f32, %b: f32, %m: f32, %v: f32, %out: f32):
    %0 = arith.truncf %eps : f64 to f32
    %1 = arith.addf %v, %0 : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.subf %in, %m : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.mulf %4, %g : f32
    %6 = arith.addf %5, %b : f32
    linalg.yield %6 : f32
  } -> tensor<1x6x4x4xf32>
  %r0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n0 : tensor<1x6x4x4xf32>) outs(%e : tensor<1x6x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x4x4xf32>
  %p1 = tensor.pad %r0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x6x4x4xf32> to tensor<1x6x6x6xf32>
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p1, %w1 : tensor<1x6x6x6xf32>, tensor<6x6x3x3xf32>) outs(%f : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %n1 = linalg.generic {indexing_maps = [#id, #channel, #channel, #channel, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c1, %gamma1, %beta1, %mean1, %var1 : tensor<1x6x4x4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<1x6x4x4xf32>) {
  ^bb0(%in: f32, %g: f32, %b: f32, %m: f32, %v: f32, %out: f32):
    %0 = arith.truncf %eps : f64 to f32
    %1 = arith.addf %v, %0 : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.subf %in, %m : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.mulf %4, %g : f32
    %6 = arith.addf %5, %b : f32
    linalg.yield %6 : f32
  } -> tensor<1x6x4x4xf32>
  %c2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %w2 : tensor<1x4x8x8xf32>, tensor<6x4x1x1xf32>) outs(%f : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %n2 = linalg.generic {indexing_maps = [#id, #channel, #channel, #channel, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c2, %gamma2, %beta2, %mean2, %var2 : tensor<1x6x4x4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<1x6x4x4xf32>) {
  ^bb0(%in: f32, %g: f32, %b: f32, %m: f32, %v: f32, %out: f32):
    %0 = arith.truncf %eps : f64 to f32
    %1 = arith.addf %v, %0 : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.subf %in, %m : f32
    %4 = arith.mulf %3, %2 : f32
    %5 = arith.mulf %4, %g : f32
    %6 = arith.addf %5, %b : f32
    linalg.yield %6 : f32
  } -> tensor<1x6x4x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n1, %n2 : tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) outs(%e : tensor<1x6x4x4xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %0 = arith.addf %in, %other : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x6x4x4xf32>) outs(%e : tensor<1x6x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x4x4xf32>
  return %r : tensor<1x6x4x4xf32>
}
