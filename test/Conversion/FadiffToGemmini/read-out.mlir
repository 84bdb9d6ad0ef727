// Scales of channels come into the store unit before everything else, those of
// each stage behind the ones before; every move out of the accumulator says
// which of them its columns have.

// RUN: fadiff-opt %S/../../Runner/read-out.mlir "--fadiff-schedule=target=gemmini-npu latency=roofline" --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK-DAG: memref.global "private" constant @[[FIRST:fadiff_scales.*]] : memref<20xf32> = dense<[1.000000e-03
// CHECK-DAG: memref.global "private" constant @[[SECOND:fadiff_scales.*]] : memref<12xf32> = dense<[3.000000e-03
// CHECK:     gemmini.region 0 "conv:{{[0-9]+}}+conv:{{[0-9]+}}"
// CHECK:     memref.get_global @[[FIRST]]
// CHECK:     gemmini.mvin_scales %{{.*}} to 0 count 20
// CHECK:     memref.get_global @[[SECOND]]
// CHECK:     gemmini.mvin_scales %{{.*}} to 20 count 12
// The first block of 16 columns has the scales from 0 on, the second from 16:
// where they begin is the counter of a loop over the columns.
// CHECK:     gemmini.config_st stride = 16 activation = relu
// CHECK:     scf.for %[[K:arg[0-9]+]] = %c0 to %c20 step %c16
// CHECK:       gemmini.config_readout scales_from %[[K]] zero_point = -20 high = 90
// CHECK-NOT:   scf.for
// CHECK:       gemmini.mvout_spad
// CHECK:     gemmini.config_st stride = 12
// CHECK:       gemmini.config_readout scales_from %c20 zero_point = 5
// CHECK-NOT:   scf.for
// CHECK:       gemmini.mvout

// With one scale for all channels the store's configuration is followed by
// what else there is.

// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-npu --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s --check-prefix=ONE

// ONE-NOT:  gemmini.mvin_scales
// ONE:      gemmini.config_st stride = 2 scale = 2.500000e-01
// ONE-NEXT: gemmini.config_readout zero_point = -3 low = -100 high = 90
// ONE:      gemmini.mvout
// ONE-NOT:  gemmini.config_readout
#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<40x8xi8>, %w: tensor<8x2xi8>) -> tensor<40x2xi8> {
  %c0 = arith.constant 0 : i32
  %scale = arith.constant 0.25 : f32
  %zp = arith.constant -3.0 : f32
  %low = arith.constant -100.0 : f32
  %high = arith.constant 90.0 : f32
  %e = tensor.empty() : tensor<40x2xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<40x2xi32>) -> tensor<40x2xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<40x8xi8>, tensor<8x2xi8>) outs(%z : tensor<40x2xi32>) -> tensor<40x2xi32>
  %e8 = tensor.empty() : tensor<40x2xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<40x2xi32>) outs(%e8 : tensor<40x2xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %zp : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<40x2xi8>
  return %r : tensor<40x2xi8>
}
