// RUN: fadiff-opt %s -split-input-file -verify-diagnostics

// Layers, fusion groups and windows. Loop nests are in invalid-nest.mlir, attributes in
// invalid-attrs.mlir, and the limits of one machine in invalid-target.mlir.

func.func @input_shape(%x: tensor<4x9xi8>, %w: tensor<8x16xi8>) {
  // expected-error @+1 {{'fadiff.layer' op input must be 4x8xi8 as the workload says; found 'tensor<4x9xi8>'}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x9xi8>, tensor<8x16xi8>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x9xi8>, %b: tensor<8x16xi8>):
    %0 = tensor.empty() : tensor<4x16xi32>
    fadiff.yield %0 : tensor<4x16xi32>
  } -> tensor<4x16xi32>
  return
}

// -----

func.func @input_unsigned(%x: tensor<4x8xui8>, %w: tensor<8x16xi8>) {
  // expected-error @+1 {{'fadiff.layer' op input must be 4x8xi8 as the workload says; found 'tensor<4x8xui8>'}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xui8>, tensor<8x16xi8>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x8xui8>, %b: tensor<8x16xi8>):
    %0 = tensor.empty() : tensor<4x16xi32>
    fadiff.yield %0 : tensor<4x16xi32>
  } -> tensor<4x16xi32>
  return
}

// -----

func.func @weights(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>) {
  // expected-error @+1 {{'fadiff.layer' op weights must be 8x16xi8 as the workload says; found 'tensor<16x8xi8>'}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xi8>, tensor<16x8xi8>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<16x8xi8>):
    %0 = tensor.empty() : tensor<4x16xi32>
    fadiff.yield %0 : tensor<4x16xi32>
  } -> tensor<4x16xi32>
  return
}

// -----

func.func @bias(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %c: tensor<4xi32>) {
  // expected-error @+1 {{'fadiff.layer' op bias must be 16xi32 as the workload says; found 'tensor<4xi32>'}}
  %y = fadiff.layer "fc" ins(%x, %w, %c : tensor<4x8xi8>, tensor<8x16xi8>, tensor<4xi32>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %d: tensor<4xi32>):
    %0 = tensor.empty() : tensor<4x16xi32>
    fadiff.yield %0 : tensor<4x16xi32>
  } -> tensor<4x16xi32>
  return
}

// -----

func.func @result_scaled(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) {
  // expected-error @+1 {{'fadiff.layer' op result must be 4x16xi8 as the workload says; found 'tensor<4x16xi32>'}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>):
    %0 = tensor.empty() : tensor<4x16xi32>
    fadiff.yield %0 : tensor<4x16xi32>
  } -> tensor<4x16xi32>
  return
}

// -----

func.func @result_unscaled(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) {
  // expected-error @+1 {{'fadiff.layer' op result must be 4x16xi32 as the workload says; found 'tensor<4x16xi8>'}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>):
    %0 = tensor.empty() : tensor<4x16xi8>
    fadiff.yield %0 : tensor<4x16xi8>
  } -> tensor<4x16xi8>
  return
}

// -----

func.func @arguments(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) {
  // expected-error @+1 {{'fadiff.layer' op region arguments must have the operands' types}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x8xi8>):
    %0 = tensor.empty() : tensor<4x16xi32>
    fadiff.yield %0 : tensor<4x16xi32>
  } -> tensor<4x16xi32>
  return
}

// -----

func.func @yield_type(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) {
  // expected-error @+1 {{'fadiff.layer' op region must yield one value of type 'tensor<4x16xi32>'}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>):
    %0 = tensor.empty() : tensor<4x16xi8>
    fadiff.yield %0 : tensor<4x16xi8>
  } -> tensor<4x16xi32>
  return
}

// -----

func.func @yield_none(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) {
  // expected-error @+1 {{'fadiff.layer' op region must yield one value of type 'tensor<4x16xi32>'}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>):
    fadiff.yield
  } -> tensor<4x16xi32>
  return
}

// -----

func.func @isolated(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) {
  // expected-note @+1 {{required by region isolation constraints}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>):
    %0 = tensor.empty() : tensor<4x16xi32>
    // expected-error @+1 {{using value defined outside the region}}
    %1 = tensor.extract_slice %x[0, 0] [4, 8] [1, 1] : tensor<4x8xi8> to tensor<4x8xi8>
    fadiff.yield %0 : tensor<4x16xi32>
  } -> tensor<4x16xi32>
  return
}

// -----

func.func @tile(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op tile must be three positive extents N, P, Q}}
  %g = fadiff.fusion_group tile [N = 4, P = 0, Q = 1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield %1 : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return
}

// -----

func.func @one_layer(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op must hold at least two layers; found 1}}
  %g = fadiff.fusion_group tile [N = 4, P = 1, Q = 1] {
    %1 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield %1 : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return
}

// -----

func.func @other_op(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op may hold only fadiff.layer ops}}
  %g = fadiff.fusion_group tile [N = 4, P = 1, Q = 1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %e = tensor.empty() : tensor<4x4xi8>
    fadiff.yield %1 : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return
}

// -----

func.func @no_chain(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op must be a chain: what layer "a" makes must be read by others of its layers, as input or residual, and by nothing else}}
  %g = fadiff.fusion_group tile [N = 4, P = 1, Q = 1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield %1 : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return
}

// -----

func.func @two_readers(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op must be a chain: what layer "b" makes must be read by others of its layers, as input or residual, and by nothing else}}
  %g = fadiff.fusion_group tile [N = 4, P = 1, Q = 1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %2 = fadiff.layer "c" ins(%0, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield %2 : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return
}

// -----

func.func @as_weights(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op must be a chain: what layer "a" makes must be read by others of its layers, as input or residual, and by nothing else}}
  %g = fadiff.fusion_group tile [N = 4, P = 1, Q = 1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%x, %0 : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield %1 : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return
}

// -----

func.func @yields_first(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op must yield the result of its last layer}}
  %g = fadiff.fusion_group tile [N = 4, P = 1, Q = 1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield %x : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return
}

// -----

func.func @yields_nothing(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op must yield the result of its last layer}}
  %g = fadiff.fusion_group tile [N = 4, P = 1, Q = 1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield
  } -> tensor<4x4xi8>
  return
}

// -----

func.func @result_type(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op must yield the result of its last layer}}
  %g = fadiff.fusion_group tile [N = 4, P = 1, Q = 1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield %1 : tensor<4x4xi8>
  } -> tensor<4x4xi32>
  return
}

// -----

func.func @generic_tile(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) {
  // expected-error @+1 {{'fadiff.fusion_group' op tile must be three positive extents N, P, Q}}
  %g = "fadiff.fusion_group"() <{tile = array<i64: 4, 1>}> ({
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4xi8>, tensor<4x4xi8>) workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield %1 : tensor<4x4xi8>
  }) : () -> tensor<4x4xi8>
  return
}

// -----

func.func @tile_syntax() {
  // expected-error @+1 {{expected 'P'}}
  %g = fadiff.fusion_group tile [N = 4, Q = 1, P = 1] {
  } -> tensor<4x4xi8>
  return
}

// -----

func.func @yield_parent() {
  // expected-error @+1 {{'fadiff.yield' op expects parent op to be one of 'fadiff.layer, fadiff.fusion_group'}}
  fadiff.yield
}

// -----

func.func @windows_no_taps(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op taps and stride must be at least 1; found 0 and 1}}
  %0 = fadiff.windows %x taps 0 stride 1 : tensor<9x3xi8> to tensor<9x3xi8>
  return
}

// -----

func.func @windows_no_stride(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op taps and stride must be at least 1; found 1 and -1}}
  %0 = fadiff.windows %x taps 1 stride -1 : tensor<9x3xi8> to tensor<9x3xi8>
  return
}

// -----

func.func @windows_one_axis(%x: tensor<9xi8>) {
  // expected-error @+1 {{'fadiff.windows' op wants tensors of static shape with columns and channels last; found 'tensor<9xi8>' and 'tensor<9xi8>'}}
  %0 = fadiff.windows %x taps 1 stride 1 : tensor<9xi8> to tensor<9xi8>
  return
}

// -----

func.func @windows_dynamic(%x: tensor<?x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op wants tensors of static shape with columns and channels last; found 'tensor<?x3xi8>' and 'tensor<4x3xi8>'}}
  %0 = fadiff.windows %x taps 1 stride 1 : tensor<?x3xi8> to tensor<4x3xi8>
  return
}

// -----

func.func @windows_from_nowhere(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op must begin at one of the source's 9 columns; found 9}}
  %0 = fadiff.windows %x from 9 taps 1 stride 1 : tensor<9x3xi8> to tensor<1x3xi8>
  return
}

// -----

func.func @windows_from_before(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op must begin at one of the source's 9 columns; found -1}}
  %0 = fadiff.windows %x from -1 taps 1 stride 1 : tensor<9x3xi8> to tensor<1x3xi8>
  return
}

// -----

func.func @windows_behind_the_end(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op result has 4 windows; the source's 8 columns hold 3 of 3 with stride 2}}
  %0 = fadiff.windows %x from 1 taps 3 stride 2 : tensor<9x3xi8> to tensor<4x9xi8>
  return
}

// -----

func.func @windows_too_wide(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op windows of 10 columns do not fit into the source, which has 9}}
  %0 = fadiff.windows %x taps 10 stride 1 : tensor<9x3xi8> to tensor<1x30xi8>
  return
}

// -----

func.func @windows_other_rank(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op result must have the source's rank and taps times its channels; found 'tensor<1x7x9xi8>' from 'tensor<9x3xi8>'}}
  %0 = fadiff.windows %x taps 3 stride 1 : tensor<9x3xi8> to tensor<1x7x9xi8>
  return
}

// -----

func.func @windows_channels(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op result must be 'tensor<7x9xi8>', every window 3 columns of 3 channels; found 'tensor<7x3xi8>'}}
  %0 = fadiff.windows %x taps 3 stride 1 : tensor<9x3xi8> to tensor<7x3xi8>
  return
}

// -----

func.func @windows_rows(%x: tensor<5x9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op result must be 'tensor<5x7x9xi8>', every window 3 columns of 3 channels; found 'tensor<4x7x9xi8>'}}
  %0 = fadiff.windows %x taps 3 stride 1 : tensor<5x9x3xi8> to tensor<4x7x9xi8>
  return
}

// -----

func.func @windows_element(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op result must be 'tensor<7x9xi8>', every window 3 columns of 3 channels; found 'tensor<7x9xi32>'}}
  %0 = fadiff.windows %x taps 3 stride 1 : tensor<9x3xi8> to tensor<7x9xi32>
  return
}

// -----

func.func @windows_too_many(%x: tensor<9x3xi8>) {
  // expected-error @+1 {{'fadiff.windows' op result has 5 windows; the source's 9 columns hold 4 of 3 with stride 2}}
  %0 = fadiff.windows %x taps 3 stride 2 : tensor<9x3xi8> to tensor<5x9xi8>
  return
}

// -----

func.func @windows_overflow(%x: tensor<9223372036854775807x4xi8>) {
  // expected-error @+1 {{'fadiff.windows' op result must have the source's rank and taps times its channels; found 'tensor<1x4xi8>' from 'tensor<9223372036854775807x4xi8>'}}
  %0 = fadiff.windows %x taps 9223372036854775807 stride 1 : tensor<9223372036854775807x4xi8> to tensor<1x4xi8>
  return
}

// -----

func.func @skip_position(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  // expected-error @+1 {{'fadiff.fusion_group' op live_skips must be ascending positions of its 2 layers; found 2}}
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] live_skips [2] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>) residual(%x : tensor<4x4x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>, %c: tensor<4x4x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %1 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}

// -----

func.func @skips_repeat(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  // expected-error @+1 {{'fadiff.fusion_group' op live_skips must be ascending positions of its 2 layers; found 1}}
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] live_skips [1, 1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>) residual(%x : tensor<4x4x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>, %c: tensor<4x4x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %1 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}

// -----

func.func @skip_without_residual(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  // expected-error @+1 {{'fadiff.fusion_group' op live_skips names layer "b", which has no residual}}
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] live_skips [1] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %1 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}

// -----

func.func @slices_count(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  // expected-error @+1 {{'fadiff.fusion_group' op input_slices must be one number of channels for each of its 2 layers, 0 for a whole input; found 1}}
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] input_slices [4] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %1 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}

// -----

func.func @negative_slice(%x: tensor<4x4x8xi8>, %w: tensor<8x8xi8>) -> tensor<4x4x8xi8> {
  // expected-error @+1 {{'fadiff.fusion_group' op input_slices must not be negative; found -4 for layer "b"}}
  %g = fadiff.fusion_group tile [N = 1, P = 1, Q = 4] input_slices [0, -4] {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4x8xi8>, tensor<8x8xi8>)
        workload(<[K = 8, C = 8, P = 4, Q = 4], layouts = "HWC" "CK" "PQK">)
        epilogue(<scale = 1.0 : f32>)
        mapping(<dram [P:4], scratchpad [], accumulator [K:2 C:2], registers [Q:4], array [4 x 4]>) {
    ^bb0(%a: tensor<4x4x8xi8>, %b: tensor<8x8xi8>):
      %e = tensor.empty() : tensor<4x4x8xi8>
      fadiff.yield %e : tensor<4x4x8xi8>
    } -> tensor<4x4x8xi8>
    fadiff.yield %1 : tensor<4x4x8xi8>
  } -> tensor<4x4x8xi8>
  return %g : tensor<4x4x8xi8>
}

// -----

func.func @scales_no_bytes(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %c: tensor<4x16xi32>) -> tensor<4x16xi8> {
  // expected-error @+1 {{'fadiff.layer' op scales its residual; wanted one of int8, found 'tensor<4x16xi32>'}}
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) residual(%c : tensor<4x16xi32>) workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<residual_scale = 0.5 : f32, scale = 1.0 : f32>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %d: tensor<4x16xi32>):
    %e = tensor.empty() : tensor<4x16xi8>
    fadiff.yield %e : tensor<4x16xi8>
  } -> tensor<4x16xi8>
  return %y : tensor<4x16xi8>
}
