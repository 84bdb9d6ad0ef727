// Small problems for all optimisers (every-optimizer.test): layers without
// mappings, one function per problem. No body is run.

func.func @one_layer(%x: tensor<14x14x32xi8>, %w: tensor<3x3x32x48xi8>) -> tensor<14x14x48xi8> {
  %0 = fadiff.layer "conv" ins(%x, %w : tensor<14x14x32xi8>, tensor<3x3x32x48xi8>)
      workload(<[K = 48, C = 32, P = 14, Q = 14, R = 3, S = 3], pad = [1, 1], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<14x14x32xi8>, %b: tensor<3x3x32x48xi8>):
    %e = tensor.empty() : tensor<14x14x48xi8>
    fadiff.yield %e : tensor<14x14x48xi8>
  } -> tensor<14x14x48xi8>
  return %0 : tensor<14x14x48xi8>
}

// What the first makes is much, and hardly costs anything to make.
func.func @chain(%x: tensor<512x16xi8>, %v: tensor<16x64xi8>, %w: tensor<64x16xi8>) -> tensor<512x16xi8> {
  %0 = fadiff.layer "widen" ins(%x, %v : tensor<512x16xi8>, tensor<16x64xi8>)
      workload(<[N = 512, K = 64, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<512x16xi8>, %b: tensor<16x64xi8>):
    %e = tensor.empty() : tensor<512x64xi8>
    fadiff.yield %e : tensor<512x64xi8>
  } -> tensor<512x64xi8>
  %1 = fadiff.layer "narrow" ins(%0, %w : tensor<512x64xi8>, tensor<64x16xi8>)
      workload(<[N = 512, K = 16, C = 64], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<512x64xi8>, %b: tensor<64x16xi8>):
    %e = tensor.empty() : tensor<512x16xi8>
    fadiff.yield %e : tensor<512x16xi8>
  } -> tensor<512x16xi8>
  return %1 : tensor<512x16xi8>
}

func.func @residual_block(%x: tensor<14x14x16xi8>, %v: tensor<3x3x16x16xi8>, %w: tensor<3x3x16x16xi8>) -> tensor<14x14x16xi8> {
  %0 = fadiff.layer "first" ins(%x, %v : tensor<14x14x16xi8>, tensor<3x3x16x16xi8>)
      workload(<[K = 16, C = 16, P = 14, Q = 14, R = 3, S = 3], pad = [1, 1], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32, relu>) {
  ^bb0(%a: tensor<14x14x16xi8>, %b: tensor<3x3x16x16xi8>):
    %e = tensor.empty() : tensor<14x14x16xi8>
    fadiff.yield %e : tensor<14x14x16xi8>
  } -> tensor<14x14x16xi8>
  %1 = fadiff.layer "second" ins(%0, %w : tensor<14x14x16xi8>, tensor<3x3x16x16xi8>) residual(%x : tensor<14x14x16xi8>)
      workload(<[K = 16, C = 16, P = 14, Q = 14, R = 3, S = 3], pad = [1, 1], layouts = "HWC" "RSCK" "PQK">) epilogue(<scale = 1.0 : f32, relu>) {
  ^bb0(%a: tensor<14x14x16xi8>, %b: tensor<3x3x16x16xi8>, %c: tensor<14x14x16xi8>):
    %e = tensor.empty() : tensor<14x14x16xi8>
    fadiff.yield %e : tensor<14x14x16xi8>
  } -> tensor<14x14x16xi8>
  return %1 : tensor<14x14x16xi8>
}

func.func @depthwise(%x: tensor<28x28x48xi8>, %w: tensor<48x3x3xi8>) -> tensor<28x28x48xi8> {
  %0 = fadiff.layer "depthwise" ins(%x, %w : tensor<28x28x48xi8>, tensor<48x3x3xi8>)
      workload(<[G = 48, P = 28, Q = 28, R = 3, S = 3], pad = [1, 1], layouts = "HWG" "GRS" "PQG">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<28x28x48xi8>, %b: tensor<48x3x3xi8>):
    %e = tensor.empty() : tensor<28x28x48xi8>
    fadiff.yield %e : tensor<28x28x48xi8>
  } -> tensor<28x28x48xi8>
  return %0 : tensor<28x28x48xi8>
}

// Nothing divides these extents but themselves.
func.func @uneven(%x: tensor<97x53xi8>, %w: tensor<53x131xi8>) -> tensor<97x131xi8> {
  %0 = fadiff.layer "primes" ins(%x, %w : tensor<97x53xi8>, tensor<53x131xi8>)
      workload(<[N = 97, K = 131, C = 53], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<97x53xi8>, %b: tensor<53x131xi8>):
    %e = tensor.empty() : tensor<97x131xi8>
    fadiff.yield %e : tensor<97x131xi8>
  } -> tensor<97x131xi8>
  return %0 : tensor<97x131xi8>
}
