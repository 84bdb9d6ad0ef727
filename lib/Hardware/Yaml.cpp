//===- Yaml.cpp - Hardware descriptions as text ---------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of fields (Fields.h) serves reading and writing. Checks run
// while their field is the parser's current node, so that an error gets the
// field's own line.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/Yaml.h"

#include "fadiff/Hardware/Design.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Support/Files.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/YAMLTraits.h"

#include <cmath>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
using llvm::yaml::IO;

namespace {

/// A local address has 26 bits below its flags, the top one of which marks the
/// garbage address (Gemmini's LocalAddr.scala).
constexpr int64_t kMaxRows = int64_t(1) << 25;
/// Ten times a long description, in bytes and in nodes that could nest. LLVM's
/// YAML parser recurses without a limit, which these give it.
constexpr size_t kMaxTextBytes = 32 * 1024;
constexpr size_t kMaxNesting = 500;

/// Where the parser is, for error messages that YAMLTraits words without it.
class Trail {
public:
  /// Enters field `key` of the current mapping.
  void push(StringRef key) {
    scopes.back().keys.push_back(key.str());
    scopes.push_back({key.str(), {}});
  }
  void pop() { scopes.pop_back(); }

  /// "array.side"; empty at the top. The innermost `without` scopes are left
  /// out.
  std::string path(size_t without) const {
    std::string path;
    for (const Scope &scope :
         llvm::ArrayRef(scopes).drop_front().drop_back(without))
      path += (path.empty() ? "" : ".") + scope.name;
    return path;
  }
  std::string knownKeys() const { return llvm::join(scopes.back().keys, ", "); }

  static void diagnose(const llvm::SMDiagnostic &diag, void *trail) {
    static_cast<Trail *>(trail)->diagnose(diag);
  }

  /// The first error, empty if there was none.
  std::string error;

private:
  struct Scope {
    std::string name;
    std::vector<std::string> keys;
  };
  llvm::SmallVector<Scope, 4> scopes = {Scope{}};

  void diagnose(const llvm::SMDiagnostic &diag) {
    if (!error.empty() || diag.getKind() != llvm::SourceMgr::DK_Error)
      return;
    StringRef message = diag.getMessage();
    // Found out while looking for the mapping's first field, whose scope is
    // open already.
    bool notAMapping = message == "not a mapping" && scopes.size() > 1;
    bool notAQuantity = notAMapping && scopes.back().name == "value";
    llvm::raw_string_ostream os(error);
    os << diag.getFilename() << ':' << diag.getLineNo() << ':'
       << diag.getColumnNo() + 1 << ": error: ";
    if (std::string field = path(/*without=*/notAMapping); !field.empty())
      os << field << ": ";
    if (notAQuantity) {
      os << "wanted {value: .., unit: .., source: \"..\"}";
    } else if (notAMapping) {
      os << "wanted a mapping of fields, one per line";
    } else if (message == "unexpected scalar") {
      os << "wanted a plain value, found a mapping or sequence";
    } else {
      os << message;
      if (message.starts_with("unknown key"))
        os << "; wanted one of " << knownKeys();
    }
  }
};

/// {value: .., unit: .., source: ..}. `read` takes the value over and returns
/// what is wrong with it, or nothing.
template <typename ValueT, typename ReadT> struct BasicQuantity {
  ValueT value;
  std::string unit;
  Trail &trail;
  llvm::function_ref<std::string(ReadT)> read;
};

/// One of a list of names.
struct Name {
  std::string text;
};
using Names = std::vector<Name>;

/// A nested mapping whose fields `body` names.
struct Section {
  llvm::function_ref<void()> body;
};

class Description {
public:
  Description(IO &io, Accelerator &target, Trail &trail)
      : io(io), target(target), trail(trail) {}

  /// Names every field, in the order in which the checks need them.
  void describe();

private:
  void name();
  void section(StringRef key, bool isOptional, llvm::function_ref<void()> body);
  template <typename ValueT, typename ReadT>
  void quantity(const Field &field, ValueT value,
                llvm::function_ref<std::string(ReadT)> read);
  void describe(const Field &field, int64_t &number);
  void describe(const Field &field, double &number);
  void describe(const Field &field, ReadOutFeatures &features);
  template <typename EnumT>
  std::enable_if_t<std::is_enum_v<EnumT>> describe(const Field &field,
                                                   EnumT &value);

  /// What is wrong with an integer in range, or nothing.
  std::string check(StringRef name, int64_t value) const;
  /// Checks the size of a memory of `banks` banks whose rows take `rowBytes`.
  std::string checkCapacity(int64_t bytes, int64_t banks,
                            int64_t rowBytes) const;

  IO &io;
  Accelerator &target;
  Trail &trail;
};

} // namespace

namespace llvm::yaml {

template <> struct MappingTraits<Description> {
  static void mapping(IO &, Description &description) {
    description.describe();
  }
};

template <> struct MappingTraits<Section> {
  static void mapping(IO &, Section &section) { section.body(); }
};

template <> struct ScalarTraits<Name> {
  static void output(const Name &name, void *, raw_ostream &os) {
    os << name.text;
  }
  static StringRef input(StringRef text, void *, Name &name) {
    name.text = text.str();
    return {};
  }
  static QuotingType mustQuote(StringRef text) { return needsQuotes(text); }
};

template <typename ValueT, typename ReadT>
struct MappingTraits<BasicQuantity<ValueT, ReadT>> {
  static const bool flow = true;

  static void mapping(IO &io, BasicQuantity<ValueT, ReadT> &quantity) {
    const std::string wantedUnit = quantity.unit;
    std::string source = "given";
    auto map = [&](StringRef key, auto mapField) {
      quantity.trail.push(key);
      mapField();
      quantity.trail.pop();
    };
    map("value", [&] { io.mapRequired("value", quantity.value); });
    map("unit", [&] {
      io.mapOptional("unit", quantity.unit, std::string());
      if (!io.error() && !quantity.unit.empty() && quantity.unit != wantedUnit)
        io.setError((wantedUnit.empty() ? "wanted no unit"
                                        : "wanted '" + wantedUnit + "'") +
                    ", found '" + quantity.unit + "'");
    });
    map("source", [&] {
      io.mapRequired("source", source);
      if (!io.error() && StringRef(source).trim().empty())
        io.setError("empty; say where the number comes from");
    });
    if (io.error() || io.outputting())
      return;
    if (std::string wrong = quantity.read(quantity.value); !wrong.empty())
      io.setError(wrong);
  }
};

} // namespace llvm::yaml
LLVM_YAML_IS_FLOW_SEQUENCE_VECTOR(Name)

static std::string checkPowerOfTwo(int64_t value) {
  if (llvm::isPowerOf2_64(value))
    return {};
  return ("wanted a power of two, found " + Twine(value)).str();
}

void Description::name() {
  trail.push("name");
  io.mapRequired("name", target.name);
  if (!io.error() && StringRef(target.name).trim().empty())
    io.setError("empty; name the machine");
  trail.pop();
}

void Description::section(StringRef key, bool isOptional,
                          llvm::function_ref<void()> body) {
  trail.push(key);
  Section section{body};
  if (isOptional)
    io.mapOptional(key, section);
  else
    io.mapRequired(key, section);
  trail.pop();
}

template <typename ValueT, typename ReadT>
void Description::quantity(const Field &field, ValueT value,
                           llvm::function_ref<std::string(ReadT)> read) {
  trail.push(field.key);
  BasicQuantity<ValueT, ReadT> quantity{std::move(value), field.unit, trail,
                                        read};
  if (field.isOptional)
    io.mapOptional(field.key, quantity);
  else
    io.mapRequired(field.key, quantity);
  trail.pop();
}

void Description::describe(const Field &field, int64_t &number) {
  auto read = [&](StringRef text) -> std::string {
    if (text.getAsInteger(10, number))
      return ("wanted a whole number, found '" + text + "'").str();
    if (number < field.least || number > field.most)
      return ("wanted a number from " + Twine(field.least) + " to " +
              Twine(field.most) + ", found " + text)
          .str();
    return check(field.name, number);
  };
  quantity<std::string, StringRef>(field, toText(number), read);
}

void Description::describe(const Field &field, double &number) {
  auto read = [&](StringRef text) -> std::string {
    if (text.getAsDouble(number) || !std::isfinite(number) || number <= 0)
      return ("wanted a positive number, found '" + text + "'").str();
    if (field.mostReal && number > field.mostReal)
      return ("wanted at most " + toText(field.mostReal) + ", found " + text)
          .str();
    if (&number == &target.leakageMilliwatts && !(target.clockHz > 0))
      return "wanted 'clock', too, which says how much leaks in a cycle";
    // Two descriptions of one DRAM, of which the second is the program's.
    constexpr double kMostApart = 4;
    const double bandwidth = target.bandwidth[Level::Dram];
    if (&number == &target.dramRate &&
        (number > kMostApart * bandwidth || bandwidth > kMostApart * number))
      return ("wanted " + toText(bandwidth / kMostApart) + " to " +
              toText(bandwidth * kMostApart) + " beside a bandwidth of " +
              toText(bandwidth) + ", found " + text +
              "; leave it out where programs get that bandwidth")
          .str();
    return {};
  };
  quantity<std::string, StringRef>(field, toText(number), read);
}

template <typename EnumT>
std::enable_if_t<std::is_enum_v<EnumT>>
Description::describe(const Field &field, EnumT &value) {
  auto read = [&](StringRef text) -> std::string {
    std::optional<EnumT> known = parseName<EnumT>(text);
    if (!known)
      return "wanted " + listNames<EnumT>() + ", found '" + text.str() + "'";
    value = *known;
    return {};
  };
  quantity<std::string, StringRef>(field, toText(value), read);
}

void Description::describe(const Field &field, ReadOutFeatures &features) {
  Names names;
  for (StringRef name : namesOf(features))
    names.push_back({name.str()});
  auto read = [&](const Names &found) -> std::string {
    for (const Name &name : found)
      if (!addFeature(features, name.text))
        return "wanted per_channel, zero_point and clamp, each at most once, "
               "found '" +
               name.text + "'";
    return whyNoReadOut(target);
  };
  quantity<Names, const Names &>(field, std::move(names), read);
}

std::string Description::checkCapacity(int64_t bytes, int64_t banks,
                                       int64_t rowBytes) const {
  std::string shape = (Twine(banks) + " banks of " + Twine(rowBytes) +
                       "-byte rows (side " + Twine(target.side) + ")")
                          .str();
  if (bytes % (banks * rowBytes) != 0)
    return (Twine(bytes) + " bytes do not divide into " + shape).str();
  int64_t rows = bytes / rowBytes;
  // Gemmini's GemminiConfigs.scala requires both. A power of two no smaller
  // than the side, itself one, is a multiple of it.
  if (!llvm::isPowerOf2_64(rows / banks) || rows / banks < target.side)
    return (Twine(bytes) + " bytes make " + Twine(rows / banks) +
            " rows per bank of " + shape +
            "; wanted a power of two that is at least the side")
        .str();
  if (rows > kMaxRows)
    return (Twine(bytes) + " bytes make " + Twine(rows) +
            " rows; an address reaches " + Twine(kMaxRows))
        .str();
  return {};
}

std::string Description::check(StringRef name, int64_t value) const {
  if (name == "side")
    return value < 2 ? "wanted at least 2, found 1" : checkPowerOfTwo(value);
  if (name == "accumulator_bytes")
    return checkCapacity(value, target.accumulatorBanks, 4 * target.side);
  if (name == "scratchpad_bytes") {
    std::string wrong = checkCapacity(value, target.scratchpadBanks,
                                      target.elementBytes() * target.side);
    if (!wrong.empty())
      return wrong;
    // Also required by GemminiConfigs.scala (USABLE_SP_TILES).
    int64_t blocks = target.scratchpadRows() / target.side;
    int64_t accBlocks = target.accumulatorRows() / target.side;
    if (blocks - 2 < accBlocks)
      return (Twine(value) + " bytes hold " + Twine(blocks) +
              " blocks of side x side; wanted at least " +
              Twine(accBlocks + 2) + ", two more than the accumulator")
          .str();
    return {};
  }
  if (name == "dma_bytes_per_cycle")
    return checkPowerOfTwo(value);
  if (name == "dma_max_request_bytes") {
    if (value < target.dmaBytesPerCycle)
      return ("wanted at least bus_width (" + Twine(target.dmaBytesPerCycle) +
              "), found " + Twine(value))
          .str();
    return checkPowerOfTwo(value);
  }
  return {};
}

void Description::describe() {
  name();
  const Accelerator defaults;
  // What is as it is when left out is not written.
  auto isWritten = [&](const Field &field, const auto &value,
                       const auto &otherwise) {
    return !(io.outputting() && field.isOptional && value == otherwise);
  };
  std::optional<StringRef> last;
  visitFields(
      [&](const Field &first, auto &, const auto &) {
        StringRef key = first.section;
        if (key == last)
          return; // of a section that is done
        last = key;
        auto fields = [&] {
          visitFields(
              [&](const Field &field, auto &value, const auto &otherwise) {
                if (field.section != key)
                  return;
                if (isWritten(field, value, otherwise))
                  describe(field, value);
              },
              target, defaults);
        };
        if (key.empty())
          return fields();
        bool isOptional = true, hasFields = false;
        visitFields(
            [&](const Field &field, const auto &value, const auto &otherwise) {
              if (field.section != key)
                return;
              isOptional = isOptional && field.isOptional;
              hasFields = hasFields || isWritten(field, value, otherwise);
            },
            target, defaults);
        if (hasFields)
          section(key, isOptional, fields);
      },
      target, defaults);
}

/// Bound on how deep `text` can nest: opening brackets, and "-" or "?" before a
/// blank. (Nesting by indentation needs a text quadratic in the depth.)
static size_t nestingBound(StringRef text) {
  size_t count = 0;
  for (size_t i = 0; i < text.size(); ++i)
    count += text[i] == '[' || text[i] == '{' ||
             ((text[i] == '-' || text[i] == '?') &&
              (i + 1 == text.size() || llvm::isSpace(text[i + 1])));
  return count;
}

llvm::Error fadiff::checkDescription(llvm::MemoryBufferRef yaml) {
  if (yaml.getBufferSize() > kMaxTextBytes)
    return llvm::createStringError(
        yaml.getBufferIdentifier() + ": error: wanted at most " +
        Twine(kMaxTextBytes) + " bytes, found " + Twine(yaml.getBufferSize()) +
        "; is this the description of a machine?");
  if (size_t nesting = nestingBound(yaml.getBuffer()); nesting > kMaxNesting)
    return llvm::createStringError(
        yaml.getBufferIdentifier() + ": error: wanted at most " +
        Twine(kMaxNesting) + " brackets, found " + Twine(nesting) +
        "; is this the description of a machine?");
  return llvm::Error::success();
}

llvm::Expected<Accelerator>
fadiff::parseAccelerator(llvm::MemoryBufferRef yaml) {
  if (llvm::Error error = checkDescription(yaml))
    return std::move(error);
  Trail trail;
  llvm::yaml::Input in(yaml, /*Ctxt=*/nullptr, Trail::diagnose, &trail);
  Accelerator target;
  Description description(in, target, trail);
  in >> description;
  if (!trail.error.empty())
    return llvm::createStringError(trail.error);
  // YAMLTraits says nothing about a file without a document.
  if (in.error())
    return llvm::createStringError(
        yaml.getBufferIdentifier() +
        ": error: empty; wanted the description of a machine");
  if (in.nextDocument())
    return llvm::createStringError(
        yaml.getBufferIdentifier() +
        ": error: wanted one YAML document, found more");
  return target;
}

llvm::Expected<Accelerator> fadiff::loadAccelerator(StringRef path) {
  auto buffer = openInput(path, kMostRecordBytes);
  if (!buffer)
    return llvm::createStringError("cannot read the hardware description: " +
                                   llvm::toString(buffer.takeError()));
  if (!isDesign((*buffer)->getBuffer()))
    return parseAccelerator(**buffer);
  llvm::Expected<Design> design = Design::parse(**buffer);
  if (!design)
    return design.takeError();
  return design->specialize(design->initial());
}

std::string fadiff::toYaml(const Accelerator &target) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Trail trail;
  Accelerator copy = target;
  llvm::yaml::Output out(os);
  Description description(out, copy, trail);
  out << description;
  return text;
}
