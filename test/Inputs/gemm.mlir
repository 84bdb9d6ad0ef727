// One int8 matrix product with a bias, requantised.
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
module {
  func.func @main(%x: tensor<20x24xi8>, %w: tensor<24x18xi8>, %bias: tensor<18xi32>) -> tensor<20x18xi8> {
    %c0 = arith.constant 0 : i32
    %scale = arith.constant 2.0e-3 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %0 = tensor.empty() : tensor<20x18xi32>
    %1 = linalg.fill ins(%c0 : i32) outs(%0 : tensor<20x18xi32>) -> tensor<20x18xi32>
    %2 = linalg.matmul ins(%x, %w : tensor<20x24xi8>, tensor<24x18xi8>) outs(%1 : tensor<20x18xi32>) -> tensor<20x18xi32> loc("fc")
    %3 = tensor.empty() : tensor<20x18xi8>
    %4 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%2, %bias : tensor<20x18xi32>, tensor<18xi32>) outs(%3 : tensor<20x18xi8>) {
    ^bb0(%sum: i32, %b: i32, %out: i8):
      %5 = arith.addi %sum, %b : i32
      %6 = arith.sitofp %5 : i32 to f32
      %7 = arith.mulf %6, %scale : f32
      %8 = math.roundeven %7 : f32
      %9 = arith.maximumf %8, %low : f32
      %10 = arith.minimumf %9, %high : f32
      %11 = arith.fptosi %10 : f32 to i8
      linalg.yield %11 : i8
    } -> tensor<20x18xi8>
    return %4 : tensor<20x18xi8>
  }
}
