//===- Monitor.cpp - Progress line and Ctrl-C of the tools ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Monitor.h"

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Transforms/SearchMonitor.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <mutex>

using namespace fadiff;

// A signal handler can reach nothing else.
static std::atomic<bool> stopWanted{false};
static struct sigaction before; // what SIGINT did before the search

static void handleInterrupt(int) {
  stopWanted.store(true, std::memory_order_relaxed);
  sigaction(SIGINT, &before, nullptr); // the next one is not for us
}
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler must not wait for a lock");

namespace {
class Monitor : public SearchMonitor {
public:
  explicit Monitor(mlir::Dialect *dialect) : SearchMonitor(dialect) {}

  void searchStarts(SearchOptions &options) override {
    std::lock_guard<std::mutex> lock(mutex);
    // Not before: LLVM takes SIGINT over, to remove a half-written file, when
    // a tool opens its output.
    if (running++ == 0 && !stopWanted) {
      struct sigaction action = {};
      action.sa_handler = handleInterrupt;
      sigemptyset(&action.sa_mask);
      sigaction(SIGINT, &action, &before);
    }
    if (!options.stop)
      options.stop = &stopWanted;
    if (!options.progress && llvm::sys::Process::StandardErrIsDisplayed())
      options.progress =
          [this, objective = options.objective](const Progress &progress) {
            show(progress, objective);
          };
  }

  void searchEnds() override {
    std::lock_guard<std::mutex> lock(mutex);
    if (shown)
      llvm::errs() << "\r\033[K";
    shown = false;
    if (--running == 0 && !stopWanted)
      sigaction(SIGINT, &before, nullptr);
  }

private:
  /// One line, rewritten in place.
  void show(const Progress &progress, Objective objective) {
    std::lock_guard<std::mutex> lock(mutex);
    const bool edp = objective == Objective::Edp;
    const bool energy = objective == Objective::Energy;
    double value = edp      ? progress.energy * 1e-6 * progress.cycles
                   : energy ? progress.energy
                            : progress.cycles;
    double rate = progress.seconds > 0
                      ? double(progress.evaluations) / progress.seconds
                      : 0;
    llvm::errs() << llvm::format(
        "\r\033[Ksearch: %-8s %u/%u, %.3e evaluations (%.2e/s), %.1f s, best "
        "%.4e %s",
        progress.phase, progress.done, progress.total,
        double(progress.evaluations), rate, progress.seconds, value,
        edp      ? "uJ*cycles"
        : energy ? "pJ"
                 : "cycles");
    shown = true;
  }

  std::mutex mutex;
  unsigned running = 0;
  bool shown = false;
};
} // namespace

void fadiff::registerSearchMonitor(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *, ir::FadiffDialect *dialect) {
    dialect->addInterface<Monitor>();
  });
}
