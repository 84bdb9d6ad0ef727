// A layer by Gemmini's matmul loop, and one that does not fit it: what the core hands over are six commands a
// loop, decoded from the linked program's instruction words.

// REQUIRES: riscv, baremetal, no-sanitizers
// RUN: mkdir -p %t
// RUN: fadiff-compile %s --target=gemmini-small --schedule="fuse=off optimizer=heuristic loop-ws=on" --prefix=loop_ -o %t/loop.o
// RUN: fadiff-compile %s --target=gemmini-small --schedule="fuse=off optimizer=heuristic loop-ws=on" --prefix=loop_ --emit=c-header -o %t/loop.h
// RUN: riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -O2 --specs=picolibc.specs --crt0=semihost --oslib=semihost -Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=1M -Wl,--defsym=__ram=0x80100000 -Wl,--defsym=__ram_size=3M -I%t "-DHEADER=<loop.h>" -DCALL=loop_main -DSIZE=6144 %S/Inputs/call.c %t/loop.o -o %t/loop.elf
// RUN: riscv-run %t/loop.elf --network=%s --symbol=loop_main --target=gemmini-small | FileCheck %s
// CHECK: 1 calls, results identical to the reference
// CHECK: 3 fences, 0 of them idle

// RUN: fadiff-compile %s --target=gemmini-small --schedule="fuse=off optimizer=heuristic loop-ws=on" --prefix=loop_ --emit=asm -o - | FileCheck %s --check-prefix=ASM
// ASM:     .insn r 123, 3, 9, zero
// ASM:     .insn r 123, 3, 10, zero
// ASM:     .insn r 123, 3, 11, zero
// ASM:     .insn r 123, 3, 12, zero
// ASM:     .insn r 123, 3, 13, zero
// ASM:     .insn r 123, 3, 8, zero

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
