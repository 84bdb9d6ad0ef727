// A convolution of three channels, so that a 16 x 16 array is mostly idle unless
// it gets taps of the kernel as channels.
func.func @main(%image: tensor<1x34x34x3xi8>, %weights: tensor<3x3x3x16xi8>) -> tensor<1x32x32x16xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x32x32x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x32x32x16xi32>) -> tensor<1x32x32x16xi32>
  %sum = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %weights : tensor<1x34x34x3xi8>, tensor<3x3x3x16xi8>) outs(%init : tensor<1x32x32x16xi32>) -> tensor<1x32x32x16xi32>
  return %sum : tensor<1x32x32x16xi32>
}
