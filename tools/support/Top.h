//===- Top.h - The largest scores of an output ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_SUPPORT_TOP_H
#define FADIFF_TOOLS_SUPPORT_TOP_H

#include "fadiff/Runner/HostTensor.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace fadiff {

/// The lines of `path`: names of classes in their order. An empty line at the
/// end is none.
llvm::Expected<std::vector<std::string>> readLabels(llvm::StringRef path);

/// Whether `output` has scores of classes, along its last axis, as many as
/// there are labels, if there are any. The error says what was wanted and
/// found.
llvm::Error checkScores(const TensorSpec &output,
                        llvm::ArrayRef<std::string> labels,
                        llvm::StringRef labelsFile);

/// Prints the `count` largest scores of each row of `output`, which
/// checkScores() accepts: place, number and label of the class, score. Of equal
/// scores that of the smaller number is first; NaN is last.
void printTop(llvm::raw_ostream &os, const HostTensor &output, unsigned count,
              llvm::ArrayRef<std::string> labels);

} // namespace fadiff

#endif // FADIFF_TOOLS_SUPPORT_TOP_H
