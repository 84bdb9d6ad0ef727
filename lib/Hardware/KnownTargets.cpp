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

static const KnownTarget *lookup(StringRef name) {
  const auto *known = llvm::find_if(
      knownTargets, [&](const KnownTarget &t) { return t.name == name; });
  return known == std::end(knownTargets) ? nullptr : known;
}

static llvm::Expected<Accelerator> parse(const KnownTarget &target) {
  return parseAccelerator(llvm::MemoryBufferRef(target.yaml, target.name));
}

static std::string unknown(StringRef name) {
  return "unknown target '" + name.str() + "': wanted one of " +
         llvm::join(knownTargetNames(), ", ");
}

llvm::Expected<Accelerator> fadiff::findKnownTarget(StringRef name) {
  if (const KnownTarget *known = lookup(name))
    return parse(*known);
  return llvm::createStringError(unknown(name));
}

llvm::Expected<Accelerator> fadiff::findTarget(StringRef nameOrPath) {
  if (const KnownTarget *known = lookup(nameOrPath))
    return parse(*known);
  if (nameOrPath.ends_with(".yaml") || nameOrPath.ends_with(".yml"))
    return loadAccelerator(nameOrPath);
  return llvm::createStringError(
      unknown(nameOrPath) +
      ", or the path of a .yaml file that describes a machine");
}
