// TFLite, int8, by the TFLite to TOSA legaliser: an inverted residual of MobileNetV2.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-npu --requantize=hardware --tolerance=1 2>&1 | FileCheck %s --check-prefix=NPU
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS: fadiff.layer {{.*}} epilogue(<>)
// LAYERS-NOT: fadiff.layer
// A scale per channel, zero points and double rounding: one apart on a machine with such a read-out.
// NPU: 2 of 2 edges fused
// NPU: 3 of 3 tails
// NPU: as predicted
// NPU: largest difference from the reference: {{[01]}}, allowed: 1
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x5D98A9D8595FA9264072827E30CA091DE41C7A56F900DEA73541154A757F28FD203132C5D2758C3D85353601E7F29DF1DF0CE9A47689E5DD67E46C76C8BDA32A7A962FD9D0BA6FDE76B0331B06EE76B2F2ED81166F656DE173BFD7700C34437504C8EC8DBFBE1F422293B19B3830D63F5571819D8C996AC81CA53938F49F10D45E2022C8AC980F988FB28A7221E19CEC7B587C56DBCA23F2EF41933E50A224582A4D364A5B2345D4600E5F650C56EBDF469BF10DCC53022DACB099782A70F6650443576A551016F125F41EC25871950770488469915A769616D134F75A18CA14D78D2B7E05660C29B3FA59C367965C7E326E23762C35E902C30B3F5A7C16F69D08F7FF088F3791440194078B663B65F854CE3291E823B9DD52C0A9FC1D5288F23DBF7836ED60928E2FCDCCEB905EE5548F9CEF6B317FBB1982327B7BDF1710E4F560E63FC5B2811656AF50C718C655C58729E79A3492A343EA25CB38C575A3660456CD250673FDD4C48B1F1DFEB89D47D65DB005FC42E078FFB99BFD3D7376DF"> : tensor<24x1x1x16xi8>}> : () -> tensor<24x1x1x16xi8>
  %c2 = "tosa.const"() <{values = dense<[1501, -739, -423, 3941, 1666, -2245, 322, -918, -3331, -84, 3672, 1697, -3498, -1090, 593, -645, -1447, -432, 2046, 2299, 3245, -718, 3948, -675]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c3 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x16xi8>, tensor<24x1x1x16xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x24xi32>
  %c6 = "tosa.const"() <{values = dense<[1645037450, 1164005958, 1385545829, 2123227748, 2112301349, 1760396464, 1599476729, 1800591773, 1305904750, 1920851507, 1170428155, 1351557207, 1410910850, 1339240204, 1661572561, 1490261242, 1450220089, 1195944457, 1493099877, 1676064756, 1285522780, 1878857076, 1075711105, 1584933574]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c7 = "tosa.const"() <{values = dense<[40, 39, 40, 40, 40, 40, 39, 39, 39, 40, 39, 39, 39, 39, 40, 40, 39, 39, 39, 39, 40, 39, 39, 39]> : tensor<24xi8>}> : () -> tensor<24xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x24xi32>, tensor<24xi32>, tensor<24xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x24xi8>
  %c11 = "tosa.const"() <{values = dense<"0x3B88F2CF94571D1525FE8B04376D3B0FA25925401251831A900E3034F014F499E3A6AB124F5CC17E7001EA18CDC830FCD12D114D0AF31AD4A8A32756962DA1B4EB729700CA917834B8B576C49369FA433C6FA3293D07C51230FFE6E735533F752F04CE3F329A3A077E930D3708AD9C44B78EC7EBCE2B2FF664D518A569B5D8B4D8A35B9A7C91EF0A6BF9957416A76DBCC8B6153B634D33C1BAD1B6354BCB814C166F8AC7BCA14B0A54159B738E0954252CD694B83517EF885D20BDFC0E311EB4E300BE53752FE89FD3945CFBE2275DE1FDE8F2D8973B4D38"> : tensor<3x3x24x1xi8>}> : () -> tensor<3x3x24x1xi8>
  %c12 = "tosa.const"() <{values = dense<[-3148, 198, 602, -1449, -2796, 2552, 3629, -2472, 2583, -2521, 3878, 2069, 123, -2013, 1457, -3423, -2316, -3927, -1684, 2270, 1392, 2577, 924, -1891]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c13 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v15 = tosa.depthwise_conv2d %v10, %c11, %c12, %c13, %c14 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x24xi8>, tensor<3x3x24x1xi8>, tensor<24xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x24xi32>
  %c16 = "tosa.const"() <{values = dense<[1107166201, 1158353581, 1140176432, 1094427884, 1463805543, 1541979881, 1755495478, 1989121138, 1918308849, 1170974903, 1597937001, 1244799534, 1078635216, 2092379015, 1853278272, 1986916081, 1915114289, 1747607451, 1196871137, 2071538497, 1733973687, 2035614245, 1083270207, 2128654686]> : tensor<24xi32>}> : () -> tensor<24xi32>
  %c17 = "tosa.const"() <{values = dense<[38, 38, 39, 38, 39, 39, 39, 39, 40, 38, 39, 39, 39, 40, 39, 40, 40, 39, 38, 39, 40, 39, 38, 40]> : tensor<24xi8>}> : () -> tensor<24xi8>
  %c18 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c19 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v20 = tosa.rescale %v15, %c16, %c17, %c18, %c19 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x24xi32>, tensor<24xi32>, tensor<24xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x24xi8>
  %c21 = "tosa.const"() <{values = dense<"0x61798B8CB4415AED2F219BCB0F55EF63263B1F1BCF82B47F8C1F2BE2BBC24346B79181B7D8901D48F3CDFE53F29412A5BE8508277848DBA3A1201FACB73AC3198761B6FBE8453A2F6BE73E4198CF9C9DC3C084FFE599BEB26A5B9C8F05972F28E48B1CCF657AE099F7B1BC58A566637D2C82DA96FED3AA13EBA7A7D675A1952EF0818B446F7E05C176F59972166ED7FAFF2EE8B144BB7ECD78BEE1824064499403BE759328C37D8665E1E1A4CA42982C1DDC4A5236354B6D28FF58BBBDF7768A8473FA7FBE72FFA03BA4BF4A29E0750FACCEA9FD13F2A9B21B82939CB5E7AC86499731A5CE48956D9539F49D1A23F32C39F80D9AF3A8EC06F35A0A18B61F8C154732726AF252B25CE31C71046506DB93287151C20CF3488D3FE619DE46D71D1FA556CD9EA46ED5A7D9FD6C88386CFC77485DDEB3091C74764628FBEBBA7950A378D094D3152DD6E36A140413469FB5747ACDF267871F11952B0927FA99964D10BB73E6A23DFBB25767B9399362EE6C8FEAFC685BCDCA257B32DE2467351D82B2"> : tensor<16x1x1x24xi8>}> : () -> tensor<16x1x1x24xi8>
  %c22 = "tosa.const"() <{values = dense<[-3834, 1419, -943, -990, 2132, -3477, 3859, -2902, 3078, 917, -2462, -1012, -2462, 273, 1250, -1537]> : tensor<16xi32>}> : () -> tensor<16xi32>
  %c23 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c24 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v25 = tosa.conv2d %v20, %c21, %c22, %c23, %c24 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x24xi8>, tensor<16x1x1x24xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x16xi32>
  %c26 = "tosa.const"() <{values = dense<[1382238568, 2131660723, 1854034480, 1838967361, 2111962476, 1388927971, 1741914260, 1579713779, 1343470409, 1079983955, 1928336321, 1575419124, 1477801770, 1583008551, 1475295898, 1635234735]> : tensor<16xi32>}> : () -> tensor<16xi32>
  %c27 = "tosa.const"() <{values = dense<[39, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 39, 40]> : tensor<16xi8>}> : () -> tensor<16xi8>
  %c28 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c29 = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v30 = tosa.rescale %v25, %c26, %c27, %c28, %c29 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x16xi32>, tensor<16xi32>, tensor<16xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x16xi8>
  return %v30 : tensor<1x8x8x16xi8>
}
