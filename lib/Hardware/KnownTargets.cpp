//===- KnownTargets.cpp - Machines that go by a name ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/KnownTargets.h"

#include "fadiff/Hardware/Yaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fadiff;
using llvm::StringRef;

namespace {
struct KnownTarget {
  StringRef name;
  StringRef yaml;
};
} // namespace

// Made from hardware/*.yaml by EmbedTargets.cmake.
static const KnownTarget knownTargets[] = {
#include "KnownTargets.inc"
};

std::vector<StringRef> fadiff::knownTargetNames() {
  std::vector<StringRef> names;
  for (const KnownTarget &target : knownTargets)
    names.push_back(target.name);
  llvm::sort(names);
  return names;
}

llvm::Expected<Accelerator> fadiff::findTarget(StringRef nameOrPath) {
  for (const KnownTarget &target : knownTargets)
    if (target.name == nameOrPath)
      return parseAccelerator(llvm::MemoryBufferRef(target.yaml, target.name));
  if (nameOrPath.ends_with(".yaml") || nameOrPath.ends_with(".yml"))
    return loadAccelerator(nameOrPath);
  return llvm::createStringError(
      "unknown target '" + nameOrPath + "': wanted one of " +
      llvm::join(knownTargetNames(), ", ") +
      ", or the path of a .yaml file that describes a machine");
}
