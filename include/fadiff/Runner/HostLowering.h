//===- HostLowering.h - From linalg on tensors to LLVM ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipelines that make a module run on the host. They come in two stages so
// that passes which want linalg on memrefs (the lowering to an accelerator) fit
// in between. No stage reassociates or contracts floating point arithmetic, so
// an operation gives the same bits in whatever module it is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_RUNNER_HOSTLOWERING_H
#define FADIFF_RUNNER_HOSTLOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <cstdint>
#include <memory>

namespace fadiff {

/// How a public function is called once it is lowered.
enum class EntryInterface : uint8_t {
  /// `_mlir_ciface_` and its name, with descriptors; results are allocated by
  /// the callee.
  Descriptors,
  /// Its name, with a pointer for each argument and then for each result. All
  /// shapes must be static.
  Pointers,
};

/// Stage 1: tensors become memrefs with the identity layout at function
/// boundaries; every buffer is freed after its last use. Arguments of public
/// functions are never written, and results never alias them.
void buildBufferizationPipeline(
    mlir::OpPassManager &pm,
    EntryInterface interface = EntryInterface::Descriptors);

/// First half of stage 2: linalg on memrefs becomes loop nests, one function
/// per kind of operation.
void buildHostLoopsPipeline(
    mlir::OpPassManager &pm,
    EntryInterface interface = EntryInterface::Descriptors);

/// Stage 2: func, linalg, memref, scf, affine, arith, math and cf on memrefs
/// become the LLVM dialect. Public functions get a C interface. Already lowered
/// operations pass through.
void buildHostLoweringPipeline(
    mlir::OpPassManager &pm,
    EntryInterface interface = EntryInterface::Descriptors);

/// Both stages. Diagnostics say what could not be lowered.
llvm::LogicalResult lowerHostToLLVM(mlir::ModuleOp module);

/// Makes the stages (fadiff-bufferize, fadiff-host-loops, fadiff-lower-host)
/// and the passes below known by name.
void registerRunnerPasses();

/// The passes of the pipelines that upstream does not have.
///
/// Marks the tensor arguments of public functions as not writable, and drops
/// the `fadiff.fill` attributes, which have no meaning after this point,
/// `memref.dealloc`, since deallocation frees every buffer, and wishes which
/// tensor a result should be put into.
std::unique_ptr<mlir::Pass> createProtectArgumentsPass();
/// Lets what is copied into a part of a buffer, as by a concatenation, be made
/// and read where it lies there (isMadeInPlace()). For between bufferization
/// and deallocation.
std::unique_ptr<mlir::Pass> createWriteInPlacePass();
/// Orders the loops of linalg operations on memrefs for the host: reductions
/// get the loop innermost along which the output is contiguous, if an input is,
/// too, or, for `Descriptors`, a copy of one with another order of axes that is
/// read at least 16 times. The order of additions into one element stays.
/// `memref.copy` becomes loops, so that no runtime library is needed.
std::unique_ptr<mlir::Pass> createOrderHostLoopsPass(
    EntryInterface interface = EntryInterface::Descriptors);
/// Moves each linalg operation on static memrefs to a private function, shared
/// by operations that differ only in their operands. Keeps compile times linear
/// in the size of the network.
std::unique_ptr<mlir::Pass> createOutlineHostLoopsPass();
/// Asks for a C interface on the definitions of public functions.
std::unique_ptr<mlir::Pass> createRequestEntryWrappersPass(
    EntryInterface interface = EntryInterface::Descriptors);
/// Checks each access to a buffer, and each view of one, that may lie outside
/// of it, and says in every assertion where it stands. For before linalg
/// becomes loops; Program::run() reports what fails.
std::unique_ptr<mlir::Pass> createGuardAccessesPass();
/// Checks each integer division that may be undefined, by zero or of the least
/// number by -1. For between loops and the LLVM dialect.
std::unique_ptr<mlir::Pass> createGuardHostPass();
/// Clamps floats before they are rounded and converted to integers, where both
/// orders give the same, and lets the clamp do what it likes with a NaN, of
/// which no integer is defined. For machines that round as they convert.
std::unique_ptr<mlir::Pass> createRoundLastPass();
/// Computes exponentials of f32 where they stand, with the bits of the C
/// library's expf. For a core on which its call takes more than what it does.
std::unique_ptr<mlir::Pass> createInlineExpPass();
/// Turns the memrefs that public functions return into arguments after the
/// others. For between bufferization and deallocation.
std::unique_ptr<mlir::Pass> createResultsToArgumentsPass();

} // namespace fadiff

#endif // FADIFF_RUNNER_HOSTLOWERING_H
