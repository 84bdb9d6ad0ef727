// What the pass does with a search: its options, what it writes and what it
// leaves. How good the schedule is belongs to the unit tests.

// RUN: rm -rf %t && split-file %s %t

// The same bytes each time; another seed need not give them, but is accepted.
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search=seed=7 -o %t/first.mlir
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search=seed=7 -o %t/second.mlir
// RUN: diff %t/first.mlir %t/second.mlir
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search="seed=8 starts=1 steps=5" | FileCheck %s
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search=time-limit=1ms | FileCheck %s
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search="time-limit=10s objective=energy" | FileCheck %s
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search=objective=latency | FileCheck %s

// Every layer gets a mapping and a cost, and the result is legal.
// RUN: FileCheck %s --input-file=%t/first.mlir
// RUN: fadiff-opt %t/first.mlir --fadiff-verify-schedule --fadiff-materialize --fadiff-verify-schedule -o /dev/null
// CHECK:     fadiff.layer "first"
// CHECK-SAME:  mapping(<dram [{{.*}}], scratchpad [{{.*}}], accumulator [{{.*}}], registers [{{.*}}], array [{{[0-9]+}} x {{[0-9]+}}]>)
// CHECK-SAME:  cost(<energy = {{[1-9].*}} pJ, cycles = {{[1-9].*}}, dram_read = {{[1-9][0-9]*}} B, dram_write = {{[0-9]+}} B, by "machine">)
// CHECK:     fadiff.layer "second"
// CHECK-SAME:  mapping(<
// CHECK-SAME:  cost(<

// Fused: a group around the chain, with a remark, unless told not to.
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search --remarks-filter=fadiff --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=FUSED
// FUSED: Remark="layer 'second' is fused with 'first': [first, second] {{[0-9.]+}} uJ and {{[0-9]+}} cycles; each alone energy x {{[0-9.]+}}, cycles x {{[0-9.]+}}, edp of the network x {{[1-9][0-9.]+}}"
// FUSED: fadiff.fusion_group tile [N = {{[0-9]+}}, P = 1, Q = 1] cost(
// FUSED: fadiff.layer "first"
// FUSED: %[[SECOND:.*]] = fadiff.layer "second"
// FUSED: fadiff.yield %[[SECOND]]
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search=fuse=off --remarks-filter=fadiff --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=APART
// APART: Remark="layer 'second' is not fused with 'first': {{.+}}"
// APART-NOT: fadiff.fusion_group
// On gemmini the array reads what is handed over in the accumulator.
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini --fadiff-search --remarks-filter=fadiff --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=FUSED

// A mapping that is there is kept, whatever it costs, and gets its cost.
// RUN: fadiff-opt %t/mapped.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search | FileCheck %s --check-prefix=KEPT
// KEPT-NOT:  fadiff.fusion_group
// KEPT:      fadiff.layer "first"
// KEPT-SAME:   mapping(<dram [N:16 K:16 C:16], scratchpad [], accumulator [], registers [], array [1 x 1]>) cost(<energy = {{[1-9].*}} by "machine">) {
// KEPT:      fadiff.layer "second"
// KEPT-SAME:   mapping(<
// KEPT-SAME:   cost(<

// A convention that was chosen is the one that the costs name.
// RUN: fadiff-opt %t/pair.mlir --fadiff-attach-target=target=gemmini-small --fadiff-attach-cost=convention=timeloop --fadiff-search | FileCheck %s --check-prefix=TIMELOOP
// TIMELOOP: cost(<{{.*}} by "timeloop">)

// RUN: not fadiff-opt %t/pair.mlir --fadiff-search 2>&1 | FileCheck %s --check-prefix=NO-TARGET
// NO-TARGET: pair.mlir:1:1: error: wanted a module attribute 'fadiff.target'; run fadiff-attach-target first
// RUN: not fadiff-opt %t/pair.mlir --fadiff-attach-target --fadiff-search=objective=speed 2>&1 | FileCheck %s --check-prefix=OBJECTIVE
// OBJECTIVE: for the --objective option: wanted edp, energy or latency, found 'speed'
// RUN: not fadiff-opt %t/pair.mlir --fadiff-attach-target --fadiff-search=time-limit=2 2>&1 | FileCheck %s --check-prefix=NO-UNIT
// NO-UNIT: error: fadiff-search: time limit must be a number with unit s or ms, such as 2s; found '2'
// RUN: not fadiff-opt %t/pair.mlir --fadiff-attach-target --fadiff-search=time-limit=-1s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: found '-1s'
// RUN: not fadiff-opt %t/pair.mlir --fadiff-attach-target --fadiff-search=time-limit=nans 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: found 'nans'
// RUN: not fadiff-opt %t/pair.mlir --fadiff-attach-target --fadiff-search=time-limit=2min 2>&1 | FileCheck %s --check-prefix=MINUTES
// MINUTES: found '2min'
// RUN: not fadiff-opt %t/pair.mlir --fadiff-attach-target --fadiff-search=seed=-1 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: '-1' value invalid for {{.*}}

//--- pair.mlir
module {
  func.func @main(%x: tensor<16x16xi8>, %w: tensor<16x16xi8>) -> tensor<16x16xi8> {
    %0 = fadiff.layer "first" ins(%x, %w : tensor<16x16xi8>, tensor<16x16xi8>)
        workload(<[N = 16, K = 16, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<16x16xi8>, %b: tensor<16x16xi8>):
      fadiff.yield %a : tensor<16x16xi8>
    } -> tensor<16x16xi8>
    %1 = fadiff.layer "second" ins(%0, %w : tensor<16x16xi8>, tensor<16x16xi8>)
        workload(<[N = 16, K = 16, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<16x16xi8>, %b: tensor<16x16xi8>):
      fadiff.yield %a : tensor<16x16xi8>
    } -> tensor<16x16xi8>
    return %1 : tensor<16x16xi8>
  }
}
//--- mapped.mlir
module {
  func.func @main(%x: tensor<16x16xi8>, %w: tensor<16x16xi8>) -> tensor<16x16xi8> {
    %0 = fadiff.layer "first" ins(%x, %w : tensor<16x16xi8>, tensor<16x16xi8>)
        workload(<[N = 16, K = 16, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>)
        mapping(<dram [N:16 K:16 C:16], scratchpad [], accumulator [], registers [], array [1 x 1]>) {
    ^bb0(%a: tensor<16x16xi8>, %b: tensor<16x16xi8>):
      fadiff.yield %a : tensor<16x16xi8>
    } -> tensor<16x16xi8>
    %1 = fadiff.layer "second" ins(%0, %w : tensor<16x16xi8>, tensor<16x16xi8>)
        workload(<[N = 16, K = 16, C = 16], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<16x16xi8>, %b: tensor<16x16xi8>):
      fadiff.yield %a : tensor<16x16xi8>
    } -> tensor<16x16xi8>
    return %1 : tensor<16x16xi8>
  }
}
