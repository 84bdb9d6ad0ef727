//===- Enumerator.cpp - Every mapping of one layer ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scratchpad tiles are enumerated; what is inside and around them is
// decided by the dominance arguments of docs/ExactBound.md, whose rules are
// cited as (D1), (D2), ...
//
//===----------------------------------------------------------------------===//

#include "Enumerator.h"
#include "../Problem/Climb.h"
#include "../Problem/Factors.h"

#include "fadiff/CostModel/Counts.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Cache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace fadiff;
using namespace fadiff::exact;

/// Dims named in `first`, innermost first, then the rest: pixels, reductions,
/// K, G.
LoopOrder exact::startingWith(llvm::ArrayRef<Dim> first) {
  LoopOrder order{};
  size_t next = 0;
  auto add = [&](Dim dim) {
    auto *end = order.begin() + next;
    if (std::find(order.begin(), end, dim) == end)
      order[next++] = dim;
  };
  llvm::for_each(first, add);
  llvm::for_each(kPixels, add);
  llvm::for_each(kReductions, add);
  add(Dim::K);
  add(Dim::G);
  return order;
}

bool LayerHull::isExact() const {
  return points.size() == bound.size() &&
         llvm::all_of(llvm::zip(points, bound), [](const auto &pair) {
           return std::get<0>(pair).energy == std::get<1>(pair).energy &&
                  std::get<0>(pair).cycles == std::get<1>(pair).cycles;
         });
}

static std::vector<int64_t> sortedDivisors(int64_t bound, int64_t limit) {
  std::vector<int64_t> divisors = divisorsUpTo(bound, limit);
  llvm::sort(divisors);
  return divisors;
}

/// Largest first, so that good mappings come early.
std::vector<Extent> Enumerator::extents(Dim dim) const {
  const int64_t bound = layer.dims[dim];
  std::vector<Extent> list;
  if (dim == Dim::G)
    return {{1, 1, 1}};
  if (divisors) {
    const std::vector<int64_t> tiles = sortedDivisors(bound, bound);
    for (int64_t tile : llvm::reverse(tiles))
      list.push_back({tile, tile, tile});
    return list;
  }
  bool exact = dim == Dim::R || dim == Dim::S;
  for (int64_t most = bound; most >= 1;) {
    int64_t least =
        exact ? most : divideCeilSigned(bound, divideCeilSigned(bound, most));
    list.push_back({least, most, least});
    most = least - 1;
  }
  return list;
}

/// Spatial factors that a scratchpad tile can be made of, largest first.
std::vector<int64_t> Enumerator::spatialFactors(Dim dim, int64_t tile) const {
  std::vector<int64_t> list;
  for (int64_t factor = std::min(tile, target.side); factor >= 1; --factor)
    if (tile % factor == 0 || (!divisors && tile == layer.dims[dim]))
      list.push_back(factor);
  return list;
}

/// Accumulator tiles within a scratchpad tile. Where the latter is the whole
/// dim they need not divide it, and only the smallest of those that make as
/// many tiles matters (D5).
std::vector<int64_t> Enumerator::accumulatorExtents(Dim dim,
                                                    int64_t tile) const {
  if (divisors || tile != layer.dims[dim])
    return sortedDivisors(tile, tile);
  std::vector<int64_t> list;
  for (int64_t most = tile; most >= 1;) {
    int64_t least = divideCeilSigned(tile, divideCeilSigned(tile, most));
    list.push_back(least);
    most = least - 1;
  }
  return list;
}

/// Orders of the DRAM loops, one of which is best whatever else is chosen (D1).
Enumerator::Orders Enumerator::dramOrders(const PerDim<int64_t> &tile) const {
  using D = Dim;
  Orders orders;
  auto emitted = [&](Dim dim) { return tile[dim] < layer.dims[dim]; };
  if (machine) {
    auto add = [&](Innermost innermost, llvm::ArrayRef<Dim> first) {
      if (!form || form->innermost == innermost)
        orders.push_back(startingWith(first));
    };
    add(Innermost::Pixels, {});
    if (llvm::any_of(kReductions, emitted))
      add(Innermost::Reductions, kReductions);
    if (emitted(D::K))
      add(Innermost::OutputChannels, {D::K});
    return orders;
  }
  // The window slides only along the innermost loop.
  auto add = [&](Dim first, llvm::ArrayRef<Dim> rest) {
    llvm::SmallVector<Dim, 8> prefix = {first};
    llvm::append_range(prefix, rest);
    orders.push_back(startingWith(prefix));
  };
  for (Dim dim : {D::Q, D::P})
    if (emitted(dim))
      add(dim, kPixels);
  for (Dim dim : {D::S, D::R})
    if (emitted(dim))
      add(dim, kReductions);
  if (orders.empty() || (!emitted(D::Q) && !emitted(D::P)))
    orders.push_back(startingWith({}));
  if (!emitted(D::S) && !emitted(D::R) && emitted(D::C))
    orders.push_back(startingWith(kReductions));
  if (emitted(D::K))
    orders.push_back(startingWith({D::K}));
  // Two loops of one axis whose steps make the same shift twice: Timeloop then
  // keeps the overlap of the outer one, too.
  for (Axis axis : kAllAxes) {
    D out = outputDim(axis), kernel = kernelDim(axis);
    if (!emitted(out) || !emitted(kernel))
      continue;
    int64_t outStep = tile[out] * layer.stride[axis];
    int64_t kernelStep = tile[kernel] * layer.dilation[axis];
    if (outStep == kernelStep && emitted(D::K))
      for (auto pair : {std::array<Dim, 3>{D::K, out, kernel},
                        std::array<Dim, 3>{D::K, kernel, out}})
        orders.push_back(startingWith(pair));
    if (kernelStep == 2 * outStep)
      orders.push_back(startingWith({out, kernel}));
    if (outStep == 2 * kernelStep)
      orders.push_back(startingWith({kernel, out}));
  }
  return orders;
}

int64_t Enumerator::inputUse(const PerDim<int64_t> &tile, int64_t rows,
                             int64_t cols) const {
  int64_t use = tile[Dim::N];
  for (Axis axis : kAllAxes) {
    int64_t kernel = tile[kernelDim(axis)], out = tile[outputDim(axis)];
    // One tap alone is stored without the gaps of a stride (in rows).
    use *= kernel == 1 && !words ? out : layer.window(axis, out, kernel);
  }
  if (words)
    return use * tile[Dim::G] * tile[Dim::C];
  if (depthwise)
    return use * divideCeilSigned(tile[Dim::G], cols);
  return use * tile[Dim::G] * divideCeilSigned(tile[Dim::C], rows);
}

int64_t Enumerator::weightUse(const PerDim<int64_t> &tile, int64_t cols) const {
  int64_t use = tile[Dim::R] * tile[Dim::S] * tile[Dim::G] * tile[Dim::C];
  return use * (words ? tile[Dim::K] : divideCeilSigned(tile[Dim::K], cols));
}

/// The evaluator's view of a mapping: every tile is a multiple of the next
/// inner one or the whole dim, so the tiles of a level are dim / tile, rounded
/// up.
void Enumerator::setNest(const Tiles &tiles) {
  nest.layer = &layer;
  for (Dim dim : kAllDims) {
    const int64_t bound = layer.dims[dim];
    const bool pixel = !isRelevant(Tensor::W, dim);
    const std::array<int64_t, kNumLevels> tile = {
        pixel ? tiles.accumulator[dim] : tiles.array[dim],
        tiles.accumulator[dim], tiles.scratchpad[dim], bound};
    int64_t inner = tiles.array[dim];
    for (unsigned l = 0; l < kNumLevels; ++l) {
      Level level = kAllLevels[l];
      nest.tile[level][dim] = double(tile[l]);
      nest.trips[level][dim] =
          tile[l] == inner ? 1 : double(divideCeilSigned(tile[l], inner));
      nest.count[level][dim] =
          tile[l] == bound ? 1 : double(divideCeilSigned(bound, tile[l]));
      inner = tile[l];
    }
  }
  nest.cols = double(tiles.array[columnDim]);
  nest.rows = depthwise ? nest.cols : double(tiles.array[Dim::C]);
}

Point Enumerator::evaluate() {
  ++result.evaluated;
  LayerCost cost = countAccesses(nest, options.convention, target);
  charge(cost, nest, target, options.convention, Model::Exact, options.latency);
  return {cost.energy, cost.cycles};
}

/// Evaluates a real mapping.
bool Enumerator::take(const Tiles &tiles, const LoopOrder &scratchpadOrder) {
  setNest(tiles);
  nest.order[Level::Scratchpad] = scratchpadOrder;
  auto [energy, cycles] = evaluate();
  if (hull.covers(energy, cycles))
    return false;
  Candidate point{{}, energy, cycles};
  Mapping &m = point.mapping;
  m.cols = tiles.array[columnDim];
  m.rows = depthwise ? 1 : tiles.array[Dim::C];
  for (Dim dim : kAllDims) {
    const bool pixel = !isRelevant(Tensor::W, dim);
    int64_t inner = divideCeilSigned(tiles.accumulator[dim], tiles.array[dim]);
    m.temporal[pixel ? Level::Registers : Level::Accumulator][dim] = inner;
    m.temporal[Level::Scratchpad][dim] =
        divideCeilSigned(tiles.scratchpad[dim], tiles.accumulator[dim]);
    m.temporal[Level::Dram][dim] =
        divideCeilSigned(layer.dims[dim], tiles.scratchpad[dim]);
  }
  m.order[Level::Registers] = startingWith({});
  m.order[Level::Accumulator] = startingWith({});
  m.order[Level::Scratchpad] = scratchpadOrder;
  m.order[Level::Dram] = order;
  return hull.insert(point);
}

/// What the accumulator and scratchpad loops do with one scratchpad tile (D2):
/// all of it in the accumulator, or the largest blocks of pixels, with the
/// reductions inside or outside of the pixel loops.
void Enumerator::splits(const PerDim<int64_t> &tile, int64_t rows, int64_t cols,
                        bool blocks) {
  Tiles tiles;
  tiles.scratchpad = tiles.accumulator = tile;
  tiles.array[columnDim] = cols;
  if (!depthwise)
    tiles.array[Dim::C] = rows;
  const int64_t pixels = tile[Dim::N] * tile[Dim::P] * tile[Dim::Q];
  if (isMeant(Split::Whole) && pixels <= pixelRoom(tile[columnDim], cols))
    take(tiles, startingWith(kReductions));
  if (!blocks || (form && form->split == Split::Whole))
    return;

  tiles.accumulator[columnDim] = cols;
  const int64_t room = pixelRoom(cols, cols);
  // Only what makes fewer blocks, or reads less bias, can be better.
  struct Block {
    int64_t n, p, q, count, chunks;
  };
  llvm::SmallVector<Block, 8> best;
  const bool bias = machine && layer.hasBias;
  for (int64_t n : accumulatorExtents(Dim::N, tile[Dim::N]))
    for (int64_t p : accumulatorExtents(Dim::P, tile[Dim::P])) {
      if (n * p > room)
        continue;
      for (int64_t q : accumulatorExtents(Dim::Q, tile[Dim::Q])) {
        if (n * p * q > room)
          continue;
        Block next{n, p, q, 1, 0};
        next.count = divideCeilSigned(layer.dims[Dim::N], n) *
                     divideCeilSigned(layer.dims[Dim::P], p) *
                     divideCeilSigned(layer.dims[Dim::Q], q);
        if (bias)
          next.chunks = next.count * divideCeilSigned(n * p * q, target.side);
        if (llvm::any_of(best, [&](const Block &other) {
              return other.count <= next.count && other.chunks <= next.chunks;
            }))
          continue;
        llvm::erase_if(best, [&](const Block &other) {
          return next.count <= other.count && next.chunks <= other.chunks;
        });
        best.push_back(next);
      }
    }
  for (const Block &block : best) {
    tiles.accumulator[Dim::N] = block.n;
    tiles.accumulator[Dim::P] = block.p;
    tiles.accumulator[Dim::Q] = block.q;
    for (Dim dim : kReductions)
      tiles.accumulator[dim] = tile[dim];
    if (isMeant(Split::Blocks))
      take(tiles, startingWith(kReductions));
    for (Dim dim : kReductions)
      tiles.accumulator[dim] = tiles.array[dim];
    if (isMeant(Split::Stream))
      take(tiles, startingWith({}));
  }
}

/// Everything with this scratchpad tile (but for K), array and DRAM order.
void Enumerator::visitMember(const PerDim<int64_t> &fixed, int64_t rows,
                             int64_t cols) {
  if (depthwise) {
    if (inputUse(fixed, rows, cols) + weightUse(fixed, cols) <=
        scratchpadRoom())
      splits(fixed, rows, cols, /*blocks=*/true);
    return;
  }
  PerDim<int64_t> tile = fixed;
  const int64_t input = inputUse(tile, rows, cols);
  const int64_t pixels = tile[Dim::N] * tile[Dim::P] * tile[Dim::Q];
  bool first = true;
  // Three K tiles are enough (D4): the largest that fits the scratchpad, the
  // largest whose outputs fit the accumulator, and one block of columns.
  auto tryTile = [&](int64_t k) {
    tile[Dim::K] = k;
    if (input + weightUse(tile, cols) > scratchpadRoom())
      return false;
    bool whole = pixels <= pixelRoom(k, cols);
    if (first || whole)
      splits(tile, rows, cols, /*blocks=*/first);
    first = false;
    return whole;
  };
  if (divisors) {
    for (const Extent &k : candidates[Dim::K])
      if (k.tile % cols == 0 && tryTile(k.tile))
        break;
  } else {
    for (const Extent &k : candidates[Dim::K])
      if (tryTile(alignColumns(k.tile, cols)))
        break;
  }
  bool oneTap = tile[Dim::R] == 1 && tile[Dim::S] == 1;
  if (tile[Dim::K] != cols && oneTap && tile[Dim::C] <= rows) {
    tile[Dim::K] = cols;
    if (input + weightUse(tile, cols) <= scratchpadRoom())
      splits(tile, rows, cols, /*blocks=*/true);
  }
}

/// Halves the extents of the pixel dims until a bound rules the family out or a
/// single tile is left. With divisors it is a single one from the start.
void Enumerator::refine(PerDim<Extent> choice, int64_t rows, int64_t cols) {
  llvm::SmallVector<Point, 3> bounds =
      open(choice, rows, cols, /*aligned=*/true);
  if (bounds.empty())
    return;
  if (outOfTime())
    return pend(bounds);
  Dim widest =
      *std::max_element(kPixels.begin(), kPixels.end(), [&](Dim a, Dim b) {
        return choice[a].most - choice[a].tile <
               choice[b].most - choice[b].tile;
      });
  const int64_t least = choice[widest].tile, most = choice[widest].most;
  if (least < most) {
    int64_t middle = least + (most - least) / 2;
    choice[widest] = {least, middle, least};
    refine(choice, rows, cols);
    choice[widest] = {middle + 1, most, middle + 1};
    return refine(choice, rows, cols);
  }
  PerDim<int64_t> tile;
  for (Dim dim : kAllDims)
    tile[dim] = choice[dim].tile;
  if (alignReductions(tile, rows))
    visitMember(tile, rows, cols);
}

void Enumerator::setOrder(const LoopOrder &dramOrder) {
  order = dramOrder;
  nest.order[Level::Dram] = dramOrder;
  nest.order[Level::Registers] = nest.order[Level::Accumulator] =
      startingWith({});
}

void Enumerator::visitOrder(const PerDim<Extent> &choice,
                            const LoopOrder &dramOrder) {
  setOrder(dramOrder);
  if (depthwise)
    return refine(choice, 1, fixedCols);
  std::vector<int64_t> rowFactors = spatialFactors(
      Dim::C, divisors ? choice[Dim::C].tile : layer.dims[Dim::C]);
  llvm::SmallVector<Point, 3> bounds =
      open(choice, rowFactors.front(), mostCols, /*aligned=*/false);
  if (bounds.empty())
    return;
  if (outOfTime())
    return pend(bounds);
  for (int64_t rows : rowFactors)
    if (!open(choice, rows, mostCols, /*aligned=*/false).empty())
      for (int64_t cols : colFactors)
        refine(choice, rows, cols);
}

llvm::SmallVector<Point, 3> Enumerator::open(const PerDim<Extent> &choice,
                                             int64_t rows, int64_t cols,
                                             bool aligned) {
  llvm::SmallVector<Point, 3> points;
  for (Split split : kAllSplits)
    if (isMeant(split))
      if (auto point = relaxed(choice, rows, cols, split, aligned))
        if (!covered(*point))
          points.push_back(*point);
  return points;
}

/// Ranges of candidates whose members all have the same loops: the whole dim
/// has none at DRAM, channels that fill no more than the array none on chip.
std::vector<Enumerator::Range> Enumerator::startingRanges(Dim dim) const {
  const std::vector<Extent> &list = candidates[dim];
  std::vector<Range> ranges;
  auto isFirst = [&](size_t i) {
    return i <= 1 || divisors || dim == Dim::R || dim == Dim::S ||
           (dim == Dim::C && list[i].tile <= target.side &&
            list[i - 1].tile > target.side);
  };
  for (size_t i = 0; i < list.size(); ++i)
    if (isFirst(i))
      ranges.push_back({i, i});
    else
      ranges.back().second = i;
  return ranges;
}

/// What is left of `orders` for the tiles in `ranges`; halves the widest range
/// until a bound rules the tiles out or a single candidate of each dim is left.
void Enumerator::visitRanges(PerDim<Range> &ranges, Orders orders) {
  PerDim<Extent> choice;
  Dim widest = Dim::C;
  for (Dim dim : kAllDims) {
    auto [first, last] = ranges[dim];
    if (dim != Dim::K && dim != Dim::G)
      choice[dim] = {candidates[dim][last].tile, candidates[dim][first].most,
                     candidates[dim][first].tile};
    if (last - first > ranges[widest].second - ranges[widest].first)
      widest = dim;
  }
  if (depthwise)
    choice[Dim::G] = {fixedGroups, fixedGroups, fixedGroups};
  // Of two tiles that are each other turned, the one with longer rows (D7).
  if (machine && layer.isSquare() &&
      std::pair(choice[Dim::P].tile, choice[Dim::R].tile) >
          std::pair(choice[Dim::Q].fewest, choice[Dim::S].tile))
    return;

  auto [first, last] = ranges[widest];
  const bool isFamily = first == last;
  if (isFamily) {
    for (const LoopOrder &dramOrder : orders)
      visitOrder(choice, dramOrder);
    return;
  }
  const int64_t rows =
      depthwise ? 1 : std::min(target.side, layer.dims[Dim::C]);
  const int64_t cols = depthwise ? fixedCols : mostCols;
  llvm::erase_if(orders, [&](const LoopOrder &dramOrder) {
    setOrder(dramOrder);
    llvm::SmallVector<Point, 3> bounds =
        open(choice, rows, cols, /*aligned=*/false);
    if (!bounds.empty() && outOfTime()) {
      pend(bounds);
      return true;
    }
    return bounds.empty();
  });
  if (orders.empty())
    return;
  const size_t middle = first + (last - first) / 2;
  ranges[widest] = {first, middle};
  visitRanges(ranges, orders);
  ranges[widest] = {middle + 1, last};
  visitRanges(ranges, orders);
  ranges[widest] = {first, last};
}

void Enumerator::enumerateTiles(size_t index, PerDim<Range> &ranges) {
  static constexpr std::array<Dim, 6> dims = {Dim::R, Dim::S, Dim::C,
                                              Dim::N, Dim::P, Dim::Q};
  if (index < dims.size()) {
    for (const Range &range : startingRanges(dims[index])) {
      if (gaveUp)
        return;
      ranges[dims[index]] = range;
      enumerateTiles(index + 1, ranges);
    }
    return;
  }
  if (givesUp())
    return;
  PerDim<int64_t> tile{1};
  for (Dim dim : dims)
    tile[dim] = candidates[dim][ranges[dim].first].tile;
  // Whether K has a loop at DRAM is not known yet; the order with it innermost
  // does no harm.
  if (layer.dims[Dim::K] > 1)
    tile[Dim::K] = 1;
  visitRanges(ranges, dramOrders(tile));
}

LayerHull Enumerator::run() {
  for (Dim dim : kAllDims)
    candidates[dim] = extents(dim);
  PerDim<Range> ranges;
  if (!depthwise) {
    colFactors = spatialFactors(Dim::K, layer.dims[Dim::K]);
    mostCols = colFactors.front();
    enumerateTiles(0, ranges);
  } else {
    // One block of groups at a time is enough, but for requests (D6), and its
    // size matters in both directions.
    const int64_t groups = layer.dims[Dim::G];
    std::vector<int64_t> blocks = {1};
    if (!options.space.isSerial(layer))
      blocks = spatialFactors(Dim::G, groups);
    for (int64_t cols : blocks) {
      const int64_t all = divideCeilSigned(groups, cols);
      int64_t wide = 1;
      if (options.latency == Latency::Busy)
        wide = detail::usefulBlocks(layer, Dim::G, cols, target);
      for (; wide >= 1; --wide) {
        wide = divideCeilSigned(all, divideCeilSigned(all, wide));
        if (divisors && all % wide != 0)
          continue;
        fixedCols = cols;
        fixedGroups = std::min(groups, wide * cols);
        enumerateTiles(0, ranges);
      }
    }
  }

  LowerHull<BoundPoint> bound;
  for (const Candidate &point : hull.vertices())
    bound.insert({point.energy, point.cycles});
  for (const BoundPoint &point : pending)
    bound.insert(point);
  result.points = hull.vertices();
  result.bound = bound.vertices();
  return std::move(result);
}

/// A mapping of the space for which nothing has to be enumerated.
static llvm::Expected<Mapping> startingMapping(const Layer &layer,
                                               const Accelerator &target,
                                               const ExactOptions &options) {
  // One element of everything on chip fits wherever a mapping does, in words.
  if (options.capacityRule() == Capacity::Words) {
    Mapping mapping;
    mapping.temporal[Level::Dram] = layer.dims;
    return mapping;
  }
  llvm::Expected<Mapping> mapping = squareTileMapping(layer, target);
  if (!mapping)
    return mapping;
  const std::unique_ptr<CostFunction> cost =
      createCostFunction(options.convention, Model::Exact, options.latency);
  makeLegal({layer, target, *cost, options.space}, *mapping);
  return mapping;
}

llvm::Expected<LayerHull> fadiff::enumerateLayer(const Layer &layer,
                                                 const Accelerator &target,
                                                 const ExactOptions &options,
                                                 const Budget &budget) {
  if (llvm::Error error = checkMappable(layer, target))
    return std::move(error);
  if (options.cache)
    if (std::optional<LayerHull> known =
            options.cache->find(layer, target, options))
      return std::move(*known);
  LayerHull hull = Enumerator(layer, target, options, budget).run();
  const bool isCut =
      budget.exhausted() || double(hull.evaluated) >= options.mostEvaluations;
  // There is always something to return.
  if (hull.points.empty() && isCut) {
    llvm::Expected<Mapping> mapping = startingMapping(layer, target, options);
    if (!mapping)
      return mapping.takeError();
    const LayerCost cost =
        evaluateLayer(layer, *mapping, target, options.convention, {},
                      Model::Exact, options.latency);
    hull.points.push_back({*mapping, cost.energy, cost.cycles});
  }
  if (!hull.points.empty()) {
    if (options.cache && hull.isExact() && !isCut)
      options.cache->store(layer, target, options, hull);
    return hull;
  }
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      llvm::formatv("layer '{0}': wanted a mapping that fits {1} bytes of "
                    "scratchpad and {2} of accumulator, found none; choose a "
                    "target with larger memories",
                    layer.name, target.scratchpadBytes, target.accumulatorBytes)
          .str());
}

std::vector<Mapping> exact::bestOfForms(const Layer &layer,
                                        const Accelerator &target,
                                        const ExactOptions &options,
                                        const Budget &budget) {
  std::vector<Mapping> found;
  for (Innermost innermost : kAllInnermost)
    for (Split split : kAllSplits) {
      const LayerHull hull =
          Enumerator(layer, target, options, budget, Form{innermost, split})
              .run();
      for (Objective objective : {options.objective, Objective::Energy}) {
        auto valueOf = [&](const Candidate &point) {
          return objectiveValue(objective, point.energy, point.cycles);
        };
        const auto best =
            std::min_element(hull.points.begin(), hull.points.end(),
                             [&](const Candidate &a, const Candidate &b) {
                               return valueOf(a) < valueOf(b);
                             });
        if (best != hull.points.end() &&
            !llvm::is_contained(found, best->mapping))
          found.push_back(best->mapping);
      }
    }
  return found;
}

llvm::Expected<LayerHull> fadiff::exactHull(const Layer &layer,
                                            const Accelerator &target,
                                            const ExactOptions &options) {
  return enumerateLayer(layer, target, options,
                        Budget(options.timeLimit, options.stop));
}
