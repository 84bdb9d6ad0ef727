//===- fadiff-compile.cpp - From a network to a RISC-V object file --------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules a network, unless it is already, and compiles it for a riscv64 core
// with a Gemmini. docs/Binaries.md shows how to link what comes out.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/EntryFunction.h"
#include "fadiff/Codegen/Riscv.h"
#include "fadiff/Codegen/Weights.h"
#include "fadiff/InitAll.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/SearchModule.h"

#include "fadiff/Support/NamedOption.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "support/Monitor.h"
#include "support/Network.h"
#include "support/Quantization.h"
#include "support/Terminal.h"
#include "support/Tool.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace fadiff;
namespace cl = llvm::cl;

namespace {
enum class Emit { Object, Assembly, LLVM, CHeader };
llvm::ArrayRef<llvm::StringLiteral> valueNames(Emit) {
  static constexpr llvm::StringLiteral names[] = {"obj", "asm", "llvm",
                                                  "c-header"};
  return names;
}
} // namespace
FADIFF_NAMED_OPTION(Emit)

static cl::OptionCategory category("fadiff-compile options");
static cl::extrahelp examples(R"(
EXAMPLES:
  fadiff-compile examples/tiny.mlir --target=gemmini-small -o tiny.o
  fadiff-compile examples/tiny.mlir --target=gemmini-small --emit=c-header -o tiny.h
)");

static cl::opt<std::string> inputFile(cl::Positional,
                                      cl::desc("<network.mlir|model.onnx>"),
                                      cl::init("-"), cl::cat(category));
static ModelOptions modelOptions(category);
static QuantizationOptions quantization(category);
static cl::opt<std::string> outputFile("o", cl::value_desc("file"),
                                       cl::desc("Where to (default: standard "
                                                "output)"),
                                       cl::init("-"), cl::cat(category));
static cl::opt<Emit>
    emit("emit", cl::desc("What to write"),
         cl::values(clEnumValN(Emit::Object, "obj", "object file (default)"),
                    clEnumValN(Emit::Assembly, "asm", "assembly"),
                    clEnumValN(Emit::LLVM, "llvm", "LLVM IR"),
                    clEnumValN(Emit::CHeader, "c-header",
                               "prototypes and sizes for C")),
         cl::init(Emit::Object), cl::cat(category));
static cl::opt<std::string> target(
    "target", cl::value_desc("name|file"),
    cl::desc(
        "Machine: a name (docs/Hardware.md) or a YAML description (default: "
        "the module's own, else gemmini-large)"),
    cl::init(""), cl::cat(category));
static cl::opt<std::string> schedule(
    "schedule", cl::value_desc("options"),
    cl::desc(
        "Further options of --fadiff-schedule, such as \"objective=latency "
        "seed=7\"; none apply to a module "
        "that has loop nests already"),
    cl::init(""), cl::cat(category));
static cl::list<std::string>
    entryNames("entry", cl::CommaSeparated, cl::value_desc("names"),
               cl::desc("The functions to compile with what they call "
                        "(default: all public ones)"),
               cl::cat(category));
static cl::opt<std::string>
    shapes("shapes", cl::value_desc("8x64,64x?,,10"),
           cl::desc("Extents of the arguments that the network leaves open, in "
                    "order; what is left out, and ?, stays open. Wants one "
                    "function"),
           cl::init(""), cl::cat(category));
static cl::opt<std::string>
    prefix("prefix", cl::value_desc("text"),
           cl::desc("What the names of functions begin with in C (default: the "
                    "input's file name and an underscore)"),
           cl::cat(category));
static cl::opt<unsigned> optLevel("O", cl::Prefix, cl::value_desc("level"),
                                  cl::desc("LLVM's optimisation level, 0 to 3 "
                                           "(default 2)"),
                                  cl::init(2), cl::cat(category));
static cl::opt<std::string>
    march("march", cl::value_desc("rv64gc..."),
          cl::desc("What the core can do, as compilers' -march names it, such "
                   "as rv64gcv (default: rv64gc)"),
          cl::init("rv64gc"), cl::cat(category));
static cl::opt<bool> prepareWeights(
    "prepare-weights",
    cl::desc("Give functions whose weights must be transposed, expanded or "
             "packed a second one, <name>_prepare, that does so, and has to be "
             "called before"),
    cl::cat(category));
static cl::opt<bool> staticMemory(
    "static-memory",
    cl::desc("Keep intermediates in the program, at fixed places, instead of "
             "on the heap; no function may then be called while one runs"),
    cl::cat(category));

static cl::opt<bool> printRequirements(
    "print-requirements",
    cl::desc("Say on standard error what the commands want of Gemmini's RTL "
             "beside what all releases have (docs/Hardware.md)"),
    cl::cat(category));

static LogicalResult printError(const Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return failure();
}

static LogicalResult scheduleModule(ModuleOp module) {
  bool scheduled =
      module.walk([](ir::LoopNestOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (scheduled)
    return success();
  ScheduleOptions options;
  if (failed(options.parseFromString(schedule)))
    return failure();
  if (!target.empty())
    options.target = target.getValue();
  PassManager pm(module->getName());
  buildSchedulePipeline(pm, options);
  return pm.run(module);
}

/// Leaves the functions that are asked for, with tensors and buffers as
/// arguments and results.
static LogicalResult chooseEntries(ModuleOp module) {
  SmallVector<func::FuncOp> chosen;
  for (const std::string &name : entryNames) {
    FailureOr<func::FuncOp> function = chooseEntry(module, name);
    if (failed(function))
      return failure();
    chosen.push_back(*function);
  }
  if (!shapes.empty() && chosen.empty()) {
    // The one that they can be meant for.
    FailureOr<func::FuncOp> function = chooseEntry(module, "");
    if (failed(function))
      return failure();
    chosen.push_back(*function);
  }
  if (!shapes.empty() && chosen.size() != 1)
    return printError("--shapes: wanted one function with --entry, found " +
                      Twine(chosen.size()));
  if (!chosen.empty() && failed(dropUnreachable(module, chosen)))
    return failure();
  if (!shapes.empty()) {
    // At once: what C passes and gets has its extents, too.
    StaticShapesPassOptions options;
    options.shapes = shapes.getValue();
    options.entry = chosen.front().getSymName().str();
    PassManager pm(module->getName());
    pm.addPass(createStaticShapesPass(options));
    if (failed(pm.run(module)))
      return failure();
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isDeclaration())
      adaptInterface(function);
  return success();
}

/// What the commands of `program`, for `machine`, want of the RTL.
static void writeRequirements(const llvm::Module &program,
                              const MemoryUse &memory,
                              const Accelerator &machine, raw_ostream &os) {
  os << "wants " << memory.heap << " bytes of heap at most, " << memory.fixed
     << " bytes in the program\n";
  bool copies = false, loops = false;
  for (const llvm::Function &function : program)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block)
        if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (const auto *command =
                  llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
            StringRef text = command->getAsmString();
            copies |= text.contains("CUSTOM_3, 0x3, 23,");
            loops |= text.contains("CUSTOM_3, 0x3, 8,");
          }
  if (copies)
    os << "wants mvout_spad: RTL behind v0.7.2 with use_tl_ext_mem\n";
  if (loops)
    os << "wants loop_ws with a chosen half of the scratchpad: v0.7.2 has it\n";
  if (machine.handsOverInPlace())
    os << "wants ex_read_from_acc where layers are fused: the default preset "
          "of v0.7.2 has it\n";
  if (!copies)
    os << "legal for Gemmini v0.7.2, built as '" << machine.name << "' says\n";
}

/// Writes the program in the form asked for.
static LogicalResult write(RiscvProgram program, ArrayRef<CEntry> entries,
                           const CHeaderText &text, raw_ostream &os) {
  if (emit == Emit::LLVM) {
    program.module->print(os, nullptr);
    return success();
  }
  // Assembled first: standard output cannot be seeked in.
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream bytesOs(bytes);
  if (llvm::Error error = emitProgram(std::move(program),
                                      emit == Emit::Assembly
                                          ? llvm::CodeGenFileType::AssemblyFile
                                          : llvm::CodeGenFileType::ObjectFile,
                                      bytesOs))
    return printError(llvm::toString(std::move(error)));
  if (emit != Emit::CHeader) {
    os << bytesOs.str();
    return success();
  }
  llvm::SmallVectorMemoryBuffer object(std::move(bytes),
                                       /*RequiresNullTerminator=*/false);
  llvm::Expected<std::vector<std::string>> needs = undefinedSymbols(object);
  if (!needs)
    return printError(llvm::toString(needs.takeError()));
  CHeaderText complete = text;
  complete.needs = std::move(*needs);
  printCHeader(os, entries, complete);
  return success();
}

/// What is wrong with the options, before anything is done.
static llvm::Error checkOptions() {
  if (llvm::Error error = checkTarget(target))
    return error;
  if (optLevel > 3)
    return llvm::createStringError("-O: wanted a level from 0 to 3, found " +
                                   Twine(optLevel));
  if (llvm::Error error = featuresOf(march).takeError())
    return llvm::createStringError("--march: " +
                                   llvm::toString(std::move(error)));
  ScheduleOptions options;
  if (failed(options.parseFromString(schedule)))
    return llvm::createStringError(
        "--schedule: wanted options of --fadiff-schedule, found '" + schedule +
        "'");
  if (llvm::Error error = toSearchOptions(options).takeError())
    return llvm::createStringError("--schedule: " +
                                   llvm::toString(std::move(error)));
  if (llvm::Error error = quantization.check(target))
    return error;
  return checkWritable("-o", outputFile);
}

static LogicalResult run() {
  if (llvm::Error error = checkOptions())
    return printError(llvm::toString(std::move(error)));
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  fadiff::registerAllDialects(registry);
  registerSearchMonitor(registry, "--schedule=allow-empty");
  MLIRContext context(registry);
  // An error about the module would print all of it.
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler handler(*sources, &context);
  clearStatusForDiagnostics(context);
  StatusLine &status = StatusLine::get();
  auto ended = llvm::scope_exit([&] { status.end(); });
  status.plan({{"read", 0.1},
               {"quantise", quantization.isOn() ? 10.0 : 0.0},
               {"prepare", 0.2},
               {"search", 2},
               {"materialise", 0.2},
               {"compile", 6}});
  status.begin("read");
  OwningOpRef<ModuleOp> module =
      readNetwork(inputFile, sources, context, &modelOptions);
  if (!module)
    return failure();

  StringRef stem =
      inputFile == "-" ? "net" : llvm::sys::path::stem(inputFile.getValue());
  if (failed(chooseEntries(*module)))
    return failure();
  if (quantization.isOn() && entryNames.size() > 1)
    return printError("--quantize: wanted one function, found " +
                      Twine(entryNames.size()) + " in --entry");
  status.begin("quantise");
  if (failed(quantization.apply(*module,
                                entryNames.empty() ? "" : entryNames.front(),
                                target, llvm::errs())))
    return failure();
  status.begin("prepare");
  FailureOr<std::vector<CEntry>> entries =
      findCEntries(*module, prefix.getNumOccurrences() ? prefix.getValue()
                                                       : (stem + "_").str());
  if (failed(entries) || failed(scheduleModule(*module)))
    return failure();
  status.begin("compile");
  if (failed(foldConstants(*module)) ||
      (prepareWeights && failed(separateWeights(*module, *entries))))
    return failure();
  llvm::LLVMContext llvmContext;
  RiscvOptions options;
  options.features = llvm::cantFail(featuresOf(march));
  options.optLevel = optLevel;
  options.staticMemory = staticMemory;
  FailureOr<RiscvProgram> program =
      compileForRiscv(*module, *entries, llvmContext, options);
  if (failed(program))
    return failure();

  status.end();
  llvm::Expected<OutputFile> output = OutputFile::open(outputFile);
  if (!output)
    return printError(llvm::toString(output.takeError()));
  if (emit == Emit::Object && output->os().is_displayed())
    return printError(
        "an object file is not for the terminal; wanted -o <file>");
  CHeaderText text;
  text.memory = program->memory;
  text.source = llvm::sys::path::filename(inputFile.getValue()).str();
  if (ir::TargetAttr machine = ir::lookupTarget(*module))
    text.target = machine.getAccelerator().name;
  if (ir::TargetAttr machine = ir::lookupTarget(*module);
      machine && printRequirements)
    writeRequirements(*program->module, program->memory,
                      machine.getAccelerator(), llvm::errs());
  if (failed(write(std::move(*program), *entries, text, output->os())))
    return failure();
  if (llvm::Error error = output->keep())
    return printError(llvm::toString(std::move(error)));
  return success();
}

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Schedules a network in TOSA, linalg or ONNX and "
                              "compiles it for a riscv64 "
                              "core\nwith a Gemmini.\n");
  return tool.exitCode(succeeded(run()));
}
