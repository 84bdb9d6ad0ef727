//===- Packing.cpp - Which taps thin layers have as channels --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Packing.h"

#include "Group/Memory.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace fadiff;

/// Forms of a network that are all searched.
static constexpr size_t kMostForms = 16;
/// Of a limit, what deciding between forms may take.
static constexpr double kShareOfLimit = 0.2;
/// Of its limit, what a search takes at least if a step of it was cut short:
/// each step has a part of the limit, and the search goes on with the next one.
static constexpr double kShareOfStep = 0.05;

Network fadiff::withTapsPacked(Network network, unsigned layer,
                               PackedTaps taps) {
  network.layers[layer] = withTapsPacked(network.layers[layer], taps);
  if (network.operands.empty())
    return network;
  unsigned windows = unsigned(network.layers.size());
  for (const Operands &own : network.operands)
    windows = std::max(
        {windows, own.input.value_or(0) + 1, own.residual.value_or(0) + 1});
  network.operands[layer].input = windows;
  return network;
}

namespace {
/// Of each choice a form, as an index.
using Forms = std::vector<unsigned>;

class PackingSearch {
public:
  PackingSearch(const Network &network, const std::vector<LayerForms> &choices,
                const SearchOptions &options, SearchFunction search)
      : network(network), choices(choices), options(options), search(search) {
    std::vector<unsigned> layers;
    for (const LayerForms &choice : choices) {
      values.emplace_back(choice.forms.size());
      atLeast.emplace_back(choice.forms.size());
      layers.push_back(choice.layer);
    }
    memory = std::make_shared<exact::GroupMemory>(std::move(layers));
  }

  llvm::Expected<PackingResult> run() {
    // All of them if they are few; else as many as there are in a sweep.
    size_t all = 1, sweep = 1;
    for (const LayerForms &choice : choices) {
      all = std::min(all * choice.forms.size(), kMostForms + 1);
      sweep += choice.forms.size() - 1;
    }
    isWhole = all <= kMostForms;
    searches = isWhole ? all : sweep;
    Forms forms(choices.size(), 0);
    if (isWhole) {
      for (const Forms &next : byPromise())
        tryForms(next);
    } else {
      tryForms(forms);
      for (auto [index, choice] : llvm::enumerate(choices))
        for (unsigned form = 1; form < choice.forms.size(); ++form) {
          forms = best ? best->second : Forms(choices.size(), 0);
          forms[index] = form;
          tryForms(forms);
        }
    }
    if (!best)
      return std::move(failure);
    llvm::consumeError(std::move(failure));
    PackingResult result{std::move(best->first), best->second, values, atLeast};
    result.search.unfusedBound = unfusedBound.common(isWhole);
    result.search.bound = bound.common(isWhole);
    if (searches > 1 && mayBeCutShort(result.search))
      searchAgain(result);
    result.search.evaluations = evaluations;
    result.search.enumerated = enumerated;
    result.search.seconds = seconds;
    return std::move(result);
  }

private:
  /// The least of the bounds of all forms.
  struct CommonBound {
    std::optional<double> least;
    bool isMissing = false;

    void add(std::optional<double> other) {
      isMissing |= !other;
      if (other && (!least || *other < *least))
        least = other;
    }
    std::optional<double> common(bool isWhole) const {
      return isWhole && !isMissing ? least : std::nullopt;
    }
  };

  /// Whether the search of one form, or a step of it, may have met a limit.
  bool mayBeCutShort(const SearchResult &own) const {
    if (own.ended == Ended::TimeLimit || own.ended == Ended::MaxEvaluations)
      return true;
    const SearchOptions limits = limitsOfOne();
    return own.ended == Ended::Done &&
           ((limits.timeLimit > 0 &&
             own.seconds > kShareOfStep * limits.timeLimit) ||
            (limits.maxEvaluations > 0 &&
             double(own.evaluations) >
                 kShareOfStep * double(limits.maxEvaluations)));
  }

  /// The next forms in the order of numbers; false behind the last.
  bool advance(Forms &forms) const {
    for (auto [form, choice] : llvm::zip_equal(forms, choices)) {
      if (++form < choice.forms.size())
        return true;
      form = 0;
    }
    return false;
  }

  /// All forms, those that promise most first.
  std::vector<Forms> byPromise() const {
    std::vector<Forms> all(1, Forms(choices.size(), 0));
    while (advance(all.emplace_back(all.back())))
      ;
    all.pop_back();
    auto estimateOf = [&](const Forms &forms) {
      double sum = 0;
      for (auto [form, choice] : llvm::zip_equal(forms, choices))
        sum += choice.forms[form].estimate;
      return sum;
    };
    llvm::stable_sort(all, [&](const Forms &a, const Forms &b) {
      return estimateOf(a) < estimateOf(b);
    });
    return all;
  }

  llvm::Expected<SearchResult> searchForms(const Forms &forms,
                                           SearchOptions own) {
    Network formed = network;
    own.memory = memory;
    for (auto [form, choice] : llvm::zip_equal(forms, choices)) {
      const LayerForm &chosen = choice.forms[form];
      if (chosen.taps)
        formed = withTapsPacked(std::move(formed), choice.layer, *chosen.taps);
      own.coreCycles += chosen.coreCycles;
    }
    llvm::Expected<SearchResult> result = search(formed, own);
    if (result) {
      evaluations += result->evaluations;
      enumerated += result->enumerated;
      if (!result->cached)
        seconds += result->seconds;
    }
    return result;
  }

  /// The options, with the share of the limits that a form gets.
  SearchOptions limitsOfOne() const {
    SearchOptions own = options;
    const double share = searches > 1 ? kShareOfLimit / double(searches) : 1;
    if (options.timeLimit > 0)
      own.timeLimit = std::max(1e-3, share * options.timeLimit);
    if (options.maxEvaluations > 0)
      own.maxEvaluations =
          std::max<uint64_t>(1, uint64_t(share * options.maxEvaluations));
    return own;
  }

  void tryForms(const Forms &forms) {
    // Whoever waits for a result wants it soon.
    if (best && options.stop && options.stop->load()) {
      isWhole = false;
      return;
    }
    llvm::Expected<SearchResult> result = searchForms(forms, limitsOfOne());
    if (!result) {
      llvm::Error other = llvm::handleErrors(
          result.takeError(), [&](const NotBetterError &notBetter) {
            unfusedBound.add(notBetter.unfusedBound);
            bound.add(notBetter.bound);
            note(atLeast, forms, notBetter.bound);
            evaluations += notBetter.evaluations;
            enumerated += notBetter.enumerated;
            seconds += notBetter.seconds;
          });
      if (!other)
        return;
      isWhole = false;
      if (failure)
        llvm::consumeError(std::move(other));
      else
        failure = std::move(other);
      return;
    }
    unfusedBound.add(result->unfusedBound);
    bound.add(result->bound);
    const double value = result->value();
    note(values, forms, value);
    // Of equals the first in the order of numbers.
    if (best && (value > best->first.value() ||
                 (value == best->first.value() &&
                  std::lexicographical_compare(best->second.rbegin(),
                                               best->second.rend(),
                                               forms.rbegin(), forms.rend()))))
      return;
    best.emplace(std::move(*result), forms);
    // What a cache is to give back whole is all searched.
    if (!options.cache)
      memory->best = value;
  }

  static void note(std::vector<std::vector<std::optional<double>>> &known,
                   const Forms &forms, double value) {
    for (auto [form, own] : llvm::zip_equal(forms, known))
      own[form] = std::min(own[form].value_or(value), value);
  }

  /// Searches the best form in what is left of the limits. Nothing that was
  /// found before is lost.
  void searchAgain(PackingResult &result) {
    SearchOptions own = options;
    memory->forgetBest();
    if (options.timeLimit > 0)
      own.timeLimit = std::max(1e-3, options.timeLimit - seconds);
    if (options.maxEvaluations > 0)
      own.maxEvaluations = options.maxEvaluations -
                           std::min(options.maxEvaluations - 1, evaluations);
    llvm::Expected<SearchResult> again = searchForms(result.chosen, own);
    if (!again)
      return llvm::consumeError(again.takeError());
    if (again->value() > result.search.value())
      return;
    again->bound = result.search.bound;
    again->unfusedBound = result.search.unfusedBound;
    result.search = std::move(*again);
    for (auto [form, known] : llvm::zip_equal(result.chosen, result.values))
      known[form] = result.search.value();
  }

  const Network &network;
  const std::vector<LayerForms> &choices;
  const SearchOptions &options;
  SearchFunction search;
  std::shared_ptr<exact::GroupMemory> memory;

  bool isWhole = true; ///< all forms are looked at, and none has failed
  size_t searches = 1;
  std::optional<std::pair<SearchResult, Forms>> best;
  std::vector<std::vector<std::optional<double>>> values, atLeast;
  CommonBound unfusedBound, bound;
  llvm::Error failure = llvm::Error::success();
  uint64_t evaluations = 0, enumerated = 0;
  double seconds = 0;
};
} // namespace

llvm::Expected<PackingResult>
fadiff::searchPackings(const Network &network,
                       const std::vector<LayerForms> &choices,
                       const SearchOptions &options, SearchFunction search) {
  return PackingSearch(network, choices, options, search).run();
}
