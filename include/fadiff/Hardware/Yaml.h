//===- Yaml.h - Hardware descriptions as text -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes hardware/*.yaml. docs/Hardware.md lists the fields.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_YAML_H
#define FADIFF_HARDWARE_YAML_H

#include "fadiff/Hardware/Accelerator.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>

namespace fadiff {

/// Reads one machine from YAML text. Every field that is not optional
/// (Fields.h) is required, and the machine must be buildable (positive numbers,
/// power-of-two side and bank rows, ...). The error is the
/// first problem found:
///   <buffer name>:<line>:<column>: error: <field>: <what is wrong>
llvm::Expected<Accelerator> parseAccelerator(llvm::MemoryBufferRef yaml);

/// Reads one machine from the YAML file at `path`; of a design (Design.h) the
/// one at the parameters' initial values. Errors as above, or that the file
/// cannot be read.
llvm::Expected<Accelerator> loadAccelerator(llvm::StringRef path);

/// Fails if the text is larger, or nests deeper, than any description that a
/// person writes: LLVM's YAML parser recurses without a limit.
llvm::Error checkDescription(llvm::MemoryBufferRef yaml);

/// Writes `target` as YAML that parseAccelerator reads back to an equal value.
/// An Accelerator does not hold the numbers' sources: each is written as
/// "given".
std::string toYaml(const Accelerator &target);

/// The parameters with which Gemmini's generator (GemminiConfigs.scala) builds
/// the array, the memories and the DMA of `target`, as a Scala object. Fails if
/// the generator has no parameter for something that the machine has; the error
/// names the field.
llvm::Expected<std::string> toGemminiConfig(const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_HARDWARE_YAML_H
