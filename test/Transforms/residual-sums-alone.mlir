// Sums of two quantised tensors that no layer makes for them alone are layers
// by themselves, if they are large enough.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-normalize=requantize=hardware --fadiff-form-layers=allow-empty | FileCheck %s
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-normalize=requantize=hardware --remarks-filter="fadiff.*" --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --allow-empty
// REMARK-NOT: sum of two tensors
// RUN: fadiff-run %s --entry=moved --target=gemmini --requantize=hardware --tolerance=1 --seed=2 | FileCheck %s --check-prefix=NEAR
// RUN: fadiff-run %s --entry=shared --target=gemmini-large --requantize=hardware --tolerance=1 --seed=2 | FileCheck %s --check-prefix=NEAR
// RUN: fadiff-run %s --entry=uneven --target=gemmini-small --requantize=hardware --tolerance=1 --seed=2 | FileCheck %s --check-prefix=NEAR
// NEAR: DRAM bytes read {{.*}}: as predicted
// NEAR: largest difference from the reference: {{[01]}},

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Between dequantisation and sum axes are turned, added and cut away: bytes are.
// CHECK-LABEL: func.func @moved(
// CHECK-SAME:    %[[X:.*]]: tensor<1x48x160xi8>, %[[Y:.*]]: tensor<128x48xi8>)
// CHECK:         %[[CUT:.*]] = tensor.extract_slice %[[X]][0, 0, 32] [1, 48, 128] [1, 1, 1] : tensor<1x48x160xi8>
// CHECK:         %[[TURNED:.*]] = linalg.transpose ins(%[[Y]] : tensor<128x48xi8>)
// CHECK:         %[[R:.*]] = tensor.expand_shape %[[TURNED]]
// CHECK:         fadiff.layer {{.*}}ins(%[[CUT]], %{{.*}} : tensor<1x48x128xi8>, tensor<1x1x128xi8>) residual(%[[R]] : tensor<1x48x128xi8>) workload(<[G = 128, Q = 48], layouts = "HWG" "RSG" "PQG">)
// CHECK-NOT:     linalg.generic {{.*}}f32
// CHECK:         return
func.func @moved(%x: tensor<1x48x160xi8>, %y: tensor<128x48xi8>) -> tensor<1x48x128xi8> {
  %e_whole = tensor.empty() : tensor<1x48x160xf32>
  %whole = linalg.generic {indexing_maps = [#m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x48x160xi8>) outs(%e_whole : tensor<1x48x160xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.041 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<1x48x160xf32>
  %cut = tensor.extract_slice %whole[0, 0, 32] [1, 48, 128] [1, 1, 1] : tensor<1x48x160xf32> to tensor<1x48x128xf32>
  %e_columns = tensor.empty() : tensor<128x48xf32>
  %columns = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<128x48xi8>) outs(%e_columns : tensor<128x48xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.028 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<128x48xf32>
  %e_turned = tensor.empty() : tensor<48x128xf32>
  %turned = linalg.transpose ins(%columns : tensor<128x48xf32>) outs(%e_turned : tensor<48x128xf32>) permutation = [1, 0]
  %batch = tensor.expand_shape %turned [[0, 1], [2]] output_shape [1, 48, 128] : tensor<48x128xf32> into tensor<1x48x128xf32>
  %e_sum = tensor.empty() : tensor<1x48x128xf32>
  %sum = linalg.generic {indexing_maps = [#m3, #m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cut, %batch : tensor<1x48x128xf32>, tensor<1x48x128xf32>) outs(%e_sum : tensor<1x48x128xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %both = arith.addf %p, %r : f32
    linalg.yield %both : f32
  } -> tensor<1x48x128xf32>
  %e_bytes = tensor.empty() : tensor<1x48x128xi8>
  %bytes = linalg.generic {indexing_maps = [#m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<1x48x128xf32>) outs(%e_bytes : tensor<1x48x128xi8>) {
  ^bb0(%p: f32, %o: i8):
    %s = arith.constant 0.055 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %units = arith.divf %p, %s : f32
    %round = math.roundeven %units : f32
    %least = arith.maximumf %round, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1x48x128xi8>
  return %bytes : tensor<1x48x128xi8>
}

// What is dequantised has another reader, too.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME:    %[[X:.*]]: tensor<64x96xi8>, %[[Y:.*]]: tensor<64x96xi8>)
// CHECK-DAG:     fadiff.layer {{.*}}tensor<64x96xi8>{{.*}} residual(%{{.*}} : tensor<64x96xi8>)
// CHECK-DAG:     linalg.generic {{.*}} ins(%[[X]] : tensor<64x96xi8>) outs(%{{.*}} : tensor<64x96xf32>)
// CHECK:         return
func.func @shared(%x: tensor<64x96xi8>, %y: tensor<64x96xi8>) -> (tensor<64x96xi8>, tensor<64x96xf32>) {
  %e_a = tensor.empty() : tensor<64x96xf32>
  %a = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xi8>) outs(%e_a : tensor<64x96xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.041 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<64x96xf32>
  %e_b = tensor.empty() : tensor<64x96xf32>
  %b = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x96xi8>) outs(%e_b : tensor<64x96xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.031 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<64x96xf32>
  %e_sum = tensor.empty() : tensor<64x96xf32>
  %sum = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e_sum : tensor<64x96xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %both = arith.addf %p, %r : f32
    linalg.yield %both : f32
  } -> tensor<64x96xf32>
  %e_bytes = tensor.empty() : tensor<64x96xi8>
  %bytes = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<64x96xf32>) outs(%e_bytes : tensor<64x96xi8>) {
  ^bb0(%p: f32, %o: i8):
    %s = arith.constant 0.055 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %units = arith.divf %p, %s : f32
    %round = math.roundeven %units : f32
    %least = arith.maximumf %round, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<64x96xi8>
  return %bytes, %a : tensor<64x96xi8>, tensor<64x96xf32>
}

// The one with the far larger scale is the input, of a weight above 1: a load
// scales by at most 1, and of the other one some tens would be needed.
// CHECK-LABEL: func.func @uneven(
// CHECK-SAME:    %[[X:.*]]: tensor<64x96xi8>, %[[Y:.*]]: tensor<64x96xi8>)
// CHECK:         fadiff.layer {{.*}}ins(%[[Y]], %{{.*}} : tensor<64x96xi8>, {{.*}}) residual(%[[X]] : tensor<64x96xi8>){{.*}}residual_scale =
// CHECK:         return
func.func @uneven(%x: tensor<64x96xi8>, %y: tensor<64x96xi8>) -> tensor<64x96xi8> {
  %e_a = tensor.empty() : tensor<64x96xf32>
  %a = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xi8>) outs(%e_a : tensor<64x96xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.004 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<64x96xf32>
  %e_b = tensor.empty() : tensor<64x96xf32>
  %b = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x96xi8>) outs(%e_b : tensor<64x96xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.049 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<64x96xf32>
  %e_sum = tensor.empty() : tensor<64x96xf32>
  %sum = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e_sum : tensor<64x96xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %both = arith.addf %p, %r : f32
    linalg.yield %both : f32
  } -> tensor<64x96xf32>
  %e_bytes = tensor.empty() : tensor<64x96xi8>
  %bytes = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<64x96xf32>) outs(%e_bytes : tensor<64x96xi8>) {
  ^bb0(%p: f32, %o: i8):
    %s = arith.constant 0.051 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %units = arith.divf %p, %s : f32
    %round = math.roundeven %units : f32
    %least = arith.maximumf %round, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<64x96xi8>
  return %bytes : tensor<64x96xi8>
}

// The core takes less time than a layer takes to begin.
// CHECK-LABEL: func.func @few(
// CHECK-NOT:     fadiff.layer
// CHECK:         return
func.func @few(%x: tensor<16x96xi8>, %y: tensor<16x96xi8>) -> tensor<16x96xi8> {
  %e_a = tensor.empty() : tensor<16x96xf32>
  %a = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x96xi8>) outs(%e_a : tensor<16x96xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.041 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<16x96xf32>
  %e_b = tensor.empty() : tensor<16x96xf32>
  %b = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<16x96xi8>) outs(%e_b : tensor<16x96xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.031 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<16x96xf32>
  %e_sum = tensor.empty() : tensor<16x96xf32>
  %sum = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<16x96xf32>, tensor<16x96xf32>) outs(%e_sum : tensor<16x96xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %both = arith.addf %p, %r : f32
    linalg.yield %both : f32
  } -> tensor<16x96xf32>
  %e_bytes = tensor.empty() : tensor<16x96xi8>
  %bytes = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<16x96xf32>) outs(%e_bytes : tensor<16x96xi8>) {
  ^bb0(%p: f32, %o: i8):
    %s = arith.constant 0.055 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %units = arith.divf %p, %s : f32
    %round = math.roundeven %units : f32
    %least = arith.maximumf %round, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<16x96xi8>
  return %bytes : tensor<16x96xi8>
}

// No sum, and nobody says that it is one.
// CHECK-LABEL: func.func @product(
// CHECK-NOT:     fadiff.layer
// CHECK:         return
func.func @product(%x: tensor<64x96xi8>, %y: tensor<64x96xi8>) -> tensor<64x96xi8> {
  %e_a = tensor.empty() : tensor<64x96xf32>
  %a = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xi8>) outs(%e_a : tensor<64x96xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.041 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<64x96xf32>
  %e_b = tensor.empty() : tensor<64x96xf32>
  %b = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x96xi8>) outs(%e_b : tensor<64x96xf32>) {
  ^bb0(%p: i8, %o: f32):
    %s = arith.constant 0.031 : f32
    %wide = arith.sitofp %p : i8 to f32
    %real = arith.mulf %wide, %s : f32
    linalg.yield %real : f32
  } -> tensor<64x96xf32>
  %e_sum = tensor.empty() : tensor<64x96xf32>
  %sum = linalg.generic {indexing_maps = [#m2, #m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e_sum : tensor<64x96xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %both = arith.mulf %p, %r : f32
    linalg.yield %both : f32
  } -> tensor<64x96xf32>
  %e_bytes = tensor.empty() : tensor<64x96xi8>
  %bytes = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<64x96xf32>) outs(%e_bytes : tensor<64x96xi8>) {
  ^bb0(%p: f32, %o: i8):
    %s = arith.constant 0.055 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %units = arith.divf %p, %s : f32
    %round = math.roundeven %units : f32
    %least = arith.maximumf %round, %low : f32
    %most = arith.minimumf %least, %high : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<64x96xi8>
  return %bytes : tensor<64x96xi8>
}
