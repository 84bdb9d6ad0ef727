//===- OnnxCommand.cpp - fadiff-bench onnx --------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX's own tests: models with inputs and the outputs that they must give.
// Each is imported as any tool does it, its contractions run on a simulated
// array, the rest on the host.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Emitted.h"
#include "support/Tool.h"

#include "fadiff/Onnx/Import.h"
#include "fadiff/Runner/Scheduled.h"
#include "fadiff/Simulator/Runtime.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/SearchModule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <map>

using namespace fadiff;
namespace cl = llvm::cl;
namespace json = llvm::json;
namespace fs = llvm::sys::fs;

static llvm::Expected<json::Object> run();
static Command command("onnx", "ONNX's own tests, by operator", run);

static cl::list<std::string>
    roots(cl::Positional, cl::OneOrMore,
          cl::desc("<directory with tests below, each a model.onnx and its "
                   "test_data_set_0>..."),
          cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<std::string>
    only("only", cl::value_desc("text"),
         cl::desc("Run only tests whose names contain this"), cl::init(""),
         cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<std::string>
    check("check", cl::value_desc("file"),
          cl::desc("A table that was written by --markdown; another result is "
                   "an error"),
          cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<std::string>
    markdown("markdown", cl::value_desc("file"),
             cl::desc("Also write the results as a table by operator"),
             cl::sub(command.sub), cl::cat(benchCategory()));

namespace {
/// How a test went.
struct Outcome {
  enum Kind { Passed, Unsupported, Failed } kind = Failed;
  std::string why;    ///< unless it passed
  unsigned bound = 0; ///< inputs that became constants
  unsigned contractions = 0, layers = 0;
};

class Tests {
public:
  Outcome run(llvm::StringRef directory, const OnnxOutline &outline);

private:
  Outcome run(llvm::StringRef directory, const OnnxOutline &outline,
              OnnxOptions options);
  Outcome runOn(llvm::StringRef directory, const OnnxOutline &outline,
                Outcome outcome, mlir::ModuleOp module,
                const OnnxOptions &options);

  EmittedNetworks networks;
};
} // namespace

static std::string dataFile(llvm::StringRef directory, llvm::StringRef kind,
                            size_t number) {
  return llvm::formatv("{0}/test_data_set_0/{1}_{2}.pb", directory, kind,
                       number);
}

/// How far the elements may be apart: as far as ONNX's own runner of these
/// tests lets them be (a relative 1e-3), and what rounding leaves of sums that
/// cancel.
static bool isClose(double wanted, double found, double largest,
                    ElementType element) {
  if (std::isnan(wanted) || std::isnan(found))
    return std::isnan(wanted) && std::isnan(found);
  if (wanted == found)
    return true;
  const double each = element == ElementType::BF16  ? 8e-3 // one unit
                      : element == ElementType::F16 ? 2e-3
                                                    : 1e-3;
  return std::abs(wanted - found) <= each * std::abs(wanted) + 1e-6 * largest;
}

static double elementOf(const HostTensor &tensor, size_t i) {
  auto as = [&](auto type) {
    decltype(type) value;
    std::memcpy(&value, tensor.data() + i * sizeof(value), sizeof(value));
    return value;
  };
  auto half = [&](const llvm::fltSemantics &semantics) {
    bool loses;
    llvm::APFloat value(semantics, llvm::APInt(16, as(uint16_t())));
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &loses);
    return value.convertToDouble();
  };
  switch (tensor.spec().element) {
  case ElementType::F16:
    return half(llvm::APFloat::IEEEhalf());
  case ElementType::BF16:
    return half(llvm::APFloat::BFloat());
  case ElementType::F32:
    return as(float());
  default:
    return as(double());
  }
}

/// What is wrong with `found`; empty if nothing is.
static std::string differenceOf(const HostTensor &wanted,
                                const HostTensor &found) {
  if (!(wanted.spec() == found.spec()))
    return "wanted " + wanted.spec().str() + ", found " + found.spec().str();
  const ElementType element = wanted.spec().element;
  if (!isFloat(element))
    return wanted.raw() == found.raw() ? "" : "other integers";
  const size_t count = wanted.spec().numElements();
  double largest = 0;
  for (size_t i = 0; i < count; ++i)
    if (double value = std::abs(elementOf(wanted, i)); std::isfinite(value))
      largest = std::max(largest, value);
  for (size_t i = 0; i < count; ++i)
    if (!isClose(elementOf(wanted, i), elementOf(found, i), largest, element))
      return llvm::formatv("element {0}: wanted {1:e6}, found {2:e6}", i,
                           elementOf(wanted, i), elementOf(found, i));
  return "";
}

/// The input that an error of the importer asks to bind; empty if it does not.
static llvm::StringRef inputToBind(llvm::StringRef message) {
  llvm::StringRef rest = message.split("--bind ").second;
  return rest.take_until([](char c) { return c == '='; });
}

Outcome Tests::run(llvm::StringRef directory, const OnnxOutline &outline) {
  Outcome first = run(directory, outline, OnnxOptions());
  if (first.layers >= first.contractions)
    return first;
  // Weights and zero points are constants in a network; so they are here.
  OnnxOptions options;
  for (auto [number, name] : llvm::enumerate(outline.inputs))
    if (const std::string file = dataFile(directory, "input", number);
        number > 0 && fs::exists(file))
      options.bindings.emplace_back(name, file);
  Outcome second = run(directory, outline, std::move(options));
  return first.kind == Outcome::Failed || second.layers <= first.layers
             ? first
             : second;
}

Outcome Tests::run(llvm::StringRef directory, const OnnxOutline &outline,
                   OnnxOptions options) {
  Outcome outcome;
  outcome.bound = unsigned(options.bindings.size());
  const std::string model = (directory + "/model.onnx").str();
  while (true) {
    auto module = importOnnx(model, *networks.getContext(), options);
    if (module)
      return runOn(directory, outline, std::move(outcome), **module, options);
    outcome.kind = Outcome::Unsupported;
    outcome.why = llvm::toString(module.takeError());
    auto input = llvm::find(outline.inputs, inputToBind(outcome.why).str());
    if (input == outline.inputs.end() || options.bindings.size() > 8)
      break;
    const std::string file =
        dataFile(directory, "input", size_t(input - outline.inputs.begin()));
    if (!fs::exists(file))
      break;
    options.bindings.emplace_back(*input, file);
    ++outcome.bound;
  }
  return outcome;
}

/// Whether `op` sums products, zero points and all: what may become a layer.
static bool sumsProducts(mlir::linalg::LinalgOp op) {
  return op.getNumReductionLoops() > 0 && op.getNumDpsInputs() > 1 &&
         llvm::any_of(*op.getBlock(), [](mlir::Operation &inner) {
           return mlir::isa<mlir::arith::MulFOp, mlir::arith::MulIOp>(inner) &&
                  !inner.getResult(0).getType().isIndex();
         });
}

Outcome Tests::runOn(llvm::StringRef directory, const OnnxOutline &outline,
                     Outcome outcome, mlir::ModuleOp module,
                     const OnnxOptions &options) {
  outcome.kind = Outcome::Failed;
  std::string diagnosed;
  mlir::ScopedDiagnosticHandler handler(
      networks.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            diagnosed.empty())
          diagnosed = diagnostic.str();
        return mlir::success();
      });
  auto fail = [&](llvm::StringRef what, llvm::Error error) {
    outcome.why = (what + ": " + llvm::toString(std::move(error))).str();
    return outcome;
  };
  auto stop = [&](llvm::StringRef what) {
    outcome.why = (what + ": " + diagnosed).str();
    return outcome;
  };

  mlir::FailureOr<EntryPoint> entry = findEntryPoint(module, "main");
  if (mlir::failed(entry))
    return stop("no entry");
  std::vector<HostTensor> arguments;
  for (auto [number, name] : llvm::enumerate(outline.inputs)) {
    if (llvm::is_contained(llvm::make_first_range(options.bindings), name))
      continue;
    if (arguments.size() == entry->arguments.size())
      return stop("more inputs than arguments");
    llvm::Expected<HostTensor> tensor =
        readOnnxTensor(dataFile(directory, "input", number),
                       entry->arguments[arguments.size()]);
    if (!tensor) {
      outcome.kind = Outcome::Unsupported;
      return fail("input", tensor.takeError());
    }
    arguments.push_back(std::move(*tensor));
  }

  bool hasBytes = false;
  module.walk([&](mlir::linalg::LinalgOp op) {
    if (!sumsProducts(op))
      return;
    ++outcome.contractions;
    hasBytes |=
        mlir::getElementTypeOrSelf(op.getDpsInits()[0].getType()).isInteger();
  });
  ProgramOptions programOptions;
  programOptions.optLevel = 0; // each runs once
  mlir::FailureOr<std::unique_ptr<Program>> program = mlir::failure();
  std::optional<sim::Machine> machine;
  if (outcome.contractions > 0) {
    ScheduleOptions schedule;
    schedule.target = hasBytes ? "gemmini" : "gemmini-fp32";
    schedule.allowEmpty = true;
    SearchOptions search;
    search.seed = schedule.seed;
    search.timeLimit = 1;
    if (mlir::failed(scheduleEntry(module, "main", schedule, search)))
      return stop("cannot be scheduled");
    outcome.layers = unsigned(predictions(module).size());
    program = compileScheduled(module, *entry, programOptions);
    machine.emplace(ir::lookupTarget(module).getAccelerator(),
                    sim::MachineOptions());
  } else {
    program = compileReference(module, *entry, programOptions);
  }
  if (mlir::failed(program))
    return stop("cannot be compiled");
  llvm::Expected<std::vector<HostTensor>> outputs = [&] {
    if (!machine)
      return (*program)->run(arguments);
    sim::CurrentMachine current(*machine);
    return (*program)->run(arguments);
  }();
  if (!outputs)
    return fail("cannot be run", outputs.takeError());
  if (machine && machine->fault())
    return stop("fault: " + machine->fault()->str());
  for (auto [number, output] : llvm::enumerate(*outputs)) {
    llvm::Expected<HostTensor> wanted =
        readOnnxTensor(dataFile(directory, "output", number), output.spec());
    if (!wanted)
      return fail("output", wanted.takeError());
    if (std::string text = differenceOf(*wanted, output); !text.empty()) {
      outcome.why = llvm::formatv("output {0}: {1}", number, text);
      return outcome;
    }
  }
  outcome.kind = Outcome::Passed;
  return outcome;
}

namespace {
/// The tests of one operator.
struct Row {
  unsigned tests = 0, passed = 0, bound = 0, onArray = 0, withContractions = 0,
           failed = 0;
  /// Without what differs from test to test.
  std::map<std::string, unsigned> reasons;
};
} // namespace

/// A reason without the file's and the node's name.
static std::string shortReason(llvm::StringRef why) {
  if (size_t at = why.find("): "); at != llvm::StringRef::npos)
    why = why.drop_front(at + 3);
  else if (size_t at = why.rfind("': "); at != llvm::StringRef::npos)
    why = why.drop_front(at + 3);
  why = why.split("; known are").first.split("; bind").first;
  std::string text = why.take_front(140).str();
  llvm::replace(text, '|', '/');
  llvm::replace(text, '\n', ' ');
  return text;
}

static void printMarkdown(llvm::raw_ostream &os,
                          const std::map<std::string, Row> &rows,
                          const Row &all) {
  os << "# ONNX's own tests, by operator\n\nWritten by `fadiff-bench onnx "
        "/usr/share/libonnx-testdata/data --markdown=docs/OnnxOperators.md` "
        "([Onnx.md](Onnx.md)); the test `onnx`\nholds it against what the tree "
        "does. A test with bound inputs passed with some of them as constants: "
        "shapes, axes, or the weights\nand zero points of int8.\n\n"
        "| operator | tests | passed | with bound inputs | with a contraction "
        "| of these on the array | not supported "
        "|\n|---|---|---|---|---|---|---|\n";
  auto print = [&](llvm::StringRef name, const Row &row) {
    os << llvm::formatv("| {0} | {1} | {2} | {3} | {4} | {5} | ", name,
                        row.tests, row.passed, row.bound, row.withContractions,
                        row.onArray);
    llvm::interleave(
        row.reasons, os,
        [&](const auto &reason) {
          os << reason.second << " x " << reason.first;
        },
        "; ");
    os << " |\n";
  };
  for (const auto &[name, row] : rows)
    print(name, row);
  Row total = all;
  total.reasons.clear();
  print("**all**", total);
}

static llvm::Expected<json::Object> run() {
  if (llvm::Error error = checkWritable("--markdown", markdown))
    return std::move(error);
  std::vector<std::string> directories;
  for (const std::string &root : roots) {
    std::error_code code;
    for (fs::recursive_directory_iterator at(root, code), end;
         at != end && !code; at.increment(code))
      if (llvm::sys::path::filename(at->path()) == "model.onnx")
        directories.push_back(llvm::sys::path::parent_path(at->path()).str());
    if (code)
      return llvm::createStringError("'" + root + "': " + code.message());
  }
  llvm::sort(directories);
  Tests tests;
  std::map<std::string, Row> rows;
  Row all;
  json::Array failures, unsupported;
  for (const std::string &directory : directories) {
    const std::string name = llvm::sys::path::filename(directory).str();
    if (name.find(only) == std::string::npos)
      continue;
    llvm::Expected<OnnxOutline> outline =
        outlineOnnx(directory + "/model.onnx");
    if (!outline)
      return outline.takeError();
    const std::string kind =
        outline->operators.size() == 1
            ? outline->operators.front()
            : (llvm::StringRef(name).ends_with("_expanded") ||
                       outline->operators.size() > 2
                   ? "several operators"
                   : llvm::join(outline->operators, " and "));
    const Outcome outcome = tests.run(directory, *outline);
    for (Row *row : {&rows[kind], &all}) {
      ++row->tests;
      row->passed += outcome.kind == Outcome::Passed;
      row->failed += outcome.kind == Outcome::Failed;
      row->bound += outcome.kind == Outcome::Passed && outcome.bound > 0;
      row->withContractions += outcome.contractions > 0;
      row->onArray += outcome.layers > 0;
      if (outcome.kind != Outcome::Passed)
        ++row->reasons[(outcome.kind == Outcome::Failed ? "FAILED: " : "") +
                       shortReason(outcome.why)];
    }
    if (outcome.kind == Outcome::Failed)
      failures.push_back(
          json::Object{{"test", name}, {"why", json::fixUTF8(outcome.why)}});
    if (outcome.kind == Outcome::Unsupported)
      unsupported.push_back(json::Object{
          {"test", name}, {"why", json::fixUTF8(shortReason(outcome.why))}});
  }
  if (!markdown.empty())
    if (llvm::Error error =
            writeOutput(markdown, [&](llvm::raw_ostream &os) -> llvm::Error {
              printMarkdown(os, rows, all);
              return llvm::Error::success();
            }))
      return std::move(error);
  bool isAsExpected = true;
  if (!check.empty()) {
    auto file = openInput(check);
    if (!file)
      return file.takeError();
    std::string table;
    llvm::raw_string_ostream os(table);
    printMarkdown(os, rows, all);
    isAsExpected = (*file)->getBuffer() == table;
    if (!isAsExpected)
      llvm::errs() << "error: '" << check
                   << "' says something else; see what has changed by "
                      "--markdown="
                   << check << '\n';
  }
  return json::Object{{kRefused, int64_t(failures.size()) + !isAsExpected},
                      {"tests", all.tests},
                      {"passed", all.passed},
                      {"passed_with_bound_inputs", all.bound},
                      {"with_contractions", all.withContractions},
                      {"contractions_on_the_array", all.onArray},
                      {"failed", std::move(failures)},
                      {"not_supported", std::move(unsupported)}};
}
