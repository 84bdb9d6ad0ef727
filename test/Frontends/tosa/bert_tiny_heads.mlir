// Symmetric int8 (zero points 0), TOSA as an ahead-of-time quantiser exports it: BERT-tiny: a projection, split
// into heads by reshape and transpose, and the scores.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{[^,]+}} : f32>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<1x12x32xi8>) -> tensor<4x12x12xi8> {
  %c1 = "tosa.const"() <{values = dense<"0x4977FC51F9EA6BDF1324A8E5AAC2F926D995F84075B4DB164A599238015961E47090B7316547D8A3DA003F0315F089D934890C0AC64A98B3D5D0CD974A98879FA99D5E490FA51F788C493E3AAA48731D086EF1200A2FB99EC75859CE3ADF8387A7E0B14E65A91ACBECF9C25B1853FFB54561B3C1B5D470F05B1DBD61647C356771FEF88AF68405C7D3B1EE3B034C5D66BB4590624E3F131B99C3593E993A72E2DA7725C68C69AF0422D32F04587A4485FA017F125A974FDF74F628B1154C2DA9FAA73809A8F6B9FC434752674779A7201E689760E77FB6387B0A6FE1CEAFCD96F3F11152E3EB67FF7DB6EC9678834091F5093C3ABCB038653A7DD451E9946EE193DC7B506C4D62492A2CD730BA22AF5579901C3986A9224BE96E7FC246A58984E568A5012FB5943226F7ED17882B4B9EBA9C04B978511C8D9B731167F67DD695AA27FC11FC1ED41517D907DBEBC90F05D8A9AF1B06F5CAA54888AC06A2F9DA3B0C69038E493FDD401D17FC6A07A16A593560ED4A72FB4A58E69BADAB4E33F931C25F128FDEC95FB79986C658C1EA215873AFC73EB3B84972866BB287C4A57846C53CFC453AF0CF996176E0309D99BA414112043EB9FB3943F42D7C55F6AA8131C2F2253787E1671D4A72DF3E27BFB59A01A1478742623B04F9C3B3EB35055A5C11D1748BA705EC42D19BE4A54DE50365A9E46B83FB5062BF35DE29A643E298FAD08B77213CBFF76CE4BE246B6B45988F824F0ABF414A1D11EBB0C1B2991C27F78B63ACEEC42181F29AD206CE1A4B836D43279C7A8AECA39B8A4DD5EEB1774EC7A0076DF94CDB3BB9FE1832C7332CC02AAD1950559636DEC397397DE7E5544B23EFC1C2C237452DA9441EE95451ABF2D09BC3C1AC242F32206BD6774D65A9E216D599170C3DEC88F1208BDEF93DB43D452BD68FA04EF31CFE515F40BC1824FB8A3CC004199E33700B3EC47D7DC4D3E3DDEC0695E69EA9946E4A31146239129FAC3EFCBD5D4B1D5D73322215FAFD74ACAB0C446102CBFDAF92ACB6C32B8C1B4E0A648EB0AA649D292F8111F758462892545E25BB6D67C888F84CDC494BF172E9D6A81444D0947F2EF71FA24A0F6D6A74C1A71EB299207E1D2258132BA0FB8C506100067192FD8B58DE264B9AA8B0E1E427F4C6774AA7216A0B749046F3B12FEBD1EBA124783FD08CFC2620BEF8475D6C638B7483B9D896E0907E224F1722C6E2E324FDF98645500CD8D4ECD761AA7762FFF5F4205AAC33098D352AA54B9CB1E3460306DA7142AECCF3BFAC993D8A6592A4E4A301A3A0A31D3C73B7B3C5A6CF61BE11CECABDE0038883E8E8F6E81A01FDD1A3BFF61D075EFB5BE40E1860E5E0546302111B101D1653017CB9BF36F57CFD14A39E20919D03110251D8F3A9D29CC67387B4B49C5684A4A5EED98B99D3D9C81EE837D7A684B0FAC0A93FB6BA91EF8638"> : tensor<1x32x32xi8>}> : () -> tensor<1x32x32xi8>
  %c2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v4 = tosa.matmul %arg0, %c1, %c2, %c3 : (tensor<1x12x32xi8>, tensor<1x32x32xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x12x32xi32>
  %c5 = "tosa.const"() <{values = dense<[1774726370]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c6 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c7 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v9 = tosa.rescale %v4, %c5, %c6, %c7, %c8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x12x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x12x32xi8>
  %s10 = tosa.const_shape {values = dense<[12, 4, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v11 = tosa.reshape %v9, %s10 : (tensor<1x12x32xi8>, !tosa.shape<3>) -> tensor<12x4x8xi8>
  %v12 = tosa.transpose %v11 {perms = array<i32: 1, 0, 2>} : (tensor<12x4x8xi8>) -> tensor<4x12x8xi8>
  %v13 = tosa.transpose %v12 {perms = array<i32: 0, 2, 1>} : (tensor<4x12x8xi8>) -> tensor<4x8x12xi8>
  %c14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c15 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v16 = tosa.matmul %v12, %v13, %c14, %c15 : (tensor<4x12x8xi8>, tensor<4x8x12xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x12x12xi32>
  %c17 = "tosa.const"() <{values = dense<[1774726370]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c18 = "tosa.const"() <{values = dense<[39]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c19 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c20 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v21 = tosa.rescale %v16, %c17, %c18, %c19, %c20 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4x12x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x12x12xi8>
  return %v21 : tensor<4x12x12xi8>
}
