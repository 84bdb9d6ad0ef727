#!/usr/bin/env python3
"""What the core executes beside the accelerator, counted.

  core_time.py build/release resnet18 mobilenet_v1 --target=gemmini,gemmini-large

Compiles each network of examples/ (or a file) for each target, links it for
bare metal, runs it on an emulated core with a simulated Gemmini, checks the
results against the reference bit for bit, and prints the instructions of the
core from entry to return by what they are for (docs/Binaries.md), with what the
cost model predicts of those for operations on the core (docs/CostModel.md, eq.
(core)). Arguments are filled from a seed. Further options of fadiff-compile
follow after `--`.

With --vector=BITS it prints instead how many instructions a call takes with and
without a vector unit of so many bits, on QEMU's core. That one has no Gemmini:
commands count as one instruction and do nothing, so results are not looked at.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GCC = ["riscv64-unknown-elf-gcc", "-march=rv64gc", "-mabi=lp64d", "-mcmodel=medany", "-O2",
       "--specs=picolibc.specs", "--crt0=semihost", "--oslib=semihost"]
FLASH_MB = 16
MEMORY_MB = 1024


def run(command):
    """The command's output; its error ends this script."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def entry(header, name):
    """A function's name in C and its parameters: (type, name)."""
    section = header.split(f"/* @{name}\n")[1].split("/* @")[0]
    buffers = re.findall(r"^ \*   (\w+) +(u?int\d+_t|float|double)", section, re.M)
    return re.search(r"^void (\w+)\(", section, re.M)[1], buffers


def call(header, name):
    """A C program that calls the network on static buffers, the weights prepared
    before, and what riscv-run has to know about that."""
    symbol, buffers = entry(header, name)
    names = ", ".join(buffer for buffer, _ in buffers)
    calls, options = f"{symbol}({names});", [f"--symbol={symbol}"]
    if f"/* @{name}_prepare\n" in header:
        prepare, parameters = entry(header, f"{name}_prepare")
        calls = f"{prepare}({', '.join(buffer for buffer, _ in parameters)}); {calls}"
        count = sum(buffer.startswith("prepared") for buffer, _ in parameters)
        options += [f"--prepare={prepare}", f"--prepared={count}"]
    arrays = [f"static {kind} {buffer}[{symbol.upper()}_{buffer.upper()}_SIZE]"
              " __attribute__((aligned(64)));" for buffer, kind in buffers]
    return options, "\n".join(['#include "net.h"', *arrays,
                               f"int main(void) {{ {calls} return 0; }}", ""])


SKIPPING = r"""
#include <stdio.h>
#include <unistd.h>
/* What the handler keeps of two registers, and the commands that it skipped. */
static unsigned long kept[3];
__attribute__((used)) static void stop(unsigned long cause, unsigned long value, unsigned long at) {
  printf("trap: cause %lu, mtval 0x%lx, at 0x%lx\n", cause, value, at);
  _exit(1);
}
__attribute__((naked, aligned(4))) static void skip(void) {
  __asm__("csrrw t0, mscratch, t0\n sd t1, 0(t0)\n"
          "csrr t1, mtval\n andi t1, t1, 0x7f\n addi t1, t1, -0x7b\n bnez t1, 1f\n"
          "ld t1, 16(t0)\n addi t1, t1, 1\n sd t1, 16(t0)\n"
          "csrr t1, mepc\n addi t1, t1, 4\n csrw mepc, t1\n"
          "ld t1, 0(t0)\n csrrw t0, mscratch, t0\n mret\n"
          "1: csrr a0, mcause\n csrr a1, mtval\n csrr a2, mepc\n j stop");
}
enum { HANDLER = 15 };
static unsigned long instructions(void) {
  unsigned long count;
  __asm__ volatile("csrr %0, minstret" : "=r"(count));
  return count;
}
static void fill(void *buffer, unsigned long bytes) {
  static unsigned state = 1;
  for (unsigned long i = 0; i < bytes; ++i)
    ((unsigned char *)buffer)[i] = (state = state * 1664525u + 1013904223u) >> 24;
}
"""


def vector(options, network, target, out):
    """Instructions of a call without and with vectors, commands skipped."""
    counts = []
    for march in ("rv64gc", f"rv64gcv_zvl{options.vector}b"):
        compile_ = [options.build / "bin" / "fadiff-compile", network, f"--target={target}",
                    "--prefix=net_", f"--march={march}", *options.rest]  # fmt: skip
        run([*compile_, "-o", out / "net.o"])
        run([*compile_, "--emit=c-header", "-o", out / "net.h"])
        _, program = call((out / "net.h").read_text(encoding="utf-8"), options.entry)
        # Bytes of any value; floats in [1, 2), where each takes the usual way.
        fills = "".join(
            f"  fill({name}, sizeof {name});\n"
            if "int" in kind else
            f"  for (unsigned long i = 0; i < sizeof {name} / sizeof *{name}; ++i) {name}[i] = 1 + (i % 64) / 64.0;\n"
            for kind, name in re.findall(r"^static (\w+) (\w+)\[", program, re.M))  # fmt: skip
        head, body = program.split("int main(void) {")
        calls = body.split(" return 0;")[0].strip().split(";")
        main = f"""{SKIPPING}{head}int main(void) {{
  __asm__ volatile("csrw mscratch, %0; csrw mtvec, %1; csrs mstatus, %2" :: "r"(kept), "r"(skip), "r"(0x600L));
{fills}  {calls[0] + ";" if len(calls) > 2 else ""}
  kept[2] = 0;
  const unsigned long start = instructions();
  {calls[-2]};
  const unsigned long all = instructions() - start;
  printf("%lu %lu\\n", all - HANDLER * kept[2], kept[2]);
  return 0;
}}
"""
        (out / "main.c").write_text(main, encoding="utf-8")
        link(out)
        # QEMU prints what semihosting prints on standard error.
        printed = run(["sh", "-c", '"$@" 2>&1', "sh", "qemu-system-riscv64", "-M", "virt", "-m", f"{MEMORY_MB}M", "-nographic",
                       "-semihosting-config", "enable=on", "-icount", "shift=0", "-cpu",
                       f"rv64,v=true,vlen={options.vector},vext_spec=v1.0", "-bios", out / "net.elf"])  # fmt: skip
        counts.append((march, *map(int, printed.split())))
    return counts


def link(out):
    """main.c and net.o as net.elf."""
    ram = 0x80000000 + (FLASH_MB << 20)
    run([*GCC, f"-Wl,--defsym=__flash=0x80000000,--defsym=__flash_size={FLASH_MB}M",
         f"-Wl,--defsym=__ram={ram:#x},--defsym=__ram_size={MEMORY_MB - FLASH_MB}M",
         f"-I{out}", out / "main.c", out / "net.o", "-lm", "-o", out / "net.elf"])  # fmt: skip


def predict(options, network, target, out):
    """Cycles of the core for its operations in one call, predicted."""
    schedule = [word[len("--schedule="):] for word in options.rest
                if word.startswith("--schedule=")]
    summary = out / "summary.json"
    words = [*schedule, f"target={target}", f"summary={summary}"]
    run([options.build / "bin" / "fadiff-opt", network,
         "--fadiff-schedule=" + " ".join(words), "-o", out / "net.mlir"])
    functions = json.loads(summary.read_text(encoding="utf-8"))
    return sum(function["host"]["cycles"] for function in functions
               if function["function"] == options.entry)


def measure(options, network, target, out):
    """Compiles, links, runs; returns what riscv-run prints."""
    tools = options.build / "bin"
    compile_ = [tools / "fadiff-compile", network, f"--target={target}", "--prefix=net_",
                *options.rest]
    run([*compile_, "-o", out / "net.o"])
    run([*compile_, "--emit=c-header", "-o", out / "net.h"])
    header = (out / "net.h").read_text(encoding="utf-8")
    symbols, program = call(header, options.entry)
    (out / "main.c").write_text(program, encoding="utf-8")
    link(out)
    size = run(["riscv64-unknown-elf-size", out / "net.o"]).splitlines()[1].split()[3]
    return f"{size} bytes in the object\n" + run([tools / "riscv-run", out / "net.elf", f"--network={network}",
                f"--entry={options.entry}", *symbols, f"--target={target}",
                f"--memory={MEMORY_MB}", "--fill=0", "--profile"])


def main():
    """Prints one table per network and target."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path, help="build directory")
    parser.add_argument("networks", nargs="+", help="names in examples/, or files")
    parser.add_argument("--target", default="gemmini,gemmini-large")
    parser.add_argument("--entry", default="main")
    parser.add_argument("--vector", type=int, metavar="BITS")
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:split])
    options.rest = sys.argv[split + 1:]
    for name in options.networks:
        network = pathlib.Path(name)
        if not network.exists():
            network = ROOT / "examples" / f"{name}.mlir"
        for target in options.target.split(","):
            if options.vector:
                with tempfile.TemporaryDirectory() as out:
                    for march, count, commands in vector(options, network, target, pathlib.Path(out)):
                        print(f"{network.stem} on {target}, {march}: {count} instructions,",
                              f"{commands} of them commands", flush=True)  # fmt: skip
                continue
            with tempfile.TemporaryDirectory() as out:
                text = measure(options, network, target, pathlib.Path(out))
                predicted = predict(options, network, target, pathlib.Path(out))
            print(f"{network.stem} on {target}")
            print("".join(f"  {line}\n" for line in text.splitlines()), end="")
            found = re.search(r"^ +(\d+) +operations on the core", text, re.M)
            measured = int(found[1]) if found else 0
            print(f"  predicted for operations on the core: {predicted:.0f}",
                  f"({predicted / measured:.2f} of what was counted)" if measured else "",
                  "\n", flush=True)


if __name__ == "__main__":
    main()
