//===- FADiff.cpp - FADiff from C -----------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff-c/FADiff.h"
#include "fadiff/Analysis/EntryFunction.h"
#include "fadiff/InitAll.h"
#ifdef FADIFF_ONNX
#include "fadiff/Onnx/Import.h"
#endif
#include "fadiff/Quantize/Passes.h"
#include "fadiff/Runner/Entry.h"
#include "fadiff/Runner/Npy.h"
#include "fadiff/Runner/Program.h"
#include "fadiff/Runner/Scheduled.h"
#include "fadiff/Search/Cache.h"
#include "fadiff/Simulator/Machine.h"
#include "fadiff/Simulator/Runtime.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/SearchModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace fadiff;

namespace {

thread_local std::string lastError;

/// What the tools print after `error: `.
void setError(llvm::Twine text) { lastError = text.str(); }
void setError(llvm::Error error) { setError(llvm::toString(std::move(error))); }

/// Collects the errors of a context, with their places and notes, for
/// fadiffLastError().
class ErrorScope {
public:
  explicit ErrorScope(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            add(diagnostic);
          return success();
        }) {}
  ~ErrorScope() {
    if (!text.empty())
      lastError = text;
  }

private:
  void add(Diagnostic &diagnostic) {
    llvm::raw_string_ostream os(text);
    if (!text.empty())
      os << '\n';
    if (!isa<UnknownLoc>(diagnostic.getLocation()))
      os << diagnostic.getLocation() << ": ";
    os << "error: " << diagnostic;
    for (Diagnostic &note : diagnostic.getNotes())
      os << "\nnote: " << note;
  }

  std::string text;
  ScopedDiagnosticHandler handler;
};

std::shared_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  fadiff::registerAllDialects(registry);
  auto context = std::make_shared<MLIRContext>(registry);
  // An error about the module would print all of it.
  context->printOpOnDiagnostic(false);
  return context;
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

FadiffTensor typeOf(const TensorSpec &spec) {
  return {static_cast<FadiffElement>(spec.element), spec.shape.size(),
          spec.shape.data(), nullptr};
}

const FadiffTensor kNoTensor = {static_cast<FadiffElement>(-1), 0, nullptr,
                                nullptr};

static_assert(static_cast<int>(ElementType::I1) == FADIFF_I1 &&
                  static_cast<int>(ElementType::I4) == FADIFF_I4 &&
                  static_cast<int>(ElementType::I8) == FADIFF_I8 &&
                  static_cast<int>(ElementType::I16) == FADIFF_I16 &&
                  static_cast<int>(ElementType::I32) == FADIFF_I32 &&
                  static_cast<int>(ElementType::I64) == FADIFF_I64 &&
                  static_cast<int>(ElementType::Index) == FADIFF_INDEX &&
                  static_cast<int>(ElementType::F4E2M1FN) == FADIFF_F4E2M1FN &&
                  static_cast<int>(ElementType::F8E8M0FNU) ==
                      FADIFF_F8E8M0FNU &&
                  static_cast<int>(ElementType::F16) == FADIFF_F16 &&
                  static_cast<int>(ElementType::BF16) == FADIFF_BF16 &&
                  static_cast<int>(ElementType::F32) == FADIFF_F32 &&
                  static_cast<int>(ElementType::F64) == FADIFF_F64,
              "the numbers of the C interface never change");

/// Copies of the arguments' values. Fails if they do not fit the entry.
llvm::Expected<std::vector<HostTensor>>
readInputs(const EntryPoint &entry, const FadiffTensor *inputs, size_t count) {
  if (count != entry.arguments.size())
    return llvm::createStringError(
        llvm::formatv("wanted {0} inputs, one for each argument of '@{1}', "
                      "found {2}",
                      entry.arguments.size(), entry.name, count));
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < count; ++i) {
    const FadiffTensor &input = inputs[i];
    if (input.element < FADIFF_I1 || input.element > FADIFF_F64 ||
        !input.data || (input.rank && !input.shape))
      return llvm::createStringError(llvm::formatv(
          "input {0}: wanted an element type, a shape and data", i));
    TensorSpec spec;
    spec.element = static_cast<ElementType>(input.element);
    spec.shape.assign(input.shape, input.shape + input.rank);
    if (spec.isOpen() || !entry.arguments[i].admits(spec))
      return llvm::createStringError(
          llvm::formatv("input {0}: wanted {1}, found {2}", i,
                        entry.arguments[i].str(), spec.str()));
    llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
    if (!tensor)
      return tensor.takeError();
    std::memcpy(tensor->data(), input.data, tensor->raw().size());
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// Per nest: name, mapping, what is predicted.
std::string nestsAsJson(llvm::ArrayRef<NestPrediction> nests) {
  llvm::json::Array all;
  for (const NestPrediction &nest : nests)
    all.push_back(llvm::json::Object{
        {"name", nest.name},
        {"mapping", nest.mapping},
        {"trips", nest.trips},
        {"energy_pj", nest.energy},
        {"cycles", nest.cycles},
        {"dram_read", nest.dramRead},
        {"dram_write", nest.dramWrite},
    });
  return llvm::formatv("{0:2}", llvm::json::Value(std::move(all)));
}

} // namespace

struct FadiffNetwork {
  std::shared_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  EntryPoint entry;
  std::vector<std::string> names;
  std::vector<TensorSpec> outputs;
  std::string text, quantization;
  std::unique_ptr<Program> reference;
};

struct FadiffPlan {
  std::shared_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  EntryPoint entry;
  Accelerator machine;
  double value = 0, bound = 0, energy = 0, cycles = 0;
  std::string summary, nests, text;
  std::unique_ptr<Program> program;
};

struct FadiffResults {
  std::vector<HostTensor> tensors;
  int64_t cycles = 0, dramRead = 0, dramWritten = 0;
};

const char *fadiffVersion(void) { return FADIFF_VERSION; }
const char *fadiffLastError(void) { return lastError.c_str(); }

static llvm::Expected<OwningOpRef<ModuleOp>>
readModule(llvm::StringRef path, MLIRContext &context,
           llvm::ArrayRef<const char *> dims,
           llvm::ArrayRef<const char *> bindings) {
  if (path.ends_with_insensitive(".onnx")) {
#ifdef FADIFF_ONNX
    OnnxOptions open;
    for (const char *text : dims)
      if (llvm::Error error = parseOnnxDim(text, open))
        return std::move(error);
    for (const char *text : bindings)
      if (llvm::Error error = parseOnnxBinding(text, open))
        return std::move(error);
    return importOnnx(path, context, open);
#else
    return llvm::createStringError(
        "'" + path +
        "' is of ONNX, which this FADiff was built without (CMake: "
        "FADIFF_ONNX=OFF)");
#endif
  }
  if (!bindings.empty())
    return llvm::createStringError(
        "'" + path +
        "': wanted a model of ONNX, of which alone inputs are bound to files, "
        "found another file");
  if (!dims.empty())
    return llvm::createStringError(
        "'" + path +
        "': wanted a model of ONNX, of which alone extents are "
        "given by name, found another file");
  auto file = openInput(path);
  if (!file)
    return file.takeError();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

/// What the location of an argument calls it.
static std::string nameOfArgument(BlockArgument argument) {
  auto name = dyn_cast<NameLoc>(argument.getLoc());
  return name ? name.getName().str() : std::string();
}

/// Finds `entry`, main or the only function if empty, and notes what it takes
/// and gives. Fails with a diagnostic.
static LogicalResult describeEntry(FadiffNetwork &network,
                                   llvm::StringRef entry) {
  FailureOr<func::FuncOp> function = chooseEntry(*network.module, entry);
  if (failed(function) || failed(isolateEntry(*network.module, *function)))
    return failure();
  FailureOr<EntryPoint> found =
      findEntryPoint(*network.module, function->getSymName());
  if (failed(found))
    return failure();
  network.entry = std::move(*found);
  network.outputs = network.entry.results;
  for (unsigned index : network.entry.written)
    network.outputs.push_back(network.entry.arguments[index]);
  auto chosen = network.module->lookupSymbol<func::FuncOp>(network.entry.name);
  for (BlockArgument argument : chosen.getArguments())
    network.names.push_back(nameOfArgument(argument));
  return success();
}

FadiffNetwork *fadiffLoad(const char *path, const char *const *dims,
                          size_t numDims, const char *entry) {
  return fadiffLoadBound(path, dims, numDims, nullptr, 0, entry);
}

FadiffNetwork *fadiffLoadBound(const char *path, const char *const *dims,
                               size_t numDims, const char *const *bindings,
                               size_t numBindings, const char *entry) {
  if (!path) {
    setError("wanted the name of a file, found NULL");
    return nullptr;
  }
  auto network = std::make_unique<FadiffNetwork>();
  network->context = makeContext();
  ErrorScope errors(*network->context);
  auto module = readModule(path, *network->context, {dims, numDims},
                           {bindings, numBindings});
  if (!module) {
    setError(module.takeError());
    return nullptr;
  }
  if (!*module)
    return nullptr;
  network->module = std::move(*module);
  if (failed(describeEntry(*network, entry ? entry : "")))
    return nullptr;
  return network.release();
}

/// Data to calibrate with, by what its file is called.
static llvm::Expected<HostTensor> readSample(llvm::StringRef path,
                                             const TensorSpec &wanted) {
#ifdef FADIFF_ONNX
  if (path.ends_with_insensitive(".pb"))
    return readOnnxTensor(path, wanted);
#endif
  return readNpy(path, wanted);
}

FadiffNetwork *fadiffQuantize(const FadiffNetwork *network,
                              const char *options) {
  ErrorScope errors(*network->context);
  auto result = std::make_unique<FadiffNetwork>();
  result->context = network->context;
  result->module = network->module.get().clone();
  std::unique_ptr<Pass> pass = createQuantizePass(
      readSample, /*os=*/nullptr, [&](const QuantizationReport &report) {
        result->quantization =
            llvm::formatv("{0:2}", llvm::json::Value(report.toJson()));
      });
  auto complain = [](const llvm::Twine &message) {
    setError("options of the quantisation: " + message);
    return failure();
  };
  const std::string text = ("entry=" + network->entry.name + " " +
                            llvm::StringRef(options ? options : ""))
                               .str();
  if (failed(pass->initializeOptions(text, complain)))
    return nullptr;
  PassManager pm(result->context.get());
  pm.addPass(std::move(pass));
  if (failed(pm.run(*result->module)) ||
      failed(describeEntry(*result, network->entry.name)))
    return nullptr;
  // Passes may have lost what the model calls its inputs.
  if (result->names.size() == network->names.size())
    result->names = network->names;
  return result.release();
}

const char *fadiffNetworkQuantization(const FadiffNetwork *network) {
  return network->quantization.c_str();
}

void fadiffNetworkFree(FadiffNetwork *network) { delete network; }

size_t fadiffNumInputs(const FadiffNetwork *network) {
  return network->entry.arguments.size();
}
size_t fadiffNumOutputs(const FadiffNetwork *network) {
  return network->outputs.size();
}
FadiffTensor fadiffInputType(const FadiffNetwork *network, size_t index) {
  return index < network->entry.arguments.size()
             ? typeOf(network->entry.arguments[index])
             : kNoTensor;
}
FadiffTensor fadiffOutputType(const FadiffNetwork *network, size_t index) {
  return index < network->outputs.size() ? typeOf(network->outputs[index])
                                         : kNoTensor;
}
const char *fadiffInputName(const FadiffNetwork *network, size_t index) {
  return index < network->names.size() ? network->names[index].c_str() : "";
}
const char *fadiffNetworkText(FadiffNetwork *network) {
  if (network->text.empty())
    network->text = print(*network->module);
  return network->text.c_str();
}

FadiffPlan *fadiffSchedule(const FadiffNetwork *network, const char *text) {
  ErrorScope errors(*network->context);
  ScheduleOptions options;
  std::string complaint;
  llvm::raw_string_ostream os(complaint);
  if (failed(options.parseFromString(text ? text : "", os))) {
    setError("options of the schedule: " + llvm::StringRef(complaint).trim());
    return nullptr;
  }
  llvm::Expected<SearchOptions> search = toSearchOptions(options);
  if (!search) {
    setError(search.takeError());
    return nullptr;
  }
  std::optional<SearchCache> cache;
  if (!options.cache.empty()) {
    if (llvm::Error error = checkWritable("cache", options.cache)) {
      setError(std::move(error));
      return nullptr;
    }
    cache.emplace(options.cache, [](const std::string &) {});
    search->cache = &*cache;
  }
  auto plan = std::make_unique<FadiffPlan>();
  plan->context = network->context;
  plan->entry = network->entry;
  plan->module = network->module.get().clone();
  std::vector<FunctionSearch> found;
  if (failed(scheduleEntry(*plan->module, plan->entry.name, options, *search,
                           &found)))
    return nullptr;
  if (cache)
    if (llvm::Error error = cache->save()) {
      setError("cannot write the cache '" + options.cache +
               "': " + llvm::toString(std::move(error)));
      return nullptr;
    }
  plan->machine = ir::lookupTarget(*plan->module).getAccelerator();
  for (const FunctionSearch &each : found) {
    plan->value += each.result.value();
    plan->energy += each.result.cost.energy;
    plan->cycles += each.result.cost.cycles;
    plan->bound +=
        each.result.bound.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  llvm::raw_string_ostream summary(plan->summary);
  printSummaries(summary, found, /*json=*/true);
  plan->nests = nestsAsJson(predictions(*plan->module));
  return plan.release();
}

void fadiffPlanFree(FadiffPlan *plan) { delete plan; }
double fadiffPlanValue(const FadiffPlan *plan) { return plan->value; }
double fadiffPlanBound(const FadiffPlan *plan) { return plan->bound; }
double fadiffPlanEnergy(const FadiffPlan *plan) { return plan->energy; }
double fadiffPlanCycles(const FadiffPlan *plan) { return plan->cycles; }
const char *fadiffPlanSummary(const FadiffPlan *plan) {
  return plan->summary.c_str();
}
const char *fadiffPlanNests(const FadiffPlan *plan) {
  return plan->nests.c_str();
}
const char *fadiffPlanText(FadiffPlan *plan) {
  if (plan->text.empty())
    plan->text = print(*plan->module);
  return plan->text.c_str();
}

FadiffResults *fadiffRun(FadiffPlan *plan, const FadiffTensor *inputs,
                         size_t numInputs) {
  ErrorScope errors(*plan->context);
  llvm::Expected<std::vector<HostTensor>> arguments =
      readInputs(plan->entry, inputs, numInputs);
  if (!arguments) {
    setError(arguments.takeError());
    return nullptr;
  }
  if (!plan->program) {
    FailureOr<std::unique_ptr<Program>> program =
        compileScheduled(*plan->module, plan->entry);
    if (failed(program))
      return nullptr;
    plan->program = std::move(*program);
  }
  sim::Machine machine(plan->machine, sim::MachineOptions());
  llvm::Expected<std::vector<HostTensor>> outputs = [&] {
    sim::CurrentMachine current(machine);
    return plan->program->run(*arguments);
  }();
  if (!outputs) {
    setError(outputs.takeError());
    return nullptr;
  }
  if (machine.fault()) {
    setError("the program is illegal on target '" + plan->machine.name +
             "': " + machine.fault()->str());
    return nullptr;
  }
  auto results = std::make_unique<FadiffResults>();
  results->tensors = std::move(*outputs);
  results->cycles = machine.cycles();
  const sim::Counters total = machine.total();
  results->dramRead = total.dramBytesRead;
  results->dramWritten = total.dramBytesWritten;
  return results.release();
}

FadiffResults *fadiffRunReference(FadiffNetwork *network,
                                  const FadiffTensor *inputs,
                                  size_t numInputs) {
  ErrorScope errors(*network->context);
  llvm::Expected<std::vector<HostTensor>> arguments =
      readInputs(network->entry, inputs, numInputs);
  if (!arguments) {
    setError(arguments.takeError());
    return nullptr;
  }
  if (!network->reference) {
    FailureOr<std::unique_ptr<Program>> program =
        compileReference(*network->module, network->entry);
    if (failed(program))
      return nullptr;
    network->reference = std::move(*program);
  }
  llvm::Expected<std::vector<HostTensor>> outputs =
      network->reference->run(*arguments);
  if (!outputs) {
    setError(outputs.takeError());
    return nullptr;
  }
  auto results = std::make_unique<FadiffResults>();
  results->tensors = std::move(*outputs);
  return results.release();
}

void fadiffResultsFree(FadiffResults *results) { delete results; }
size_t fadiffNumResults(const FadiffResults *results) {
  return results->tensors.size();
}
FadiffTensor fadiffResult(const FadiffResults *results, size_t index) {
  if (index >= results->tensors.size())
    return kNoTensor;
  const HostTensor &tensor = results->tensors[index];
  FadiffTensor view = typeOf(tensor.spec());
  view.data = tensor.data();
  return view;
}
int64_t fadiffResultsCycles(const FadiffResults *results) {
  return results->cycles;
}
int64_t fadiffResultsDramRead(const FadiffResults *results) {
  return results->dramRead;
}
int64_t fadiffResultsDramWritten(const FadiffResults *results) {
  return results->dramWritten;
}
