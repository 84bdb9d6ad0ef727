//===- RelaxedNetwork.h - All layers of the relaxed problem -----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network's relaxed mappings and fusion, what they cost at a sample, and a
// step down from there.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GRADIENT_RELAXEDNETWORK_H
#define FADIFF_LIB_SEARCH_GRADIENT_RELAXEDNETWORK_H

#include "RelaxedLayer.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace fadiff::relaxed {

/// The layers of a unit, joined by what is fused: its tiles are its reader's,
/// and so are halos (docs/Search.md, eq. 3 and 4).
class ChainState {
public:
  std::vector<LayerState> layers;
  std::vector<Gate> edges; ///< sigma, per edge
  double multiplicity = 1;

  Surroundings around(size_t l) const;
  /// The log of the tile that a layer runs with.
  double logTile(size_t l, Dim dim) const {
    return layers[l].logTile(dim) + tied[l][dim];
  }
  /// Works out what the layers have from each other; to be called whenever a
  /// variable has moved.
  void join();
  /// Derivatives of the loss by all variables. `slope(l, i)`: by the i-th
  /// number that layer l's cost was differentiated by, all else fixed.
  void differentiate(llvm::function_ref<double(size_t, unsigned)> slope);
  void step(unsigned number, const GradientOptions &options);
  UnitGates gates() const;

private:
  /// Log of the tile with which layer l would be cut into as many tiles as its
  /// reader, over its own tile.
  double apart(size_t l, Dim dim) const;

  std::vector<PerAxis<double>> seams; ///< per layer
  std::vector<PerDim<double>> tied;   ///< per layer
};

/// What a sample of all variables takes.
struct Sample {
  double energy = 0, cycles = 0; ///< pJ, cycles; without what is given
  /// Squares of relative violations, each weighed with its layer's part of the
  /// objective.
  double violation = 0;
};

/// The rows that a layer needs at most, and which layer that is.
struct MostRows {
  double rows = 0;
  const LayerState *layer = nullptr;
};

/// The temperature when `progress`, from 0 to 1, is done.
double temperatureAt(const GradientOptions &options, double progress);

class RelaxedNetwork {
public:
  RelaxedNetwork(const Problem &problem, const std::vector<Unit> &units,
                 const GradientOptions &options, const StartPoint &start,
                 Factors kind, Capacities capacities = Capacities::Kept);

  /// A sample; without `noise` there is none. With Orders::Last each layer has
  /// the loop order that was best at the last one.
  Sample evaluate(double temperature, std::mt19937_64 *noise, Budget &budget,
                  Orders orders = Orders::All);
  /// The logarithm of the objective at the sample, with what is given, and the
  /// weighted violations.
  double loss(const Sample &sample) const;

  /// One step of Adam from the last sample. `byNeed`: derivatives of the loss
  /// by the logs of the most rows that a layer needs.
  void step(unsigned number, const Sample &last,
            const PerMemory<double> &byNeed = {});

  /// What a pJ and a cycle weigh in the loss at the sample.
  double energyWeight(const Sample &sample) const;
  double cyclesWeight(const Sample &sample) const;

  /// At the last sample.
  llvm::ArrayRef<ChainState> units() const { return chains; }
  PerMemory<MostRows> needs() const;
  RelaxedPoint point() const;
  std::vector<UnitGates> gates() const;

private:
  const Problem &problem;
  const GradientOptions &options;
  const Evaluator evaluator;
  std::vector<ChainState> chains;
};

} // namespace fadiff::relaxed

#endif // FADIFF_LIB_SEARCH_GRADIENT_RELAXEDNETWORK_H
