// A layer of which no mapping is legal stays on the host, with a warning that
// says which rule is broken and by how much; the others are scheduled, and the
// network still runs. (A layer of ordinary bounds has a mapping on every machine
// that can be described in YAML: one element of each operand at a time.)

// RUN: rm -rf %t && split-file %s %t

// RUN: fadiff-opt %t/middle.mlir --fadiff-form-layers | sed 's/dilation = \[2, 2\]/dilation = [2147483648, 2]/' > %t/formed.mlir
// RUN: fadiff-opt %t/formed.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search -o %t/mapped.mlir 2>&1 | FileCheck %s --check-prefix=WARNING
// WARNING: warning: {{.*}}stays on the host, as no mapping fits target 'gemmini-small': layer 'second': rule 'layer-bounds' at dram: wanted 1 to 1073741824, found dilation = 2147483648; the layer itself is not computable
// RUN: FileCheck %s --check-prefix=MIDDLE --input-file=%t/mapped.mlir
// MIDDLE:     fadiff.layer "first"
// MIDDLE-SAME:  mapping(<
// MIDDLE-NOT: fadiff.layer "second"
// MIDDLE:     linalg.conv_2d_nhwc_hwcf {dilations = dense<2>
// MIDDLE:     fadiff.layer "third"
// MIDDLE-SAME:  mapping(<

// RUN: fadiff-opt %t/formed.mlir --fadiff-attach-target=target=gemmini-small --fadiff-search --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: OnHost | Category:fadiff | Remark="layer 'second' stays on the host: layer 'second': rule 'layer-bounds' at dram: wanted 1 to 1073741824, found dilation = 2147483648

// RUN: fadiff-run %t/formed.mlir --target=gemmini-small | FileCheck %s --check-prefix=RUNS
// RUNS:      {{^}}first
// RUNS-NEXT: {{^}}third
// RUNS-NEXT: {{^}}core
// RUNS-NEXT: {{^}}total
// RUNS:      : as predicted
// RUNS:      output identical to the reference

// If nothing is left to schedule, that is an error, as in fadiff-form-layers.
// RUN: not fadiff-opt %t/small.mlir --fadiff-search 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: warning: stays on the host, as no mapping fits target 'tiny': layer 'only': rule 'scratchpad-capacity' at scratchpad: wanted at most 1 rows, found 2 (input 1, weights 1)
// NONE: error: nothing to schedule: wanted at least one layer that fits target 'tiny', found none; choose a larger target, or pass allow-empty to leave all to the host
// RUN: fadiff-opt %t/small.mlir --fadiff-search=allow-empty 2> /dev/null | FileCheck %s --check-prefix=EMPTY
// EMPTY:     func.func @main(%[[X:.*]]: tensor<4x4xi8>, %[[W:.*]]: tensor<4x4xi8>)
// EMPTY-NOT: fadiff.layer
// EMPTY:     %[[SUM:.*]] = linalg.matmul {fadiff.on_host = {detail = "layer 'only': rule 'scratchpad-capacity'{{.*}}", reason = "no mapping fits the target", remedy = "a larger target"}} ins(%[[X]], %[[W]]
// EMPTY:     return %[[SUM]]
// What becomes a layer after all has no reason to be on the host.
// RUN: fadiff-opt %t/small.mlir --fadiff-search=allow-empty 2> /dev/null | fadiff-opt --fadiff-form-layers | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: on_host
// AGAIN:     fadiff.layer "matmul:{{[0-9]+}}"
// AGAIN-NOT: on_host

//--- middle.mlir
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @main(%x: tensor<1x6x6x4xi8>, %w1: tensor<1x1x4x8xi8>, %w2: tensor<1x1x8x8xi8>, %w3: tensor<1x1x8x4xi8>) -> tensor<1x6x6x4xi32> {
  %c0 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<1x6x6x8xi32>
  %1 = linalg.fill ins(%c0 : i32) outs(%0 : tensor<1x6x6x8xi32>) -> tensor<1x6x6x8xi32>
  %2 = linalg.conv_2d_nhwc_hwcf ins(%x, %w1 : tensor<1x6x6x4xi8>, tensor<1x1x4x8xi8>) outs(%1 : tensor<1x6x6x8xi32>) -> tensor<1x6x6x8xi32> loc("first")
  %3 = tensor.empty() : tensor<1x6x6x8xi8>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x6x6x8xi32>) outs(%3 : tensor<1x6x6x8xi8>) {
  ^bb0(%in: i32, %out: i8):
    %10 = arith.trunci %in : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<1x6x6x8xi8>
  // One tap: its dilation, made huge once the layer is formed, means nothing to
  // anyone but the bounds.
  %5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>} ins(%4, %w2 : tensor<1x6x6x8xi8>, tensor<1x1x8x8xi8>) outs(%1 : tensor<1x6x6x8xi32>) -> tensor<1x6x6x8xi32> loc("second")
  %6 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x6x6x8xi32>) outs(%3 : tensor<1x6x6x8xi8>) {
  ^bb0(%in: i32, %out: i8):
    %10 = arith.trunci %in : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<1x6x6x8xi8>
  %7 = tensor.empty() : tensor<1x6x6x4xi32>
  %8 = linalg.fill ins(%c0 : i32) outs(%7 : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  %9 = linalg.conv_2d_nhwc_hwcf ins(%6, %w3 : tensor<1x6x6x8xi8>, tensor<1x1x8x4xi8>) outs(%8 : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32> loc("third")
  return %9 : tensor<1x6x6x4xi32>
}
//--- small.mlir
module attributes {fadiff.target = #fadiff.target<"tiny", scratchpad_banks = 1, scratchpad_bytes = 4>} {
  func.func @main(%x: tensor<4x4xi8>, %w: tensor<4x4xi8>) -> tensor<4x4xi32> {
    %0 = fadiff.layer "only" ins(%x, %w : tensor<4x4xi8>, tensor<4x4xi8>)
        workload(<[N = 4, K = 4, C = 4], layouts = "NC" "CK" "NK">) epilogue(<>) {
    ^bb0(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>):
      %c0 = arith.constant 0 : i32
      %1 = tensor.empty() : tensor<4x4xi32>
      %2 = linalg.fill ins(%c0 : i32) outs(%1 : tensor<4x4xi32>) -> tensor<4x4xi32>
      %3 = linalg.matmul ins(%a, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%2 : tensor<4x4xi32>) -> tensor<4x4xi32>
      fadiff.yield %3 : tensor<4x4xi32>
    } -> tensor<4x4xi32>
    return %0 : tensor<4x4xi32>
  }
}
