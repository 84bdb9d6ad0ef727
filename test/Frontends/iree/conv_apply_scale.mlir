// IREE, linalg on tensors: tosa.apply_scale in the body of the requantisation,
// its clamp from 0 for ReLU.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x15x15x3xi8>) -> tensor<1x7x7x16xi8> {
  %b1 = arith.constant dense<[1597, 1818, 3735, -358, -1473, 3776, 2478, 3629, -1375, 1994, 1278, 2262, -1852, 3182, -3824, -2607]> : tensor<16xi32>
  %e2 = tensor.empty() : tensor<1x7x7x16xi32>
  %v3 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b1 : tensor<16xi32>) outs(%e2 : tensor<1x7x7x16xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x7x7x16xi32>
  %w4 = arith.constant dense<"0xD8A8C340156447F9F9DFECA57A166323FE3CC1AFECC09915FDE40BCCE2577ADE076FAD767C8D9441F837A71970A41747EE88A3216E2C27CEB1C7E198BFE1085178C8A9BD58DAF9EA3F14AF877EAC0F81029ACA9DCA8D66D6406EEFF549A37F212B62DD2B1B29C290BBCAB2EFC017BBB399D35616FD69D677E45CE1C67E1A91F17DD517CFEE6AC1A2F574A99006BEC794FF8696DF71A2FCF466FD0B5F8DE1F254BA684C4EC6686781D159024FBB180C9DD52B93A2EF08D8119406409ABDA30EC0D4AAB3A38852A79D4E653AFC609B49DA9279C6A9B7077678464EE053C370FB866E3A3BC66799E5336B3E22BF45C3FF7FF3539EB43DDEDB2DBABFE7985F4810506C896A29AB60A5471727E6ACECCA558FBA408C6E3B713547D2E5A750D5A78DBA6308FA3874EF694A78A7E5AE5B12D49EB5E53309F6A87979AF457AE6DB9F55A7FA6A1FF93E8608F6522E3F6A11FD4E8D681AE1B21D8A43BCBBDAB389D61C4F9B6E5917E4C63EBF8FFFB4C26C9766B04E8DD5461D2C850E96D07620602828EFE8452747FEFA0DAB7D2B1BE5225371C486C8AF9157904216F62E1EFE58704D83B4EA1C2C9504C8E104CC5F641E95A235EF"> : tensor<3x3x3x16xi8>
  %v5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%arg0, %w4 : tensor<1x15x15x3xi8>, tensor<3x3x3x16xi8>) outs(%v3 : tensor<1x7x7x16xi32>) -> tensor<1x7x7x16xi32>
  %c6 = arith.constant 1932077350 : i32
  %c7 = arith.constant 40 : i8
  %c8 = arith.constant 0 : i32
  %c9 = arith.constant 127 : i32
  %e10 = tensor.empty() : tensor<1x7x7x16xi8>
  %v11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x7x7x16xi32>) outs(%e10 : tensor<1x7x7x16xi8>) {
  ^bb0(%in0: i32, %out: i8):
    %a = tosa.apply_scale %in0, %c6, %c7 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %b = arith.maxsi %a, %c8 : i32
    %c = arith.minsi %b, %c9 : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  } -> tensor<1x7x7x16xi8>
  return %v11 : tensor<1x7x7x16xi8>
}
