// Lines of bytes that begin at words are copied and filled eight bytes at a
// time, where the argument begins at a word, too; that is found out when the
// program runs, in a function of its own. Other lines are copied byte by byte.

// REQUIRES: riscv
// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-compile %t/words.mlir --schedule=allow-empty --emit=llvm -O0 | FileCheck %s --check-prefix=WORDS
// WORDS-LABEL: define internal void @fadiff_host_copy(ptr %0, ptr %1)
// WORDS:         %[[FROM:.*]] = ptrtoint ptr %{{.*}} to i64
// WORDS:         %[[TO:.*]] = ptrtoint ptr %{{.*}} to i64
// WORDS:         %[[BOTH:.*]] = or i64 %[[FROM]], %[[TO]]
// WORDS:         %[[REST:.*]] = and i64 %[[BOTH]], 7
// WORDS:         icmp eq i64 %[[REST]], 0
// WORDS:         call void @[[COPY:fadiff_host_copy_x24.*]](
// WORDS:         call void @[[BYTES:fadiff_host_copy_x192]](
// Borders of 3 words before and behind 6.
// WORDS-DAG:   define internal void @fadiff_host_fill_x12{{.*}}(i64 %
// WORDS-DAG:   define internal void @[[COPY]](
// WORDS-DAG:   define internal void @[[BYTES]](

// RUN: fadiff-compile %t/bytes.mlir --schedule=allow-empty --emit=llvm -O0 | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: load i64, ptr %{{.*}}, align 8
// OTHER-NOT: define internal void @fadiff_host_copy(
// OTHER:     define internal void @fadiff_host_copy_x192(
// OTHER-NOT: define internal void @fadiff_host_copy(

// The same results, wherever the argument begins.
// REQUIRES: baremetal, no-sanitizers
// DEFINE: %{gcc} = riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -O2 --specs=picolibc.specs --crt0=semihost --oslib=semihost -Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=1M -Wl,--defsym=__ram=0x80100000 -Wl,--defsym=__ram_size=3M -I%t "-DHEADER=<words.h>" -DSIZE=1024 %S/Inputs/call.c %t/words.o
// RUN: fadiff-compile %t/words.mlir --schedule=allow-empty --prefix=words_ -o %t/words.o
// RUN: fadiff-compile %t/words.mlir --schedule=allow-empty --prefix=words_ --emit=c-header -o %t/words.h
// RUN: %{gcc} "-DCALL(a,b,c,out)=words_main((void*)(((uintptr_t)a+7)/8*8),b,c,out)" -o %t/even.elf
// RUN: %{gcc} "-DCALL(a,b,c,out)=words_main((void*)(((uintptr_t)a+7)/8*8+1),b,c,out)" -o %t/odd.elf
// RUN: riscv-run %t/even.elf --network=%t/words.mlir --symbol=words_main > %t/even.txt
// RUN: riscv-run %t/odd.elf --network=%t/words.mlir --symbol=words_main > %t/odd.txt
// RUN: FileCheck %s --check-prefix=RAN --input-file=%t/even.txt
// RUN: FileCheck %s --check-prefix=RAN --input-file=%t/odd.txt
// RAN: 1 calls, results identical to the reference
// 192 bytes take 300 instructions more than 24 words.
// RUN: awk '/instructions/ { count[FILENAME] = $4 } END { exit !(count[ARGV[2]] > count[ARGV[1]] + 300) }' %t/even.txt %t/odd.txt

//--- words.mlir
func.func @main(%a: tensor<4x16x3xi8>, %b: tensor<4x32x3xi8>, %c: tensor<4x32x3xi8>) -> tensor<4x32x3xi8> {
  %zero = arith.constant 3 : i8
  %padded = tensor.pad %a low[0, 8, 0] high[0, 8, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<4x16x3xi8> to tensor<4x32x3xi8>
  %0 = linalg.add ins(%padded, %b : tensor<4x32x3xi8>, tensor<4x32x3xi8>) outs(%c : tensor<4x32x3xi8>) -> tensor<4x32x3xi8>
  return %0 : tensor<4x32x3xi8>
}

//--- bytes.mlir
func.func @main(%a: tensor<4x16x3xi8>, %b: tensor<4x22x3xi8>) -> tensor<4x22x3xi8> {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %a low[0, 3, 0] high[0, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : i8
  } : tensor<4x16x3xi8> to tensor<4x22x3xi8>
  %0 = linalg.add ins(%padded, %b : tensor<4x22x3xi8>, tensor<4x22x3xi8>) outs(%b : tensor<4x22x3xi8>) -> tensor<4x22x3xi8>
  return %0 : tensor<4x22x3xi8>
}
