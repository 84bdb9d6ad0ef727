//===- FadiffAttrs.cpp - Attributes: syntax and rules ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Workload/Layer.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <optional>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

#define GET_ATTRDEF_CLASSES
#include "fadiff/Dialect/Fadiff/IR/FadiffAttrs.cpp.inc"

void FadiffDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fadiff/Dialect/Fadiff/IR/FadiffAttrs.cpp.inc"
      >();
}

static_assert(static_cast<int>(LoopDim::N) == static_cast<int>(Dim::N) &&
              static_cast<int>(LoopDim::G) == static_cast<int>(Dim::G) &&
              static_cast<int>(LoopDim::K) == static_cast<int>(Dim::K) &&
              static_cast<int>(LoopDim::C) == static_cast<int>(Dim::C) &&
              static_cast<int>(LoopDim::P) == static_cast<int>(Dim::P) &&
              static_cast<int>(LoopDim::Q) == static_cast<int>(Dim::Q) &&
              static_cast<int>(LoopDim::R) == static_cast<int>(Dim::R) &&
              static_cast<int>(LoopDim::S) == static_cast<int>(Dim::S));
static_assert(static_cast<int>(MemoryLevel::registers) ==
                  static_cast<int>(Level::Registers) &&
              static_cast<int>(MemoryLevel::accumulator) ==
                  static_cast<int>(Level::Accumulator) &&
              static_cast<int>(MemoryLevel::scratchpad) ==
                  static_cast<int>(Level::Scratchpad) &&
              static_cast<int>(MemoryLevel::dram) ==
                  static_cast<int>(Level::Dram));

//===----------------------------------------------------------------------===//
// #fadiff.target
//===----------------------------------------------------------------------===//

namespace {
/// A field's value as an attribute.
struct FieldWriter {
  Builder builder;

  Attribute operator()(int64_t value) {
    return builder.getI64IntegerAttr(value);
  }
  Attribute operator()(double value) { return builder.getF64FloatAttr(value); }
  Attribute operator()(const ReadOutFeatures &value) {
    return builder.getStrArrayAttr(namesOf(value));
  }
  template <typename EnumT>
  std::enable_if_t<std::is_enum_v<EnumT>, Attribute> operator()(EnumT value) {
    return builder.getStringAttr(nameOf(value));
  }
};

/// Reads each field back; `problem` names the first that is missing or wrong.
struct FieldReader {
  DictionaryAttr fields;
  std::string &problem;

  template <typename ValueT>
  void operator()(const Field &field, ValueT &value) const {
    if (fields.get(field.name) || !field.isOptional)
      read(field, value);
  }

private:
  void wrong(const Field &field, const Twine &wanted) const {
    if (!problem.empty())
      return;
    llvm::raw_string_ostream os(problem);
    os << "field '" << field.name << "' must be " << wanted;
    if (Attribute found = fields.get(field.name))
      os << "; found " << found;
    else
      os << "; it is missing";
  }
  void read(const Field &field, int64_t &value) const {
    auto attr = fields.getAs<IntegerAttr>(field.name);
    if (!attr || attr.getValue().getSignificantBits() > 64 ||
        attr.getInt() < field.least || attr.getInt() > field.most)
      return wrong(field, "an integer from " + Twine(field.least) + " to " +
                              Twine(field.most));
    value = attr.getInt();
  }
  void read(const Field &field, double &value) const {
    auto attr = fields.getAs<FloatAttr>(field.name);
    if (!attr || !(attr.getValueAsDouble() > 0))
      return wrong(field, "a positive f64");
    value = attr.getValueAsDouble();
    if (field.mostReal && value > field.mostReal)
      wrong(field, "at most " + toText(field.mostReal));
  }
  void read(const Field &field, ReadOutFeatures &value) const {
    auto names = fields.getAs<ArrayAttr>(field.name);
    if (!names || !llvm::all_of(names, [&](Attribute name) {
          auto text = dyn_cast<StringAttr>(name);
          return text && addFeature(value, text.getValue());
        }))
      wrong(field, "a list of \"per_channel\", \"zero_point\" and "
                   "\"clamp\", each at most once");
  }
  template <typename EnumT>
  std::enable_if_t<std::is_enum_v<EnumT>> read(const Field &field,
                                               EnumT &value) const {
    auto attr = fields.getAs<StringAttr>(field.name);
    std::optional<EnumT> known;
    if (attr)
      known = parseName<EnumT>(attr.getValue());
    if (!known)
      return wrong(field, "a string, " + listNames<EnumT>());
    value = *known;
  }
};
} // namespace

/// `name = value, ...`: fields of a built-in machine that differ.
static ParseResult parseOverrides(AsmParser &parser, NamedAttrList &fields) {
  llvm::StringSet<> seen;
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    Attribute value;
    if (parser.parseKeyword(&name))
      return failure();
    if (!seen.insert(name).second)
      return parser.emitError(loc)
             << "field '" << name << "' stands twice; give it once";
    if (parser.parseEqual() || parser.parseAttribute(value))
      return failure();
    fields.set(name, value);
    return success();
  });
}

Attribute TargetAttr::parse(AsmParser &parser, Type) {
  std::string machine;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&machine))
    return {};
  const bool hasMore = succeeded(parser.parseOptionalComma());
  DictionaryAttr fields;
  if (hasMore) {
    OptionalParseResult record = parser.parseOptionalAttribute(fields);
    if (record.has_value() && failed(*record))
      return {};
  }
  if (!fields) {
    llvm::Expected<Accelerator> known = findKnownTarget(machine);
    if (!known) {
      parser.emitError(loc) << llvm::toString(known.takeError())
                            << ", or all fields of a machine in braces";
      return {};
    }
    NamedAttrList record(
        get(parser.getContext(), *known).getFields().getValue());
    if (hasMore && parseOverrides(parser, record))
      return {};
    fields = record.getDictionary(parser.getContext());
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    machine, fields);
}

void TargetAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getMachine());
  printer << ", " << getFields() << '>';
}

TargetAttr TargetAttr::get(MLIRContext *context, const Accelerator &machine) {
  FieldWriter write{Builder(context)};
  const Accelerator defaults;
  NamedAttrList fields;
  visitFields(
      [&](const Field &field, const auto &value, const auto &otherwise) {
        if (!field.isOptional || !(value == otherwise))
          fields.append(field.name, write(value));
      },
      machine, defaults);
  return get(context, machine.name, fields.getDictionary(context));
}

Accelerator TargetAttr::getAccelerator() const {
  Accelerator machine;
  machine.name = getMachine().str();
  std::string problem;
  visitFields(FieldReader{getFields(), problem}, machine);
  return machine;
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef machine, DictionaryAttr fields) {
  Accelerator parsed;
  std::string problem;
  visitFields(FieldReader{fields, problem}, parsed);
  if (problem.empty())
    problem = whyNoReadOut(parsed);
  if (!problem.empty())
    return emitError() << "target '" << machine << "': " << problem;
  llvm::StringSet<> known;
  visitFields(
      [&](const Field &field, const auto &) { known.insert(field.name); },
      parsed);
  for (NamedAttribute field : fields)
    if (!known.contains(field.getName().getValue()))
      return emitError() << "target '" << machine << "': unknown field '"
                         << field.getName().getValue() << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// #fadiff.workload
//===----------------------------------------------------------------------===//

/// `[a, b]`.
static ParseResult parsePair(AsmParser &parser,
                             SmallVectorImpl<int64_t> &pair) {
  pair.clear();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(pair.emplace_back());
  });
}

static ParseResult parseDimKeyword(AsmParser &parser, Dim &dim) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Dim> parsed = parseDim(std::string_view(keyword));
  if (!parsed)
    return parser.emitError(loc)
           << "expected a dim out of N G K C P Q R S; found '" << keyword
           << "'";
  dim = *parsed;
  return success();
}

std::string WorkloadAttr::getBlockedWeightLayout() const {
  std::string layout = getWeightLayout().str();
  const char taps = dimName(tapDim(toLayer(*this)));
  std::stable_partition(layout.begin(), layout.end(),
                        [&](char axis) { return axis != taps; });
  return layout + 'J';
}

Attribute WorkloadAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> dims(kNumDims, 1), stride{1, 1}, dilation{1, 1},
      pad{0, 0}, input;
  int64_t padValue = 0;
  std::string layouts[3];
  auto parseDimBound = [&]() -> ParseResult {
    Dim dim;
    if (parseDimKeyword(parser, dim) || parser.parseEqual())
      return failure();
    return parser.parseInteger(dims[static_cast<size_t>(dim)]);
  };
  if (parser.parseLess() || parser.parseCommaSeparatedList(
                                AsmParser::Delimiter::Square, parseDimBound))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return {};
    if (key == "layouts") {
      for (std::string &layout : layouts)
        if (parser.parseString(&layout))
          return {};
      continue;
    }
    if (key == "pad_value") {
      if (parser.parseInteger(padValue))
        return {};
      continue;
    }
    SmallVectorImpl<int64_t> *pair =
        llvm::StringSwitch<SmallVectorImpl<int64_t> *>(key)
            .Case("stride", &stride)
            .Case("dilation", &dilation)
            .Case("pad", &pad)
            .Case("input", &input)
            .Default(nullptr);
    if (!pair) {
      parser.emitError(loc) << "expected stride, dilation, pad, input, "
                               "pad_value or layouts; found '"
                            << key << "'";
      return {};
    }
    if (parsePair(parser, *pair))
      return {};
  }
  if (parser.parseGreater())
    return {};
  if (input.empty())
    input = {dims[static_cast<size_t>(Dim::P)],
             dims[static_cast<size_t>(Dim::Q)]};
  return getChecked([&] { return parser.emitError(parser.getNameLoc()); },
                    parser.getContext(), dims, stride, dilation, pad, input,
                    padValue, layouts[0], layouts[1], layouts[2]);
}

void WorkloadAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::ListSeparator comma;
  for (Dim dim : kAllDims)
    if (int64_t bound = getDims()[static_cast<size_t>(dim)]; bound != 1)
      printer << StringRef(comma) << dimName(dim) << " = " << bound;
  printer << ']';
  auto printPair = [&](StringRef key, ArrayRef<int64_t> pair,
                       ArrayRef<int64_t> trivial) {
    if (pair != trivial)
      printer << ", " << key << " = [" << pair[0] << ", " << pair[1] << ']';
  };
  printPair("stride", getStride(), {1, 1});
  printPair("dilation", getDilation(), {1, 1});
  printPair("pad", getPad(), {0, 0});
  printPair("input", getInput(),
            {getDims()[static_cast<size_t>(Dim::P)],
             getDims()[static_cast<size_t>(Dim::Q)]});
  if (getPadValue() != 0)
    printer << ", pad_value = " << getPadValue();
  printer << ", layouts = \"" << getInputLayout() << "\" \""
          << getWeightLayout() << "\" \"" << getOutputLayout() << "\">";
}

/// Layout letters must be distinct and out of `allowed`; `unit(letter)` tells
/// whether a letter left out stands for extent 1.
static LogicalResult verifyLayout(function_ref<InFlightDiagnostic()> emitError,
                                  StringRef what, StringRef layout,
                                  StringRef allowed,
                                  function_ref<bool(char)> mayOmit) {
  for (size_t i = 0; i < layout.size(); ++i)
    if (!allowed.contains(layout[i]) ||
        layout.drop_front(i + 1).contains(layout[i]))
      return emitError() << what << " layout must name each axis once, out of "
                         << allowed << "; found \"" << layout << '"';
  for (char axis : allowed)
    if (!layout.contains(axis) && !mayOmit(axis))
      return emitError() << what << " layout \"" << layout << "\" lacks axis "
                         << axis << ", whose extent is not 1";
  return success();
}

LogicalResult WorkloadAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> dims,
    ArrayRef<int64_t> stride, ArrayRef<int64_t> dilation, ArrayRef<int64_t> pad,
    ArrayRef<int64_t> input, int64_t padValue, StringRef inputLayout,
    StringRef weightLayout, StringRef outputLayout) {
  if (dims.size() != kNumDims)
    return emitError() << "expected " << kNumDims << " dims; found "
                       << dims.size();
  for (Dim dim : kAllDims)
    if (dims[static_cast<size_t>(dim)] < 1)
      return emitError() << "dim " << dimName(dim)
                         << " must be at least 1; found "
                         << dims[static_cast<size_t>(dim)];
  auto checkPair = [&](StringRef what, ArrayRef<int64_t> pair,
                       int64_t least) -> LogicalResult {
    if (pair.size() == 2 && pair[0] >= least && pair[1] >= least)
      return success();
    auto diag = emitError() << what << " must be two integers, at least "
                            << least << "; found [";
    llvm::interleaveComma(pair, diag);
    return diag << ']';
  };
  if (failed(checkPair("stride", stride, 1)) ||
      failed(checkPair("dilation", dilation, 1)) ||
      failed(checkPair("pad", pad, 0)) || failed(checkPair("input", input, 1)))
    return failure();
  if (!llvm::isInt<8>(padValue))
    return emitError() << "pad_value must be an int8, from -128 to 127; found "
                       << padValue;
  auto extentIsOne = [&](char axis) {
    if (axis == 'H')
      return input[0] == 1;
    if (axis == 'W')
      return input[1] == 1;
    return dims[static_cast<size_t>(*parseDim(std::string_view(&axis, 1)))] ==
           1;
  };
  return success(succeeded(verifyLayout(emitError, "input", inputLayout,
                                        "NGCHW", extentIsOne)) &&
                 succeeded(verifyLayout(emitError, "weight", weightLayout,
                                        "GKCRS", extentIsOne)) &&
                 succeeded(verifyLayout(emitError, "output", outputLayout,
                                        "NGKPQ", extentIsOne)));
}

//===----------------------------------------------------------------------===//
// #fadiff.epilogue
//===----------------------------------------------------------------------===//

Attribute EpilogueAttr::parse(AsmParser &parser, Type) {
  static constexpr StringLiteral kFields[] = {
      "residual_scale", "residual_whole", "scale", "relu",
      "zero_point",     "clamp",          "pool"};
  Attribute scale;
  bool relu = false;
  int64_t zeroPoint = 0, low = -128, high = 127;
  MaxPoolAttr pool;
  FloatAttr residualScale;
  int64_t residualWhole = 0;
  size_t next = 0; // of kFields
  auto parseField = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    const auto *field = std::end(kFields);
    if (succeeded(parser.parseOptionalKeyword(
            &name, {"residual_scale", "residual_whole", "scale", "relu",
                    "zero_point", "clamp", "pool"})))
      field = llvm::find(kFields, name);
    const size_t position = field - std::begin(kFields);
    if (field == std::end(kFields) || position < next)
      return parser.emitError(
          loc, "expected residual_scale, residual_whole, scale, relu, "
               "zero_point, clamp and pool, each once at most and in this "
               "order");
    next = position + 1;
    if (name == "relu") {
      relu = true;
      return success();
    }
    if (parser.parseEqual())
      return failure();
    if (name == "residual_scale")
      return parser.parseAttribute(residualScale);
    if (name == "residual_whole")
      return parser.parseInteger(residualWhole);
    if (name == "scale")
      return parser.parseAttribute(scale);
    if (name == "zero_point")
      return parser.parseInteger(zeroPoint);
    if (name == "clamp")
      return failure(parser.parseLSquare() || parser.parseInteger(low) ||
                     parser.parseComma() || parser.parseInteger(high) ||
                     parser.parseRSquare());
    pool = dyn_cast_if_present<MaxPoolAttr>(MaxPoolAttr::parse(parser, {}));
    return success(pool != nullptr);
  };
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater()) &&
      (parser.parseCommaSeparatedList(parseField) || parser.parseGreater()))
    return {};
  return getChecked([&] { return parser.emitError(parser.getNameLoc()); },
                    parser.getContext(), scale, relu, zeroPoint, low, high,
                    pool, residualScale, residualWhole);
}

float EpilogueAttr::getOneScale() const {
  auto scale = dyn_cast_if_present<FloatAttr>(getScale());
  return scale ? scale.getValue().convertToFloat() : 1.0f;
}

DenseFPElementsAttr EpilogueAttr::getChannelScales() const {
  return dyn_cast_if_present<DenseFPElementsAttr>(getScale());
}

ReadOutFeatures EpilogueAttr::getFeatures() const {
  return {/*perChannel=*/static_cast<bool>(getChannelScales()),
          /*zeroPoint=*/getZeroPoint() != 0,
          /*clamp=*/getLow() != -128 || getHigh() != 127};
}

bool EpilogueAttr::isAboveZeroSum() const {
  // Scales are positive, so only sums below zero are read as less.
  return getRelu() || getLow() >= getZeroPoint();
}

EpilogueAttr EpilogueAttr::withPool(MaxPoolAttr pool) const {
  return get(getContext(), getScale(), getRelu(), getZeroPoint(), getLow(),
             getHigh(), pool, getResidualScale(), getResidualWhole());
}

void EpilogueAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (getResidualScale())
    printer << "residual_scale = " << getResidualScale() << ", ";
  if (getResidualWhole())
    printer << "residual_whole = " << getResidualWhole() << ", ";
  if (getScale())
    printer << "scale = " << getScale();
  if (getRelu())
    printer << ", relu";
  if (getZeroPoint() != 0)
    printer << ", zero_point = " << getZeroPoint();
  if (getFeatures().clamp)
    printer << ", clamp = [" << getLow() << ", " << getHigh() << ']';
  if (getPool()) {
    printer << ", pool = ";
    getPool().print(printer);
  }
  printer << '>';
}

LogicalResult MaxPoolAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t size, int64_t stride,
                                  ArrayRef<int64_t> pad,
                                  ArrayRef<int64_t> outputs) {
  auto wrong = [&](StringRef what, StringRef wanted) {
    return emitError() << "max pooling wants " << what << " " << wanted;
  };
  if (size < 1 || size > kMaxBound || stride < 1 || stride > kMaxBound)
    return wrong("size and stride", "of at least 1");
  if (pad.size() != 2 || outputs.size() != 2)
    return wrong("pad and outputs", "for the two axes H and W");
  for (auto [before, extent] : llvm::zip(pad, outputs)) {
    if (before < 0 || before >= size)
      return wrong("pad", "of at least 0 that leaves part of a window");
    if (extent < 1 || extent > kMaxBound)
      return wrong("outputs", "of at least 1");
  }
  return success();
}

LogicalResult EpilogueAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Attribute scale, bool relu,
                                   int64_t zeroPoint, int64_t low, int64_t high,
                                   MaxPoolAttr pool, FloatAttr residualScale,
                                   int64_t residualWhole) {
  if (residualWhole < 0 || residualWhole >= kMaxResidualLoads)
    return emitError() << "residual_whole must be at least 0 and less than "
                       << kMaxResidualLoads << "; found " << residualWhole;
  if (residualWhole && !residualScale)
    return emitError() << "residual_whole needs a residual_scale beside it";
  const bool isClamped = low != -128 || high != 127;
  if (!scale) {
    if (!relu && !pool && !isClamped && zeroPoint == 0 && !residualScale)
      return success();
    return emitError() << (relu             ? "relu"
                           : zeroPoint != 0 ? "zero_point"
                           : isClamped      ? "clamp"
                           : pool           ? "pool"
                                            : "residual_scale")
                       << " needs a scale: a full-width read-out applies no "
                          "activation";
  }
  auto isScale = [](const APFloat &value) {
    return value.isFinite() && !value.isNegative() && !value.isZero();
  };
  auto one = dyn_cast<FloatAttr>(scale);
  auto many = dyn_cast<DenseFPElementsAttr>(scale);
  if (one ? !one.getType().isF32() || !isScale(one.getValue())
          : !many || !many.getElementType().isF32() ||
                many.getType().getRank() != 1 || many.empty() ||
                !llvm::all_of(many.getValues<APFloat>(), isScale))
    return emitError() << "scale must be a positive finite f32, or a vector of "
                          "them; found "
                       << scale;
  if (residualScale &&
      (!residualScale.getType().isF32() || !isScale(residualScale.getValue())))
    return emitError() << "residual_scale must be a positive finite f32; found "
                       << residualScale;
  if (!llvm::isInt<8>(zeroPoint))
    return emitError() << "zero_point must be an int8; found " << zeroPoint;
  if (!llvm::isInt<8>(low) || !llvm::isInt<8>(high) || low > high)
    return emitError() << "clamp must be two int8, the lower one first; found ["
                       << low << ", " << high << ']';
  return success();
}

//===----------------------------------------------------------------------===//
// #fadiff.mapping
//===----------------------------------------------------------------------===//

static ParseResult parseLoops(AsmParser &parser, StringRef level,
                              SmallVectorImpl<int64_t> &loops) {
  if (parser.parseKeyword(level) || parser.parseLSquare())
    return failure();
  while (failed(parser.parseOptionalRSquare())) {
    Dim dim;
    int64_t factor;
    if (parseDimKeyword(parser, dim) || parser.parseColon() ||
        parser.parseInteger(factor))
      return failure();
    loops.push_back(static_cast<int64_t>(dim));
    loops.push_back(factor);
  }
  return success();
}

Attribute MappingAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> dram, scratchpad, accumulator, registers;
  int64_t rows, cols;
  if (parser.parseLess() || parseLoops(parser, "dram", dram) ||
      parser.parseComma() || parseLoops(parser, "scratchpad", scratchpad) ||
      parser.parseComma() || parseLoops(parser, "accumulator", accumulator) ||
      parser.parseComma() || parseLoops(parser, "registers", registers) ||
      parser.parseComma() || parser.parseKeyword("array") ||
      parser.parseLSquare() || parser.parseInteger(rows) ||
      parser.parseKeyword("x") || parser.parseInteger(cols) ||
      parser.parseRSquare() || parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(parser.getNameLoc()); },
                    parser.getContext(), dram, scratchpad, accumulator,
                    registers, rows, cols);
}

static void printLoops(AsmPrinter &printer, StringRef level,
                       ArrayRef<int64_t> loops) {
  printer << level << " [";
  llvm::ListSeparator space(" ");
  for (size_t i = 0; i < loops.size(); i += 2)
    printer << StringRef(space) << dimName(static_cast<Dim>(loops[i])) << ':'
            << loops[i + 1];
  printer << "], ";
}

void MappingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printLoops(printer, "dram", getDram());
  printLoops(printer, "scratchpad", getScratchpad());
  printLoops(printer, "accumulator", getAccumulator());
  printLoops(printer, "registers", getRegisters());
  printer << "array [" << getRows() << " x " << getCols() << "]>";
}

LogicalResult MappingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> dram,
                                  ArrayRef<int64_t> scratchpad,
                                  ArrayRef<int64_t> accumulator,
                                  ArrayRef<int64_t> registers, int64_t rows,
                                  int64_t cols) {
  std::pair<StringRef, ArrayRef<int64_t>> levels[] = {
      {"dram", dram},
      {"scratchpad", scratchpad},
      {"accumulator", accumulator},
      {"registers", registers}};
  for (auto [level, loops] : levels) {
    PerDim<bool> seen{false};
    for (size_t i = 0; i + 1 < loops.size(); i += 2) {
      if (loops[i] < 0 || loops[i] >= kNumDims)
        return emitError() << level << ": unknown dim " << loops[i];
      Dim dim = static_cast<Dim>(loops[i]);
      if (loops[i + 1] < 1)
        return emitError() << level << ": factor of "
                           << std::string(1, dimName(dim))
                           << " must be at least 1; found " << loops[i + 1];
      if (seen[dim])
        return emitError() << level << ": dim " << std::string(1, dimName(dim))
                           << " stands twice";
      seen[dim] = true;
    }
  }
  if (rows < 1 || cols < 1)
    return emitError() << "array factors must be at least 1; found [" << rows
                       << " x " << cols << "]";
  return success();
}

//===----------------------------------------------------------------------===//
// #fadiff.cost_model, #fadiff.cost
//===----------------------------------------------------------------------===//

LogicalResult
CostModelAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      StringRef convention, StringRef model,
                      StringRef latency) {
  if (!parseName<Convention>(convention))
    return emitError()
           << "convention must be \"machine\" or \"timeloop\"; found \""
           << convention << '"';
  if (!parseName<Model>(model))
    return emitError() << "model must be \"exact\" or \"paper\"; found \""
                       << model << '"';
  if (!parseName<Latency>(latency))
    return emitError()
           << "latency must be \"roofline\", \"issue\" or \"streams\"; found \""
           << latency << '"';
  return success();
}

std::unique_ptr<CostFunction> CostModelAttr::getCostFunction() const {
  return createCostFunction(*parseName<Convention>(getConvention()),
                            *parseName<Model>(getModel()),
                            *parseName<Latency>(getLatency()));
}

std::string CostModelAttr::getModelName() const {
  std::string name = getConvention().str();
  if (getModel() != "exact")
    name += " " + getModel().str();
  if (Latency latency = *parseName<Latency>(getLatency());
      latency != Latency::Roofline)
    name += " " + nameOf(latency).str();
  return name;
}

Attribute CostAttr::parse(AsmParser &parser, Type) {
  double energy, cycles;
  int64_t dramRead, dramWrite;
  std::string convention;
  if (parser.parseLess() || parser.parseKeyword("energy") ||
      parser.parseEqual() || parser.parseFloat(energy) ||
      parser.parseKeyword("pJ") || parser.parseComma() ||
      parser.parseKeyword("cycles") || parser.parseEqual() ||
      parser.parseFloat(cycles) || parser.parseComma() ||
      parser.parseKeyword("dram_read") || parser.parseEqual() ||
      parser.parseInteger(dramRead) || parser.parseKeyword("B") ||
      parser.parseComma() || parser.parseKeyword("dram_write") ||
      parser.parseEqual() || parser.parseInteger(dramWrite) ||
      parser.parseKeyword("B") || parser.parseComma() ||
      parser.parseKeyword("by") || parser.parseString(&convention) ||
      parser.parseGreater())
    return {};
  Builder builder(parser.getContext());
  return getChecked([&] { return parser.emitError(parser.getNameLoc()); },
                    parser.getContext(), builder.getF64FloatAttr(energy),
                    builder.getF64FloatAttr(cycles), dramRead, dramWrite,
                    convention);
}

void CostAttr::print(AsmPrinter &printer) const {
  printer << "<energy = ";
  printer.printFloat(getEnergy().getValue());
  printer << " pJ, cycles = ";
  printer.printFloat(getCycles().getValue());
  printer << ", dram_read = " << getDramRead()
          << " B, dram_write = " << getDramWrite() << " B, by \"" << getModel()
          << "\">";
}

LogicalResult CostAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               FloatAttr energy, FloatAttr cycles,
                               int64_t dramRead, int64_t dramWrite,
                               StringRef model) {
  if (energy.getValue().isNegative() || cycles.getValue().isNegative() ||
      dramRead < 0 || dramWrite < 0)
    return emitError() << "a cost cannot be negative";
  if (model.empty())
    return emitError() << "a cost names the model that predicted it";
  return success();
}
