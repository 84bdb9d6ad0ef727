// IREE, linalg on tensors: C += A * B. The sums start from an argument, from
// another product's sums, and from a row that is repeated.

// RUN: fadiff-run %s --target=gemmini-small --check | FileCheck %s
// RUN: fadiff-run %s --target=gemmini --check --latency=streams | FileCheck %s
// RUN: fadiff-run %s --target=gemmini-small --check --optimizer=random --max-evaluations=20 --search-seed=3 | FileCheck %s
// RUN: fadiff-opt %s --fadiff-import --fadiff-normalize --fadiff-form-layers | FileCheck %s --check-prefix=LAYERS
// LAYERS: fadiff.layer {{.*}}tensor<24x40xi32>) workload
// LAYERS: fadiff.layer {{.*}}tensor<24x40xi32>) workload
// LAYERS: fadiff.layer {{.*}}tensor<40xi32>) workload
// LAYERS-NOT: fadiff.layer
// CHECK: as predicted
// CHECK: output identical to the reference

func.func @main(%a: tensor<24x50xi8>, %b: tensor<50x40xi8>, %c: tensor<24x40xi32>, %row: tensor<40xi32>) -> (tensor<24x40xi32>, tensor<24x40xi32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<24x50xi8>, tensor<50x40xi8>) outs(%c : tensor<24x40xi32>) -> tensor<24x40xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<24x50xi8>, tensor<50x40xi8>) outs(%0 : tensor<24x40xi32>) -> tensor<24x40xi32>
  %e = tensor.empty() : tensor<24x40xi32>
  %r = linalg.broadcast ins(%row : tensor<40xi32>) outs(%e : tensor<24x40xi32>) dimensions = [0]
  %2 = linalg.matmul ins(%a, %b : tensor<24x50xi8>, tensor<50x40xi8>) outs(%r : tensor<24x40xi32>) -> tensor<24x40xi32>
  return %1, %2 : tensor<24x40xi32>, tensor<24x40xi32>
}
