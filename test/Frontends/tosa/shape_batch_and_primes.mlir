// Batch 4 and prime extents.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}} epilogue(<scale = {{.*}}, relu>)
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%arg0: tensor<4x7x7x5xi8>) -> tensor<4x7x7x13xi8> {
  %c1 = "tosa.const"() <{values = dense<"0xD8E06E518907EC05FE487B940AC810923BA4B08224A494A4E0BA9FBD5FFEA25CFF87DC1D9D632FC05EED9A13382EC7AF4CAC6A0488731F8A17431D3D8C9F3326591ACA630C0CF3234D57B599017D4F37DE88880670311EF27DA469857B09F389561E7A09C3CBB798A42B5CB7F649C124584745B54EA06F7C05DFE8834B604214BFF4E167E21E3DC156F6FF878C5201F9A027459F282F45A58501D5ED8BE0FA894D59DA70C0CD367CF210C92B81EDB39B10E63446DCF12B5EDE479A2A090CA3C26F6A9E027BFF4588DD44493A089B43155C45D3A60595B8A90B4AA20510B588577C2C38A9744E998A87D378972B3EFEC01C55121D995B8433D394DBB8704CCC3552BF2EF95366AEAC4FE3DDE13C7E85B638736EA866A0C1A2842C5D6DED89031C390878E851D3906DE0A98DE43F609D7739BFDD7FEE408ABFF34AE1AFD7F0CADAB15545FE49599A488E4584B0F164E826D5D93278F067FC3615C58463B3D32AD51072320286D1CE45598F0B8E26ABDDAF2759401BF934174B68F7E387ABF4A8824C6CC604F5FCB7040A89974763A422C08A0C8FEBF5B2670E3330304C39C124EC2577AA53CC449A36CA6729DE32323DD8DA664FA4E32FB96AE31262DC1CD5EA42F9EF1E580D4A37007F37DDD66DE364BC9BCB03FB75EF5A08C8F87C26ADA26F39854BD156D9C75116FEE93B92D87F497A098EFC89AA50715807D8871654F16C4D343A57C30F07F2B7082744B7F61A8A4209895B9C4E061E78527C10122670B0210B23623C29B6A041F31EB649F270D2A3F87AF8BD5D85A2AF281F8976081B5B0FC20013961DACBB7922"> : tensor<13x3x3x5xi8>}> : () -> tensor<13x3x3x5xi8>
  %c2 = "tosa.const"() <{values = dense<[-171, 2414, 3274, -16, 898, -2819, -842, 1949, -3027, -1924, -1054, -678, 1144]> : tensor<13xi32>}> : () -> tensor<13xi32>
  %c3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.conv2d %arg0, %c1, %c2, %c3, %c4 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<4x7x7x5xi8>, tensor<13x3x3x5xi8>, tensor<13xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<4x7x7x13xi32>
  %c6 = "tosa.const"() <{values = dense<[1496580680]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c7 = "tosa.const"() <{values = dense<[40]> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c8 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c9 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v10 = tosa.rescale %v5, %c6, %c7, %c8, %c9 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4x7x7x13xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x7x7x13xi8>
  %v11 = tosa.clamp %v10 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4x7x7x13xi8>) -> tensor<4x7x7x13xi8>
  return %v11 : tensor<4x7x7x13xi8>
}
