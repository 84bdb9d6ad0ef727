//===- GemminiToLLVM.h - Instructions to RoCC or calls ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_CONVERSION_GEMMINITOLLVM_H
#define FADIFF_CONVERSION_GEMMINITOLLVM_H

#include <cstdint>
#include <optional>

namespace mlir {
class DialectRegistry;
class RewritePatternSet;
class TypeConverter;
} // namespace mlir

namespace fadiff {

/// What executes the instructions.
enum class GemminiRuntime : uint8_t {
  Simulator, ///< calls on the host
  Rocc,      ///< custom-3 instructions on riscv64
};

/// Adds the conversion of `!gemmini.addr` to `i64` and the patterns for every
/// gemmini operation. Without `runtime` each operation's module decides: Rocc
/// if its `llvm.target_triple` is a RISC-V one, else Simulator.
void populateGemminiToLLVMPatterns(mlir::TypeConverter &converter,
                                   mlir::RewritePatternSet &patterns,
                                   std::optional<GemminiRuntime> runtime);

/// Lets the generic `--convert-to-llvm` convert the gemmini dialect.
void registerConvertGemminiToLLVMInterface(mlir::DialectRegistry &registry);

} // namespace fadiff

#endif // FADIFF_CONVERSION_GEMMINITOLLVM_H
