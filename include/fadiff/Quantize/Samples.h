//===- Samples.h - Inputs to calibrate with ---------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_QUANTIZE_SAMPLES_H
#define FADIFF_QUANTIZE_SAMPLES_H

#include "fadiff/Runner/Entry.h"

#include <string>
#include <vector>

namespace fadiff {

/// One call of the network.
struct Sample {
  std::string name;
  std::vector<HostTensor> arguments;
};

/// The samples in `directory`, in the order of their names. Of a function with
/// one argument each file is a sample, or several: where the argument's first
/// extent is 1 a file may hold any number of them along that axis. Each
/// subdirectory is a sample as well, of files input_0, input_1, ..., one for
/// each argument; what else is there is not read. Files end in .npy or .pb.
/// Fails, naming the file, if there is none, or one is missing, of another type
/// or shape, or has a NaN or an infinity.
llvm::Expected<std::vector<Sample>> readSamples(llvm::StringRef directory,
                                                const EntryPoint &entry,
                                                TensorReader read = readNpy);

/// `count` samples of pseudo-random arguments, as `fadiff-run` fills them from
/// `seed`, `seed` + 1, ...
llvm::Expected<std::vector<Sample>> drawSamples(const EntryPoint &entry,
                                                unsigned count, uint64_t seed);

} // namespace fadiff

#endif // FADIFF_QUANTIZE_SAMPLES_H
