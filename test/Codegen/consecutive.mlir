// Nests right after each other, with nothing for the core to do in between: one
// fence before, one in the middle, one behind. The result is the caller's
// buffer, the intermediate is freed.

// REQUIRES: riscv, baremetal, no-sanitizers
// RUN: mkdir -p %t
// RUN: fadiff-compile %s --target=gemmini-small --schedule="fuse=off" --prefix=two_ -o %t/two.o
// RUN: fadiff-compile %s --target=gemmini-small --schedule="fuse=off" --prefix=two_ --emit=c-header -o %t/two.h
// RUN: riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -O2 --specs=picolibc.specs --crt0=semihost --oslib=semihost -Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=1M -Wl,--defsym=__ram=0x80100000 -Wl,--defsym=__ram_size=3M -I%t "-DHEADER=<two.h>" -DCALL=two_main -DSIZE=6144 %S/Inputs/call.c %t/two.o -o %t/two.elf
// RUN: riscv-run %t/two.elf --network=%s --symbol=two_main --target=gemmini-small | FileCheck %s
// CHECK: 1 calls, results identical to the reference
// CHECK: 3 fences, 0 of them idle

// The passes one by one, to the same program.
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-small fuse=off" --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse --gemmini-merge-fences | FileCheck %s --check-prefix=MERGED
// MERGED-COUNT-3: gemmini.fence
// MERGED-NOT:     gemmini.fence

func.func @main(%a: tensor<48x64xi8>, %b: tensor<64x96xi8>, %c: tensor<96x32xi8>) -> tensor<48x32xi32> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 1.0e-3 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e0 = tensor.empty() : tensor<48x96xi32>
  %i0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<48x96xi32>) -> tensor<48x96xi32>
  %s0 = linalg.matmul ins(%a, %b : tensor<48x64xi8>, tensor<64x96xi8>) outs(%i0 : tensor<48x96xi32>) -> tensor<48x96xi32>
  %e1 = tensor.empty() : tensor<48x96xi8>
  %m = linalg.map ins(%s0 : tensor<48x96xi32>) outs(%e1 : tensor<48x96xi8>)
    (%in: i32, %o: i8) {
      %f = arith.sitofp %in : i32 to f32
      %x = arith.mulf %f, %scale : f32
      %r = math.roundeven %x : f32
      %l = arith.maximumf %r, %low : f32
      %h = arith.minimumf %l, %high : f32
      %q = arith.fptosi %h : f32 to i8
      linalg.yield %q : i8
    }
  %e2 = tensor.empty() : tensor<48x32xi32>
  %i2 = linalg.fill ins(%zero : i32) outs(%e2 : tensor<48x32xi32>) -> tensor<48x32xi32>
  %s2 = linalg.matmul ins(%m, %c : tensor<48x96xi8>, tensor<96x32xi8>) outs(%i2 : tensor<48x32xi32>) -> tensor<48x32xi32>
  return %s2 : tensor<48x32xi32>
}
