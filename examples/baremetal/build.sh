#!/usr/bin/env bash
# Compiles examples/tiny.mlir and main.c to a program for a bare RV64GC core with
# a Gemmini and memory at 2 GB: build.sh <directory of fadiff-compile> <output
# directory> [further options of fadiff-compile]
# Wants Debian's gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=$1 out=$2
shift 2
mkdir -p "$out"

for emit in obj:o asm:s llvm:ll c-header:h; do
  "$bin/fadiff-compile" "$here/../tiny.mlir" --target=gemmini-small "$@" \
    --emit="${emit%:*}" -o "$out/tiny.${emit#*:}"
done

# Code and constants from 0x80000000, data and heap behind them. Output and exit
# by semihosting, which simulators and debuggers understand.
riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -O2 -Wall \
  --specs=picolibc.specs --crt0=semihost --oslib=semihost \
  -Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=1M \
  -Wl,--defsym=__ram=0x80100000 -Wl,--defsym=__ram_size=3M \
  -I"$out" "$here/main.c" "$out/tiny.o" -o "$out/tiny.elf"

# The same and a program for the core alone, with start-up code, output and exit
# as Spike, FireSim and `qemu-system-riscv64 -M spike` want them.
htif() {
  riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -O2 -Wall \
    --specs=picolibc.specs -nostartfiles -T "$here/link.ld" \
    -Wl,--no-warn-rwx-segments "$here/start.S" "$here/htif.c" "$@"
}
htif -I"$out" "$here/main.c" "$out/tiny.o" -o "$out/tiny-htif.elf"
htif "$here/host.c" -o "$out/host.elf"
htif -DCOMMAND "$here/host.c" -o "$out/command.elf"
