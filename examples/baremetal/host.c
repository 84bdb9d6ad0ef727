/*===- host.c - What start.S, htif.c and link.ld promise
---------------------===*\
|*
|* Part of the FADiff project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Runs on the core alone: zeros, data, floating point, heap, output, exit code.
|* With -DCOMMAND it then gives Gemmini a command, which traps where there is
|* none.
|*
\*===----------------------------------------------------------------------===*/

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int zeros[1000];
static int primes[] = {2, 3, 5, 7, 11};
static volatile double third = 1.0 / 3;

int main(void) {
  int sum = 0;
  for (int i = 0; i != 1000; ++i)
    sum += zeros[i];
  for (int i = 0; i != 5; ++i)
    sum += primes[i];
  float *product = aligned_alloc(64, 64 * sizeof(float));
  if (!product || (uintptr_t)product % 64) {
    printf("no heap\n");
    return 2;
  }
  for (int i = 0; i != 64; ++i)
    product[i] = (float)(i * third);
  printf("sum %d, product %d, free %d\n", sum, (int)(product[63] * 1000),
         (int)(free(product), 1));
  uint64_t status;
  __asm__ volatile("csrr %0, mstatus" : "=r"(status));
  printf("FS %s\n", status >> 13 & 3 ? "on" : "off");
#ifdef COMMAND
  printf("flush\n");
  /* flush: custom-3, function 7 */
  __asm__ volatile(".insn r 0x7b, 3, 7, x0, %0, %1" ::"r"(0), "r"(0));
  printf("there is an accelerator\n");
#endif
  return sum == 28 ? 7 : 1;
}
