//===- Design.cpp - Machines with free parameters -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine of a design is its text with laws replaced by their values: what
// reads and checks descriptions reads and checks it, and says at which line
// something is wrong.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/Design.h"

#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/Yaml.h"
#include "fadiff/Support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

#include <cmath>
#include <map>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
namespace yaml = llvm::yaml;

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

double Law::evaluate(llvm::ArrayRef<double> parameters) const {
  return evaluate(parameters,
                  [](double x, double e) { return std::pow(x, e); });
}

std::pair<double, double> Law::range(llvm::ArrayRef<double> low,
                                     llvm::ArrayRef<double> high) const {
  std::pair<double, double> sum = {0, 0};
  for (const Monomial &term : terms) {
    std::pair<double, double> product = {term.factor, term.factor};
    for (auto [parameter, exponent] : term.powers) {
      const double atLow = std::pow(low[parameter], exponent);
      const double atHigh = std::pow(high[parameter], exponent);
      product.first *= std::min(atLow, atHigh);
      product.second *= std::max(atLow, atHigh);
    }
    sum.first += product.first;
    sum.second += product.second;
  }
  return sum;
}

namespace {
/// "0.49 + 0.02513 * scratchpad_kib / side^0.5".
class LawParser {
public:
  LawParser(StringRef text, llvm::ArrayRef<Parameter> parameters)
      : rest(text), parameters(parameters) {}

  /// What is wrong; empty if nothing.
  std::string parse(Law &law) {
    law.text = rest.trim().str();
    do {
      Monomial term;
      if (std::string wrong = parseTerm(term); !wrong.empty())
        return wrong;
      law.terms.push_back(std::move(term));
    } while (consume('+'));
    if (rest.starts_with("-"))
      return "wanted a sum of products with positive factors, found '-'";
    if (!rest.empty())
      return ("wanted +, *, / or ^, found '" + rest + "'").str();
    return {};
  }

private:
  bool consume(char what) {
    rest = rest.ltrim();
    const bool found = rest.consume_front(StringRef(&what, 1));
    rest = rest.ltrim();
    return found;
  }

  std::string parseTerm(Monomial &term) {
    bool divides = false;
    while (true) {
      if (std::string wrong = parseFactor(term, divides); !wrong.empty())
        return wrong;
      if (consume('*'))
        divides = false;
      else if (consume('/'))
        divides = true;
      else
        return {};
    }
  }

  std::string parseFactor(Monomial &term, bool divides) {
    rest = rest.ltrim();
    const StringRef word = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    if (word.empty())
      return "wanted a positive number or a parameter, found '" + rest.str() +
             "'";
    if (llvm::isDigit(word[0])) {
      double number;
      if (!parseNumber(number) || !(number > 0))
        return "wanted a positive number, found '" + word.str() + "'";
      term.factor = divides ? term.factor / number : term.factor * number;
      return {};
    }
    rest = rest.drop_front(word.size());
    const auto *known = llvm::find_if(
        parameters, [&](const Parameter &p) { return p.name == word; });
    if (known == parameters.end())
      return "wanted one of the parameters " + names() + ", found '" +
             word.str() + "'";
    if (known->isWord())
      return "wanted a number, found the parameter '" + word.str() +
             "', which is a word: it stands alone";
    double exponent = 1;
    if (consume('^')) {
      const double sign = consume('-') ? -1 : 1;
      if (!parseNumber(exponent))
        return "wanted a number behind ^, found '" + rest.str() + "'";
      exponent *= sign;
    }
    term.powers.push_back(
        {unsigned(known - parameters.begin()), divides ? -exponent : exponent});
    return {};
  }

  bool parseNumber(double &number) {
    size_t length = 0;
    auto digits = [&] {
      while (length < rest.size() &&
             (llvm::isDigit(rest[length]) || rest[length] == '.'))
        ++length;
    };
    digits();
    // 4.216e-4
    if (length && length + 1 < rest.size() &&
        llvm::toLower(rest[length]) == 'e') {
      size_t mark = length++;
      if (rest[length] == '-' || rest[length] == '+')
        ++length;
      const size_t before = length;
      digits();
      if (length == before)
        length = mark;
    }
    if (rest.take_front(length).getAsDouble(number) || !std::isfinite(number))
      return false;
    rest = rest.drop_front(length);
    return true;
  }

  std::string names() const {
    std::string all;
    for (const Parameter &parameter : parameters)
      all += (all.empty() ? "" : ", ") + parameter.name;
    return all.empty() ? "(there are none)" : all;
  }

  StringRef rest;
  llvm::ArrayRef<Parameter> parameters;
};

/// A number as laws give it: 15 digits are what decimal numbers in doubles
/// hold.
std::string digitsOf(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.15g", value);
  return text;
}
} // namespace

std::string Parameter::toText(double value) const {
  return isWord() ? words[size_t(value)] : digitsOf(value);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace fadiff {
/// Goes through the nodes of a description once: its parameters first, as laws
/// name them.
class DesignReader {
public:
  DesignReader(Design &design, llvm::SourceMgr &sources)
      : design(design), sources(sources) {}

  /// False, with `error`, if something is wrong.
  bool read(yaml::Node *root) {
    auto *top = llvm::dyn_cast_or_null<yaml::MappingNode>(root);
    if (!top)
      return fail(root, "wanted a mapping of fields, one per line");
    // Where the section of parameters ends the next one begins.
    std::optional<size_t> parametersBegin;
    std::vector<std::pair<std::string, std::vector<Quantity>>> sections;
    for (yaml::KeyValueNode &entry : *top) {
      auto *key = llvm::dyn_cast_or_null<yaml::ScalarNode>(entry.getKey());
      if (!key)
        return fail(entry.getKey(), "wanted a name");
      if (parametersBegin && !parametersEnd)
        parametersEnd = offset(key);
      llvm::SmallString<32> storage;
      const StringRef name = key->getValue(storage);
      yaml::Node *value = entry.getValue();
      if (name == "parameters") {
        parametersBegin = offset(key);
        if (!readParameters(value))
          return false;
      } else if (name == "name") {
        auto *scalar = llvm::dyn_cast_or_null<yaml::ScalarNode>(value);
        if (!scalar)
          return fail(value, "name: wanted the design's name");
        llvm::SmallString<32> text;
        design.name = scalar->getValue(text).str();
        place(scalar, Design::Place::Name);
      } else if (auto *mapping =
                     llvm::dyn_cast_or_null<yaml::MappingNode>(value)) {
        if (!readSection(name.str(), mapping))
          return false;
      }
      // What else is wrong is said when a machine is read.
    }
    if (parametersBegin)
      design.places.push_back({*parametersBegin,
                               parametersEnd.value_or(design.text.size()),
                               Design::Place::Parameters, 0, ""});
    for (Quantity &quantity : quantities)
      if (!resolve(quantity))
        return false;
    if (!checkRate())
      return false;
    noteWhatFalls();
    llvm::sort(design.places,
               [](const auto &a, const auto &b) { return a.begin < b.begin; });
    return true;
  }

  std::string error;

private:
  /// What is given by a law.
  struct Quantity {
    std::string section, key, law, source;
    llvm::SMRange nameRange, valueRange, sourceRange;
  };

  /// "gemmini.yaml:3:5: "
  std::string placeOf(llvm::SMRange range) const {
    llvm::SMDiagnostic diagnostic =
        sources.GetMessage(range.Start, llvm::SourceMgr::DK_Error, "", range);
    return (diagnostic.getFilename() + ":" + Twine(diagnostic.getLineNo()) +
            ":" + Twine(diagnostic.getColumnNo() + 1) + ": ")
        .str();
  }
  bool fail(llvm::SMRange range, const Twine &message) {
    error = (placeOf(range) + "error: " + message).str();
    return false;
  }
  bool fail(yaml::Node *node, const Twine &message) {
    return fail(node ? node->getSourceRange() : llvm::SMRange(), message);
  }

  size_t offset(yaml::Node *node) const {
    return offset(node->getSourceRange().Start);
  }
  size_t offset(llvm::SMLoc place) const {
    return size_t(place.getPointer() -
                  sources.getMemoryBuffer(1)->getBufferStart());
  }
  void place(yaml::Node *node, Design::Place::Kind kind) {
    const llvm::SMRange range = node->getSourceRange();
    design.places.push_back(
        {offset(range.Start), offset(range.End), kind, 0, ""});
  }

  /// A section's quantities, or one at the top: {law: .., unit: .., source: ..}
  bool readSection(const std::string &name, yaml::MappingNode *section) {
    Quantity own;
    own.key = name;
    for (yaml::KeyValueNode &entry : *section) {
      auto *key = llvm::dyn_cast_or_null<yaml::ScalarNode>(entry.getKey());
      if (!key)
        return fail(entry.getKey(), "wanted a name");
      llvm::SmallString<32> storage;
      const std::string keyText = key->getValue(storage).str();
      yaml::Node *value = entry.getValue();
      if (auto *mapping = llvm::dyn_cast_or_null<yaml::MappingNode>(value)) {
        Quantity inner;
        inner.section = name;
        inner.key = keyText;
        for (yaml::KeyValueNode &part : *mapping) {
          auto *partKey =
              llvm::dyn_cast_or_null<yaml::ScalarNode>(part.getKey());
          if (!partKey)
            return fail(part.getKey(), "wanted a name");
          if (!readPart(inner, partKey, part.getValue()))
            return false;
        }
        if (name == "dram" && keyText == "rate" && inner.law.empty())
          fixedRate = key->getSourceRange();
        keep(std::move(inner));
      } else if (!readPart(own, key, value)) {
        return false;
      }
    }
    keep(std::move(own));
    return true;
  }
  bool readPart(Quantity &quantity, yaml::ScalarNode *key, yaml::Node *value) {
    llvm::SmallString<32> storage;
    const StringRef name = key->getValue(storage);
    const llvm::SMRange keyRange = key->getSourceRange();
    auto *scalar = llvm::dyn_cast_or_null<yaml::ScalarNode>(value);
    if (name == "law") {
      if (!scalar)
        return fail(value, "wanted a law, such as \"0.49 + 0.02513 * "
                           "scratchpad_kib\"");
      llvm::SmallString<64> text;
      quantity.law = scalar->getValue(text).str();
      quantity.nameRange = keyRange;
      quantity.valueRange = scalar->getSourceRange();
    } else if (name == "source" && scalar) {
      llvm::SmallString<64> text;
      quantity.source = scalar->getValue(text).str();
      quantity.sourceRange = scalar->getSourceRange();
    } else if (value) {
      value->skip();
    }
    return true;
  }
  void keep(Quantity quantity) {
    if (quantity.nameRange.isValid())
      quantities.push_back(std::move(quantity));
  }

  bool resolve(Quantity &quantity) {
    const std::string path =
        (quantity.section.empty() ? "" : quantity.section + ".") + quantity.key;
    Design::Placed placed;
    const StringRef text = StringRef(quantity.law).trim();
    std::optional<unsigned> alone = design.parameterNamed(text);
    if (alone && design.parameters[*alone].isWord()) {
      placed.word = alone;
    } else {
      LawParser parser(text, design.parameters);
      if (std::string wrong = parser.parse(placed.law); !wrong.empty())
        return fail(quantity.valueRange, path + ": " + wrong);
      if (std::string wrong = checkRange(placed.law); !wrong.empty())
        return fail(quantity.valueRange, path + ": " + wrong);
    }
    const size_t index = design.placed.size();
    auto add = [&](llvm::SMRange range, Design::Place::Kind kind) {
      design.places.push_back({offset(range.Start), offset(range.End), kind,
                               index, quantity.source});
    };
    add(quantity.nameRange, Design::Place::Key);
    add(quantity.valueRange, Design::Place::Value);
    if (quantity.sourceRange.isValid())
      add(quantity.sourceRange, Design::Place::Source);
    const Accelerator any;
    if (!placed.word)
      visitFields(
          [&](const Field &field, const auto &) {
            if (quantity.section == field.section &&
                quantity.key == field.key) {
              design.laws.push_back({field.name, placed.law});
              ranges[field.name] = {path, quantity.valueRange};
            }
          },
          any);
    design.placed.push_back(std::move(placed));
    return true;
  }

  /// Programs get dram.rate whatever dram.bandwidth is: one that stands still
  /// while the other moves is hardly meant.
  bool checkRate() {
    const Law *bandwidth = design.lawOf("bandwidth_dram");
    if (!fixedRate || !bandwidth)
      return true;
    for (const Monomial &term : bandwidth->terms)
      for (auto [parameter, exponent] : term.powers)
        if (!design.parameters[parameter].isFixed())
          return fail(*fixedRate,
                      "dram.rate: wanted a law, or no rate, beside a bandwidth "
                      "that depends on '" +
                          design.parameters[parameter].name +
                          "', found one number; programs get the rate, "
                          "whatever the bandwidth is");
    return true;
  }

  /// What is wrong with its values in the parameters' ranges; empty if nothing:
  /// factors are positive, but too many powers are none of a double.
  std::string checkRange(const Law &law) const {
    DesignPoint low, high;
    for (const Parameter &parameter : design.parameters) {
      low.push_back(parameter.from);
      high.push_back(parameter.to);
    }
    const auto [least, most] = law.range(low, high);
    if (least > 0 && std::isfinite(most))
      return {};
    return "wanted positive numbers for all values of the parameters, found " +
           digitsOf(least) + " to " + digitsOf(most);
  }

  /// Energies, leakage and area that fall as a memory grows.
  void noteWhatFalls() {
    for (auto [memory, energy] :
         {std::pair("scratchpad", "energy_scratchpad"),
          std::pair("accumulator", "energy_accumulator")}) {
      const Law *capacity = design.lawOf((Twine(memory) + "_bytes").str());
      if (!capacity)
        continue;
      for (auto [index, parameter] : llvm::enumerate(design.parameters)) {
        auto has = [&, index = index](const Law &law, double sign) {
          return llvm::any_of(law.terms, [&](const Monomial &term) {
            return llvm::any_of(term.powers, [&](const auto &power) {
              return power.first == index && power.second * sign > 0;
            });
          });
        };
        if (parameter.isFixed() || !has(*capacity, 1))
          continue;
        for (const char *field : {energy, "leakage", "area"})
          if (const Law *law = design.lawOf(field); law && has(*law, -1)) {
            const auto &[path, range] = ranges[field];
            design.notes.push_back(
                placeOf(range) + path + " falls as " + parameter.name +
                " rises, with which the " + memory +
                " grows; boxes take both from their better ends, so their "
                "bounds are weaker, not wrong");
          }
      }
    }
  }

  bool readParameters(yaml::Node *node) {
    auto *section = llvm::dyn_cast_or_null<yaml::MappingNode>(node);
    if (!section)
      return fail(node, "parameters: wanted a mapping, a parameter per line");
    for (yaml::KeyValueNode &entry : *section) {
      auto *key = llvm::dyn_cast_or_null<yaml::ScalarNode>(entry.getKey());
      if (!key)
        return fail(entry.getKey(), "wanted a name");
      llvm::SmallString<32> storage;
      Parameter parameter;
      parameter.name = key->getValue(storage).str();
      const llvm::SMRange range = key->getSourceRange();
      if (parameter.name.empty() || !llvm::isAlpha(parameter.name[0]) ||
          !llvm::all_of(parameter.name,
                        [](char c) { return llvm::isAlnum(c) || c == '_'; }))
        return fail(range, "wanted a name of letters, digits and _, found '" +
                               parameter.name + "'");
      if (design.parameterNamed(parameter.name))
        return fail(range, "parameter '" + parameter.name + "' is there twice");
      if (!readParameter(parameter, entry.getValue(), range))
        return false;
      design.parameters.push_back(std::move(parameter));
    }
    return true;
  }

  /// {value: ..}, {values: [..], init: ..} or {from: .., to: .., init: ..,
  /// legal: any|doubling}, each with unit and source.
  bool readParameter(Parameter &parameter, yaml::Node *node,
                     llvm::SMRange place) {
    const std::string what = "parameters." + parameter.name;
    auto *fields = llvm::dyn_cast_or_null<yaml::MappingNode>(node);
    if (!fields)
      return fail(node, what + ": wanted {value: ..}, {values: [..], init: ..} "
                               "or {from: .., to: .., init: .., legal: ..}");
    std::vector<std::string> listed;
    std::optional<std::string> init, source, legal;
    bool hasFrom = false, hasTo = false, hasValue = false, hasValues = false;
    for (yaml::KeyValueNode &entry : *fields) {
      auto *key = llvm::dyn_cast_or_null<yaml::ScalarNode>(entry.getKey());
      if (!key)
        return fail(entry.getKey(), "wanted a name");
      llvm::SmallString<32> storage;
      const std::string name = key->getValue(storage).str();
      const llvm::SMRange keyRange = key->getSourceRange();
      yaml::Node *value = entry.getValue();
      if (name == "values") {
        auto *sequence = llvm::dyn_cast_or_null<yaml::SequenceNode>(value);
        if (!sequence)
          return fail(value, what + ".values: wanted a list");
        hasValues = true;
        for (yaml::Node &item : *sequence) {
          auto *scalar = llvm::dyn_cast<yaml::ScalarNode>(&item);
          if (!scalar)
            return fail(&item, what + ".values: wanted numbers or words");
          llvm::SmallString<32> text;
          listed.push_back(scalar->getValue(text).str());
        }
        continue;
      }
      auto *scalar = llvm::dyn_cast_or_null<yaml::ScalarNode>(value);
      if (!scalar)
        return fail(value, what + "." + name + ": wanted a plain value");
      llvm::SmallString<64> text;
      const std::string found = scalar->getValue(text).str();
      auto number = [&](double &into) {
        if (!StringRef(found).getAsDouble(into) && std::isfinite(into) &&
            into > 0)
          return true;
        return fail(scalar, what + "." + name +
                                ": wanted a positive number, found '" + found +
                                "'");
      };
      if (name == "value") {
        hasValue = true;
        listed = {found};
      } else if (name == "from") {
        hasFrom = true;
        if (!number(parameter.from))
          return false;
      } else if (name == "to") {
        hasTo = true;
        if (!number(parameter.to))
          return false;
      } else if (name == "init") {
        init = found;
      } else if (name == "unit") {
        parameter.unit = found;
      } else if (name == "source") {
        source = found;
      } else if (name == "legal") {
        legal = found;
        if (found != "any" && found != "doubling")
          return fail(scalar, what + ".legal: wanted any or doubling, found '" +
                                  found + "'");
      } else {
        return fail(keyRange, what + ": unknown key '" + name +
                                  "'; wanted one of value, values, from, to, "
                                  "init, legal, unit, source");
      }
    }
    const bool hasRange = hasFrom || hasTo;
    if (int(hasRange) + int(hasValue) + int(hasValues) != 1 || hasFrom != hasTo)
      return fail(place, what + ": wanted one of value, values, or from and "
                                "to");
    if (!source || StringRef(*source).trim().empty())
      return fail(place, what + ": wanted 'source', which says where the "
                                "values come from");
    if (legal && !hasRange)
      return fail(place, what + ": 'legal' goes with from and to");
    if (hasRange) {
      if (parameter.from > parameter.to)
        return fail(place, what + ": wanted from at most to, found " +
                               digitsOf(parameter.from) + " and " +
                               digitsOf(parameter.to));
      if (legal && *legal == "doubling")
        for (double value = parameter.from; value <= parameter.to * (1 + 1e-12);
             value *= 2)
          parameter.values.push_back(value);
    } else {
      if (listed.empty())
        return fail(place, what + ".values: wanted at least one value");
      const bool isNumbers = llvm::all_of(listed, [](StringRef text) {
        double number;
        return !text.getAsDouble(number);
      });
      for (auto [index, text] : llvm::enumerate(listed)) {
        double number = double(index);
        if (isNumbers) {
          (void)StringRef(text).getAsDouble(number);
          if (!std::isfinite(number) || !(number > 0))
            return fail(place, what + ": wanted positive numbers, found '" +
                                   text + "'");
        } else {
          parameter.words.push_back(text);
        }
        parameter.values.push_back(number);
      }
      std::vector<std::string> sorted = listed;
      llvm::sort(sorted);
      if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        return fail(place, what + ".values: wanted each value once");
      if (isNumbers)
        llvm::sort(parameter.values);
      parameter.from = parameter.values.front();
      parameter.to = parameter.values.back();
    }
    return readInit(parameter, init, place);
  }

  bool readInit(Parameter &parameter, const std::optional<std::string> &init,
                llvm::SMRange place) {
    const std::string what = "parameters." + parameter.name;
    if (!init) {
      if (!parameter.isFixed())
        return fail(place, what + ": wanted 'init', the value that a machine "
                                  "of this design has where none is chosen");
      parameter.init = parameter.values.front();
      return true;
    }
    auto word = llvm::find(parameter.words, *init);
    double number = double(word - parameter.words.begin());
    const bool isKnown =
        parameter.isWord()
            ? word != parameter.words.end()
            : !StringRef(*init).getAsDouble(number) &&
                  (parameter.isContinuous()
                       ? number >= parameter.from && number <= parameter.to
                       : llvm::is_contained(parameter.values, number));
    if (!isKnown)
      return fail(place, what + ".init: wanted one of the values, found '" +
                             *init + "'");
    parameter.init = number;
    return true;
  }

  Design &design;
  llvm::SourceMgr &sources;
  std::optional<size_t> parametersEnd;
  std::optional<llvm::SMRange> fixedRate; ///< dram.rate, where it is no law
  std::vector<Quantity> quantities;
  /// Where the laws of fields are, by the fields' names.
  std::map<std::string, std::pair<std::string, llvm::SMRange>> ranges;
};
} // namespace fadiff

/// For each parameter the nearest values, below and above the initial one, with
/// which there is a machine while the others are as they are: of its own
/// values, or else powers of two; empty if there are none.
static std::string nearestLegal(const Design &design) {
  constexpr int kFarthest = 1 << 12;
  const DesignPoint initial = design.initial();
  std::string text;
  for (auto [index, parameter] : llvm::enumerate(design.parameters)) {
    if (parameter.isWord())
      continue;
    const double init = parameter.init;
    std::vector<double> candidates = parameter.values;
    for (double power = std::exp2(std::ceil(std::log2(init / kFarthest)));
         power <= init * kFarthest; power *= 2)
      candidates.push_back(power);
    llvm::sort(candidates);
    std::string found;
    auto look = [&, index = index, &parameter = parameter](auto begin, auto end,
                                                           StringRef where) {
      const auto legal = std::find_if(begin, end, [&](double value) {
        DesignPoint point = initial;
        point[index] = value;
        llvm::Expected<Accelerator> machine = design.specialize(point);
        if (machine)
          return true;
        llvm::consumeError(machine.takeError());
        return false;
      });
      if (legal == end)
        return;
      const bool isItsOwn =
          parameter.isContinuous()
              ? *legal >= parameter.from && *legal <= parameter.to
              : llvm::is_contained(parameter.values, *legal);
      found +=
          (Twine(found.empty() ? "" : " and ") + digitsOf(*legal) +
           (isItsOwn ? "" : ", which is none of its values,") + " " + where)
              .str();
    };
    const auto above = llvm::upper_bound(candidates, init);
    const auto below = llvm::lower_bound(candidates, init);
    look(std::make_reverse_iterator(below), candidates.rend(), "below");
    look(above, candidates.end(), "above");
    if (!found.empty())
      text += (text.empty() ? "" : "; ") + parameter.name + " = " + found;
  }
  return text;
}

llvm::Expected<Design> Design::parse(llvm::MemoryBufferRef yaml) {
  if (llvm::Error error = checkDescription(yaml))
    return std::move(error);
  Design design;
  design.file = yaml.getBufferIdentifier().str();
  design.text = yaml.getBuffer().str();
  llvm::SourceMgr sources;
  std::string syntax;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *into) {
        auto &text = *static_cast<std::string *>(into);
        if (text.empty())
          text =
              (diagnostic.getFilename() + ":" + Twine(diagnostic.getLineNo()) +
               ":" + Twine(diagnostic.getColumnNo() + 1) +
               ": error: " + diagnostic.getMessage())
                  .str();
      },
      &syntax);
  yaml::Stream stream(llvm::MemoryBufferRef(design.text, design.file), sources,
                      /*ShowColors=*/false);
  auto document = stream.begin();
  if (document == stream.end())
    return llvm::createStringError(design.file +
                                   ": error: empty; wanted a design");
  DesignReader reader(design, sources);
  const bool isRead = reader.read(document->getRoot());
  if (stream.failed() || !syntax.empty())
    return llvm::createStringError(syntax);
  if (!isRead)
    return llvm::createStringError(reader.error);
  if (design.parameters.empty())
    return llvm::createStringError(
        design.file + ": error: wanted a section 'parameters', found none; is "
                      "this the description of one machine?");
  if (llvm::Expected<Accelerator> machine = design.specialize(design.initial());
      !machine) {
    const std::string nearest = nearestLegal(design);
    return llvm::createStringError(
        llvm::toString(machine.takeError()) +
        " (at the parameters' initial values; " +
        (nearest.empty()
             ? "no other value of one of them makes a machine)"
             : "the nearest that make a machine: " + nearest + ")"));
  }
  return design;
}

llvm::Expected<Design> Design::load(StringRef path) {
  auto buffer = openInput(path, kMostRecordBytes);
  if (!buffer)
    return llvm::createStringError("cannot read the design: " +
                                   llvm::toString(buffer.takeError()));
  return parse(**buffer);
}

bool fadiff::isDesign(StringRef yaml) {
  return yaml.starts_with("parameters:") || yaml.contains("\nparameters:");
}

//===----------------------------------------------------------------------===//
// Machines
//===----------------------------------------------------------------------===//

std::string Design::instantiate(llvm::ArrayRef<double> point,
                                std::optional<StringRef> as) const {
  assert(point.size() == parameters.size());
  std::string result;
  size_t at = 0;
  for (const Place &place : places) {
    result += StringRef(text).slice(at, place.begin);
    at = place.end;
    switch (place.kind) {
    case Place::Key:
      result += "value";
      break;
    case Place::Value: {
      const Placed &what = placed[place.law];
      result += what.word ? parameters[*what.word].toText(point[*what.word])
                          : digitsOf(what.law.evaluate(point));
      break;
    }
    case Place::Source: {
      const Placed &what = placed[place.law];
      std::string own = "law ";
      if (what.word) {
        own += parameters[*what.word].name;
      } else {
        own += what.law.text;
        llvm::SmallVector<unsigned> used;
        for (const Monomial &term : what.law.terms)
          for (auto [parameter, exponent] : term.powers)
            if (!llvm::is_contained(used, parameter))
              used.push_back(parameter);
        for (unsigned parameter : used)
          own += (parameter == used.front() ? " at " : ", ") +
                 parameters[parameter].name + " = " +
                 parameters[parameter].toText(point[parameter]);
      }
      llvm::raw_string_ostream(result)
          << llvm::json::Value(own + "; " + place.otherwise);
      break;
    }
    case Place::Parameters:
      // Lines keep their numbers while the text is checked.
      if (!as)
        result.append(size_t(llvm::count(
                          StringRef(text).slice(place.begin, place.end), '\n')),
                      '\n');
      break;
    case Place::Name:
      if (as)
        llvm::raw_string_ostream(result) << llvm::json::Value(*as);
      else
        result += StringRef(text).slice(place.begin, place.end);
      break;
    }
  }
  result += StringRef(text).substr(at);
  return result;
}

llvm::Expected<Accelerator>
Design::specialize(llvm::ArrayRef<double> point) const {
  const std::string description = instantiate(point, std::nullopt);
  return parseAccelerator(llvm::MemoryBufferRef(description, file));
}

std::string Design::toYaml(llvm::ArrayRef<double> point,
                           StringRef called) const {
  return "# " + name + " at " + describe(point) + ".\n" +
         instantiate(point, called);
}

std::string Design::describe(llvm::ArrayRef<double> point) const {
  std::string result;
  for (auto [parameter, value] : llvm::zip_equal(parameters, point))
    if (!parameter.isFixed())
      result += (result.empty() ? "" : ", ") + parameter.name + " = " +
                parameter.toText(value);
  return result;
}

DesignPoint Design::initial() const {
  DesignPoint point;
  for (const Parameter &parameter : parameters)
    point.push_back(parameter.init);
  return point;
}

const Law *Design::lawOf(StringRef field) const {
  for (const auto &[name, law] : laws)
    if (name == field)
      return &law;
  return nullptr;
}

std::optional<unsigned> Design::parameterNamed(StringRef wanted) const {
  for (auto [index, parameter] : llvm::enumerate(parameters))
    if (parameter.name == wanted)
      return unsigned(index);
  return std::nullopt;
}
