// RUN: fadiff-opt %s -convert-gemmini-to-llvm -cse | FileCheck %s

// What is known only at run time is shifted into place and or-ed to the rest.

// CHECK-LABEL: func.func @rows_and_cols(
// CHECK-SAME: %[[DRAM:.*]]: i64, %[[ROW:.*]]: index, %[[ROWS:.*]]: index, %[[COLS:.*]]: index)
func.func @rows_and_cols(%dram: i64, %row: index, %rows: index, %cols: index) {
  // CHECK-NEXT: %[[ROW64:.*]] = arith.index_castui %[[ROW]] : index to i64
  // CHECK-NEXT: %[[COLS64:.*]] = arith.index_castui %[[COLS]] : index to i64
  // CHECK-NEXT: %[[C32:.*]] = arith.constant 32 : i64
  // CHECK-NEXT: %[[COLSUP:.*]] = arith.shli %[[COLS64]], %[[C32]]
  // CHECK-NEXT: %[[W0:.*]] = arith.addi %[[ROW64]], %[[COLSUP]]
  // CHECK-NEXT: %[[ROWS64:.*]] = arith.index_castui %[[ROWS]] : index to i64
  // CHECK-NEXT: %[[C48:.*]] = arith.constant 48 : i64
  // CHECK-NEXT: %[[ROWSUP:.*]] = arith.shli %[[ROWS64]], %[[C48]]
  // CHECK-NEXT: %[[W1:.*]] = arith.addi %[[W0]], %[[ROWSUP]]
  // CHECK: %[[FUNCT:.*]] = arith.constant 2 : i32
  // CHECK: llvm.call @fadiff_gemmini_execute(%[[FUNCT]], %[[DRAM]], %[[W1]])
  %a = gemmini.spad_addr %row : !gemmini.addr<spad>
  gemmini.mvin %dram to %a rows %rows cols %cols : !gemmini.addr<spad>
  return
}

// The static rest is one constant.

// CHECK-LABEL: func.func @rows_only(
// CHECK-SAME: %[[DRAM:.*]]: i64, %[[ROWS:.*]]: index)
func.func @rows_only(%dram: i64, %rows: index) {
  %c16 = arith.constant 16 : index
  // acc 1 << 31 | cols 16 << 32 | row 16 = 0x1080000010
  // CHECK: %[[ROWS64:.*]] = arith.index_castui %[[ROWS]] : index to i64
  // CHECK: %[[C48:.*]] = arith.constant 48 : i64
  // CHECK: %[[UP:.*]] = arith.shli %[[ROWS64]], %[[C48]]
  // CHECK: %[[REST:.*]] = arith.constant 70866960400 : i64
  // CHECK: %[[RS2:.*]] = arith.addi %[[UP]], %[[REST]]
  // CHECK: llvm.call @fadiff_gemmini_execute(%{{.*}}, %[[DRAM]], %[[RS2]])
  %a = gemmini.acc_addr %c16 : !gemmini.addr<acc>
  gemmini.mvout %a to %dram rows %rows cols %c16 : !gemmini.addr<acc>
  return
}

// Bit 30 from a flag, bits 31 and 29 and the row constant:
// 0xA0000007 = 2684354567.

// CHECK-LABEL: func.func @accumulate_flag(
// CHECK-SAME: %[[FLAG:.*]]: i1) -> i64
func.func @accumulate_flag(%flag: i1) -> !gemmini.addr<acc> {
  %c7 = arith.constant 7 : index
  // CHECK: %[[FLAG64:.*]] = arith.extui %[[FLAG]] : i1 to i64
  // CHECK: %[[C30:.*]] = arith.constant 30 : i64
  // CHECK: %[[BIT:.*]] = arith.shli %[[FLAG64]], %[[C30]]
  // CHECK: %[[REST:.*]] = arith.constant 2684354567 : i64
  // CHECK: %[[ADDR:.*]] = arith.addi %[[BIT]], %[[REST]]
  // CHECK: return %[[ADDR]] : i64
  %a = gemmini.acc_addr %c7 accumulate(%flag) full_width : !gemmini.addr<acc>
  return %a : !gemmini.addr<acc>
}

// A constant flag is a constant address, canonicalised or not:
// 1 << 31 | 1 << 30 | 7 = 0xC0000007 = 3221225479.

// CHECK-LABEL: func.func @accumulate_constant(
func.func @accumulate_constant() -> !gemmini.addr<acc> {
  %c7 = arith.constant 7 : index
  %true = arith.constant true
  // CHECK: %[[ADDR:.*]] = arith.constant 3221225479 : i64
  // CHECK: return %[[ADDR]] : i64
  %a = gemmini.acc_addr %c7 accumulate(%true) : !gemmini.addr<acc>
  return %a : !gemmini.addr<acc>
}

// Addresses as loop arguments and in selects: ping-pong buffers.

// CHECK-LABEL: func.func @ping_pong(
// CHECK-SAME: %[[DRAM:.*]]: i64, %[[N:.*]]: index, %[[WHICH:.*]]: i1)
func.func @ping_pong(%dram: i64, %n: index, %which: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  // CHECK-DAG: %[[PING:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[PONG:.*]] = arith.constant 16 : i64
  // CHECK: %[[FIRST:.*]] = arith.select %[[WHICH]], %[[PING]], %[[PONG]] : i64
  // CHECK: %{{.*}}:2 = scf.for %{{.*}} iter_args(%[[NOW:.*]] = %[[FIRST]], %[[NEXT:.*]] = %[[PONG]]) -> (i64, i64)
  %ping = gemmini.spad_addr %c0 : !gemmini.addr<spad>
  %pong = gemmini.spad_addr %c16 : !gemmini.addr<spad>
  %first = arith.select %which, %ping, %pong : !gemmini.addr<spad>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%now = %first, %next = %pong) -> (!gemmini.addr<spad>, !gemmini.addr<spad>) {
    // rows 16 << 48 | cols 16 << 32 = 0x0010001000000000
    // CHECK: %[[REST:.*]] = arith.constant 4503668346847232 : i64
    // CHECK: %[[RS2:.*]] = arith.addi %[[NOW]], %[[REST]]
    // CHECK: llvm.call @fadiff_gemmini_execute(%{{.*}}, %[[DRAM]], %[[RS2]])
    gemmini.mvin %dram to %now rows %c16 cols %c16 : !gemmini.addr<spad>
    // CHECK: scf.yield %[[NEXT]], %[[NOW]] : i64, i64
    scf.yield %next, %now : !gemmini.addr<spad>, !gemmini.addr<spad>
  }
  return
}

// Control flow may already be branches; functions may pass addresses on.

// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %[[ADDR:.*]]: i64, %[[FLAG:.*]]: i1) -> i64
func.func @branches(%addr: !gemmini.addr<spad>, %flag: i1) -> !gemmini.addr<spad> {
  // CHECK: %[[NONE:.*]] = arith.constant 4294967295 : i64
  %none = gemmini.garbage : !gemmini.addr<spad>
  // CHECK: cf.cond_br %[[FLAG]], ^bb1(%[[ADDR]] : i64), ^bb1(%[[NONE]] : i64)
  cf.cond_br %flag, ^bb1(%addr : !gemmini.addr<spad>), ^bb1(%none : !gemmini.addr<spad>)
// CHECK: ^bb1(%[[ARG:.*]]: i64):
^bb1(%arg: !gemmini.addr<spad>):
  // CHECK: %[[RESULT:.*]] = call @branches(%[[ARG]], %[[FLAG]]) : (i64, i1) -> i64
  %r = func.call @branches(%arg, %flag) : (!gemmini.addr<spad>, i1) -> !gemmini.addr<spad>
  // CHECK: return %[[RESULT]] : i64
  return %r : !gemmini.addr<spad>
}
