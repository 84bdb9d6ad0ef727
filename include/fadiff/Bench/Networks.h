//===- Networks.h - The networks of the comparison --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The five networks of FADiff's Table 1, as layers and edges.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_NETWORKS_H
#define FADIFF_BENCH_NETWORKS_H

#include "fadiff/Search/Exact.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fadiff {

/// resnet18, mobilenetv1, vgg16, vgg19, gpt3-512 and gpt3-2048 (one block of
/// GPT-3 6.7B at that sequence length).
llvm::ArrayRef<llvm::StringRef> benchNetworkNames();

/// At 224 x 224, batch 1, with the biases of folded batch normalisation. An
/// edge that goes through something else than a ReLU is blocked, with the
/// reason. The error for an unknown name lists those that there are.
llvm::Expected<Network> benchNetwork(llvm::StringRef name);

/// `network` with taps of thin layers as channels where `target` is then
/// predicted to take less, each layer searched alone for `options.objective`
/// (docs/Lowering.md, "Thin layers"). The host lays out what they read; edges
/// into them are blocked.
Network withThinLayersPacked(Network network, const Accelerator &target,
                             const ExactOptions &options);

} // namespace fadiff

#endif // FADIFF_BENCH_NETWORKS_H
