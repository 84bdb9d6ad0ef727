//===- TargetClones.h - Vector code where the host has it -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hot loops are plain C++ that a compiler vectorises. Compiled twice, they
// use AVX2 and FMA where they are there without making the whole build depend
// on it.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SIMULATOR_TARGETCLONES_H
#define FADIFF_LIB_SIMULATOR_TARGETCLONES_H

#if defined(__x86_64__) && defined(__ELF__) && defined(__has_attribute)
#if __has_attribute(target_clones)
#define FADIFF_TARGET_CLONES                                                   \
  __attribute__((target_clones("arch=x86-64-v3", "default")))
#endif
#endif
#ifndef FADIFF_TARGET_CLONES
#define FADIFF_TARGET_CLONES
#endif

#endif // FADIFF_LIB_SIMULATOR_TARGETCLONES_H
