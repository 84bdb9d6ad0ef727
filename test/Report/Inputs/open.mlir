// A product whose image has an open extent.
func.func @forward(%image: tensor<?x128xi8>, %weights: tensor<128x64xi8>, %bias: tensor<1x64xi32>) -> tensor<1x64xi32> {
  %sum = linalg.matmul ins(%image, %weights : tensor<?x128xi8>, tensor<128x64xi8>) outs(%bias : tensor<1x64xi32>) -> tensor<1x64xi32>
  return %sum : tensor<1x64xi32>
}
