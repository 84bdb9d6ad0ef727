//===- NamedOption.h - Options that are one of a few names ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's parser of enumerations says of a misspelt value only that it does not
// know it. This one says what there is, and takes the names from valueNames(),
// so that options of passes and tools, files and reports have the same.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SUPPORT_NAMEDOPTION_H
#define FADIFF_SUPPORT_NAMEDOPTION_H

#include "fadiff/Support/Names.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"

namespace fadiff {

/// Parses one of valueNames(EnumT()). FADIFF_NAMED_OPTION makes it the parser
/// of llvm::cl::opt<EnumT> and of pass options of that type.
template <typename EnumT>
class NamedParser : public llvm::cl::generic_parser_base {
public:
  using parser_data_type = EnumT;

  explicit NamedParser(llvm::cl::Option &option)
      : llvm::cl::generic_parser_base(option) {
    for (EnumT value : allValues<EnumT>())
      Values.push_back(OptionInfo(nameOf(value), value));
  }

  unsigned getNumOptions() const override { return Values.size(); }
  llvm::StringRef getOption(unsigned n) const override {
    return Values[n].Name;
  }
  llvm::StringRef getDescription(unsigned n) const override {
    return Values[n].HelpStr;
  }
  const llvm::cl::GenericOptionValue &
  getOptionValue(unsigned n) const override {
    return Values[n].V;
  }

  /// For cl::values, which says what each means.
  template <typename ValueT>
  void addLiteralOption(llvm::StringRef name, const ValueT &,
                        llvm::StringRef help) {
    for (OptionInfo &info : Values)
      if (info.Name == name)
        info.HelpStr = help;
  }

  /// Returns true on error, as LLVM's parsers do.
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             EnumT &value) {
    std::optional<EnumT> known = parseName<EnumT>(text);
    if (!known)
      return option.error("wanted " + listNames<EnumT>() + ", found '" + text +
                          "'");
    value = *known;
    return false;
  }

protected:
  // Named as in llvm::cl::parser, for mlir::PassOptions, which looks here for
  // the name of a value.
  struct OptionInfo : GenericOptionInfo {
    OptionInfo(llvm::StringRef name, EnumT value)
        : GenericOptionInfo(name, ""), V(value) {}
    llvm::cl::OptionValue<EnumT> V;
  };
  llvm::SmallVector<OptionInfo, 8> Values;
};

} // namespace fadiff

/// To be used once per enumeration, outside of all namespaces.
#define FADIFF_NAMED_OPTION(EnumT)                                             \
  template <>                                                                  \
  class llvm::cl::parser<EnumT> : public fadiff::NamedParser<EnumT> {          \
    using fadiff::NamedParser<EnumT>::NamedParser;                             \
  };

#endif // FADIFF_SUPPORT_NAMEDOPTION_H
