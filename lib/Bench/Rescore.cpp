//===- Rescore.cpp - Scoring a schedule file again ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Rescore.h"

#include "fadiff/Bench/Statistics.h"
#include "fadiff/CostModel/ScheduleFile.h"
#include "fadiff/Support/Schema.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace fadiff;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
/// Compares numbers that stand at the same place of two documents.
struct Agreement {
  int64_t numbers = 0, exact = 0;
  double worst = 0;

  void compare(const json::Value &computed, const json::Value *found) {
    if (!found)
      return;
    if (const json::Object *object = computed.getAsObject()) {
      if (const json::Object *other = found->getAsObject())
        for (const auto &[key, value] : *object)
          compare(value, other->get(key));
      return;
    }
    std::optional<double> a = computed.getAsNumber(), b = found->getAsNumber();
    if (!a || !b)
      return;
    ++numbers;
    exact += *a == *b;
    worst = std::max(worst, *a == *b ? 0 : relativeError(*a, *b));
  }

  /// The members `keys` of the objects in two arrays of the same length.
  void compare(const json::Object &computed, const json::Object &found,
               StringRef array, llvm::ArrayRef<StringRef> keys) {
    for (auto [a, b] :
         llvm::zip_equal(*computed.getArray(array), *found.getArray(array)))
      for (StringRef key : keys)
        compare(*a.getAsObject()->get(key), b.getAsObject()->get(key));
  }
};
} // namespace

llvm::Expected<json::Object> fadiff::rescore(StringRef text, StringRef file,
                                             StringRef model) {
  llvm::Expected<ScheduleFile> schedule = readSchedule(text, file);
  if (!schedule)
    return schedule.takeError();
  if (model.empty())
    model = schedule->model;
  std::unique_ptr<CostFunction> cost = findCostFunction(model);
  if (!cost)
    return llvm::createStringError(
        file +
        ": model: wanted a built-in one, such as machine, 'machine "
        "streams' or 'timeloop paper', found '" +
        model + "'; give one with --model");
  ScheduleCost scored = evaluateSchedule(schedule->network, schedule->schedule,
                                         schedule->target, *cost);

  Agreement agreement;
  if (std::unique_ptr<CostFunction> own = findCostFunction(schedule->model)) {
    // That it parses, readSchedule has seen.
    json::Value document = llvm::cantFail(parseJson(text, file));
    json::Value fresh = toJson(*schedule, *own);
    const json::Object &computed = *fresh.getAsObject();
    const json::Object &found = *document.getAsObject();
    agreement.compare(computed, found, "points", {"predicted"});
    agreement.compare(computed, found, "groups", {"energy_pj", "cycles"});
    agreement.compare(*computed.get("totals"), found.get("totals"));
  }
  size_t fused = 0;
  for (const FusionGroup &group : schedule->schedule.groups)
    fused += group.layers.size() > 1;
  return json::Object{{"model", model.str()},
                      {"file_model", schedule->model},
                      {"target", schedule->target.name},
                      {"layers", int64_t(schedule->network.layers.size())},
                      {"groups", int64_t(schedule->schedule.groups.size())},
                      {"fused_groups", int64_t(fused)},
                      {"energy_pj", scored.energy},
                      {"cycles", scored.cycles},
                      {"edp_uj_cycles", scored.edp()},
                      {"dram_read_bytes", scored.dramBytes.reads()},
                      {"dram_write_bytes", scored.dramBytes.writes()},
                      {"numbers_in_file", agreement.numbers},
                      {"numbers_exact", agreement.exact},
                      {"max_rel_error", agreement.worst}};
}
