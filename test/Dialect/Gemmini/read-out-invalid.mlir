// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini -split-input-file -verify-diagnostics

func.func @no_zero_point() {
  // expected-error @+1 {{'gemmini.config_readout' op needs a machine whose read-out has zero_point, clamp, found 'gemmini' without; choose another target}}
  gemmini.config_readout zero_point = 3 high = 90
  return
}

// -----

func.func @not_at_all() {
  // expected-error @+1 {{'gemmini.config_readout' op needs a machine whose read-out has more than one scale, found 'gemmini' without; choose another target}}
  gemmini.config_readout
  return
}

// -----

func.func @no_scales(%dram: i64) {
  // expected-error @+1 {{'gemmini.mvin_scales' op needs a machine whose read-out has per_channel, found 'gemmini' without; choose another target}}
  gemmini.mvin_scales %dram to 0 count 4
  return
}

// -----

func.func @zero_point_range() {
  // expected-error @+1 {{'gemmini.config_readout' op zero_point must be -128 to 127 (int8), found 128}}
  gemmini.config_readout zero_point = 128
  return
}

// -----

func.func @bounds() {
  // expected-error @+1 {{'gemmini.config_readout' op high must be 5 to 127 (int8, from low on), found 4}}
  gemmini.config_readout low = 5 high = 4
  return
}

// -----

func.func @address() {
  %zero = arith.constant 0 : i64
  // expected-error @+1 {{'gemmini.mvin_scales' op DRAM address must not be 0, found constant 0}}
  gemmini.mvin_scales %zero to 0 count 4
  return
}
