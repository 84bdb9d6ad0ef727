//===- Monitor.cpp - Progress line and signals of the tools ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Monitor.h"
#include "Terminal.h"

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Transforms/SearchMonitor.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <csignal>
#include <mutex>

using namespace fadiff;

// A signal handler can reach nothing else.
static std::atomic<bool> stopWanted{false};
/// What asks a search to end: Ctrl-C, `timeout` and batch systems, a terminal
/// that is closed.
static constexpr std::array<int, 3> kStopSignals = {SIGINT, SIGTERM, SIGHUP};
/// What they did before the search.
static std::array<struct sigaction, kStopSignals.size()> before;

static void handleStop(int signal) {
  stopWanted.store(true, std::memory_order_relaxed);
  // The next one of its kind is not for us. Another kind may come along: batch
  // systems send SIGHUP right behind SIGTERM.
  for (size_t i = 0; i < kStopSignals.size(); ++i)
    if (kStopSignals[i] == signal)
      sigaction(signal, &before[i], nullptr);
}
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler must not wait for a lock");

namespace {
class Monitor : public SearchMonitor {
public:
  Monitor(mlir::Dialect *dialect, llvm::StringRef allowEmpty)
      : SearchMonitor(dialect), allowEmpty(allowEmpty) {}

  llvm::StringRef allowEmptyOption() const override { return allowEmpty; }

  void searchStarts(SearchOptions &options) override {
    std::lock_guard<std::mutex> lock(mutex);
    // Not before: LLVM takes these signals over, to remove a half-written file,
    // when a tool opens its output.
    if (running++ == 0 && !stopWanted)
      installHandlers();
    if (!options.stop)
      options.stop = &stopWanted;
    StatusLine::get().begin("search", [this] { return share.load(); });
    share = -1;
    if (!options.progress && llvm::sys::Process::StandardErrIsDisplayed())
      options.progress = [this, objective = options.objective,
                          limit = options.timeLimit](const Progress &progress) {
        // Phases of a search are of different lengths; time is what it is.
        if (limit > 0)
          share = progress.seconds / limit;
        show(progress, objective);
      };
  }

  void searchEnds() override {
    std::lock_guard<std::mutex> lock(mutex);
    StatusLine::get().begin("materialise");
    if (--running == 0 && installed) {
      for (size_t i = 0; i < kStopSignals.size(); ++i)
        sigaction(kStopSignals[i], &before[i], nullptr);
      installed = false;
    }
  }

private:
  void installHandlers() {
    struct sigaction action = {};
    action.sa_handler = handleStop;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < kStopSignals.size(); ++i) {
      sigaction(kStopSignals[i], nullptr, &before[i]);
      // Whoever started us with nohup wants a closed terminal to be ignored.
      if (before[i].sa_handler != SIG_IGN)
        sigaction(kStopSignals[i], &action, nullptr);
    }
    installed = true;
  }

  void show(const Progress &progress, Objective objective) {
    const bool edp = objective == Objective::Edp;
    const bool energy = objective == Objective::Energy;
    double value = edp      ? progress.energy * 1e-6 * progress.cycles
                   : energy ? progress.energy
                            : progress.cycles;
    double rate = progress.seconds > 0
                      ? double(progress.evaluations) / progress.seconds
                      : 0;
    std::string line;
    llvm::raw_string_ostream(line) << llvm::format(
        "search: %-8s %u/%u, %.3e evaluations (%.2e/s), %.1f s, best "
        "%.4e %s",
        progress.phase, progress.done, progress.total,
        double(progress.evaluations), rate, progress.seconds, value,
        edp      ? "uJ*cycles"
        : energy ? "pJ"
                 : "cycles");
    StatusLine::get().note(std::move(line));
  }

  const llvm::StringRef allowEmpty;
  std::mutex mutex;
  unsigned running = 0;
  bool installed = false;
  std::atomic<double> share{-1}; ///< of the search's time limit
};

/// Adds a monitor to the dialect when that is loaded.
struct MonitorExtension
    : mlir::DialectExtension<MonitorExtension, ir::FadiffDialect> {
  explicit MonitorExtension(llvm::StringRef allowEmpty)
      : allowEmpty(allowEmpty) {}

  void apply(mlir::MLIRContext *, ir::FadiffDialect *dialect) const override {
    dialect->addInterface<Monitor>(allowEmpty);
  }

  const llvm::StringRef allowEmpty;
};
} // namespace

void fadiff::registerSearchMonitor(mlir::DialectRegistry &registry,
                                   llvm::StringLiteral allowEmpty) {
  registry.addExtension(mlir::TypeID::get<MonitorExtension>(),
                        std::make_unique<MonitorExtension>(allowEmpty));
}
