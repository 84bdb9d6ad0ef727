//===- Figures.h - What a run means in seconds and Watts --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_FIGURES_H
#define FADIFF_HARDWARE_FIGURES_H

#include "fadiff/Hardware/Accelerator.h"

namespace fadiff {

/// A run's energy and cycles in the units in which machines are compared. What
/// needs the machine's clock or area is 0 where that is not known.
struct Figures {
  double milliseconds = 0;
  double perSecond = 0; ///< runs
  double milliwatts = 0;
  double perSecondPerMm2 = 0;
};

/// Of a run that takes `energy` pJ and `cycles`, which are positive.
inline Figures figuresOf(const Accelerator &machine, double energy,
                         double cycles) {
  Figures figures;
  if (!(machine.clockHz > 0) || !(cycles > 0))
    return figures;
  const double seconds = cycles / machine.clockHz;
  figures.milliseconds = seconds * 1e3;
  figures.perSecond = 1 / seconds;
  figures.milliwatts = energy * 1e-9 / seconds;
  if (machine.area > 0)
    figures.perSecondPerMm2 = figures.perSecond / machine.area;
  return figures;
}

} // namespace fadiff

#endif // FADIFF_HARDWARE_FIGURES_H
