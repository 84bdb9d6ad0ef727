// What the optimiser may do with decisions and with programs.

// RUN: fadiff-opt %s --canonicalize --cse | FileCheck %s

// A layer and a group that nobody reads go; a nest on memrefs writes memory.
// CHECK-LABEL: func.func @unused(
// CHECK-NOT:     fadiff.layer
// CHECK-NOT:     fadiff.fusion_group
// CHECK:         fadiff.loop_nest
// CHECK:           fadiff.alloc
// CHECK:           fadiff.stage
// CHECK:             fadiff.init
// CHECK-NEXT:        fadiff.init
// CHECK-NEXT:        fadiff.for K
// CHECK-NEXT:          fadiff.init
// CHECK:         return
func.func @unused(%x: tensor<4x4xi8>, %y: memref<4x4xi32>) {
  %0 = fadiff.layer "a" ins(%x, %x : tensor<4x4xi8>, tensor<4x4xi8>)
      workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
    fadiff.yield %a : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  %1 = fadiff.fusion_group tile [N = 4, P = 1, Q = 1] {
    %2 = fadiff.layer "a" ins(%x, %x : tensor<4x4xi8>, tensor<4x4xi8>)
        workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %3 = fadiff.layer "b" ins(%2, %x : tensor<4x4xi8>, tensor<4x4xi8>)
        workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    fadiff.yield %3 : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  // Copies of equal text are not equal: they act on what is there.
  fadiff.loop_nest ins(%y : memref<4x4xi32>) outs(%y : memref<4x4xi32>) {
  ^bb0(%A: !fadiff.dram<4x4xi32>, %Y: !fadiff.dram<4x4xi32>):
    %acc = fadiff.alloc 0 : !fadiff.buffer<accumulator, 4>
    fadiff.stage "s" workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
      fadiff.init %acc : !fadiff.buffer<accumulator, 4>
      fadiff.init %acc : !fadiff.buffer<accumulator, 4>
      fadiff.for K step 2 at dram {
        fadiff.init %acc : !fadiff.buffer<accumulator, 4>
      }
    }
  }
  return
}

// Two equal layers are one.
// CHECK-LABEL: func.func @twins(
// CHECK:         %[[Y:.*]] = fadiff.layer "a"
// CHECK-NOT:     fadiff.layer
// CHECK:         return %[[Y]], %[[Y]]
func.func @twins(%x: tensor<4x4xi8>) -> (tensor<4x4xi8>, tensor<4x4xi8>) {
  %0 = fadiff.layer "a" ins(%x, %x : tensor<4x4xi8>, tensor<4x4xi8>)
      workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
    fadiff.yield %a : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  %1 = fadiff.layer "a" ins(%x, %x : tensor<4x4xi8>, tensor<4x4xi8>)
      workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
    fadiff.yield %a : tensor<4x4xi8>
  } -> tensor<4x4xi8>
  return %0, %1 : tensor<4x4xi8>, tensor<4x4xi8>
}

// Windows of one column each are the columns; unused ones go.
// CHECK-LABEL: func.func @windows(
// CHECK-SAME:      %[[X:.*]]: tensor<9x3xi8>)
// CHECK-NEXT:    %[[EVERY:.*]] = fadiff.windows %[[X]] taps 1 stride 2
// CHECK-NEXT:    return %[[X]], %[[EVERY]]
func.func @windows(%x: tensor<9x3xi8>) -> (tensor<9x3xi8>, tensor<5x3xi8>) {
  %0 = fadiff.windows %x taps 1 stride 1 : tensor<9x3xi8> to tensor<9x3xi8>
  %1 = fadiff.windows %x taps 1 stride 2 : tensor<9x3xi8> to tensor<5x3xi8>
  %2 = fadiff.windows %x taps 3 stride 2 : tensor<9x3xi8> to tensor<4x9xi8>
  return %0, %1 : tensor<9x3xi8>, tensor<5x3xi8>
}
