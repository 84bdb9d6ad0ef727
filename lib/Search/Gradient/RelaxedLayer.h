//===- RelaxedLayer.h - One layer of the relaxed problem ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer's variables, and what it costs at a sample of them, with derivatives
// by these and by what its chain asks of it.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GRADIENT_RELAXEDLAYER_H
#define FADIFF_LIB_SEARCH_GRADIENT_RELAXEDLAYER_H

#include "Relaxation.h"

#include "fadiff/CostModel/Rates.h"
#include "fadiff/CostModel/Relaxed.h"

namespace fadiff::relaxed {

/// Derivatives are by at most 2 array factors, 3 register and twice 7 other
/// factors (K and C of a depthwise layer are 1, G of any other stays at DRAM),
/// then by what the chain asks (Surroundings) and the layer's residency gate.
inline constexpr unsigned kInputEnd = 19, kOutputEnd = 20, kSeam = 21,
                          kTied = 23, kResident = 26, kWidth = 27;
using D = Dual<kWidth>;

/// Dims whose tiles a group's members share, in the order of kTied.
inline constexpr std::array<Dim, 3> kSharedDims = {Dim::N, Dim::P, Dim::Q};

/// A number that Adam moves.
struct Moving {
  double x = 0;
  double gradient = 0;
  double moment = 0, square = 0;
  void step(unsigned number, const GradientOptions &options);
};

/// One variable: the log of a factor, with the factors that it may become.
struct Variable : Moving {
  Slot slot;
  Dim dim;
  std::vector<double> logChoices;

  Variable(const Layer &layer, int64_t limit, bool divisorsOnly, Slot slot,
           Dim dim);

  /// The sampled factor; its derivative is that of the soft choice, taken in
  /// log space (eqs. 1 to 3 of the paper with a log distance).
  D sample(const GradientOptions &options, double temperature,
           std::mt19937_64 *rng, unsigned index, Factors kind) const;
};

/// A gate in [0, 1], whose logit moves.
struct Gate {
  double gradient = 0; ///< by the gate's value
  bool joins = true;   ///< if not, it is shut
  double value() const { return joins ? 1 / (1 + std::exp(-logit.x)) : 0; }
  void step(unsigned number, const GradientOptions &options);

private:
  Moving logit;
};

template <typename T> struct PerMemory {
  T scratchpad{}, accumulator{};
};

struct LayerState {
  const Layer *layer = nullptr;
  std::vector<Variable> variables;
  Gate resident; ///< how far its weights stay, if it is in a group
  // At the last sample:
  PerLevel<LoopOrder> order{kAllDims};
  D energy, cycles, violation;
  PerMemory<D> rows; ///< that it needs
  /// What its cost is made of: under each loop order that was tried, with its
  /// part; empty of a cost of somebody else's.
  llvm::SmallVector<std::pair<double, Counts>, 9> charged;

  double logTile(Dim dim) const { // of the scratchpad
    double sum = 0;
    for (const Variable &v : variables)
      if (v.dim == dim)
        sum += v.x;
    return sum;
  }
};

/// What a layer has from the edges of its chain (docs/Search.md, eq. 4).
struct Surroundings {
  bool inChain = false;
  double sigmaIn = 0, sigmaOut = 0;
  /// Rows and columns of its output made again at each seam of two tiles.
  PerAxis<double> seam{0, 0};
  /// Log of what its own tile is multiplied with to be its reader's.
  PerDim<double> tied{0};
};

/// Rows of a layer's fused ends: all channels of the tile, `side` to a row, and
/// of its input the whole window.
struct HeldRows {
  D input, output;
};

/// Which loop orders are tried.
enum class Orders : uint8_t {
  All,
  Last, ///< the one that was best at the last sample
};

/// Whether a layer may need more rows than the machine has.
enum class Capacities : uint8_t { Kept, Open };

/// Costs of layers at a sample of their variables.
class Evaluator {
public:
  Evaluator(const Problem &problem, const GradientOptions &options,
            Factors kind, Capacities capacities)
      : problem(problem), target(problem.target), options(options), kind(kind),
        capacities(capacities) {}

  /// Energy, cycles and violations at a sample; without `rng` there is no
  /// noise.
  void evaluate(LayerState &state, double temperature, std::mt19937_64 *rng,
                const Surroundings &around, Budget &budget,
                Orders orders) const;

private:
  BasicLayerCost<D> countInChain(const Nest<D> &nest, const FusedEnds<D> &fused,
                                 const PerAxis<D> &seam,
                                 const D &resident) const;
  void evaluateForeign(LayerState &state, const RelaxedFactors<D> &factors,
                       double sigmaIn, double sigmaOut, Budget &budget) const;
  void addViolations(LayerState &state, const PerDim<D> &product,
                     const Nest<D> &nest, const FusedEnds<D> &fused,
                     const PerAxis<D> &seam, const D &resident) const;
  D accumulatorRows(const Nest<D> &nest, const FusedEnds<D> &fused,
                    const PerAxis<D> &seam) const;
  HeldRows heldRows(const Nest<D> &nest, const PerAxis<D> &seam) const;
  D scratchpadRows(const Nest<D> &nest, const FusedEnds<D> &fused,
                   const PerAxis<D> &seam, const D &resident) const;

  const Problem &problem;
  const Accelerator &target;
  const GradientOptions &options;
  const Factors kind;
  const Capacities capacities;
};

} // namespace fadiff::relaxed

#endif // FADIFF_LIB_SEARCH_GRADIENT_RELAXEDLAYER_H
