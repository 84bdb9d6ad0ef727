//===- BufferizableOpInterfaceImpl.h - Bufferize loop nests -----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define FADIFF_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

#include "mlir/IR/DialectRegistry.h"

namespace fadiff {

/// Teaches one-shot bufferization that fadiff.loop_nest reads its ins and
/// writes its outs.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
