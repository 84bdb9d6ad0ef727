// Layers and stages whose read-out the target has not, and epilogues that are
// none.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini -split-input-file -verify-diagnostics

func.func @layer(%x: tensor<4x8xi8>, %w: tensor<8x2xi8>) -> tensor<4x2xi8> {
  // expected-error @+1 {{'fadiff.layer' op wants a read-out with per_channel, zero_point; that of target 'gemmini' has none of it; form layers for this target, or choose one that has it}}
  %y = fadiff.layer "l" ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) workload(<[N = 4, K = 2, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = dense<[0.25, 0.5]> : tensor<2xf32>, zero_point = 3>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x2xi8>):
    %e = tensor.empty() : tensor<4x2xi8>
    fadiff.yield %e : tensor<4x2xi8>
  } -> tensor<4x2xi8>
  return %y : tensor<4x2xi8>
}

// -----

func.func @channels(%x: tensor<4x8xi8>, %w: tensor<8x2xi8>) -> tensor<4x2xi8> {
  // expected-error @+1 {{'fadiff.layer' op wants a scale for each of its 2 output channels; found 3}}
  %y = fadiff.layer "l" ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) workload(<[N = 4, K = 2, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = dense<[0.25, 0.5, 1.0]> : tensor<3xf32>>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x2xi8>):
    %e = tensor.empty() : tensor<4x2xi8>
    fadiff.yield %e : tensor<4x2xi8>
  } -> tensor<4x2xi8>
  return %y : tensor<4x2xi8>
}

// -----

// expected-error @+1 {{zero_point needs a scale: a full-width read-out applies no activation}}
module attributes {a.a = #fadiff.epilogue<zero_point = 3>} {}

// -----

// expected-error @+1 {{clamp needs a scale: a full-width read-out applies no activation}}
module attributes {a.a = #fadiff.epilogue<clamp = [0, 3]>} {}

// -----

// expected-error @+1 {{zero_point must be an int8; found 128}}
module attributes {a.a = #fadiff.epilogue<scale = 1.0 : f32, zero_point = 128>} {}

// -----

// expected-error @+1 {{clamp must be two int8, the lower one first; found [4, 3]}}
module attributes {a.a = #fadiff.epilogue<scale = 1.0 : f32, clamp = [4, 3]>} {}

// -----

// expected-error @+1 {{scale must be a positive finite f32, or a vector of them}}
module attributes {a.a = #fadiff.epilogue<scale = dense<[1.0, -1.0]> : tensor<2xf32>>} {}

// -----

// expected-error @+1 {{scale must be a positive finite f32, or a vector of them}}
module attributes {a.a = #fadiff.epilogue<scale = dense<1.0> : tensor<2x2xf32>>} {}

// -----

// expected-error @+1 {{expected residual_scale, residual_whole, scale, relu, zero_point, clamp and pool, each once at most and in this order}}
module attributes {a.a = #fadiff.epilogue<scale = 1.0 : f32, clamp = [0, 3], zero_point = 3>} {}
