//===- Attack.cpp - Lower bounds against annealed schedules ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Attack.h"

#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Search/Anneal.h"
#include "fadiff/Search/Baselines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ThreadPool.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace fadiff;
using llvm::formatv;

namespace {
/// Draws the layers of a network one after the other.
class NetworkDrawer {
public:
  explicit NetworkDrawer(std::mt19937_64 &rng) : rng(rng) {
    std::mt19937_64 copy = rng;
    shapes.seed(copy());
  }

  Network draw() {
    // What no layer makes is numbered from here on; in the end, from the number
    // of layers on.
    const int64_t size = of({4, 5, 7, 7, 8, 12, 14, 16, 28});
    rows = size;
    columns = chance(80) ? size : of({1, 3, 5, 9, 20});
    batch = chance(85) ? 1 : of({2, 3});
    channels = of({3, 4, 8, 16, 24, 32, 48, 64, 96});
    isProduct = chance(12);
    if (isProduct) {
      batch = of({8, 16, 33, 64, 128});
      rows = columns = 1;
    }
    head = kOutside;
    const unsigned most = 1 + unsigned(below(7));
    if (chance(15) && !isProduct)
      addThin();
    while (network.layers.size() < most) {
      switch (below(isProduct ? 1 : 7)) {
      case 0:
        addPointwise(of({8, 16, 24, 32, 64, 96, 128}));
        break;
      case 1:
        addWindow(/*depthwise=*/false, of({8, 16, 24, 32, 64}), chance(70));
        break;
      case 2:
        addWindow(/*depthwise=*/true, channels, chance(70));
        break;
      case 3:
        addBottleneck();
        break;
      case 4:
        addResidualBlock();
        break;
      case 5:
        addBranches();
        break;
      default:
        pool();
        break;
      }
    }
    return finish();
  }

  /// Convolutions one after the other on images of `size`.
  Network drawChain(unsigned length, int64_t images, int64_t size) {
    rows = columns = size;
    batch = images;
    channels = of({16, 24, 32, 48, 64});
    head = kOutside;
    while (network.layers.size() < length) {
      const uint64_t kind = below(5);
      // Different ones: their channels are any numbers.
      const int64_t outputs = 16 + int64_t(below(240));
      if (kind < 2)
        add(1, 1, 1, false, false, outputs);
      else if (kind < 4)
        add(3, 1, 1, true, false, outputs);
      else
        add(3, 1, 1, true, true, channels);
    }
    return finish();
  }

private:
  static constexpr unsigned kOutside = 1000; ///< the network's own input

  uint64_t below(uint64_t n) { return rng() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  int64_t of(std::initializer_list<int64_t> values) {
    return values.begin()[below(values.size())];
  }

  /// A layer behind the last one; its input is `head`, which it becomes.
  Layer &add(int64_t taps, int64_t stride, int64_t dilation, bool pads,
             bool depthwise, int64_t outputs) {
    Layer layer;
    layer.dims[Dim::N] = batch;
    layer.dims[Dim::G] = depthwise ? channels : 1;
    layer.dims[Dim::C] = depthwise ? 1 : channels;
    layer.dims[Dim::K] = depthwise ? 1 : outputs;
    const int64_t extents[] = {rows, columns};
    for (Axis axis : kAllAxes) {
      const int64_t extent = extents[size_t(axis)];
      int64_t kernel = std::min(taps, extent);
      layer.stride[axis] = extent > 2 ? stride : 1;
      layer.dilation[axis] =
          (kernel - 1) * dilation + 1 <= extent ? dilation : 1;
      layer.dims[kernelDim(axis)] = kernel;
      const int64_t reach = (kernel - 1) * layer.dilation[axis];
      layer.padLow[axis] = pads ? reach / 2 : 0;
      layer.inputExtent[axis] = extent;
      layer.dims[outputDim(axis)] =
          (extent + (pads ? reach : 0) - reach - 1) / layer.stride[axis] + 1;
    }
    layer.padValue = pads && chance(25) ? -128 : 0;
    layer.hasBias = chance(70);
    rows = layer.dims[Dim::P];
    columns = layer.dims[Dim::Q];
    if (!depthwise)
      channels = outputs;
    network.layers.push_back(layer);
    network.operands.push_back({head, std::nullopt});
    head = unsigned(network.layers.size() - 1);
    return network.layers.back();
  }
  Layer &addPointwise(int64_t outputs) {
    return add(1, 1, 1, false, false, outputs);
  }
  void addWindow(bool depthwise, int64_t outputs, bool pads) {
    if (depthwise && channels == 1)
      return (void)addPointwise(outputs);
    add(of({3, 3, 3, 5, 7}), of({1, 1, 1, 2}), of({1, 1, 1, 2}), pads,
        depthwise, outputs);
  }
  /// Adds `residual` to what the last layer makes, or to a copy of it.
  void addResidual(unsigned residual) {
    if (chance(50)) {
      add(1, 1, 1, false, true, channels);
      network.layers.back().hasBias = false;
    }
    network.layers.back().hasResidual = true;
    network.operands.back().residual = residual;
  }

  void addBottleneck() {
    const int64_t narrow = channels;
    const unsigned input = head;
    addPointwise(std::min<int64_t>(192, narrow * of({2, 3, 4, 6})));
    const bool strides = chance(25);
    add(of({3, 3, 5}), strides ? 2 : 1, 1, /*pads=*/true, true, channels);
    addPointwise(strides ? of({16, 24, 32, 64}) : narrow);
    if (!strides &&
        rows ==
            network.layers[network.layers.size() - 2].inputExtent[Axis::H] &&
        chance(60))
      addResidual(input);
  }
  void addResidualBlock() {
    const unsigned input = head;
    const int64_t same = channels;
    const int64_t before = rows, across = columns;
    add(of({1, 3, 3}), 1, 1, true, false, of({8, 16, 32}));
    add(of({1, 3, 3}), 1, 1, true, false, same);
    if (rows == before && columns == across)
      addResidual(input);
  }
  /// What a layer reads, to come back to.
  struct Tensor {
    unsigned maker;
    int64_t channels, rows, columns;
  };
  Tensor here() const { return {head, channels, rows, columns}; }
  void goTo(const Tensor &tensor) {
    head = tensor.maker;
    channels = tensor.channels;
    rows = tensor.rows;
    columns = tensor.columns;
  }
  void addIfAlike(const Tensor &side) {
    if (channels == side.channels && rows == side.rows &&
        columns == side.columns)
      addResidual(side.maker);
  }
  void addBranches() {
    const Tensor input = here();
    const int64_t stride = of({1, 2}), to = of({8, 16, 32, 64});
    // The side branch: less of a window, the same stride.
    add(1, stride, 1, false, false, to);
    const uint64_t shape = shapes() % 16;
    if (shape == 0) // of two layers
      add(3, 1, 1, true, false, to);
    int64_t poolSize = 0, poolStride = 0;
    if (shape == 5) { // pooled, in windows inside of the others'
      poolStride = 1 + int64_t(shapes() % 2);
      poolSize = 2 + int64_t(shapes() % 2);
      addPool(poolSize, poolStride);
      if (poolStride == 2)
        poolSize = 3;
    }
    const Tensor side = here();
    std::optional<Tensor> second;
    if (shape == 1 || shape == 2) { // another beside it
      goTo(input);
      add(1, stride, 1, false, false, to);
      second = here();
    }
    goTo(input);
    // Shapes 1 and 3: from the input straight to the sum.
    add(3, stride, 1, true, false,
        shape == 1 || shape == 3 ? to : of({8, 16, 32}));
    if (poolSize > 0)
      addPool(poolSize, poolStride);
    if (shape == 1) {
      addIfAlike(*second);
    } else if (shape == 4) { // one inside
      const Tensor middle = here();
      addPointwise(middle.channels);
      const Tensor inner = here();
      goTo(middle);
      add(3, 1, 1, true, false, middle.channels);
      addIfAlike(inner);
    } else if (shape == 2) {
      add(3, 1, 1, true, false, to);
      addIfAlike(*second);
    }
    if (shape != 3)
      add(of({1, 3}), 1, 1, true, false, to);
    addIfAlike(side);
  }
  void pool() {
    if (network.layers.empty() || isProduct || network.layers.back().pool ||
        head + 1 != network.layers.size())
      return (void)addPointwise(of({8, 16, 32}));
    const int64_t size = of({2, 3});
    addPool(size, of({1, 2}));
  }
  /// Pools what the last layer makes.
  void addPool(int64_t size, int64_t stride) {
    Layer &layer = network.layers.back();
    MaxPool pool;
    pool.size = size;
    pool.stride = stride;
    for (Axis axis : kAllAxes) {
      const int64_t extent = layer.dims[outputDim(axis)];
      if (extent < pool.size)
        return;
      pool.padLow[axis] = pool.size == 3 ? 1 : 0;
      pool.outputs[axis] =
          (extent + 2 * pool.padLow[axis] - pool.size) / pool.stride + 1;
    }
    layer.pool = pool;
    rows = pool.outputs[Axis::H];
    columns = pool.outputs[Axis::W];
  }
  void addThin() {
    channels = of({1, 3});
    Layer &layer =
        add(of({3, 5, 7}), of({1, 2}), 1, true, false, of({8, 16, 32, 64}));
    if (chance(50))
      layer = withTapsPacked(layer, chance(50) ? PackedTaps::Columns
                                               : PackedTaps::RowsAndColumns);
  }

  Network finish() {
    const unsigned n = unsigned(network.layers.size());
    for (unsigned i = 0; i < n; ++i) {
      network.layers[i].name = formatv("layer{0}", i).str();
      Operands &operands = network.operands[i];
      for (std::optional<unsigned> *tensor :
           {&operands.input, &operands.residual})
        if (*tensor == kOutside)
          *tensor = n;
      if (*operands.input < n)
        network.edges.push_back({*operands.input, i, ""});
    }
    return std::move(network);
  }

  std::mt19937_64 &rng;
  /// Draws the shapes of branches, which came later: the other cells, which
  /// tests name by their numbers, stayed as they were.
  std::mt19937_64 shapes;
  Network network;
  unsigned head = 0;
  int64_t rows = 1, columns = 1, channels = 1, batch = 1;
  bool isProduct = false;
};
} // namespace

static Accelerator drawMachine(std::mt19937_64 &rng) {
  auto of = [&](std::initializer_list<int64_t> values) {
    return values.begin()[rng() % values.size()];
  };
  static constexpr llvm::StringLiteral names[] = {"gemmini", "gemmini-small",
                                                  "gemmini-large"};
  Accelerator target =
      llvm::cantFail(findKnownTarget(names[rng() % std::size(names)]));
  if (rng() % 3 == 0)
    return target;
  target.side = of({4, 8, 16, 16, 32});
  target.scratchpadBytes = target.side * of({64, 128, 256, 512, 1024, 4096});
  target.accumulatorBytes = 4 * target.side * of({16, 32, 64, 128, 512});
  target.handOver =
      rng() % 3 == 0 ? HandOver::AccumulatorOperand : HandOver::MvoutSpad;
  target.energyPerAccess[Level::Dram] = double(of({10, 50, 100, 200}));
  target.bandwidth[Level::Dram] = double(of({1, 4, 8, 16, 64}));
  target.bandwidth[Level::Scratchpad] = double(of({1, 2, 4}) * target.side);
  return target;
}

AttackCell fadiff::attackCell(uint64_t seed, uint64_t number) {
  std::seed_seq words{uint32_t(seed), uint32_t(seed >> 32), uint32_t(number),
                      uint32_t(number >> 32)};
  std::mt19937_64 rng(words);
  AttackCell cell;
  cell.number = number;
  cell.target = drawMachine(rng);
  cell.network = NetworkDrawer(rng).draw();
  cell.objective = std::array{Objective::Edp, Objective::Edp, Objective::Energy,
                              Objective::Latency}[rng() % 4];
  // Every eighth machine leaks, about as much as its array takes.
  if (number % 8 == 3) {
    cell.target.clockHz = 1e9;
    cell.target.leakageMilliwatts = double(cell.target.side * 8);
  }
  return cell;
}

AttackCell fadiff::largeCell(uint64_t seed, uint64_t number) {
  std::seed_seq words{uint32_t(seed), uint32_t(seed >> 32), uint32_t(number),
                      uint32_t(number >> 32), 0x6c617267u};
  std::mt19937_64 rng(words);
  AttackCell cell;
  cell.number = number;
  cell.target = drawMachine(rng);
  auto from = [&](uint64_t least, uint64_t most) {
    return least + rng() % (most - least + 1);
  };
  NetworkDrawer drawer(rng);
  switch (number % 4) {
  case 0: {
    const uint64_t length = from(20, 60);
    cell.network = drawer.drawChain(unsigned(length), 1, 28 << from(0, 2));
    break;
  }
  case 1: {
    const uint64_t length = from(2, 6), images = 32 << from(0, 2);
    cell.network =
        drawer.drawChain(unsigned(length), int64_t(images), 14 << from(0, 2));
    break;
  }
  case 2: {
    const uint64_t length = from(200, 1000);
    cell.network = drawer.drawChain(unsigned(length), 1, 7 << from(0, 2));
    break;
  }
  default: {
    const uint64_t length = from(3, 8);
    cell.network =
        drawer.drawChain(unsigned(length), 1, 1080 * (1 << from(0, 2)));
    break;
  }
  }
  return cell;
}

/// Layers as "conv 3x3/2 16-32 at 14x14", shortly.
static std::string describe(const Network &network) {
  std::string text;
  for (auto [i, layer] : llvm::enumerate(network.layers)) {
    const Operands &operands = network.operands[i];
    text += formatv("{0}{1}:{2}{3} {4}x{5}/{6} {7}-{8} to {9}x{10}x{11}",
                    i ? ", " : "", i, layer.isDepthwise() ? "dw" : "conv",
                    layer.padValue ? " zp" : "", layer.dims[Dim::R],
                    layer.dims[Dim::S], layer.stride[Axis::H],
                    layer.inputChannels(), layer.outputChannels(),
                    layer.dims[Dim::N], layer.dims[Dim::P], layer.dims[Dim::Q])
                .str();
    if (i == 0 || operands.input != unsigned(i - 1))
      text += formatv(" of {0}", *operands.input).str();
    if (operands.residual)
      text += formatv(" + {0}", *operands.residual).str();
    if (layer.pool)
      text +=
          formatv(" pool {0}/{1}", layer.pool->size, layer.pool->stride).str();
  }
  return text;
}

static std::string describe(const Accelerator &target) {
  return formatv("{0}: side {1}, scratchpad {2} rows, accumulator {3} rows, "
                 "{4}, dram {5} pJ {6} words/cycle",
                 target.name, target.side, target.scratchpadRows(),
                 target.accumulatorRows(),
                 target.handsOverInPlace() ? "in place" : "copies",
                 target.energyPerAccess[Level::Dram],
                 target.bandwidth[Level::Dram])
      .str();
}

static std::string describe(const Schedule &schedule) {
  std::string text;
  for (const FusionGroup &group : schedule.groups) {
    text += "[";
    for (auto [i, layer] : llvm::enumerate(group.layers)) {
      text += formatv("{0}{1}", i ? " " : "", layer).str();
      if (int64_t slice = group.sliceOf(layer))
        text += formatv(" by {0}", slice).str();
      if (llvm::is_contained(group.liveSkips, layer))
        text += " live";
    }
    text += group.keeps == Axis::H   ? "] keeps rows"
            : group.keeps == Axis::W ? "] keeps columns"
                                     : "]";
    text += group.poolsOutput ? " pools " : " ";
  }
  return text;
}

static llvm::Expected<AttackOutcome> attackOne(uint64_t number,
                                               const AttackOptions &options) {
  AttackCell cell = attackCell(options.seed, number);
  // Where issue counts it is next to nothing, as usual, or most of all.
  constexpr std::array<int64_t, 3> kCommandCycles = {1, 5, 25};
  if (options.latency != Latency::Roofline)
    cell.target.commandCycles = kCommandCycles[number % kCommandCycles.size()];
  // So is a request, which may be smaller than rows are.
  constexpr std::array<int64_t, 4> kRequestBytes = {64, 8, 4, 16};
  constexpr std::array<int64_t, 5> kDmaLatencies = {100, 400, 1, 40, 1000};
  if (options.latency == Latency::Busy || options.latency == Latency::Streams) {
    cell.target.dmaMaxRequestBytes =
        kRequestBytes[number % kRequestBytes.size()];
    cell.target.dmaLatency = kDmaLatencies[number % kDmaLatencies.size()];
  }
  AttackOutcome outcome;
  outcome.number = number;
  outcome.network = describe(cell.network);
  outcome.machine = describe(cell.target);
  outcome.objective = cell.objective;
  SearchOptions how;
  how.optimizer = options.optimizer;
  how.objective = cell.objective;
  how.latency = options.latency;
  llvm::Expected<SearchResult> found = search(cell.network, cell.target, how);
  if (!found)
    return found.takeError();
  outcome.value = found->value();
  outcome.bound = found->bound;
  outcome.groups = describe(found->schedule);
  const std::unique_ptr<CostFunction> cost =
      createCostFunction(Convention::Machine, Model::Exact, options.latency);
  // From what the search found, and from layers alone as the rule of thumb has
  // them.
  Schedule thumb;
  for (auto [i, layer] : llvm::enumerate(cell.network.layers)) {
    llvm::Expected<Mapping> mapping = squareTileMapping(layer, cell.target);
    if (!mapping)
      return mapping.takeError();
    thumb.mappings.push_back(*mapping);
    thumb.groups.push_back({{unsigned(i)}});
  }
  AnnealOptions annealing;
  annealing.objective = cell.objective;
  annealing.steps = options.steps;
  annealing.seed = number;
  outcome.annealed = std::numeric_limits<double>::infinity();
  for (const Schedule *start : std::array{&found->schedule, &thumb}) {
    const Annealed best =
        anneal(cell.network, cell.target, *cost, *start, annealing);
    outcome.legal += best.legal;
    // What speaks against others must stand by itself.
    if (llvm::Error error = verify(cell.network, best.schedule, cell.target))
      return std::move(error);
    const ScheduleCost total =
        evaluateSchedule(cell.network, best.schedule, cell.target, *cost);
    const double value =
        objectiveValue(cell.objective, total.energy, total.cycles);
    outcome.fromThumb = value; // the last start
    if (value < outcome.annealed) {
      outcome.annealed = value;
      outcome.annealedGroups = describe(best.schedule);
    }
    annealing.temperatureFirst = 0.5;
  }
  return outcome;
}

llvm::Expected<std::vector<AttackOutcome>>
fadiff::attack(const AttackOptions &options) {
  std::vector<AttackOutcome> outcomes(options.cells);
  std::vector<llvm::Error> errors;
  for (uint64_t i = 0; i < options.cells; ++i)
    errors.push_back(llvm::Error::success());
  llvm::DefaultThreadPool threads(
      llvm::hardware_concurrency(std::max(1u, options.threads)));
  for (uint64_t i = 0; i < options.cells; ++i)
    threads.async([&, i] {
      llvm::Expected<AttackOutcome> outcome =
          attackOne(options.first + i, options);
      if (outcome)
        outcomes[i] = std::move(*outcome);
      else
        errors[i] = outcome.takeError();
    });
  threads.wait();
  llvm::Error all = llvm::Error::success();
  for (auto [i, error] : llvm::enumerate(errors))
    if (error)
      all = llvm::joinErrors(
          std::move(all),
          llvm::createStringError(formatv("cell {0}: {1}", options.first + i,
                                          llvm::toString(std::move(error)))
                                      .str()));
  if (all)
    return std::move(all);
  return outcomes;
}

llvm::json::Object fadiff::toJson(const std::vector<AttackOutcome> &outcomes) {
  int64_t below = 0, unbounded = 0, notWorse = 0, legal = 0, close = 0;
  double gaps = 0, worstGap = 0, worst = 0;
  llvm::json::Array against;
  for (const AttackOutcome &outcome : outcomes) {
    legal += int64_t(outcome.legal);
    const double excess = outcome.value / outcome.annealed - 1;
    worst = std::max(worst, excess);
    notWorse += excess <= 1e-9;
    close += outcome.fromThumb <= 1.01 * outcome.value;
    unbounded += !outcome.bound;
    if (outcome.bound) {
      const double gap = outcome.value / *outcome.bound - 1;
      gaps += gap;
      worstGap = std::max(worstGap, gap);
    }
    below += outcome.isBelowBound();
    if (!outcome.isBelowBound() && excess <= 1e-9)
      continue;
    llvm::json::Object object{{"cell", int64_t(outcome.number)},
                              {"network", outcome.network},
                              {"machine", outcome.machine},
                              {"objective", nameOf(outcome.objective)},
                              {"value", outcome.value},
                              {"annealed", outcome.annealed},
                              {"groups", outcome.groups},
                              {"annealed_groups", outcome.annealedGroups},
                              {"below_bound", outcome.isBelowBound()}};
    if (outcome.bound)
      object["bound"] = *outcome.bound;
    against.push_back(std::move(object));
  }
  const int64_t bounded = int64_t(outcomes.size()) - unbounded;
  return llvm::json::Object{
      {"cells", int64_t(outcomes.size())},
      {"schedules", legal},
      {"refused", below},
      {"below_bound", below},
      {"without_bound", unbounded},
      {"mean_gap", bounded ? gaps / double(bounded) : 0},
      {"worst_gap", worstGap},
      {"search_not_worse", notWorse},
      {"worst_excess", worst},
      {"annealed_alone_within_one_percent", close},
      {"against", std::move(against)},
  };
}
