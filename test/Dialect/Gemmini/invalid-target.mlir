// RUN: fadiff-opt %s -split-input-file -verify-diagnostics

// The limits of one machine: side 4, 64 scratchpad rows (256 B), 16 accumulator
// rows (256 B), moves of at most 16 B.

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @spad_row() {
    %c64 = arith.constant 64 : index
    // expected-error @+1 {{'gemmini.spad_addr' op row must be 0 to 63 (the scratchpad of 'tiny'), found 64}}
    %0 = gemmini.spad_addr %c64 : !gemmini.addr<spad>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @acc_row() {
    %c16 = arith.constant 16 : index
    // expected-error @+1 {{'gemmini.acc_addr' op row must be 0 to 15 (the accumulator of 'tiny'), found 16}}
    %0 = gemmini.acc_addr %c16 : !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @mvin_rows(%dram: i64, %a: !gemmini.addr<spad>) {
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    gemmini.mvin %dram to %a rows %c4 cols %c4 : !gemmini.addr<spad>
    // expected-error @+1 {{'gemmini.mvin' op rows must be 1 to 4 (the array side of 'tiny'), found 5}}
    gemmini.mvin %dram to %a rows %c5 cols %c4 : !gemmini.addr<spad>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @mvin_cols(%dram: i64, %a: !gemmini.addr<spad>) {
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c17 = arith.constant 17 : index
    gemmini.mvin %dram to %a rows %c4 cols %c16 : !gemmini.addr<spad>
    // expected-error @+1 {{'gemmini.mvin' op cols must be 1 to 16 (the widest load of 'tiny'), found 17}}
    gemmini.mvin %dram to %a rows %c4 cols %c17 : !gemmini.addr<spad>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @mvin_end(%dram: i64) {
    %c4 = arith.constant 4 : index
    %c60 = arith.constant 60 : index
    %c61 = arith.constant 61 : index
    %last = gemmini.spad_addr %c60 : !gemmini.addr<spad>
    gemmini.mvin %dram to %last rows %c4 cols %c4 : !gemmini.addr<spad>
    %a = gemmini.spad_addr %c61 : !gemmini.addr<spad>
    // expected-error @+1 {{'gemmini.mvin' op destination must end within the 64 rows of the scratchpad of 'tiny', found row 61 + 4 rows}}
    gemmini.mvin %dram to %a rows %c4 cols %c4 : !gemmini.addr<spad>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @mvout_rows(%dram: i64, %a: !gemmini.addr<acc>) {
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    // expected-error @+1 {{'gemmini.mvout' op rows must be 1 to 4 (the array side of 'tiny'), found 5}}
    gemmini.mvout %a to %dram rows %c5 cols %c4 : !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @mvout_cols(%dram: i64, %a: !gemmini.addr<acc>) {
    %c4 = arith.constant 4 : index
    %c17 = arith.constant 17 : index
    // expected-error @+1 {{'gemmini.mvout' op cols must be 1 to 16 (the widest store of 'tiny'), found 17}}
    gemmini.mvout %a to %dram rows %c4 cols %c17 : !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @mvout_full_width(%dram: i64, %row: index) {
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %a = gemmini.acc_addr %row full_width : !gemmini.addr<acc>
    // expected-error @+1 {{'gemmini.mvout' op cols must be 1 to 4 (one full-width block of 'tiny'), found 5}}
    gemmini.mvout %a to %dram rows %c4 cols %c5 : !gemmini.addr<acc>
    return
  }
}

// -----

// The second block of 5 columns lies `side` rows on.
#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @mvout_end(%dram: i64) {
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c13 = arith.constant 13 : index
    %last = gemmini.acc_addr %c8 : !gemmini.addr<acc>
    gemmini.mvout %last to %dram rows %c4 cols %c8 : !gemmini.addr<acc>
    %a = gemmini.acc_addr %c12 : !gemmini.addr<acc>
    // expected-error @+1 {{'gemmini.mvout' op source must end within the 16 rows of the accumulator of 'tiny', found row 12 + 8 rows}}
    gemmini.mvout %a to %dram rows %c4 cols %c5 : !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
  func.func @mvout_spad_missing(%a: !gemmini.addr<acc>, %s: !gemmini.addr<spad>, %n: index) {
    // expected-error @+1 {{'gemmini.mvout_spad' op needs a machine whose hand-over is mvout_spad, found 'tiny' without it; store to DRAM and load again, or choose another target}}
    gemmini.mvout_spad %a to %s rows %n cols %n
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @mvout_spad_cols(%a: !gemmini.addr<acc>, %s: !gemmini.addr<spad>) {
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    gemmini.mvout_spad %a to %s rows %c4 cols %c4
    // expected-error @+1 {{'gemmini.mvout_spad' op cols must be 1 to 4 (the array side of 'tiny'), found 5}}
    gemmini.mvout_spad %a to %s rows %c4 cols %c5
    return
  }
}

// -----

// Rows 0, 3, 6 and 9 from the destination.
#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @mvout_spad_end(%a: !gemmini.addr<acc>) {
    %c4 = arith.constant 4 : index
    %c54 = arith.constant 54 : index
    %c58 = arith.constant 58 : index
    %last = gemmini.spad_addr %c54 : !gemmini.addr<spad>
    gemmini.mvout_spad %a to %last dst_stride = 3 rows %c4 cols %c4
    %s = gemmini.spad_addr %c58 : !gemmini.addr<spad>
    // expected-error @+1 {{'gemmini.mvout_spad' op destination must end within the 64 rows of the scratchpad of 'tiny', found row 58 + 10 rows}}
    gemmini.mvout_spad %a to %s dst_stride = 3 rows %c4 cols %c4
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @preload_size(%b: !gemmini.addr<spad>, %c: !gemmini.addr<acc>) {
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    // expected-error @+1 {{'gemmini.preload' op b rows must be 1 to 4 (the array side of 'tiny'), found 5}}
    gemmini.preload %b rows %c5 cols %c4 to %c rows %c4 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @preload_end(%b: !gemmini.addr<spad>) {
    %c4 = arith.constant 4 : index
    %c14 = arith.constant 14 : index
    %c = gemmini.acc_addr %c14 : !gemmini.addr<acc>
    // expected-error @+1 {{'gemmini.preload' op c must end within the 16 rows of the accumulator of 'tiny', found row 14 + 4 rows}}
    gemmini.preload %b rows %c4 cols %c4 to %c rows %c4 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @preload_from_acc(%b: !gemmini.addr<acc>, %n: index) {
    // expected-error @+1 {{'gemmini.preload' op b must be in the scratchpad, as the array of 'tiny' does not read the accumulator, found '!gemmini.addr<acc>'}}
    gemmini.preload %b rows %n cols %n to %b rows %n cols %n : !gemmini.addr<acc>, !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {
  func.func @compute_from_acc(%a: !gemmini.addr<acc>, %s: !gemmini.addr<spad>, %n: index) {
    // expected-error @+1 {{'gemmini.compute_preloaded' op a must be in the scratchpad, as the array of 'tiny' does not read the accumulator, found '!gemmini.addr<acc>'}}
    gemmini.compute_preloaded %a rows %n cols %n, %s rows %n cols %n : !gemmini.addr<acc>, !gemmini.addr<spad>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @compute_d_from_acc(%a: !gemmini.addr<acc>, %s: !gemmini.addr<spad>, %n: index) {
    // expected-error @+1 {{'gemmini.compute_accumulated' op d must be in the scratchpad, as the array of 'tiny' does not read the accumulator, found '!gemmini.addr<acc>'}}
    gemmini.compute_accumulated %s rows %n cols %n, %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "accumulator_operand">
module attributes {fadiff.target = #tiny} {
  func.func @compute_size(%a: !gemmini.addr<acc>, %s: !gemmini.addr<spad>) {
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    gemmini.compute_preloaded %a rows %c4 cols %c4, %s rows %c4 cols %c4 : !gemmini.addr<acc>, !gemmini.addr<spad>
    // expected-error @+1 {{'gemmini.compute_preloaded' op d cols must be 1 to 4 (the array side of 'tiny'), found 5}}
    gemmini.compute_preloaded %a rows %c4 cols %c4, %s rows %c4 cols %c5 : !gemmini.addr<acc>, !gemmini.addr<spad>
    return
  }
}

// -----

// A target further out counts, if there is none nearer.
#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  module {
  func.func @nested(%dram: i64, %a: !gemmini.addr<spad>) {
    %c5 = arith.constant 5 : index
    // expected-error @+1 {{rows must be 1 to 4 (the array side of 'tiny'), found 5}}
    gemmini.mvin3 %dram to %a rows %c5 cols %c5 : !gemmini.addr<spad>
    return
  }
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @loop_pad(%a: i64, %n: index, %add: i1) {
    %c4 = arith.constant 4 : index
    // expected-error @+1 {{'gemmini.loop_ws' op pad of i must be 0 to 3 (less than the array side of 'tiny'), found 4}}
    gemmini.loop_ws blocks [%n, %n, %n] pads [%c4, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @loop_scratchpad(%a: i64, %n: index, %add: i1) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    // expected-error @+1 {{'gemmini.loop_ws' op a and b must fit into half of the scratchpad of 'tiny', 32 rows, found 36 rows}}
    gemmini.loop_ws blocks [%c4, %c5, %c1] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", hand_over = "none">
module attributes {fadiff.target = #tiny} {
  func.func @loop_accumulator(%a: i64, %n: index, %add: i1) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    // expected-error @+1 {{'gemmini.loop_ws' op c must fit into half of the accumulator of 'tiny', 8 rows, found 12 rows}}
    gemmini.loop_ws blocks [%c3, %c1, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
    return
  }
}

// -----

// Abilities that the machine's description denies.

#tiny = #fadiff.target<"tiny", loop_unit = "none">
module attributes {fadiff.target = #tiny} {
  func.func @no_loop_unit(%a: i64, %n: index, %add: i1) {
    // expected-error @+1 {{'gemmini.loop_ws' op needs a machine with a matmul loop, but loop_unit of 'tiny' is none}}
    gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", load_scale = "none">
module attributes {fadiff.target = #tiny} {
  func.func @no_load_scale() {
    gemmini.config_ld id = 0 stride = 64 block_stride = 4
    // expected-error @+1 {{'gemmini.config_ld' op scale must be 1, as accumulator.load_scale of 'tiny' is none, found 5.0}}
    gemmini.config_ld id = 0 stride = 64 block_stride = 4 scale = 5.000000e-01
    return
  }
}

// -----

#tiny = #fadiff.target<"tiny", pool_window = 2>
module attributes {fadiff.target = #tiny} {
  func.func @small_windows() {
    // expected-error @+1 {{'gemmini.config_st' op pool size must be at most 2, as pool.window of 'tiny' is 2, found 3}}
    gemmini.config_st stride = 64 pool = <size = 3, stride = 2, rows = 4, cols = 4, out_rows = 1, out_cols = 1, out_dim = 1>
    return
  }
}
