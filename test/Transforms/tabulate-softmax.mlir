// Softmax of bytes: the largest byte of a row, and the exponential as a table of
// two bytes. Each sum is of the same floats in the same order.

// RUN: fadiff-opt %s --fadiff-fuse-host --fadiff-tabulate --canonicalize --cse | FileCheck %s
// RUN: fadiff-run %s --entry=plain --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=masked --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=strictly --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=falling --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=few --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=kept --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=quantised --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=added --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=apart --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=windows --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=flipped --target=gemmini-small --allow-empty --seed=3 | FileCheck %s --check-prefix=SAME
// SAME: output identical to the reference

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#line = affine_map<(d0, d1, d2) -> (d1)>
#column = affine_map<(d0, d1, d2) -> (d2)>

// The row's largest byte comes first: it stays while the row is walked.
// CHECK-LABEL: func.func @plain(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256x256xf32>
// CHECK:         %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[IN:.*]] : tensor<2x64x64xi8>) outs(%{{.*}} : tensor<2x64xi8>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: i8, %[[O:.*]]: i8):
// CHECK-NEXT:      %[[M:.*]] = arith.maxsi %[[O]], %[[A]] : i8
// CHECK-NEXT:      linalg.yield %[[M]] : i8
// CHECK:         %{{.*}}:2 = linalg.generic {{.*}} ins(%[[IN]], %[[MAX]] : tensor<2x64x64xi8>, tensor<2x64xi8>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: i8, %[[M:.*]]: i8, %{{.*}}: f32, %[[O:.*]]: f32):
// CHECK-DAG:       %[[ATA:.*]] = arith.index_castui %[[A]] : i8 to index
// CHECK-DAG:       %[[ATM:.*]] = arith.index_castui %[[M]] : i8 to index
// CHECK:           %[[E:.*]] = tensor.extract %[[TABLE]][%[[ATM]], %[[ATA]]] : tensor<256x256xf32>
// CHECK:           %[[S:.*]] = arith.addf %[[O]], %[[E]] : f32
// CHECK:           linalg.yield %[[E]], %[[S]] : f32, f32
// CHECK-NOT:     math.exp
func.func @plain(%in: tensor<2x64x64xi8>) -> tensor<2x64x64xi8> {
  %step = arith.constant 0.0555555560 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in : tensor<2x64x64xi8>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    linalg.yield %scaled : f32
  } -> tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x64x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x64xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %sum = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<2x64x64xf32>) outs(%z : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  %i = tensor.empty() : tensor<2x64x64xi8>
  %p = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%i : tensor<2x64x64xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %part = arith.divf %a, %s : f32
    %q = arith.mulf %part, %high : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<2x64x64xi8>
  return %p : tensor<2x64x64xi8>
}

// A mask that leaves something of each row.
// CHECK-LABEL: func.func @masked(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256x256xf32>
// CHECK:         linalg.generic
// CHECK:           %[[VISIBLE:.*]] = arith.cmpi ule
// CHECK:           %[[B:.*]] = arith.select %[[VISIBLE]], %{{.*}}, %c-128_i16 : i16
// CHECK:           arith.maxsi %{{.*}}, %[[B]] : i16
// CHECK:         linalg.generic
// CHECK:           arith.trunci %{{.*}} : i16 to i8
// CHECK:         linalg.generic
// CHECK:           %[[E:.*]] = tensor.extract %[[TABLE]]
// CHECK:           arith.select %{{.*}}, %[[E]], %{{.*}} : f32
// CHECK-NOT:     math.exp
func.func @masked(%in: tensor<2x64x64xi8>) -> tensor<2x64x64xi8> {
  %step = arith.constant 0.0555555560 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in : tensor<2x64x64xi8>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %visible = arith.cmpi ule, %column, %row : index
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    %logit = arith.select %visible, %scaled, %least : f32
    linalg.yield %logit : f32
  } -> tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x64x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x64xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %sum = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<2x64x64xf32>) outs(%z : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  %i = tensor.empty() : tensor<2x64x64xi8>
  %p = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%i : tensor<2x64x64xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %part = arith.divf %a, %s : f32
    %q = arith.mulf %part, %high : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<2x64x64xi8>
  return %p : tensor<2x64x64xi8>
}

// Nothing of the first row is left: its largest number is none of a byte's.
// CHECK-LABEL: func.func @strictly(
// CHECK-NOT:     maxsi
// CHECK:         arith.maximumf
// CHECK:         math.exp
func.func @strictly(%in: tensor<2x64x64xi8>) -> tensor<2x64x64xi8> {
  %step = arith.constant 0.0555555560 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in : tensor<2x64x64xi8>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %visible = arith.cmpi ult, %column, %row : index
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    %logit = arith.select %visible, %scaled, %least : f32
    linalg.yield %logit : f32
  } -> tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x64x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x64xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %sum = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<2x64x64xf32>) outs(%z : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  %i = tensor.empty() : tensor<2x64x64xi8>
  %p = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%i : tensor<2x64x64xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %part = arith.divf %a, %s : f32
    %q = arith.mulf %part, %high : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<2x64x64xi8>
  return %p : tensor<2x64x64xi8>
}

// The largest number is that of the least byte.
// CHECK-LABEL: func.func @falling(
// CHECK-NOT:     maxsi
// CHECK:         arith.maximumf
// CHECK:         math.exp
func.func @falling(%in: tensor<2x64x64xi8>) -> tensor<2x64x64xi8> {
  %step = arith.constant -0.0555555560 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in : tensor<2x64x64xi8>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    linalg.yield %scaled : f32
  } -> tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x64x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x64xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %sum = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<2x64x64xf32>) outs(%z : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  %i = tensor.empty() : tensor<2x64x64xi8>
  %p = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%i : tensor<2x64x64xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %part = arith.divf %a, %s : f32
    %q = arith.mulf %part, %high : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<2x64x64xi8>
  return %p : tensor<2x64x64xi8>
}

// Fewer points than an eighth of the table.
// CHECK-LABEL: func.func @few(
// CHECK:         arith.maxsi
// CHECK:         math.exp
func.func @few(%in: tensor<1x64x64xi8>) -> tensor<1x64x64xi8> {
  %step = arith.constant 0.0555555560 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x64x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in : tensor<1x64x64xi8>) outs(%e : tensor<1x64x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    linalg.yield %scaled : f32
  } -> tensor<1x64x64xf32>
  %r = tensor.empty() : tensor<1x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<1x64xf32>) -> tensor<1x64xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x64x64xf32>) outs(%f : tensor<1x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<1x64xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<1x64x64xf32>, tensor<1x64xf32>) outs(%e : tensor<1x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<1x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%r : tensor<1x64xf32>) -> tensor<1x64xf32>
  %sum = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<1x64x64xf32>) outs(%z : tensor<1x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x64xf32>
  %i = tensor.empty() : tensor<1x64x64xi8>
  %p = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<1x64x64xf32>, tensor<1x64xf32>) outs(%i : tensor<1x64x64xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %part = arith.divf %a, %s : f32
    %q = arith.mulf %part, %high : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x64x64xi8>
  return %p : tensor<1x64x64xi8>
}

// Exporters keep the axes that are reduced, and the batch.
// CHECK-LABEL: func.func @kept(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256x256xf32>
// CHECK:         arith.maxsi
// CHECK:         %{{.*}}:2 = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:           tensor.extract %[[TABLE]]
// CHECK:           arith.addf
// CHECK-NOT:     math.exp
#batch = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#kept = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#reduced = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
func.func @kept(%in: tensor<2x64x64xi8>) -> tensor<1x2x64x64xi8> {
  %step = arith.constant 0.0555555560 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %flat = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in : tensor<2x64x64xi8>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    linalg.yield %scaled : f32
  } -> tensor<2x64x64xf32>
  %x = tensor.expand_shape %flat [[0, 1], [2], [3]] output_shape [1, 2, 64, 64] : tensor<2x64x64xf32> into tensor<1x2x64x64xf32>
  %r = tensor.empty() : tensor<1x2x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<1x2x64xf32>) -> tensor<1x2x64xf32>
  %max = linalg.generic {indexing_maps = [#batch, #reduced], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x : tensor<1x2x64x64xf32>) outs(%f : tensor<1x2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<1x2x64xf32>
  %maxkept = tensor.expand_shape %max [[0], [1], [2, 3]] output_shape [1, 2, 64, 1] : tensor<1x2x64xf32> into tensor<1x2x64x1xf32>
  %eb = tensor.empty() : tensor<1x2x64x64xf32>
  %exp = linalg.generic {indexing_maps = [#batch, #kept, #batch], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %maxkept : tensor<1x2x64x64xf32>, tensor<1x2x64x1xf32>) outs(%eb : tensor<1x2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<1x2x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%r : tensor<1x2x64xf32>) -> tensor<1x2x64xf32>
  %sum = linalg.generic {indexing_maps = [#batch, #reduced], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<1x2x64x64xf32>) outs(%z : tensor<1x2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x2x64xf32>
  %sumkept = tensor.expand_shape %sum [[0], [1], [2, 3]] output_shape [1, 2, 64, 1] : tensor<1x2x64xf32> into tensor<1x2x64x1xf32>
  %i = tensor.empty() : tensor<1x2x64x64xi8>
  %p = linalg.generic {indexing_maps = [#batch, #kept, #batch], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sumkept : tensor<1x2x64x64xf32>, tensor<1x2x64x1xf32>) outs(%i : tensor<1x2x64x64xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %part = arith.divf %a, %s : f32
    %q = arith.mulf %part, %high : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x2x64x64xi8>
  return %p : tensor<1x2x64x64xi8>
}

// Something is added to the logits, and the sum is quantised: its bytes are what
// the table is of.
// CHECK-LABEL: func.func @quantised(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256x256xf32>
// CHECK:         %[[BYTES:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x64x64xi8>, tensor<64xf32>) outs(%{{.*}} : tensor<2x64x64xi8>)
// CHECK:           %[[B:.*]] = arith.fptosi
// CHECK-NEXT:      linalg.yield %[[B]] : i8
// CHECK:         %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[BYTES]] :
// CHECK:           arith.maxsi
// CHECK:         linalg.generic {{.*}} ins(%[[BYTES]], %[[MAX]] :
// CHECK:           tensor.extract %[[TABLE]]
// CHECK-NOT:     math.exp
func.func @quantised(%in: tensor<2x64x64xi8>, %mask: tensor<64xf32>) -> tensor<2x64x64xi8> {
  %step = arith.constant 0.0555555560 : f32
  %step2 = arith.constant 0.0711111110 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #column, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in, %mask : tensor<2x64x64xi8>, tensor<64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i8, %m: f32, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    %both = arith.addf %scaled, %m : f32
    %q = arith.divf %both, %step2 : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    %again = arith.sitofp %b : i8 to f32
    %logit = arith.mulf %again, %step2 : f32
    linalg.yield %logit : f32
  } -> tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x64x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x64xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %sum = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp : tensor<2x64x64xf32>) outs(%z : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  %i = tensor.empty() : tensor<2x64x64xi8>
  %p = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%i : tensor<2x64x64xi8>) {
  ^bb0(%a: f32, %s: f32, %o: i8):
    %part = arith.divf %a, %s : f32
    %q = arith.mulf %part, %high : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<2x64x64xi8>
  return %p : tensor<2x64x64xi8>
}

// A mask that is added, as exporters write causal ones: one of two numbers.
// CHECK-LABEL: func.func @added(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256x256x{{.*}}>
// CHECK-DAG:     %[[MASK:.*]] = arith.constant dense<{{.*}}> : tensor<64xi1>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[MASK]] : tensor<2x64x64xi8>, tensor<64xi1>)
// CHECK:           %[[B:.*]] = arith.select %{{.*}}, %{{.*}}, %c-128_i16 : i16
// CHECK:           arith.maxsi %{{.*}}, %[[B]] : i16
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[MASK]], %{{.*}} : tensor<2x64x64xi8>, tensor<64xi1>, tensor<2x64xi8>)
// CHECK:           %[[E:.*]] = tensor.extract %[[TABLE]]
// CHECK:           arith.select %{{.*}}, %[[E]], %{{.*}}
// CHECK-NOT:     math.exp
func.func @added(%in: tensor<2x64x64xi8>) -> tensor<2x64x64xi8> {
  %mask = arith.constant dense<[0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000]> : tensor<64xf32>
  %step = arith.constant 0.0555555560 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #column, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in, %mask : tensor<2x64x64xi8>, tensor<64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i8, %m: f32, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    %logit = arith.addf %scaled, %m : f32
    linalg.yield %logit : f32
  } -> tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x64x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x64xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %i = tensor.empty() : tensor<2x64x64xi8>
  %p = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp : tensor<2x64x64xf32>) outs(%i : tensor<2x64x64xi8>) {
  ^bb0(%a: f32, %o: i8):
    %q = arith.mulf %a, %high : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<2x64x64xi8>
  return %p : tensor<2x64x64xi8>
}

// Of some rows nothing is left: their largest number is none of a byte's.
// CHECK-LABEL: func.func @hidden(
// CHECK-NOT:     maxsi
// CHECK:         arith.maximumf
// CHECK:         math.exp
func.func @hidden(%in: tensor<2x64x64xi8>) -> tensor<2x64x64xi8> {
  %mask = arith.constant dense<[0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000]> : tensor<64xf32>
  %step = arith.constant 0.0555555560 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #line, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in, %mask : tensor<2x64x64xi8>, tensor<64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i8, %m: f32, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    %logit = arith.addf %scaled, %m : f32
    linalg.yield %logit : f32
  } -> tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x64x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x64xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  %i = tensor.empty() : tensor<2x64x64xi8>
  %p = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp : tensor<2x64x64xf32>) outs(%i : tensor<2x64x64xi8>) {
  ^bb0(%a: f32, %o: i8):
    %q = arith.mulf %a, %high : f32
    %n = math.roundeven %q : f32
    %h = arith.maximumf %n, %low : f32
    %l = arith.minimumf %h, %high : f32
    %b = arith.fptosi %l : f32 to i8
    linalg.yield %b : i8
  } -> tensor<2x64x64xi8>
  return %p : tensor<2x64x64xi8>
}

// Heads are joined between dequantisation and mask, each an operation.
// CHECK-LABEL: func.func @apart(
// CHECK-SAME:    %[[IN:.*]]: tensor<2x2x32x64xi8>)
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256x256xf32>
// CHECK:         %[[JOINED:.*]] = tensor.collapse_shape %[[IN]] {{.*}} : tensor<2x2x32x64xi8> into tensor<4x32x64xi8>
// CHECK:         arith.maxsi
// CHECK:         linalg.generic {{.*}} ins(%[[JOINED]],
// CHECK:           tensor.extract %[[TABLE]]
// CHECK-NOT:     math.exp
func.func @apart(%in: tensor<2x2x32x64xi8>) -> tensor<4x32x64xf32> {
  %mask = arith.constant dense<[0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000]> : tensor<64xf32>
  %step = arith.constant 0.0555555560 : f32
  %root = arith.constant 2.5 : f32
  %least = arith.constant 0xFF800000 : f32
  %e4 = tensor.empty() : tensor<2x2x32x64xf32>
  %wide = linalg.generic {indexing_maps = [#batch, #batch], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%in : tensor<2x2x32x64xi8>) outs(%e4 : tensor<2x2x32x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %w = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %w, %step : f32
    %y = arith.divf %scaled, %root : f32
    linalg.yield %y : f32
  } -> tensor<2x2x32x64xf32>
  %heads = tensor.collapse_shape %wide [[0, 1], [2], [3]] : tensor<2x2x32x64xf32> into tensor<4x32x64xf32>
  %e = tensor.empty() : tensor<4x32x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #column, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads, %mask : tensor<4x32x64xf32>, tensor<64xf32>) outs(%e : tensor<4x32x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %logit = arith.addf %a, %m : f32
    linalg.yield %logit : f32
  } -> tensor<4x32x64xf32>
  %r = tensor.empty() : tensor<4x32xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<4x32xf32>) -> tensor<4x32xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<4x32x64xf32>) outs(%f : tensor<4x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<4x32xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<4x32x64xf32>, tensor<4x32xf32>) outs(%e : tensor<4x32x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<4x32x64xf32>
  return %exp : tensor<4x32x64xf32>
}

// The table is of the bytes that are masked, not of those that were flipped.
// CHECK-LABEL: func.func @flipped(
// CHECK:         arith.maxsi
// CHECK:         tensor.extract
// CHECK-NOT:     math.exp
func.func @flipped(%in: tensor<2x64x64xi8>) -> tensor<2x64x64xf32> {
  %mask = arith.constant dense<[0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0.0, 0.0, 0.0, 0.0, 0xFF800000]> : tensor<64xf32>
  %step = arith.constant 0.0555555560 : f32
  %sign = arith.constant -128 : i8
  %least = arith.constant 0xFF800000 : f32
  %bytes = tensor.empty() : tensor<2x64x64xi8>
  %flip = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in : tensor<2x64x64xi8>) outs(%bytes : tensor<2x64x64xi8>) {
  ^bb0(%a: i8, %o: i8):
    %y = arith.xori %a, %sign : i8
    linalg.yield %y : i8
  } -> tensor<2x64x64xi8>
  %e = tensor.empty() : tensor<2x64x64xf32>
  %x = linalg.generic {indexing_maps = [#map, #column, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%flip, %mask : tensor<2x64x64xi8>, tensor<64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i8, %m: f32, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    %logit = arith.addf %scaled, %m : f32
    linalg.yield %logit : f32
  } -> tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<2x64xf32>) -> tensor<2x64xf32>
  %max = linalg.generic {indexing_maps = [#map, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x64x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x64xf32>
  %exp = linalg.generic {indexing_maps = [#map, #rows, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %below = arith.subf %a, %m : f32
    %y = math.exp %below : f32
    linalg.yield %y : f32
  } -> tensor<2x64x64xf32>
  return %exp : tensor<2x64x64xf32>
}

// Of windows as well, whose extents the operand says that nobody reads.
// CHECK-LABEL: func.func @windows(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x8x8xi8>, tensor<2x2xf32>)
// CHECK:           arith.maxsi %{{.*}}, %{{.*}} : i8
// CHECK-NOT:     arith.maximumf
func.func @windows(%in: tensor<2x8x8xi8>) -> tensor<2x4x4xf32> {
  %step = arith.constant 0.0555555560 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x8x8xf32>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%in : tensor<2x8x8xi8>) outs(%e : tensor<2x8x8xf32>) {
  ^bb0(%a: i8, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %scaled = arith.mulf %wide, %step : f32
    linalg.yield %scaled : f32
  } -> tensor<2x8x8xf32>
  %r = tensor.empty() : tensor<2x4x4xf32>
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %max = linalg.generic {indexing_maps = [
      affine_map<(n, h, w, i, j) -> (n, h * 2 + i, w * 2 + j)>, affine_map<(n, h, w, i, j) -> (i, j)>,
      affine_map<(n, h, w, i, j) -> (n, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x8x8xf32>, tensor<2x2xf32>) outs(%f : tensor<2x4x4xf32>) {
  ^bb0(%a: f32, %i: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x4x4xf32>
  return %max : tensor<2x4x4xf32>
}
