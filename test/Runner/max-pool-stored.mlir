// Max pooling on the way to DRAM, of a layer alone: the accelerator stores the
// pooled tensor, and nobody else pools.

// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large -mlir-print-ir-after=fadiff-search -o /dev/null 2>&1 | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large | FileCheck %s --check-prefix=NEST
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large --fadiff-bufferize --fadiff-lower-to-gemmini | FileCheck %s --check-prefix=GEMMINI
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-large | fadiff-translate --fadiff-schedule-to-json -o %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-large --fadiff-form-layers --fadiff-apply-schedule=file=%t.json | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-large --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-run %s --target=gemmini-large --check --latency=streams | FileCheck %s --check-prefix=SAME
// RUN: fadiff-opt %s --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-attach-cost --fadiff-search=summary=- -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: fadiff-opt %t.mlir --fadiff-report-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: fadiff-run %s --target=gemmini-large --fuse=off | FileCheck %s --check-prefix=WHOLE

// Without that word the file says something else.
// RUN: sed 's/"pools_output": true/"pools_output": false/' %t.json > %t.whole.json
// RUN: not fadiff-opt %s --fadiff-attach-target=target=gemmini-large --fadiff-form-layers --fadiff-apply-schedule=file=%t.whole.json 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK-LABEL: func.func @main
// CHECK-NOT:     pooling
// CHECK:         fadiff.layer "conv"
// CHECK-SAME:      epilogue(<scale = {{.*}}, relu, pool = <size = 3, stride = 2, pad = [1, 1], outputs = [8, 12]>>)
// CHECK:           linalg.pooling_nhwc_max
// CHECK-NEXT:      fadiff.yield %{{.*}} : tensor<1x8x12x32xi8>
// CHECK:         return
// NEST:        fadiff.loop_nest
// NEST-SAME:     outs(%{{.*}} : tensor<1x8x12x32xi8>)
// NEST:          fadiff.stage "conv"
// NEST-SAME:       pool = <size = 3, stride = 2, pad = [1, 1], outputs = [8, 12]>
// NEST-NOT:    pooling
// GEMMINI:     gemmini.config_st {{.*}}pool = <size = 3, stride = 2,
// GEMMINI:     gemmini.mvout
// GEMMINI-NOT: gemmini.mvout_spad
// JSON:        "pools_output": true

// 1 x 8 x 12 x 32 bytes, not 1 x 16 x 24 x 32.
// RAN:         DRAM bytes read {{[0-9]+}}, written 3072: as predicted
// RAN:         output identical to the reference
// SUMMARY:     stored pooled: conv
// REPORT:      conv: {{.*}} 3072 B written, pooled
// SAME:        : as predicted
// SAME:        output identical to the reference
// WHOLE:       written 12288: as predicted
// WHOLE:       output identical to the reference
// REFUSED:     point 'main/conv': predicted.energy_total_pj: wanted

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<1x16x24x32xi8>, %v: tensor<3x3x32x32xi8>) -> tensor<1x8x12x32xi8> {
  %c0 = arith.constant 0 : i32
  %i0 = arith.constant 0 : i8
  %least = arith.constant -128 : i8
  %scale1 = arith.constant 2.0e-3 : f32
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %i0 : i8
  } : tensor<1x16x24x32xi8> to tensor<1x18x26x32xi8>
  %e1 = tensor.empty() : tensor<1x16x24x32xi32>
  %f1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x16x24x32xi32>) -> tensor<1x16x24x32xi32>
  %s1 = linalg.conv_2d_nhwc_hwcf ins(%p, %v : tensor<1x18x26x32xi8>, tensor<3x3x32x32xi8>) outs(%f1 : tensor<1x16x24x32xi32>) -> tensor<1x16x24x32xi32> loc("conv")
  %o1 = tensor.empty() : tensor<1x16x24x32xi8>
  %q1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s1 : tensor<1x16x24x32xi32>) outs(%o1 : tensor<1x16x24x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale1 : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x16x24x32xi8>
  %m = tensor.pad %q1 low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %least : i8
  } : tensor<1x16x24x32xi8> to tensor<1x17x25x32xi8>
  %taps = tensor.empty() : tensor<3x3xi8>
  %e2 = tensor.empty() : tensor<1x8x12x32xi8>
  %f2 = linalg.fill ins(%least : i8) outs(%e2 : tensor<1x8x12x32xi8>) -> tensor<1x8x12x32xi8>
  %pooled = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%m, %taps : tensor<1x17x25x32xi8>, tensor<3x3xi8>) outs(%f2 : tensor<1x8x12x32xi8>) -> tensor<1x8x12x32xi8>
  return %pooled : tensor<1x8x12x32xi8>
}
