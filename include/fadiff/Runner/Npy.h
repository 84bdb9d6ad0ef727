//===- Npy.h - Host tensors in NumPy's files --------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The .npy format, versions 1 to 3 (NEP 1 and numpy.lib.format): little-endian
// numbers in row-major order. A function's signless integers may come from
// signed or unsigned ones of their size, bf16 and f16 from numbers of 16 bits,
// since NumPy has no bf16.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_RUNNER_NPY_H
#define FADIFF_RUNNER_NPY_H

#include "fadiff/Runner/HostTensor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace fadiff {

/// The array in `bytes`, the text of a .npy file, as a tensor that `wanted`
/// admits. Fails, saying what was wanted and found, if the file is damaged, its
/// type or shape is another, or it is big-endian or column-major.
llvm::Expected<HostTensor> parseNpy(llvm::StringRef bytes,
                                    const TensorSpec &wanted);

/// The same of a file; the error names it.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path,
                                   const TensorSpec &wanted);

/// Writes version 1.0. bf16 is written as the numbers of 16 bits that have its
/// bits (uint16).
void printNpy(llvm::raw_ostream &os, const HostTensor &tensor);

} // namespace fadiff

#endif // FADIFF_RUNNER_NPY_H
