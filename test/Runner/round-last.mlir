// Where RISC-V rounds as it converts, clamps come before.

// RUN: fadiff-opt %s --fadiff-round-last | FileCheck %s

// CHECK-LABEL: func.func @quantise(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32
// CHECK-DAG:     %[[LOW:.*]] = arith.constant -1.280000e+02 : f32
// CHECK-DAG:     %[[HIGH:.*]] = arith.constant 1.270000e+02 : f32
// CHECK:         %[[A:.*]] = llvm.intr.maxnum(%[[X]], %[[LOW]])
// CHECK-NEXT:    %[[B:.*]] = llvm.intr.minnum(%[[A]], %[[HIGH]])
// CHECK-NEXT:    %[[R:.*]] = math.roundeven %[[B]] : f32
// CHECK-NEXT:    %[[W:.*]] = arith.fptosi %[[R]] : f32 to i32
// CHECK-NEXT:    %[[N:.*]] = arith.trunci %[[W]] : i32 to i8
// CHECK-NEXT:    return %[[N]]
func.func @quantise(%x: f32) -> i8 {
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %r = math.roundeven %x : f32
  %a = arith.maximumf %r, %low : f32
  %b = arith.minimumf %a, %high : f32
  %n = arith.fptosi %b : f32 to i8
  return %n : i8
}

// 0.5 is no bound that rounding keeps: 0.3 would be 0 before, 0.5 and so 0 or 1
// after.
// CHECK-LABEL: func.func @between(
// CHECK:         %[[R:.*]] = math.ceil
// CHECK-NEXT:    llvm.intr.minnum(%[[R]]
// CHECK-NEXT:    arith.fptosi
func.func @between(%x: f32) -> i8 {
  %high = arith.constant 0.5 : f32
  %r = math.ceil %x : f32
  %b = arith.minimumf %r, %high : f32
  %n = arith.fptosi %b : f32 to i8
  return %n : i8
}

// What is read as a float, too, keeps its NaNs.
// CHECK-LABEL: func.func @read(
// CHECK:         math.roundeven
// CHECK-NEXT:    arith.maximumf
// CHECK-NEXT:    arith.fptosi
func.func @read(%x: f32) -> (i8, f32) {
  %low = arith.constant 0.0 : f32
  %r = math.roundeven %x : f32
  %a = arith.maximumf %r, %low : f32
  %n = arith.fptosi %a : f32 to i8
  return %n, %a : i8, f32
}

// ReLU in front of the scale bounds what comes out of it, and another bound is
// scaled and rounded.
// CHECK-LABEL: func.func @relu(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32
// CHECK:         %[[S:.*]] = arith.divf %[[X]], %{{.*}} : f32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[TEN:.*]] = arith.constant 1.000000e+01 : f32
// CHECK:         %[[A:.*]] = llvm.intr.maxnum(%[[S]], %[[ZERO]])
// CHECK-NEXT:    %[[B:.*]] = llvm.intr.minnum(%[[A]], %[[TEN]])
// CHECK:         %[[R:.*]] = math.roundeven
// CHECK-NEXT:    arith.fptosi %[[R]]
func.func @relu(%x: f32) -> i8 {
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 6.0 : f32
  %scale = arith.constant 0.6 : f32
  %high = arith.constant 127.0 : f32
  %p = arith.maximumf %x, %zero : f32
  %q = arith.minimumf %p, %most : f32
  %s = arith.divf %q, %scale : f32
  %r = math.roundeven %s : f32
  %b = arith.minimumf %r, %high : f32
  %n = arith.fptosi %b : f32 to i8
  return %n : i8
}

// A scale below zero turns bounds around.
// CHECK-LABEL: func.func @negative(
// CHECK:         arith.maximumf
// CHECK-NEXT:    arith.divf
func.func @negative(%x: f32) -> i8 {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant -0.6 : f32
  %high = arith.constant 127.0 : f32
  %p = arith.maximumf %x, %zero : f32
  %s = arith.divf %p, %scale : f32
  %r = math.roundeven %s : f32
  %b = arith.minimumf %r, %high : f32
  %n = arith.fptosi %b : f32 to i8
  return %n : i8
}

// Without a scale, too.
// CHECK-LABEL: func.func @unscaled(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32
// CHECK:         %[[A:.*]] = llvm.intr.maxnum(%[[X]], %{{.*}})
// CHECK:         math.roundeven
// CHECK-NEXT:    arith.fptosi
func.func @unscaled(%x: f32) -> i8 {
  %zero = arith.constant 0.0 : f32
  %p = arith.maximumf %x, %zero : f32
  %r = math.roundeven %p : f32
  %n = arith.fptosi %r : f32 to i8
  return %n : i8
}
