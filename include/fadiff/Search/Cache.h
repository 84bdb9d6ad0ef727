//===- Cache.h - Results that are kept --------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of what searches found: whole networks, and the hulls of enumerated
// layers, so that a changed network need not solve the unchanged ones again.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_CACHE_H
#define FADIFF_SEARCH_CACHE_H

#include "fadiff/Search/Exact.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <mutex>

namespace fadiff {

/// The form of the file. Files of another one are ignored, as are those of
/// another modelVersion().
inline constexpr int64_t kCacheVersion = 1;
/// A hash of the sources that decide what a search finds and what it costs.
llvm::StringRef modelVersion();

/// Entries are keyed by everything that they depend on: layers, edges, target,
/// options, cost model. What is found is what the search would give, bit by bit
/// (but for the seconds). Nothing in a file is believed: each entry has a check
/// sum, its mappings are verified and scored anew. Safe to use from several
/// threads.
class SearchCache {
public:
  /// Reads `path`, if it is there. What is damaged or of another version is
  /// told to `warn` (also later, from the thread that finds it), and left out.
  /// What is no regular file, such as a device, or cannot be read, is told
  /// likewise, and never written.
  SearchCache(llvm::StringRef path,
              std::function<void(const std::string &)> warn);

  std::optional<SearchResult> find(const Network &network,
                                   const Accelerator &target,
                                   const SearchOptions &options);
  /// Keeps `result`, unless a time limit or a stop cut the search short, or
  /// its cost function has no name.
  void store(const Network &network, const Accelerator &target,
             const SearchOptions &options, const SearchResult &result);

  std::optional<LayerHull> find(const Layer &layer, const Accelerator &target,
                                const ExactOptions &options);
  /// Keeps `hull`, which must be complete.
  void store(const Layer &layer, const Accelerator &target,
             const ExactOptions &options, const LayerHull &hull);

  /// Writes the file, if anything is new, in one step: who reads it meanwhile
  /// sees the old or the new one. The same entries give the same bytes.
  llvm::Error save();

private:
  void load();
  std::optional<llvm::json::Value> lookUp(const std::string &key);
  void keep(const std::string &key, llvm::json::Value value);
  void reject(const std::string &key, const std::string &why);

  std::string path;
  std::function<void(const std::string &)> warn;
  std::mutex mutex;
  std::map<std::string, llvm::json::Value> entries;
  bool changed = false;
  bool isFile = true; ///< or something that is neither read nor written
};

} // namespace fadiff

#endif // FADIFF_SEARCH_CACHE_H
