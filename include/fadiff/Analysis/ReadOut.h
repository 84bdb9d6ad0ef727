//===- ReadOut.h - Fitting the accelerator's read-out -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks come with integer requantisation: a 32-bit multiplier, a shift, one
// of several roundings, an output zero point. The accelerator multiplies by a
// float32 and rounds half to even. This decides for which scale, if any, the
// two are the same function of the sums that can occur. Machines whose read-out
// can do more have more to choose from (docs/Hardware.md, "Read-out").
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_READOUT_H
#define FADIFF_ANALYSIS_READOUT_H

#include "fadiff/Hardware/Accelerator.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace fadiff {

/// clamp(roundeven(f32(sum + offset) * scale) + zeroPoint, low, high), where a
/// ReLU replaces negative sums by zero.
struct ReadOut {
  float scale = 1;
  bool relu = false;
  int64_t offset = 0;
  int64_t zeroPoint = 0, low = -128, high = 127;

  int64_t operator()(int64_t sum) const;
};

/// A function of the sums of one output channel (or of all of them), which must
/// never decrease over [low, high].
struct RequantisedChannel {
  std::function<int64_t(int64_t)> function; ///< to [-128, 127]
  int64_t low, high;                        ///< sums that can occur, inclusive
};

struct ReadOutFit {
  ReadOut readOut;
  /// One per channel; empty if all have readOut's.
  std::vector<float> scales;
  /// Largest distance of the read-out from a channel's function; 0 if they are
  /// the same for every sum.
  int64_t deviation = 0;
  int64_t worstSum = 0; ///< a sum for which it is that large
};

/// The read-out that equals all `channels`, if there is one; else the nearest
/// that was found. Exact: scales are not sampled, the set of scales that are
/// right at every step of a function is an interval. Offsets other than 0 are
/// tried only for a single channel. Scales are positive and finite; of several
/// that fit, the one with the fewest significant bits. `features` says what
/// else the read-out can do; what it takes less of is preferred. `channels` is
/// not empty.
ReadOutFit fitReadOut(llvm::ArrayRef<RequantisedChannel> channels,
                      const ReadOutFeatures &features = {});

} // namespace fadiff

#endif // FADIFF_ANALYSIS_READOUT_H
