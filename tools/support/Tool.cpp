//===- Tool.cpp - How every tool begins and ends --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tool.h"

#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Support/Files.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>

using namespace fadiff;

Tool::Tool(int &argc, char **&argv) : init(argc, argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "FADiff version " FADIFF_VERSION "\n"
          "built with LLVM and MLIR version " LLVM_VERSION_STRING "\n";
  });
  // A file that grows beyond its limit is an error of the write, like a full
  // disk, and no reason to die with a stack trace.
  std::signal(SIGXFSZ, SIG_IGN);
}

llvm::Error fadiff::checkTarget(const llvm::cl::opt<std::string> &target) {
  if (target.getNumOccurrences() > 1)
    return llvm::createStringError("--target: wanted one machine, found " +
                                   llvm::Twine(target.getNumOccurrences()));
  if (target.getNumOccurrences() == 1 && target.empty())
    return llvm::createStringError(
        "--target: wanted a machine's name or a file, found nothing");
  if (target.empty())
    return llvm::Error::success();
  llvm::Expected<Accelerator> machine = findTarget(target);
  if (machine)
    return llvm::Error::success();
  return llvm::createStringError("--target: " +
                                 llvm::toString(machine.takeError()));
}

void fadiff::orExit(llvm::StringRef name, llvm::function_ref<void()> work) {
  llvm::CrashRecoveryContext::Enable();
  // On the stack that LLVM has for its own handlers: what is nested too deep
  // has used up the other one.
  for (int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction action;
    sigaction(signal, nullptr, &action);
    action.sa_flags |= SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
  const bool survived = llvm::CrashRecoveryContext().RunSafely(work);
  llvm::CrashRecoveryContext::Disable();
  if (survived)
    return;
  llvm::errs() << "error: " << (name == "-" ? "<stdin>" : name)
               << ": the tool crashed on this input. Where mlir-opt crashes, "
                  "too, it is a bug of MLIR, and what the file says there is "
                  "wrong; else it is one of FADiff, please report it with the "
                  "file\n";
  llvm::sys::RunInterruptHandlers(); // removes temporary files
  std::_Exit(1);
}

int Tool::exitCode(bool succeeded) const {
  if (llvm::Error error = flushStandardOutput()) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return succeeded ? 0 : 1;
}
