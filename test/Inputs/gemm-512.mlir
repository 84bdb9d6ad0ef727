// A square int8 matrix product, requantised: 2^27 multiply-accumulates.
func.func @main(%x: tensor<512x512xi8>, %w: tensor<512x512xi8>) -> tensor<512x512xi8> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<512x512xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<512x512xi32>) -> tensor<512x512xi32>
  %m = linalg.matmul ins(%x, %w : tensor<512x512xi8>, tensor<512x512xi8>) outs(%f : tensor<512x512xi32>) -> tensor<512x512xi32> loc("gemm")
  %s = arith.constant 0.001 : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %o = tensor.empty() : tensor<512x512xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<512x512xi32>) outs(%o : tensor<512x512xi8>) {
  ^bb0(%in: i32, %out: i8):
    %a = arith.sitofp %in : i32 to f32
    %b = arith.mulf %a, %s : f32
    %c = math.roundeven %b : f32
    %d = arith.maximumf %c, %lo : f32
    %g = arith.minimumf %d, %hi : f32
    %h = arith.fptosi %g : f32 to i8
    linalg.yield %h : i8
  } -> tensor<512x512xi8>
  return %r : tensor<512x512xi8>
}
