// torch-mlir, linalg on tensors: a basic block of ResNet; the residual is added in f32, on the host.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

#map0 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8> {
  %c1 = arith.constant 0 : i8
  %v2 = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c1 : i8
  } : tensor<1x8x8x8xi8> to tensor<1x8x10x10xi8>
  %b3 = arith.constant dense<[-1734, 1790, -2533, -640, -720, 26, -1131, 1283]> : tensor<8xi32>
  %e4 = tensor.empty() : tensor<1x8x8x8xi32>
  %v5 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b3 : tensor<8xi32>) outs(%e4 : tensor<1x8x8x8xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x8x8x8xi32>
  %w6 = arith.constant dense<"0xC160608E6CB8858C560CCFF034557C77756493787F545F77753F1FF38CF5CBB89BFC0AB9231F5EDB329E071CC626BD4CBAABE2A8F5EF2E7AEADEC24CB3E9E98E105C95CE94C1AD504CE8685B86C307C3DA440CD28C8B378AAF195BBC428CB80C079E31FC4249C00475812A60C41E26C172A6F7A6360672C8C8DF8572C35A9BE157D6CA6735932484AB825E2A77190532C767ABC118E11B3130B579EB823B72CF2DCF1C37F1F87BA303E7D3E4ACF7D4D5F8F6191AD7E173D8E88E03FD5D9368E31C9BA09F1CFD3A6D266C724683BCC97B8706A538A7D597E2C9B5C91A95BC96A40B60BEFF529F4CFE0E3F284E489EC325E2B89E5FCC366B7B909AF591F58A7C97BE25D5529A84A18E2F72297D37EE8138FC02C7E294059B262587F80FC3E136533111D2215D935F14B30F26F381234A5F4CBDBFAB107D0093BA0529D2E4497696B1E973E706C05595C909EC3071E4F7DAEB38379E2DC9482BA7DA856BF4455672BFA27C5ADE56B066D610D1148E3634ABF48E93158E89C7B614D2AE068C8BBD1BA3EB3F4E5C30DADA47CBACAC81D93DF400673F86FFE3E4DB64FCE9042CD8BE0E0B3E53B3BCD5D8D3D5E3E01CA60DD4ABD0EF2C67549738C1DCAC1A4EFFAE852DAEF8BCDBFB9B9CB58BB7B32F16FDBC8F61F53C7C185FDDA879031A75102A0D97EC1DC9CD845498ABB6E34F0A75BC68B26B8D28574EE77EC58482D2C9000D29026F8139EE1313A8D2B2CBAE2361B0311EA76DC7496F2C33830E02F1DE99B3CFC5142DA20F1224496BA871F7D16D27B08130C9BCE5696B6DDAA4A881078E6E6C94"> : tensor<8x8x3x3xi8>
  %v7 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v2, %w6 : tensor<1x8x10x10xi8>, tensor<8x8x3x3xi8>) outs(%v5 : tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32>
  %c8 = arith.constant 6.725434e-05 : f32
  %e9 = tensor.empty() : tensor<1x8x8x8xf32>
  %v10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v7 : tensor<1x8x8x8xi32>) outs(%e9 : tensor<1x8x8x8xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c8 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x8x8xf32>
  %c11 = arith.constant 0.0 : f32
  %e12 = tensor.empty() : tensor<1x8x8x8xf32>
  %v13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<1x8x8x8xf32>) outs(%e12 : tensor<1x8x8x8xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c11 : f32
    %b = arith.select %a, %in0, %c11 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x8x8xf32>
  %c14 = arith.constant 0.0625 : f32
  %c15 = arith.constant -128.0 : f32
  %c16 = arith.constant 127.0 : f32
  %e17 = tensor.empty() : tensor<1x8x8x8xi8>
  %v18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v13 : tensor<1x8x8x8xf32>) outs(%e17 : tensor<1x8x8x8xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c14 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c11 : f32
    %d = arith.maximumf %c, %c15 : f32
    %e = arith.minimumf %d, %c16 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x8x8x8xi8>
  %v19 = tensor.pad %v18 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c1 : i8
  } : tensor<1x8x8x8xi8> to tensor<1x8x10x10xi8>
  %b20 = arith.constant dense<[3811, 3000, -480, 746, -1743, 2487, 2892, 1266]> : tensor<8xi32>
  %e21 = tensor.empty() : tensor<1x8x8x8xi32>
  %v22 = linalg.generic {indexing_maps = [#map0, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b20 : tensor<8xi32>) outs(%e21 : tensor<1x8x8x8xi32>) {
  ^bb0(%in0: i32, %out: i32):
    linalg.yield %in0 : i32
  } -> tensor<1x8x8x8xi32>
  %w23 = arith.constant dense<"0x9820C845C64D95011F83A9C16EC7A001B99334AB1DBD2D55D274B021944F4360C40246CCC40C37AA4E20141226E17F1FA03552A8183FCE8F74A64559529113D44755974253478FEAA8537A7861D096DEB302F7018ED47C952530B79E9F91E5FFEA9C571BC4A83123BB547A257484FD7BC379742AECF03D41AA89DD654E6B69510F171F81CAAC4F70D959500BE46AE358200D0047450576CB23430852CB286B0DE2F67DC47DCA054DF579B84DED8B316F35067572C0A48FB2895B12506C906853162C7A5585BA76522904FC8C2754C4DFE921C93C367A6052AAF9F63FFD33F410B747988203EC4436E476774172640794AD939F0C6BE7A63E1E722D8EF81D40CC4A7FA4DAFBBBB15495ECB2B8E5EF366E98AF93DB926147B6BFDDD38951CEE1735CBBD882FFAD759D94433BF2F8E9276761DA57B0FE4517789CC58DB31F6AEDDCE5CAF3BAB4C26489E96ADAF79D869FB7F8B8F53C4D5E0E551959AC830772649F7E1DD1829556D35685A0041BF00AB34B9800615EAC5D8AE32C608157ABD9735E25F2EE9EA1ACD2A766BE3B514B3A3EE2DA4D907E0CD9FA9C8C23410FF9461E12F36D2A4756D7A7269DA3755F849D10D5551086F04B44B7E64CF217BBDB4350AFE14DB3F79B0FA5D90ECA03133323410A44F1ED6893D7D6ADDD4ABF8ED5EA97AC37511F78EB4493119CA8A389E17ADAC71AD4CBD76154D6BBCF88451F88FBE4F50D03315F9EA669E65EF172A12F11D0C6D669DD7A376DB15395D684754766862BC6E87AB0DDB6F04205C426A95E1E7163A4C6B822C9DF626118A0634E4696A8FD"> : tensor<8x8x3x3xi8>
  %v24 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%v19, %w23 : tensor<1x8x10x10xi8>, tensor<8x8x3x3xi8>) outs(%v22 : tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32>
  %c25 = arith.constant 0.00025 : f32
  %e26 = tensor.empty() : tensor<1x8x8x8xf32>
  %v27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v24 : tensor<1x8x8x8xi32>) outs(%e26 : tensor<1x8x8x8xf32>) {
  ^bb0(%in0: i32, %out: f32):
    %a = arith.sitofp %in0 : i32 to f32
    %b = arith.mulf %a, %c25 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x8x8xf32>
  %e28 = tensor.empty() : tensor<1x8x8x8xf32>
  %v29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x8x8x8xi8>) outs(%e28 : tensor<1x8x8x8xf32>) {
  ^bb0(%in0: i8, %out: f32):
    %w = arith.extsi %in0 : i8 to i32
    %a = arith.sitofp %w : i32 to f32
    %b = arith.mulf %a, %c14 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x8x8xf32>
  %e30 = tensor.empty() : tensor<1x8x8x8xf32>
  %v31 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v27, %v29 : tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) outs(%e30 : tensor<1x8x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %a = arith.addf %in0, %in1 : f32
    linalg.yield %a : f32
  } -> tensor<1x8x8x8xf32>
  %e32 = tensor.empty() : tensor<1x8x8x8xf32>
  %v33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v31 : tensor<1x8x8x8xf32>) outs(%e32 : tensor<1x8x8x8xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %a = arith.cmpf ugt, %in0, %c11 : f32
    %b = arith.select %a, %in0, %c11 : f32
    linalg.yield %b : f32
  } -> tensor<1x8x8x8xf32>
  %e34 = tensor.empty() : tensor<1x8x8x8xi8>
  %v35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v33 : tensor<1x8x8x8xf32>) outs(%e34 : tensor<1x8x8x8xi8>) {
  ^bb0(%in0: f32, %out: i8):
    %a = arith.divf %in0, %c14 : f32
    %b = math.roundeven %a : f32
    %c = arith.addf %b, %c11 : f32
    %d = arith.maximumf %c, %c15 : f32
    %e = arith.minimumf %d, %c16 : f32
    %g = arith.fptosi %e : f32 to i8
    linalg.yield %g : i8
  } -> tensor<1x8x8x8xi8>
  return %v35 : tensor<1x8x8x8xi8>
}
