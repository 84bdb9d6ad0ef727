//===- Packing.h - Which taps thin layers have as channels ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer of few input channels can have kernel taps as channels
// (withTapsPacked). Which ones is decided together with mappings and groups:
// the whole network is searched in each form that it can have.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_PACKING_H
#define FADIFF_SEARCH_PACKING_H

#include "fadiff/Search/Search.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

namespace fadiff {

/// A form of a layer: as it is, or with these taps as channels.
struct LayerForm {
  std::optional<PackedTaps> taps;
  /// What the core takes to lay out the operands; counts if
  /// SearchOptions::countCore.
  double coreCycles = 0;
  /// What the layer costs in this form, about: what promises most is searched
  /// first, and may show that others need not be.
  double estimate = 0;
};

/// The forms that a layer of a network can have, at least one. A layer with
/// packed ones reads the output of no other layer.
struct LayerForms {
  unsigned layer = 0;
  std::vector<LayerForm> forms;
};

/// `network` with taps of one of its layers packed, which then reads windows: a
/// tensor of its own.
Network withTapsPacked(Network network, unsigned layer, PackedTaps taps);

struct PackingResult {
  /// Of the network in its best form. `evaluations`, `enumerated` and
  /// `seconds` are those of all searches. Bounds hold for every form; where not
  /// all were searched, or one of them has none, there is none.
  SearchResult search;
  /// Per element of the choices the best form, as an index, and the least
  /// objective found with each form; none where there is no schedule, or only
  /// forms of the network that cannot be the best: no less than `atLeast`.
  std::vector<unsigned> chosen;
  std::vector<std::vector<std::optional<double>>> values, atLeast;
};

/// What search() returns instead of a result if SearchOptions::memory knows of
/// one that is better than all of this network: its bounds, which are not
/// those of SearchResult but no higher.
class NotBetterError : public llvm::ErrorInfo<NotBetterError> {
public:
  static char ID;
  /// `bound` is there.
  explicit NotBetterError(const SearchResult &soFar)
      : bound(*soFar.bound), unfusedBound(soFar.unfusedBound),
        evaluations(soFar.evaluations), enumerated(soFar.enumerated),
        seconds(soFar.seconds) {}
  void log(llvm::raw_ostream &os) const override {
    os << "another form of the network is better";
  }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  const double bound;
  const std::optional<double> unfusedBound;
  const uint64_t evaluations, enumerated;
  const double seconds;
};

/// How a network is searched, and what about it is asked for.
using SearchFunction = llvm::function_ref<llvm::Expected<SearchResult>(
    const Network &, const SearchOptions &)>;

/// Searches `network` in all the forms that `choices` leave it, but for those
/// that a bound rules out, if these are at most 16, else in those that differ
/// in one layer from the best so far, layer by layer. With a limit of time or
/// evaluations all of these together get a fifth of it; the best one is then
/// searched again in what is left, unless its own search took so little of its
/// share that no step of it can have been cut short. Fails, with the first
/// error, if no form has a schedule.
llvm::Expected<PackingResult>
searchPackings(const Network &network, const std::vector<LayerForms> &choices,
               const SearchOptions &options, SearchFunction search);

} // namespace fadiff

#endif // FADIFF_SEARCH_PACKING_H
