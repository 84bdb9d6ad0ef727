// Only what the entry function runs is scheduled, once per call.

// RUN: fadiff-run %s --target=gemmini-small | FileCheck %s

// CHECK: {{^}}{{(conv|depthwise|matmul):[0-9]+}}
// CHECK-NEXT: {{^}}{{(conv|depthwise|matmul):[0-9]+}}
// CHECK-NEXT: {{^}}total
// CHECK: as predicted
// CHECK: output identical to the reference

func.func private @product(%a: tensor<20x24xi8>, %b: tensor<24x24xi8>) -> tensor<20x24xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<20x24xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<20x24xi32>) -> tensor<20x24xi32>
  %sum = linalg.matmul ins(%a, %b : tensor<20x24xi8>, tensor<24x24xi8>) outs(%init : tensor<20x24xi32>) -> tensor<20x24xi32>
  return %sum : tensor<20x24xi32>
}

func.func @unused(%a: tensor<20x24xi8>, %b: tensor<24x24xi8>) -> tensor<20x24xi32> {
  %sum = call @product(%a, %b) : (tensor<20x24xi8>, tensor<24x24xi8>) -> tensor<20x24xi32>
  return %sum : tensor<20x24xi32>
}

func.func @main(%a: tensor<20x24xi8>, %b: tensor<24x24xi8>, %c: tensor<24x24xi8>) -> (tensor<20x24xi32>, tensor<20x24xi32>) {
  %x = call @product(%a, %b) : (tensor<20x24xi8>, tensor<24x24xi8>) -> tensor<20x24xi32>
  %y = call @product(%a, %c) : (tensor<20x24xi8>, tensor<24x24xi8>) -> tensor<20x24xi32>
  return %x, %y : tensor<20x24xi32>, tensor<20x24xi32>
}
