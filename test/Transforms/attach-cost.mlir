// RUN: fadiff-opt %s --fadiff-attach-cost | FileCheck %s --check-prefixes=CHECK,MACHINE
// RUN: fadiff-opt %s --fadiff-attach-cost=convention=timeloop | FileCheck %s --check-prefixes=CHECK,TIMELOOP
// RUN: not fadiff-opt %s --fadiff-attach-cost=convention=maestro -o %t.never 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: for the --convention option: wanted timeloop or machine, found 'maestro'

// CHECK:    fadiff.layer "free"
// MACHINE-SAME:  cost_model(#fadiff.cost_model<"machine">)
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
