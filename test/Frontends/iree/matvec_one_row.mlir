// IREE, linalg on tensors: a vector times a vector, as matvec. The only output
// channel has no axis; its bias is one element, and so is the offset of the sum
// that makes an output zero point.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-small --entry=zero_point | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS-LABEL: @main(
// LAYERS: fadiff.layer {{.*}}, tensor<1xi32>) {{.*}} epilogue(<scale = {{1.*}}E-4 : f32>)
// LAYERS-NOT: fadiff.layer
// LAYERS-LABEL: @zero_point(
// LAYERS: arith.constant dense<4096> : tensor<1xi32>
// LAYERS: fadiff.layer {{.*}}, tensor<1xi32>) {{.*}} epilogue(<scale = {{9.*}}E-4 : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<1x23xi8>, %w: tensor<23xi8>) -> tensor<1xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1xi32>) -> tensor<1xi32>
  %0 = linalg.matvec ins(%x, %w : tensor<1x23xi8>, tensor<23xi8>) outs(%f : tensor<1xi32>) -> tensor<1xi32>
  %bias = arith.constant dense<2187> : tensor<1xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %bias : tensor<1xi32>, tensor<1xi32>) outs(%e : tensor<1xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %s = arith.addi %a, %b : i32
    linalg.yield %s : i32
  } -> tensor<1xi32>
  %scale = arith.constant 1.42818092e-04 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %ei = tensor.empty() : tensor<1xi8>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<1xi32>) outs(%ei : tensor<1xi8>) {
  ^bb0(%a: i32, %o: i8):
    %real = arith.sitofp %a : i32 to f32
    %scaled = arith.mulf %real, %scale : f32
    %whole = math.roundeven %scaled : f32
    %least = arith.minimumf %whole, %high : f32
    %most = arith.maximumf %least, %low : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1xi8>
  return %2 : tensor<1xi8>
}

func.func @zero_point(%x: tensor<1x23xi8>, %w: tensor<23xi8>) -> tensor<1xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1xi32>) -> tensor<1xi32>
  %0 = linalg.matvec ins(%x, %w : tensor<1x23xi8>, tensor<23xi8>) outs(%f : tensor<1xi32>) -> tensor<1xi32>
  %scale = arith.constant 9.765625e-04 : f32
  %point = arith.constant 4.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %ei = tensor.empty() : tensor<1xi8>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<1xi32>) outs(%ei : tensor<1xi8>) {
  ^bb0(%a: i32, %o: i8):
    %real = arith.sitofp %a : i32 to f32
    %scaled = arith.mulf %real, %scale : f32
    %whole = math.roundeven %scaled : f32
    %shifted = arith.addf %whole, %point : f32
    %least = arith.minimumf %shifted, %high : f32
    %most = arith.maximumf %least, %low : f32
    %byte = arith.fptosi %most : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<1xi8>
  return %1 : tensor<1xi8>
}
