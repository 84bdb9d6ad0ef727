// A product with a bias, in two functions.
func.func @main(%image: tensor<1x16xi8>, %weights: tensor<16x32xi8>, %bias: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %sum = linalg.matmul ins(%image, %weights : tensor<1x16xi8>, tensor<16x32xi8>) outs(%bias : tensor<1x32xi32>) -> tensor<1x32xi32>
  return %sum : tensor<1x32xi32>
}

func.func @forward(%image: tensor<1x16xi8>, %weights: tensor<16x32xi8>, %bias: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %sum = linalg.matmul ins(%image, %weights : tensor<1x16xi8>, tensor<16x32xi8>) outs(%bias : tensor<1x32xi32>) -> tensor<1x32xi32>
  return %sum : tensor<1x32xi32>
}
