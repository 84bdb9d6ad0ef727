// The input of a group has two places in the scratchpad: while the layers run on
// one tile, pieces of the next one come in beside them.

// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini -mlir-print-ir-after=fadiff-search -o /dev/null 2>&1 | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini -o %t.mlir
// RUN: FileCheck %s --check-prefix=NEST --input-file=%t.mlir
// RUN: fadiff-translate %t.mlir --fadiff-schedule-to-json -o %t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-form-layers --fadiff-apply-schedule=file=%t.json | FileCheck %s

// CHECK: fadiff.fusion_group tile [N = 1, P = 14, Q = 28] input_turns
// JSON:  "input_turns": true

// Two places for 18 lines of 32 pixels and two blocks of channels.
// NEST:  fadiff.loop_nest {{.*}} tile [N = 1, P = 14, Q = 28] input_turns
// NEST:    %[[BUFFER:.*]] = fadiff.alloc {{.*}} : <scratchpad, 2304>
// NEST:    fadiff.for P step 14 at dram {
// NEST:      fadiff.stage "first"
// NEST-NEXT:   fadiff.load input %{{.*}} into %[[BUFFER]]
// NEST-NEXT: }
// NEST-NEXT: fadiff.stage "first"

// In the second run its tile is there: what is loaded in front is the first
// run's, and what comes beside the layers the next one's.
// RUN: fadiff-opt %t.mlir --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s --check-prefix=CODE
// CODE:      scf.for %{{.*}} = %c0 to %c28 step %c14
// CODE:        %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0 : index
// CODE:        scf.if %[[FIRST]] {
// CODE:          gemmini.mvin

// RUN: fadiff-run %s --target=gemmini --check | FileCheck %s --check-prefix=RAN
// RAN: check: 1 groups, DRAM bytes per tensor, multiply-accumulates and scratchpad writes equal
// RAN: output identical to the reference

// Whole images fit the larger machine: nothing is left to come beside them.
// RUN: fadiff-run %s --target=gemmini-large --check | FileCheck %s --check-prefix=RAN

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<1x32x32x32xi8>, %v: tensor<3x3x32x32xi8>, %b: tensor<32xi32>, %w: tensor<3x3x32x32xi8>, %a: tensor<32xi32>) -> tensor<1x28x28x32xi8> {
  %scale = arith.constant 1.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e0 = tensor.empty() : tensor<1x30x30x32xi32>
  %f0 = linalg.broadcast ins(%b : tensor<32xi32>) outs(%e0 : tensor<1x30x30x32xi32>) dimensions = [0, 1, 2]
  %y0 = linalg.conv_2d_nhwc_hwcf ins(%x, %v : tensor<1x32x32x32xi8>, tensor<3x3x32x32xi8>) outs(%f0 : tensor<1x30x30x32xi32>) -> tensor<1x30x30x32xi32> loc("first")
  %g0 = tensor.empty() : tensor<1x30x30x32xi8>
  %q0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y0 : tensor<1x30x30x32xi32>) outs(%g0 : tensor<1x30x30x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x30x30x32xi8>
  %e1 = tensor.empty() : tensor<1x28x28x32xi32>
  %f1 = linalg.broadcast ins(%a : tensor<32xi32>) outs(%e1 : tensor<1x28x28x32xi32>) dimensions = [0, 1, 2]
  %y1 = linalg.conv_2d_nhwc_hwcf ins(%q0, %w : tensor<1x30x30x32xi8>, tensor<3x3x32x32xi8>) outs(%f1 : tensor<1x28x28x32xi32>) -> tensor<1x28x28x32xi32> loc("second")
  %g1 = tensor.empty() : tensor<1x28x28x32xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y1 : tensor<1x28x28x32xi32>) outs(%g1 : tensor<1x28x28x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x28x28x32xi8>
  return %q1 : tensor<1x28x28x32xi8>
}
