// RUN: fadiff-opt %s -split-input-file -verify-diagnostics

// What no machine accepts. Limits of one machine are in invalid-target.mlir.

func.func @spad_row_negative() {
  %c = arith.constant -1 : index
  // expected-error @+1 {{'gemmini.spad_addr' op row must be 0 to 67108863 (the row bits of a local address), found -1}}
  %0 = gemmini.spad_addr %c : !gemmini.addr<spad>
  return
}

// -----

func.func @acc_row_too_big() {
  %c = arith.constant 67108864 : index
  // expected-error @+1 {{'gemmini.acc_addr' op row must be 0 to 67108863 (the row bits of a local address), found 67108864}}
  %0 = gemmini.acc_addr %c : !gemmini.addr<acc>
  return
}

// -----

func.func @accumulate_twice(%row: index, %flag: i1) {
  // expected-error @+1 {{wants either a static or a dynamic accumulate, found both; drop the attribute}}
  %0 = "gemmini.acc_addr"(%row, %flag) <{accumulate}> : (index, i1) -> !gemmini.addr<acc>
  return
}

// -----

func.func @spad_addr_of_acc(%row: index) {
  // expected-error @+1 {{result #0 must be scratchpad address, but got '!gemmini.addr<acc>'}}
  %0 = "gemmini.spad_addr"(%row) : (index) -> !gemmini.addr<acc>
  return
}

// -----

// expected-error @+2 {{expected ::fadiff::gemmini::Memory to be one of: spad, acc}}
// expected-error @+1 {{failed to parse Gemmini_AddrType parameter 'memory'}}
func.func private @unknown_memory(!gemmini.addr<dram>)

// -----

func.func @os_transpose_b() {
  // expected-error @+1 {{'gemmini.config_ex' op dataflow os can transpose neither, A, or both, found B alone}}
  gemmini.config_ex os transpose_b
  return
}

// -----

func.func @ws_transpose_both() {
  // expected-error @+1 {{'gemmini.config_ex' op dataflow ws can transpose neither, A, or B, found both}}
  gemmini.config_ex ws transpose_a transpose_b
  return
}

// -----

func.func @ws_shift() {
  // expected-error @+1 {{shift must be 0 with dataflow ws, which does not shift, found 3}}
  gemmini.config_ex ws shift = 3
  return
}

// -----

func.func @os_shift_range() {
  // expected-error @+1 {{shift must be 0 to 31 (results have 32 bits), found 32}}
  gemmini.config_ex os shift = 32
  return
}

// -----

func.func @a_stride_range() {
  // expected-error @+1 {{a_stride must be 0 to 65535 (a field of 16 bits), found 65536}}
  gemmini.config_ex ws a_stride = 65536
  return
}

// -----

func.func @c_stride_zero() {
  // expected-error @+1 {{c_stride must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.config_ex ws c_stride = 0
  return
}

// -----

func.func @ex_scale_zero() {
  // expected-error @+1 {{'gemmini.config_ex' op scale must be finite and not zero, found 0}}
  gemmini.config_ex ws scale = 0.0
  return
}

// -----

func.func @ld_id() {
  // expected-error @+1 {{'gemmini.config_ld' op id must be 0 to 2 (mvin, mvin2 or mvin3), found 3}}
  gemmini.config_ld id = 3 stride = 64 block_stride = 16
  return
}

// -----

func.func @ld_stride() {
  // expected-error @+1 {{stride must be 0 to 9223372036854775807 (a field of 64 bits), found -64}}
  gemmini.config_ld id = 0 stride = -64 block_stride = 16
  return
}

// -----

func.func @ld_block_stride() {
  // expected-error @+1 {{block_stride must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.config_ld id = 0 stride = 64 block_stride = 0
  return
}

// -----

func.func @ld_pixel_repeats() {
  // expected-error @+1 {{pixel_repeats must be 0 to 255 (a field of 8 bits), found 256}}
  gemmini.config_ld id = 0 stride = 64 block_stride = 16 pixel_repeats = 256
  return
}

// -----

func.func @ld_scale() {
  // expected-error @+1 {{'gemmini.config_ld' op scale must be finite and not zero, found +Inf}}
  gemmini.config_ld id = 0 stride = 64 block_stride = 16 scale = 0x7F800000
  return
}

// -----

func.func @st_stride() {
  // expected-error @+1 {{'gemmini.config_st' op stride must be 0 to 4294967295 (a field of 32 bits), found 4294967296}}
  gemmini.config_st stride = 4294967296
  return
}

// -----

// All ones would keep the scale of before.
func.func @st_scale_nan() {
  // expected-error @+1 {{'gemmini.config_st' op scale must be finite and not zero, found NaN}}
  gemmini.config_st stride = 64 scale = 0xFFFFFFFF
  return
}

// -----

func.func @st_negative_relu() {
  // expected-error @+1 {{scale must be positive with activation relu, found -5.000000e-01}}
  gemmini.config_st stride = 64 activation = relu scale = -0.5
  return
}

// -----

func.func @pool_size() {
  // expected-error @+1 {{pool size must be 1 to 3, found 4}}
  gemmini.config_st stride = 64 pool = <size = 4, stride = 2, rows = 4, cols = 4, out_rows = 2, out_cols = 2, out_dim = 2>
  return
}

// -----

// A stride of 0 is how the instruction says "no pooling".
func.func @pool_stride() {
  // expected-error @+1 {{pool stride must be 1 to 3, found 0}}
  gemmini.config_st stride = 64 pool = <size = 2, stride = 0, rows = 4, cols = 4, out_rows = 2, out_cols = 2, out_dim = 2>
  return
}

// -----

func.func @pool_rows() {
  // expected-error @+1 {{pool rows must be 1 to 255, found 256}}
  gemmini.config_st stride = 64 pool = <size = 2, stride = 2, rows = 256, cols = 4, out_rows = 2, out_cols = 2, out_dim = 2>
  return
}

// -----

func.func @pool_out_cols() {
  // expected-error @+1 {{pool out_cols must be 1 to 255, found 0}}
  gemmini.config_st stride = 64 pool = <size = 2, stride = 2, rows = 4, cols = 4, out_rows = 2, out_cols = 0, out_dim = 2>
  return
}

// -----

func.func @pool_padding() {
  // expected-error @+1 {{pool pad_left must be less than the window size 2, found 2}}
  gemmini.config_st stride = 64 pool = <size = 2, stride = 2, pad_left = 2, rows = 4, cols = 4, out_rows = 2, out_cols = 2, out_dim = 2>
  return
}

// -----

func.func @pool_window() {
  // expected-error @+1 {{the last pool window of out_rows = 3 must start before rows = 4, found start 4}}
  gemmini.config_st stride = 64 pool = <size = 2, stride = 2, rows = 4, cols = 4, out_rows = 3, out_cols = 2, out_dim = 2>
  return
}

// -----

func.func @pool_out_dim() {
  // expected-error @+1 {{pool out_dim must be at least out_cols = 2, found 1}}
  gemmini.config_st stride = 64 pool = <size = 2, stride = 2, rows = 4, cols = 4, out_rows = 2, out_cols = 2, out_dim = 1>
  return
}

// -----

func.func @mvin_garbage(%dram: i64, %n: index) {
  %none = gemmini.garbage : !gemmini.addr<spad>
  // expected-error @+1 {{'gemmini.mvin' op destination must name rows, found gemmini.garbage}}
  gemmini.mvin %dram to %none rows %n cols %n : !gemmini.addr<spad>
  return
}

// -----

func.func @mvin_null(%a: !gemmini.addr<spad>, %n: index) {
  %null = arith.constant 0 : i64
  // expected-error @+1 {{'gemmini.mvin2' op DRAM address must not be 0, which clears the rows; write 'zero' if that is meant, found constant 0}}
  gemmini.mvin2 %null to %a rows %n cols %n : !gemmini.addr<spad>
  return
}

// -----

func.func @mvin_rows(%dram: i64, %a: !gemmini.addr<spad>, %n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.mvin3' op rows must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.mvin3 %dram to %a rows %zero cols %n : !gemmini.addr<spad>
  return
}

// -----

func.func @mvin_cols(%dram: i64, %a: !gemmini.addr<spad>, %n: index) {
  %many = arith.constant 65536 : index
  // expected-error @+1 {{'gemmini.mvin' op cols must be 1 to 65535 (a field of 16 bits), found 65536}}
  gemmini.mvin %dram to %a rows %n cols %many : !gemmini.addr<spad>
  return
}

// -----

func.func @mvout_garbage(%dram: i64, %n: index) {
  %none = gemmini.garbage : !gemmini.addr<spad>
  // expected-error @+1 {{'gemmini.mvout' op source must name rows, found gemmini.garbage}}
  gemmini.mvout %none to %dram rows %n cols %n : !gemmini.addr<spad>
  return
}

// -----

func.func @mvout_null(%a: !gemmini.addr<acc>, %n: index) {
  %null = arith.constant 0 : i64
  // expected-error @+1 {{'gemmini.mvout' op DRAM address must not be 0, found constant 0}}
  gemmini.mvout %a to %null rows %n cols %n : !gemmini.addr<acc>
  return
}

// -----

func.func @mvout_rows(%dram: i64, %a: !gemmini.addr<acc>, %n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.mvout' op rows must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.mvout %a to %dram rows %zero cols %n : !gemmini.addr<acc>
  return
}

// -----

func.func @mvout_cols(%dram: i64, %a: !gemmini.addr<acc>, %n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.mvout' op cols must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.mvout %a to %dram rows %n cols %zero : !gemmini.addr<acc>
  return
}

// -----

func.func @mvout_spad_full_width(%s: !gemmini.addr<spad>, %row: index, %n: index) {
  %full = gemmini.acc_addr %row full_width : !gemmini.addr<acc>
  // expected-error @+1 {{'gemmini.mvout_spad' op source must be read as int8, found a full_width address}}
  gemmini.mvout_spad %full to %s rows %n cols %n
  return
}

// -----

func.func @mvout_spad_garbage(%a: !gemmini.addr<acc>, %n: index) {
  %none = gemmini.garbage : !gemmini.addr<spad>
  // expected-error @+1 {{'gemmini.mvout_spad' op destination must name rows, found gemmini.garbage}}
  gemmini.mvout_spad %a to %none rows %n cols %n
  return
}

// -----

func.func @mvout_spad_rows(%a: !gemmini.addr<acc>, %s: !gemmini.addr<spad>, %n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.mvout_spad' op rows must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.mvout_spad %a to %s rows %zero cols %n
  return
}

// -----

func.func @mvout_spad_cols(%a: !gemmini.addr<acc>, %s: !gemmini.addr<spad>, %n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.mvout_spad' op cols must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.mvout_spad %a to %s rows %n cols %zero
  return
}

// -----

func.func @mvout_spad_stride(%a: !gemmini.addr<acc>, %s: !gemmini.addr<spad>, %n: index) {
  // expected-error @+1 {{'gemmini.mvout_spad' op dst_stride must be 1 to 4294967295 (a field of 32 bits), found 0}}
  gemmini.mvout_spad %a to %s dst_stride = 0 rows %n cols %n
  return
}

// -----

func.func @preload_b_rows(%b: !gemmini.addr<spad>, %c: !gemmini.addr<acc>, %n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.preload' op b rows must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.preload %b rows %zero cols %n to %c rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  return
}

// -----

func.func @preload_c_cols(%b: !gemmini.addr<spad>, %c: !gemmini.addr<acc>, %n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.preload' op c cols must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.preload %b rows %n cols %n to %c rows %n cols %zero : !gemmini.addr<spad>, !gemmini.addr<acc>
  return
}

// -----

// A block that is not there may be empty, but no larger than the field.
func.func @preload_garbage(%c: !gemmini.addr<acc>, %n: index) {
  %none = gemmini.garbage : !gemmini.addr<spad>
  %zero = arith.constant 0 : index
  gemmini.preload %none rows %zero cols %zero to %c rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  %many = arith.constant 65536 : index
  // expected-error @+1 {{'gemmini.preload' op b cols must be 0 to 65535 (a field of 16 bits), found 65536}}
  gemmini.preload %none rows %zero cols %many to %c rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  return
}

// -----

func.func @compute_garbage_a(%d: !gemmini.addr<spad>, %n: index) {
  %none = gemmini.garbage : !gemmini.addr<spad>
  // expected-error @+1 {{'gemmini.compute_preloaded' op a must name rows, found gemmini.garbage, which is undefined data there}}
  gemmini.compute_preloaded %none rows %n cols %n, %d rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

func.func @compute_a_cols(%a: !gemmini.addr<spad>, %n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.compute_preloaded' op a cols must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.compute_preloaded %a rows %n cols %zero, %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

func.func @compute_d_rows(%a: !gemmini.addr<spad>, %n: index) {
  %zero = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.compute_accumulated' op d rows must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.compute_accumulated %a rows %n cols %n, %a rows %zero cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

func.func @region_id() {
  // expected-error @+1 {{'gemmini.region' op id must not be negative, found -1}}
  gemmini.region -1
  return
}

// -----

func.func @loop_blocks(%a: i64, %n: index, %add: i1) {
  %c = arith.constant 0 : index
  // expected-error @+1 {{'gemmini.loop_ws' op i must be 1 to 65535 (a field of 16 bits), found 0}}
  gemmini.loop_ws blocks [%c, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
  return
}

// -----

func.func @loop_blocks_field(%a: i64, %n: index, %add: i1) {
  %c = arith.constant 65536 : index
  // expected-error @+1 {{'gemmini.loop_ws' op k must be 1 to 65535 (a field of 16 bits), found 65536}}
  gemmini.loop_ws blocks [%n, %n, %c] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
  return
}

// -----

func.func @loop_pad(%a: i64, %n: index, %add: i1) {
  %c = arith.constant -1 : index
  // expected-error @+1 {{'gemmini.loop_ws' op pad of j must be 0 to 65535 (a field of 16 bits), found -1}}
  gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %c, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
  return
}

// -----

func.func @loop_half(%a: i64, %n: index, %add: i1) {
  %c = arith.constant 3 : index
  // expected-error @+1 {{'gemmini.loop_ws' op half of b must be 0 to 2 (0 lets loops take turns), found 3}}
  gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %c) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
  return
}

// -----

func.func @loop_stride(%a: i64, %n: index, %add: i1) {

  // expected-error @+1 {{'gemmini.loop_ws' op stride of a must be 0 to 9223372036854775807 (a field of 64 bits), found -1}}
  gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = -1 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
  return
}

// -----

func.func @loop_overwrites_d(%a: i64, %n: index, %add: i1) {
  %one = arith.constant 1 : i64
  %false = arith.constant false
  // expected-error @+1 {{'gemmini.loop_ws' op accumulate must be true where d is loaded, as the products would overwrite it, found constant false}}
  gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%one stride = 0) c(%a stride = 64) accumulate(%false)
  return
}
