//===- Sweep.h - Scores of machines in files --------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sweep is a list of independent searches, each of some networks on one
// machine. What they found stands in files with a line of JSON each, so that
// any number of processes can share the work: they do not talk, and what a
// killed one has written counts (docs/Codesign.md, "Sweeps").
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_CODESIGN_SWEEP_H
#define FADIFF_CODESIGN_SWEEP_H

#include "fadiff/Codesign/Codesign.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <memory>

namespace fadiff {

/// Every `count`-th piece of work, from the `index`-th on.
struct Shard {
  unsigned index = 0, count = 1;
  bool has(size_t piece) const { return piece % count == index; }
};
/// Reads "3/64": 3 is from 0 to 63. The error says what was wanted.
llvm::Expected<Shard> parseShard(llvm::StringRef text);

/// The legal machines of `design` within the area, in the order in which Grid
/// searches them. Fails as codesign() does, and if a parameter can be any
/// number of a range.
llvm::Expected<std::vector<DesignPoint>>
machinesOf(const Design &design, const CodesignOptions &options);

class KnownScores {
public:
  /// What one search is about: the networks and all options that its result
  /// depends on as text, and the machine.
  static std::string keyOf(llvm::StringRef content, const Accelerator &machine);

  /// Takes the lines of a file. Those that are damaged, or of another version
  /// of the model, are left out and told to `warn`. Fails if the file cannot be
  /// read.
  llvm::Error read(llvm::StringRef path,
                   llvm::function_ref<void(const std::string &)> warn);
  /// Appends what keep() gets to `path`, a line at a time; what is there is
  /// read first. Fails if it cannot be written.
  llvm::Error open(llvm::StringRef path,
                   llvm::function_ref<void(const std::string &)> warn);

  bool has(const std::string &key) const { return known.count(key) > 0; }
  /// What was found, or why the networks do not run there. Expects has(key).
  llvm::Expected<std::vector<NetworkScore>> find(const std::string &key) const;
  /// Keeps what was found, or why networks do not run there; `machine` is for
  /// people who read the file. Fails if that cannot be written.
  llvm::Error keep(const std::string &key, llvm::StringRef machine,
                   llvm::Expected<std::vector<NetworkScore>> scores);

private:
  struct Known {
    std::vector<NetworkScore> networks;
    std::string error; ///< of networks that do not run there
  };
  /// Nothing if the line is none.
  static std::optional<std::pair<std::string, Known>>
  parse(llvm::StringRef line, std::string &why);

  std::map<std::string, Known> known;
  std::unique_ptr<llvm::raw_fd_ostream> out;
};

} // namespace fadiff

#endif // FADIFF_CODESIGN_SWEEP_H
