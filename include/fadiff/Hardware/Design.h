//===- Design.h - Machines with free parameters -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family of machines: a description as of one machine, in which numbers
// follow from parameters by laws of size and technology. docs/Codesign.md.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_DESIGN_H
#define FADIFF_HARDWARE_DESIGN_H

#include "fadiff/Hardware/Accelerator.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fadiff {

/// factor * product of parameter^exponent; both positive.
struct Monomial {
  double factor = 1;
  /// Indices into Design::parameters, in the order in which they are written.
  llvm::SmallVector<std::pair<unsigned, double>, 2> powers;
};

/// A posynomial: a sum of monomials. Its logarithm is convex in the logarithms
/// of the parameters, and it is monotone in each of them within each term.
struct Law {
  std::vector<Monomial> terms;
  std::string text; ///< as it is written

  /// The value at parameters of any scalar T; `power(x, e)` gives x^e.
  template <typename T, typename PowerT>
  T evaluate(llvm::ArrayRef<T> parameters, PowerT power) const {
    T sum(0.0);
    for (const Monomial &term : terms) {
      T product(term.factor);
      for (auto [parameter, exponent] : term.powers)
        product = exponent == 1 ? product * parameters[parameter]
                  : exponent == -1
                      ? product / parameters[parameter]
                      : product * power(parameters[parameter], exponent);
      sum = sum + product;
    }
    return sum;
  }
  double evaluate(llvm::ArrayRef<double> parameters) const;
  /// Nothing between `low` and `high`, per parameter, is below the first or
  /// above the second: each term is at its end.
  std::pair<double, double> range(llvm::ArrayRef<double> low,
                                  llvm::ArrayRef<double> high) const;
};

/// What is free in a design: one of several numbers, any number of a range, or
/// one of several words.
struct Parameter {
  std::string name;
  std::string unit;
  /// The numbers it can be, rising; one if it is fixed. Empty for any number
  /// from `from` to `to`. Of words their indices.
  std::vector<double> values;
  std::vector<std::string> words;
  double from = 0, to = 0;
  double init = 0;

  bool isFixed() const { return values.size() == 1; }
  bool isContinuous() const { return values.empty(); }
  bool isWord() const { return !words.empty(); }
  /// "256", or the word.
  std::string toText(double value) const;
};

/// A value per parameter.
using DesignPoint = std::vector<double>;

class Design {
public:
  /// Reads a description in which `law: "..."` may stand in the place of
  /// `value: ..`, and with a section `parameters`. The error names place,
  /// wanted and found: also if the machine at the parameters' initial values is
  /// none (parseAccelerator), with the nearest values that make one.
  static llvm::Expected<Design> parse(llvm::MemoryBufferRef yaml);
  static llvm::Expected<Design> load(llvm::StringRef path);

  /// The machine at `point`, a value per parameter. Nothing is rounded but the
  /// laws' values to 15 digits. Fails if no such machine can be built, as
  /// parseAccelerator does.
  llvm::Expected<Accelerator> specialize(llvm::ArrayRef<double> point) const;
  /// Its description, in which sources name laws and parameters.
  std::string toYaml(llvm::ArrayRef<double> point, llvm::StringRef name) const;

  /// "side = 16, scratchpad_kib = 256": of those that are free.
  std::string describe(llvm::ArrayRef<double> point) const;

  DesignPoint initial() const;

  /// The law of the field that Fields.h lists as `field`; null if that is not
  /// given by one, or by a word.
  const Law *lawOf(llvm::StringRef field) const;
  std::optional<unsigned> parameterNamed(llvm::StringRef name) const;

  std::string name;
  std::vector<Parameter> parameters;
  /// By the fields' names in Fields.h.
  std::vector<std::pair<std::string, Law>> laws;
  /// What is allowed and hardly meant, each with its place.
  std::vector<std::string> notes;

private:
  /// What of the text depends on the parameters.
  struct Place {
    size_t begin = 0, end = 0; ///< in `text`
    enum Kind { Key, Value, Source, Parameters, Name } kind = Value;
    size_t law = 0;        ///< of Value and Source: index into placed
    std::string otherwise; ///< Source: as it is written
  };
  /// A law, or a parameter that is a word, by place.
  struct Placed {
    Law law;
    std::optional<unsigned> word;
  };
  std::string instantiate(llvm::ArrayRef<double> point,
                          std::optional<llvm::StringRef> name) const;

  std::string file, text;
  std::vector<Place> places; ///< by `begin`
  std::vector<Placed> placed;

  friend class DesignReader;
};

/// Whether the text looks like that of a design: it has a section of
/// parameters.
bool isDesign(llvm::StringRef yaml);

} // namespace fadiff

#endif // FADIFF_HARDWARE_DESIGN_H
