//===- Names.h - Enumerations that people write by name ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An enumeration whose values are 0, 1, 2, ... has names if there is a function
//   llvm::ArrayRef<llvm::StringLiteral> valueNames(EnumT)
// in its namespace, which returns them in this order. Files, attributes,
// options and reports then read and write the values by these names.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SUPPORT_NAMES_H
#define FADIFF_SUPPORT_NAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fadiff {

template <typename EnumT, typename = decltype(valueNames(EnumT()))>
llvm::StringRef nameOf(EnumT value) {
  return valueNames(value)[static_cast<size_t>(value)];
}

/// The value of that name; nullopt if there is none.
template <typename EnumT> std::optional<EnumT> parseName(llvm::StringRef name) {
  for (auto [index, known] : llvm::enumerate(valueNames(EnumT())))
    if (known == name)
      return static_cast<EnumT>(index);
  return std::nullopt;
}

/// All of them, in their order.
template <typename EnumT> std::vector<EnumT> allValues() {
  std::vector<EnumT> values;
  for (size_t index = 0; index < valueNames(EnumT()).size(); ++index)
    values.push_back(static_cast<EnumT>(index));
  return values;
}

/// "edp, energy or latency".
template <typename EnumT> std::string listNames() {
  llvm::ArrayRef<llvm::StringLiteral> names = valueNames(EnumT());
  return llvm::join(names.drop_back(), ", ") + " or " + names.back().str();
}

/// What is on or off.
enum class Switch : uint8_t { Off, On };
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Switch) {
  static constexpr llvm::StringLiteral names[] = {"off", "on"};
  return names;
}

} // namespace fadiff

#endif // FADIFF_SUPPORT_NAMES_H
