//===- Program.h - A module compiled for the host ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a module in the LLVM dialect just in time and calls its entry
// function with host tensors.
//
//   auto entry = findEntryPoint(module, "main");       // while still on
//   tensors auto arguments = makeArguments(*entry, /*seed=*/0);
//   lowerHostToLLVM(module);                           // or the stages apart
//   auto program = Program::compile(module, *entry);
//   auto results = (*program)->run(*arguments);
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_RUNNER_PROGRAM_H
#define FADIFF_RUNNER_PROGRAM_H

#include "fadiff/Runner/Entry.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace fadiff {

/// What becomes of the values that a program returns.
enum class Results : bool { Copy, Drop };

struct ProgramOptions {
  /// LLVM's optimisation level, 0 to 3.
  unsigned optLevel = 3;
  /// Functions that the module declares and the host provides, by the name they
  /// have in LLVM IR.
  std::vector<std::pair<std::string, void *>> symbols;
  /// Whether the module may call whatever the process has, and contain inline
  /// assembly: for modules that are trusted as the process itself is. Otherwise
  /// it gets `symbols` and what lowered networks call of the C library.
  bool allowExternal = false;
};

/// A compiled module. Independent of the MLIRContext once compiled.
class Program {
public:
  /// Compiles `module`, which must be in the LLVM dialect and contain `entry`
  /// with its C interface, for the machine this process runs on. Floating point
  /// operations are neither contracted nor reordered. Fails with a diagnostic
  /// if translation fails, or at a call that the options do not allow.
  static mlir::FailureOr<std::unique_ptr<Program>>
  compile(mlir::ModuleOp module, const EntryPoint &entry,
          const ProgramOptions &options = {});
  ~Program();

  const EntryPoint &entry() const { return entryPoint; }

  /// Calls the entry function and returns its outputs: the results, then what
  /// the written arguments hold. `arguments` themselves are not written. Fails
  /// if they do not have the types of the entry point, the program runs out of
  /// memory, divides by zero, aborts or is stopped by a signal of its own
  /// making; what it had is freed. Returns nothing of what is dropped. Each
  /// byte of what the program allocates holds `fresh` first, if given, else
  /// anything.
  llvm::Expected<std::vector<HostTensor>>
  run(llvm::ArrayRef<HostTensor> arguments, Results kept = Results::Copy,
      std::optional<uint8_t> fresh = std::nullopt) const;

private:
  Program();

  EntryPoint entryPoint;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*packedEntry)(void **) = nullptr;
};

/// What the network means: lowers a copy of `module` with no accelerator at
/// all, layers formed already as what they were formed of, and compiles it.
/// `module` is not changed.
mlir::FailureOr<std::unique_ptr<Program>>
compileReference(mlir::ModuleOp module, const EntryPoint &entry,
                 const ProgramOptions &options = {});

/// Whether the outputs of `module` depend on what memory holds that it
/// allocates and never writes, so that they are no result to compare with. Runs
/// the reference twice, with memory that holds one thing and the other.
mlir::FailureOr<bool> readsUnwrittenMemory(mlir::ModuleOp module,
                                           const EntryPoint &entry,
                                           llvm::ArrayRef<HostTensor> arguments,
                                           ProgramOptions options = {});

} // namespace fadiff

#endif // FADIFF_RUNNER_PROGRAM_H
