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

#include "fadiff/Runner/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace fadiff {

/// The attribute of an entry function's argument that overrides its default
/// values; see FillRule::parse.
inline constexpr llvm::StringLiteral kFillAttrName = "fadiff.fill";

/// The interface of a function as the host sees it.
struct EntryPoint {
  std::string name;
  std::vector<TensorSpec> arguments;
  std::vector<FillRule> fills; ///< One per argument.
  std::vector<TensorSpec> results;
};

/// Reads the interface of the public function `name` of a module that is still
/// on tensors. Fails with a diagnostic at the function or argument if there is
/// no such definition, if an argument or result is not a ranked tensor of
/// static shape with one of the element types of HostTensor, or if a fill
/// attribute is malformed.
mlir::FailureOr<EntryPoint> findEntryPoint(mlir::ModuleOp module,
                                           llvm::StringRef name);

/// Allocates the arguments and fills them from `seed`.
llvm::Expected<std::vector<HostTensor>> makeArguments(const EntryPoint &entry,
                                                      uint64_t seed);

/// Arguments for runs that look at no data (sim::MachineOptions::functional):
/// zeros that take no memory until they are written, but for those whose fill
/// rule keeps zero out, on which host code may rely.
llvm::Expected<std::vector<HostTensor>>
makeUnfilledArguments(const EntryPoint &entry, uint64_t seed);

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

  /// Calls the entry function. Fails if the arguments do not have the types of
  /// the entry point, the program runs out of memory, divides by zero, aborts
  /// or is stopped by a signal of its own making; what it had is freed.
  /// Returns nothing of what is dropped.
  llvm::Expected<std::vector<HostTensor>>
  run(llvm::ArrayRef<HostTensor> arguments, Results kept = Results::Copy) const;

private:
  Program();

  EntryPoint entryPoint;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*packedEntry)(void **) = nullptr;
};

/// What the network means: lowers a copy of `module` with no accelerator at all,
/// layers formed already as what they were formed of, and compiles it. `module`
/// is not changed.
mlir::FailureOr<std::unique_ptr<Program>>
compileReference(mlir::ModuleOp module, const EntryPoint &entry,
                 const ProgramOptions &options = {});

} // namespace fadiff

#endif // FADIFF_RUNNER_PROGRAM_H
