//===- LayerMatch.h - Layers recognised by structure ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IR -> Workload: which linalg ops are a layer, and which layer. Recognition
// goes by indexing maps and scalar bodies, never by op name.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_LAYERMATCH_H
#define FADIFF_ANALYSIS_LAYERMATCH_H

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <array>
#include <string>

namespace fadiff {

/// One tensor operand of a layer and how its axes must be permuted so that the
/// accelerator's contiguous axis (channels) comes last.
struct LayerOperand {
  mlir::Value value;
  /// Axis letters of `value` as it is, outermost first.
  std::string layout;
  /// Result axis i is axis permutation[i] of `value`; empty if none is needed.
  llvm::SmallVector<int64_t> permutation;
  /// Whether its axis of channels (C or K) counts those of all groups. To the
  /// layer these are two axes, groups outermost.
  bool joinsGroups = false;

  /// The layer's, after the permutation.
  std::string permutedLayout() const;
};

/// The two loops of the index `outer * extent of inner + inner`.
struct JoinedLoops {
  unsigned outer, inner;
};
/// These of `index` if loops have extents `ranges`. None of anything else.
std::optional<JoinedLoops> matchJoined(mlir::AffineExpr index,
                                       llvm::ArrayRef<int64_t> ranges);

/// A contraction with the operations around it that the accelerator takes over.
struct LayerMatch {
  mlir::linalg::LinalgOp contraction;
  LayerOperand input; ///< before padding
  LayerOperand weights;
  mlir::Value bias;     ///< tensor<channels x i32> (f32), or null
  mlir::Value residual; ///< tensor of the result's shape, or null
  /// How the axes of the residual are permuted, as the output's are.
  llvm::SmallVector<int64_t> residualPermutation;
  LayerOperand output; ///< the value that the layer replaces
  /// Axis of `output.value` along which channels lie; its rank if there is one
  /// channel and no axis for it.
  unsigned channelAxis = 0;
  ir::WorkloadAttr workload; ///< in the permuted layouts
  ir::EpilogueAttr epilogue;
  /// All operations that belong to the layer, in block order, the contraction
  /// and tail among them; `output.value` is the last one's result.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Why the tail ends where it does; empty if nothing follows that could have
  /// been part of it.
  std::string tailEnd;
  /// The operation that is no part of the tail, if that is why it ends.
  mlir::Operation *tailEndsAt = nullptr;
  /// Whether it ends because what is made of int32 sums is left in floats.
  bool tailIsReal = false;
};

/// Whether `op` multiplies two operands and sums the products: a candidate, for
/// which a failed match deserves a reason.
bool isContraction(mlir::linalg::LinalgOp op);

/// The loops of `op` by kind if its indices slide a window. Fails if they do
/// not, or if the attributes of the window cannot be read.
mlir::FailureOr<mlir::linalg::ConvolutionDimensions>
convolutionDims(mlir::linalg::LinalgOp op);

/// Matches the layer around contraction `op` for an array of `arithmetic` whose
/// read-out can do `readOut`. On failure `reason` says what stands in the way.
mlir::FailureOr<LayerMatch> matchLayer(mlir::linalg::LinalgOp op,
                                       Arithmetic arithmetic,
                                       std::string &reason,
                                       const ReadOutFeatures &readOut = {});

/// Two tensors of one shape that are added, element by element: int8 to int32,
/// or f32. That is what a residual connection starts with.
struct ResidualSum {
  unsigned input = 0, residual = 1; ///< operands
  /// Of int8: sum = weight * input + whole * residual +
  /// saturate_i8(round_half_even(scale * residual)), or without a scale with
  /// the residual as it is.
  int64_t weight = 1; ///< in [-128, 127]
  int64_t whole = 0;
  std::optional<llvm::APFloat> scale;

  /// Whether either operand can be the input.
  bool isSymmetric() const { return weight == 1 && !scale; }
};

/// What `op` adds, if it is such a sum.
std::optional<ResidualSum> matchResidualSum(mlir::linalg::LinalgOp op);

/// Whether `op` is such a sum of int8 that the accelerator's read-out takes to
/// int8 again.
bool isReadOutSum(mlir::linalg::LinalgOp op);

/// Whether `tensor` has enough elements, known ones, for a layer that does what
/// the core could do as well: the core takes less time for a small one than a
/// layer does to begin.
bool isWorthALayer(mlir::Value tensor);

/// Matches a sum as above and its read-out as a depthwise layer of one tap
/// (docs/Frontends.md). If `sum` is symmetric, it becomes one whose input ends
/// the longer chain of layers. Where the input is not what a layer makes for
/// that sum alone, the sum is of int8 and worth a layer. The weights, of
/// `sum.weight`, are left for the caller to make. The tail is what `readOut`
/// can do but scales per channel. On failure `reason` says what stands in the
/// way.
mlir::FailureOr<LayerMatch> matchResidual(mlir::linalg::LinalgOp op,
                                          ResidualSum &sum, std::string &reason,
                                          const ReadOutFeatures &readOut = {});

/// Which axis of `op`'s result the layer's output channels lie along: where a
/// bias varies. Null if `op` is no layer or has no such axis.
std::optional<unsigned> outputChannelAxis(mlir::linalg::LinalgOp op);

/// The loops of a convolution of groups that counts channels through.
struct ChannelGroups {
  unsigned group = 0;
  std::optional<unsigned> channel, filter; ///< none if a group has one
};
/// These of `op`; none if it is none.
std::optional<ChannelGroups> channelGroups(mlir::linalg::LinalgOp op);

/// How the axes of a contraction's operands (input, weights, result) must be
/// permuted so that channels come last, as in LayerOperand; empty where they
/// do.
using ChannelPermutations = std::array<llvm::SmallVector<int64_t>, 3>;

/// These for `op`. Null if all are empty or `op` is no layer.
std::optional<ChannelPermutations>
channelPermutations(mlir::linalg::LinalgOp op);

/// If `value` is a rank-1 tensor broadcast along every axis but `axis` of its
/// type, the rank-1 tensor, with the broadcasting op appended to `ops`.
mlir::Value matchBroadcast(mlir::Value value, unsigned axis,
                           llvm::SmallVectorImpl<mlir::Operation *> &ops);

/// Whether `op` maps `chain` elementwise to its one result, and which other
/// operand it reads (null: none). `reason` says why not.
bool isElementwiseOn(mlir::linalg::LinalgOp op, mlir::Value chain,
                     mlir::OpOperand *&extra, std::string &reason);

/// A name for the layer: the innermost NameLoc of its location, else "".
std::string layerName(mlir::Location loc);

/// The first place in a file that the location names, or null.
mlir::FileLineColLoc fileLocation(mlir::Location loc);

} // namespace fadiff

#endif // FADIFF_ANALYSIS_LAYERMATCH_H
