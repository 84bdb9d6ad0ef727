//===- Networks.h - Networks and machines of the search tests ---*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read from unittests/Inputs/networks.json.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_UNITTESTS_SEARCH_NETWORKS_H
#define FADIFF_UNITTESTS_SEARCH_NETWORKS_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Workload/Network.h"

#include <string>

namespace fadiff::test {

/// "resnet18", "vgg16", "vgg19", "mobilenetv1" or "gpt3-block".
Network readNetwork(const std::string &name);

/// 32 x 32, 64 KB accumulator, 512 KB scratchpad.
Accelerator largeMachine();
/// 16 x 16, 8 KB, 8 KB.
Accelerator smallMachine();
/// 16 x 16, 64 KB, 256 KB; no accumulator-to-scratchpad copy.
Accelerator stockMachine();

} // namespace fadiff::test

#endif // FADIFF_UNITTESTS_SEARCH_NETWORKS_H
