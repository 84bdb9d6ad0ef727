//===- ValueConversion.h - Core values and attributes -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where the core library's values (Layer, Mapping) become
// attributes and back.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_FADIFF_IR_VALUECONVERSION_H
#define FADIFF_DIALECT_FADIFF_IR_VALUECONVERSION_H

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Schedule/Schedule.h"

namespace fadiff::ir {

inline Dim toDim(LoopDim dim) { return static_cast<Dim>(dim); }
inline LoopDim toLoopDim(Dim dim) { return static_cast<LoopDim>(dim); }
inline MemoryLevel toMemoryLevel(Level level) {
  return static_cast<MemoryLevel>(level);
}

/// The layer that `workload` describes; bias and output width are the op's.
Layer toLayer(WorkloadAttr workload);
/// The same with what happens to its outputs on the way to its readers.
Layer toLayer(WorkloadAttr workload, EpilogueAttr epilogue);
MaxPool toMaxPool(MaxPoolAttr attr);
inline constexpr llvm::StringLiteral kPoolWanted =
    "wants windows that start in its outputs, and that stay inside of them if "
    "there is no relu: padding is read as sums of zero";
/// Whether `pool` of the layer's outputs can read padding as sums of zero, and
/// none of its windows lies in the padding alone. `isAboveZeroSum`: no output
/// is below what a sum of zero is read as.
bool isPoolable(const Layer &layer, const MaxPool &pool, bool isAboveZeroSum);
Layer toLayer(LayerOp op);
/// The sum that the array reads as `value` where it reads sums through
/// `epilogue`; none if there is no such int32. For scales up to 1 and without
/// ReLU there is, down to about 2^-24.
std::optional<int32_t> sumReadAs(int64_t value, EpilogueAttr epilogue);
Layer toLayer(StageOp op);

/// Whether a layer that takes a tensor's axes for those of `read` (letters of
/// its input or of its result, of which a residual has the axes) takes them for
/// what they were made as by the layer of `made`. On chip there are no strides:
/// what a layer hands over must be read in its order.
bool isReadInOrder(WorkloadAttr made, WorkloadAttr reader,
                   llvm::StringRef read);

/// What the layers read, by value: as Network::operands has it if the network
/// is just these. `pooled`: values that count as what a layer makes, because
/// they are that after a pooling. What is not read in its maker's order counts
/// as a tensor that no layer makes.
std::vector<Operands>
operandsOf(llvm::ArrayRef<LayerOp> layers,
           llvm::ArrayRef<std::pair<mlir::Value, unsigned>> pooled = {});
/// The same for the stages of one nest that compute, in order; skips are read
/// from the buffers that they name.
std::vector<Operands> operandsOf(llvm::ArrayRef<StageOp> stages);
/// The stages that compute, in order: a group's resident weights have stages of
/// their own.
llvm::SmallVector<StageOp> computingStages(LoopNestOp nest);
/// Visits the ops of the stage, without those of a stage inside of it.
void walkOwn(StageOp stage, llvm::function_ref<void(mlir::Operation *)> visit);
template <typename Op>
void walkOwn(StageOp stage, llvm::function_ref<void(Op)> visit) {
  walkOwn(stage, [&](mlir::Operation *op) {
    if (auto typed = llvm::dyn_cast<Op>(op))
      visit(typed);
  });
}
/// The buffer whose tile the stage's sums start from, or null.
mlir::Value skipOf(StageOp stage);
/// The stage that makes this one's input slice by slice, or null.
StageOp innerStageOf(StageOp stage);
/// The stage that this one stands in, or is, and that stands in none.
StageOp outermostStageOf(StageOp stage);

/// Loops of factor 1 have no place in the attribute; converting back puts them
/// innermost, in the order of kAllDims.
MappingAttr toAttr(mlir::MLIRContext *context, const Mapping &mapping);
Mapping toMapping(MappingAttr attr);

/// Layers that run together, as a network of their own, and the group that they
/// are. Without edges.
struct GroupValues {
  Network network;
  FusionGroup group;
};
/// Of the layers of a fusion group, or of one that is in none.
GroupValues toGroup(llvm::ArrayRef<LayerOp> layers);
/// Of the nest's `stages`, by default those that compute. Skips are the ones
/// that its stages name.
GroupValues toGroup(LoopNestOp nest);
GroupValues toGroup(LoopNestOp nest, llvm::ArrayRef<StageOp> stages);
/// Writes what the op says beside its tile and its layers; `group` names them
/// by position.
void setGroup(FusionGroupOp op, const FusionGroup &group);

/// What describes the layer with its images turned (Schedule/Turn.h).
WorkloadAttr turned(WorkloadAttr workload);
EpilogueAttr turned(EpilogueAttr epilogue);

/// Whether the layers, as one fusion group in this order (or one layer alone),
/// have mappings that are legal on `machine`. The error names the rule, what
/// was wanted and found.
mlir::LogicalResult verifyMappings(llvm::MutableArrayRef<LayerOp> layers,
                                   const Accelerator &machine);

} // namespace fadiff::ir

#endif // FADIFF_DIALECT_FADIFF_IR_VALUECONVERSION_H
