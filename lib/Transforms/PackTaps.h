//===- PackTaps.h - Kernel taps as channels of thin layers ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_PACKTAPS_H
#define FADIFF_LIB_TRANSFORMS_PACKTAPS_H

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Hardware/CoreWork.h"
#include "fadiff/Workload/Layer.h"

#include <string>
#include <vector>

namespace fadiff {

/// A layer whose channels leave most rows of the array empty.
struct ThinLayer {
  ir::LayerOp op;
  /// Which taps it can have as channels such that some mapping fits the
  /// machine; the array then has at most half as many passes to make.
  std::vector<PackedTaps> forms;
  std::string reason; ///< why one that would be of use is not in `forms`
};

/// Adds the thin layers under `root` that have no mapping yet.
void findThinLayers(mlir::Operation *root, const Accelerator &machine,
                    std::vector<ThinLayer> &thin);

/// Gives `op` one of its forms, and says so in a remark.
void packTaps(ir::LayerOp op, PackedTaps packed, const Accelerator &machine);

/// What the core does in each call for `op` to have this form: laying out the
/// image.
CoreWork coreWorkOf(ir::LayerOp op, PackedTaps packed);

/// Says in a remark that `op` stays as it is, because of `reason`.
void remarkNotPacked(ir::LayerOp op, const Accelerator &machine,
                     llvm::StringRef reason);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_PACKTAPS_H
