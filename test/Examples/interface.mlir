// Arguments and results of every kind: rank 0, empty, returned unchanged, a
// constant, the same value twice, a strided slice. None of the results may
// share memory that is freed twice, and no argument is overwritten.

// RUN: fadiff-run --reference-only --print-values %s | FileCheck %s

func.func @main(
    %bytes: tensor<4xi8> {fadiff.fill = "uniform(5, 5)"},
    %scalar: tensor<f32> {fadiff.fill = "ones"},
    %empty: tensor<0x3xi16>,
    %wide: tensor<2xi64> {fadiff.fill = "uniform(-9223372036854775808, -9223372036854775808)"},
    %half: tensor<2x1xf64> {fadiff.fill = "uniform(-0.5, -0.5)"},
    %short: tensor<3xi16> {fadiff.fill = "zeros"})
    -> (tensor<4xi8>, tensor<4xi8>, tensor<f32>, tensor<0x3xi16>, tensor<2xi64>,
        tensor<2x1xf64>, tensor<3xi16>, tensor<4xi8>, tensor<4xi8>, tensor<2xi8>,
        tensor<2xi8>) {
  %at = arith.constant 3 : index
  %three = arith.constant 3 : i8
  %constant = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %changed = tensor.insert %three into %bytes[%at] : tensor<4xi8>
  %slice = tensor.extract_slice %constant[1] [2] [2] : tensor<4xi8> to tensor<2xi8>
  %seven = arith.constant 7 : i8
  %e = tensor.empty() : tensor<2xi8>
  // Bufferization would like to write this to the slice of the constant.
  %filled = linalg.fill ins(%seven : i8) outs(%slice : tensor<2xi8>) -> tensor<2xi8>
  return %bytes, %changed, %scalar, %empty, %wide, %half, %short, %constant,
      %constant, %slice, %filled
      : tensor<4xi8>, tensor<4xi8>, tensor<f32>, tensor<0x3xi16>, tensor<2xi64>,
        tensor<2x1xf64>, tensor<3xi16>, tensor<4xi8>, tensor<4xi8>, tensor<2xi8>,
        tensor<2xi8>
}

// CHECK: output 0: tensor<4xi8>
// CHECK-NEXT: values 0: 5 5 5 5{{$}}
// CHECK: values 1: 5 5 5 3{{$}}
// CHECK: output 2: tensor<f32> {{.*}} zero 0.00% saturated 0.00%
// CHECK-NEXT: values 2: 1{{$}}
// CHECK: output 3: tensor<0x3xi16>
// CHECK-NEXT: values 3: {{$}}
// CHECK: output 4: tensor<2xi64> {{.*}} saturated 100.00%
// CHECK-NEXT: values 4: -9223372036854775808 -9223372036854775808{{$}}
// CHECK: output 5: tensor<2x1xf64>
// CHECK-NEXT: values 5: -0.5 -0.5{{$}}
// CHECK: output 6: tensor<3xi16> {{.*}} zero 100.00%
// CHECK-NEXT: values 6: 0 0 0{{$}}
// CHECK: values 7: 1 2 3 4{{$}}
// CHECK: values 8: 1 2 3 4{{$}}
// CHECK: values 9: 2 4{{$}}
// CHECK: values 10: 7 7{{$}}
