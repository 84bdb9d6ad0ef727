//===- PackingTest.cpp - Which taps thin layers have as channels ----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Packing.h"

#include "Networks.h"

#include "gtest/gtest.h"

#include <limits>
#include <set>

using namespace fadiff;
using namespace fadiff::test;

namespace {

constexpr PackedTaps kColumns = PackedTaps::Columns;
constexpr PackedTaps kAll = PackedTaps::RowsAndColumns;

/// A layer of three channels over windows of 3 x 3.
Layer thin(int64_t outputs) {
  Layer layer;
  layer.name = "thin" + std::to_string(outputs);
  layer.dims = {};
  for (Dim dim : kAllDims)
    layer.dims[dim] = 1;
  layer.dims[Dim::K] = outputs;
  layer.dims[Dim::C] = 3;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 14;
  layer.dims[Dim::R] = layer.dims[Dim::S] = 3;
  layer.inputExtent[Axis::H] = layer.inputExtent[Axis::W] = 16;
  return layer;
}

Network thinLayers(unsigned count) {
  Network network;
  for (unsigned i = 0; i < count; ++i)
    network.layers.push_back(thin(i + 1));
  return network;
}

/// Which form a layer of thinLayers() has: 0, 1 or 2.
unsigned formOf(const Layer &layer) {
  return layer.dims[Dim::C] == 3 ? 0 : layer.dims[Dim::C] == 9 ? 1 : 2;
}

std::vector<LayerForms> allForms(unsigned count) {
  std::vector<LayerForms> choices;
  for (unsigned i = 0; i < count; ++i)
    choices.push_back({i, {{std::nullopt}, {kColumns}, {kAll}}});
  return choices;
}

SearchResult costing(double energy) {
  SearchResult result;
  result.objective = Objective::Energy;
  result.cost.energy = energy;
  result.evaluations = 1;
  result.enumerated = 10;
  result.seconds = 1;
  return result;
}

TEST(PackingTest, IsTheBestOfAllForms) {
  const Network network = thinLayers(2);
  // The best form of one alone is not its best beside the other.
  const double costs[3][3] = {{9, 8, 7}, {6, 6, 5}, {3, 8, 9}};
  auto result = searchPackings(
      network, allForms(2), {},
      [&](const Network &formed,
          const SearchOptions &) -> llvm::Expected<SearchResult> {
        SearchResult found =
            costing(costs[formOf(formed.layers[0])][formOf(formed.layers[1])]);
        found.bound = found.cost.energy - 1;
        found.unfusedBound = found.cost.energy;
        return found;
      });
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->search.value(), 3);
  EXPECT_EQ(result->chosen, (std::vector<unsigned>{2, 0}));
  EXPECT_EQ(result->values[0], (std::vector<std::optional<double>>{7, 5, 3}));
  EXPECT_EQ(result->values[1], (std::vector<std::optional<double>>{3, 6, 5}));
  EXPECT_EQ(result->search.bound, 2.0);
  EXPECT_EQ(result->search.unfusedBound, 3.0);
  EXPECT_EQ(result->search.evaluations, 9u);
  EXPECT_EQ(result->search.enumerated, 90u);
  EXPECT_EQ(result->search.seconds, 9);
}

TEST(PackingTest, HasNoBoundIfAFormHasNone) {
  auto result = searchPackings(thinLayers(1), allForms(1), {},
                               [&](const Network &formed, const SearchOptions &)
                                   -> llvm::Expected<SearchResult> {
                                 const unsigned form = formOf(formed.layers[0]);
                                 SearchResult found = costing(5 - form);
                                 found.unfusedBound = 1;
                                 if (form != 1)
                                   found.bound = 1;
                                 return found;
                               });
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->search.value(), 3);
  EXPECT_FALSE(result->search.bound);
  EXPECT_TRUE(result->search.unfusedBound);
}

TEST(PackingTest, FormsWithoutScheduleArePassedOver) {
  auto searchOnly = [&](int wanted) {
    return searchPackings(
        thinLayers(1), allForms(1), {},
        [&](const Network &formed,
            const SearchOptions &) -> llvm::Expected<SearchResult> {
          const unsigned form = formOf(formed.layers[0]);
          if (int(form) != wanted)
            return llvm::createStringError("nothing for form %u", form);
          SearchResult found = costing(5);
          found.bound = 5;
          return found;
        });
  };
  auto result = searchOnly(1);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->chosen, std::vector<unsigned>{1});
  EXPECT_FALSE(result->values[0][0]);
  // A failure may be the search's own.
  EXPECT_FALSE(result->search.bound);
  auto none = searchOnly(3);
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(llvm::toString(none.takeError()), "nothing for form 0");
}

TEST(PackingTest, ManyLayersAreTriedOneByOne) {
  std::set<std::vector<unsigned>> seen;
  auto result = searchPackings(
      thinLayers(5), allForms(5), {},
      [&](const Network &formed,
          const SearchOptions &) -> llvm::Expected<SearchResult> {
        double energy = 100;
        std::vector<unsigned> forms;
        for (auto [index, layer] : llvm::enumerate(formed.layers)) {
          forms.push_back(formOf(layer));
          energy -= forms.back() == index % 3 ? 10 : 0;
        }
        seen.insert(forms);
        SearchResult found = costing(energy);
        found.bound = 1;
        return found;
      });
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->chosen, (std::vector<unsigned>{0, 1, 2, 0, 1}));
  EXPECT_EQ(result->search.value(), 50);
  EXPECT_EQ(seen.size(), 11u);
  EXPECT_FALSE(result->search.bound); // others were not looked at
}

TEST(PackingTest, DecidingTakesAFifthOfALimit) {
  SearchOptions options;
  options.maxEvaluations = 1000;
  options.timeLimit = 30;
  std::vector<uint64_t> evaluations;
  std::vector<double> seconds;
  bool failsAgain = false;
  auto searchWith = [&](Ended ended, double part = 1) {
    evaluations.clear();
    seconds.clear();
    return llvm::cantFail(searchPackings(
        thinLayers(1), allForms(1), options,
        [&](const Network &formed,
            const SearchOptions &own) -> llvm::Expected<SearchResult> {
          evaluations.push_back(own.maxEvaluations);
          seconds.push_back(own.timeLimit);
          SearchResult found = costing(5 - formOf(formed.layers[0]));
          found.evaluations = uint64_t(part * double(own.maxEvaluations));
          found.seconds = part * own.timeLimit;
          found.ended = ended;
          // More effort does not have to find more, or anything.
          if (evaluations.size() == 4 && failsAgain)
            return llvm::createStringError("nothing");
          if (evaluations.size() == 4)
            found.cost.energy += 1;
          return found;
        }));
  };
  EXPECT_EQ(searchWith(Ended::MaxEvaluations).search.value(), 3);
  EXPECT_EQ(evaluations, (std::vector<uint64_t>{66, 66, 66, 1000 - 3 * 66}));
  EXPECT_EQ(seconds, (std::vector<double>{2, 2, 2, 24}));
  // What has come to its end may have left steps on the way.
  EXPECT_EQ(searchWith(Ended::Done, 0.5).search.value(), 3);
  EXPECT_EQ(evaluations, (std::vector<uint64_t>{66, 66, 66, 1000 - 3 * 33}));
  failsAgain = true;
  EXPECT_EQ(searchWith(Ended::MaxEvaluations).search.value(), 3);
  EXPECT_EQ(evaluations.size(), 4u);
  EXPECT_EQ(searchWith(Ended::Done, 0.02).search.value(), 3);
  EXPECT_EQ(evaluations, (std::vector<uint64_t>{66, 66, 66}));
}

TEST(PackingTest, APackedLayerReadsATensorOfItsOwn) {
  Network network = thinLayers(3);
  network.operands = {{3, std::nullopt}, {3, std::nullopt}, {3, 5}};
  const Network formed = withTapsPacked(network, 1, kColumns);
  EXPECT_EQ(formOf(formed.layers[1]), 1u);
  EXPECT_EQ(formed.operands[0].input, 3u);
  EXPECT_EQ(formed.operands[1].input, 6u);
}

TEST(PackingTest, WhatTheCoreLaysOutCounts) {
  std::vector<LayerForms> choices = allForms(1);
  choices[0].forms[2].coreCycles = 30;
  SearchOptions options;
  options.coreCycles = 5;
  auto result = llvm::cantFail(searchPackings(
      thinLayers(1), choices, options,
      [&](const Network &formed,
          const SearchOptions &own) -> llvm::Expected<SearchResult> {
        return costing(own.coreCycles - 10 * formOf(formed.layers[0]));
      }));
  EXPECT_EQ(result.chosen, std::vector<unsigned>{1});
  EXPECT_EQ(result.values[0], (std::vector<std::optional<double>>{5, -5, 15}));
}

TEST(PackingTest, NoFormIsBetterThanTheChosenOne) {
  const Accelerator target = smallMachine();
  Network network = thinLayers(1);
  network.layers[0] = thin(32);
  network.layers[0].outputBytes = 1;
  Layer second = network.layers[0];
  second.name = "second";
  second.dims[Dim::C] = 32;
  second.dims[Dim::P] = second.dims[Dim::Q] = 12;
  second.inputExtent[Axis::H] = second.inputExtent[Axis::W] = 14;
  network.layers.push_back(second);
  network.edges.push_back({0, 1});
  const std::vector<LayerForms> choices = allForms(1);
  for (Objective objective :
       {Objective::Edp, Objective::Energy, Objective::Latency}) {
    SearchOptions options;
    options.objective = objective;
    auto search = [&](const Network &formed, const SearchOptions &own) {
      return fadiff::search(formed, target, own);
    };
    auto result = searchPackings(network, choices, options, search);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    ASSERT_TRUE(result->search.bound);
    for (const LayerForm &form : choices[0].forms) {
      Network formed = network;
      if (form.taps)
        formed = withTapsPacked(formed, 0, *form.taps);
      auto own = fadiff::search(formed, target, options);
      ASSERT_TRUE(bool(own)) << llvm::toString(own.takeError());
      EXPECT_LE(result->search.value(), own->value());
      EXPECT_LE(*result->search.bound, own->value());
    }
    EXPECT_GE(result->search.value(), *result->search.bound * (1 - 1e-12));
  }
}

/// Four layers behind a thin one, the last but one of which adds what the
/// second makes.
Network residualBehindThin() {
  Network network;
  Layer first = thin(32);
  first.outputBytes = 1;
  network.layers.push_back(first);
  for (unsigned i = 1; i < 5; ++i) {
    Layer layer = first;
    layer.name = "layer" + std::to_string(i);
    layer.dims[Dim::C] = 32;
    layer.dims[Dim::K] = i == 4 ? 48 : 32;
    layer.inputExtent[Axis::H] = layer.inputExtent[Axis::W] = 14;
    layer.padLow[Axis::H] = layer.padLow[Axis::W] = 1;
    layer.hasResidual = i == 3;
    network.layers.push_back(layer);
    network.edges.push_back({i - 1, i});
  }
  network.operands = {{5, std::nullopt},
                      {0, std::nullopt},
                      {1, std::nullopt},
                      {2, 1},
                      {3, std::nullopt}};
  return network;
}

/// The same, but what is added is made by the thin layer, which reads the input
/// of the second one; packed, it reads windows of its own.
Network thinSideBranch() {
  Network network = residualBehindThin();
  Layer &second = network.layers[1];
  second = network.layers[0];
  second.name = "layer1";
  network.edges.erase(network.edges.begin());
  network.operands[1].input = network.operands[0].input;
  network.operands[3].residual = 0;
  return network;
}

// What forms tell each other must not change what is found, or its bound.
TEST(PackingTest, FormsAreSearchedAsIfAlone) {
  const std::vector<LayerForms> choices = allForms(1);
  unsigned ruledOut = 0;
  for (const Accelerator &target :
       {largeMachine(), smallMachine(), stockMachine()})
    for (const Network &network : {residualBehindThin(), thinSideBranch()})
      for (Objective objective :
           {Objective::Edp, Objective::Energy, Objective::Latency}) {
        SearchOptions options;
        options.objective = objective;
        uint64_t enumerated = 0;
        auto search = [&](const Network &formed, const SearchOptions &own) {
          return fadiff::search(formed, target, own);
        };
        auto result = searchPackings(network, choices, options, search);
        ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
        double bound = std::numeric_limits<double>::infinity();
        for (auto [form, value, least] : llvm::zip_equal(
                 choices[0].forms, result->values[0], result->atLeast[0])) {
          Network formed = network;
          if (form.taps)
            formed = withTapsPacked(formed, 0, *form.taps);
          auto own = fadiff::search(formed, target, options);
          ASSERT_TRUE(bool(own)) << llvm::toString(own.takeError());
          ASSERT_TRUE(own->bound);
          EXPECT_NE(value.has_value(), least.has_value());
          if (least) {
            EXPECT_GT(*least, result->search.value());
            EXPECT_LE(*least, *own->bound * (1 + 1e-9));
            ++ruledOut;
          } else {
            EXPECT_EQ(value, own->value());
          }
          bound = std::min(bound, *own->bound);
          enumerated += own->enumerated;
        }
        EXPECT_EQ(result->search.bound, bound);
        EXPECT_LT(result->search.enumerated, enumerated);
      }
  EXPECT_GE(ruledOut, 10u); // of 54
}

// In the streams' time bounds are not met. A form whose bound is far above that
// of another one is not gone on with all the same.
TEST(PackingTest, FormsFarBehindByTheirBoundsAreLeft) {
  unsigned left = 0;
  for (const Accelerator &target :
       {largeMachine(), smallMachine(), stockMachine()}) {
    SearchOptions options;
    options.latency = Latency::Streams;
    auto result =
        searchPackings(thinSideBranch(), allForms(1), options,
                       [&](const Network &formed, const SearchOptions &own) {
                         return fadiff::search(formed, target, own);
                       });
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    for (std::optional<double> least : result->atLeast[0]) {
      EXPECT_FALSE(least && *least <= std::min(result->search.value(),
                                               *result->search.bound * 1.01));
      left += least && *least <= result->search.value();
    }
  }
  EXPECT_GT(left, 0u);
}

// Whatever comes first, all bounds hold and the same form is found.
TEST(PackingTest, EstimatesOnlySayWhatComesFirst) {
  const Accelerator target = smallMachine();
  const Network network = residualBehindThin();
  auto search = [&](const Network &formed, const SearchOptions &own) {
    return fadiff::search(formed, target, own);
  };
  std::optional<PackingResult> first;
  for (unsigned favourite = 0; favourite < 3; ++favourite) {
    std::vector<LayerForms> choices = allForms(1);
    for (unsigned form = 0; form < 3; ++form)
      choices[0].forms[form].estimate = form != favourite;
    std::vector<unsigned> order;
    PackingResult result = llvm::cantFail(
        searchPackings(network, choices, {},
                       [&](const Network &formed, const SearchOptions &own) {
                         order.push_back(formOf(formed.layers[0]));
                         return search(formed, own);
                       }));
    EXPECT_EQ(order.front(), favourite);
    EXPECT_EQ(order.size(), 3u);
    if (!first) {
      first.emplace(std::move(result));
      continue;
    }
    EXPECT_EQ(result.chosen, first->chosen);
    EXPECT_EQ(result.search.value(), first->search.value());
    EXPECT_EQ(result.search.bound, first->search.bound);
  }
}

} // namespace
