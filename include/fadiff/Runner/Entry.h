//===- Entry.h - The function of a module that is run -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which function of a module is run, how the module is reduced to it, and what
// it takes and gives.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_RUNNER_ENTRY_H
#define FADIFF_RUNNER_ENTRY_H

#include "fadiff/Runner/HostTensor.h"
#include "fadiff/Runner/Npy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace fadiff {

/// The attribute of an entry function's argument that overrides its default
/// values; see FillRule::parse.
inline constexpr llvm::StringLiteral kFillAttrName = "fadiff.fill";

/// The interface of a function as the host sees it.
struct EntryPoint {
  std::string name;
  /// Tensors and buffers; see TensorSpec for extents that are open.
  std::vector<TensorSpec> arguments;
  std::vector<FillRule> fills; ///< One per argument.
  std::vector<TensorSpec> results;
  /// The arguments that are buffers which the function may write. What they
  /// hold in the end are outputs, behind the results.
  std::vector<unsigned> written;
};

/// Gives `function` an interface of tensors and buffers, and its calls what
/// belongs to that: numbers become tensors of rank 0, and, where nobody calls
/// the function, tuples what they are made of and memrefs with strides the
/// dense buffer of which they are a part (`memref<4x8xi8, strided<[16, 1]>>`
/// becomes `memref<4x16xi8>`). A function whose address is taken is left as it
/// is.
void adaptInterface(mlir::func::FuncOp function);

/// Makes `entries` all that is public in the module, and drops what they do not
/// reach. Declarations of the LLVM dialect keep their linkage.
llvm::LogicalResult dropUnreachable(mlir::ModuleOp module,
                                    llvm::ArrayRef<mlir::func::FuncOp> entries);

/// Leaves `entry`, which becomes public, alone in the module with what it
/// reaches; what it calls is inlined. Its interface is adapted. Calls of the
/// functions that MLIR's runner libraries print with, and `vector.print`, are
/// dropped with a remark: what they print in the entry's own block are outputs
/// behind its results. So are, unless `allowExternal`, calls of declared
/// functions that return nothing and get nothing that they could write to.
/// Memory spaces are dropped: the host has one memory.
llvm::LogicalResult isolateEntry(mlir::ModuleOp module,
                                 mlir::func::FuncOp entry,
                                 bool allowExternal = false);

/// Reads the interface of the public function `name` of a module that is still
/// on tensors or buffers. Fails with a diagnostic at the function or argument
/// if there is no such definition, if an argument or result is no ranked tensor
/// or dense memref with one of the element types of HostTensor, or if a fill
/// attribute is malformed. Integers that the function uses as indices into
/// something of known extent are filled with values in range.
mlir::FailureOr<EntryPoint> findEntryPoint(mlir::ModuleOp module,
                                           llvm::StringRef name);

/// Reads the tensor in the file `path`, which `wanted` has to admit.
using TensorReader = llvm::function_ref<llvm::Expected<HostTensor>(
    llvm::StringRef path, const TensorSpec &wanted)>;

/// Allocates the arguments and fills them from `seed`; those for which `files`
/// names a file, of NumPy unless `read` knows others, from that. Fails if a
/// file does not fit its argument or an extent is open still.
llvm::Expected<std::vector<HostTensor>>
makeArguments(const EntryPoint &entry, uint64_t seed,
              llvm::ArrayRef<std::string> files = {},
              TensorReader read = readNpy);

/// Arguments for runs that look at no data (sim::MachineOptions::functional):
/// zeros that take no memory until they are written, but for those whose fill
/// rule keeps zero out, on which host code may rely.
llvm::Expected<std::vector<HostTensor>>
makeUnfilledArguments(const EntryPoint &entry, uint64_t seed);

/// The smallest extent that an integer of the argument's elements is used as an
/// index into, followed through casts, copies, reshapes and the bodies of
/// linalg operations; nothing if there is none.
std::optional<int64_t> extentIndexedBy(mlir::BlockArgument argument);

} // namespace fadiff

#endif // FADIFF_RUNNER_ENTRY_H
