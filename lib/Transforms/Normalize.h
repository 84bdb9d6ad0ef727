//===- Normalize.h - Steps of fadiff-normalize ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_NORMALIZE_H
#define FADIFF_LIB_TRANSFORMS_NORMALIZE_H

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fadiff {

/// Whether `op` is one loop nest without reduction.
bool mapsElements(mlir::linalg::LinalgOp op);

/// Whether a contraction's result is among what `value` is computed from,
/// through reshapes, transposes, slices, insertions, concatenations, gathers
/// and operands of elementwise operations that are as large as their results.
bool comesFromContraction(mlir::Value value);

/// What an operation without inputs picks elements from, as resizing does.
struct Gather {
  mlir::Value tensor;
  /// For each axis of the tensor, the loop that alone says where along it.
  llvm::SmallVector<int64_t> loops;
};
/// Of an operation that makes each element of what it reads at places made of
/// indices and constants, from one tensor that is none. None of any other.
std::optional<Gather> matchGather(mlir::linalg::GenericOp op);

/// The axis of `type`, out of `group`, that has more than one element; the
/// first one if none has, and none if several have.
std::optional<int64_t> wideAxis(mlir::RankedTensorType type,
                                const mlir::ReassociationIndices &group);

/// Of a transpose, or of a reshape that only adds or drops axes of one element,
/// for each axis of the result the one of the operand that holds it; -1 for an
/// axis that was added. None of anything else.
std::optional<llvm::SmallVector<int64_t>> axesBeforeMove(mlir::Operation *op);

/// Whether a reshape only adds or drops unit dims, or joins the channels and
/// the multiplier of a depthwise convolution. Others change which elements are
/// neighbours, and nothing is gained by moving them.
bool isSimpleReshape(mlir::Operation *op);

/// Whether `op` is a contraction but for zero points that are subtracted from
/// its operands.
bool hasZeroPoints(mlir::linalg::LinalgOp op);

/// Adds patterns that make a tensor of what a body computes for a tensor's
/// element: a factor of a contraction's product, an int8 or a sum with a bias
/// that is read again. Elementwise fusion before us is undone by that where
/// layers meet.
void populateCutBodiesPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that give each result of an operation that sums an operation
/// of its own.
void populateSplitResultsPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that leave convolutions no more windows and batch loops than a
/// layer has, and their image in front of the weights: over three axes they
/// become several over two.
void populateConvolutionLoopsPatterns(mlir::RewritePatternSet &patterns);

/// Whether `op` sums products of bytes, signed or not, in any integer.
bool multipliesBytes(mlir::linalg::LinalgOp op);

/// The tensor of what `body` makes of each element of `value`.
mlir::Value
mapTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
          mlir::Type element,
          llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                         mlir::Value)>
              body);

/// Adds patterns that extend f16 and bf16 factors of f32 sums to f32 tensors.
void populateWidenHalvesPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that reshape, turn and slice bytes in front of their
/// dequantisation, not behind it: whoever adds them, or looks something up by
/// them, finds bytes.
void populateMoveBytesPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that make contractions of unsigned bytes, and those that sum
/// bytes in fewer than 32 bits, ones of signed bytes that sum in 32 bits.
void populateSignedBytesPatterns(mlir::RewritePatternSet &patterns);

/// Contraction `op` on other operands, read and written by other maps; of other
/// loops if `iterators` are given.
mlir::Value
contractionOn(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
              llvm::ArrayRef<mlir::Value> operands,
              llvm::ArrayRef<mlir::AffineMap> maps,
              llvm::ArrayRef<mlir::utils::IteratorType> iterators = {});

/// `value` as a tensor of `type`, which has the same axes but for those of one
/// element.
mlir::Value reshapeUnitDims(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value, mlir::RankedTensorType type);

/// `value` with axis permutation[i] as axis i; itself if none moves.
mlir::Value withAxes(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, llvm::ArrayRef<int64_t> permutation);

/// Replaces contraction `op` by one on operands whose axes are permuted, and
/// turns the result back.
void transposeOperands(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                       const ChannelPermutations &permutations);

/// Adds patterns that merge transposes with each other, moving them above
/// padding and splits of axes, and that make reshapes of those that only move
/// unit dims.
void populateMergeTransposesPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns by which convolutions of groups count channels through, as
/// what is around them does.
void populateJoinGroupsPatterns(mlir::RewritePatternSet &patterns);

/// Makes groups of several of `op`'s, where these leave most of the array idle:
/// with zeros in the weights for what other groups would read.
void widenGroups(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                 const Accelerator &machine);

/// Makes a convolution of an image with zeros between its elements, which a
/// transposed one is written as, several of the image itself: one of each phase
/// of the outputs. What it makes is inserted in steps into one tensor.
void splitIntoPhases(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// Adds patterns that leave contractions no more loops of a kind than a layer
/// has dims for.
void populateJoinLoopsPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that bring the channels of contractions last and move the
/// transposes between contractions to where they cancel.
void populateLayoutPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns by which contractions of a batch with weights that are the
/// same for all of it read those once: those that are repeated, and those of
/// batches of one, which packing into blocks must have found before.
void populateShareWeightsPatterns(mlir::RewritePatternSet &patterns,
                                  bool ofUnitBatches);

/// Adds patterns by which contractions read factors, and write results, that
/// are transposed where they lie, if channels stay innermost.
void populateStridedOperandsPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that make convolutions of products with the windows that were
/// gathered for them.
void populateIm2colPatterns(mlir::RewritePatternSet &patterns);

/// Replaces a contraction with zero points by one without, and corrections of
/// its sums: per output channel into what the sum starts from, per row behind
/// it. Equal for every input, since both wrap alike. Fails with `cause` if the
/// zero points are not constant or the types not those of a layer.
llvm::LogicalResult removeZeroPoints(mlir::RewriterBase &rewriter,
                                     mlir::linalg::LinalgOp op,
                                     HostCause &cause);

/// Replaces the elementwise operations from the sums of contraction `op` to
/// int8 by the accelerator's read-out if that is the same, or with
/// `allowDeviation` at most 1 apart. Explains itself in remarks. Returns how
/// far the nearest read-out is off where that is why they stay.
std::optional<int64_t> requantize(mlir::RewriterBase &rewriter,
                                  mlir::linalg::LinalgOp op,
                                  bool allowDeviation);

/// The same for the sum of two int8 tensors that ends in `op`, where a
/// contraction makes one of them: it becomes what a residual layer computes.
std::optional<int64_t> requantizeSum(mlir::RewriterBase &rewriter,
                                     mlir::linalg::LinalgOp op,
                                     bool allowDeviation);

/// Folds elementwise operations behind f32 contraction `op`, affine in its sums
/// with constants per channel, into its constant weights and what it starts
/// from, unless the read-out does them as they are; with `onlyOffset` just
/// those that only add.
void foldAffine(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                bool onlyOffset = false);

/// Makes f32 contraction `op` of dequantised bytes one of the bytes, with what
/// they are scaled by behind it, if that is the same, or with `allowDeviation`
/// but for rounding. Explains itself in remarks.
void dequantiseBehind(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                      bool allowDeviation);

/// Makes `op`, if it sums windows of a dequantised image in f32, a product of
/// the bytes with ones (SumPools.h), on the same terms. Whether it does.
bool dequantiseSums(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                    bool allowDeviation);

/// Makes `op`, if it multiplies the channels of one dequantised image by
/// dequantised factors in f32, as squeeze and excitation does, a depthwise
/// convolution of one tap, on the same terms. Whether it does.
bool dequantiseFactors(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                       bool allowDeviation);

/// Replaces what `op` quantises by the bytes that it was dequantised from, if
/// it makes each of the 256 what it was.
void dropRequantisation(mlir::RewriterBase &rewriter,
                        mlir::linalg::LinalgOp op);

/// If every element of i32 tensor `init` is a constant that depends on the
/// index along `axis` only: those constants, one per index. Null otherwise.
mlir::DenseElementsAttr initAlongAxis(mlir::Value init, unsigned axis);

/// Rank-1 `vector` broadcast to tensor type `type`, along its axis `axis`.
mlir::Value broadcastAlongAxis(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value vector, mlir::Type type,
                               unsigned axis);

/// The elements of tensor `value` in one axis; a constant if it is one.
mlir::Value flatten(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value);

/// The rank-1 sum of two rank-1 i32 tensors, a constant if both are.
mlir::Value addVectors(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value lhs, mlir::Value rhs);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_NORMALIZE_H
