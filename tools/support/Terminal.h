//===- Terminal.h - What a person sees while a tool runs --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_SUPPORT_TERMINAL_H
#define FADIFF_TOOLS_SUPPORT_TERMINAL_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fadiff {

/// The columns of the terminal that is open as `descriptor`: what the terminal
/// says, else the environment's COLUMNS, else 80. 0 if it is no terminal.
unsigned terminalWidth(int descriptor);

/// `text`, line by line, broken at spaces so that no line is longer than
/// `width`; what is broken off is indented by two more than its line. A word
/// that is longer has a line of its own.
std::string wrapped(llvm::StringRef text, unsigned width);

/// Passes whole lines on to another stream, broken to fit `width`.
class WrappedStream : public llvm::raw_ostream {
public:
  WrappedStream(llvm::raw_ostream &os, unsigned width)
      : llvm::raw_ostream(/*unbuffered=*/true), os(os), width(width) {}
  /// Also what has no end of line yet.
  ~WrappedStream() override;

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return os.tell() + line.size(); }

  llvm::raw_ostream &os;
  const unsigned width;
  std::string line;
};

/// What the program is doing now, on one line of standard error that is
/// rewritten in place and never wider than the window; nothing where standard
/// error is no terminal. Safe from any thread.
class StatusLine {
public:
  /// There is one terminal.
  static StatusLine &get();

  /// The phases in their order, each with the seconds that it is expected to
  /// take; these only matter as shares of each other.
  struct Phase {
    std::string name;
    double expected = 0;
  };
  void plan(std::vector<Phase> phases);
  /// Changes what a phase is expected to take. Unknown names are ignored.
  void expect(llvm::StringRef phase, double seconds);

  /// Ends the phase before. `share` says how much of it is done, from 0 to 1,
  /// or less than 0 if that is not known; it is called from another thread
  /// until the phase ends.
  void begin(llvm::StringRef phase, std::function<double()> share = nullptr);
  /// More about the phase, instead of its name and time.
  void note(std::string text);
  /// Removes the line, for something else to be printed; it comes back with the
  /// next change that is at least a tenth of a second away.
  void clear();
  /// Ends all phases and removes the line.
  void end();

private:
  StatusLine() = default;
  ~StatusLine();
  using Clock = std::chrono::steady_clock;

  void draw();
  void erase();
  std::string text() const;
  /// Of all phases that are left; less than 0 if that is not known.
  double secondsLeft(double elapsed) const;

  mutable std::mutex mutex;
  std::condition_variable woken;
  std::thread ticker;
  bool running = false, shown = false;
  std::vector<Phase> phases;
  size_t current = 0;
  std::string name, noted;
  std::function<double()> share;
  Clock::time_point began, quietUntil;
  double spent = 0, wasExpected = 0; ///< of phases that are done
};

/// Has diagnostics of the context appear without the line of progress. To be
/// called behind whatever else handles them.
void clearStatusForDiagnostics(mlir::MLIRContext &context);

} // namespace fadiff

#endif // FADIFF_TOOLS_SUPPORT_TERMINAL_H
