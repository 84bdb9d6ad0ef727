// Tiles of partial sums that take turns in two places of the accumulator: each
// leaves beside the next one's first reduction step, and what was spilled of the
// one after that comes into its place beside the second.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @turns(
// CHECK:         scf.for %[[C:.*]] = %c0 to %c16 step %c8 {
// CHECK:           scf.for %[[N:.*]] = %c0 to %c12 step %c4 {
// Where the one before begins along N.
// CHECK-DAG:         %[[FIRST:.*]] = arith.cmpi eq, %[[N]], %c0
// CHECK-DAG:         %[[LESS:.*]] = arith.subi %[[N]], %c4
// CHECK-DAG:         %[[BEFORE:.*]] = arith.select %[[FIRST]], %c8, %[[LESS]]
// Its place, and this one's.
// CHECK:             %[[TURN:.*]] = arith.remui %{{.*}}, %c2
// CHECK:             %[[EXISTS:.*]] = arith.xori %{{.*}}, %true
// CHECK:             %[[OTHER:.*]] = arith.subi %c1, %[[TURN]]
// CHECK-NEXT:        %[[THERE:.*]] = arith.muli %[[OTHER]], %c4
// The next one of the same sweep, if it was spilled.
// CHECK-DAG:         %[[MORE:.*]] = arith.addi %[[N]], %c4
// CHECK-DAG:         %[[AFTER:.*]] = arith.select %{{.*}}, %c0, %[[MORE]]
// CHECK:             %[[COMES:.*]] = arith.xori %{{.*}}, %true
// CHECK-NEXT:        %[[HERE:.*]] = arith.muli %[[TURN]], %c4
// CHECK-NEXT:        scf.if %[[EXISTS]] {
// CHECK:               gemmini.config_st stride = 4 activation = relu scale = 5.000000e-01
// CHECK:               gemmini.config_st stride = 16{{$}}
// The last tile of the visit before has left by the second one of this.
// CHECK:             %[[SECOND:.*]] = arith.cmpi eq, %[[N]], %c4
// CHECK-NEXT:        %[[WAITS:.*]] = arith.ori %[[FIRST]], %[[SECOND]]
// CHECK-NEXT:        scf.if %[[WAITS]] {
// CHECK-NEXT:          gemmini.fence
// During no tile before came what the first one had spilled.
// CHECK:             scf.if %[[FIRST]] {
// CHECK:               gemmini.acc_addr %[[HERE]] :
// CHECK-NEXT:          gemmini.mvin3
// CHECK:             scf.for
// CHECK:               gemmini.acc_addr %[[HERE]] accumulate(
// CHECK:               gemmini.compute_preloaded
// CHECK:               arith.addi %[[THERE]]
// CHECK:               arith.muli %[[BEFORE]], %c4
// CHECK:               gemmini.mvout
// CHECK:               arith.muli %[[BEFORE]], %c16
// CHECK:               full_width
// CHECK:               gemmini.mvout
// CHECK:               arith.andi %{{.*}}, %[[COMES]]
// CHECK:               arith.muli %[[AFTER]], %c16
// CHECK:               %[[TO:.*]] = arith.addi %[[THERE]]
// CHECK:               gemmini.acc_addr %[[TO]] :
// CHECK-NEXT:          gemmini.mvin3
// The last one has no next one.
// CHECK:         gemmini.config_st stride = 4 activation = relu scale = 5.000000e-01
// CHECK:         gemmini.acc_addr %c4 :
// CHECK:         gemmini.mvout
// CHECK-NEXT:    gemmini.fence

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {

func.func @turns(%x: memref<12x16xi8>, %w: memref<16x4xi8>, %y: memref<12x4xi8>, %s: memref<12x4xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<12x16xi8>, memref<16x4xi8>) outs(%y, %s : memref<12x4xi8>, memref<12x4xi32>) {
  ^bb0(%X: !fadiff.dram<12x16xi8>, %W: !fadiff.dram<16x4xi8>, %Y: !fadiff.dram<12x4xi8>, %S: !fadiff.dram<12x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    %wt = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 8>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "turns" workload(<[N = 12, K = 4, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 0.5 : f32, relu>) array [4, 4] {
      fadiff.for C step 8 at dram {
        fadiff.load weights %W into %wt : !fadiff.dram<16x4xi8>, !fadiff.buffer<scratchpad, 8>
        fadiff.for N step 4 at dram {
          fadiff.load input %X into %i : !fadiff.dram<12x16xi8>, !fadiff.buffer<scratchpad, 8>
          fadiff.init %o spill %S : !fadiff.buffer<accumulator, 4> spill !fadiff.dram<12x4xi32>
          fadiff.for C step 4 at accumulator {
            fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<accumulator, 4>
          }
          fadiff.store %o to %Y spill %S : !fadiff.buffer<accumulator, 4>, !fadiff.dram<12x4xi8> spill !fadiff.dram<12x4xi32>
        }
      }
    }
  }
  return
}
}
