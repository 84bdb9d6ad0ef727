//===- GemminiEffects.cpp - What each op touches ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every instruction writes some resource, so none is ever deleted as dead or
// merged with its twin. The resources it reads keep the passes that look at
// effects from moving it across what it depends on.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"

using namespace mlir;
using namespace fadiff::gemmini;

namespace {

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;
using Dram = SideEffects::DefaultResource;

template <typename... Resources> void addRead(Effects &effects) {
  (effects.emplace_back(MemoryEffects::Read::get(), Resources::get()), ...);
}
template <typename... Resources> void addWrite(Effects &effects) {
  (effects.emplace_back(MemoryEffects::Write::get(), Resources::get()), ...);
}

void addConfigLd(MemoryEffects::Effect *effect, int64_t unit,
                 Effects &effects) {
  switch (unit) {
  case 0:
    effects.emplace_back(effect, ConfigLdResource<0>::get());
    break;
  case 1:
    effects.emplace_back(effect, ConfigLdResource<1>::get());
    break;
  default:
    effects.emplace_back(effect, ConfigLdResource<2>::get());
  }
}

/// A local operand is read, unless it is known to name no row.
void addOperandRead(Value addr, Effects &effects) {
  if (addr.getDefiningOp<GarbageOp>())
    return;
  if (cast<AddrType>(addr.getType()).isSpad())
    addRead<ScratchpadResource>(effects);
  else
    addRead<AccumulatorResource>(effects);
}

template <typename MvinLike>
void addMvin(MvinLike op, int64_t unit, Effects &effects) {
  addConfigLd(MemoryEffects::Read::get(), unit, effects);
  if (op.getDram())
    addRead<Dram>(effects);
  if (op.getAddr().getType().isSpad()) {
    addWrite<ScratchpadResource>(effects);
    return;
  }
  // The load may add to what is there.
  addRead<AccumulatorResource>(effects);
  addWrite<AccumulatorResource>(effects);
}

/// The destination is the business of the preload before, which is not known
/// here: either memory may be written.
template <typename ComputeLike>
void addCompute(ComputeLike op, Effects &effects) {
  addOperandRead(op.getA(), effects);
  addOperandRead(op.getD(), effects);
  addRead<ConfigExResource, ArrayResource, AccumulatorResource>(effects);
  addWrite<ArrayResource, AccumulatorResource, ScratchpadResource>(effects);
}

} // namespace

void ConfigExOp::getEffects(Effects &effects) {
  // The array drains first: pending results are written.
  addRead<ArrayResource>(effects);
  addWrite<ConfigExResource, ArrayResource>(effects);
}

void ConfigLdOp::getEffects(Effects &effects) {
  addConfigLd(MemoryEffects::Write::get(), getId(), effects);
}

void ConfigStOp::getEffects(Effects &effects) {
  addWrite<ConfigStResource>(effects);
}

void ConfigReadoutOp::getEffects(Effects &effects) {
  addRead<ConfigStResource>(effects);
  addWrite<ConfigStResource>(effects);
}

// The scales are part of what the store unit is told.
void MvinScalesOp::getEffects(Effects &effects) {
  addRead<Dram, ConfigStResource>(effects);
  addWrite<ConfigStResource>(effects);
}

void MvinOp::getEffects(Effects &effects) { addMvin(*this, 0, effects); }
void Mvin2Op::getEffects(Effects &effects) { addMvin(*this, 1, effects); }
void Mvin3Op::getEffects(Effects &effects) { addMvin(*this, 2, effects); }

void MvoutOp::getEffects(Effects &effects) {
  addOperandRead(getAddr(), effects);
  addRead<ConfigStResource>(effects);
  addWrite<Dram>(effects);
}

void MvoutSpadOp::getEffects(Effects &effects) {
  addRead<AccumulatorResource, ConfigStResource>(effects);
  addWrite<ScratchpadResource>(effects);
}

void PreloadOp::getEffects(Effects &effects) {
  addOperandRead(getB(), effects);
  addRead<ConfigExResource>(effects);
  addWrite<ArrayResource>(effects);
}

void ComputePreloadedOp::getEffects(Effects &effects) {
  addCompute(*this, effects);
}

void ComputeAccumulatedOp::getEffects(Effects &effects) {
  addCompute(*this, effects);
}

void LoopWsOp::getEffects(Effects &effects) {
  addRead<Dram, ScratchpadResource, AccumulatorResource, ArrayResource,
          ConfigExResource, ConfigLdResource<0>, ConfigLdResource<1>,
          ConfigLdResource<2>, ConfigStResource>(effects);
  addWrite<Dram, ScratchpadResource, AccumulatorResource, ArrayResource>(
      effects);
}

/// Sets up its moves itself, and strides of pooled stores.
void LoopConvWsOp::getEffects(Effects &effects) {
  addRead<Dram, ScratchpadResource, AccumulatorResource, ArrayResource,
          ConfigExResource, ConfigStResource>(effects);
  addWrite<Dram, ScratchpadResource, AccumulatorResource, ArrayResource,
           ConfigLdResource<0>, ConfigLdResource<1>, ConfigLdResource<2>,
           ConfigStResource>(effects);
}

void FlushOp::getEffects(Effects &effects) {
  addRead<Dram>(effects);
  addWrite<Dram>(effects);
}

void FenceOp::getEffects(Effects &effects) {
  addRead<Dram>(effects);
  addWrite<Dram>(effects);
}

/// What stands before a mark must stay before it, so it touches everything.
static void addMarkEffects(Effects &effects) {
  addRead<Dram, ScratchpadResource, AccumulatorResource, ArrayResource,
          ConfigExResource, ConfigLdResource<0>, ConfigLdResource<1>,
          ConfigLdResource<2>, ConfigStResource>(effects);
  addWrite<Dram, ScratchpadResource, AccumulatorResource, ArrayResource,
           ConfigExResource, ConfigLdResource<0>, ConfigLdResource<1>,
           ConfigLdResource<2>, ConfigStResource>(effects);
}

void RegionOp::getEffects(Effects &effects) { addMarkEffects(effects); }

void MemberOp::getEffects(Effects &effects) { addMarkEffects(effects); }
