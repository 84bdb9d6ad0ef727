// Unsigned bytes become signed ones less a zero point of -128; sums in fewer than
// 32 bits become sums in 32 bits that are cut.

// RUN: fadiff-opt %s --split-input-file --fadiff-normalize | FileCheck %s

// 128 times the sums of the weights' columns are the bias.
// CHECK-LABEL: @unsigned_by_signed
// CHECK: %[[W:.*]] = arith.constant dense<{{\[\[}}1, 2], [3, -4]]> : tensor<2x2xi8>
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 :
// CHECK: %[[SIGN:.*]] = arith.constant -128 : i8
// CHECK-NEXT: arith.xori %{{.*}}, %[[SIGN]]
// CHECK: %[[BIAS:.*]] = arith.constant dense<[512, -256]> : tensor<2xi32>
// CHECK: %[[INIT:.*]] = linalg.broadcast ins(%[[BIAS]]
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]] : {{.*}} outs(%[[INIT]]
// CHECK-NOT: arith.extui
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @unsigned_by_signed(%a: tensor<3x2xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>
  %z = arith.constant dense<0> : tensor<3x2xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<3x2xi8>, tensor<2x2xi8>) outs(%z : tensor<3x2xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// A zero point of 128 goes away with the sign, in what makes the bytes, too; so
// does 200 in the constant weights' bytes, which are flipped here.
// CHECK-LABEL: @zero_points
// CHECK-NOT: arith.xori
// CHECK: %[[R:.*]] = math.roundeven
// CHECK: %[[S:.*]] = arith.addf %[[R]], %{{.*}} : f32
// CHECK-NEXT: arith.constant -1.280000e+02 : f32
// CHECK-NEXT: %[[L:.*]] = arith.maximumf %[[S]]
// CHECK-NEXT: arith.constant 1.270000e+02 : f32
// CHECK-NEXT: %[[H:.*]] = arith.minimumf %[[L]]
// CHECK-NEXT: %[[T:.*]] = arith.fptosi %[[H]] : f32 to i8
// CHECK-NEXT: linalg.yield %[[T]]
// CHECK: arith.constant dense<{{\[\[}}72, -126], [127, -128]]> : tensor<2x2xi8>
// CHECK-NOT: arith.fptoui
// CHECK-NOT: arith.xori
func.func @zero_points(%f: tensor<3x2xf32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[-56, 2], [-1, 0]]> : tensor<2x2xi8>
  %z = arith.constant dense<0> : tensor<3x2xi32>
  %za = arith.constant 128 : i32
  %zb = arith.constant 200 : i32
  %lo = arith.constant 0.0 : f32
  %hi = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<3x2xi8>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<3x2xf32>) outs(%e : tensor<3x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %lo : f32
    %2 = arith.minimumf %1, %hi : f32
    %3 = arith.fptoui %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<3x2xi8>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<3x2xi8>, tensor<2x2xi8>) outs(%z : tensor<3x2xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.subi %0, %za : i32
    %2 = arith.extui %y : i8 to i32
    %3 = arith.subi %2, %zb : i32
    %4 = arith.muli %1, %3 : i32
    %5 = arith.addi %o, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// -----

// Padding is flipped with what it pads.
// CHECK-LABEL: @padded
// CHECK: arith.xori
// CHECK: tensor.pad
// CHECK-NOT: arith.xori
// CHECK: linalg.generic
#x = affine_map<(n, h, w, f, kh, kw, c) -> (n, h + kh, w + kw, c)>
#w = affine_map<(n, h, w, f, kh, kw, c) -> (kh, kw, c, f)>
#y = affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>
func.func @padded(%x: tensor<1x4x4x2xi8>, %w: tensor<3x3x2x5xi8>) -> tensor<1x4x4x5xi32> {
  %zp = arith.constant 7 : i8
  %z = arith.constant dense<0> : tensor<1x4x4x5xi32>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zp : i8
  } : tensor<1x4x4x2xi8> to tensor<1x6x6x2xi8>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%p, %w : tensor<1x6x6x2xi8>, tensor<3x3x2x5xi8>) outs(%z : tensor<1x4x4x5xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<1x4x4x5xi32>
  return %r : tensor<1x4x4x5xi32>
}

// -----

// CHECK-LABEL: @sums_in_8_bits
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<3x2xi32>)
// CHECK: arith.trunci {{.*}} : i32 to i8
func.func @sums_in_8_bits(%a: tensor<3x4xi8>, %b: tensor<4x2xi8>) -> tensor<3x2xi8> {
  %z = arith.constant dense<3> : tensor<3x2xi8>
  %r = linalg.matmul ins(%a, %b : tensor<3x4xi8>, tensor<4x2xi8>) outs(%z : tensor<3x2xi8>) -> tensor<3x2xi8>
  return %r : tensor<3x2xi8>
}

// CHECK-LABEL: @sums_in_16_bits
// CHECK: arith.extsi {{.*}} : i16 to i32
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}} outs({{.*}} : tensor<3x2xi32>)
// CHECK: arith.trunci {{.*}} : i32 to i16
func.func @sums_in_16_bits(%a: tensor<3x4xi8>, %b: tensor<4x2xi8>, %c: tensor<3x2xi16>) -> tensor<3x2xi16> {
  %r = linalg.matmul ins(%a, %b : tensor<3x4xi8>, tensor<4x2xi8>) outs(%c : tensor<3x2xi16>) -> tensor<3x2xi16>
  return %r : tensor<3x2xi16>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Bytes that sums are rounded to are signed where they are made, whoever reads
// them: what is behind a concatenation, and what takes them for numbers.
// CHECK-LABEL: @unsigned_results
// CHECK: %[[Q:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x2xi8>)
// CHECK: math.roundeven
// CHECK-NEXT: arith.constant -7.000000e+00 : f32
// CHECK-NEXT: arith.addf
// CHECK: arith.fptosi {{.*}} : f32 to i8
// CHECK: %[[TWICE:.*]] = tensor.concat dim(1) %[[Q]], %[[Q]]
// CHECK: linalg.generic {{.*}} ins(%[[TWICE]], %{{.*}} : tensor<3x4xi8>, tensor<4x2xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[Q]] :
// CHECK: arith.sitofp
// CHECK: arith.constant 1.280000e+02 : f32
// CHECK-NOT: arith.xori
// CHECK-NOT: arith.uitofp
func.func @unsigned_results(%x: tensor<3x2xi8>, %w: tensor<2x2xi8>, %v: tensor<4x2xi8>) -> (tensor<3x2xi32>, tensor<3x2xf32>) {
  %z = arith.constant dense<0> : tensor<3x2xi32>
  %scale = arith.constant 0.01 : f32
  %zero = arith.constant 0.0 : f32
  %point = arith.constant 121.0 : f32
  %top = arith.constant 255.0 : f32
  %sums = linalg.matmul ins(%x, %w : tensor<3x2xi8>, tensor<2x2xi8>) outs(%z : tensor<3x2xi32>) -> tensor<3x2xi32>
  %e = tensor.empty() : tensor<3x2xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : tensor<3x2xi32>) outs(%e : tensor<3x2xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %point : f32
    %4 = arith.maximumf %3, %zero : f32
    %5 = arith.minimumf %4, %top : f32
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<3x2xi8>
  %twice = tensor.concat dim(1) %q, %q : (tensor<3x2xi8>, tensor<3x2xi8>) -> tensor<3x4xi8>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%twice, %v : tensor<3x4xi8>, tensor<4x2xi8>) outs(%z : tensor<3x2xi32>) {
  ^bb0(%l: i8, %y: i8, %o: i32):
    %0 = arith.extui %l : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<3x2xi32>
  %ef = tensor.empty() : tensor<3x2xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<3x2xi8>) outs(%ef : tensor<3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<3x2xf32>
  return %r, %f : tensor<3x2xi32>, tensor<3x2xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// What lies around bytes that are inserted, as transposed convolutions do, flips
// with them.
// CHECK-LABEL: @inserted
// CHECK: arith.fptosi {{.*}} : f32 to i8
// CHECK: %[[AROUND:.*]] = linalg.fill ins(%c-121_i8
// CHECK: %[[ALL:.*]] = tensor.insert_slice %{{.*}} into %[[AROUND]]
// CHECK: linalg.generic {{.*}} ins(%[[ALL]], %{{.*}} : tensor<5x2xi8>, tensor<2x2xi8>)
// CHECK-NOT: arith.xori
func.func @inserted(%x: tensor<3x2xi8>, %w: tensor<2x2xi8>) -> tensor<5x2xi32> {
  %z = arith.constant dense<0> : tensor<3x2xi32>
  %zz = arith.constant dense<0> : tensor<5x2xi32>
  %scale = arith.constant 0.01 : f32
  %zero = arith.constant 0.0 : f32
  %top = arith.constant 255.0 : f32
  %seven = arith.constant 7 : i8
  %sums = linalg.matmul ins(%x, %w : tensor<3x2xi8>, tensor<2x2xi8>) outs(%z : tensor<3x2xi32>) -> tensor<3x2xi32>
  %e = tensor.empty() : tensor<3x2xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : tensor<3x2xi32>) outs(%e : tensor<3x2xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %top : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<3x2xi8>
  %e5 = tensor.empty() : tensor<5x2xi8>
  %around = linalg.fill ins(%seven : i8) outs(%e5 : tensor<5x2xi8>) -> tensor<5x2xi8>
  %all = tensor.insert_slice %q into %around[0, 0] [3, 2] [2, 1] : tensor<3x2xi8> into tensor<5x2xi8>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%all, %w : tensor<5x2xi8>, tensor<2x2xi8>) outs(%zz : tensor<5x2xi32>) {
  ^bb0(%l: i8, %y: i8, %o: i32):
    %0 = arith.extui %l : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x2xi32>
  return %r : tensor<5x2xi32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// The same bit of a word is no sign.
// CHECK-LABEL: @words
// CHECK: arith.xori
// CHECK: arith.uitofp
func.func @words(%x: tensor<3x2xi32>) -> tensor<3x2xf32> {
  %bit = arith.constant 128 : i32
  %e = tensor.empty() : tensor<3x2xi32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x2xi32>) outs(%e : tensor<3x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.xori %in, %bit : i32
    linalg.yield %0 : i32
  } -> tensor<3x2xi32>
  %er = tensor.empty() : tensor<3x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<3x2xi32>) outs(%er : tensor<3x2xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.uitofp %in : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
