//===- KnownTargets.cpp - Machines that go by a name ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/KnownTargets.h"

#include "fadiff/Hardware/Design.h"
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
// The same of hardware/designs/*.yaml.
static const KnownTarget knownDesigns[] = {
#include "KnownDesigns.inc"
};

static std::vector<StringRef> namesOf(llvm::ArrayRef<KnownTarget> known) {
  std::vector<StringRef> names;
  for (const KnownTarget &target : known)
    names.push_back(target.name);
  llvm::sort(names);
  return names;
}
std::vector<StringRef> fadiff::knownTargetNames() {
  return namesOf(knownTargets);
}
std::vector<StringRef> fadiff::knownDesignNames() {
  return namesOf(knownDesigns);
}

static const KnownTarget *lookup(llvm::ArrayRef<KnownTarget> all,
                                 StringRef name) {
  const auto *known =
      llvm::find_if(all, [&](const KnownTarget &t) { return t.name == name; });
  return known == all.end() ? nullptr : known;
}
static bool isPath(StringRef name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

static llvm::Expected<Accelerator> parse(const KnownTarget &target) {
  return parseAccelerator(llvm::MemoryBufferRef(target.yaml, target.name));
}

static std::string unknown(StringRef name) {
  return "unknown target '" + name.str() + "': wanted one of " +
         llvm::join(knownTargetNames(), ", ");
}

llvm::Expected<Accelerator> fadiff::findKnownTarget(StringRef name) {
  if (const KnownTarget *known = lookup(knownTargets, name))
    return parse(*known);
  return llvm::createStringError(unknown(name));
}

llvm::Expected<Accelerator> fadiff::findTarget(StringRef nameOrPath) {
  if (const KnownTarget *known = lookup(knownTargets, nameOrPath))
    return parse(*known);
  if (isPath(nameOrPath))
    return loadAccelerator(nameOrPath);
  if (lookup(knownDesigns, nameOrPath)) {
    const Design design = llvm::cantFail(findDesign(nameOrPath));
    return design.specialize(design.initial());
  }
  return llvm::createStringError(
      unknown(nameOrPath) +
      ", or the path of a .yaml file that describes a machine");
}

llvm::Expected<Design> fadiff::findDesign(StringRef nameOrPath) {
  if (const KnownTarget *known = lookup(knownDesigns, nameOrPath))
    return Design::parse(llvm::MemoryBufferRef(known->yaml, known->name));
  if (isPath(nameOrPath))
    return Design::load(nameOrPath);
  return llvm::createStringError(
      "unknown design '" + nameOrPath + "': wanted one of " +
      llvm::join(knownDesignNames(), ", ") +
      ", or the path of a .yaml file that describes one");
}
