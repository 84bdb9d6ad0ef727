//===- Names.cpp - Options by name ----------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Search.h"

using namespace fadiff;
using llvm::StringRef;

template <typename T> struct Named {
  T value;
  const char *name;
};

static constexpr Named<Objective> objectives[] = {
    {Objective::Edp, "edp"},
    {Objective::Energy, "energy"},
    {Objective::Latency, "latency"}};
static constexpr Named<Optimizer> optimizers[] = {
    {Optimizer::Fadiff, "fadiff"},
    {Optimizer::Dosa, "dosa"},
    {Optimizer::Ga, "ga"},
    {Optimizer::Bo, "bo"},
    {Optimizer::HillClimb, "hillclimb"},
    {Optimizer::Random, "random"},
    {Optimizer::Heuristic, "heuristic"},
    {Optimizer::Exact, "exact"}};
static constexpr Named<Fuse> fuses[] = {
    {Fuse::Off, "off"}, {Fuse::Chains, "chains"}, {Fuse::On, "on"}};
static constexpr Named<bool> switches[] = {{true, "on"}, {false, "off"}};
static constexpr Named<Ended> endings[] = {
    {Ended::Done, "done"},
    {Ended::TimeLimit, "time limit"},
    {Ended::MaxEvaluations, "evaluation limit"},
    {Ended::Stopped, "stopped"}};

template <typename T, size_t N>
static StringRef find(const Named<T> (&table)[N], T value) {
  for (const Named<T> &entry : table)
    if (entry.value == value)
      return entry.name;
  return "";
}
template <typename T, size_t N>
static std::optional<T> find(const Named<T> (&table)[N], StringRef name) {
  for (const Named<T> &entry : table)
    if (name == entry.name)
      return entry.value;
  return std::nullopt;
}

StringRef fadiff::nameOf(Objective objective) {
  return find(objectives, objective);
}
StringRef fadiff::nameOf(Optimizer optimizer) {
  return find(optimizers, optimizer);
}
StringRef fadiff::nameOf(Fuse fuse) { return find(fuses, fuse); }
StringRef fadiff::nameOfSwitch(bool isOn) { return find(switches, isOn); }
std::optional<bool> fadiff::parseSwitch(StringRef name) {
  return find(switches, name);
}
StringRef fadiff::nameOf(Ended ended) { return find(endings, ended); }
std::optional<Objective> fadiff::parseObjective(StringRef name) {
  return find(objectives, name);
}
std::optional<Optimizer> fadiff::parseOptimizer(StringRef name) {
  return find(optimizers, name);
}
std::optional<Fuse> fadiff::parseFuse(StringRef name) {
  return find(fuses, name);
}
llvm::ArrayRef<Optimizer> fadiff::allOptimizers() {
  static constexpr Optimizer all[] = {Optimizer::Fadiff,    Optimizer::Dosa,
                                      Optimizer::Ga,        Optimizer::Bo,
                                      Optimizer::HillClimb, Optimizer::Random,
                                      Optimizer::Heuristic, Optimizer::Exact};
  return all;
}
