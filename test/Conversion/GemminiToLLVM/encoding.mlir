// RUN: fadiff-opt %s -convert-gemmini-to-llvm | FileCheck %s
// RUN: fadiff-opt %s -convert-gemmini-to-llvm=target=rocc | FileCheck %s --check-prefix=ROCC

// Both registers of every instruction, worked out by hand from the bit tables of
// ucb-bar/gemmini (GemminiISA.scala, gemmini.h). What is constant ends up
// in one constant per register.

// CHECK-DAG: llvm.func @fadiff_gemmini_execute(i32, i64, i64)
// CHECK-DAG: llvm.func @fadiff_gemmini_fence(){{$}}
// CHECK-DAG: llvm.func @fadiff_gemmini_region(i64)
// ROCC-NOT: llvm.func

// CHECK-LABEL: func.func @config_ex_default(
// rs1 = kind 0 | ws 1 << 2 | a_stride 1 << 16 | 1.0f 0x3f800000 << 32 = 0x3f80000000010004
// CHECK: %[[RS1:.*]] = arith.constant 4575657221408489476 : i64
// rs2 = c_stride 1 << 48 = 0x0001000000000000
// CHECK: %[[RS2:.*]] = arith.constant 281474976710656 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 0 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @config_ex_default(
// ROCC: %[[RS1:.*]] = arith.constant 4575657221408489476 : i64
// ROCC: %[[RS2:.*]] = arith.constant 281474976710656 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 0, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @config_ex_default() {
  gemmini.config_ex ws
  return
}

// CHECK-LABEL: func.func @config_ex_all(
// rs1 = relu 1 << 3 | transpose_a 1 << 8 | transpose_b 1 << 9 | a_stride 2 << 16 | 0.5f 0x3f000000 << 32 = 0x3f00000000020308
// CHECK: %[[RS1:.*]] = arith.constant 4539628424389591816 : i64
// rs2 = shift 4 | c_stride 3 << 48 = 0x0003000000000004
// CHECK: %[[RS2:.*]] = arith.constant 844424930131972 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 0 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @config_ex_all(
// ROCC: %[[RS1:.*]] = arith.constant 4539628424389591816 : i64
// ROCC: %[[RS2:.*]] = arith.constant 844424930131972 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 0, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @config_ex_all() {
  gemmini.config_ex os activation = relu transpose_a transpose_b a_stride = 2 c_stride = 3 scale = 0.5 shift = 4
  return
}

// CHECK-LABEL: func.func @config_ld_default(
// rs1 = kind 1 | pixel_repeats 1 << 8 | block_stride 16 << 16 | 1.0f 0x3f800000 << 32 = 0x3f80000000100101
// CHECK: %[[RS1:.*]] = arith.constant 4575657221409472769 : i64
// rs2 = stride 64 = 0x0000000000000040
// CHECK: %[[RS2:.*]] = arith.constant 64 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 0 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @config_ld_default(
// ROCC: %[[RS1:.*]] = arith.constant 4575657221409472769 : i64
// ROCC: %[[RS2:.*]] = arith.constant 64 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 0, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @config_ld_default() {
  gemmini.config_ld id = 0 stride = 64 block_stride = 16
  return
}

// CHECK-LABEL: func.func @config_ld_all(
// rs1 = kind 1 | shrink 1 << 2 | id 2 << 3 | pixel_repeats 3 << 8 | block_stride 32 << 16 | 0.25f 0x3e800000 << 32 = 0x3e80000000200315
// CHECK: %[[RS1:.*]] = arith.constant 4503599627372593941 : i64
// rs2 = stride 0x2dfdc1c35 = 0x00000002dfdc1c35
// CHECK: %[[RS2:.*]] = arith.constant 12345678901 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 0 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @config_ld_all(
// ROCC: %[[RS1:.*]] = arith.constant 4503599627372593941 : i64
// ROCC: %[[RS2:.*]] = arith.constant 12345678901 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 0, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @config_ld_all() {
  gemmini.config_ld id = 2 stride = 12345678901 block_stride = 32 scale = 0.25 shrink pixel_repeats = 3
  return
}

// CHECK-LABEL: func.func @config_st_default(
// rs1 = kind 2 = 0x0000000000000002
// CHECK: %[[RS1:.*]] = arith.constant 2 : i64
// rs2 = stride 64 | 1.0f 0x3f800000 << 32 = 0x3f80000000000040
// CHECK: %[[RS2:.*]] = arith.constant 4575657221408424000 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 0 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @config_st_default(
// ROCC: %[[RS1:.*]] = arith.constant 2 : i64
// ROCC: %[[RS2:.*]] = arith.constant 4575657221408424000 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 0, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @config_st_default() {
  gemmini.config_st stride = 64
  return
}

// CHECK-LABEL: func.func @config_st_pool(
// rs1 = kind 2 | relu 1 << 2 | pool stride 2 << 4 | size 3 << 6 | pad_top 1 << 8 | pad_left 2 << 10 | out_dim 56 << 24 | out_rows 4 << 32 | out_cols 7 << 40 | rows 8 << 48 | cols 16 << 56 = 0x10080704380009e6
// CHECK: %[[RS1:.*]] = arith.constant 1155181019121322470 : i64
// rs2 = stride 28 | 0.03125f 0x3d000000 << 32 = 0x3d0000000000001c
// CHECK: %[[RS2:.*]] = arith.constant 4395513236313604124 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 0 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @config_st_pool(
// ROCC: %[[RS1:.*]] = arith.constant 1155181019121322470 : i64
// ROCC: %[[RS2:.*]] = arith.constant 4395513236313604124 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 0, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @config_st_pool() {
  gemmini.config_st stride = 28 activation = relu scale = 0.03125 pool = <size = 3, stride = 2, pad_top = 1, pad_left = 2, rows = 8, cols = 16, out_rows = 4, out_cols = 7, out_dim = 56>
  return
}

// CHECK-LABEL: func.func @mvin(
// CHECK-SAME: %[[RS1:.*]]: i64)
// rs1 is the address as it comes.
// rs2 = row 9 | cols 16 << 32 | rows 5 << 48 = 0x0005001000000009
// CHECK: %[[RS2:.*]] = arith.constant 1407443603030025 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 2 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @mvin(
// ROCC-SAME: %[[RS1:.*]]: i64)
// ROCC: %[[RS2:.*]] = arith.constant 1407443603030025 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 2, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @mvin(%dram: i64) {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %a = gemmini.spad_addr %c9 : !gemmini.addr<spad>
  gemmini.mvin %dram to %a rows %c5 cols %c16 : !gemmini.addr<spad>
  return
}

// CHECK-LABEL: func.func @mvin2(
// CHECK-SAME: %[[RS1:.*]]: i64)
// rs1 is the address as it comes.
// rs2 = row 9 | cols 16 << 32 | rows 5 << 48 = 0x0005001000000009
// CHECK: %[[RS2:.*]] = arith.constant 1407443603030025 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 1 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @mvin2(
// ROCC-SAME: %[[RS1:.*]]: i64)
// ROCC: %[[RS2:.*]] = arith.constant 1407443603030025 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 1, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @mvin2(%dram: i64) {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %a = gemmini.spad_addr %c9 : !gemmini.addr<spad>
  gemmini.mvin2 %dram to %a rows %c5 cols %c16 : !gemmini.addr<spad>
  return
}

// CHECK-LABEL: func.func @mvin3(
// CHECK-SAME: %[[RS1:.*]]: i64)
// rs1 is the address as it comes.
// rs2 = row 9 | cols 16 << 32 | rows 5 << 48 = 0x0005001000000009
// CHECK: %[[RS2:.*]] = arith.constant 1407443603030025 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 14 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @mvin3(
// ROCC-SAME: %[[RS1:.*]]: i64)
// ROCC: %[[RS2:.*]] = arith.constant 1407443603030025 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 14, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @mvin3(%dram: i64) {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %a = gemmini.spad_addr %c9 : !gemmini.addr<spad>
  gemmini.mvin3 %dram to %a rows %c5 cols %c16 : !gemmini.addr<spad>
  return
}

// CHECK-LABEL: func.func @mvin_zero_accumulate(
// rs1 = address 0 = 0x0000000000000000
// CHECK: %[[RS1:.*]] = arith.constant 0 : i64
// rs2 = row 9 | accumulate 1 << 30 | acc 1 << 31 | cols 16 << 32 | rows 5 << 48 = 0x00050010c0000009
// CHECK: %[[RS2:.*]] = arith.constant 1407446824255497 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 2 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @mvin_zero_accumulate(
// ROCC: %[[RS1:.*]] = arith.constant 0 : i64
// ROCC: %[[RS2:.*]] = arith.constant 1407446824255497 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 2, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @mvin_zero_accumulate() {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %a = gemmini.acc_addr %c9 accumulate : !gemmini.addr<acc>
  gemmini.mvin zero to %a rows %c5 cols %c16 : !gemmini.addr<acc>
  return
}

// CHECK-LABEL: func.func @mvout(
// CHECK-SAME: %[[RS1:.*]]: i64)
// rs1 is the address as it comes.
// rs2 = row 9 | acc 1 << 31 | cols 16 << 32 | rows 5 << 48 = 0x0005001080000009
// CHECK: %[[RS2:.*]] = arith.constant 1407445750513673 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 3 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @mvout(
// ROCC-SAME: %[[RS1:.*]]: i64)
// ROCC: %[[RS2:.*]] = arith.constant 1407445750513673 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 3, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @mvout(%dram: i64) {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %a = gemmini.acc_addr %c9 : !gemmini.addr<acc>
  gemmini.mvout %a to %dram rows %c5 cols %c16 : !gemmini.addr<acc>
  return
}

// CHECK-LABEL: func.func @mvout_full_width(
// CHECK-SAME: %[[RS1:.*]]: i64)
// rs1 is the address as it comes.
// rs2 = row 9 | full width 1 << 29 | acc 1 << 31 | cols 16 << 32 | rows 5 << 48 = 0x00050010a0000009
// CHECK: %[[RS2:.*]] = arith.constant 1407446287384585 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 3 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @mvout_full_width(
// ROCC-SAME: %[[RS1:.*]]: i64)
// ROCC: %[[RS2:.*]] = arith.constant 1407446287384585 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 3, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @mvout_full_width(%dram: i64) {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %a = gemmini.acc_addr %c9 full_width : !gemmini.addr<acc>
  gemmini.mvout %a to %dram rows %c5 cols %c16 : !gemmini.addr<acc>
  return
}

// CHECK-LABEL: func.func @mvout_spad(
// rs1 = row 16 | dst_stride 2 << 32 = 0x0000000200000010
// CHECK: %[[RS1:.*]] = arith.constant 8589934608 : i64
// rs2 = row 9 | acc 1 << 31 | cols 16 << 32 | rows 5 << 48 = 0x0005001080000009
// CHECK: %[[RS2:.*]] = arith.constant 1407445750513673 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 23 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @mvout_spad(
// ROCC: %[[RS1:.*]] = arith.constant 8589934608 : i64
// ROCC: %[[RS2:.*]] = arith.constant 1407445750513673 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 23, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @mvout_spad() {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %a = gemmini.acc_addr %c9 : !gemmini.addr<acc>
  %s = gemmini.spad_addr %c16 : !gemmini.addr<spad>
  gemmini.mvout_spad %a to %s dst_stride = 2 rows %c5 cols %c16
  return
}

// CHECK-LABEL: func.func @preload(
// rs1 = row 9 | cols 9 << 32 | rows 16 << 48 = 0x0010000900000009
// CHECK: %[[RS1:.*]] = arith.constant 4503638282076169 : i64
// rs2 = row 5 | accumulate 1 << 30 | acc 1 << 31 | cols 9 << 32 | rows 5 << 48 = 0x00050009c0000005
// CHECK: %[[RS2:.*]] = arith.constant 1407416759484421 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 6 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @preload(
// ROCC: %[[RS1:.*]] = arith.constant 4503638282076169 : i64
// ROCC: %[[RS2:.*]] = arith.constant 1407416759484421 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 6, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @preload() {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %b = gemmini.spad_addr %c9 : !gemmini.addr<spad>
  %c = gemmini.acc_addr %c5 accumulate : !gemmini.addr<acc>
  gemmini.preload %b rows %c16 cols %c9 to %c rows %c5 cols %c9 : !gemmini.addr<spad>, !gemmini.addr<acc>
  return
}

// CHECK-LABEL: func.func @compute_preloaded(
// rs1 = row 16 | cols 16 << 32 | rows 5 << 48 = 0x0005001000000010
// CHECK: %[[RS1:.*]] = arith.constant 1407443603030032 : i64
// rs2 = garbage 0xffffffff | cols 9 << 32 | rows 5 << 48 = 0x00050009ffffffff
// CHECK: %[[RS2:.*]] = arith.constant 1407417833226239 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 4 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @compute_preloaded(
// ROCC: %[[RS1:.*]] = arith.constant 1407443603030032 : i64
// ROCC: %[[RS2:.*]] = arith.constant 1407417833226239 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 4, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @compute_preloaded() {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %a = gemmini.spad_addr %c16 : !gemmini.addr<spad>
  %none = gemmini.garbage : !gemmini.addr<spad>
  gemmini.compute_preloaded %a rows %c5 cols %c16, %none rows %c5 cols %c9 : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// CHECK-LABEL: func.func @compute_accumulated(
// rs1 = row 16 | cols 16 << 32 | rows 5 << 48 = 0x0005001000000010
// CHECK: %[[RS1:.*]] = arith.constant 1407443603030032 : i64
// rs2 = garbage 0xffffffff | cols 9 << 32 | rows 5 << 48 = 0x00050009ffffffff
// CHECK: %[[RS2:.*]] = arith.constant 1407417833226239 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 5 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @compute_accumulated(
// ROCC: %[[RS1:.*]] = arith.constant 1407443603030032 : i64
// ROCC: %[[RS2:.*]] = arith.constant 1407417833226239 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 5, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @compute_accumulated() {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  %a = gemmini.spad_addr %c16 : !gemmini.addr<spad>
  %none = gemmini.garbage : !gemmini.addr<spad>
  gemmini.compute_accumulated %a rows %c5 cols %c16, %none rows %c5 cols %c9 : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// CHECK-LABEL: func.func @flush(
// rs1 = skip 0 = 0x0000000000000000
// CHECK: %[[RS1:.*]] = arith.constant 0 : i64
// rs2 = 0
// CHECK: %[[RS2:.*]] = arith.constant 0 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 7 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @flush(
// ROCC: %[[RS1:.*]] = arith.constant 0 : i64
// ROCC: %[[RS2:.*]] = arith.constant 0 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 7, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @flush() {
  gemmini.flush
  return
}

// CHECK-LABEL: func.func @flush_skip(
// rs1 = skip 1 = 0x0000000000000001
// CHECK: %[[RS1:.*]] = arith.constant 1 : i64
// rs2 = 0
// CHECK: %[[RS2:.*]] = arith.constant 0 : i64
// CHECK: %[[FUNCT:.*]] = arith.constant 7 : i32
// CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[RS1]], %[[RS2]]) : (i32, i64, i64) -> ()
// ROCC-LABEL: func.func @flush_skip(
// ROCC: %[[RS1:.*]] = arith.constant 1 : i64
// ROCC: %[[RS2:.*]] = arith.constant 0 : i64
// ROCC-NEXT: llvm.inline_asm has_side_effects ".insn r CUSTOM_3, 0x3, 7, x0, $0, $1", "r,r,~{memory}" %[[RS1]], %[[RS2]] : (i64, i64) -> ()
func.func @flush_skip() {
  gemmini.flush skip
  return
}

// CHECK-LABEL: func.func @order(
// CHECK-NEXT: %[[ID:.*]] = arith.constant 3 : i64
// CHECK-NEXT: llvm.call @fadiff_gemmini_region(%[[ID]]) : (i64) -> ()
// CHECK-NEXT: llvm.call @fadiff_gemmini_fence() : () -> ()
// CHECK-NEXT: return
// ROCC-LABEL: func.func @order(
// ROCC-NEXT: llvm.inline_asm has_side_effects "fence", "~{memory}" : () -> ()
// ROCC-NEXT: return
func.func @order() {
  gemmini.region 3 "conv1"
  gemmini.fence
  return
}

// Six commands: bounds, addresses of A and B, of D and C, strides, run.

// CHECK-LABEL: func.func @loop_ws(
// CHECK-SAME: %[[A:.*]]: i64, %[[C:.*]]: i64
// ROCC-LABEL: func.func @loop_ws(
func.func @loop_ws(%a: i64, %c: i64) {
  %zero = arith.constant 0 : i64
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c15 = arith.constant 15 : index
  // rs1 = pad_i 1 | pad_j 15 << 16 | pad_k 0 << 32 = 0xf0001
  // CHECK: %[[RS1:.*]] = arith.constant 983041 : i64
  // rs2 = i 4 | j 3 << 16 | k 2 << 32 = 0x200030004
  // CHECK: %[[RS2:.*]] = arith.constant 8590131204 : i64
  // CHECK: %[[F:.*]] = arith.constant 9 : i32
  // CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[F]], %[[RS1]], %[[RS2]])
  // ROCC: ".insn r CUSTOM_3, 0x3, 9, x0, $0, $1"
  // CHECK: %[[F:.*]] = arith.constant 10 : i32
  // CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[F]], %[[A]], %{{.*}})
  // ROCC: ".insn r CUSTOM_3, 0x3, 10, x0, $0, $1"
  // CHECK: %[[F:.*]] = arith.constant 11 : i32
  // CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[F]], %{{.*}}, %[[C]])
  // ROCC: ".insn r CUSTOM_3, 0x3, 11, x0, $0, $1"
  // CHECK: %[[RS1:.*]] = arith.constant 64 : i64
  // CHECK: %[[RS2:.*]] = arith.constant 32 : i64
  // CHECK: %[[F:.*]] = arith.constant 12 : i32
  // CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[F]], %[[RS1]], %[[RS2]])
  // ROCC: ".insn r CUSTOM_3, 0x3, 12, x0, $0, $1"
  // CHECK: %[[RS1:.*]] = arith.constant 8 : i64
  // CHECK: %[[RS2:.*]] = arith.constant 128 : i64
  // CHECK: %[[F:.*]] = arith.constant 13 : i32
  // CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[F]], %[[RS1]], %[[RS2]])
  // ROCC: ".insn r CUSTOM_3, 0x3, 13, x0, $0, $1"
  // rs1 = accumulate 1 | full_c 1 << 1 | low_d 1 << 2 | b half 1 << 16 | a half 2 << 18 = 0x90007
  // CHECK: %[[RS1:.*]] = arith.constant 589831 : i64
  // CHECK: %[[RS2:.*]] = arith.constant 0 : i64
  // CHECK: %[[F:.*]] = arith.constant 8 : i32
  // CHECK-NEXT: llvm.call @fadiff_gemmini_execute(%[[F]], %[[RS1]], %[[RS2]])
  // ROCC: ".insn r CUSTOM_3, 0x3, 8, x0, $0, $1"
  gemmini.loop_ws blocks [%c4, %c3, %c2] pads [%c1, %c15, %c0] a(%a stride = 64 half %c2) b(%zero stride = 32 half %c1) d(%zero stride = 8) c(%c stride = 128) accumulate(%true) full_c low_d
  return
}
