// What a schedule says of the part of the network that it is not about.

// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-opt %t/int8.mlir --fadiff-schedule="target=gemmini-small summary=-" -o %t/nests.mlir 2>&1 | FileCheck %s

// A clamp belongs to the tail, wherever its bounds are.
// CHECK-LABEL: search of 'clamped'
// CHECK:       on the array: 100.0 % of 1536 multiply-accumulates, 0 of 1 tails (0.0 %); on the host: 1 operation that touches 768 elements
// CHECK-NEXT:  1 x linalg.generic (maxsi, minsi), 768 elements, {{([0-9]+ cycles, )?}}behind conv:{{[0-9]+}} at int8.mlir:{{[0-9]+}}: it clamps to bounds that ReLU and saturation do not have; what would help: ReLU in place of ReLU6, or a scale that has the bound at 127

// A table does not; the layer has done all that it can.
// CHECK-LABEL: search of 'looked_up'
// CHECK:       1 of 1 tails (100.0 %); on the host: 1 operation that touches 768 elements
// CHECK-NEXT:  1 x linalg.generic (index_cast, extract), 768 elements, {{([0-9]+ cycles, )?}}behind named at int8.mlir:{{[0-9]+}}: it looks values up in a table

// Sums that the host reads out, with the reason of the pass that tried, where a
// transpose behind it is only an order in which it writes. A contraction on the host counts as such; what reads constants
// alone could be done once; a pad stands in front of the layer that reads it.
// CHECK-LABEL: search of 'rest'
// CHECK:       on the array: 75.0 % of 2048 multiply-accumulates, 0 of 1 tails (0.0 %); on the host: 3 operations that touch {{[0-9]+}} elements, {{([0-9]+ cycles of the core predicted, )?}}and 1 on constants alone
// CHECK-DAG:   1 x linalg.matmul, {{[0-9]+}} elements, {{([0-9]+ cycles, )?}}at int8.mlir:{{[0-9]+}}: its element types are i16 * i16 -> i32
// CHECK-DAG:   1 x tensor.pad, {{[0-9]+}} elements, {{([0-9]+ cycles, )?}}in front of conv:{{[0-9]+}} at int8.mlir:{{[0-9]+}}: the accelerator pads with a constant
// CHECK-DAG:   1 x linalg.generic (trunci), 768 elements, {{([0-9]+ cycles, )?}}behind conv:{{[0-9]+}} at int8.mlir:{{[0-9]+}}: the sums are requantised on the host: 'arith.trunci' wraps

// Nothing on the array at all, and one cause for six operations.
// CHECK-LABEL: no search of 'host_only'
// CHECK-NEXT:  on the array: 100.0 % of 0 multiply-accumulates; on the host: 6 operations that touch 96 elements
// CHECK-NEXT:  6 x linalg.generic (exp), 96 elements, {{([0-9]+ cycles, )?}}at int8.mlir:{{[0-9]+}}, at int8.mlir:{{[0-9]+}}, at int8.mlir:{{[0-9]+}} and 3 more: the accelerator's read-out computes bias, scale, saturation and ReLU, no other functions
// CHECK-NOT:   elements

// The scheduled module says it, too, and whoever reports on it.
// RUN: fadiff-opt %t/nests.mlir --fadiff-report-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// COST:      function 'clamped', on the array: 100.0 % of 1536 multiply-accumulates, 0 of 1 tails (0.0 %); on the host: 1 operation that touches 768 elements
// COST-NEXT: 1 x linalg.generic (maxsi, minsi), 768 elements, {{([0-9]+ cycles, )?}}behind conv:{{[0-9]+}}
// COST:      function 'host_only', on the array

// RUN: fadiff-opt %t/int8.mlir --fadiff-schedule="target=gemmini-small summary=%t.json" -o /dev/null
// RUN: %python %S/Inputs/check_host_report.py %t.json

// Why a requantisation stays, and what would help.
// RUN: fadiff-opt %fadiff_src_root/test/Frontends/iree/output_zero_point.mlir --fadiff-schedule="target=gemmini summary=-" 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT: the sums are requantised on the host: no float32 scale gives the same int8; the nearest differs by up to 1 (at the sum {{.*}}); what would help: requantize=hardware
// EXACT: fadiff.on_host = {detail = "the nearest differs by up to 1 {{.*}}", reason = "the sums are requantised on the host: no float32 scale gives the same int8", remedy = "requantize=hardware"}

// In f32 an activation is an operation of the host, and no tail is missing; a
// bound that ReLU does not have is one.
// RUN: fadiff-opt %t/f32.mlir --fadiff-schedule="target=gemmini-fp32 summary=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=F32
// F32-LABEL: search of 'silu'
// F32:       1 of 1 tails (100.0 %); on the host: 1 operation that touches 128 elements
// F32-NEXT:  1 x linalg.generic (negf, exp, addf, divf), 128 elements, {{([0-9]+ cycles, )?}}behind matmul:{{[0-9]+}} at f32.mlir:{{[0-9]+}}: the accelerator's read-out computes bias, scale, saturation and ReLU, no other functions
// F32-LABEL: search of 'relu6'
// F32:       0 of 1 tails (0.0 %); on the host: 1 operation that touches 136 elements
// F32-NEXT:  1 x linalg.generic (addf, maximumf, minimumf), 136 elements, {{([0-9]+ cycles, )?}}behind matmul:{{[0-9]+}} at f32.mlir:{{[0-9]+}}: 'arith.minimumf' is not part of the read-out

// What a schedule could take, but does not, and what packed taps cost.
// Laying out weights is no work of each call, and is counted apart.
// RUN: fadiff-opt %fadiff_src_root/examples/tiny.mlir --fadiff-schedule="target=gemmini-small pack=off" --fadiff-report-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// WEIGHTS:     on the host: 3 operations that touch 1350 elements, 2439 cycles of the core predicted, and 4230 for weights, which can be done once
// WEIGHTS-DAG: 1 x linalg.generic (index, remui, cmpi, select), 990 elements, 4230 cycles, in front of dw1
// WEIGHTS-DAG: 1 x linalg.pooling_nhwc_sum, 324 elements, 2304 cycles
// WEIGHTS-DAG: 1 x linalg.generic (sitofp, mulf, roundeven, maximumf, minimumf, fptosi), 36 elements, 135 cycles

// RUN: fadiff-opt %fadiff_src_root/examples/tiny.mlir --fadiff-schedule="core=off latency=roofline target=gemmini-small summary=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=POOL
// POOL-DAG: x tensor.pad, {{[0-9]+}} elements, {{([0-9]+ cycles, )?}}behind conv1 at tiny.mlir:{{[0-9]+}}: it pads for pooling that stays on the host
// POOL-DAG: x linalg.pooling_nhwc_max, {{[0-9]+}} elements, {{([0-9]+ cycles, )?}}behind conv1 at tiny.mlir:{{[0-9]+}}: it could be part of the layer in front of it, but this schedule does not pool there
// POOL-DAG: x tensor.pad, {{[0-9]+}} elements, {{([0-9]+ cycles, )?}}in front of conv1 at conv1: it lays out a tensor for a layer that has kernel taps as channels; what would help: pack=off
// POOL-DAG: x linalg.pooling_nhwc_sum, {{[0-9]+}} elements, {{([0-9]+ cycles, )?}}behind conv3 at tiny.mlir:{{[0-9]+}}: the accelerator averages only int8, and images of 4096 bytes or more

// The run's report has the elements in a column.
// RUN: fadiff-run %t/int8.mlir --entry=clamped --target=gemmini-small | FileCheck %s --check-prefix=REPORT
// REPORT:      simulated {{ *}}bytes {{ *}}on host
// REPORT-NEXT: {{^}}conv:{{[0-9]+}} {{.*}} 768{{$}}
// REPORT-NEXT: {{^}}core
// REPORT-NEXT: {{^}}total {{.*}} 768{{$}}
// REPORT:      output identical

//--- int8.mlir
#map = affine_map<(n, h, w, k) -> (n, h, w, k)>
func.func @clamped(%x: tensor<1x8x8x4xi8>, %w: tensor<1x1x4x6xi8>) -> tensor<1x8x8x6xi8> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x8x8x6xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x8x8x6xi32>) -> tensor<1x8x8x6xi32>
  %s = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x4xi8>, tensor<1x1x4x6xi8>) outs(%f : tensor<1x8x8x6xi32>) -> tensor<1x8x8x6xi32>
  %e8 = tensor.empty() : tensor<1x8x8x6xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x8x8x6xi32>) outs(%e8 : tensor<1x8x8x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %scale = arith.constant 0.0078125 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x8x8x6xi8>
  %six = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x8x8x6xi8>) outs(%e8 : tensor<1x8x8x6xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant -5 : i8
    %high = arith.constant 60 : i8
    %0 = arith.maxsi %in, %low : i8
    %1 = arith.minsi %0, %high : i8
    linalg.yield %1 : i8
  } -> tensor<1x8x8x6xi8>
  return %six : tensor<1x8x8x6xi8>
}

func.func @looked_up(%x: tensor<1x8x8x4xi8>, %w: tensor<1x1x4x6xi8>, %table: tensor<128xi8>) -> tensor<1x8x8x6xi8> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x8x8x6xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x8x8x6xi32>) -> tensor<1x8x8x6xi32>
  %s = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x4xi8>, tensor<1x1x4x6xi8>) outs(%f : tensor<1x8x8x6xi32>) -> tensor<1x8x8x6xi32> loc("named")
  %e8 = tensor.empty() : tensor<1x8x8x6xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x8x8x6xi32>) outs(%e8 : tensor<1x8x8x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %scale = arith.constant 0.0078125 : f32
    %low = arith.constant 0.0 : f32
    %high = arith.constant 127.0 : f32
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x8x8x6xi8>
  %found = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x8x8x6xi8>) outs(%e8 : tensor<1x8x8x6xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.index_cast %in : i8 to index
    %1 = tensor.extract %table[%0] : tensor<128xi8>
    linalg.yield %1 : i8
  } -> tensor<1x8x8x6xi8>
  return %found : tensor<1x8x8x6xi8>
}

#rows = affine_map<(m, n) -> (m, n)>
func.func @rest(%x: tensor<1x8x8x3xi8>, %w: tensor<1x1x4x6xi8>, %a: tensor<8x8xi16>, %b: tensor<8x8xi16>) -> (tensor<1x6x8x8xi8>, tensor<8x8xi32>, tensor<8x8xf32>) {
  %one = arith.constant 1 : i8
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x8x8x6xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x8x8x6xi32>) -> tensor<1x8x8x6xi32>
  %p = tensor.pad %x low[0, 0, 0, 1] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : i8
  } : tensor<1x8x8x3xi8> to tensor<1x8x8x4xi8>
  %s = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x8x8x4xi8>, tensor<1x1x4x6xi8>) outs(%f : tensor<1x8x8x6xi32>) -> tensor<1x8x8x6xi32>
  %te = tensor.empty() : tensor<1x6x8x8xi32>
  %t = linalg.transpose ins(%s : tensor<1x8x8x6xi32>) outs(%te : tensor<1x6x8x8xi32>) permutation = [0, 3, 1, 2]
  %e8 = tensor.empty() : tensor<1x6x8x8xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t : tensor<1x6x8x8xi32>) outs(%e8 : tensor<1x6x8x8xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.trunci %in : i32 to i8
    linalg.yield %0 : i8
  } -> tensor<1x6x8x8xi8>
  %em = tensor.empty() : tensor<8x8xi32>
  %fm = linalg.fill ins(%z : i32) outs(%em : tensor<8x8xi32>) -> tensor<8x8xi32>
  %m = linalg.matmul ins(%a, %b : tensor<8x8xi16>, tensor<8x8xi16>) outs(%fm : tensor<8x8xi32>) -> tensor<8x8xi32>
  %c = arith.constant dense<2.0> : tensor<8x8xf32>
  %ec = tensor.empty() : tensor<8x8xf32>
  %root = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<8x8xf32>) outs(%ec : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.erf %in : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  return %q, %m, %root : tensor<1x6x8x8xi8>, tensor<8x8xi32>, tensor<8x8xf32>
}

#vector = affine_map<(m) -> (m)>
func.func @host_only(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %4 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %5 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

//--- f32.mlir
#rows = affine_map<(m, n) -> (m, n)>
#cols = affine_map<(m, n) -> (n)>
func.func @silu(%x: tensor<8x4xf32>, %w: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]} ins(%s, %b : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @relu6(%x: tensor<8x4xf32>, %w: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]} ins(%s, %b : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.maximumf %0, %z : f32
    %2 = arith.minimumf %1, %six : f32
    linalg.yield %2 : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
