// Factors of 16 bits whose products are summed in f32: layers of the f32 machine,
// as the products are the same numbers. With halves=factors sums of 16 bits stay
// on the host; half_sums.mlir has them as layers.

// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-fp32 --check | FileCheck %s --check-prefix=RAN
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-fp32 --fadiff-import --fadiff-normalize=halves=host --fadiff-form-layers=allow-empty | FileCheck %s --check-prefix=HOST
// RUN: not fadiff-opt %s --fadiff-normalize=halves=maybe 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini --fadiff-import --fadiff-normalize --fadiff-form-layers=allow-empty | FileCheck %s --check-prefix=HOST

// CHECK-LABEL: func.func @main
// CHECK: fadiff.layer
// CHECK: fadiff.layer {{.*}}tensor<48x8xf32>
// CHECK: linalg.matmul {{.*}}outs({{.*}}tensor<8x8xf16>
// CHECK-NOT: fadiff.layer
// RAN: as predicted
// RAN: {{output identical|largest difference of floats}}
// HOST-NOT: fadiff.layer
// BAD: for the --halves option: wanted factors, widen or host, found 'maybe'

#map = affine_map<(m, n, k) -> (m, k)>
#map1 = affine_map<(m, n, k) -> (k, n)>
#map2 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<32x64xf32>, %y: tensor<64x48xf32>, %b: tensor<8x32xf32>, %wh: tensor<32x8xf16>) -> (tensor<32x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.0 : f16
  %w = arith.constant dense<"0x00B800BA000000B9003B003A003B003800B400B9003B00BC0038003900BC003A000000B000B9003400BC00BC00BC00BC003800B4003900BC003C00B0003A003B00B0003600B000B0003A003000BC003900B900B6003000B90034003C0039003C00B400300030003B003C003800BB003B00B00038003900B60036003600BA003A003C00B900B6003C00380036003B00BC003B00BB0030003800B600B6003C00B000BC00B400B00038003C00360036003A000000BC0038003C00B8003C00B4003900BB003B003600B4003C0039003B00360039003600BC0034003A00BC00B000B600B600BA000000BB00BA00BA00BC003A00BC000000B0000000B900B60036003000BA00B600B60000003C00B600000030003A0034003B003B00B900BC003000380034003900B4000000B90000003C00B4003900BC00B000BC003800B800BB00B6003A003C003900B0003C003A00B0003C00BC00380034003900BB003000B800B400BB003000BA00BA0030003000B60039000000B800BC00BB00B4003A00B6003C00BB003800B4003600B900B4003900B4003B00B900380030003C003B00BC00340038003000BC00B600B4003400B80034003900B4000000B900380036003B00B000BA00BB00BA00B800B600B600B400000034003C000000360034003400B9003000B0003B00B800B9003400BB003900BA003800B800B8003400B9003800BA00B000BA00000036003000B9003A000000B900BB003000BC00BC00BA003900B900BB00B400B0003900B600B9003A00B600B000B600B90039003800300000003B003400B900B4003400BB00BC00BC00300034003A00380034003800BA00BA0034003A00B9000000B4003B0036000000B600B4003000B400B0003600BA000000BA003A00BA003400B00038003000BB003400B60034003000B0003400B900BA00B000B000BC00B0003800BA000000BA00BA00BC00BC00300036003B003B00B800B9003C003400BA003C00B600B600B800B80034003000B9003C003000B800B400B800BB003400B400B60030003900B600BB00B0000000BA003A00390000003A003A00BC"> : tensor<48x8xf16>
  %ea = tensor.empty() : tensor<32x64xf16>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x64xf32>) outs(%ea : tensor<32x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<32x64xf16>
  %ey = tensor.empty() : tensor<64x48xbf16>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x48xf32>) outs(%ey : tensor<64x48xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x48xbf16>
  %e = tensor.empty() : tensor<32x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = linalg.matmul ins(%a, %c : tensor<32x64xf16>, tensor<64x48xbf16>) outs(%f : tensor<32x48xf32>) -> tensor<32x48xf32>
  %e2 = tensor.empty() : tensor<32x8xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<32x8xf32>) -> tensor<32x8xf32>
  %r2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%r, %w : tensor<32x48xf32>, tensor<48x8xf16>) outs(%f2 : tensor<32x8xf32>) {
  ^bb0(%in: f32, %in1: f16, %out: f32):
    %0 = arith.extf %in1 : f16 to f32
    %1 = arith.mulf %in, %0 : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<32x8xf32>
  %eb = tensor.empty() : tensor<8x32xf16>
  %bh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8x32xf32>) outs(%eb : tensor<8x32xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x32xf16>
  %eh = tensor.empty() : tensor<8x8xf16>
  %fh = linalg.fill ins(%half : f16) outs(%eh : tensor<8x8xf16>) -> tensor<8x8xf16>
  %h = linalg.matmul ins(%bh, %wh : tensor<8x32xf16>, tensor<32x8xf16>) outs(%fh : tensor<8x8xf16>) -> tensor<8x8xf16>
  %es = tensor.empty() : tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<8x8xf16>) outs(%es : tensor<8x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %t = arith.extf %in : f16 to f32
    linalg.yield %t : f32
  } -> tensor<8x8xf32>
  return %r2, %s : tensor<32x8xf32>, tensor<8x8xf32>
}
