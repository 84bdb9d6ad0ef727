//===- Terminal.cpp - What a person sees while a tool runs ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terminal.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace fadiff;

unsigned fadiff::terminalWidth(int descriptor) {
  if (!isatty(descriptor))
    return 0;
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  if (const char *columns = std::getenv("COLUMNS"))
    if (const int width = std::atoi(columns); width > 0)
      return unsigned(width);
  return 80;
}

std::string fadiff::wrapped(llvm::StringRef text, unsigned width) {
  std::string result;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    const bool isWhole = line.size() < text.size();
    text = rest;
    const size_t indent = line.size() - line.ltrim(' ').size();
    // A narrow window has no room for what is indented deeply.
    const std::string hanging(std::min<size_t>(indent + 2, width / 2), ' ');
    bool isFirst = true;
    while (line.size() + (isFirst ? 0 : hanging.size()) > width) {
      const size_t room = width - (isFirst ? 0 : hanging.size());
      size_t end = line.substr(0, room + 1).rfind(' ');
      // The line's own indentation is no place to break it.
      if (end == llvm::StringRef::npos || (isFirst && end < indent))
        end = line.find(' ', isFirst ? indent : 0);
      if (end == llvm::StringRef::npos)
        break;
      result += (isFirst ? "" : hanging) + line.substr(0, end).rtrim().str();
      result += '\n';
      line = line.substr(end).ltrim(' ');
      isFirst = false;
    }
    if (!line.empty() || isFirst)
      result += (isFirst ? "" : hanging) + line.str();
    if (isWhole)
      result += '\n';
  }
  return result;
}

WrappedStream::~WrappedStream() { os << wrapped(line, width); }

void WrappedStream::write_impl(const char *data, size_t size) {
  line.append(data, size);
  const size_t end = line.rfind('\n');
  if (end == std::string::npos)
    return;
  os << wrapped(llvm::StringRef(line).take_front(end + 1), width);
  line.erase(0, end + 1);
}

//===----------------------------------------------------------------------===//
// The line of progress
//===----------------------------------------------------------------------===//

/// Between two drawings of a phase that says nothing new.
static constexpr std::chrono::milliseconds kTick(200);

StatusLine &StatusLine::get() {
  static StatusLine line;
  return line;
}

StatusLine::~StatusLine() { end(); }

void StatusLine::plan(std::vector<Phase> wanted) {
  std::lock_guard<std::mutex> lock(mutex);
  phases = std::move(wanted);
}

void StatusLine::expect(llvm::StringRef phase, double seconds) {
  std::lock_guard<std::mutex> lock(mutex);
  for (Phase &each : phases)
    if (each.name == phase)
      each.expected = seconds;
}

void StatusLine::begin(llvm::StringRef phase, std::function<double()> done) {
  if (!terminalWidth(STDERR_FILENO))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  const auto now = Clock::now();
  if (!name.empty() && current < phases.size()) {
    spent += std::chrono::duration<double>(now - began).count();
    wasExpected += phases[current].expected;
  }
  const auto it = llvm::find_if(
      phases, [&](const Phase &each) { return each.name == phase; });
  current = size_t(it - phases.begin());
  name = phase.str();
  noted.clear();
  share = std::move(done);
  began = now;
  quietUntil = {};
  draw();
  if (!running) {
    running = true;
    ticker = std::thread([this] {
      std::unique_lock<std::mutex> lock(mutex);
      while (!woken.wait_for(lock, kTick, [this] { return !running; }))
        draw();
    });
  }
}

void StatusLine::note(std::string text) {
  if (!terminalWidth(STDERR_FILENO))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  noted = std::move(text);
  draw();
}

void StatusLine::erase() {
  if (shown)
    llvm::errs() << "\r\033[K";
  shown = false;
}

void StatusLine::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  erase();
  quietUntil = Clock::now() + std::chrono::milliseconds(100);
}

void StatusLine::end() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    running = false;
    erase();
    name.clear();
    noted.clear();
    share = nullptr;
  }
  woken.notify_all();
  if (ticker.joinable())
    ticker.join();
}

double StatusLine::secondsLeft(double elapsed) const {
  if (current >= phases.size())
    return -1;
  // How fast this machine, and this network, are.
  const double scale = wasExpected > 0 ? spent / wasExpected : 1;
  const double expected = phases[current].expected * scale;
  double left = -1;
  if (const double done = share ? share() : -1; done > 0.02)
    left = elapsed * (1 - std::min(done, 1.0)) / done;
  else if (expected > elapsed)
    left = expected - elapsed;
  if (left < 0)
    return -1;
  for (size_t i = current + 1; i < phases.size(); ++i)
    left += phases[i].expected * scale;
  return left;
}

std::string StatusLine::text() const {
  const double elapsed =
      std::chrono::duration<double>(Clock::now() - began).count();
  std::string text;
  if (current < phases.size())
    text = llvm::formatv("[{0}/{1}] ", current + 1, phases.size());
  const double left = secondsLeft(elapsed);
  if (left >= 0)
    text += llvm::formatv("about {0:f0} s left, ", left);
  if (!noted.empty())
    return text + noted;
  return text + llvm::formatv("{0}, {1:f1} s", name, elapsed).str();
}

void StatusLine::draw() {
  const unsigned width = terminalWidth(STDERR_FILENO);
  if (!width || name.empty() || Clock::now() < quietUntil)
    return;
  // A line that breaks would stay.
  llvm::errs() << "\r\033[K" << text().substr(0, width - 1);
  shown = true;
}

void fadiff::clearStatusForDiagnostics(mlir::MLIRContext &context) {
  // Handlers are asked from the last one on, until one takes the diagnostic.
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) {
    StatusLine::get().clear();
    return mlir::failure();
  });
}
