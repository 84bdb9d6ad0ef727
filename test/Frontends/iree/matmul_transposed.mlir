// IREE, linalg on tensors: a matmul whose right operand is transposed by its indexing maps.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(m, n, k) -> (m, k)>
#map1 = affine_map<(m, n, k) -> (n, k)>
#map2 = affine_map<(m, n, k) -> (m, n)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%arg0: tensor<6x20xi8>) -> tensor<6x12xi8> {
  %w1 = arith.constant dense<"0xA43FB1AA83BA939DFC816C14923707747063D151F4D6D391F9D2A862A54B4B5B56C84C4AAE15711E5F5B14C79C6F57BE73C3452E7A04D124105A2CEB94FDFF6D449254F69BFCBBFE721B33EF72FA160C9DA85A05DECBBFE04AC69E76E61A382DB7749BAB5E2E3117E72CDA13EB8F44C99722A9309898ACC0197F509F08D11FBB2C1A4C7D85DD5E62E5EA0C0DE12C8956349477CAC6F7B5E6A9C1CDCC6B9DCC39F25EEDE69353F8A60605865E63ECFF4147E4ECF355F5F3350C2DCB27968920F9082D8D70AF08283DE4246E2FA595B5232492AFA3E3C557385DD66143B547A41AEAAE0A74979A4816DC5CDAB771941575"> : tensor<12x20xi8>
  %e2 = tensor.empty() : tensor<6x12xi32>
  %c3 = arith.constant 0 : i32
  %f4 = linalg.fill ins(%c3 : i32) outs(%e2 : tensor<6x12xi32>) -> tensor<6x12xi32>
  %v5 = linalg.matmul indexing_maps = [#map0, #map1, #map2] ins(%arg0, %w1 : tensor<6x20xi8>, tensor<12x20xi8>) outs(%f4 : tensor<6x12xi32>) -> tensor<6x12xi32>
  %c6 = arith.constant 1122435510 : i32
  %c7 = arith.constant 39 : i8
  %c8 = arith.constant -128 : i32
  %c9 = arith.constant 127 : i32
  %e10 = tensor.empty() : tensor<6x12xi8>
  %v11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%v5 : tensor<6x12xi32>) outs(%e10 : tensor<6x12xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c6, %c7 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c8 : i32
    %c = arith.minsi %b, %c9 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<6x12xi8>
  return %v11 : tensor<6x12xi8>
}
