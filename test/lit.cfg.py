"""Configuration of the lit tests. Variables come from lit.site.cfg.py.in."""

import os
import shutil
import sys

import lit.formats
import lit.util

config.name = "FADiff"
# The internal shell brings `not` and pipes without one on the host.
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Install", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fadiff_obj_root, "test")

# Ours first, so that an installed FADiff is never tested by mistake.
config.environment["PATH"] = os.path.pathsep.join(
    [
        config.fadiff_tools_dir,
        config.llvm_tools_dir,
        config.environment.get("PATH", ""),
    ]
)
# libMLIR itself is not built with sanitizers: memory that its allocators hand
# out to inlined code of ours would be reported as poisoned.
if config.fadiff_sanitizers:
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0:detect_container_overflow=0"
    config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# RUN lines may use plain names or %names; the latter are absolute paths.
for tool in (
    "fadiff-opt",
    "mlir-opt",
    "mlir-translate",
    "mlir-runner",
    "llc",
    "FileCheck",
):
    path = lit.util.which(tool, config.environment["PATH"])
    if path:
        config.substitutions.append(("%" + tool + r"\b", path))
config.substitutions.append((r"%python\b", sys.executable))
config.substitutions.append(("%fadiff_src_root", config.fadiff_src_root))
config.substitutions.append(("%fadiff_obj_root", config.fadiff_obj_root))
config.substitutions.append(("%shlibext", ".so"))
config.substitutions.append(
    ("%plugin", os.path.join(config.fadiff_obj_root, "lib", "FADiffPlugin.so"))
)

config.available_features.add("sanitizers" if config.fadiff_sanitizers else "no-sanitizers")
if config.fadiff_onnx:
    config.available_features.add("onnx")
# A browser opens the report's page: scripts/packages.txt has it.
if shutil.which("chromium"):
    config.available_features.add("chromium")
# Slurm's daemons want to be root: scripts/packages.txt has them.
if os.geteuid() == 0 and shutil.which("slurmctld") and shutil.which("munged"):
    config.available_features.add("slurm")
# Assembling for RISC-V needs that back end in the installed LLVM.
if "RISCV" in config.llvm_targets.split(";") and shutil.which(
    "llc", path=config.environment["PATH"]
):
    config.available_features.add("riscv")
# Linking and running a bare program: scripts/packages.txt has both.
if shutil.which("qemu-system-riscv64"):
    config.available_features.add("qemu-riscv64")

if shutil.which("riscv64-unknown-elf-gcc") and os.path.exists(
    os.path.join(config.fadiff_tools_dir, "riscv-run")
):
    config.available_features.add("baremetal")
