//===- Peers.h - What the search is compared with ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Optimisers of others, which take a layer at a time. `enough` are evaluations
// per class after which they end if nothing else limits them.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_PEERS_PEERS_H
#define FADIFF_LIB_SEARCH_PEERS_PEERS_H

#include "../Problem/Findings.h"

namespace fadiff {

/// DOSA's method (Hong et al., MICRO 2023) on this model: per layer continuous
/// factors, Adam, rounding to divisors now and then, the best loop order of
/// three at each level; no fusion and no climb. `gradient` is what `options`
/// do not say.
void searchDosa(const Problem &problem, const DosaOptions &options,
                GradientOptions gradient, Budget &budget, Findings &findings);
/// Random mappings. Unless misfits are repaired, `findings` start with those of
/// firstThatFits(), which it draws again.
void searchRandom(const Problem &problem, Misfits misfits, uint64_t enough,
                  Budget &budget, Findings &findings);
/// The first mapping of the class that searchRandom() draws and that fits.
/// Fails if none of `enough` does, or of ten times as many where misfits are
/// drawn again.
llvm::Expected<Mapping> firstThatFits(const Problem &problem, size_t layerClass,
                                      Misfits misfits, uint64_t enough);
/// Hill climbs, first from the start, then from random mappings.
void searchByClimbs(const Problem &problem, const ClimbOptions &options,
                    uint64_t enough, Budget &budget, Findings &findings);
void searchGenetic(const Problem &problem, const GeneticOptions &options,
                   uint64_t enough, Budget &budget, Findings &findings);
void searchBayesian(const Problem &problem, const BayesianOptions &options,
                    Budget &budget, Findings &findings);

/// Takes one turn at a layer, judging by the goal; everything it evaluates goes
/// to `found`. A turn lasts a generation, a climb, or a few hundred points. How
/// often it began anew.
using Turn = std::function<unsigned(const Goal &, Budget &,
                                    std::vector<Candidate> &found)>;

/// `create` makes what takes the turns of a class, given where it starts and
/// its random numbers. The classes take turns, and between turns the network's
/// totals tell each what energy and cycles are worth.
void takeTurns(const Problem &problem, uint64_t enough, Budget &budget,
               Findings &findings,
               llvm::function_ref<Turn(const LayerProblem &,
                                       const Mapping &start, std::mt19937_64)>
                   create);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PEERS_PEERS_H
