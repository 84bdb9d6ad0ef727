// RUN: fadiff-opt %s --split-input-file --verify-diagnostics

#none = #fadiff.target<"gemmini", conv_loop_unit = "none">
module attributes {fadiff.target = #none} {
  func.func @no_unit(%a: i64, %n: index) {
    // expected-error @+1 {{needs a machine with a convolution loop, but conv_loop_unit of 'gemmini' is none}}
    gemmini.loop_conv_ws tile [%n, %n, %n, %n] taps [%n, %n, %n]
      pads [%n, %n, %n, %n] input(%a half %n) weights(%a half %n)
      bias(%a) output(%a) {in_dims = array<i64: 1, 8, 8, 20>,
        out_dims = array<i64: 8, 8, 36>, strides = array<i64: 20, 36, 36>}
    return
  }
}

// -----

#turns = #fadiff.target<"gemmini", loop_halves = "turns">
module attributes {fadiff.target = #turns} {
  func.func @halves_take_turns(%a: i64, %n: index) {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{half of input is 1, but loop_halves of 'gemmini' is turns; wanted 0}}
    gemmini.loop_conv_ws tile [%n, %n, %n, %n] taps [%n, %n, %n]
      pads [%n, %n, %n, %n] input(%a half %c1) weights(%a half %n)
      bias(%a) output(%a) {in_dims = array<i64: 1, 8, 8, 20>,
        out_dims = array<i64: 8, 8, 36>, strides = array<i64: 20, 36, 36>}
    return
  }
}

// -----

func.func @dims(%a: i64, %n: index) {
  // expected-error @+1 {{in_dims must be 4 numbers, found 3}}
  gemmini.loop_conv_ws tile [%n, %n, %n, %n] taps [%n, %n, %n]
    pads [%n, %n, %n, %n] input(%a half %n) weights(%a half %n)
    bias(%a) output(%a) {in_dims = array<i64: 8, 8, 20>,
      out_dims = array<i64: 8, 8, 36>, strides = array<i64: 20, 36, 36>}
  return
}

// -----

func.func @extent(%a: i64, %n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{orows must be 1 to 65535}}
  gemmini.loop_conv_ws tile [%n, %c0, %n, %n] taps [%n, %n, %n]
    pads [%n, %n, %n, %n] input(%a half %n) weights(%a half %n)
    bias(%a) output(%a) {in_dims = array<i64: 1, 8, 8, 20>,
      out_dims = array<i64: 8, 8, 36>, strides = array<i64: 20, 36, 36>}
  return
}
