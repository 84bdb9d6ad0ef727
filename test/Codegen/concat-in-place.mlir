// Two layers write into the caller's buffer, one of which reads what the other
// has written there: the core copies nothing.

// REQUIRES: riscv, baremetal, no-sanitizers
// RUN: mkdir -p %t
// RUN: fadiff-compile %s --target=gemmini-small --schedule="fuse=off" --prefix=both_ -o %t/both.o
// RUN: fadiff-compile %s --target=gemmini-small --schedule="fuse=off" --prefix=both_ --emit=c-header -o %t/both.h
// RUN: riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -O2 --specs=picolibc.specs --crt0=semihost --oslib=semihost -Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=1M -Wl,--defsym=__ram=0x80100000 -Wl,--defsym=__ram_size=3M -I%t "-DHEADER=<both.h>" -DCALL=both_main -DSIZE=9216 %S/Inputs/call.c %t/both.o -o %t/both.elf
// RUN: riscv-run %t/both.elf --network=%s --symbol=both_main --target=gemmini-small | FileCheck %s
// CHECK: 1 calls, results identical to the reference

#map = affine_map<(d0, d1) -> (d0, d1)>

func.func @main(%a: tensor<48x64xi8>, %b: tensor<64x96xi8>, %c: tensor<96x64xi8>) -> tensor<48x160xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 1.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e0 = tensor.empty() : tensor<48x96xi32>
  %i0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<48x96xi32>) -> tensor<48x96xi32>
  %s0 = linalg.matmul ins(%a, %b : tensor<48x64xi8>, tensor<64x96xi8>) outs(%i0 : tensor<48x96xi32>) -> tensor<48x96xi32>
  %e1 = tensor.empty() : tensor<48x96xi8>
  %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%s0 : tensor<48x96xi32>) outs(%e1 : tensor<48x96xi8>) {
  ^bb0(%in: i32, %o: i8):
    %f = arith.sitofp %in : i32 to f32
    %x = arith.mulf %f, %scale : f32
    %r = math.roundeven %x : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %q = arith.fptosi %h : f32 to i8
    linalg.yield %q : i8
  } -> tensor<48x96xi8>
  %e2 = tensor.empty() : tensor<48x64xi32>
  %i2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<48x64xi32>) -> tensor<48x64xi32>
  %s2 = linalg.matmul ins(%m, %c : tensor<48x96xi8>, tensor<96x64xi8>) outs(%i2 : tensor<48x64xi32>) -> tensor<48x64xi32>
  %e3 = tensor.empty() : tensor<48x64xi8>
  %n = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%s2 : tensor<48x64xi32>) outs(%e3 : tensor<48x64xi8>) {
  ^bb0(%in: i32, %o: i8):
    %f = arith.sitofp %in : i32 to f32
    %x = arith.mulf %f, %scale : f32
    %r = math.roundeven %x : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %q = arith.fptosi %h : f32 to i8
    linalg.yield %q : i8
  } -> tensor<48x64xi8>
  %both = tensor.concat dim(1) %m, %n : (tensor<48x96xi8>, tensor<48x64xi8>) -> tensor<48x160xi8>
  return %both : tensor<48x160xi8>
}
