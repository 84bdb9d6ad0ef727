//===- RandomNetwork.h - Random small networks as MLIR text -----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_UNITTESTS_ENDTOEND_RANDOMNETWORK_H
#define FADIFF_UNITTESTS_ENDTOEND_RANDOMNETWORK_H

#include <cstdint>
#include <random>
#include <string>

namespace fadiff::test {

/// A module with a function @main: one convolution, depthwise or grouped
/// convolution, GEMM or batched GEMM with a random tail, or a short chain of
/// layers that may be fused (1x1 after 1x1, 1x1 after depthwise, GEMM after
/// GEMM). Odd sizes, strides 1 to 3, dilation, kernels 1 to 7, channels 1 to
/// 200, batch 1 to 3, several layouts.
std::string randomNetwork(std::mt19937_64 &rng);

/// A module with a function @main of two to five layers, each reading the one
/// before: convolutions, 1x1 and depthwise, kernels 1 to 5, strides and
/// dilations 1 to 3, odd sizes, padding of either side on its own: mostly up to
/// half the window, now and then so much that whole windows see nothing else;
/// with zeros, or with a zero point.
std::string randomChain(std::mt19937_64 &rng);

/// A module with a function @main of one to three residual blocks: one to three
/// layers of which the block's input is added to the last one's output, or two
/// branches from it.
std::string randomBlocks(std::mt19937_64 &rng);

/// A module with a function @main of two to five layers with max pooling
/// between some of them and perhaps behind the last, windows and strides of 1
/// to 3 pixels; one may be added to what was pooled.
std::string randomPools(std::mt19937_64 &rng);

/// A module with a function @main of one or two residual blocks inside of which
/// max pooling keeps the image.
std::string randomPooledBlocks(std::mt19937_64 &rng);

/// A module with a function @main of two layers that read the same and are
/// added, both pooled, one after more layers; perhaps others around them.
std::string randomPooledBranches(std::mt19937_64 &rng);

/// Networks, chains and pools as above whose tails have scales of channels,
/// zero points and bounds, which only a read-out that can do more takes.
std::string randomWideNetwork(std::mt19937_64 &rng);
std::string randomWideChain(std::mt19937_64 &rng);
std::string randomWidePools(std::mt19937_64 &rng);

/// Networks and chains as above in f32.
std::string randomRealNetwork(std::mt19937_64 &rng);
std::string randomRealChain(std::mt19937_64 &rng);

/// A module with a function @main: a matrix product, a batch of them or a 1x1
/// convolution over 32, 64, 96 or 128 channels, with a random tail.
std::string randomProduct(std::mt19937_64 &rng);
/// The same in f32.
std::string randomRealProduct(std::mt19937_64 &rng);

/// A module with a function @main: a convolution of one to six channels with
/// kernels 1 to 7, alone in any layout or at the head of a chain as above.
std::string randomThinNetwork(std::mt19937_64 &rng);
/// The same in f32.
std::string randomRealThinNetwork(std::mt19937_64 &rng);

} // namespace fadiff::test

#endif // FADIFF_UNITTESTS_ENDTOEND_RANDOMNETWORK_H
