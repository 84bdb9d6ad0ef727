// A module that is mostly somebody else's: FADiff takes its layers and leaves
// everything else as it was.

// RUN: fadiff-opt %s --allow-unregistered-dialect --mlir-print-debuginfo --fadiff-schedule=target=gemmini-small | FileCheck %s

// The module's and the functions' attributes, symbols and globals.
// CHECK:       #[[LAYER:.*]] = loc("first")
// CHECK:       module @vendor attributes {
// CHECK-DAG:     vendor.build = "x1"
// CHECK-DAG:     fadiff.target = #fadiff.target<"gemmini-small"
// CHECK:         memref.global "private" constant @table : memref<2xi8> = dense<[1, 2]>
// CHECK:         "vendor.device"() <{sym_name = "npu0"}> ({
// CHECK-NEXT:      "vendor.clock"() {mhz = 800 : i64} : () -> () loc(#[[CLOCK:.*]])
// CHECK:         func.func private @observer(tensor<20x18xi8>) attributes {vendor.weak}
// CHECK:         func.func @main(%[[A:.*]]: tensor<20x24xi8> {vendor.port = 3 : i64} {{.*}}, %{{.*}}) -> (tensor<16x20xi8> {vendor.port = 4 : i64}, !vendor.event) attributes {vendor.queue = @npu0} {

// Before, on the same value: an operation with an operand and an attribute.
// CHECK:           %[[BEFORE:.*]] = "vendor.capture"(%[[A]]) {tag = "in"} : (tensor<20x24xi8>) -> !vendor.event loc(#[[CAPTURE:.*]])
// CHECK-NOT:       linalg.matmul
// A nest is where its layer was.
// CHECK:           %[[FIRST:.*]] = fadiff.loop_nest
// CHECK:             fadiff.stage "first" {{.*}} attributes {vendor.priority = 2 : i64}
// Between two layers: a call, an operation that changes the tensor, a region of
// its own around a value of ours.
// CHECK:             fadiff.compute {{.*}} loc(#[[LAYER]])
// CHECK:           call @observer(%[[FIRST]])
// CHECK:           %[[CHANGED:.*]] = "vendor.normalise"(%[[FIRST]]) <{axis = 1 : i64}> ({
// CHECK-NEXT:      ^bb0(%[[X:.*]]: i8 loc({{.*}})):
// CHECK-NEXT:        "vendor.yield"(%[[X]]) : (i8) -> ()
// CHECK:           }) : (tensor<20x18xi8>) -> tensor<20x18xi8>
// CHECK:           %[[SECOND:.*]] = fadiff.loop_nest ins(%[[CHANGED]],
// CHECK:             fadiff.stage "second"
// A linalg operation that is no layer keeps its attributes.
// CHECK:           %[[COPY:.*]] = linalg.transpose ins(%[[SECOND]] : {{.*}}) permutation = [1, 0] {vendor.keep = "me"}
// Behind.
// CHECK:           %[[EVENT:.*]] = "vendor.signal"(%[[BEFORE]], %[[COPY]]) : (!vendor.event, tensor<16x20xi8>) -> !vendor.event
// CHECK:           return %[[COPY]], %[[EVENT]]

// A function without a layer is untouched to the letter, even what could be
// folded or is dead.
// CHECK:         func.func @other(%arg0: i32 {{.*}}) -> i32 attributes {vendor.cold} {
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT:      %[[SUM:.*]] = arith.addi %arg0, %[[ZERO]] : i32
// CHECK-NEXT:      %{{.*}} = arith.muli %[[ZERO]], %[[ZERO]] : i32
// CHECK-NEXT:      %[[R:.*]] = "vendor.twice"(%[[SUM]]) : (i32) -> i32 loc(#[[TWICE:.*]])
// CHECK-NEXT:      return %[[R]] : i32
// CHECK-DAG:   #[[CLOCK]] = loc("clock.c":7:1)
// CHECK-DAG:   #[[CAPTURE]] = loc("capture.py":12:4)
// CHECK-DAG:   #[[TWICE]] = loc("twice.c":1:2)

// Twice is once: what is scheduled stays as it is.
// RUN: fadiff-opt %s --allow-unregistered-dialect --fadiff-schedule=target=gemmini-small -o %t.once
// RUN: fadiff-opt %t.once --allow-unregistered-dialect --fadiff-schedule=allow-empty -o %t.twice
// RUN: diff %t.once %t.twice

#scale = affine_map<(d0, d1) -> (d0, d1)>
module @vendor attributes {vendor.build = "x1"} {
  memref.global "private" constant @table : memref<2xi8> = dense<[1, 2]>
  "vendor.device"() <{sym_name = "npu0"}> ({
    "vendor.clock"() {mhz = 800 : i64} : () -> () loc("clock.c":7:1)
  }) : () -> ()
  func.func private @observer(tensor<20x18xi8>) attributes {vendor.weak}

  func.func @main(%a: tensor<20x24xi8> {vendor.port = 3 : i64}, %b: tensor<24x18xi8>, %c: tensor<18x16xi8>)
      -> (tensor<16x20xi8> {vendor.port = 4 : i64}, !vendor.event) attributes {vendor.queue = @npu0} {
    %before = "vendor.capture"(%a) {tag = "in"} : (tensor<20x24xi8>) -> !vendor.event loc("capture.py":12:4)
    %zero = arith.constant 0 : i32
    %factor = arith.constant 1.0e-2 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %e0 = tensor.empty() : tensor<20x18xi32>
    %i0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<20x18xi32>) -> tensor<20x18xi32>
    %s0 = linalg.matmul {vendor.priority = 2 : i64} ins(%a, %b : tensor<20x24xi8>, tensor<24x18xi8>) outs(%i0 : tensor<20x18xi32>) -> tensor<20x18xi32> loc("first")
    %e1 = tensor.empty() : tensor<20x18xi8>
    %q0 = linalg.generic {indexing_maps = [#scale, #scale], iterator_types = ["parallel", "parallel"]} ins(%s0 : tensor<20x18xi32>) outs(%e1 : tensor<20x18xi8>) {
    ^bb0(%in: i32, %o: i8):
      %f = arith.sitofp %in : i32 to f32
      %x = arith.mulf %f, %factor : f32
      %r = math.roundeven %x : f32
      %l = arith.maximumf %r, %low : f32
      %h = arith.minimumf %l, %high : f32
      %q = arith.fptosi %h : f32 to i8
      linalg.yield %q : i8
    } -> tensor<20x18xi8>
    func.call @observer(%q0) : (tensor<20x18xi8>) -> ()
    %n = "vendor.normalise"(%q0) <{axis = 1 : i64}> ({
    ^bb0(%x: i8):
      "vendor.yield"(%x) : (i8) -> ()
    }) : (tensor<20x18xi8>) -> tensor<20x18xi8>
    %e2 = tensor.empty() : tensor<20x16xi32>
    %i2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<20x16xi32>) -> tensor<20x16xi32>
    %s2 = linalg.matmul ins(%n, %c : tensor<20x18xi8>, tensor<18x16xi8>) outs(%i2 : tensor<20x16xi32>) -> tensor<20x16xi32> loc("second")
    %e3 = tensor.empty() : tensor<20x16xi8>
    %q2 = linalg.generic {indexing_maps = [#scale, #scale], iterator_types = ["parallel", "parallel"]} ins(%s2 : tensor<20x16xi32>) outs(%e3 : tensor<20x16xi8>) {
    ^bb0(%in: i32, %o: i8):
      %f = arith.sitofp %in : i32 to f32
      %x = arith.mulf %f, %factor : f32
      %r = math.roundeven %x : f32
      %l = arith.maximumf %r, %low : f32
      %h = arith.minimumf %l, %high : f32
      %q = arith.fptosi %h : f32 to i8
      linalg.yield %q : i8
    } -> tensor<20x16xi8>
    %e4 = tensor.empty() : tensor<16x20xi8>
    %copy = linalg.transpose ins(%q2 : tensor<20x16xi8>) outs(%e4 : tensor<16x20xi8>) permutation = [1, 0] {vendor.keep = "me"}
    %event = "vendor.signal"(%before, %copy) : (!vendor.event, tensor<16x20xi8>) -> !vendor.event
    return %copy, %event : tensor<16x20xi8>, !vendor.event
  }

  func.func @other(%x: i32) -> i32 attributes {vendor.cold} {
    %zero = arith.constant 0 : i32
    %sum = arith.addi %x, %zero : i32
    %dead = arith.muli %zero, %zero : i32
    %r = "vendor.twice"(%sum) : (i32) -> i32 loc("twice.c":1:2)
    return %r : i32
  }
}
