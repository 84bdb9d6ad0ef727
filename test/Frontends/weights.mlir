// Weights wherever front ends keep them are constants, for the passes and when run.

// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-run %t/ml_program.mlir --target=gemmini-small | FileCheck %s --check-prefix=EQUAL
// RUN: fadiff-run %t/global.mlir --target=gemmini-small | FileCheck %s --check-prefix=EQUAL
// RUN: fadiff-run %t/resource.mlir --target=gemmini-small | FileCheck %s --check-prefix=EQUAL
// RUN: fadiff-run %t/mutable.mlir --target=gemmini-small | FileCheck %s --check-prefix=EQUAL
// EQUAL: output 0: tensor<8x4xi32>
// EQUAL: output identical to the reference

// RUN: fadiff-opt %t/ml_program.mlir --fadiff-import | FileCheck %s --check-prefix=CONSTANT
// RUN: fadiff-opt %t/global.mlir --fadiff-import | FileCheck %s --check-prefix=CONSTANT
// RUN: fadiff-opt %t/resource.mlir --fadiff-import | FileCheck %s --check-prefix=CONSTANT
// CONSTANT:     arith.constant dense<{{\[\[}}1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
// The globals stay.
// RUN: fadiff-opt %t/ml_program.mlir --fadiff-schedule=target=gemmini-small | FileCheck %s --check-prefix=KEPT
// KEPT: ml_program.global private @w

// What the file does not have, or not all of.
// RUN: fadiff-opt %t/elided.mlir --fadiff-schedule=target=gemmini-small -o /dev/null
// RUN: not fadiff-run %t/elided.mlir --target=gemmini-small 2>&1 | FileCheck %t/elided.mlir
// RUN: not fadiff-run %t/short.mlir --target=gemmini-small 2>&1 | FileCheck %t/short.mlir

//--- ml_program.mlir
ml_program.global private @w(dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>) : tensor<2x4xi8>
ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
func.func @main(%x: tensor<8x2xi8>) -> tensor<8x4xi32> {
  %w = ml_program.global_load_const @w : tensor<2x4xi8>
  %zero = arith.constant dense<0> : tensor<8x4xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x2xi8>, tensor<2x4xi8>) outs(%zero : tensor<8x4xi32>) -> tensor<8x4xi32>
  return %0 : tensor<8x4xi32>
}

//--- global.mlir
memref.global "private" constant @w : memref<2x4xi8> = dense<[[1, 2, 3, 4], [5, 6, 7, 8]]>
func.func @main(%x: tensor<8x2xi8>) -> tensor<8x4xi32> {
  %m = memref.get_global @w : memref<2x4xi8>
  %w = bufferization.to_tensor %m restrict : memref<2x4xi8> to tensor<2x4xi8>
  %zero = arith.constant dense<0> : tensor<8x4xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x2xi8>, tensor<2x4xi8>) outs(%zero : tensor<8x4xi32>) -> tensor<8x4xi32>
  return %0 : tensor<8x4xi32>
}

//--- resource.mlir
func.func @main(%x: tensor<8x2xi8>) -> tensor<8x4xi32> {
  %w = arith.constant dense_resource<w> : tensor<2x4xi8>
  %zero = arith.constant dense<0> : tensor<8x4xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x2xi8>, tensor<2x4xi8>) outs(%zero : tensor<8x4xi32>) -> tensor<8x4xi32>
  return %0 : tensor<8x4xi32>
}
{-#
  dialect_resources: { builtin: { w: "0x010000000102030405060708" } }
#-}

//--- mutable.mlir
// Read and written at run time.
ml_program.global private mutable @count(dense<5> : tensor<8x4xi32>) : tensor<8x4xi32>
func.func @main(%x: tensor<8x2xi8>) -> tensor<8x4xi32> {
  %w = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
  %before = ml_program.global_load @count : tensor<8x4xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x2xi8>, tensor<2x4xi8>) outs(%before : tensor<8x4xi32>) -> tensor<8x4xi32>
  ml_program.global_store @count = %0 : tensor<8x4xi32>
  %after = ml_program.global_load @count : tensor<8x4xi32>
  return %after : tensor<8x4xi32>
}

//--- elided.mlir
func.func @main(%x: tensor<8x2xi8>) -> tensor<8x4xi32> {
  // CHECK: elided.mlir:[[#@LINE+1]]:8: error: needs the values of 'dense_resource<__elided__>', which the file does not have; print the network without --mlir-elide-resource-strings-if-larger and --mlir-elide-elementsattrs-if-larger
  %w = arith.constant dense_resource<__elided__> : tensor<2x4xi8>
  %zero = arith.constant dense<0> : tensor<8x4xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x2xi8>, tensor<2x4xi8>) outs(%zero : tensor<8x4xi32>) -> tensor<8x4xi32>
  return %0 : tensor<8x4xi32>
}

//--- short.mlir
func.func @main(%x: tensor<8x2xi8>) -> tensor<8x4xi32> {
  // CHECK: short.mlir:[[#@LINE+1]]:8: error: needs the values of 'dense_resource<w>', of type 'tensor<2x4xi8>': wanted 8 bytes, found 3
  %w = arith.constant dense_resource<w> : tensor<2x4xi8>
  %zero = arith.constant dense<0> : tensor<8x4xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x2xi8>, tensor<2x4xi8>) outs(%zero : tensor<8x4xi32>) -> tensor<8x4xi32>
  return %0 : tensor<8x4xi32>
}
{-#
  dialect_resources: { builtin: { w: "0x01000000010203" } }
#-}
