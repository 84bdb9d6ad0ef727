// A wide image whose layers keep columns: the images of the group are turned,
// and each is loaded once. The file of the nests is that of the layers.

// RUN: fadiff-opt %s --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-search -o %t.mapped
// RUN: FileCheck %s --input-file=%t.mapped
// CHECK: fadiff.fusion_group tile [N = 1, P = 2, Q = {{[0-9]+}}] keep_columns
// RUN: fadiff-opt %t.mapped --fadiff-materialize -o %t.nests
// RUN: FileCheck %s --check-prefix=NEST --input-file=%t.nests
// NEST: fadiff.loop_nest {{.*}} tile [N = 1, P = {{[0-9]+}}, Q = 2] keep_rows turned
// NEST: fadiff.stage "c1" workload(<[K = 32, C = 16, P = 19996, Q = 4, R = 5, S = 3]{{.*}}layouts = "NWHC" "SRCK" "NQPK">)
// RUN: fadiff-translate --fadiff-schedule-to-json %t.mapped -o %t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// JSON: "keep_columns": true
// RUN: fadiff-translate --fadiff-schedule-to-json %t.nests | diff %t.json -
// RUN: fadiff-opt %s --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-apply-schedule=file=%t.json | diff %t.mapped -

// RUN: fadiff-run %s --target=gemmini-large --latency=roofline --check | FileCheck %s --check-prefix=SAME
// SAME-DAG: DRAM bytes read 1943040, written 1279488: as predicted
// SAME-DAG: output identical to the reference

// Rows and columns at once are not to be had.
// RUN: sed 's/ keep_columns/ keep_rows keep_columns/' %t.mapped | not fadiff-opt 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: 'fadiff.fusion_group' op keeps either rows or columns; found both

// RUN: sed 's/"keep_columns": true/"keep_columns": true, "keep_rows": true/' %t.json > %t.both.json
// RUN: not fadiff-opt %s --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-apply-schedule=file=%t.both.json 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: group #0: groups[0].keep_columns: wanted either rows or columns kept, found true

// What is wrong with a group is said of its turned images, and that they are.
// RUN: sed 's/scratchpad_bytes = [0-9]*/scratchpad_bytes = 4096/' %t.mapped | not fadiff-opt --fadiff-verify-schedule 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: with rows and columns (H and W, P and Q, R and S) exchanged, as columns are kept: layer 'c1': rule 'group-capacity' at scratchpad: wanted at most 128 rows

func.func @main(%x: tensor<1x6x20000x16xi8>, %w1: tensor<3x5x16x32xi8>, %w2: tensor<3x5x32x32xi8>) -> tensor<1x2x19992x32xi8> {
  %zero = arith.constant 0 : i32
  %e1 = tensor.empty() : tensor<1x4x19996x32xi32>
  %i1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<1x4x19996x32xi32>) -> tensor<1x4x19996x32xi32>
  %c1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w1 : tensor<1x6x20000x16xi8>, tensor<3x5x16x32xi8>) outs(%i1 : tensor<1x4x19996x32xi32>) -> tensor<1x4x19996x32xi32> loc("c1")
  %f1 = tensor.empty() : tensor<1x4x19996x32xi8>
  %r1 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%c1 : tensor<1x4x19996x32xi32>) outs(%f1 : tensor<1x4x19996x32xi8>) {
  ^bb0(%a: i32, %b: i8):
    %s = arith.constant 0.0078125 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %s : f32
    %r = math.roundeven %m : f32
    %x0 = arith.maximumf %r, %lo : f32
    %x1 = arith.minimumf %x0, %hi : f32
    %t = arith.fptosi %x1 : f32 to i8
    linalg.yield %t : i8
  } -> tensor<1x4x19996x32xi8>
  %e2 = tensor.empty() : tensor<1x2x19992x32xi32>
  %i2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<1x2x19992x32xi32>) -> tensor<1x2x19992x32xi32>
  %c2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%r1, %w2 : tensor<1x4x19996x32xi8>, tensor<3x5x32x32xi8>) outs(%i2 : tensor<1x2x19992x32xi32>) -> tensor<1x2x19992x32xi32> loc("c2")
  %f2 = tensor.empty() : tensor<1x2x19992x32xi8>
  %r2 = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%c2 : tensor<1x2x19992x32xi32>) outs(%f2 : tensor<1x2x19992x32xi8>) {
  ^bb0(%a: i32, %b: i8):
    %s = arith.constant 0.0078125 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %f = arith.sitofp %a : i32 to f32
    %m = arith.mulf %f, %s : f32
    %r = math.roundeven %m : f32
    %x0 = arith.maximumf %r, %lo : f32
    %x1 = arith.minimumf %x0, %hi : f32
    %t = arith.fptosi %x1 : f32 to i8
    linalg.yield %t : i8
  } -> tensor<1x2x19992x32xi8>
  return %r2 : tensor<1x2x19992x32xi8>
}
