//===- fadiff-run.cpp - Run a network and report what it computes ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules a network for an accelerator, runs the emitted program on the
// simulator, runs the same input through upstream lowering only, and compares
// the outputs byte for byte.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Documents.h"

#include "fadiff/Analysis/EntryFunction.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/CostModel/ScheduleFile.h"
#include "fadiff/InitAll.h"
#include "fadiff/Runner/HostLowering.h"
#include "fadiff/Runner/HostTensor.h"
#include "fadiff/Runner/Program.h"
#include "fadiff/Runner/RunReport.h"
#include "fadiff/Runner/Scheduled.h"
#include "fadiff/Search/Cache.h"
#include "fadiff/Simulator/Runtime.h"
#include "fadiff/Simulator/Trace.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Support/NamedOption.h"
#include "fadiff/Transforms/ArgumentShapes.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/SearchModule.h"
#include "support/Monitor.h"
#include "support/Network.h"
#include "support/Quantization.h"
#include "support/Terminal.h"
#include "support/Tool.h"
#include "support/Top.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>
#include <chrono>
#include <unistd.h>

using namespace mlir;
using namespace fadiff;
namespace cl = llvm::cl;

namespace {
enum class SummaryForm { None, Text, Json };
llvm::ArrayRef<llvm::StringLiteral> valueNames(SummaryForm) {
  static constexpr llvm::StringLiteral names[] = {"none", "text", "json"};
  return names;
}
/// What is printed of the reference instead of running anything.
enum class Stage { Bufferized, Loops, LLVM };
llvm::ArrayRef<llvm::StringLiteral> valueNames(Stage) {
  static constexpr llvm::StringLiteral names[] = {"bufferized", "loops",
                                                  "llvm"};
  return names;
}
} // namespace
FADIFF_NAMED_OPTION(SummaryForm)
FADIFF_NAMED_OPTION(Stage)

static cl::OptionCategory category("fadiff-run options");
static cl::extrahelp examples(R"(
EXAMPLES:
  fadiff-run examples/tiny.mlir --target=gemmini-small
  fadiff-run examples/tiny.mlir --timing-only --report=tiny.html,tiny.json
)");

static cl::opt<std::string> inputFile(cl::Positional,
                                      cl::desc("<network.mlir|model.onnx>"),
                                      cl::init("-"), cl::cat(category));
static ModelOptions modelOptions(category);
static QuantizationOptions quantization(category);
static cl::opt<std::string>
    entryName("entry", cl::value_desc("name"),
              cl::desc("The function to run (default: main, else the only "
                       "public one)"),
              cl::init(""), cl::cat(category));
static cl::list<std::string> inputFiles(
    "inputs", cl::CommaSeparated, cl::value_desc("a.npy,b.pb,c.png"),
    cl::desc("Files of NumPy, of ONNX (.pb), or pictures (.ppm, .pgm, .png, "
             ".jpg), with the first arguments; one that is left out, as in "
             "a.npy,,c.npy, is filled from the seed"),
    cl::cat(category));
static ImageOptions imageOptions(category);
static cl::opt<unsigned>
    top("top", cl::value_desc("n"),
        cl::desc("Print the n largest scores of the first output, of each row "
                 "of its last axis"),
        cl::init(0), cl::cat(category));
static cl::opt<std::string>
    labelsFile("labels", cl::value_desc("file"),
               cl::desc("Names of the classes for --top, one on each line"),
               cl::init(""), cl::cat(category));
static cl::list<std::string> outputFiles(
    "outputs", cl::CommaSeparated, cl::value_desc("a.npy,b.pb"),
    cl::desc(
        "Where to write the first outputs of the scheduled program (of the "
        "reference, with --reference-only), as files of NumPy or of ONNX "
        "(.pb); one that is left out is not written"),
    cl::cat(category));
static cl::opt<std::string>
    shapes("shapes", cl::value_desc("8x64,64x?,,10"),
           cl::desc("Extents of the arguments that the network leaves open, in "
                    "order; what is left out, and ?, stays open"),
           cl::init(""), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::value_desc("n"),
                              cl::desc("Seed of the arguments' values"),
                              cl::init(0), cl::cat(category));
static cl::opt<bool> referenceOnly(
    "reference-only",
    cl::desc("Run only the reference, with nothing on an accelerator"),
    cl::init(false), cl::cat(category));
static cl::opt<std::string> referenceFile(
    "reference", cl::value_desc("network.mlir"),
    cl::desc("The network that the outputs are compared with (default: the "
             "input; one that has loop nests already, to which no option of "
             "scheduling applies, is compared with nothing otherwise)"),
    cl::init(""), cl::cat(category));
static cl::opt<std::string> target(
    "target", cl::value_desc("name|file"),
    cl::desc(
        "Machine: a name (docs/Hardware.md) or a YAML description (default: "
        "the module's own, else gemmini-large)"),
    cl::init(""), cl::cat(category));
static cl::opt<Requantisation> requantize(
    "requantize", cl::value_desc("exact|hardware"),
    cl::desc("What a requantisation may become: exact (the same for every sum, "
             "default) or hardware (at most 1 apart)"),
    cl::init(Requantisation::Exact), cl::cat(category));
static cl::opt<Halves>
    halves("halves", cl::value_desc("factors|widen|host"),
           cl::desc("Contractions of f16 or bf16 on a machine that works in "
                    "f32: with widened factors of f32 sums (default), with "
                    "widened sums, too, also in the reference, or on the host"),
           cl::init(Halves::Factors), cl::cat(category));
static cl::opt<unsigned> tolerance(
    "tolerance", cl::value_desc("n"),
    cl::desc("Largest difference of an integer output from the reference's "
             "(default 0)"),
    cl::init(0), cl::cat(category));
static cl::opt<double> floatTolerance(
    "float-tolerance", cl::value_desc("share"),
    cl::desc("Largest difference of a float output from the reference's, as a "
             "share of its largest element (default 1e-5 if the machine works "
             "in f32, where the order of sums differs, 1e-3 where sums or "
             "outputs are rounded to f16, 8e-3 to bf16; else 0)"),
    cl::init(-1), cl::cat(category));
static cl::opt<Objective> objective(
    "objective", cl::desc("What the search minimises"),
    cl::values(clEnumValN(Objective::Edp, "edp", "uJ * cycles (default)"),
               clEnumValN(Objective::Energy, "energy", "pJ"),
               clEnumValN(Objective::Latency, "latency", "cycles")),
    cl::init(Objective::Edp), cl::cat(category));
static cl::opt<std::string>
    constraint("constraint", cl::value_desc("limit"),
               cl::desc("What the schedule has to keep, such as latency<5ms, "
                        "latency<1e6cycles or energy<2mJ (default none)"),
               cl::cat(category));
static cl::opt<uint64_t> searchSeed("search-seed", cl::value_desc("n"),
                                    cl::desc("Seed of the search (default 1)"),
                                    cl::init(1), cl::cat(category));
static cl::opt<std::string> timeLimit(
    "time-limit", cl::value_desc("duration"),
    cl::desc("Limit of the search, such as 2s or 500ms (default 0s, none)"),
    cl::init("0s"), cl::cat(category));
static cl::opt<Fuse> fuse(
    "fuse", cl::desc("What may share a fusion group"),
    cl::values(clEnumValN(Fuse::On, "on", "all the machine offers (default)"),
               clEnumValN(Fuse::Off, "off", "every layer is alone"),
               clEnumValN(Fuse::Chains, "chains", "chains of layers")),
    cl::init(Fuse::On), cl::cat(category));
static cl::opt<bool>
    residual("residual",
             cl::desc("Take residual additions as layers (default true)"),
             cl::init(true), cl::cat(category));
static cl::opt<Packing> pack(
    "pack", cl::value_desc("auto|on|columns|off"),
    cl::desc("Kernel taps that thin layers have as channels: rows and columns, "
             "columns or none (default auto: what is predicted to be best)"),
    cl::init(Packing::Auto), cl::cat(category));
static cl::opt<LoopUnitUse>
    loopWs("loop-ws", cl::value_desc("auto|on|off"),
           cl::desc("Whether layers alone are run by Gemmini's matmul loop "
                    "(default auto: where that is predicted to be faster)"),
           cl::init(LoopUnitUse::Auto), cl::cat(category));
static cl::opt<Switch> coreTime(
    "core", cl::desc("Whether the search counts what the core does"),
    cl::values(
        clEnumValN(Switch::On, "on",
                   "in cycles, and so whether to pool on chip (default)"),
        clEnumValN(Switch::Off, "off", "no")),
    cl::init(Switch::On), cl::cat(category));
static cl::opt<Switch> unevenTiles(
    "uneven-tiles", cl::desc("Whether tiles may leave a smaller last one"),
    cl::values(clEnumValN(Switch::On, "on", "as they come (default)"),
               clEnumValN(Switch::Off, "off", "every factor divides")),
    cl::init(Switch::On), cl::cat(category));
static cl::opt<Switch> blockDiagonal(
    "block-diagonal", cl::desc("How depthwise layers use the array"),
    cl::values(clEnumValN(Switch::On, "on",
                          "several channels at once, as blocks on the diagonal "
                          "of a weight tile (default)"),
               clEnumValN(Switch::Off, "off", "one channel at a time")),
    cl::init(Switch::On), cl::cat(category));
static cl::opt<Optimizer> optimizer(
    "optimizer", cl::desc("How to search"),
    cl::values(clEnumValN(Optimizer::Fadiff, "fadiff",
                          "enumeration, gradients for what it leaves "
                          "(default)"),
               clEnumValN(Optimizer::Gradient, "gradient",
                          "gradients and hill climbs"),
               clEnumValN(Optimizer::Dosa, "dosa", "layer-wise gradients"),
               clEnumValN(Optimizer::Ga, "ga", "genetic algorithm"),
               clEnumValN(Optimizer::Bo, "bo", "Bayesian optimisation"),
               clEnumValN(Optimizer::HillClimb, "hillclimb", "hill climbs"),
               clEnumValN(Optimizer::Random, "random", "random mappings"),
               clEnumValN(Optimizer::Heuristic, "heuristic",
                          "Gemmini's own rule"),
               clEnumValN(Optimizer::Exact, "exact",
                          "enumeration of layers and groups")),
    cl::init(Optimizer::Fadiff), cl::cat(category));
static cl::opt<LatencyChoice> latency(
    "latency", cl::desc("How the search predicts cycles"),
    cl::values(clEnumValN(LatencyChoice::Auto, "auto",
                          "streams; of the optimizer 'exact', roofline "
                          "(default)"),
               clEnumValN(LatencyChoice::Streams, "streams",
                          "loads, passes and stores, and what waits for what"),
               clEnumValN(LatencyChoice::Roofline, "roofline",
                          "bandwidths only"),
               clEnumValN(LatencyChoice::Issue, "issue",
                          "bandwidths, and the core that issues the "
                          "commands")),
    cl::init(LatencyChoice::Auto), cl::cat(category));
static cl::opt<unsigned>
    threads("search-threads", cl::value_desc("n"),
            cl::desc("Threads to search with; the result does not depend on it "
                     "(default 1)"),
            cl::init(1), cl::cat(category));
static cl::opt<uint64_t> maxEvaluations(
    "max-evaluations", cl::value_desc("n"),
    cl::desc("Calls of the cost model after which the best so far is used "
             "(default 0, no limit)"),
    cl::init(0), cl::cat(category));
static cl::opt<std::string>
    cacheFile("cache", cl::value_desc("file"),
              cl::desc("Where results of the search are kept and taken from"),
              cl::init(""), cl::cat(category));
static cl::opt<bool> allowEmpty(
    "allow-empty",
    cl::desc("Run a network of which no layer is recognised, or none fits the "
             "machine (default false)"),
    cl::init(false), cl::cat(category));
static cl::opt<SummaryForm> summary(
    "summary", cl::desc("How the search is summed up"),
    cl::values(clEnumValN(SummaryForm::Text, "text",
                          "value, bound, gap, effort, what was not fused and "
                          "why (default)"),
               clEnumValN(SummaryForm::Json, "json",
                          "the same as JSON, alone on standard output: the "
                          "report goes to standard error"),
               clEnumValN(SummaryForm::None, "none", "not at all")),
    cl::init(SummaryForm::Text), cl::cat(category));
static cl::opt<bool> timingOnly(
    "timing-only",
    cl::desc("Simulate time and traffic without data; no outputs to compare"),
    cl::init(false), cl::cat(category));
static cl::opt<bool>
    check("check",
          cl::desc("Compare predicted with simulated counts per group and "
                   "tensor; a difference is an error"),
          cl::init(false), cl::cat(category));
static cl::opt<std::string> traceFile(
    "trace", cl::value_desc("file"),
    cl::desc("Write when each command ran, as JSON that Perfetto opens"),
    cl::init(""), cl::cat(category));
static cl::opt<unsigned> traceEvents(
    "trace-events", cl::value_desc("n"),
    cl::desc(
        "Commands in the trace; layers and tiles are always there (default "
        "40000)"),
    cl::init(40000), cl::cat(category));
static cl::opt<Stage>
    emitStage("emit",
              cl::desc("Print the reference's IR instead of running it"),
              cl::values(clEnumValN(Stage::Bufferized, "bufferized",
                                    "linalg on memrefs, every buffer freed"),
                         clEnumValN(Stage::Loops, "loops", "loop nests"),
                         clEnumValN(Stage::LLVM, "llvm", "the LLVM dialect")),
              cl::cat(category));
static cl::opt<bool> printValues("print-values",
                                 cl::desc("Print every element of the outputs"),
                                 cl::init(false), cl::cat(category));
static cl::opt<bool> allowExternal(
    "allow-external",
    cl::desc("Let the network call any function of this process and contain "
             "inline assembly; only for networks that you trust"),
    cl::init(false), cl::cat(category));
static cl::list<std::string> reportFiles(
    "report", cl::CommaSeparated, cl::value_desc("a.html,b.json"),
    cl::desc("Write where energy and time go: a page for a browser, the same "
             "as JSON, or both (docs/Report.md)"),
    cl::cat(category));
static cl::opt<bool>
    asJson("json",
           cl::desc("Print the report as JSON, alone on standard output; what "
                    "people read goes to standard error"),
           cl::init(false), cl::cat(category));
static cl::opt<bool> asCsv("csv", cl::desc("The same for the table, as CSV"),
                           cl::init(false), cl::cat(category));
static cl::opt<bool> mappings("mappings",
                              cl::desc("Print each layer's mapping below it"),
                              cl::init(false), cl::cat(category));
static cl::opt<bool> reportSearch(
    "report-search",
    cl::desc("Search again for machines with half and twice of each capacity "
             "and bandwidth, for the report; takes a search for each"),
    cl::init(false), cl::cat(category));
static cl::opt<bool> timing("timing",
                            cl::desc("Print seconds per phase to standard "
                                     "error"),
                            cl::init(false), cl::cat(category));

namespace {

/// Prints the seconds since construction or the last report.
class Stopwatch {
public:
  void report(llvm::StringRef phase) {
    auto now = std::chrono::steady_clock::now();
    if (timing)
      llvm::errs() << llvm::format(
          "%8.3f s  %s\n", std::chrono::duration<double>(now - last).count(),
          phase.str().c_str());
    last = std::chrono::steady_clock::now();
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

/// What programs read from standard output.
enum class Form { None, Json, Csv };
Form form = Form::None;

/// What is for programs has standard output to itself.
bool reportsToErrors() {
  return summary == SummaryForm::Json || form != Form::None;
}

/// Columns of the window that the report is read in; 0 if it is no terminal.
unsigned reportWidth() {
  return terminalWidth(reportsToErrors() ? STDERR_FILENO : STDOUT_FILENO);
}

/// Where people read what happened, broken to fit a terminal.
llvm::raw_ostream &report() {
  StatusLine::get().clear();
  llvm::raw_ostream &os = reportsToErrors() ? llvm::errs() : llvm::outs();
  if (reportWidth() == 0)
    return os;
  static WrappedStream fitted(os, reportWidth());
  return fitted;
}

LogicalResult printError(const llvm::Twine &message) {
  StatusLine::get().end();
  llvm::errs() << "error: " << message << '\n';
  return failure();
}

void registerDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  fadiff::registerAllDialects(registry);
  registerSearchMonitor(registry, "--allow-empty");
}

LogicalResult printError(llvm::Error error) {
  return printError(llvm::toString(std::move(error)));
}

ProgramOptions programOptions() {
  ProgramOptions options;
  options.allowExternal = allowExternal;
  return options;
}

/// What the options say of the schedule.
void fill(ScheduleOptions &options) {
  options.target = target.getValue();
  options.latency = latency;
  options.requantize = requantize.getValue();
  options.halves = halves.getValue();
  options.residual = residual;
  options.allowEmpty = allowEmpty;
  options.pack = pack.getValue();
  options.timeLimit = timeLimit.getValue();
  options.optimizer = optimizer;
  options.objective = objective;
  options.constraint = constraint.getValue();
  options.seed = searchSeed.getValue();
  options.maxEvaluations = maxEvaluations.getValue();
  options.threads = threads.getValue();
  options.fuse = fuse;
  options.loopWs = loopWs;
  options.core = coreTime;
  options.unevenTiles = unevenTiles;
  options.blockDiagonal = blockDiagonal;
}

/// Linalg to checked loop nests.
LogicalResult schedule(ModuleOp module, llvm::StringRef entry,
                       SearchOptions &search,
                       std::vector<FunctionSearch> &found) {
  ScheduleOptions options;
  fill(options);
  llvm::Expected<SearchOptions> meant = toSearchOptions(options);
  if (!meant)
    return printError(meant.takeError());
  search = std::move(*meant);
  std::optional<SearchCache> cache;
  if (!cacheFile.empty()) {
    cache.emplace(cacheFile, [](const std::string &text) {
      llvm::errs() << "warning: " << text << '\n';
    });
    search.cache = &*cache;
  }
  if (failed(scheduleEntry(module, entry, options, search, &found)))
    return failure();
  if (cache)
    if (llvm::Error error = cache->save())
      llvm::errs() << "warning: cannot write the cache '" << cacheFile
                   << "': " << llvm::toString(std::move(error)) << '\n';
  return success();
}

/// The first line of what people read.
void printSentence(const llvm::json::Object &document) {
  llvm::raw_ostream &os = reportsToErrors() ? llvm::errs() : llvm::outs();
  const bool isTerminal = os.is_displayed() && os.has_colors();
  if (isTerminal)
    os.changeColor(llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  report() << summarySentence(document) << '\n';
  if (isTerminal)
    os.resetColor();
}

/// Fails, before anything is done, if the options cannot be what was meant, or
/// something cannot be written as asked.
LogicalResult checkOptions() {
  if (asJson && asCsv)
    return printError(llvm::createStringError(
        "wanted one of --json and --csv on standard output, found both"));
  if ((asJson || asCsv) && summary == SummaryForm::Json)
    return printError(llvm::createStringError(
        "wanted one document on standard output, found --summary=json and "
        "--json or --csv; the search's summary is in --json"));
  form = asJson ? Form::Json : asCsv ? Form::Csv : Form::None;
  if (llvm::Error error = checkTarget(target))
    return printError(std::move(error));
  if (floatTolerance.getNumOccurrences() > 0 && !(floatTolerance >= 0))
    return printError(llvm::createStringError(
        "--float-tolerance: wanted a number of at least 0, found " +
        llvm::formatv("{0}", floatTolerance.getValue()).str()));
  for (llvm::StringRef file : reportFiles)
    if (!file.ends_with(".html") && !file.ends_with(".json"))
      return printError(llvm::createStringError(
          "--report: wanted a file that ends in .html or .json, found '" +
          file + "'"));
  if (reportSearch && reportFiles.empty())
    return printError(llvm::createStringError(
        "--report-search: wanted --report=<file>, too, found none"));
  if (!labelsFile.empty() && top == 0)
    return printError(
        llvm::createStringError("--labels: wanted --top=<n>, too, found none"));
  if (top > 0 && timingOnly)
    return printError(llvm::createStringError(
        "--top: wanted a run with data, found --timing-only"));
  ScheduleOptions scheduling;
  fill(scheduling);
  if (llvm::Error error = toSearchOptions(scheduling).takeError())
    return printError(std::move(error));
  if (llvm::Error error = quantization.check(target))
    return printError(std::move(error));
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> written = {
      {"--trace", traceFile}, {"--cache", cacheFile}};
  for (const std::string &file : reportFiles)
    written.push_back({"--report", file});
  for (const std::string &file : outputFiles)
    written.push_back({"--outputs", file});
  for (auto [option, file] : written)
    if (llvm::Error error = checkWritable(option, file))
      return printError(std::move(error));
  return success();
}

/// What the network is called, for people.
std::string networkName() {
  llvm::StringRef stem = llvm::sys::path::stem(inputFile);
  return stem.empty() || stem == "-" ? "network" : stem.str();
}

bool hasNests(ModuleOp module) {
  return module.walk([](ir::LoopNestOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Leaves the function that is to be run alone in `module`.
FailureOr<EntryPoint> findEntry(ModuleOp module, llvm::StringRef name) {
  FailureOr<func::FuncOp> function = chooseEntry(module, name);
  if (failed(function) ||
      (!shapes.empty() && (failed(dropUnreachable(module, *function)) ||
                           failed(setArgumentShapes(*function, shapes)))) ||
      failed(isolateEntry(module, *function, allowExternal)))
    return failure();
  return findEntryPoint(module, function->getSymName());
}

/// The network to compare with; `module` if no other is named.
FailureOr<EntryPoint> findReference(OwningOpRef<ModuleOp> &other,
                                    ModuleOp module, const EntryPoint &entry) {
  if (referenceFile.empty()) {
    if (hasNests(module) && referenceOnly)
      return module.emitError("has loop nests, which only the simulator runs; "
                              "name the network that they were made from with "
                              "--reference");
    return entry;
  }
  other = readNetwork(referenceFile, std::make_shared<llvm::SourceMgr>(),
                      *module.getContext(), &modelOptions);
  if (!other)
    return failure();
  FailureOr<EntryPoint> found = findEntry(*other, entry.name);
  if (failed(found))
    return failure();
  auto typeOf = [&](ModuleOp of) {
    return of.lookupSymbol<func::FuncOp>(entry.name).getFunctionType();
  };
  if (typeOf(*other) != typeOf(module))
    return other->emitError("--reference: wanted '@")
           << entry.name << "' of type " << typeOf(module)
           << " as in the input, found " << typeOf(*other);
  return found;
}

/// What memory holds before it is written, in the two programs: apart, so that
/// an output that depends on it differs in every run, or in none.
constexpr uint8_t kFreshOfScheduled = 0x55, kFreshOfReference = 0x00;

/// Runs the scheduled program on a simulated machine and reports.
FailureOr<std::vector<HostTensor>>
runScheduled(ModuleOp module, const EntryPoint &entry,
             llvm::ArrayRef<HostTensor> arguments, Arithmetic &arithmetic,
             Stopwatch &stopwatch) {
  OwningOpRef<ModuleOp> scheduled(module.clone());
  SearchOptions search;
  std::vector<FunctionSearch> searches;
  // Printed behind the sentence that sums up the run; in any case if there is
  // none.
  std::string summaryText;
  auto printed = llvm::scope_exit([&] { report() << summaryText; });
  if (!hasNests(*scheduled) &&
      failed(schedule(*scheduled, entry.name, search, searches)))
    return failure();
  if (summary == SummaryForm::Json && !hasNests(module))
    printSummaries(llvm::outs(), searches, /*json=*/true);
  else if (summary == SummaryForm::Text && !hasNests(module)) {
    llvm::raw_string_ostream text(summaryText);
    printSummaries(text, searches, /*json=*/false);
  }
  stopwatch.report("schedule");
  std::vector<NestPrediction> predicted = predictions(*scheduled);
  const HostReport host = reportHost(*scheduled);
  StatusLine::get().begin("compile");
  FailureOr<std::unique_ptr<Program>> program =
      compileScheduled(*scheduled, entry, programOptions());
  if (failed(program))
    return failure();
  stopwatch.report("compile scheduled");

  Accelerator accelerator = ir::lookupTarget(*scheduled).getAccelerator();
  arithmetic = accelerator.arithmetic;
  sim::MachineOptions machineOptions;
  machineOptions.functional = !timingOnly;
  sim::Trace trace(traceFile.empty() ? 0 : traceEvents.getValue());
  if (!traceFile.empty() || !reportFiles.empty())
    machineOptions.trace = &trace;
  std::atomic<int64_t> simulated{0};
  machineOptions.progress = &simulated;
  double expected = 0;
  for (const NestPrediction &nest : predicted)
    expected += nest.cycles;
  sim::Machine machine(accelerator, machineOptions);
  // What was predicted is less than what is simulated, mostly by a few percent.
  StatusLine::get().begin("simulate", [&simulated, expected] {
    return expected > 0 ? std::min(0.99, double(simulated) / (1.1 * expected))
                        : -1.0;
  });
  llvm::Expected<std::vector<HostTensor>> outputs = [&] {
    sim::CurrentMachine current(machine);
    if (timingOnly)
      return (*program)->run(arguments, Results::Drop);
    return (*program)->run(arguments, Results::Copy, kFreshOfScheduled);
  }();
  if (!outputs)
    return printError(outputs.takeError());
  stopwatch.report("run scheduled");
  StatusLine::get().begin("report");
  if (machine.fault()) {
    llvm::errs() << "error: the program is illegal on target '"
                 << accelerator.name << "': " << machine.fault()->str() << '\n';
    return failure();
  }
  if (machine.hasUnfencedWrites()) {
    llvm::errs() << "error: the program ends with a mvout that no fence "
                    "follows; the host may read its results too early\n";
    return failure();
  }
  trace.finish(machine.cycles());
  std::unique_ptr<CostFunction> cost;
  ReportInput input = reportInput(predicted, host, machine, searches, cost);
  input.network = networkName();
  if (machineOptions.trace)
    input.trace = &trace;
  if (reportSearch) {
    // As the layers' own model has it.
    if (!predicted.empty())
      if (auto model = parseBuiltInModel(predicted.front().model)) {
        search.convention = model->convention;
        search.latency = model->latency;
      }
    input.searchedAgain = searchAgain(searches, accelerator, search);
  }
  const llvm::json::Object document = makeReport(input);
  if (!traceFile.empty())
    if (llvm::Error error = writeTrace(traceFile, trace, traceEvents, document))
      return printError(std::move(error));
  if (llvm::Error error = writeReport(reportFiles, document))
    return printError(std::move(error));
  stopwatch.report("report");
  StatusLine::get().clear();
  printSentence(document);
  report() << summaryText;
  printed.release();
  report() << "target " << accelerator.name << '\n';
  TableOptions table;
  if (const unsigned columns = reportWidth())
    table.width = columns;
  table.mappings = mappings;
  printTable(report(), document, table);
  bool agrees = printAgreement(report(), predicted, host, machine);
  if (form == Form::Json)
    llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(
                                               llvm::json::Object(document)))
                 << '\n';
  if (form == Form::Csv)
    printCsv(llvm::outs(), document);
  if (summary == SummaryForm::None || hasNests(module))
    host.print(report());
  if (check)
    agrees &= checkPredictions(report(), llvm::errs(), predicted, machine);
  if (!agrees)
    return failure();
  return std::move(*outputs);
}

/// Writes the outputs for which the user names a file.
LogicalResult writeOutputs(llvm::ArrayRef<HostTensor> outputs) {
  if (outputFiles.size() > outputs.size())
    return printError(llvm::createStringError(
        llvm::formatv("--outputs: wanted at most {0} files, one for each "
                      "output, found {1}",
                      outputs.size(), outputFiles.size())));
  for (size_t i = 0; i < outputFiles.size(); ++i) {
    if (outputFiles[i].empty())
      continue;
    if (llvm::Error error = writeTensor(outputFiles[i], outputs[i]))
      return printError(std::move(error));
  }
  return success();
}

/// The labels that the user names for --top. Fails if they, or the first
/// output, are not fit for that.
LogicalResult readTopLabels(const EntryPoint &entry,
                            std::vector<std::string> &labels) {
  if (!labelsFile.empty()) {
    llvm::Expected<std::vector<std::string>> read = readLabels(labelsFile);
    if (!read)
      return printError(read.takeError());
    labels = std::move(*read);
  }
  if (top == 0)
    return success();
  if (entry.results.empty())
    return printError(llvm::createStringError(
        "--top: wanted a function with results, found '@" + entry.name + "'"));
  if (llvm::Error error =
          checkScores(entry.results.front(), labels, labelsFile))
    return printError(std::move(error));
  return success();
}

/// Prints what is to be known of `outputs`, the reference's if there is one,
/// and prints the best scores of, and writes, `kept`.
LogicalResult printOutputs(llvm::ArrayRef<HostTensor> outputs,
                           llvm::ArrayRef<std::string> labels,
                           llvm::ArrayRef<HostTensor> kept) {
  for (auto [index, output] : llvm::enumerate(outputs)) {
    report() << "output " << index << ": ";
    printSummary(report(), output);
    report() << '\n';
    if (printValues) {
      report() << "values " << index << ": ";
      printElements(report(), output);
      report() << '\n';
    }
  }
  if (top > 0)
    printTop(report(), kept.front(), top, labels);
  return writeOutputs(kept);
}

/// Lowers `module` as the reference is lowered, as far as asked, and prints it.
LogicalResult emit(ModuleOp module) {
  PassManager pm(module->getName());
  pm.addPass(createImportPass());
  buildBufferizationPipeline(pm);
  if (emitStage == Stage::Loops)
    buildHostLoopsPipeline(pm);
  else if (emitStage == Stage::LLVM)
    buildHostLoweringPipeline(pm);
  if (failed(pm.run(module)))
    return failure();
  module.print(llvm::outs());
  return success();
}

/// Multiply-accumulates of the contractions, as far as they are seen.
double countMacs(ModuleOp module) {
  double macs = 0;
  module.walk([&](linalg::LinalgOp op) {
    double trips = isContraction(op) ? 1 : 0;
    for (int64_t range : op.getStaticLoopRanges())
      trips *= ShapedType::isDynamic(range) ? 1 : double(range);
    macs += trips;
  });
  return macs;
}

/// What the line of progress goes through. Seconds are those of ResNet18 on two
/// cores of a server, where they grow with the network; only their shares
/// matter, as the phases that are done tell how fast this machine is.
void planPhases(double macs) {
  const double gigaMacs = macs * 1e-9;
  std::vector<StatusLine::Phase> phases = {{"read", 0.1}};
  if (quantization.isOn())
    phases.push_back({"quantise", 10 * gigaMacs});
  phases.push_back({"prepare", 0.2});
  if (!referenceOnly) {
    phases.push_back({"search", 2.0});
    phases.push_back({"materialise", 0.2});
    phases.push_back({"compile", 3.0});
    phases.push_back({"simulate", (timingOnly ? 0.1 : 0.16) * gigaMacs});
    phases.push_back({"report", 0.1});
  }
  if (!timingOnly) {
    phases.push_back({"compile the reference", 1.0});
    phases.push_back({"run the reference", 0.13 * gigaMacs});
  }
  StatusLine::get().plan(std::move(phases));
}

LogicalResult run() {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  // An error about the module would print all of it.
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler handler(*sources, &context);
  clearStatusForDiagnostics(context);
  auto ended = llvm::scope_exit([] { StatusLine::get().end(); });

  if (failed(checkOptions()))
    return failure();
  Stopwatch stopwatch;
  planPhases(0);
  StatusLine::get().begin("read");
  OwningOpRef<ModuleOp> module =
      readNetwork(inputFile, sources, context, &modelOptions);
  if (!module)
    return failure();
  FailureOr<EntryPoint> entry = findEntry(*module, entryName);
  if (failed(entry))
    return failure();
  stopwatch.report("parse");
  planPhases(countMacs(*module));
  if (quantization.isOn())
    StatusLine::get().begin("quantise");
  llvm::Expected<ImageNumbers> numbers = imageOptions.numbers();
  if (!numbers)
    return printError(numbers.takeError());
  if (failed(
          quantization.apply(*module, entry->name, target, report(), *numbers)))
    return failure();
  if (quantization.isOn())
    stopwatch.report("quantise");

  if (emitStage.getNumOccurrences() > 0)
    return emit(*module);
  OwningOpRef<ModuleOp> other;
  FailureOr<EntryPoint> wanted = findReference(other, *module, *entry);
  if (failed(wanted))
    return failure();

  StatusLine::get().begin("prepare");
  std::vector<std::string> labels;
  if (failed(readTopLabels(*entry, labels)))
    return failure();
  auto read = [&](llvm::StringRef path, const TensorSpec &spec) {
    return readTensor(path, spec, *numbers);
  };
  llvm::Expected<std::vector<HostTensor>> arguments =
      timingOnly && inputFiles.empty()
          ? makeUnfilledArguments(*entry, seed)
          : makeArguments(*entry, seed, inputFiles, read);
  if (!arguments)
    return printError(arguments.takeError());
  stopwatch.report("fill arguments");

  std::optional<std::vector<HostTensor>> found;
  Arithmetic arithmetic = Arithmetic::Int8;
  if (referenceOnly) {
    if (summary == SummaryForm::Json)
      printSummaries(llvm::outs(), {}, /*json=*/true); // no search
  } else {
    FailureOr<std::vector<HostTensor>> outputs =
        runScheduled(*module, *entry, *arguments, arithmetic, stopwatch);
    if (failed(outputs))
      return failure();
    if (timingOnly) {
      StatusLine::get().end();
      return success();
    }
    found = std::move(*outputs);
  }

  if (!other && hasNests(*module)) {
    if (failed(printOutputs(*found, labels, *found)))
      return failure();
    report() << "not compared: the input has loop nests, which only the "
                "simulator runs; name the network that they were made from "
                "with --reference\n";
    return success();
  }
  OwningOpRef<ModuleOp> network(other ? other->clone() : module->clone());
  FailureOr<FloatType> sums = FloatType();
  if (arithmetic == Arithmetic::Float32 && halves == Halves::Widen)
    sums = widenReference(*network, report());
  if (failed(sums))
    return failure();
  StatusLine::get().begin("compile the reference");
  FailureOr<std::unique_ptr<Program>> reference =
      compileReference(*network, *wanted, programOptions());
  if (failed(reference))
    return failure();
  stopwatch.report("compile reference");
  StatusLine::get().begin("run the reference");
  llvm::Expected<std::vector<HostTensor>> outputs =
      (*reference)->run(*arguments, Results::Copy, kFreshOfReference);
  if (!outputs)
    return printError(outputs.takeError());
  stopwatch.report("run reference");
  StatusLine::get().end();

  if (failed(printOutputs(*outputs, labels, found ? *found : *outputs)))
    return failure();
  if (!found)
    return success();
  llvm::Expected<bool> agrees =
      compareWithReference(*outputs, *found, {tolerance, floatTolerance},
                           arithmetic, *sums, *network, report());
  if (!agrees)
    return printError(agrees.takeError());
  if (*agrees)
    return success();
  FailureOr<bool> isUndefined =
      readsUnwrittenMemory(*network, *wanted, *arguments, programOptions());
  if (succeeded(isUndefined) && *isUndefined)
    network->lookupSymbol(wanted->name)->emitError()
        << "the outputs depend on memory that the network allocates and never "
           "writes, so there is nothing to compare with; fill what it reads "
           "first, as with linalg.fill";
  return failure();
}

} // namespace

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Schedules a network in TOSA, linalg or ONNX, runs the emitted program "
      "on the\nsimulator and compares its outputs with the reference.\n");
  return tool.exitCode(succeeded(run()));
}
