//===- Models.h - Cost models by name ---------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The models that can be scored against reference data.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_MODELS_H
#define FADIFF_BENCH_MODELS_H

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/Support/Schema.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fadiff {

/// The model that a user means by `name`. The error for an unknown name lists
/// those that there are.
llvm::Expected<Model> findModel(llvm::StringRef name);

/// What the reference tools check of a mapping whose factors divide: per dim
/// the factors multiply to the bound, the array has the rows and columns, each
/// level holds its tiles (in words). None if all is well.
std::optional<Mismatch> checkExactMapping(const Layer &layer,
                                          const Mapping &mapping,
                                          const Accelerator &target,
                                          int64_t registerWords);

} // namespace fadiff

#endif // FADIFF_BENCH_MODELS_H
