//===- Contractions.h - What convolutions and products share ----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_ONNX_CONTRACTIONS_H
#define FADIFF_LIB_ONNX_CONTRACTIONS_H

#include "Importer.h"

namespace fadiff::frontend {

/// How a window slides over the spatial axes of an image.
struct Window {
  SmallVector<int64_t> kernel, strides, dilations;
  SmallVector<int64_t> before, after; ///< padding
  /// What the last window reads past the padding, with ceil_mode.
  SmallVector<int64_t> beyond;
  SmallVector<int64_t> extents; ///< of the result
};

/// From the attributes strides, dilations, pads, auto_pad and ceil_mode. Fails
/// if one is out of range or no window fits.
FailureOr<Window> windowOf(Node &n, ArrayRef<int64_t> image,
                           ArrayRef<int64_t> kernel);

/// What is added for a pair of factors; null for their product.
using ProductBody =
    llvm::function_ref<Value(ImplicitLocOpBuilder &, Value, Value)>;

/// Checks operands [N, C, ...] and [F, C / groups, ...], finds the window and
/// returns the shape of the result.
FailureOr<SmallVector<int64_t>>
convolutionShape(Node &n, ArrayRef<int64_t> image, ArrayRef<int64_t> weights,
                 int64_t groups, Window &window);
Value paddedImage(ImplicitLocOpBuilder &b, Value image, const Window &window,
                  Value number);
/// `sums` plus the convolution of an image that is padded already.
Value convolution(ImplicitLocOpBuilder &b, Value image, Value weights,
                  Value sums, int64_t groups, const Window &window,
                  ProductBody product = nullptr);

/// The numbers that bytes stand for which lie elsewhere than those of `from`.
Value dequantised(ImplicitLocOpBuilder &b, Value bytes, const Quantised &from);

/// As NumPy's matmul; sums are of `element`.
FailureOr<Value> matrixProduct(Node &n, Value x, Value y, Type element,
                               ProductBody body = nullptr);

} // namespace fadiff::frontend

#endif // FADIFF_LIB_ONNX_CONTRACTIONS_H
