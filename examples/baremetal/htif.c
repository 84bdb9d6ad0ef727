/*===- htif.c - Output, exit and traps by HTIF
-------------------------------===*\
|*
|* Part of the FADiff project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Spike, FireSim and QEMU's machine `spike` watch the symbols tohost and
|* fromhost. For picolibc, with start.S and link.ld.
|*
\*===----------------------------------------------------------------------===*/

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* They share a cache line with nothing. */
__attribute__((section(".tohost"), aligned(64))) volatile uint64_t tohost;
__attribute__((section(".tohost"), aligned(64))) volatile uint64_t fromhost;

/* Device 1 is the console, its command 1 writes a character. */
static int put(char c, FILE *file) {
  (void)file;
  while (tohost)
    fromhost = 0;
  tohost = (uint64_t)1 << 56 | (uint64_t)1 << 48 | (unsigned char)c;
  while (tohost)
    fromhost = 0;
  return (unsigned char)c;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;
FILE *const stderr = &console;

/* Device 0, command 0 with the last bit set ends the simulation. */
void _exit(int code) {
  for (;;)
    tohost = (uint64_t)(unsigned)code << 1 | 1;
}

/* The exit code of a program that has trapped. */
enum { kTrapped = 3 };

/* No printf: the trap may have come from inside of it. */
static void text(const char *s) {
  while (*s)
    put(*s++, stdout);
}
static void hex(uint64_t value) {
  text("0x");
  int shift = 60;
  while (shift && !(value >> shift))
    shift -= 4;
  for (; shift >= 0; shift -= 4)
    put("0123456789abcdef"[value >> shift & 15], stdout);
}

void report_trap(uint64_t cause, uint64_t pc, uint64_t value) {
  text("trap: cause ");
  hex(cause);
  text(" at ");
  hex(pc);
  text(", mtval ");
  hex(value);
  if (cause == 2) {
    /* Cores may leave mtval 0. */
    const uint16_t *at = (const uint16_t *)pc;
    const uint32_t word = at[0] | (uint32_t)at[1] << 16;
    text("\nillegal instruction ");
    hex((word & 3) == 3 ? word : at[0]);
    if ((word & 0x7f) == 0x7b) {
      text(", Gemmini's command ");
      hex(word >> 25);
      text(": no accelerator, or mstatus.XS is off");
    }
  }
  put('\n', stdout);
  _exit(kTrapped);
}
