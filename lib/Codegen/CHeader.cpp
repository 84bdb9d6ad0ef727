//===- CHeader.cpp - Compiled entries as C sees them ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Codegen/Riscv.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace fadiff;

static bool isWordOfC(StringRef name) {
  static constexpr StringLiteral words[] = {
      // C, C++, and the function that every program has already.
      "alignas",  "alignof",  "asm",      "auto",      "bool",   "break",
      "case",     "catch",    "char",     "class",     "const",  "continue",
      "decltype", "default",  "delete",   "do",        "double", "else",
      "enum",     "explicit", "export",   "extern",    "false",  "float",
      "for",      "friend",   "goto",     "if",        "inline", "int",
      "long",     "main",     "mutable",  "namespace", "new",    "noexcept",
      "nullptr",  "operator", "private",  "protected", "public", "register",
      "restrict", "return",   "short",    "signed",    "sizeof", "static",
      "struct",   "switch",   "template", "this",      "throw",  "true",
      "try",      "typedef",  "typeid",   "typename",  "union",  "unsigned",
      "using",    "virtual",  "void",     "volatile",  "while"};
  return llvm::is_contained(words, name);
}

static std::string toIdentifier(StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? c : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(result.begin(), '_');
  return result;
}

/// C gets pointers only, so all else must be known.
static LogicalResult checkStatic(func::FuncOp function) {
  auto check = [&](Type type, Location loc,
                   const Twine &what) -> LogicalResult {
    auto memref = dyn_cast<MemRefType>(type);
    if (cast<ShapedType>(type).hasStaticShape() &&
        (!memref || memref.getLayout().isIdentity()))
      return success();
    return emitError(loc) << what.str() << " of '@" << function.getSymName()
                          << "' must have a static shape"
                          << (memref ? " and no layout of its own" : "")
                          << " to be called from C; found " << type;
  };
  for (BlockArgument argument : function.getArguments())
    if (failed(check(argument.getType(), argument.getLoc(),
                     "argument #" + Twine(argument.getArgNumber()))))
      return failure();
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(check(type, function.getLoc(), "result #" + Twine(index))))
      return failure();
  return success();
}

FailureOr<std::vector<CEntry>> fadiff::findCEntries(ModuleOp module,
                                                    StringRef prefix) {
  std::vector<CEntry> entries;
  llvm::StringMap<func::FuncOp> named;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration() || !function.isPublic())
      continue;
    FailureOr<EntryPoint> interface =
        findEntryPoint(module, function.getSymName());
    if (failed(interface) || failed(checkStatic(function)))
      return failure();
    std::string symbol = toIdentifier((prefix + function.getSymName()).str());
    if (isWordOfC(symbol))
      return function.emitError()
             << "'@" << function.getSymName() << "' cannot be called so in C: '"
             << symbol << "' is taken; wanted a prefix, such as 'net_'";
    auto [other, isNew] = named.try_emplace(symbol, function);
    if (!isNew) {
      InFlightDiagnostic diag =
          function.emitError() << "'@" << function.getSymName() << "' is '"
                               << symbol << "' in C, and so is '@"
                               << other->second.getSymName() << "'; rename one";
      diag.attachNote(other->second.getLoc()) << "the other one";
      return failure();
    }
    CEntry entry;
    entry.symbol = std::move(symbol);
    entry.interface = std::move(*interface);
    entries.push_back(std::move(entry));
  }
  if (entries.empty())
    return module.emitError("has nothing to call: wanted at least one public "
                            "function with a body, found none");
  return entries;
}

static StringRef cType(ElementType type) {
  switch (type) {
  case ElementType::I1: // 0 or 1
  case ElementType::I4: // its bits, 0 to 15
  case ElementType::F4E2M1FN:
  case ElementType::F8E8M0FNU:
    return "uint8_t";
  case ElementType::Index:
    return "int64_t";
  case ElementType::F16: // their bits: not every C has the types
  case ElementType::BF16:
    return "uint16_t";
  case ElementType::I8:
    return "int8_t";
  case ElementType::I16:
    return "int16_t";
  case ElementType::I32:
    return "int32_t";
  case ElementType::I64:
    return "int64_t";
  case ElementType::F32:
    return "float";
  case ElementType::F64:
    return "double";
  }
  llvm_unreachable("all element types are covered");
}

void fadiff::printCHeader(raw_ostream &os, ArrayRef<CEntry> entries,
                          const CHeaderText &text) {
  std::string guard = StringRef(entries.front().symbol).upper() + "_H";
  // A file name may hold anything, also what ends a comment.
  std::string source = text.source;
  for (size_t at; (at = source.find("*/")) != std::string::npos;)
    source.replace(at, 2, "*_");
  os << "/* " << source << ", compiled by fadiff-compile for riscv64 and '"
     << text.target << "'.\n"
     << " *\n"
     << " * Tensors are dense and row-major. A function reads its arguments "
        "and "
        "writes\n"
     << " * its results and the arguments that are not const; what it writes "
        "must not\n * overlap any other buffer.\n";
  if (!text.needs.empty()) {
    os << " *\n * Needs: ";
    llvm::interleaveComma(text.needs, os);
    os << ".\n";
  }
  if (text.memory.fixed)
    os << " *\n * Intermediates lie in " << text.memory.fixed
       << " bytes of the object: no function may be called while\n * one "
          "runs.\n";
  if (text.memory.heap)
    os << " *\n * A call takes " << text.memory.heap
       << " bytes of the heap at most.\n";
  os << " */\n"
     << "#ifndef " << guard << "\n#define " << guard
     << "\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n"
     << "#endif\n";
  for (const CEntry &entry : entries) {
    const EntryPoint &interface = entry.interface;
    std::string comment, macros, parameters;
    llvm::raw_string_ostream commentOs(comment), macroOs(macros),
        parameterOs(parameters);
    auto add = [&](const TensorSpec &spec, const Twine &name, bool isConst) {
      commentOs << " *   " << llvm::left_justify(name.str(), 9) << ' '
                << cType(spec.element);
      if (!spec.shape.empty())
        commentOs << ' ';
      for (int64_t dim : spec.shape)
        commentOs << '[' << dim << ']';
      commentOs << '\n';
      macroOs << "#define " << StringRef(entry.symbol).upper() << '_'
              << StringRef(name.str()).upper() << "_SIZE " << spec.numElements()
              << '\n';
      parameterOs << (parameters.empty() ? "" : ",\n    ")
                  << (isConst ? "const " : "") << cType(spec.element) << " *"
                  << name;
    };
    for (auto [i, spec] : llvm::enumerate(interface.arguments))
      add(spec,
          entry.argumentNames.empty() ? "arg" + std::to_string(i)
                                      : entry.argumentNames[i],
          /*isConst=*/!llvm::is_contained(interface.written, i));
    for (auto [i, spec] : llvm::enumerate(interface.results))
      add(spec, entry.resultName + std::to_string(i), /*isConst=*/false);
    os << "\n/* @" << interface.name << '\n' << comment;
    if (!entry.preparedBy.empty())
      os << " * " << entry.preparedBy
         << " writes what is prepared: once, and when an\n * argument that it "
            "reads has changed.\n";
    os << " */\n"
       << macros << "void " << entry.symbol << "(\n    "
       << (parameters.empty() ? "void" : parameters) << ");\n";
  }
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}
