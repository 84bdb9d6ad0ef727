// A depthwise layer behind an expansion, on a machine that hands tiles over in
// its accumulator: the two take turns, 16 channels at a time, so that the tile
// between them never has more. Then the same in the other order, where the sums
// of all channels grow.

// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini latency=roofline" -mlir-print-ir-after=fadiff-search -o /dev/null 2>&1 | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini latency=roofline" | FileCheck %s --check-prefix=NEST
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini latency=roofline" | fadiff-translate --fadiff-schedule-to-json -o %t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-form-layers --fadiff-apply-schedule=file=%t.json | FileCheck %s
// RUN: fadiff-run %s --target=gemmini --latency=roofline --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-run %s --target=gemmini --latency=roofline --entry=reduce --check | FileCheck %s --check-prefix=REDUCED

// CHECK-LABEL: func.func @main
// CHECK:         fadiff.fusion_group tile {{.*}} input_slices [0, 16]
// CHECK-LABEL: func.func @reduce
// CHECK:         fadiff.fusion_group tile {{.*}} input_slices [0, 16]

// NEST-LABEL:  func.func @main
// NEST:          fadiff.stage "each"
// NEST:            fadiff.for G step 16
// NEST-NEXT:         fadiff.stage "expand"
// NEST-LABEL:  func.func @reduce
// NEST:          fadiff.stage "reduce"
// NEST:            fadiff.for C step 16
// NEST-NEXT:         fadiff.stage "filter"

// JSON:        "input_slices": [
// JSON-NEXT:     {
// JSON-NEXT:       "channels": 16,
// JSON-NEXT:       "layer": "{{(main/each|reduce/reduce)}}"

// RAN:         expand+each
// RAN:         check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// RAN:         output identical to the reference
// REDUCED:     filter+reduce
// REDUCED:     check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// REDUCED:     output identical to the reference

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<1x14x14x32xi8>, %w: tensor<1x1x32x96xi8>, %v: tensor<3x3x96xi8>) -> tensor<1x14x14x96xi8> {
  %c0 = arith.constant 0 : i32
  %b0 = arith.constant 0 : i8
  %scale = arith.constant 4.0e-3 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %e1 = tensor.empty() : tensor<1x14x14x96xi32>
  %f1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x14x14x96xi32>) -> tensor<1x14x14x96xi32>
  %s1 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x14x14x32xi8>, tensor<1x1x32x96xi8>) outs(%f1 : tensor<1x14x14x96xi32>) -> tensor<1x14x14x96xi32> loc("expand")
  %o1 = tensor.empty() : tensor<1x14x14x96xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x14x14x96xi32>) outs(%o1 : tensor<1x14x14x96xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x14x14x96xi8>
  %p2 = tensor.pad %q1 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %b0 : i8
  } : tensor<1x14x14x96xi8> to tensor<1x16x16x96xi8>
  %e2 = tensor.empty() : tensor<1x14x14x96xi32>
  %f2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<1x14x14x96xi32>) -> tensor<1x14x14x96xi32>
  %s2 = linalg.depthwise_conv_2d_nhwc_hwc ins(%p2, %v : tensor<1x16x16x96xi8>, tensor<3x3x96xi8>) outs(%f2 : tensor<1x14x14x96xi32>) -> tensor<1x14x14x96xi32> loc("each")
  %o2 = tensor.empty() : tensor<1x14x14x96xi8>
  %q2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s2 : tensor<1x14x14x96xi32>) outs(%o2 : tensor<1x14x14x96xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x14x14x96xi8>
  return %q2 : tensor<1x14x14x96xi8>
}
func.func @reduce(%x: tensor<1x14x14x96xi8>, %v: tensor<3x3x96xi8>, %w: tensor<1x1x96x32xi8>) -> tensor<1x14x14x32xi8> {
  %c0 = arith.constant 0 : i32
  %b0 = arith.constant 0 : i8
  %scale = arith.constant 4.0e-3 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %p1 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %b0 : i8
  } : tensor<1x14x14x96xi8> to tensor<1x16x16x96xi8>
  %e1 = tensor.empty() : tensor<1x14x14x96xi32>
  %f1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x14x14x96xi32>) -> tensor<1x14x14x96xi32>
  %s1 = linalg.depthwise_conv_2d_nhwc_hwc ins(%p1, %v : tensor<1x16x16x96xi8>, tensor<3x3x96xi8>) outs(%f1 : tensor<1x14x14x96xi32>) -> tensor<1x14x14x96xi32> loc("filter")
  %o1 = tensor.empty() : tensor<1x14x14x96xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x14x14x96xi32>) outs(%o1 : tensor<1x14x14x96xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x14x14x96xi8>
  %e2 = tensor.empty() : tensor<1x14x14x32xi32>
  %f2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<1x14x14x32xi32>) -> tensor<1x14x14x32xi32>
  %s2 = linalg.conv_2d_nhwc_hwcf ins(%q1, %w : tensor<1x14x14x96xi8>, tensor<1x1x96x32xi8>) outs(%f2 : tensor<1x14x14x32xi32>) -> tensor<1x14x14x32xi32> loc("reduce")
  %o2 = tensor.empty() : tensor<1x14x14x32xi8>
  %q2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s2 : tensor<1x14x14x32xi32>) outs(%o2 : tensor<1x14x14x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x14x14x32xi8>
  return %q2 : tensor<1x14x14x32xi8>
}
