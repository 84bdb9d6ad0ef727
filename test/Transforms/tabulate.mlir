// Functions of a byte become tables of their 256 results.

// RUN: fadiff-opt %s --fadiff-tabulate | FileCheck %s
// A table holds the bits that the compiled body gives: of 4096 random bytes, so
// of each of the 256 in all likelihood.
// RUN: fadiff-run %s --entry=gelu --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=swish --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=sigmoid --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=turned --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=by_constant --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=scaled --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=requantised --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=by_channel --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=two_bytes --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=wider --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=by_place --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=sums --target=gemmini-small --allow-empty | FileCheck %s --check-prefix=SAME
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-small allow-empty summary=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: fadiff-opt %s --fadiff-tabulate -o %t && fadiff-opt %t --fadiff-tabulate | diff - %t
// What is reported is why it is on the host, not that it was made a table.
// REPORT:      no search of 'gelu'
// REPORT-NEXT: 1 operation that touches 8192 elements, 18432 cycles of the core predicted
// REPORT-NEXT: 1 x linalg.generic (index_castui, extract), 8192 elements, 18432 cycles{{.*}}: the accelerator's read-out computes bias, scale, saturation and ReLU, no other functions
// SAME:     output identical to the reference

#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#first = affine_map<(d0, d1) -> (d0)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @gelu(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256xi8>
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0(%[[BYTE:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT:      %[[AT:.*]] = arith.index_castui %[[BYTE]] : i8 to index
// CHECK-NEXT:      %[[RESULT:.*]] = tensor.extract %[[TABLE]][%[[AT]]] : tensor<256xi8>
// CHECK-NEXT:      linalg.yield %[[RESULT]]
func.func @gelu(%in: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xi8>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %x = arith.mulf %wide, %step : f32
    %bent = arith.mulf %x, %x : f32
    %t = math.tanh %bent : f32
    %y = arith.mulf %t, %x : f32
    %s = arith.divf %y, %step : f32
    %r = math.roundeven %s : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %n = arith.fptosi %l : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// A product of two numbers that depend on the byte.
// CHECK-LABEL: func.func @swish(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256xi8>
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0(%[[BYTE:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT:      %[[AT:.*]] = arith.index_castui %[[BYTE]] : i8 to index
// CHECK-NEXT:      %[[RESULT:.*]] = tensor.extract %[[TABLE]][%[[AT]]] : tensor<256xi8>
// CHECK-NEXT:      linalg.yield %[[RESULT]]
func.func @swish(%in: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xi8>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %x = arith.mulf %wide, %step : f32
    %up = arith.addf %x, %three : f32
    %c = arith.maximumf %up, %zero : f32
    %d = arith.minimumf %c, %six : f32
    %y = arith.mulf %d, %x : f32
    %r = math.roundeven %y : f32
    %n = arith.fptosi %r : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// Results of other types.
// CHECK-LABEL: func.func @sigmoid(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256xf32>
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0(%[[BYTE:.*]]: i8, %{{.*}}: f32):
// CHECK-NEXT:      %[[AT:.*]] = arith.index_castui %[[BYTE]] : i8 to index
// CHECK-NEXT:      %[[RESULT:.*]] = tensor.extract %[[TABLE]][%[[AT]]] : tensor<256xf32>
// CHECK-NEXT:      linalg.yield %[[RESULT]]
func.func @sigmoid(%in: tensor<64x64xi8>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xi8>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %x = arith.mulf %wide, %step : f32
    %m = arith.negf %x : f32
    %e = math.exp %m : f32
    %up = arith.addf %e, %one : f32
    %y = arith.divf %one, %up : f32
    linalg.yield %y : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// Read transposed.
// CHECK-LABEL: func.func @turned(
// CHECK:         linalg.generic {indexing_maps = [#[[$TURNED:.*]], #[[$MAP:.*]]]
// CHECK-NEXT:    ^bb0(%[[BYTE:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT:      %[[AT:.*]] = arith.index_castui %[[BYTE]] : i8 to index
// CHECK-NEXT:      %[[RESULT:.*]] = tensor.extract %[[TABLE]][%[[AT]]] : tensor<256xi8>
// CHECK-NEXT:      linalg.yield %[[RESULT]]
func.func @turned(%in: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#turned, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xi8>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %x = arith.mulf %wide, %step : f32
    %bent = arith.mulf %x, %x : f32
    %t = math.tanh %bent : f32
    %y = arith.mulf %t, %x : f32
    %s = arith.divf %y, %step : f32
    %r = math.roundeven %s : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %n = arith.fptosi %l : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// A tensor of one constant is that constant.
// CHECK-LABEL: func.func @by_constant(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256xi8>
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0(%[[BYTE:.*]]: i8, %{{.*}}: i8):
// CHECK-NEXT:      %[[AT:.*]] = arith.index_castui %[[BYTE]] : i8 to index
// CHECK-NEXT:      %[[RESULT:.*]] = tensor.extract %[[TABLE]][%[[AT]]] : tensor<256xi8>
// CHECK-NEXT:      linalg.yield %[[RESULT]]
func.func @by_constant(%in: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %splat = arith.constant dense<0.03125> : tensor<64xf32>
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]} ins(%in, %splat : tensor<64x64xi8>, tensor<64xf32>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %b: f32, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %x = arith.mulf %wide, %b : f32
    %bent = arith.mulf %x, %x : f32
    %t = math.tanh %bent : f32
    %y = arith.mulf %t, %x : f32
    %s = arith.divf %y, %step : f32
    %r = math.roundeven %s : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %n = arith.fptosi %l : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// What takes more steps than a table becomes one, though it calls nothing.
// CHECK-LABEL: func.func @requantised(
// CHECK:         tensor.extract
// CHECK-NOT:     math.roundeven
// CHECK:         return
func.func @requantised(%in: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %from = arith.constant 0.03125 : f32
  %to = arith.constant 0.07 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xi8>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %x = arith.mulf %wide, %from : f32
    %s = arith.divf %x, %to : f32
    %r = math.roundeven %s : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %n = arith.fptosi %l : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// Few steps stay as they are.
// CHECK-LABEL: func.func @scaled(
// CHECK-NOT:     tensor.extract
func.func @scaled(%in: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xi8>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %s = arith.mulf %wide, %step : f32
    %r = math.roundeven %s : f32
    %n = arith.fptosi %r : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// Of a byte and a number of the channel there is no such table.
// CHECK-LABEL: func.func @by_channel(
// CHECK-NOT:     tensor.extract
func.func @by_channel(%in: tensor<64x64xi8>, %scales: tensor<64xf32>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]} ins(%in, %scales : tensor<64x64xi8>, tensor<64xf32>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %b: f32, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %x = arith.mulf %wide, %b : f32
    %bent = arith.mulf %x, %x : f32
    %t = math.tanh %bent : f32
    %y = arith.mulf %t, %x : f32
    %s = arith.divf %y, %step : f32
    %r = math.roundeven %s : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %n = arith.fptosi %l : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// CHECK-LABEL: func.func @two_bytes(
// CHECK-NOT:     tensor.extract
func.func @two_bytes(%in: tensor<64x64xi8>, %z: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%in, %z : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %more = arith.sitofp %b : i8 to f32
    %x = arith.mulf %wide, %more : f32
    %bent = arith.mulf %x, %x : f32
    %t = math.tanh %bent : f32
    %y = arith.mulf %t, %x : f32
    %s = arith.divf %y, %step : f32
    %r = math.roundeven %s : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %n = arith.fptosi %l : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// CHECK-LABEL: func.func @wider(
// CHECK-NOT:     tensor.extract
func.func @wider(%in: tensor<64x64xi16>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xi16>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i16, %o: i8):
    %wide = arith.sitofp %a : i16 to f32
    %x = arith.mulf %wide, %step : f32
    %bent = arith.mulf %x, %x : f32
    %t = math.tanh %bent : f32
    %y = arith.mulf %t, %x : f32
    %s = arith.divf %y, %step : f32
    %r = math.roundeven %s : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %n = arith.fptosi %l : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// The place counts, too.
// CHECK-LABEL: func.func @by_place(
// CHECK-NOT:     tensor.extract
func.func @by_place(%in: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xi8>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %x = arith.mulf %wide, %k : f32
    %bent = arith.mulf %x, %x : f32
    %t = math.tanh %bent : f32
    %y = arith.mulf %t, %x : f32
    %s = arith.divf %y, %step : f32
    %r = math.roundeven %s : f32
    %h = arith.maximumf %r, %low : f32
    %l = arith.minimumf %h, %high : f32
    %n = arith.fptosi %l : f32 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// Some results do not fold: no i4 is as large.
// CHECK-LABEL: func.func @beyond(
// CHECK-NOT:     tensor.extract
func.func @beyond(%in: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %init = tensor.empty() : tensor<64x64xi8>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xi8>) outs(%init : tensor<64x64xi8>) {
  ^bb0(%a: i8, %o: i8):
    %wide = arith.sitofp %a : i8 to f32
    %x = math.exp %wide : f32
    %m = arith.minimumf %x, %high : f32
    %n = arith.fptosi %m : f32 to i4
    %w = arith.extsi %n : i4 to i8
    linalg.yield %w : i8
  } -> tensor<64x64xi8>
  return %y : tensor<64x64xi8>
}

// What is summed up can be a table's.
// CHECK-LABEL: func.func @sums(
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<256xf32>
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]
// CHECK:           %[[Y:.*]] = tensor.extract %[[TABLE]]
// CHECK-NEXT:      arith.addf %{{.*}}, %[[Y]] : f32
func.func @sums(%in: tensor<64x64xi8>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %step = arith.constant 0.03125 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %begin = arith.constant dense<0.0> : tensor<64xf32>
  %init = tensor.empty() : tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#map, #first], iterator_types = ["parallel", "reduction"]} ins(%in : tensor<64x64xi8>) outs(%begin : tensor<64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %wide = arith.sitofp %a : i8 to f32
    %x = arith.mulf %wide, %step : f32
    %m = arith.negf %x : f32
    %e = math.exp %m : f32
    %up = arith.addf %e, %one : f32
    %y = arith.divf %one, %up : f32
    %sum = arith.addf %o, %y : f32
    linalg.yield %sum : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}
