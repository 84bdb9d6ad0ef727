//===- Vectorize.h - Functions for the host's vector unit -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a function once for each set of vector instructions. The formulas
// profit only if they end up inside it, for which CMakeLists.txt raises the
// inliner's limit of the files that use this; it also keeps multiplications and
// additions apart, so that all variants give the same numbers to the last bit.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_COSTMODEL_VECTORIZE_H
#define FADIFF_LIB_COSTMODEL_VECTORIZE_H

namespace fadiff {

template <auto Function> struct Vectorized;
template <typename Result, typename... Args, Result (*Function)(Args...)>
struct Vectorized<Function> {
  /// The variant for this host.
  static auto choose() -> Result (*)(Args...) {
#if defined(__x86_64__) && defined(__clang__)
    if (__builtin_cpu_supports("x86-64-v4"))
      return avx512;
    if (__builtin_cpu_supports("x86-64-v3"))
      return avx2;
#endif
    return Function;
  }

private:
#if defined(__x86_64__) && defined(__clang__)
  __attribute__((target("arch=x86-64-v4"),
                 flatten)) static Result avx512(Args... args) {
    return Function(args...);
  }
  __attribute__((target("arch=x86-64-v3"), flatten)) static Result
  avx2(Args... args) {
    return Function(args...);
  }
#endif
};

} // namespace fadiff

#endif // FADIFF_LIB_COSTMODEL_VECTORIZE_H
