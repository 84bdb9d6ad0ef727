//===- ScheduleFile.h - Schedules as JSON -----------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule with everything that its cost depends on, so that anyone can score
// it again. docs/ScheduleFile.md describes the form.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_SCHEDULEFILE_H
#define FADIFF_COSTMODEL_SCHEDULEFILE_H

#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/Support/Schema.h"

namespace fadiff {

/// The version of the form; a file of another one is refused.
inline constexpr int64_t kScheduleFileVersion = 1;

struct ScheduleFile {
  Accelerator target;
  /// The name of the cost model, as in #fadiff.cost: "machine", "timeloop", ...
  std::string model = "machine";
  /// Edges are only those inside groups.
  Network network;
  /// Per layer, the function that it stands in.
  std::vector<std::string> functions;
  Schedule schedule;
};

/// A built-in cost model: a convention, then "paper" and "streams" where they
/// are not the defaults. Nullopt for another name.
struct BuiltInModel {
  Convention convention = Convention::Machine;
  Model model = Model::Exact;
  Latency latency = Latency::Roofline;
};
std::optional<BuiltInModel> parseBuiltInModel(llvm::StringRef name);
/// Its cost function; null for another model.
std::unique_ptr<CostFunction> findCostFunction(llvm::StringRef model);

/// The schedule with its cost by `cost`, layer by layer and in total. Numbers
/// are written so that reading gives the same bits.
llvm::json::Value toJson(const ScheduleFile &schedule,
                         const CostFunction &cost);

/// A group in a schedule file or in the cache: `layers`, and what of
/// `keep_rows`, `keep_columns`, `pools_output`, `by_loop`, `live_skips` and
/// `input_slices` it has. `nameOf` says how layers are called there.
llvm::json::Object
toJson(const FusionGroup &group,
       llvm::function_ref<llvm::json::Value(unsigned)> nameOf);
/// Reads what toJson() wrote. `numberOf` returns the layer that a field names,
/// or complains.
FusionGroup readGroup(
    const JsonField &field,
    llvm::function_ref<std::optional<unsigned>(const JsonField &)> numberOf);

/// Reads what toJson() wrote. The schedule is legal: each mapping and group
/// passes verify(). Where predicted costs stand in the file and its model is
/// built in, they are computed anew and must agree to 1e-9, so that a damaged
/// file, or one of a different model, does not pass; whoever edits a mapping
/// takes `predicted` and `totals` out. The error names file, layer and field,
/// what was wanted and found.
llvm::Expected<ScheduleFile> readSchedule(llvm::StringRef text,
                                          llvm::StringRef file);

/// A mapping of points.json (docs/ScheduleFile.md): `temporal`, `spatial` and
/// `permutation`. Not checked for legality.
Mapping readMapping(const JsonField &field, const Layer &layer);
llvm::json::Value toJson(const Mapping &mapping, const Layer &layer);

/// `dims`, `stride` and, if they are there, `dilation`, `pad`, `input`, `bias`
/// and `output_bytes`. What is left out is 1; the input the whole window;
/// false; 1.
Layer readLayer(const JsonField &field);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_SCHEDULEFILE_H
