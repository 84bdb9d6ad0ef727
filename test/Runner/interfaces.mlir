// Arguments that are parts of buffers, memory spaces, integers with a sign, and
// calls that tell the host something.

// RUN: fadiff-run %s --entry=parts --target=gemmini-fp32 --check | FileCheck %s --check-prefix=PARTS
// RUN: fadiff-opt %s --fadiff-static-shapes --fadiff-raise-memrefs | FileCheck %s --check-prefix=OPT
// PARTS: DRAM bytes read {{.*}} as predicted
// PARTS: output 0: tensor<4x9xf32>
// PARTS-NEXT: largest difference of floats from the reference:

// The function's type is the user's.
// OPT: func.func @parts(%{{.*}}: memref<4x8xf32, strided<[16, 1]>>
func.func @parts(%a: memref<4x8xf32, strided<[16, 1]>>,
                 %b: memref<8x6xf32, strided<[24, 2], offset: ?>>,
                 %c: memref<4x6xf32, strided<[9, 1]>>) {
  linalg.matmul
    ins(%a, %b : memref<4x8xf32, strided<[16, 1]>>, memref<8x6xf32, strided<[24, 2], offset: ?>>)
    outs(%c : memref<4x6xf32, strided<[9, 1]>>)
  return
}

// What lies between the parts is left alone: argument 2 is one all over, and
// nothing is written but the first 2 of every 3 columns.
// RUN: fadiff-run %s --entry=between --target=gemmini-fp32 --outputs=%t.npy | FileCheck %s --check-prefix=BETWEEN
// RUN: %python -c "import sys; d=open(sys.argv[1],'rb').read()[-48:]; import struct; v=struct.unpack('<12f', d); sys.exit(any(x != 1 for x in v[2::3]) or any(x == 1 for i, x in enumerate(v) if i %% 3 < 2))" %t.npy
// BETWEEN: output 0: tensor<4x3xf32>
func.func @between(%a: tensor<4x5xf32>, %b: tensor<5x2xf32>,
                   %c: memref<4x2xf32, strided<[3, 1]>> {fadiff.fill = "ones"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  bufferization.materialize_in_destination %r in restrict writable %c : (tensor<4x2xf32>, memref<4x2xf32, strided<[3, 1]>>) -> ()
  return
}

// Memory of another machine is the host's.
// RUN: fadiff-run %s --entry=spaces --target=gemmini-fp32 --check | FileCheck %s --check-prefix=SPACES
// SPACES: on the array: 100.0 % of 512 multiply-accumulates
// SPACES: output 0: tensor<8x8xf32>
// SPACES-NEXT: largest difference of floats from the reference:
func.func @spaces(%a: memref<8x8xf32, 1>, %b: memref<8x8xf32>, %c: memref<8x8xf32, 1 : i32>) {
  %zero = arith.constant 0.0 : f32
  %local = memref.alloc() : memref<8x8xf32, #gpu.address_space<workgroup>>
  %near = memref.alloc() : memref<8x8xf32, 2>
  %cast = memref.memory_space_cast %near : memref<8x8xf32, 2> to memref<8x8xf32>
  memref.copy %a, %local : memref<8x8xf32, 1> to memref<8x8xf32, #gpu.address_space<workgroup>>
  linalg.fill ins(%zero : f32) outs(%cast : memref<8x8xf32>)
  linalg.matmul ins(%local, %b : memref<8x8xf32, #gpu.address_space<workgroup>>, memref<8x8xf32>) outs(%cast : memref<8x8xf32>)
  memref.copy %near, %c : memref<8x8xf32, 2> to memref<8x8xf32, 1 : i32>
  return
}

// As TFLite's networks of unsigned bytes have it: rescaled to signed ones. What
// a file gives is bytes as well.
// RUN: fadiff-run %s --entry=unsigned --target=gemmini | FileCheck %s --check-prefix=UNSIGNED
// UNSIGNED: on the array: 100.0 % of 2048 multiply-accumulates
// UNSIGNED: output 0: tensor<1x8x8x8xi8>
// UNSIGNED-NEXT: output identical to the reference
func.func @unsigned(%x: tensor<1x8x8x4xui8>) -> tensor<1x8x8x8xui8> {
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %one = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %small = "tosa.const"() {values = dense<38> : tensor<1xi8>} : () -> tensor<1xi8>
  %middle = "tosa.const"() {values = dense<128> : tensor<1xui8>} : () -> tensor<1xui8>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %z32 = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %w = "tosa.const"() {values = dense<3> : tensor<8x1x1x4xi8>} : () -> tensor<8x1x1x4xi8>
  %b = "tosa.const"() {values = dense<5> : tensor<8xi32>} : () -> tensor<8xi32>
  %q = tosa.rescale %x, %m, %one, %middle, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = true, output_unsigned = false} : (tensor<1x8x8x4xui8>, tensor<1xi32>, tensor<1xi8>, tensor<1xui8>, tensor<1xi8>) -> tensor<1x8x8x4xi8>
  %c = tosa.conv2d %q, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xi8>, tensor<8x1x1x4xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
  %r = tosa.rescale %c, %m, %small, %z32, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
  %u = tosa.rescale %r, %m, %one, %z, %middle {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = true} : (tensor<1x8x8x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xui8>) -> tensor<1x8x8x8xui8>
  return %u : tensor<1x8x8x8xui8>
}

// torch's: a cast between the two.
// RUN: fadiff-run %s --entry=cast --target=gemmini | FileCheck %s --check-prefix=CAST
// CAST: on the array: 100.0 % of 512 multiply-accumulates
// CAST: output identical to the reference
func.func @cast(%x: tensor<8x8xui8>, %w: tensor<8x8xsi8>) -> tensor<8x8xi32> {
  %xs = builtin.unrealized_conversion_cast %x : tensor<8x8xui8> to tensor<8x8xi8>
  %ws = builtin.unrealized_conversion_cast %w : tensor<8x8xsi8> to tensor<8x8xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%xs, %ws : tensor<8x8xi8>, tensor<8x8xi8>) outs(%f : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %r : tensor<8x8xi32>
}

// A function that returns nothing, and gets nothing to write to, may as well not
// be called; one that gets a buffer may be what computes the network.
// RUN: fadiff-run %s --entry=told --target=gemmini 2>&1 | FileCheck %s --check-prefix=TOLD
// TOLD: interfaces.mlir:[[#@LINE+14]]:3: remark: the call of @record is not run: nothing is printed
// TOLD: output identical to the reference
// RUN: not fadiff-run %s --entry=told --target=gemmini --allow-external 2>&1 | FileCheck %s --check-prefix=TRUSTED
// TRUSTED: error: '@record' is only declared: wanted a body or a symbol that the host provides, found neither; this process has no such symbol
// RUN: not fadiff-run %s --entry=written --target=gemmini 2>&1 | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: error: '@compute' is only declared: wanted a body or a symbol that the host provides, found neither; pass --allow-external
func.func private @record(!llvm.ptr, f64, tensor<8x8xi32>)
func.func private @compute(memref<8x8xi32>)
llvm.mlir.global private constant @name("product\00") {addr_space = 0 : i32}
func.func @told(%x: tensor<8x8xi8>, %w: tensor<8x8xi8>, %o: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %time = arith.constant 1.0 : f64
  %r = linalg.matmul ins(%x, %w : tensor<8x8xi8>, tensor<8x8xi8>) outs(%o : tensor<8x8xi32>) -> tensor<8x8xi32>
  %text = llvm.mlir.addressof @name : !llvm.ptr
  %second = llvm.getelementptr %text[1] : (!llvm.ptr) -> !llvm.ptr, i8
  call @record(%second, %time, %r) : (!llvm.ptr, f64, tensor<8x8xi32>) -> ()
  return %r : tensor<8x8xi32>
}
func.func @written(%x: memref<8x8xi8>, %w: memref<8x8xi8>, %o: memref<8x8xi32>) {
  linalg.matmul ins(%x, %w : memref<8x8xi8>, memref<8x8xi8>) outs(%o : memref<8x8xi32>)
  call @compute(%o) : (memref<8x8xi32>) -> ()
  return
}

// A vector that is printed is an output as everything else is.
// RUN: fadiff-run %s --entry=printed --target=gemmini-fp32 2>&1 | FileCheck %s --check-prefix=PRINTED
// PRINTED: remark: 'vector.print' is not run: what it prints is output 0
// PRINTED: on the array: 100.0 % of 256 multiply-accumulates
// PRINTED: output 0: tensor<4x8xf32>
// PRINTED-NEXT: largest difference of floats from the reference:
func.func @printed(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %o: tensor<4x8xf32>) {
  %r = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  %zero = arith.constant 0 : index
  %padding = arith.constant -1.0 : f32
  %v = vector.transfer_read %r[%zero, %zero], %padding : tensor<4x8xf32>, vector<4x8xf32>
  vector.print %v : vector<4x8xf32>
  return
}

// Where a number plus a constant is an index, the number is chosen so that the
// sum is within: 0 to 4 of 8 rows. One that is added to negative indices says
// nothing.
// RUN: fadiff-run %s --entry=cache --target=gemmini-fp32 --seed=1 | FileCheck %s --check-prefix=CACHE
// RUN: fadiff-run %s --entry=cache --target=gemmini-fp32 --seed=2 | FileCheck %s --check-prefix=CACHE
// RUN: fadiff-run %s --entry=cache --target=gemmini-fp32 --seed=3 | FileCheck %s --check-prefix=CACHE
// RUN: fadiff-run %s --entry=cache --target=gemmini-fp32 --seed=4 | FileCheck %s --check-prefix=CACHE
// CACHE: output 0: tensor<8x8xf32>
// CACHE-NEXT: largest difference of floats from the reference:
#row = affine_map<(n) -> (n)>
#first = affine_map<(n) -> (0)>
func.func @cache(%x: tensor<1x4xf32>, %w: tensor<4x8xf32>, %keys: tensor<8x8xf32>, %at: tensor<1xi64>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<1x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32>
  %k = linalg.matmul ins(%x, %w : tensor<1x4xf32>, tensor<4x8xf32>) outs(%f : tensor<1x8xf32>) -> tensor<1x8xf32>
  %three = arith.constant dense<3> : tensor<1xi64>
  %ei = tensor.empty() : tensor<1xi64>
  %sum = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
    ins(%at, %three : tensor<1xi64>, tensor<1xi64>) outs(%ei : tensor<1xi64>) {
  ^bb0(%a: i64, %b: i64, %o: i64):
    %0 = arith.addi %b, %a : i64
    linalg.yield %0 : i64
  } -> tensor<1xi64>
  %number = tensor.extract %sum[%c0] : tensor<1xi64>
  // The way of indices from the end.
  %none = arith.constant 0 : i64
  %all = arith.constant 8 : i64
  %negative = arith.cmpi slt, %number, %none : i64
  %fromEnd = arith.addi %number, %all : i64
  %chosen = arith.select %negative, %fromEnd, %number : i64
  %row = arith.index_cast %chosen : i64 to index
  %r = tensor.insert_slice %k into %keys[%row, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// A result that is also to be in an argument is a result: arguments that are
// tensors are never written.
// RUN: fadiff-run %s --entry=placed --target=gemmini-fp32 | FileCheck %s --check-prefix=PLACED
// PLACED: output 0: tensor<4x8xf32>
// PLACED-NEXT: largest difference of floats from the reference:
func.func @placed(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = bufferization.materialize_in_destination %r in %o : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// So is one that comes by way of a buffer.
// RUN: fadiff-run %s --entry=lookup --target=gemmini-fp32 --seed=1 | FileCheck %s --check-prefix=LOOKUP
// RUN: fadiff-run %s --entry=lookup --target=gemmini-fp32 --seed=2 | FileCheck %s --check-prefix=LOOKUP
// LOOKUP: output 0: tensor<4x8xf32>
// LOOKUP-NEXT: largest difference of floats from the reference:
#cell = affine_map<(m, n) -> (m, n)>
#token = affine_map<(m, n) -> (m)>
func.func @lookup(%tokens: memref<4xi64>, %table: memref<6x8xf32>, %w: memref<8x8xf32>, %o: memref<4x8xf32>) {
  %short = memref.alloc() : memref<4xi32>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
    ins(%tokens : memref<4xi64>) outs(%short : memref<4xi32>) {
  ^bb0(%i: i64, %x: i32):
    %0 = arith.trunci %i : i64 to i32
    linalg.yield %0 : i32
  }
  %rows = memref.alloc() : memref<4x8xf32>
  linalg.generic {indexing_maps = [#token, #cell], iterator_types = ["parallel", "parallel"]}
    ins(%short : memref<4xi32>) outs(%rows : memref<4x8xf32>) {
  ^bb0(%i: i32, %x: f32):
    %0 = arith.index_cast %i : i32 to index
    %1 = linalg.index 1 : index
    %2 = memref.load %table[%0, %1] : memref<6x8xf32>
    linalg.yield %2 : f32
  }
  linalg.matmul ins(%rows, %w : memref<4x8xf32>, memref<8x8xf32>) outs(%o : memref<4x8xf32>)
  return
}
