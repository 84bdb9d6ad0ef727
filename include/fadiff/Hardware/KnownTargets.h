//===- KnownTargets.h - Machines that go by a name --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_KNOWNTARGETS_H
#define FADIFF_HARDWARE_KNOWNTARGETS_H

#include "fadiff/Hardware/Design.h"
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
/// that ends in .yaml or .yml; of a design the machine at its initial values.
/// The error for any other string lists the names.
llvm::Expected<Accelerator> findTarget(llvm::StringRef nameOrPath);

/// The names of the designs in hardware/designs/*.yaml, in alphabetical order.
std::vector<llvm::StringRef> knownDesignNames();

/// One of them, or the design in the .yaml file at that path.
llvm::Expected<Design> findDesign(llvm::StringRef nameOrPath);

} // namespace fadiff

#endif // FADIFF_HARDWARE_KNOWNTARGETS_H
