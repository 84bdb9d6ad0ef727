//===- Externals.cpp - What compiled code may reach of its host -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Externals.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/RuntimeLibcalls.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/TargetParser/Host.h"

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

using namespace mlir;
using namespace fadiff;

// Rounding to bf16 where the processor has no instruction for it, by MLIR's
// runtime: libgcc 12 has none. How they return is between that and generated
// code; here they are only pointed at.
extern "C" void __truncsfbf2();
extern "C" void __truncdfbf2();

//===----------------------------------------------------------------------===//
// Running, and what ends it early
//===----------------------------------------------------------------------===//

namespace {
/// One call of compiled code. That code uses pointers unchecked and cannot
/// return an error, so what goes wrong leaves it by a jump; none of its frames
/// has anything to destroy.
struct Call {
  sigjmp_buf end;
  size_t wanted = 0;            ///< of memory that there is not
  std::string said;             ///< with puts(), as a failing assertion does
  int signal = 0;               ///< that stopped it
  bool aborted = false;         ///< by itself
  std::optional<uint8_t> fresh; ///< what memory holds before it is written
  llvm::DenseSet<void *> live;
};
} // namespace

/// That this thread is in.
static thread_local Call *currentCall = nullptr;

/// aligned_alloc of compiled code.
static void *allocateForProgram(size_t alignment, size_t size) {
  void *pointer = std::aligned_alloc(alignment, size);
  if (!pointer) {
    currentCall->wanted = size;
    siglongjmp(currentCall->end, 1);
  }
  if (currentCall->fresh)
    std::memset(pointer, *currentCall->fresh, size);
  currentCall->live.insert(pointer);
  return pointer;
}

/// free of compiled code.
static void freeForProgram(void *pointer) {
  currentCall->live.erase(pointer);
  std::free(pointer);
}

/// puts of compiled code: assertions say with it why they abort.
static int putsForProgram(const char *text) {
  currentCall->said = text;
  return 0;
}

/// abort of compiled code.
[[noreturn]] static void abortForProgram() {
  currentCall->aborted = true;
  siglongjmp(currentCall->end, 1);
}

namespace {
/// While there is one, signals that compiled code causes end its call; others
/// go where they went before.
class TrapHandlers {
public:
  TrapHandlers() {
    std::lock_guard<std::mutex> lock(mutex);
    if (users++ > 0)
      return;
    struct sigaction action = {};
    action.sa_sigaction = &handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (auto [signal, before] : llvm::zip(kSignals, before))
      sigaction(signal, &action, &before);
  }
  ~TrapHandlers() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--users > 0)
      return;
    for (auto [signal, before] : llvm::zip(kSignals, before))
      sigaction(signal, &before, nullptr);
  }

private:
  static constexpr int kSignals[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGTRAP};
  static inline struct sigaction before[std::size(kSignals)];
  static inline std::mutex mutex;
  static inline unsigned users = 0;

  static void handle(int signal, siginfo_t *, void *) {
    if (currentCall) {
      currentCall->signal = signal;
      siglongjmp(currentCall->end, 1);
    }
    // The faulting instruction runs again, and the old handler gets it.
    sigaction(signal, &before[llvm::find(kSignals, signal) - kSignals],
              nullptr);
  }
};

/// A stack for signal handlers, for when the call has used up its own.
class HandlerStack {
public:
  HandlerStack() {
    sigaltstack(nullptr, &before);
    if (!(before.ss_flags & SS_DISABLE))
      return;
    memory = std::make_unique<char[]>(kBytes);
    stack_t stack = {};
    stack.ss_sp = memory.get();
    stack.ss_size = kBytes;
    sigaltstack(&stack, nullptr);
  }
  ~HandlerStack() {
    if (memory)
      sigaltstack(&before, nullptr);
  }

private:
  static constexpr size_t kBytes = 1 << 16;
  std::unique_ptr<char[]> memory;
  stack_t before = {};
};
} // namespace

/// Returns whether the code came to its end. No local variable here lives
/// across the jump.
static bool callEntry(void (*entry)(void **), void **arguments, Call &call) {
  if (sigsetjmp(call.end, /*savemask=*/1))
    return false;
  entry(arguments);
  return true;
}

static StringRef describe(int signal) {
  switch (signal) {
  case SIGFPE:
    return "an arithmetic trap (SIGFPE)";
  case SIGILL:
  case SIGTRAP:
    return "an instruction that traps (SIGILL)";
  default:
    return "an access to memory that it does not own, or by too deep a "
           "recursion (SIGSEGV)";
  }
}

llvm::Error fadiff::callProgram(void (*entry)(void **), void **arguments,
                                std::optional<uint8_t> fresh) {
  Call call;
  call.fresh = fresh;
  bool finished;
  {
    HandlerStack stack;
    TrapHandlers handlers;
    Call *outer = std::exchange(currentCall, &call);
    finished = callEntry(entry, arguments, call);
    currentCall = outer;
  }
  if (finished)
    return llvm::Error::success();
  for (void *pointer : call.live)
    std::free(pointer);
  if (call.signal)
    return llvm::createStringError(
        "the program was stopped by " + describe(call.signal) +
        "; an operation of the network does what MLIR leaves undefined");
  if (call.aborted)
    return llvm::createStringError("the program stopped" +
                                   (call.said.empty()
                                        ? std::string(" by calling abort")
                                        : " at " + call.said));
  return llvm::createStringError("the program ran out of memory: wanted " +
                                 llvm::Twine(call.wanted) +
                                 " bytes for an intermediate buffer");
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// What code generation may call for single instructions, and what
/// convert-math-to-libm does, with and without the suffix of floats.
static bool isMathFunction(StringRef name) {
  static const llvm::StringSet<> functions = [] {
    llvm::StringSet<> names;
    for (StringRef base :
         {"acos",  "acosh", "asin", "asinh", "atan",  "atan2",     "atanh",
          "cbrt",  "ceil",  "cos",  "cosh",  "erf",   "erfc",      "exp",
          "exp2",  "expm1", "fabs", "floor", "fma",   "fmod",      "log",
          "log10", "log1p", "log2", "pow",   "round", "roundeven", "sin",
          "sinh",  "sqrt",  "tan",  "tanh",  "trunc"}) {
      names.insert(base);
      names.insert((base + "f").str());
    }
    const llvm::RTLIB::RuntimeLibcallsInfo generated{
        llvm::Triple(llvm::sys::getProcessTriple())};
    for (llvm::RTLIB::LibcallImpl call : llvm::RTLIB::libcall_impls())
      if (generated.isAvailable(call))
        names.insert(
            llvm::RTLIB::RuntimeLibcallsInfo::getLibcallImplName(call));
    return names;
  }();
  return functions.contains(name);
}

/// What the runner itself offers.
static ArrayRef<std::pair<StringRef, void *>> ownFunctions() {
  static const std::pair<StringRef, void *> functions[] = {
      {"aligned_alloc", reinterpret_cast<void *>(&allocateForProgram)},
      {"free", reinterpret_cast<void *>(&freeForProgram)},
      {"puts", reinterpret_cast<void *>(&putsForProgram)},
      {"__truncsfbf2", reinterpret_cast<void *>(&__truncsfbf2)},
      {"__truncdfbf2", reinterpret_cast<void *>(&__truncdfbf2)},
      {"abort", reinterpret_cast<void *>(&abortForProgram)}};
  return functions;
}

static bool isOffered(StringRef name, const ProgramOptions &options) {
  return llvm::is_contained(llvm::make_first_range(options.symbols), name) ||
         llvm::is_contained(llvm::make_first_range(ownFunctions()), name) ||
         isMathFunction(name) ||
         (options.allowExternal &&
          llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name.str()));
}

llvm::Error fadiff::defineExternals(llvm::orc::LLJIT &jit,
                                    const ProgramOptions &options) {
  llvm::orc::JITDylib &library = jit.getMainJITDylib();
  llvm::orc::SymbolMap symbols;
  auto add = [&](StringRef name, void *pointer) {
    symbols[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(pointer),
        llvm::JITSymbolFlags::Exported};
  };
  for (auto [name, pointer] : ownFunctions())
    add(name, pointer);
  for (const auto &[name, pointer] : options.symbols)
    add(name, pointer);
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  const char prefix = jit.getDataLayout().getGlobalPrefix();
  llvm::orc::DynamicLibrarySearchGenerator::SymbolPredicate allowed;
  if (!options.allowExternal)
    allowed = [prefix](const llvm::orc::SymbolStringPtr &symbol) {
      StringRef name = *symbol;
      if (prefix)
        name.consume_front(StringRef(&prefix, 1));
      return isMathFunction(name);
    };
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      prefix, std::move(allowed));
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}

/// Whether the symbol's definition is not the module's: LLVM drops one that is
/// available externally.
static bool isDefinedElsewhere(Operation *symbol) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(symbol))
    return function.isExternal() ||
           function.getLinkage() == LLVM::Linkage::AvailableExternally;
  auto global = dyn_cast<LLVM::GlobalOp>(symbol);
  return global &&
         ((!global.getValueOrNull() && global.getInitializerRegion().empty()) ||
          global.getLinkage() == LLVM::Linkage::AvailableExternally);
}

/// What a call through a pointer calls, if the module itself says.
static bool isCallOfOwnFunction(Value pointer) {
  return pointer.getDefiningOp<LLVM::AddressOfOp>() != nullptr;
}

static constexpr llvm::StringLiteral kTrusted =
    "pass --allow-external if you trust the network as you trust this program";

LogicalResult fadiff::checkExternals(ModuleOp module,
                                     const ProgramOptions &options) {
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  if (!options.allowExternal) {
    if (module->hasAttr(LLVM::LLVMDialect::getModuleLevelAsmAttrName()))
      return module.emitError() << "contains inline assembly, which would run "
                                   "in this process; "
                                << kTrusted;
    WalkResult walked = module.walk([&](Operation *op) {
      if (isa<LLVM::InlineAsmOp>(op)) {
        op->emitError() << "inline assembly would run in this process; "
                        << kTrusted;
        return WalkResult::interrupt();
      }
      Value pointer;
      if (auto call = dyn_cast<LLVM::CallOp>(op); call && !call.getCallee())
        pointer = call.getCalleeOperands().front();
      else if (auto invoke = dyn_cast<LLVM::InvokeOp>(op);
               invoke && !invoke.getCallee())
        pointer = invoke.getCalleeOperands().front();
      if (!pointer || isCallOfOwnFunction(pointer))
        return WalkResult::advance();
      op->emitError() << "calls through a pointer, which may point anywhere in "
                         "this process; call a function by its name; "
                      << kTrusted;
      return WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      return failure();
  }
  SymbolTable symbols(module);
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return module.emitError("uses symbols in operations that are not known");
  for (const SymbolTable::SymbolUse &use : *uses) {
    StringRef name = use.getSymbolRef().getRootReference().getValue();
    Operation *symbol = symbols.lookup(name);
    if (!symbol || !isDefinedElsewhere(symbol) || name.starts_with("llvm.") ||
        isOffered(name, options))
      continue;
    auto diag = use.getUser()->emitError()
                << "'@" << name
                << "' is only declared: wanted a body or a symbol that the "
                   "host provides, found neither; ";
    if (options.allowExternal)
      diag << "this process has no such symbol";
    else
      diag << kTrusted;
    diag.attachNote(symbol->getLoc()) << "declared here";
    return failure();
  }
  return success();
}
