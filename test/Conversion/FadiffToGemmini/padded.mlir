// A 3 x 3 window over 3 x 3 pixels with a border of 1. A tile of 2 output rows
// stores 4 x 5 pixels; what lies outside is filled with zeros, not fetched.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @padded(
// CHECK:         %[[X:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK:         gemmini.config_ld id = 0 stride = 2 block_stride = 20
// The weights of the first line of taps; each line's come while the one before
// is in use, for the first tile only.
// CHECK:         scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK:           gemmini.mvin2 %{{.*}} rows %c2 cols %c4
// CHECK-NEXT:    }
// The second tile has one row of output and three of input.
// CHECK-NEXT:    scf.for %[[P:.*]] = %c0 to %c3 step %c2 {
// CHECK-NEXT:      %[[LEFT:.*]] = arith.subi %c3, %[[P]]
// CHECK-NEXT:      %[[ROWS:.*]] = arith.minsi %[[LEFT]], %c2
// CHECK-NEXT:      %[[TOP:.*]] = arith.subi %[[P]], %c1
// CHECK-NEXT:      %[[STORED:.*]] = arith.addi %[[ROWS]], %c2
// CHECK:           %[[P0:.*]] = arith.cmpi eq, %[[P]], %c0
// CHECK:           scf.for %[[R:.*]] = %c0 to %c3 step %c1 {
// CHECK-NEXT:        %[[R1:.*]] = arith.addi %[[R]], %c1
// CHECK-NEXT:        %[[MORE:.*]] = arith.cmpi slt, %[[R1]], %c3
// CHECK-NEXT:        %[[NEXTR:.*]] = arith.select %[[MORE]], %[[R1]], %c0
// CHECK-NEXT:        %[[AHEAD:.*]] = arith.andi %[[P0]], %[[MORE]]
// CHECK-NEXT:        scf.if %[[AHEAD]] {
// CHECK:               gemmini.mvin2
// CHECK:             scf.for %[[S:.*]] = %c0 to %c3 step %c1 {
// CHECK-NEXT:          scf.for %[[P1:.*]] = %c0 to %[[ROWS]] step %c1 {
// The first tap fetches, up to what the next line of outputs needs.
// CHECK:                 %[[R0:.*]] = arith.cmpi eq, %[[R]], %c0
// CHECK-NEXT:            %[[S0:.*]] = arith.cmpi eq, %[[S]], %c0
// CHECK-NEXT:            %[[FIRST:.*]] = arith.andi %[[R0]], %[[S0]]
// CHECK-NEXT:            scf.if %[[FIRST]] {
// CHECK:                   arith.minsi %{{.*}}, %[[STORED]]
// CHECK:                   scf.for %[[H:.*]] = %c0 to
// CHECK-NEXT:                %[[STOREDLINE:.*]] = arith.addi %{{.*}}, %[[H]]
// CHECK-NEXT:                %[[ROW:.*]] = arith.muli %[[STOREDLINE]], %c5
// CHECK-NEXT:                %[[LINE:.*]] = arith.addi %[[TOP]], %[[STOREDLINE]]
// CHECK-NEXT:                %[[ABOVE:.*]] = arith.cmpi sgt, %[[LINE]], %c-1
// CHECK-NEXT:                %[[BELOW:.*]] = arith.cmpi slt, %[[LINE]], %c3
// CHECK-NEXT:                %[[INSIDE:.*]] = arith.andi %[[ABOVE]], %[[BELOW]]
// CHECK-NEXT:                scf.if %[[INSIDE]] {
// One pixel of zeros, three of data, one of zeros.
// CHECK:                       gemmini.mvin zero to %{{.*}} rows %c1 cols %c2
// CHECK-NEXT:                  %[[ROW1:.*]] = arith.addi %[[ROW]], %c1
// CHECK:                       %[[TO1:.*]] = gemmini.spad_addr %[[ROW1]]
// CHECK-NEXT:                  gemmini.mvin %{{.*}} to %[[TO1]] rows %c3 cols %c2
// CHECK-NEXT:                  %[[ROW4:.*]] = arith.addi %[[ROW]], %c4
// CHECK-NEXT:                  %[[TO4:.*]] = gemmini.spad_addr %[[ROW4]]
// CHECK-NEXT:                  gemmini.mvin zero to %[[TO4]] rows %c1 cols %c2
// CHECK-NEXT:                } else {
// A line of zeros, 4 and 1 rows.
// CHECK-NEXT:                  scf.for %[[I:.*]] = %c0 to %c5 step %c4 {
// CHECK:                         gemmini.mvin zero to %{{.*}} cols %c2
// The weights are preloaded for the first line and stay for the second; the sums
// of the first tap overwrite.
// CHECK:                 %[[P10:.*]] = arith.cmpi eq, %[[P1]], %c0
// CHECK:                 %[[ADD:.*]] = arith.xori %[[FIRST]], %true
// CHECK:                 gemmini.acc_addr %{{.*}} accumulate(%[[ADD]])
// CHECK-NEXT:            gemmini.preload %{{.*}} rows %c2 cols %c4 to %{{.*}} rows %c3 cols %c4
// CHECK:                 scf.if %[[P10]] {
// CHECK-NEXT:              gemmini.compute_preloaded %{{.*}} rows %c3 cols %c2
// CHECK-NEXT:            } else {
// CHECK-NEXT:              gemmini.compute_accumulated %{{.*}} rows %c3 cols %c2
// Behind the first taps the tile before leaves.
// CHECK:                 scf.if
// CHECK:                   gemmini.mvout %{{.*}} to %{{.*}} rows %c3 cols %c4

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {

func.func @padded(%x: memref<3x3x2xi8>, %w: memref<3x3x2x4xi8>, %y: memref<3x3x4xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<3x3x2xi8>, memref<3x3x2x4xi8>) outs(%y : memref<3x3x4xi32>) {
  ^bb0(%X: !fadiff.dram<3x3x2xi8>, %W: !fadiff.dram<3x3x2x4xi8>, %Y: !fadiff.dram<3x3x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 20>
    %wt = fadiff.alloc 32 : !fadiff.buffer<scratchpad, 18>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 6>
    fadiff.stage "padded" workload(<[K = 4, C = 2, P = 3, Q = 3, R = 3, S = 3], pad = [1, 1], layouts = "HWC" "RSCK" "PQK">) epilogue(<>) array [2, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<3x3x2x4xi8>, !fadiff.buffer<scratchpad, 18>
      fadiff.for P step 2 at dram {
        fadiff.load input %X into %i : !fadiff.dram<3x3x2xi8>, !fadiff.buffer<scratchpad, 20>
        fadiff.init %o : !fadiff.buffer<accumulator, 6>
        fadiff.for R step 1 at accumulator {
          fadiff.for S step 1 at accumulator {
            fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 20>, !fadiff.buffer<scratchpad, 18>, !fadiff.buffer<accumulator, 6>
          }
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 6>, !fadiff.dram<3x3x4xi32>
      }
    }
  }
  return
}
}
