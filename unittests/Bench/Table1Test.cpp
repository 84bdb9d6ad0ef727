//===- Table1Test.cpp - Tests of the comparison ---------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Table1.h"

#include "fadiff/Bench/Networks.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Search/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace fadiff;

namespace {

int64_t macsOf(llvm::StringRef name) {
  int64_t sum = 0;
  for (const Layer &layer : llvm::cantFail(benchNetwork(name)).layers)
    sum += layer.macs();
  return sum;
}

TEST(BenchNetworksTest, MultiplyAccumulatesAsPublished) {
  // Published totals in units of 1e9: 1.8 (He et al.), 0.569 (Howard et al.),
  // 15.5 and 19.6 (Simonyan and Zisserman); GPT-3: 12 * 4096^2 weights per row
  // and two products of rows x rows x 4096.
  EXPECT_NEAR(double(macsOf("resnet18")), 1.81e9, 0.01e9);
  EXPECT_NEAR(double(macsOf("mobilenetv1")), 0.569e9, 0.001e9);
  EXPECT_NEAR(double(macsOf("vgg16")), 15.47e9, 0.05e9);
  EXPECT_NEAR(double(macsOf("vgg19")), 19.63e9, 0.05e9);
  EXPECT_EQ(macsOf("gpt3-512"),
            512 * 12 * int64_t(4096) * 4096 + 2 * 512 * 512 * int64_t(4096));
  EXPECT_EQ(macsOf("gpt3-2048"),
            2048 * 12 * int64_t(4096) * 4096 + 2 * 2048 * 2048 * int64_t(4096));
  for (llvm::StringRef name : benchNetworkNames()) {
    Network network = llvm::cantFail(benchNetwork(name));
    for (const Edge &edge : network.edges)
      EXPECT_LT(edge.producer, network.layers.size());
  }
  auto unknown = benchNetwork("lenet");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "unknown network 'lenet': wanted one of resnet18, mobilenetv1, "
            "vgg16, vgg19, gpt3-512, gpt3-2048");
}

TEST(BenchNetworksTest, SpacesHaveTheSameWork) {
  for (llvm::StringRef name : benchNetworkNames()) {
    Network network = llvm::cantFail(benchNetwork(name));
    auto macs = [](const Network &network) {
      int64_t sum = 0;
      for (const Layer &layer : network.layers)
        sum += layer.macs();
      return sum;
    };
    Network packed = withThinLayersPacked(
        network, llvm::cantFail(findTarget("gemmini-large")), {});
    EXPECT_EQ(macs(packed), macs(network));
    EXPECT_EQ(packed.layers.size(), network.layers.size());
  }
}

TEST(BenchNetworksTest, ThinLayersAreInTheirBestForm) {
  const Accelerator target = llvm::cantFail(findTarget("gemmini-large"));
  auto best = [&](const Layer &layer, Objective objective) {
    ExactOptions options;
    options.objective = objective;
    Network network;
    network.layers.push_back(layer);
    return withThinLayersPacked(network, target, options).layers[0];
  };
  Network resnet = llvm::cantFail(benchNetwork("resnet18"));
  // Its windows with all taps would take 7 / 2 as many bytes.
  const Layer conv1 = best(resnet.layers.front(), Objective::Edp);
  EXPECT_EQ(conv1.dims[Dim::C], 21);
  EXPECT_EQ(conv1.dims[Dim::R], 7);
  // Where bytes are few beside the passes, all taps are best.
  Layer busy = resnet.layers.front();
  busy.dims[Dim::K] = 2048;
  EXPECT_EQ(best(busy, Objective::Latency).dims[Dim::C], 147);
  EXPECT_EQ(best(resnet.layers[1], Objective::Edp).dims[Dim::S], 3);

  // Only one layer in the middle is thin: its producer cannot hand over.
  Network chain;
  chain.layers = {resnet.layers[1], resnet.layers[1]};
  chain.layers[0].dims[Dim::K] = chain.layers[1].dims[Dim::C] = 4;
  chain.edges = {{0, 1, ""}};
  chain = withThinLayersPacked(chain, target, {});
  EXPECT_EQ(chain.layers[0].dims[Dim::S], 3);
  EXPECT_EQ(chain.layers[1].dims[Dim::S], 1);
  EXPECT_EQ(chain.edges[0].blocked, "the host lays out the consumer's windows");
}

/// A network and a machine.
struct Cells : ::testing::TestWithParam<std::tuple<std::string, std::string>> {
};

std::vector<std::string> networkNames() {
  std::vector<std::string> names;
  for (llvm::StringRef name : benchNetworkNames())
    names.push_back(name.str());
  return names;
}

/// Without fusion, in Timeloop's counts: gradients alone within 2 % of the
/// optimum, the whole search at the optimum.
TEST_P(Cells, GradientIsWithinTwoPercentAndTheWholeSearchExact) {
  auto [name, machine] = GetParam();
  Network network = llvm::cantFail(benchNetwork(name));
  Accelerator target = llvm::cantFail(findTarget(machine));
  SearchOptions options;
  options.convention = Convention::Timeloop;
  options.fuse = Fuse::Off;
  SearchResult whole = llvm::cantFail(search(network, target, options));
  EXPECT_EQ(Summary(network, whole).gap(), 0.0);
  EXPECT_EQ(whole.exactLayers, whole.distinctLayers);
  options.optimizer = Optimizer::Exact;
  SearchResult exact = llvm::cantFail(search(network, target, options));
  EXPECT_NEAR(whole.value(), exact.value(), 1e-9 * exact.value());
  options.optimizer = Optimizer::Fadiff;
  options.closure.mostEvaluations = 0;
  options.climb.sweeps = 0;
  for (uint64_t seed : {0, 1}) {
    options.seed = seed;
    SearchResult gradient = llvm::cantFail(search(network, target, options));
    EXPECT_GE(gradient.value(), exact.value() * (1 - 1e-9));
    EXPECT_LE(gradient.value(), exact.value() * 1.02);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Cells,
                         ::testing::Combine(::testing::ValuesIn(networkNames()),
                                            ::testing::Values("gemmini-large",
                                                              "gemmini-small")),
                         [](const auto &info) {
                           std::string name = std::get<0>(info.param) + "_" +
                                              std::get<1>(info.param);
                           llvm::erase(name, '-');
                           return name;
                         });

Table1 quickTable() {
  Table1Options options;
  options.networks = {"gpt3-512"};
  options.machines = {"gemmini-small"};
  options.seconds = 0.2;
  options.evaluations = 1000;
  options.seeds = 2;
  return llvm::cantFail(runTable1(options));
}

TEST(Table1Test, EveryContenderIsInEveryForm) {
  Table1 table = quickTable();
  ASSERT_EQ(table.cells.size(), 1u);
  const Table1Cell &cell = table.cells.front();
  ASSERT_EQ(cell.rows.size(), contenders().size());
  ASSERT_TRUE(cell.bound.has_value());
  EXPECT_TRUE(cell.exactBound);
  for (const Table1Row &row : cell.rows) {
    EXPECT_EQ(row.error, "");
    ASSERT_FALSE(row.byTime.empty());
    for (const Table1Run &run : row.byTime) {
      EXPECT_GE(run.unfusedEdp, *cell.bound * (1 - 1e-9));
      EXPECT_LE(run.edp, run.unfusedEdp * (1 + 1e-9));
      EXPECT_LE(run.secondsToOnePercent, run.seconds);
    }
  }
  std::string text = table.toMarkdown(), svg = table.toSvg();
  for (const Contender &contender : contenders()) {
    EXPECT_NE(text.find("| " + contender.name + " |"), std::string::npos);
    EXPECT_NE(svg.find(">" + contender.name + "<"), std::string::npos);
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(llvm::StringRef(svg).count("<polyline"), contenders().size());
  llvm::json::Object json = table.toJson();
  EXPECT_EQ(json.getArray("cells")->size(), 1u);
}

TEST(Table1Test, FirstSpaceIsThatOfTheSwitches) {
  // Which is what was meant by each channel being a convolution of its own.
  const Accelerator target = llvm::cantFail(findTarget("gemmini-large"));
  Layer channels;
  channels.dims[Dim::G] = 24;
  for (Axis axis : kAllAxes) {
    channels.dims[outputDim(axis)] = channels.inputExtent[axis] = 20;
    channels.dims[kernelDim(axis)] = 3;
    channels.padLow[axis] = 1;
  }
  Layer one = channels;
  one.dims[Dim::G] = 1;
  ExactOptions options;
  options.convention = Convention::Timeloop;
  options.objective = Objective::Latency;
  options.space = kFirstSpace;
  auto best = [&](const Layer &layer) {
    Network network;
    network.layers.push_back(layer);
    return llvm::cantFail(exactSchedule(network, target, options)).value;
  };
  EXPECT_DOUBLE_EQ(best(channels), 24 * best(one));
  options.space = {};
  EXPECT_LT(best(channels), 2 * best(one));
}

TEST(Table1Test, FullSpaceIsFarBelowTheFirst) {
  Table1Options options;
  options.networks = {"resnet18", "mobilenetv1"};
  options.machines = {"gemmini-large"};
  options.contenders = {kFirstSpaceDosa.str(), "fadiff"};
  options.fullSpace = true;
  options.seconds = 0;
  options.evaluations = 0;
  options.seeds = 1;
  Table1 table = llvm::cantFail(runTable1(options));
  ASSERT_EQ(table.cells.size(), 2u);
  for (const Table1Cell &cell : table.cells) {
    ASSERT_EQ(cell.rows.size(), 2u);
    double first = cell.rows[0].byTime[0].edp;
    double full = cell.rows[1].byTime[0].edp;
    EXPECT_LE(full / first, cell.network == "resnet18" ? 0.7 : 0.1);
    EXPECT_GE(cell.rows[1].byTime[0].unfusedEdp, *cell.bound * (1 - 1e-9));
    EXPECT_GT(first, *cell.bound);
  }
  EXPECT_NE(table.toMarkdown().find("## Full space, each to its own end"),
            std::string::npos);
  EXPECT_NE(table.toMarkdown().find("| dosa-first-space | 1.000 |"),
            std::string::npos);
}

TEST(Table1Test, BadNamesAreErrors) {
  Table1Options options;
  options.networks = {"lenet"};
  auto table = runTable1(options);
  ASSERT_FALSE(bool(table));
  llvm::consumeError(table.takeError());
  options.networks = {"resnet18"};
  options.contenders = {"magic"};
  table = runTable1(options);
  ASSERT_FALSE(bool(table));
  EXPECT_NE(llvm::toString(table.takeError()).find("'magic': wanted one of"),
            std::string::npos);
}

} // namespace
