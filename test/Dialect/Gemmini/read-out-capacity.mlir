// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-npu -split-input-file -verify-diagnostics

func.func @fits(%dram: i64) {
  gemmini.mvin_scales %dram to 8000 count 192
  return
}

// -----

func.func @does_not(%dram: i64) {
  // expected-error @+1 {{'gemmini.mvin_scales' op count must be 1 to 192 (the scales that the store unit holds), found 193}}
  gemmini.mvin_scales %dram to 8000 count 193
  return
}
