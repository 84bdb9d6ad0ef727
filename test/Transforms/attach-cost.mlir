// RUN: fadiff-opt %s --fadiff-attach-cost | FileCheck %s --check-prefixes=CHECK,MACHINE
// RUN: fadiff-opt %s --fadiff-attach-cost=convention=timeloop | FileCheck %s --check-prefixes=CHECK,TIMELOOP
// RUN: not fadiff-opt %s --fadiff-attach-cost=convention=maestro -o %t.never 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// How cycles are counted follows from what is counted, unless it is said.
// RUN: fadiff-opt %s --fadiff-attach-cost=latency=roofline | FileCheck %s --check-prefixes=CHECK,ROOFLINE
// RUN: fadiff-opt %s --fadiff-attach-cost=model=paper | FileCheck %s --check-prefixes=CHECK,PAPER
// RUN: fadiff-opt %s --fadiff-prepare=target=gemmini | FileCheck %s --check-prefixes=CHECK,MACHINE
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="target=gemmini optimizer=exact" | FileCheck %s --check-prefix=EXACT
// EXACT: by "machine">
// UNKNOWN: for the --convention option: wanted timeloop or machine, found 'maestro'

// CHECK:    fadiff.layer "free"
// MACHINE-SAME:  cost_model(#fadiff.cost_model<"machine", latency = "streams">)
// ROOFLINE-SAME: cost_model(#fadiff.cost_model<"machine">)
// PAPER-SAME:    cost_model(#fadiff.cost_model<"machine", model = "paper">)
// TIMELOOP-SAME: cost_model(#fadiff.cost_model<"timeloop">)
// What is there stays.
// CHECK:    fadiff.layer "taken"
// CHECK-SAME:    cost_model(#fadiff.cost_model<"timeloop">)
func.func @main(%x: tensor<4x4xi8>) -> (tensor<4x4xi8>, tensor<4x4xi8>) {
  %0 = fadiff.layer "free" ins(%x, %x : tensor<4x4xi8>, tensor<4x4xi8>)
      workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
    fadiff.yield %a : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  %1 = fadiff.layer "taken" ins(%x, %x : tensor<4x4xi8>, tensor<4x4xi8>)
      workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>)
      cost_model(#fadiff.cost_model<"timeloop">) {
  ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
    fadiff.yield %a : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return %0, %1 : tensor<4x4xi8>, tensor<4x4xi8>
}
