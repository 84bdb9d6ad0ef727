//===- Verify.cpp - Legality of mappings and schedules --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rule.h"

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Placement.h"
#include "fadiff/Schedule/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace fadiff;
using namespace fadiff::rules;
using llvm::Error;
using llvm::formatv;

Error fadiff::rules::fail(const Layer &layer, llvm::StringRef rule, Level level,
                          const llvm::Twine &wanted, const llvm::Twine &found,
                          const llvm::Twine &hint) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 llvm::Twine("layer '") + layer.name +
                                     "': rule '" + rule + "' at " +
                                     levelName(level) + ": wanted " + wanted +
                                     ", found " + found + "; " + hint);
}

std::string fadiff::rules::named(Dim dim, int64_t value) {
  return formatv("{0} = {1}", dimName(dim), value).str();
}

//===----------------------------------------------------------------------===//
// One layer
//===----------------------------------------------------------------------===//

static Error verifyLayer(const Layer &layer) {
  if (std::optional<OutOfBounds> found = findOutOfBounds(layer))
    return fail(layer, "layer-bounds", Level::Dram,
                formatv("{0} to {1}", found->least, found->most).str(),
                found->dim
                    ? named(*found->dim, found->value)
                    : formatv("{0} = {1}", found->what, found->value).str(),
                "the layer itself is not computable");
  if (layer.outputBytes != 1 && layer.outputBytes != 4)
    return fail(layer, "output-bytes", Level::Dram, "1 or 4",
                llvm::Twine(layer.outputBytes),
                "outputs are int8 or int32 elements");
  return Error::success();
}

/// The array multiplies one type.
static Error verifyElements(const Layer &layer, const Accelerator &target) {
  if (layer.elementBytes == target.elementBytes())
    return Error::success();
  return fail(
      layer, "element-bytes", Level::Dram,
      (llvm::Twine(target.elementBytes()) + " as in '" + target.name + "'")
          .str(),
      llvm::Twine(layer.elementBytes),
      "input and weights must be of the array's type");
}

/// A residual that has a scale gets it as it is loaded.
static Error verifyLoadScale(const Layer &layer, const Accelerator &target) {
  if (!layer.scalesResidual || target.loadScale != LoadScale::None)
    return Error::success();
  return fail(layer, "load-scale", Level::Accumulator,
              "a machine that scales what it loads into the accumulator",
              describeField(target, "load_scale"),
              "add the residual without a scale of its own, or on the host");
}

Error fadiff::rules::verifyScales(llvm::ArrayRef<const Layer *> layers,
                                  const Accelerator &target) {
  int64_t scales = 0;
  const Layer *last = nullptr;
  for (const Layer *layer : layers)
    if (layer->hasScales) {
      last = layer;
      scales = saturatingAdd(scales, layer->dims[Dim::G] * layer->dims[Dim::K]);
    }
  if (!last)
    return Error::success();
  if (!target.readOut.perChannel)
    return fail(*last, "scales", Level::Accumulator,
                "one scale for all channels",
                formatv("{0} of them; '{1}' has no read-out per channel",
                        scales, target.name)
                    .str(),
                "choose a machine that has");
  if (scales > target.readOut.scales)
    return fail(*last, "scales", Level::Accumulator,
                formatv("at most {0} scales", target.readOut.scales).str(),
                formatv("{0}", scales).str(),
                layers.size() > 1 ? "use a shorter group"
                                  : "split the output channels");
  return Error::success();
}

/// All outputs are made; those of a group's last member as they are stored.
Error fadiff::rules::verifyCoverage(const Layer &layer,
                                    const Mapping &mapping) {
  for (Dim dim : kAllDims)
    if (int64_t covered = mapping.tile(layer, Level::Dram, dim);
        covered < layer.dims[dim])
      return fail(layer, "coverage", Level::Dram,
                  "factors whose product is at least " +
                      named(dim, layer.dims[dim]),
                  llvm::Twine(covered), "raise a factor of this dim");
  return Error::success();
}

static Error verifyFactors(const Layer &layer, const Mapping &mapping,
                           const Accelerator &target) {
  auto spatial = [&](const char *rule, const char *what,
                     int64_t value) -> Error {
    if (value >= 1 && value <= target.side)
      return Error::success();
    return fail(layer, rule, Level::Registers,
                formatv("1 to {0} {1}", target.side, what).str(),
                llvm::Twine(value),
                "the array has that many; put the rest of the factor into a "
                "temporal loop");
  };
  if (Error error = spatial("array-rows", "rows", mapping.rows))
    return error;
  if (Error error = spatial("array-columns", "columns", mapping.cols))
    return error;

  for (Level level : kAllLevels) {
    for (Dim dim : kAllDims)
      if (int64_t factor = mapping.temporal[level][dim]; factor < 1)
        return fail(layer, "positive-factor", level, "a factor of at least 1",
                    named(dim, factor), "a loop runs at least once");
    unsigned seen = 0; // bit per dim
    for (Dim dim : mapping.order[level])
      if (static_cast<size_t>(dim) < kNumDims)
        seen |= 1u << static_cast<unsigned>(dim);
    if (seen != (1u << kNumDims) - 1) {
      std::string found;
      for (Dim dim : mapping.order[level])
        found += static_cast<size_t>(dim) < kNumDims ? dimName(dim) : '?';
      return fail(layer, "loop-order", level, "each of NGKCPQRS once", found,
                  "a loop order is a permutation of the eight dims");
    }
  }

  for (Dim dim : {Dim::G, Dim::K, Dim::C, Dim::R, Dim::S})
    if (int64_t factor = mapping.temporal[Level::Registers][dim]; factor != 1)
      return fail(layer, "register-loops", Level::Registers, named(dim, 1),
                  named(dim, factor),
                  "weights are held while rows stream: only N, P and Q loop "
                  "there");

  if (!layer.isDepthwise())
    if (int64_t tile = mapping.tile(layer, Level::Scratchpad, Dim::G);
        tile != 1)
      return fail(layer, "group-loop", Level::Scratchpad, named(Dim::G, 1),
                  named(Dim::G, tile),
                  "groups that are not depthwise run one after the other: "
                  "iterate G at dram");
  return Error::success();
}

int64_t fadiff::rules::saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max()
                                      : sum;
}

Error fadiff::rules::verifyAccumulator(const Layer &layer,
                                       const Footprint &rows,
                                       const Accelerator &target) {
  if (rows.outputRows <= target.accumulatorRows())
    return Error::success();
  return fail(layer, "accumulator-capacity", Level::Accumulator,
              formatv("at most {0} rows", target.accumulatorRows()).str(),
              formatv("{0}", rows.outputRows).str(),
              "make the N, P, Q or output channel tile smaller");
}

Error fadiff::verify(const Layer &layer, const Accelerator &target) {
  if (Error error = verifyLayer(layer))
    return error;
  if (Error error = verifyElements(layer, target))
    return error;
  if (Error error = verifyLoadScale(layer, target))
    return error;
  return verifyScales({&layer}, target);
}

Error fadiff::rules::verifyParts(const Layer &layer, const Mapping &mapping,
                                 const Accelerator &target) {
  if (Error error = verify(layer, target))
    return error;
  return verifyFactors(layer, mapping, target);
}

Error fadiff::verify(const Layer &layer, const Mapping &mapping,
                     const Accelerator &target) {
  if (Error error = verifyParts(layer, mapping, target))
    return error;
  if (Error error = verifyCoverage(layer, mapping))
    return error;
  Footprint rows = footprint(layer, mapping);
  if (saturatingAdd(rows.inputRows, rows.weightRows) > target.scratchpadRows())
    return fail(layer, "scratchpad-capacity", Level::Scratchpad,
                formatv("at most {0} rows", target.scratchpadRows()).str(),
                formatv("{0} (input {1}, weights {2})",
                        saturatingAdd(rows.inputRows, rows.weightRows),
                        rows.inputRows, rows.weightRows)
                    .str(),
                "make the tile smaller");
  return verifyAccumulator(layer, rows, target);
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

Error fadiff::verify(const Network &network, const Schedule &schedule,
                     const Accelerator &target) {
  std::vector<unsigned> seen(network.layers.size(), 0);
  for (const FusionGroup &group : schedule.groups) {
    if (Error error = verify(network, schedule, group, target))
      return error;
    for (unsigned index : group.layers)
      ++seen[index];
  }
  for (auto [index, count] : llvm::enumerate(seen))
    if (count != 1)
      return fail(network.layers[index], "partition", Level::Dram,
                  "the layer in exactly one group", llvm::Twine(count),
                  "the groups must partition the network");
  return Error::success();
}
