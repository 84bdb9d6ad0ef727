// torch-mlir, linalg on tensors: two linear layers: transposed constant weights, matmul, broadcast bias.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%arg0: tensor<4x24xi8>) -> tensor<4x10xi8> {
  %w1 = arith.constant dense<"0x854113DFD4E9FA10E961090CD7F4283B06650D8385063D3B88A3F777011693E08C921730EB47346203F8EE586C77748242039998C738A26B6E2565C034C28BFEFF5D35C42A8BF2F1E29B09FC7E7DE4814B93DB7AD3EC4A2858156D4E8744163ABC633896B4DD15446E64312D2EABBD20D50F3B4D13B6000244E3A1A5502D5923C14FE4EB4F138FD917CC582A811D05964FAF593A6605AE5681FBC6198EF35F50D977722051CD06A28B40818596D3234D5CB5A0D0FC8A6BA11CD119315410FF57AD93E9EA8D92E56B68DD7B009DA2BA607A047FB7DE06275C1B16AB7DED1E874F50AE8A28A2765E383D376DCBE1C891EC4AA49026A8D4D55D0CF9D2BFCE01A6C1BB90BDD1185657AD35F7891A225132A3226AB9FE45D7466587D361C0983E5ACA0DEE9D21649E5F89C5364F9DBD6F6583627EA775558141923B08EBA6AC92236F22566109FC713B6ADF661F5FCE139911D7C7C65D03D5788B89CBCE785132BBC76886695C8657F0DEDBE22E7D6908440EE8942A1AB9A94EDD4C5E66D5EE0502BFC24DD3A52B4FDACE8F4F4397B9DAC911C077C25CD01023E30CB11B65F6EF35BBB63079974B4E9D391B504A7A28F7F18DDD8B6F7CA2FECCC2062F08DDDCAB0661A9DFAB3181CF27146DFE39693E256BB58E7184D9D1374F821E7F400AA08558435D29FFC139A2B52B81F306EB3EBFBEB1FB6709E0A3ECA5069C572F52790AF8F59704B76E344CF4821E82EE0023C347D89C7626C7FEB9B5A55598B0005774B6DE3B38BC9F6CF63FE8FBC14D08ED1BE303CC0DAA09973071791AE573E234E28338572C2BB451C434ADEDA8541C5EE71435E0E59F08D1D4A009EFD7AE573F3B704B50A04462B73BF78AB240FF68B12F58A5F4DBDA8542CE81942224BDF857C488A28FFBA4745EEC4AAE576862874C38E3164420725F1B7521A637068AC48B7D6546FBD752139F79DA60F12D981E0504994FD8BF16159FD9515E36C0A8559E31615B8AB315DAD9B4FA6C3E100DE151D2ECA6AD9D46AE59056969908C1F1417EE6C0AC777F75091C15867401485998D0D8DB0A34E11BF186A583CEBA5A2132D5ADC39D02E7C255EDB293F423F3C5760D7A9644662E708512309A4E5D623ED221F904EA762B19D10956D81F3F3FB368D1AC16899F9986FE2C1A942BA0F29856D7B614237DD4F5FA2C2FA893B7AD757D902A79C61E893A84C1584CC178626D9751CD70CA22E7A399CBFD917DF79D71F089C73F3074367F327F00EE0CEA65B5FE1EA911D004CBE652507ADBA44D59CE1703ACD752CF7D142883FE364D9919C185E925408EF5179196BE253530113292F138CFAD75D5C8860102B43B69A02AD43469B8308"> : tensor<40x24xi8>
  %e2 = tensor.empty() : tensor<24x40xi8>
  %v3 = linalg.transpose ins(%w1 : tensor<40x24xi8>) outs(%e2 : tensor<24x40xi8>) permutation = [1, 0]
  %e4 = tensor.empty() : tensor<4x40xi32>
  %c5 = arith.constant 0 : i32
  %f6 = linalg.fill ins(%c5 : i32) outs(%e4 : tensor<4x40xi32>) -> tensor<4x40xi32>
  %v7 = linalg.matmul ins(%arg0, %v3 : tensor<4x24xi8>, tensor<24x40xi8>) outs(%f6 : tensor<4x40xi32>) -> tensor<4x40xi32>
  %b8 = arith.constant dense<[-2130, 2492, -624, -1148, -286, 2529, -1755, 324, 1049, 2392, -3667, 1384, -2504, -2023, -2838, 1793, -834, -3059, 1970, -1159, -1679, 2804, -290, 630, -1926, -758, -2959, 3094, -2042, 269, -2359, -2910, -1378, -769, -3040, -422, -1388, -2108, -2476, -288]> : tensor<40xi32>
  %e9 = tensor.empty() : tensor<4x40xi32>
  %v10 = linalg.generic {indexing_maps = [#map1, #map0, #map1], iterator_types = ["parallel", "parallel"]} ins(%v7, %b8 : tensor<4x40xi32>, tensor<40xi32>) outs(%e9 : tensor<4x40xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out: i32):
    %a = arith.addi %in0, %in1 : i32
    linalg.yield %a : i32
  } -> tensor<4x40xi32>
  %c11 = arith.constant 0.0001164879 : f32
  %e12 = tensor.empty() : tensor<4x40xf32>
  %v13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%v10 : tensor<4x40xi32>) outs(%e12 : tensor<4x40xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c11 : f32
    linalg.yield %b : f32
  } -> tensor<4x40xf32>
  %c14 = arith.constant 0.0 : f32
  %e15 = tensor.empty() : tensor<4x40xf32>
  %v16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%v13 : tensor<4x40xf32>) outs(%e15 : tensor<4x40xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c14 : f32
    %b = arith.select %a, %in0, %c14 : f32
    linalg.yield %b : f32
  } -> tensor<4x40xf32>
  %c17 = arith.constant 0.0625 : f32
  %c18 = arith.constant -128.0 : f32
  %c19 = arith.constant 127.0 : f32
  %e20 = tensor.empty() : tensor<4x40xi8>
  %v21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%v16 : tensor<4x40xf32>) outs(%e20 : tensor<4x40xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c17 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c14 : f32
    %d = arith.maximumf %c, %c18 : f32
    %e = arith.minimumf %d, %c19 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<4x40xi8>
  %w22 = arith.constant dense<"0x531C217EB55E6944F5FE7B44FF38B9E5B87CE5721BD6CCBECDEEAA362ADE8D3F1A541878B2DBCD69D31B1352C2A53DA44712188CF68AA5EE27ED07C9AE16C1CE3FF9563EF022C52C09721A8FC3D645CF604EB8D05C7E0B67CD57109E17DF8815DA114E48D156E13CF6889A088F8CEB6B3E8C49205C5556DD2F0D2EC59B021B67467AB2238328C1EE94E7E22B81BDA11FEC67D9A7AF0E91900385B32D293EE588F73CB310C78CD1A7980A4842C82109ADE22E391026918D030FBC1FB98358E8B8906F1CAE6808151E86D2E7263543B05270963A0BB2E025EE3C109BF788EC819F1A66B697B8A9B76B481504C9A9A5B6C7D3EE261BB34FDC2EC09969631898EF4FBE8653F839B69E68FA418AF7D80DD338E660183F4DEA0D8C06A8976BC70E5EFB04B0898629A623AC55C8E959376D84089496C769E6C4B3B989F77041966B914E79270DF1F93029CC223749380A524E1B8CC507F75378309D1529EC82B517ABC9B6E82C1F7F67D5F82203B3035F500D042CB72FE9C58FC7C62C88D107CAFF3CB943EE17A24AB690F3F7C53CA119A92CB5"> : tensor<10x40xi8>
  %e23 = tensor.empty() : tensor<40x10xi8>
  %v24 = linalg.transpose ins(%w22 : tensor<10x40xi8>) outs(%e23 : tensor<40x10xi8>) permutation = [1, 0]
  %e25 = tensor.empty() : tensor<4x10xi32>
  %f26 = linalg.fill ins(%c5 : i32) outs(%e25 : tensor<4x10xi32>) -> tensor<4x10xi32>
  %v27 = linalg.matmul ins(%v21, %v24 : tensor<4x40xi8>, tensor<40x10xi8>) outs(%f26 : tensor<4x10xi32>) -> tensor<4x10xi32>
  %b28 = arith.constant dense<[2311, -2842, -1973, -1416, -721, -339, -2659, 2601, -1937, 1415]> : tensor<10xi32>
  %e29 = tensor.empty() : tensor<4x10xi32>
  %v30 = linalg.generic {indexing_maps = [#map1, #map0, #map1], iterator_types = ["parallel", "parallel"]} ins(%v27, %b28 : tensor<4x10xi32>, tensor<10xi32>) outs(%e29 : tensor<4x10xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out: i32):
    %a = arith.addi %in0, %in1 : i32
    linalg.yield %a : i32
  } -> tensor<4x10xi32>
  %c31 = arith.constant 9.023117e-05 : f32
  %e32 = tensor.empty() : tensor<4x10xf32>
  %v33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%v30 : tensor<4x10xi32>) outs(%e32 : tensor<4x10xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c31 : f32
    linalg.yield %b : f32
  } -> tensor<4x10xf32>
  %e34 = tensor.empty() : tensor<4x10xi8>
  %v35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%v33 : tensor<4x10xf32>) outs(%e34 : tensor<4x10xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c17 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c14 : f32
    %d = arith.maximumf %c, %c18 : f32
    %e = arith.minimumf %d, %c19 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<4x10xi8>
  return %v35 : tensor<4x10xi8>
}
