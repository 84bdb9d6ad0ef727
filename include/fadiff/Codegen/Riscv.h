//===- Riscv.h - Programs for the RISC-V core of a Gemmini ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a scheduled module to an object file for riscv64, in which what runs on
// the accelerator is custom-3 instructions and the rest is ordinary code, and
// to the C header that goes with it. docs/Binaries.md describes the interface.
//
//   auto entries = findCEntries(module, "net_");        // still on tensors
//   llvm::LLVMContext llvmContext;
//   auto program = compileForRiscv(module, *entries, llvmContext);
//   emitProgram(**program, ProgramFormat::Object, os);
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_CODEGEN_RISCV_H
#define FADIFF_CODEGEN_RISCV_H

#include "fadiff/Runner/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace fadiff {

/// A public function as C sees it: a pointer for each argument, then one for
/// each result, all dense and row-major. It may write the arguments that
/// `interface.written` names.
struct CEntry {
  std::string symbol;   ///< the function's name in C
  EntryPoint interface; ///< its name in MLIR, argument and result types
  /// Of arguments; empty: arg0, arg1, ...
  std::vector<std::string> argumentNames;
  std::string resultName = "result"; ///< of results, before their number
  /// The function that makes its last arguments (Weights.h); empty: none.
  std::string preparedBy;
};

/// The public functions of a module that is still on tensors, in its order.
/// Their C names are `prefix` and their own, every character that C does not
/// know replaced by an underscore. Fails with a diagnostic at the function if
/// its types have no C equivalent (see findEntryPoint), if two have the same
/// name or one is a word of C, and at the module if there is none.
mlir::FailureOr<std::vector<CEntry>> findCEntries(mlir::ModuleOp module,
                                                  llvm::StringRef prefix);

struct RiscvOptions {
  /// What the core has besides the base instructions, as LLVM writes it. F and
  /// D are needed: requantisation computes in f32.
  std::string features = "+m,+a,+f,+d,+c";
  std::string abi = "lp64d";
  /// LLVM's optimisation level, 0 to 3.
  unsigned optLevel = 2;
  /// Intermediates lie in the program, not on the heap: its functions must not
  /// be called while they run.
  bool staticMemory = false;
};

/// What LLVM calls the extensions of a core that a compiler's -march names, for
/// RiscvOptions::features; an error if it is none of RV64 with doubles, which
/// the ABI wants.
llvm::Expected<std::string> featuresOf(llvm::StringRef march);

/// What the intermediates of a program take, in bytes.
struct MemoryUse {
  int64_t fixed = 0; ///< in the program itself
  /// That one call has from aligned_alloc at most at one time; what loops and
  /// branches of the core allocate is not counted.
  int64_t heap = 0;
};

/// Bufferization with result buffers from the caller,
/// `fadiff-lower-to-gemmini`, instructions to custom-3, the rest of the module
/// to LLVM.
void buildRiscvPipeline(mlir::OpPassManager &pm);

/// A module of LLVM IR and the machine it is optimised for.
struct RiscvProgram {
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
  MemoryUse memory;
};

/// Lowers a copy of the scheduled `module`. Only the entries are visible from
/// outside, and what they do not reach is dropped. Memory for intermediates
/// comes from aligned_alloc, unless it is static; when it gives none the
/// program stops at a trap instead of writing to address 0.
mlir::FailureOr<RiscvProgram> compileForRiscv(mlir::ModuleOp module,
                                              llvm::ArrayRef<CEntry> entries,
                                              llvm::LLVMContext &context,
                                              const RiscvOptions &options = {});

/// The program as an object file or as assembly. Consumes the module: code
/// generation changes it.
llvm::Error emitProgram(RiscvProgram program, llvm::CodeGenFileType type,
                        llvm::raw_pwrite_stream &os);

/// The functions that the program calls and does not have, in order of name:
/// what a C library has to provide.
llvm::Expected<std::vector<std::string>>
undefinedSymbols(llvm::MemoryBufferRef object);

/// What the header says besides the functions.
struct CHeaderText {
  std::string source;             ///< name of the network's file
  std::string target;             ///< of the machine
  std::vector<std::string> needs; ///< see undefinedSymbols
  MemoryUse memory;
};

/// A header for C and C++: per entry its prototype, the shapes in a comment,
/// and the number of elements of each buffer as a macro.
void printCHeader(llvm::raw_ostream &os, llvm::ArrayRef<CEntry> entries,
                  const CHeaderText &text);

} // namespace fadiff

#endif // FADIFF_CODEGEN_RISCV_H
