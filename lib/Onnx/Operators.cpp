//===- Operators.cpp - The operators that are known -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "llvm/ADT/STLExtras.h"

using namespace fadiff;
using namespace fadiff::frontend;

std::string frontend::qualifiedName(llvm::StringRef domain,
                                    llvm::StringRef name) {
  if (domain.empty() || domain == "ai.onnx")
    return name.str();
  return (domain + "." + name).str();
}

static const llvm::StringMap<Operator> &allOperators() {
  static const llvm::StringMap<Operator> all = [] {
    llvm::StringMap<Operator> map;
    for (llvm::ArrayRef<Operator> some :
         {elementwiseOperators(), contractionOperators(), einsumOperators(),
          windowOperators(), movementOperators(), indexedOperators(),
          reductionOperators(), resizeOperators(), normalizationOperators(),
          recurrentOperators(), quantizedOperators(), controlOperators()})
      for (const Operator &each : some)
        map.try_emplace(qualifiedName(each.domain, each.name), each);
    return map;
  }();
  return all;
}

const Operator *frontend::findOperator(llvm::StringRef domain,
                                       llvm::StringRef name) {
  auto found = allOperators().find(qualifiedName(domain, name));
  return found == allOperators().end() ? nullptr : &found->second;
}

std::vector<std::string> fadiff::knownOnnxOperators() {
  std::vector<std::string> names;
  for (const auto &each : allOperators())
    names.push_back(each.getKey().str());
  llvm::sort(names);
  return names;
}
