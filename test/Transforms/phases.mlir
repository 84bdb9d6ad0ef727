// A transposed convolution, written as one of an image with zeros between its
// pixels, is one convolution of the image for each phase of its outputs. These
// are layers that write in steps to where the result lies.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-normalize | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini pack=off" --fadiff-bufferize | FileCheck %s --check-prefix=PLACE
// RUN: fadiff-run %s --entry=even --target=gemmini --pack=off --seed=3 | FileCheck %s --check-prefix=ALL
// RUN: fadiff-run %s --entry=even --target=gemmini-small --pack=off --seed=3 --requantize=hardware | FileCheck %s --check-prefix=ALL
// RUN: fadiff-run %s --entry=odd --target=gemmini-large --pack=off --seed=3 | FileCheck %s --check-prefix=ALL
// RUN: fadiff-run %s --entry=beyond --target=gemmini --pack=off --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=gaps --target=gemmini --pack=off --seed=3 | FileCheck %s --check-prefix=SAME
// RUN: fadiff-run %s --entry=joined --target=gemmini --pack=off --seed=3 | FileCheck %s --check-prefix=JOINED
// RUN: fadiff-run %s --entry=real --target=gemmini-fp32 --pack=off --seed=3 --float-tolerance=1e-5 | FileCheck %s --check-prefix=REAL
// ALL:     on the array: 100.0 % {{.*}}; on the host: 0 operations
// ALL:     DRAM bytes read {{[0-9]+}}, written {{[0-9]+}}: as predicted
// ALL:     output identical to the reference
// SAME:    DRAM bytes read {{[0-9]+}}, written {{[0-9]+}}: as predicted
// SAME:    output identical to the reference
// JOINED:  on the host: 1 operation
// JOINED:  1 x tensor.concat
// JOINED:  output identical to the reference
// REAL:    on the array: 100.0 % {{.*}}; on the host: 0 operations
// REAL:    DRAM bytes read {{[0-9]+}}, written {{[0-9]+}}: as predicted

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Of four taps along each axis a phase meets two.
// CHECK-LABEL: func.func @even(
// CHECK-SAME:    %[[X:.*]]: tensor<1x8x8x4xi8>)
// CHECK-COUNT-4: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x9x9x4xi8>, tensor<{{2x2x4x16|4x2x2x16}}xi8>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<1x16x16x16xi8>
// CHECK:         %[[A:.*]] = tensor.insert_slice %{{.*}} into %[[E]][0, 0, 0, 0] [1, 8, 8, 16] [1, 2, 2, 1]
// CHECK:         %[[B:.*]] = tensor.insert_slice %{{.*}} into %[[A]][0, 0, 1, 0] [1, 8, 8, 16] [1, 2, 2, 1]
// CHECK:         %[[C:.*]] = tensor.insert_slice %{{.*}} into %[[B]][0, 1, 0, 0] [1, 8, 8, 16] [1, 2, 2, 1]
// CHECK:         %[[D:.*]] = tensor.insert_slice %{{.*}} into %[[C]][0, 1, 1, 0] [1, 8, 8, 16] [1, 2, 2, 1]
// CHECK:         return %[[D]]
// PLACE-LABEL: func.func @even(
// PLACE:         memref.subview %{{.*}}[0, 0, 0, 0] [1, 8, 8, 16] [1, 2, 2, 1]
// PLACE-NOT:     memref.copy
// PLACE:         return
func.func @even(%x: tensor<1x8x8x4xi8>) -> tensor<1x16x16x16xi8> {
  %w = arith.constant dense<"0x4420823CFDE6F1C26B30F90EC7DD01E4887534A20F0B0D04C36ED80E71E0FD77B07670EB940BD5335F973DAAD8619B91FFC911F57CCED458BBBF2CE03753C9BDFA0FF0169DC9575674066676CFB0B4EB8902C44269DA1CF6BA66D3F8B6D4B100A9EA0E755A5C2E8210242A08E7078F7F89385EB09423555182568B96E8A4FEF23A0C9FC5AFD7608437816BDD0A7309CB4A1252E4DA70E6720FCAA4DA1E98406C189C24279E9851D5814204136FEB5713C166B13269DD63FC35C797FF08A6CD90095066A745ADDB6D8831C2B0F87821142B4456556D89AA82BCADAE3A9578FA4535A414D025C24B40AE3AC127722988BA973AEA8D37179706072ED33A14607AD7523BE6557B5134DEC19681F4A1336AA2140D0597A3E6C8A0CC2020A2E939806EF0B6845D6A9D657EB8298F2DE52EAD74C79D15A75FA29B7DAB332F7D700A7CCD258924260B0594B7FCF04E33A727585B4C48A39C369640694810A1695B99DD50187E8120E4DC80E0E805CAAD5784F80CD5091FB5464046848DCBCD582D77F8035AA2E0737AA0FDF573D3AC8C701824BC51689F9899BE54ED2B3FC15A4F80DA6F1AFDC9B2C454142E8233882A4729E37BC3DDCB54A6E040F96C3DDCD13C978E7FC10261E00A0F7C856958914B668B9F80E456B6FBD73E6AC46891370C3C06974526BF9FDFB6A5003FE2E6B39CCCADFC39C1C368018E65ECD19C57E665B801C7DACFAC22FC7E940AD04FCB8A5B2505B287D29B4DEC84F856EF178A32D823B522E20A54522FCD8D9B6A6A79AA892326BCEF1956988AB676C8CC58F784A871847D0FCEA2DD7F89612554E34B86EB534646E1B89ECD7B3B699C223674CBA4FC335F171C0B6E11FDE2AF8C3C583071CC77FDE6C156767891ECC76CE784A9FE386D28170702F5A3C49364CC514D0F07C64A1DC2824228EC9B07121F42158C3CDD2E610EFF428E62E5C7A889857C7D1E59B3DB1FB4D366D9238825805A314D1E68DB161B2EF0BD32A0144010E241CAE40C8A2E80A62B9A11C41D85A04285C23B9B30D97D69A9ADC8F63542E50F955066BDC7A631D1B040211699A0D598A3B48BA6043E4CA2A6A723E78FF5E8BAC2281C4418FB807DADB9BDCE9DEDAE550E4B807144395ED21932883668852228256F58DD0BBCF9917066FC78D9E7BB60F62583D06704C2F927CED914B4EA036199023D9AA190D2D19DE79A43E347538104D912BCD7CD90092E2E02C489ED8BBEF6ACC6E93BF7B54AD44B095885BC4193D38493D78CDDABF86EFBCDD92E2042694C750D34814FF532CC5F012DDA1A6FD8B11834D63C878E5BF5186D2CC73FE596FEC93BF5364CC5675583D593FC6DACF83404B1881CE19933758C8A7ED24B428363D01D4CD38A8FF59C88FB6DFFBCF07BAD5A5CE64C1DA6456DA1FCF5A83C414783732D19583B73669DD8A7020A9C702B728FAE89C20B3E"> : tensor<4x4x4x16xi8>
  %none = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x15x15x4xi8>
  %f = linalg.fill ins(%none : i8) outs(%e : tensor<1x15x15x4xi8>) -> tensor<1x15x15x4xi8>
  %z = tensor.insert_slice %x into %f[0, 0, 0, 0] [1, 8, 8, 4] [1, 2, 2, 1] : tensor<1x8x8x4xi8> into tensor<1x15x15x4xi8>
  %p = tensor.pad %z low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %none : i8
  } : tensor<1x15x15x4xi8> to tensor<1x19x19x4xi8>
  %se = tensor.empty() : tensor<1x16x16x16xi32>
  %sf = linalg.fill ins(%zero : i32) outs(%se : tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi32>
  %sum = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x19x19x4xi8>, tensor<4x4x4x16xi8>) outs(%sf : tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi32>
  %scale = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %oe = tensor.empty() : tensor<1x16x16x16xi8>
  %bytes = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<1x16x16x16xi32>) outs(%oe : tensor<1x16x16x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %r = arith.sitofp %a : i32 to f32
    %m = arith.mulf %r, %scale : f32
    %u = math.roundeven %m : f32
    %l = arith.maximumf %u, %low : f32
    %t = arith.minimumf %l, %high : f32
    %b = arith.fptosi %t : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x16x16x16xi8>
  return %bytes : tensor<1x16x16x16xi8>
}

// Phases of one tap and of two, of sizes of their own.
// CHECK-LABEL: func.func @odd(
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<1x9x9x4xi8>, tensor<{{1x1x4x16|4x1x1x16}}xi8>)
// CHECK:         tensor.insert_slice %{{.*}}[0, 0, 0, 0] [1, 9, 9, 16] [1, 2, 2, 1]
// CHECK:         tensor.insert_slice %{{.*}}[0, 0, 1, 0] [1, 9, 8, 16] [1, 2, 2, 1]
// CHECK:         tensor.insert_slice %{{.*}}[0, 1, 0, 0] [1, 8, 9, 16] [1, 2, 2, 1]
// CHECK:         tensor.insert_slice %{{.*}}[0, 1, 1, 0] [1, 8, 8, 16] [1, 2, 2, 1]
// CHECK:         return
func.func @odd(%x: tensor<1x9x9x4xi8>) -> tensor<1x17x17x16xi8> {
  %w = arith.constant dense<"0x1C2E2BB8569D806C1251DCC9BEE389120EBAEEA3C2D8545A78760C5AA65845B85DE4D4BAB5B9E452CCEC7FFA8EFFB5E8ECB3E9F971A65589F59E9BD09F6AFABB26AE0461361E198B743645887D6B1ED8101DB9B8587F0C2A3A220C140ABF8241505E00C5167E4D1202B03992ACFA0F9DE51787CD4EF2732FA1340CE541C9F9A749AE8486D609471D811143525731E876107E77E325802974B883D88E024D12C4D152382C7B34330A5D76356F0CEDE89EC26C6BDED90A1AD65C30F5BB093CBB94BE9D09D333359C6508E71ED2F8ED6A2502910CBE9C2770FB623BBFC8ED47B0CA3E823E3E29ABC86C350CF016FE94B7EA48BF89F7F4D6FB97CA7650FA84DA2B3124B65A4BD5222C134197C776A8E05892394FD831A87F835650EC78CEB74AEEE10FC45CC91BF78CCF81D3F1B8A9297360CEC305A0EDEE5A3008CE6EC56E33C7668C62FA4604DEF68158EF6825B301F821F8ABEB88EB0E28B158CF82451B53FFC3ED964F0590EF00BB11C3E2689DFF44F79A2784A09BAA9FC92F6BC84C2D9D1477EA768E1F3939C2BA6DA3B627ABEAB955FEE295EC44E26E8BA7513279F061BF5EB647457789C1CCAF8FA4CC9525BC9DCAF75984B5E1F42C5FA1C2410E35B355B727DF04A479C791F04DB8A167FF304868A98048D7B8802DAF607E7A17ACBE1F495A20DCE38B43A43BADCA741BC8F2FAA22EFDCDE856D2C5E71737E7413C5927C99CEA048136B370580C4BDA2FACEE19F37B21F6470F461E186603AC7A47BEFB00433B7E37EE6C1B6EC2ACC953354D6B58C16798AEDC49DA42CBA0993233F28B91"> : tensor<3x3x4x16xi8>
  %none = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x17x17x4xi8>
  %f = linalg.fill ins(%none : i8) outs(%e : tensor<1x17x17x4xi8>) -> tensor<1x17x17x4xi8>
  %z = tensor.insert_slice %x into %f[0, 0, 0, 0] [1, 9, 9, 4] [1, 2, 2, 1] : tensor<1x9x9x4xi8> into tensor<1x17x17x4xi8>
  %p = tensor.pad %z low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %none : i8
  } : tensor<1x17x17x4xi8> to tensor<1x19x19x4xi8>
  %se = tensor.empty() : tensor<1x17x17x16xi32>
  %sf = linalg.fill ins(%zero : i32) outs(%se : tensor<1x17x17x16xi32>) -> tensor<1x17x17x16xi32>
  %sum = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x19x19x4xi8>, tensor<3x3x4x16xi8>) outs(%sf : tensor<1x17x17x16xi32>) -> tensor<1x17x17x16xi32>
  %scale = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %oe = tensor.empty() : tensor<1x17x17x16xi8>
  %bytes = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<1x17x17x16xi32>) outs(%oe : tensor<1x17x17x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %r = arith.sitofp %a : i32 to f32
    %m = arith.mulf %r, %scale : f32
    %u = math.roundeven %m : f32
    %l = arith.maximumf %u, %low : f32
    %t = arith.minimumf %l, %high : f32
    %b = arith.fptosi %t : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x17x17x16xi8>
  return %bytes : tensor<1x17x17x16xi8>
}

// Outputs beyond the image, and an axis without zeros.
// CHECK-LABEL: func.func @beyond(
// CHECK-COUNT-3: tensor.insert_slice {{.*}} [1, 1, 3, 1]
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return
func.func @beyond(%x: tensor<2x7x12x4xi8>) -> tensor<2x9x32x16xi8> {
  %w = arith.constant dense<"0x7942BDF22106F0847762F0F3CB4D764DC7072051159A0F89F2C6DACAE344BB311245FD6F84DF9AD7C5B3D076AC0E8F53A7356C88913F20F6F72DB022D24D0A96DAD43C1617C1A98E78129E0327371065D095864F15ADA0B846C1C0EBC5348ADC799ADF849BAD05D4A10AC0441EAAEEB4B48EFA0B1F0ABD80E998A35ABA5EA0BD8799C1350D439E71897AA75FDE3134A4AA72E05628AC6FE68A733D1161A15D8EAE2BB042D7958AEDB1D594D6D112D34F6602F4DE7110E993AE7422923D7D171165DC1906F63D57997A0AD31B3AAE4081F41FB471653E3D577A8C4103F9CC198A7F89D81AF2A5001C40173F1923F7102CFAA150A124B3C5C79BB88761A8DB3F4101C2285B15BFEBC216DC1BBEFEA1D7D6EB097D6F8A24D972DA420EA6BF863EED3FC037A33402F24978C7162F32C05B0CAE3E0D3AF691992D127A36331FA65C277B5C7FE8C981BCCBB3D62AC078D352D4F74FCD4C5331FEF7E25F4588654BA17697D3886F9D0B89F5C36658B87AA4F749D6F569EF0EF625CC17EF7578236F827B6184465F12825617A05DD82E2B3C2F879512B6E7AC030FABA9DFC2F8276BFAC840A33D8C27DD39E08031BFBCE6978736AD3AFCB41E965D4C5BBDE83F3748A9D7995FEAF69F5A23365CC8B733888AC41B4515F58A7EB5AACEE523B4FE394D8A3339395E60D5C8414ACB63575B6780BD960FE3D0C4A19EFE99F70F61013777FB58EB65636C12E339914E45EF2D190DB87727FF09ADA5A8B044291128AF692066DF71F8A13715D1276652C8FEF222D86AFA9B0BEDEACDE05CE91383BBBDE5B9CD72016B84BD49EB63516B0B57CE560E473856E2FB5E1E0BCEE5A2D0101A7ACE14CBFC0D707B30C7F26154AA3BB13F1A948CEE99FA7F880FACB0A22F1DDE2D01350F"> : tensor<2x5x4x16xi8>
  %none = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x7x34x4xi8>
  %f = linalg.fill ins(%none : i8) outs(%e : tensor<2x7x34x4xi8>) -> tensor<2x7x34x4xi8>
  %z = tensor.insert_slice %x into %f[0, 0, 0, 0] [2, 7, 12, 4] [1, 1, 3, 1] : tensor<2x7x12x4xi8> into tensor<2x7x34x4xi8>
  %p = tensor.pad %z low[0, 1, 0, 0] high[0, 2, 2, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %none : i8
  } : tensor<2x7x34x4xi8> to tensor<2x10x36x4xi8>
  %se = tensor.empty() : tensor<2x9x32x16xi32>
  %sf = linalg.fill ins(%zero : i32) outs(%se : tensor<2x9x32x16xi32>) -> tensor<2x9x32x16xi32>
  %sum = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<2x10x36x4xi8>, tensor<2x5x4x16xi8>) outs(%sf : tensor<2x9x32x16xi32>) -> tensor<2x9x32x16xi32>
  %scale = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %oe = tensor.empty() : tensor<2x9x32x16xi8>
  %bytes = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<2x9x32x16xi32>) outs(%oe : tensor<2x9x32x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %r = arith.sitofp %a : i32 to f32
    %m = arith.mulf %r, %scale : f32
    %u = math.roundeven %m : f32
    %l = arith.maximumf %u, %low : f32
    %t = arith.minimumf %l, %high : f32
    %b = arith.fptosi %t : f32 to i8
    linalg.yield %b : i8
  } -> tensor<2x9x32x16xi8>
  return %bytes : tensor<2x9x32x16xi8>
}

// A phase that meets no tap has no layer.
// CHECK-LABEL: func.func @gaps(
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0] [1, 8, 8, 4] [1, 3, 3, 1]
// CHECK-NOT:     tensor.insert_slice
// CHECK:         return
func.func @gaps(%x: tensor<1x8x8x4xi8>) -> tensor<1x23x23x16xi8> {
  %w = arith.constant dense<"0x789B34CAF54F2E220ACD941E71B88D5836866D0D858B63549E94BE2CACC67F5B7EF28F2D9903959F63D3D893DCE752779C84162917EC8FF1AF4A6422D367E18D5EB6DFA465A5331F758E793EA95A94EB0D15B62A92A709A593A44ED2279662E3954580C351A904BA16E856BAB99431E06AD96A3A1E1F1C564C14FB7FA4123E95D166F4677BE0D2FB1270D7E37FDB6EFF60101282817C6A76D58548A61AA13BCE14FDC62FDC6B54AC97F1A1D76E89ADC8FE268F6116CA41891E55EDF1CEC76F016C5006833BCAC3711B6752A9F1E10D281139FA834715B9280598B1262BE8C3699FC677F9CC30273ABBDED4E322649AF5D83C55BE535A4CA7FDAD840256029F3D"> : tensor<2x2x4x16xi8>
  %none = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x22x22x4xi8>
  %f = linalg.fill ins(%none : i8) outs(%e : tensor<1x22x22x4xi8>) -> tensor<1x22x22x4xi8>
  %z = tensor.insert_slice %x into %f[0, 0, 0, 0] [1, 8, 8, 4] [1, 3, 3, 1] : tensor<1x8x8x4xi8> into tensor<1x22x22x4xi8>
  %p = tensor.pad %z low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %none : i8
  } : tensor<1x22x22x4xi8> to tensor<1x24x24x4xi8>
  %se = tensor.empty() : tensor<1x23x23x16xi32>
  %sf = linalg.fill ins(%zero : i32) outs(%se : tensor<1x23x23x16xi32>) -> tensor<1x23x23x16xi32>
  %sum = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x24x24x4xi8>, tensor<2x2x4x16xi8>) outs(%sf : tensor<1x23x23x16xi32>) -> tensor<1x23x23x16xi32>
  %scale = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %oe = tensor.empty() : tensor<1x23x23x16xi8>
  %bytes = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<1x23x23x16xi32>) outs(%oe : tensor<1x23x23x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %r = arith.sitofp %a : i32 to f32
    %m = arith.mulf %r, %scale : f32
    %u = math.roundeven %m : f32
    %l = arith.maximumf %u, %low : f32
    %t = arith.minimumf %l, %high : f32
    %b = arith.fptosi %t : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x23x23x16xi8>
  return %bytes : tensor<1x23x23x16xi8>
}

// What is concatenated then lies in steps of its place there.
// PLACE-LABEL: func.func @joined(
// PLACE:         %[[WHOLE:.*]] = memref.alloc() {{.*}}: memref<1x16x16x32xi8>
// PLACE:         %[[PART:.*]] = memref.subview %[[WHOLE]][0, 0, 0, 0] [1, 16, 16, 16] [1, 1, 1, 1]
// PLACE:         memref.subview %[[PART]][0, 0, 0, 0] [1, 8, 8, 16] [1, 2, 2, 1]
// PLACE:         memref.copy %arg1,
// PLACE-NOT:     memref.copy
// PLACE:         return
func.func @joined(%x: tensor<1x8x8x4xi8>, %other: tensor<1x16x16x16xi8>) -> tensor<1x16x16x32xi8> {
  %w = arith.constant dense<"0x82B70EEE7F1A5039BEF07EC2347F066ED08F5DC7512447E3404300026B6E545594A065685D64C4980BB8D4544A8721A99A01AD219EB59CF6A15EF6F15A1D830BB7CE09D6BBC004E7175C643C7DECB0B580EC37BC9712DD2E6AAEB94BAE8D2F9FA29C5A284C9EF7521829CF1079B080E9D74A1C10FCAB6A4243D33656DEBE4C1ED79648E856E8F9A2F58C95F0CE4B39C15BFFAD5C2DFB8BB820B6119CBA8FF88796AE5B05F280A68CED93B6B28CB0D1B358E6BAAB485565B9F49028D557D79A8A0E6451E15C705C15F173541B4438A25CF76312D4EEB3C2246879BF00B3CF8ED13ABF129A3097AD96B442D6D1BDEF4850C3F465442EB300C337A648A6C0DBDD73"> : tensor<2x2x4x16xi8>
  %none = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x15x15x4xi8>
  %f = linalg.fill ins(%none : i8) outs(%e : tensor<1x15x15x4xi8>) -> tensor<1x15x15x4xi8>
  %z = tensor.insert_slice %x into %f[0, 0, 0, 0] [1, 8, 8, 4] [1, 2, 2, 1] : tensor<1x8x8x4xi8> into tensor<1x15x15x4xi8>
  %p = tensor.pad %z low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %none : i8
  } : tensor<1x15x15x4xi8> to tensor<1x17x17x4xi8>
  %se = tensor.empty() : tensor<1x16x16x16xi32>
  %sf = linalg.fill ins(%zero : i32) outs(%se : tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi32>
  %sum = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x17x17x4xi8>, tensor<2x2x4x16xi8>) outs(%sf : tensor<1x16x16x16xi32>) -> tensor<1x16x16x16xi32>
  %scale = arith.constant 0.00390625 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %oe = tensor.empty() : tensor<1x16x16x16xi8>
  %bytes = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<1x16x16x16xi32>) outs(%oe : tensor<1x16x16x16xi8>) {
  ^bb0(%a: i32, %o: i8):
    %r = arith.sitofp %a : i32 to f32
    %m = arith.mulf %r, %scale : f32
    %u = math.roundeven %m : f32
    %l = arith.maximumf %u, %low : f32
    %t = arith.minimumf %l, %high : f32
    %b = arith.fptosi %t : f32 to i8
    linalg.yield %b : i8
  } -> tensor<1x16x16x16xi8>
  %all = tensor.concat dim(3) %bytes, %other : (tensor<1x16x16x16xi8>, tensor<1x16x16x16xi8>) -> tensor<1x16x16x32xi8>
  return %all : tensor<1x16x16x32xi8>
}

// In f32, with all that a layer does behind its sums.
func.func @real(%x: tensor<1x8x8x4xf32>) -> tensor<1x16x16x16xf32> {
  %w = arith.constant dense<"0xAC30163F29D7243F5231F5BC7F19F4BECBC47FBFE9B9A63E58AD73BD6AFB043F3FE281BEC54F0A3FD5C1E8BEAB941A3F3357EB3E641D30BEEFE59C3DC66BBA3E16311DBF939BDB3D38391C3F401BF0BEB3521B3F7D25BE3EC645303F305DA8BEAA5050BFA8BE193F530C1C3FF368E0BD05FC4FBF940D1BBF2B288A3EFAD3D5BE5D1A673F1564353E002719BF39229F3EA9F88EBEBB8F5D3F74AB513F6D0BF03CA20A943E03A9CA3E246B1C3F6DE7733FAD7271BF57F38DBEDB60503E2F5FC8BECF97363E7C1452BFB299423FBDF44E3D982F44BF9FA5A63E8039C0BE83881BBFB72A05BD3B4A39BFEB8914BFF4273B3F2AFBCA3EA09679BF8E5D0E3F134477BF1A19ABBE7A124F3FA24D763E4B87C6BE31137BBE28FD62BE850F3FBF16F07F3F6D7164BF8DEC1DBE7C39FC3EF46051BE2A42763F976602BF0C61753FE9D5483F654DAE3E306E473FEE4AD8BDD99A293F449A173F7AB2083D9F246EBDF09BD23EC73C3ABEDE0054BFA96EFC3EF5CCEFBEF21CCABC496C113FD3DE27BF04CD74BF39C540BF821F373E23498EBE4B89F9BE1385C6BD02EE5A3F4E1FFBBE3C2637BECE32423F23BD653ECBA1EDBE392F4FBD02CF2FBD873337BFC2EC7ABE85FDC6BE03071C3F30D9B4BEA310A33E4008713FBB9D583F46DD7DBE2302533E4C34B8BEC05150BEEAA0C4BCA33D163FA88B5F3F353BD6BE5DD47CBFBC6ECFBD21C362BF139570BFBF110C3F5E9546BF59C0DF3EE74C8DBE457B603FDBFC343F831D60BF635F1DBF7C10653F444F683EF3831FBE7E88103FE284203FC71588BC43C77EBD7BB84CBF36578DBEFCC735BF999B803EB3465A3E6B2136BF6014833EC82B4EBFE3044ABF5810953EF1B998BD75964C3F524C843E0F34CE3EFDF83EBFD9522A3FC73955BFCEE9713ECEA2523FE9C1503FEA5D493F95ACC4BD9C73C63E8829153FB3D139BF9005633FDE4A513FD920F2BD4B970E3F0BC4D8BD8CF5E4BE0C94D93EA0665FBFA7B3193F80C6743F4A10DBBE9B1C613FAA2755BF1A56373F087AE1BE76B46E3FE2EE0DBEC025583F15A96FBF8B2654BF76FB213FFDE58D3E9F69913D46406FBF1F4627BF9F9E84BE9F5765BFC16F7C3FFFC7073FC94B663FA980CD3E4647A0BE7E4558BF8C13ED3E349D45BFB406C13D393F93BD763733BCCF8159BF77205ABF9C06263D7D6570BFFB43503DD30B33BF7388DFBEE8AF32BF9A280C3E22BE64BE2AC80DBFFF8A0EBF6930033E9837523F999E25BE29732CBFBFE7BBBE00F304BF3033143E67A5123F7F230D3E4CAB1FBF38EEB2BEC98B73BE44E5F1BDA4E551BE03BB7E3F1423D13D05F7A53EBB90DD3E79A0943EC14A1C3FB3D782BE888EAA3E5EF6713F57F72BBFC379803E10236CBECBBB60BFF8956BBF2497043F295445BF251CD83EA1B94CBFD58F87BEFC856FBFD020AF3D0BA4123F01810CBF75BF053EEF34583F3875D3BEE82A6DBD2487E53E6E7B3A3FAFAB29BF293BA53EB58742BFA08A46BF616C773FB96466BF22F0563FD80E003FCB28B43E58F2EA3E7C969A3EBC15DABE50F2E7BDE38018BF3AF2373F50C00E3FDB38133F0F7412BF37D93C3E28F0FABE05C1143F43A6FA3E797F7D3FEB30D53E464DBC3E0CD50D3F520950BF744E433E8C3C6FBF540C88BEEE0844BF1F9E653F3AA871BFD3B6573FF450653F8DD503BED1382A3FFC8065BFA6A038BFCBF77ABF9A235DBFCAAD7EBF091B283F6C3053BF29D3393E9836E8BEB3383CBFCD7125BE7EE522BF5951743FA2C36DBE4724403E5023023E18EA813EFC4520BD335DEBBEDEF839BF44AE463F856C1DBFB845D3BDBEE21D3FA5C41B3E316A653F047B1E3F514DDE3CEC9A42BFAFD73D3EA27C57BD2D38393FF3477C3D25ECC63E2A8C1F3F0F1C72BDE20C2F3F85774C3F06F930BFC79A563F154F3D3F1DC2353F4321A6BE3722FEBE9BFD3BBFBC1B84BE51C6353F2B688CBEF8417DBF2BC2C7BE91BE55BF0FE27A3E4156093F456E5A3FEE5152BF5DEF74BE418F3FBF2822523FA0862C3F303E223D1F78683F1A20263D41870D3F21B4C3BCD7FE8ABEAB237D3F8DF32E3F98C33B3E17053C3F8407993E5276183F72D65DBF05AC3CBF9CFB47BF5A2D533E0AEEE03E3D9430BF2856283CB5D645BF7E12C03EB8DC0E3F18A053BFD1C3753FB1DAA83EEA0F40BF"> : tensor<3x2x4x16xf32>
  %none = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x15x15x4xf32>
  %f = linalg.fill ins(%none : f32) outs(%e : tensor<1x15x15x4xf32>) -> tensor<1x15x15x4xf32>
  %z = tensor.insert_slice %x into %f[0, 0, 0, 0] [1, 8, 8, 4] [1, 2, 2, 1] : tensor<1x8x8x4xf32> into tensor<1x15x15x4xf32>
  %p = tensor.pad %z low[0, 1, 1, 0] high[0, 2, 1, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %none : f32
  } : tensor<1x15x15x4xf32> to tensor<1x18x17x4xf32>
  %se = tensor.empty() : tensor<1x16x16x16xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %sum = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x18x17x4xf32>, tensor<3x2x4x16xf32>) outs(%sf : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %oe = tensor.empty() : tensor<1x16x16x16xf32>
  %bytes = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<1x16x16x16xf32>) outs(%oe : tensor<1x16x16x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x16x16x16xf32>
  return %bytes : tensor<1x16x16x16xf32>
}
