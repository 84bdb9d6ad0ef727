// Where tiles have fewer columns than a move takes, weights lie so that one move
// brings the taps of a kernel's row (here 3 of 16 columns; of a kernel with one
// column those of a column, 2 of 32), whatever the order of the axes.

// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-small fuse=off" -o %t.mlir
// RUN: FileCheck %s --check-prefix=NEST --input-file=%t.mlir
// NEST-LABEL: func.func @rows
// NEST: tensor.expand_shape %{{.*}} {{\[\[0\], \[1\], \[2\], \[3, 4\]\]}} output_shape [3, 3, 16, 4, 16]
// NEST: linalg.transpose {{.*}} permutation = [0, 2, 3, 1, 4]
// NEST: fadiff.load weights %{{.*}} into %{{.*}} : <3x16x4x3x16xi8>
// NEST-LABEL: func.func @columns
// NEST: linalg.transpose {{.*}} permutation = [1, 2, 3, 0, 4]
// NEST: fadiff.load weights %{{.*}} into %{{.*}} : <1x16x1x5x32xi8>

// RUN: fadiff-opt %t.mlir --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize | FileCheck %s --check-prefix=CODE
// CODE-LABEL: func.func @rows
// CODE: gemmini.mvin2 %{{.*}} to %{{.*}} rows %c16 cols %c48
// CODE-LABEL: func.func @columns
// CODE: arith.muli %{{.*}}, %c32
// CODE: gemmini.mvin2

// RUN: fadiff-run %s --target=gemmini-small --fuse=off --entry=rows --check | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-small --fuse=off --entry=columns --check | FileCheck %s
// CHECK: DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// CHECK: output identical to the reference

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>

func.func @rows(%x: tensor<1x34x34x16xi8>, %w: tensor<3x3x16x64xi8>) -> tensor<1x32x32x64xi8> {
  %scale = arith.constant 1.0e-2 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x32x32x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x32x32x64xi32>) -> tensor<1x32x32x64xi32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x34x34x16xi8>, tensor<3x3x16x64xi8>) outs(%f : tensor<1x32x32x64xi32>) -> tensor<1x32x32x64xi32>
  %g = tensor.empty() : tensor<1x32x32x64xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x32x32x64xi32>) outs(%g : tensor<1x32x32x64xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x32x32x64xi8>
  return %q : tensor<1x32x32x64xi8>
}

func.func @columns(%x: tensor<1x20x16x16xi8>, %w: tensor<5x1x16x32xi8>) -> tensor<1x16x16x32xi8> {
  %scale = arith.constant 1.0e-2 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x16x16x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x20x16x16xi8>, tensor<5x1x16x32xi8>) outs(%f : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  %g = tensor.empty() : tensor<1x16x16x32xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x16x16x32xi32>) outs(%g : tensor<1x16x16x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x16x16x32xi8>
  return %q : tensor<1x16x16x32xi8>
}
