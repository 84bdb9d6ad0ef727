/*===- start.S - Start-up of a bare RV64 core with a Gemmini ----------------===*\
|*
|* Part of the FADiff project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The first hart runs main(), others sleep. link.ld has the symbols.
|*
\*===----------------------------------------------------------------------===*/

        .section .text.start, "ax"
        .globl _start
_start:
        csrw    mie, zero
        csrr    t0, mhartid
        bnez    t0, sleep
        /* FS: else the first floating-point instruction traps. XS: else the
         * first command does, on Rocket; elsewhere it may be read-only. */
        li      t0, (3 << 13) | (3 << 15)
        csrs    mstatus, t0
        la      t0, enter_trap
        csrw    mtvec, t0
        fscsr   zero

        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        la      sp, __stack_top
        la      tp, __tls_start

        la      t0, __bss_start
        la      t1, __bss_end
1:      bgeu    t0, t1, 2f
        sd      zero, 0(t0)
        addi    t0, t0, 8
        j       1b
2:      li      a0, 0
        li      a1, 0
        call    main
        call    _exit
sleep:  wfi
        j       sleep

        /* Nothing returns from a trap: report it on a stack of its own, as sp
         * may be what is wrong. */
        .balign 4
enter_trap:
        la      sp, __trap_stack_top
        csrr    a0, mcause
        csrr    a1, mepc
        csrr    a2, mtval
        call    report_trap
1:      j       1b
