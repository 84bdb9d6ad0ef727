//===- StaticMemory.h - Intermediates at fixed places -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CODEGEN_STATICMEMORY_H
#define FADIFF_LIB_CODEGEN_STATICMEMORY_H

#include "fadiff/Codegen/Riscv.h"

#include "llvm/IR/Module.h"

namespace fadiff {

/// Sums up the heap of an optimised module, function by function. With `place`
/// each buffer of constant size that a function without loops of its own, or
/// its first block, allocates and frees, or never frees, gets a place in an
/// array of its function instead; buffers that live at different times share
/// memory. Calls of such a function must not overlap.
MemoryUse placeBuffers(llvm::Module &module, bool place);

} // namespace fadiff

#endif // FADIFF_LIB_CODEGEN_STATICMEMORY_H
