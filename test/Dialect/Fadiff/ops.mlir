// Every operation and type, in the custom and in the generic form.

// RUN: fadiff-opt %s | fadiff-opt | FileCheck %s
// RUN: fadiff-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: fadiff-opt %s --mlir-print-op-generic | fadiff-opt | FileCheck %s

// CHECK-LABEL: func.func @layer(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xi8>, %[[W:.*]]: tensor<8x16xi8>)
// CHECK-NEXT:    %[[Y:.*]] = fadiff.layer "fc" ins(%[[X]], %[[W]] : tensor<4x8xi8>, tensor<8x16xi8>)
// CHECK-SAME:        workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
// CHECK-NEXT:    ^bb0(%[[A:.*]]: tensor<4x8xi8>, %[[B:.*]]: tensor<8x16xi8>):
// CHECK:           fadiff.yield %{{.*}} : tensor<4x16xi32>
// CHECK-NEXT:    } -> tensor<4x16xi32>
// CHECK-NEXT:    return %[[Y]]
// GENERIC:       "fadiff.layer"(%{{.*}}, %{{.*}}) <{epilogue = #fadiff.epilogue<>, name = "fc", operandSegmentSizes = array<i32: 1, 1, 0, 0>, workload = #fadiff.workload<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">}> ({
// GENERIC:         "fadiff.yield"(%{{.*}}) : (tensor<4x16xi32>) -> ()
func.func @layer(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>) -> tensor<4x16xi32> {
  %y = fadiff.layer "fc" ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>)
      workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>):
    %zero = arith.constant dense<0> : tensor<4x16xi32>
    %0 = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x16xi8>) outs(%zero : tensor<4x16xi32>) -> tensor<4x16xi32>
    fadiff.yield %0 : tensor<4x16xi32>
  } -> tensor<4x16xi32>
  return %y : tensor<4x16xi32>
}

// With everything that is optional.
// CHECK-LABEL: func.func @decided(
// CHECK:         fadiff.layer "fc" ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xi8>, tensor<8x16xi8>, tensor<16xi32>)
// CHECK-SAME:      workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">)
// CHECK-SAME:      epilogue(<scale = 5.000000e-01 : f32, relu>)
// CHECK-SAME:      mapping(<dram [N:2], scratchpad [], accumulator [K:4], registers [N:2], array [8 x 4]>)
// CHECK-SAME:      cost_model(#fadiff.cost_model<"timeloop">)
// CHECK-SAME:      cost(<energy = 1.000000e+03 pJ, cycles = 5.000000e+01, dram_read = 224 B, dram_write = 64 B, by "timeloop">)
// CHECK-SAME:      attributes {note = "mine"} {
func.func @decided(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi8> {
  %y = fadiff.layer "fc" ins(%x, %w, %bias : tensor<4x8xi8>, tensor<8x16xi8>, tensor<16xi32>)
      workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">)
      epilogue(<scale = 0.5 : f32, relu>)
      mapping(<dram [N:2], scratchpad [], accumulator [K:4], registers [N:2], array [8 x 4]>)
      cost_model(#fadiff.cost_model<"timeloop">)
      cost(<energy = 1000.0 pJ, cycles = 50.0, dram_read = 224 B, dram_write = 64 B, by "timeloop">)
      attributes {note = "mine"} {
  ^bb0(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %c: tensor<16xi32>):
    %0 = tensor.empty() : tensor<4x16xi8>
    fadiff.yield %0 : tensor<4x16xi8>
  } -> tensor<4x16xi8>
  return %y : tensor<4x16xi8>
}

// CHECK-LABEL: func.func @group(
// CHECK:         %[[G:.*]] = fadiff.fusion_group tile [N = 2, P = 1, Q = 1]
// CHECK-SAME:        cost(<energy = 1.000000e+00 pJ, cycles = 2.000000e+00, dram_read = 3 B, dram_write = 4 B, by "machine">) {
// CHECK:           %[[FIRST:.*]] = fadiff.layer "a"
// CHECK:           %[[SECOND:.*]] = fadiff.layer "b" ins(%[[FIRST]],
// CHECK:           fadiff.yield %[[SECOND]]
// CHECK-NEXT:    } -> tensor<4x4xi32>
// CHECK-NEXT:    return %[[G]]
// GENERIC:       "fadiff.fusion_group"() <{cost = #fadiff.cost<{{.*}}>, tile = array<i64: 2, 1, 1>}> ({
func.func @group(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) -> tensor<4x4xi32> {
  %y = fadiff.fusion_group tile [N = 2, P = 1, Q = 1]
      cost(<energy = 1.0 pJ, cycles = 2.0, dram_read = 3 B, dram_write = 4 B, by "machine">) {
    %0 = fadiff.layer "a" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>)
        workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<scale = 1.0 : f32>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      fadiff.yield %a : tensor<4x4xi8>
    } -> tensor<4x4xi8>
    %1 = fadiff.layer "b" ins(%0, %w : tensor<4x4xi8>, tensor<4x4xi8>)
        workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      %2 = tensor.empty() : tensor<4x4xi32>
      fadiff.yield %2 : tensor<4x4xi32>
    } -> tensor<4x4xi32>
    fadiff.yield %1 : tensor<4x4xi32>
  } -> tensor<4x4xi32>
  return %y : tensor<4x4xi32>
}

// CHECK-LABEL: func.func @nest(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<4x16xi8>
// CHECK:         %[[Y:.*]]:2 = fadiff.loop_nest
// CHECK-SAME:        ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xi8>, tensor<8x16xi8>, tensor<16xi32>)
// CHECK-SAME:        outs(%{{.*}}, %{{.*}} : tensor<4x16xi8>, tensor<4x16xi32>)
// CHECK-SAME:        tile [N = 2, P = 1, Q = 1]
// CHECK-SAME:        cost(<energy = 1.000000e+00 pJ, {{.*}}>) {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: !fadiff.dram<4x8xi8>, %[[W:.*]]: !fadiff.dram<8x16xi8>, %[[B:.*]]: !fadiff.dram<16xi32>, %[[O:.*]]: !fadiff.dram<4x16xi8>, %[[S:.*]]: !fadiff.dram<4x16xi32>):
// CHECK-NEXT:      %[[IN:.*]] = fadiff.alloc 0 : <scratchpad, 8>
// CHECK-NEXT:      %[[WEIGHTS:.*]] = fadiff.alloc 8 : <scratchpad, 16>
// CHECK-NEXT:      %[[ACC:.*]] = fadiff.alloc 4 : <accumulator, 8>
// CHECK-NEXT:      %[[HAND:.*]] = fadiff.alloc 24 : <scratchpad, 8>
// CHECK-NEXT:      fadiff.for N step 2 at dram {
// CHECK-NEXT:        fadiff.stage "fc" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">)
// CHECK-SAME:            epilogue(<scale = 5.000000e-01 : f32>) array[4, 4]
// CHECK-SAME:            mapping(<{{.*}}>) cost(<{{.*}}>) {
// CHECK-NEXT:          fadiff.load weights %[[W]] into %[[WEIGHTS]] : <8x16xi8>, <scratchpad, 16>
// CHECK-NEXT:          fadiff.for C step 4 at scratchpad {
// CHECK-NEXT:            fadiff.load input %[[X]] into %[[IN]] : <4x8xi8>, <scratchpad, 8>
// CHECK-NEXT:            fadiff.init %[[ACC]] bias %[[B]] spill %[[S]] : <accumulator, 8> bias !fadiff.dram<16xi32> spill !fadiff.dram<4x16xi32>
// CHECK-NEXT:            fadiff.for K step 4 at accumulator {
// CHECK-NEXT:              fadiff.compute %[[IN]], %[[WEIGHTS]] into %[[ACC]] : <scratchpad, 8>, <scratchpad, 16>, <accumulator, 8>
// CHECK-NEXT:            }
// CHECK-NEXT:            fadiff.store %[[ACC]] to %[[O]] spill %[[S]] : <accumulator, 8>, !fadiff.dram<4x16xi8> spill !fadiff.dram<4x16xi32>
// CHECK:             fadiff.stage "next" {{.*}} array[4, 4] {
// CHECK-NEXT:          fadiff.for P step 1 at registers {
// CHECK-NEXT:            fadiff.init %[[ACC]] : <accumulator, 8>
// CHECK-NEXT:            fadiff.init %[[ACC]] bias %[[B]] : <accumulator, 8> bias !fadiff.dram<16xi32>
// CHECK-NEXT:            fadiff.store %[[ACC]] to %[[HAND]] : <accumulator, 8>, !fadiff.buffer<scratchpad, 8>
// GENERIC:       "fadiff.loop_nest"(%{{.*}}) <{cost = {{.*}}, operandSegmentSizes = array<i32: 3, 2>, tile = array<i64: 2, 1, 1>}> ({
// GENERIC:         "fadiff.alloc"() <{base = 0 : i64}> : () -> !fadiff.buffer<scratchpad, 8>
// GENERIC:         "fadiff.for"() <{dim = 0 : i32, level = 3 : i32, step = 2 : i64}> ({
// GENERIC:           "fadiff.stage"() <{cols = 4 : i64, {{.*}} rows = 4 : i64, workload = {{.*}}}> ({
// GENERIC:             "fadiff.load"(%{{.*}}, %{{.*}}) <{operand = 1 : i32}>
// GENERIC:             "fadiff.init"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}>
// GENERIC:             "fadiff.compute"(%{{.*}}, %{{.*}}, %{{.*}}) :
// GENERIC:             "fadiff.store"(%{{.*}}, %{{.*}}, %{{.*}}) :
func.func @nest(%x: tensor<4x8xi8>, %w: tensor<8x16xi8>, %bias: tensor<16xi32>) -> tensor<4x16xi8> {
  %e = tensor.empty() : tensor<4x16xi8>
  %f = tensor.empty() : tensor<4x16xi32>
  %y:2 = fadiff.loop_nest ins(%x, %w, %bias : tensor<4x8xi8>, tensor<8x16xi8>, tensor<16xi32>)
      outs(%e, %f : tensor<4x16xi8>, tensor<4x16xi32>) tile [N = 2, P = 1, Q = 1]
      cost(<energy = 1.0 pJ, cycles = 2.0, dram_read = 3 B, dram_write = 4 B, by "machine">) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %W: !fadiff.dram<8x16xi8>, %B: !fadiff.dram<16xi32>,
       %Y: !fadiff.dram<4x16xi8>, %S: !fadiff.dram<4x16xi32>):
    %in = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 8>
    %wt = fadiff.alloc 8 : !fadiff.buffer<scratchpad, 16>
    %acc = fadiff.alloc 4 : !fadiff.buffer<accumulator, 8>
    %hand = fadiff.alloc 24 : !fadiff.buffer<scratchpad, 8>
    fadiff.for N step 2 at dram {
      fadiff.stage "fc" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<scale = 0.5 : f32>) array [4, 4]
          mapping(<dram [N:2], scratchpad [C:2], accumulator [K:4], registers [N:2], array [4 x 4]>)
          cost(<energy = 1.0 pJ, cycles = 2.0, dram_read = 3 B, dram_write = 4 B, by "machine">) {
        fadiff.load weights %W into %wt : !fadiff.dram<8x16xi8>, !fadiff.buffer<scratchpad, 16>
        fadiff.for C step 4 at scratchpad {
          fadiff.load input %X into %in : !fadiff.dram<4x8xi8>, !fadiff.buffer<scratchpad, 8>
          fadiff.init %acc bias %B spill %S : !fadiff.buffer<accumulator, 8> bias !fadiff.dram<16xi32> spill !fadiff.dram<4x16xi32>
          fadiff.for K step 4 at accumulator {
            fadiff.compute %in, %wt into %acc : !fadiff.buffer<scratchpad, 8>, !fadiff.buffer<scratchpad, 16>, !fadiff.buffer<accumulator, 8>
          }
          fadiff.store %acc to %Y spill %S : !fadiff.buffer<accumulator, 8>, !fadiff.dram<4x16xi8> spill !fadiff.dram<4x16xi32>
        }
      }
      fadiff.stage "next" workload(<[N = 4, K = 16, C = 8], layouts = "NC" "CK" "NK">) epilogue(<>) array [4, 4] {
        fadiff.for P step 1 at registers {
          fadiff.init %acc : !fadiff.buffer<accumulator, 8>
          fadiff.init %acc bias %B : !fadiff.buffer<accumulator, 8> bias !fadiff.dram<16xi32>
          fadiff.store %acc to %hand : !fadiff.buffer<accumulator, 8>, !fadiff.buffer<scratchpad, 8>
        }
      }
    }
  } -> tensor<4x16xi8>, tensor<4x16xi32>
  return %y#0 : tensor<4x16xi8>
}

// Once bufferized there is no result.
// CHECK-LABEL: func.func @on_memrefs(
// CHECK:         fadiff.loop_nest ins(%{{.*}} : memref<4x8xi8>) outs(%{{.*}} : memref<4x16xi32>) {
// CHECK-NEXT:    ^bb0(%{{.*}}: !fadiff.dram<4x8xi8>, %{{.*}}: !fadiff.dram<4x16xi32>):
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @on_memrefs(%x: memref<4x8xi8>, %y: memref<4x16xi32>) {
  fadiff.loop_nest ins(%x : memref<4x8xi8>) outs(%y : memref<4x16xi32>) {
  ^bb0(%X: !fadiff.dram<4x8xi8>, %Y: !fadiff.dram<4x16xi32>):
  }
  return
}

// CHECK-LABEL: func.func @windows(
// CHECK-NEXT:    %[[W:.*]] = fadiff.windows %{{.*}} taps 7 stride 2 : tensor<1x5x29x3xi8> to tensor<1x5x12x21xi8>
// GENERIC:       "fadiff.windows"(%{{.*}}) <{stride = 2 : i64, taps = 7 : i64}> : (tensor<1x5x29x3xi8>) -> tensor<1x5x12x21xi8>
// Columns may be left over, windows be apart.
// CHECK-NEXT:    fadiff.windows %{{.*}} taps 2 stride 3 {note = "mine"} : tensor<9x1xi32> to tensor<2x2xi32>
// CHECK-NEXT:    fadiff.windows %{{.*}} from 4 taps 2 stride 3 : tensor<9x1xi32> to tensor<2x2xi32>
// CHECK-NEXT:    fadiff.windows %{{.*}} taps 2 stride 3 : tensor<9x1xi32> to tensor<3x2xi32>
func.func @windows(%x: tensor<1x5x29x3xi8>, %y: tensor<9x1xi32>) -> (tensor<1x5x12x21xi8>, tensor<2x2xi32>) {
  %0 = fadiff.windows %x taps 7 stride 2 : tensor<1x5x29x3xi8> to tensor<1x5x12x21xi8>
  %1 = fadiff.windows %y taps 2 stride 3 {note = "mine"} : tensor<9x1xi32> to tensor<2x2xi32>
  %2 = fadiff.windows %y from 4 taps 2 stride 3 : tensor<9x1xi32> to tensor<2x2xi32>
  %3 = fadiff.windows %y from 0 taps 2 stride 3 : tensor<9x1xi32> to tensor<3x2xi32>
  return %0, %1 : tensor<1x5x12x21xi8>, tensor<2x2xi32>
}

// An array of no axes has one element.
// CHECK-LABEL: func.func private @types(!fadiff.dram<i32>, !fadiff.buffer<accumulator, 1>)
func.func private @types(!fadiff.dram<i32>, !fadiff.buffer<accumulator, 1>)
