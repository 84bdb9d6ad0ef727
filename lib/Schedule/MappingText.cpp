//===- MappingText.cpp - Mappings as people read them ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/MappingText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cctype>

using namespace fadiff;

std::string fadiff::mappingText(const Mapping &mapping) {
  std::string text;
  for (Level level : llvm::reverse(kAllLevels)) {
    text += std::string(levelName(level)) + " [";
    llvm::StringRef space;
    for (Dim dim : llvm::reverse(mapping.order[level]))
      if (int64_t factor = mapping.temporal[level][dim]; factor != 1) {
        text += llvm::formatv("{0}{1}:{2}", space, dimName(dim), factor);
        space = " ";
      }
    text += "], ";
  }
  return text +
         llvm::formatv("array [{0} x {1}]", mapping.rows, mapping.cols).str();
}

std::string fadiff::shortMappingText(const Mapping &mapping) {
  std::string text;
  for (Level level : {Level::Dram, Level::Scratchpad, Level::Accumulator}) {
    std::string loops;
    for (Dim dim : llvm::reverse(mapping.order[level]))
      if (int64_t factor = mapping.temporal[level][dim]; factor != 1)
        loops += llvm::formatv("{0}{1}{2}", loops.empty() ? "" : " ",
                               dimName(dim), factor);
    if (!loops.empty())
      text += llvm::formatv("{0}[{1}] ",
                            char(std::toupper(levelName(level)[0])), loops);
  }
  return text + llvm::formatv("{0}x{1}", mapping.rows, mapping.cols).str();
}
