//===- PassOptions.cpp - Options that are checked at once -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Transforms/PassOptions.h"

#include "fadiff/Support/Files.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace fadiff;

LogicalResult
fadiff::checkWrittenFiles(MLIRContext *context, StringRef pass,
                          ArrayRef<std::pair<StringRef, StringRef>> files) {
  for (auto [option, path] : files)
    if (llvm::Error error = checkWritable((pass + ": " + option).str(), path))
      return emitError(UnknownLoc::get(context))
             << llvm::toString(std::move(error));
  return success();
}

LogicalResult
fadiff::checkTargetOption(Location loc, StringRef pass,
                          const llvm::cl::opt<std::string> &target) {
  if (target.getNumOccurrences() > 1)
    return emitError(loc) << pass
                          << ": target: wanted one machine, found a second one";
  if (target.getNumOccurrences() == 1 && target.empty())
    return emitError(loc) << pass
                          << ": target: wanted a machine's name or a file, "
                             "found nothing";
  return success();
}
