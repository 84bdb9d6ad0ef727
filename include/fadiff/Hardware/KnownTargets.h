//===- KnownTargets.h - Machines that go by a name --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_KNOWNTARGETS_H
#define FADIFF_HARDWARE_KNOWNTARGETS_H

#include "fadiff/Hardware/Accelerator.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace fadiff {

/// Names of the built-in machines, sorted: one per hardware/*.yaml, whose text
/// is compiled in.
std::vector<llvm::StringRef> knownTargetNames();

/// The built-in machine of that name. The error for any other string lists the
/// names.
llvm::Expected<Accelerator> findKnownTarget(llvm::StringRef name);

/// The machine that a user means by `nameOrPath`: a built-in name, or a path
/// that ends in .yaml or .yml. The error for any other string lists the names.
llvm::Expected<Accelerator> findTarget(llvm::StringRef nameOrPath);

} // namespace fadiff

#endif // FADIFF_HARDWARE_KNOWNTARGETS_H
