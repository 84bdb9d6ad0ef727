// RUN: fadiff-opt %s -convert-gemmini-to-llvm -split-input-file -verify-diagnostics

// Rules between instructions on one machine: side 4, 64 scratchpad rows, moves
// of at most 16 B.

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @acc_load(%dram: i64, %a: !gemmini.addr<acc>) {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gemmini.config_ld id = 0 stride = 16 block_stride = 4 shrink
    gemmini.mvin %dram to %a rows %c4 cols %c8 : !gemmini.addr<acc>
    // expected-note @+1 {{configured here without shrink}}
    gemmini.config_ld id = 0 stride = 16 block_stride = 4
    // expected-error @+1 {{'gemmini.mvin' op loads int32 elements into the accumulator, at most one block of 4 cols, found 8}}
    gemmini.mvin %dram to %a rows %c4 cols %c8 : !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @blocks_end(%dram: i64) {
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c48 = arith.constant 48 : index
    %c49 = arith.constant 49 : index
    // expected-note @+1 {{block_stride = 4 is set here}}
    gemmini.config_ld id = 2 stride = 16 block_stride = 4
    %last = gemmini.spad_addr %c48 : !gemmini.addr<spad>
    gemmini.mvin3 %dram to %last rows %c4 cols %c16 : !gemmini.addr<spad>
    %a = gemmini.spad_addr %c49 : !gemmini.addr<spad>
    // expected-error @+1 {{'gemmini.mvin3' op destination must end within the 64 rows of the scratchpad of 'tiny', found block 3 at row 61}}
    gemmini.mvin3 %dram to %a rows %c4 cols %c16 : !gemmini.addr<spad>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @pool_cols(%dram: i64, %a: !gemmini.addr<acc>) {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gemmini.config_st stride = 4
    gemmini.mvout %a to %dram rows %c4 cols %c8 : !gemmini.addr<acc>
    // expected-note @+1 {{pooling is configured here}}
    gemmini.config_st stride = 4 pool = <size = 2, stride = 2, rows = 2, cols = 2, out_rows = 1, out_cols = 1, out_dim = 1>
    // expected-error @+1 {{'gemmini.mvout' op pools at most one block of 4 cols, found 8}}
    gemmini.mvout %a to %dram rows %c4 cols %c8 : !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @operand_a_end(%s: !gemmini.addr<spad>, %c: !gemmini.addr<acc>) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c60 = arith.constant 60 : index
    %c63 = arith.constant 63 : index
    %none = gemmini.garbage : !gemmini.addr<spad>
    %a60 = gemmini.spad_addr %c60 : !gemmini.addr<spad>
    %a63 = gemmini.spad_addr %c63 : !gemmini.addr<spad>
    gemmini.config_ex ws
    gemmini.preload %s rows %c4 cols %c4 to %c rows %c4 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_preloaded %a60 rows %c4 cols %c4, %none rows %c4 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<spad>
    // Stored as one row of 4.
    gemmini.config_ex ws transpose_a
    gemmini.preload %s rows %c1 cols %c4 to %c rows %c4 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<acc>
    gemmini.compute_preloaded %a63 rows %c4 cols %c1, %none rows %c4 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<spad>
    // expected-note @+1 {{strides and transposes are configured here}}
    gemmini.config_ex ws a_stride = 2
    gemmini.preload %s rows %c4 cols %c4 to %c rows %c3 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<acc>
    // expected-error @+1 {{'gemmini.compute_preloaded' op a must end within the 64 rows of the scratchpad of 'tiny', found its last row at 64}}
    gemmini.compute_preloaded %a60 rows %c3 cols %c4, %none rows %c3 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<spad>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @operand_ends(%a: !gemmini.addr<spad>) {
    %c4 = arith.constant 4 : index
    %c10 = arith.constant 10 : index
    %c61 = arith.constant 61 : index
    %s61 = gemmini.spad_addr %c61 : !gemmini.addr<spad>
    %x10 = gemmini.acc_addr %c10 : !gemmini.addr<acc>
    // expected-note @+1 {{strides and transposes are configured here}}
    gemmini.config_ex ws c_stride = 2
    // expected-error @+2 {{'gemmini.preload' op b must end within the 64 rows of the scratchpad of 'tiny', found its last row at 64}}
    // expected-error @+1 {{'gemmini.preload' op c must end within the 16 rows of the accumulator of 'tiny', found its last row at 16}}
    gemmini.preload %s61 rows %c4 cols %c4 to %x10 rows %c4 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<acc>
    // expected-error @+1 {{'gemmini.compute_preloaded' op d must end within the 64 rows of the scratchpad of 'tiny', found its last row at 64}}
    gemmini.compute_preloaded %a rows %c4 cols %c4, %s61 rows %c4 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<spad>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @loop_load_stride(%a: i64, %n: index, %add: i1) {
    // expected-note @+1 {{configured here}}
    gemmini.config_ld id = 1 stride = 32 block_stride = 4
    // expected-error @+1 {{'gemmini.loop_ws' op loads b with load unit 1, which must have stride = 64 and block_stride = 4, found 32 and 4}}
    gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @loop_block_stride(%a: i64, %n: index, %add: i1) {
    // expected-note @+1 {{configured here}}
    gemmini.config_ld id = 0 stride = 64 block_stride = 8
    // expected-error @+1 {{'gemmini.loop_ws' op loads a with load unit 0, which must have stride = 64 and block_stride = 4, found 64 and 8}}
    gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @loop_bias_stride(%a: i64, %n: index, %add: i1) {
    // expected-note @+1 {{configured here}}
    gemmini.config_ld id = 2 stride = 4 block_stride = 4
    // expected-error @+1 {{'gemmini.loop_ws' op loads d with load unit 2, which must have stride = 0 and block_stride = 4, found 4 and 4}}
    gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @loop_store_stride(%a: i64, %n: index, %add: i1) {
    // expected-note @+1 {{configured here}}
    gemmini.config_st stride = 32
    // expected-error @+1 {{'gemmini.loop_ws' op stores c, so config_st must have stride = 64 and no pooling, found 32}}
    gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
    return
  }
}
