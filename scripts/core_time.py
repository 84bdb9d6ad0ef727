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
    ram = 0x80000000 + (FLASH_MB << 20)
    run([*GCC, f"-Wl,--defsym=__flash=0x80000000,--defsym=__flash_size={FLASH_MB}M",
         f"-Wl,--defsym=__ram={ram:#x},--defsym=__ram_size={MEMORY_MB - FLASH_MB}M",
         f"-I{out}", out / "main.c", out / "net.o", "-lm", "-o", out / "net.elf"])
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
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:split])
    options.rest = sys.argv[split + 1:]
    for name in options.networks:
        network = pathlib.Path(name)
        if not network.exists():
            network = ROOT / "examples" / f"{name}.mlir"
        for target in options.target.split(","):
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
