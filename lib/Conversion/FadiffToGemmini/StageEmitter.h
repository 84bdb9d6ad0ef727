//===- StageEmitter.h - Copies and computes of one layer --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_STAGEEMITTER_H
#define FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_STAGEEMITTER_H

#include "TileLayout.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"

#include <array>
#include <optional>

namespace fadiff {

/// What lies where, shared by the stages of a nest.
struct NestState {
  Accelerator machine;
  llvm::DenseMap<mlir::Value, mlir::Value> addressOfView; ///< index, bytes
  llvm::DenseMap<mlir::Value, PixelTile> pixelTiles;
  llvm::DenseMap<mlir::Value, WeightTile> weightTiles;
};

/// Emits the instructions of one fadiff.stage: each call turns one tile op at
/// its box into loops of gemmini ops at the builder's insertion point.
/// Configurations do not change within a stage and are emitted once at its
/// start (unless partial sums spill, whose moves need other strides).
class StageEmitter {
public:
  StageEmitter(mlir::OpBuilder &builder, NestState &nest, ir::StageOp stage,
               const Box &entry);

  void load(ir::LoadOp op, const Box &box);
  void init(ir::InitOp op, const Box &box);
  void compute(ir::ComputeOp op, const Box &box);
  void store(ir::StoreOp op, const Box &box);
  /// Zeros where the window of an input that was handed over lies in the
  /// padding.
  void padInput(const PixelTile &tile);
  /// Call after the last tile op: puts the configurations at the start.
  void finish();

  const Layer &getLayer() const { return layer; }

private:
  using Value = mlir::Value;

  struct LoadConfig {
    int64_t stride = 1, blockStride = 1;
  };
  /// One axis of an input tile: the stored rows and the DRAM rows they hold.
  struct InputAxis {
    Value count;      ///< stored rows of this tile
    Value base;       ///< DRAM coordinate of the first, may be negative
    int64_t step = 1; ///< DRAM rows from one stored row to the next
    bool clips = false; ///< some may lie outside the stored input
  };

  IndexMath math(mlir::Location loc) const { return {builder, loc}; }
  Dim inChannel() const { return depthwise ? Dim::G : Dim::C; }
  Dim outChannel() const { return depthwise ? Dim::G : Dim::K; }
  Value isFirst(const IndexMath &m, const Box &box) const;
  Value isLast(const IndexMath &m, const Box &box) const;

  DramOperand dramOperand(Value view, llvm::StringRef layout) const;
  /// Byte address of the element at the box's origin along all axes but H, W.
  Value originAddress(const IndexMath &m, const DramOperand &operand,
                      const Box &box) const;
  InputAxis inputAxis(const IndexMath &m, const Box &box, Axis axis) const;

  void loadInput(ir::LoadOp op, const Box &box);
  void loadClippedInput(const IndexMath &m, const PixelTile &tile,
                        const DramOperand &source, Value origin,
                        const Box &box, const InputAxis &h,
                        const InputAxis &w);
  void loadWeights(ir::LoadOp op, const Box &box);
  void loadBias(const IndexMath &m, ir::InitOp op, const PixelTile &tile,
                const Box &box);
  void reloadPartialSums(const IndexMath &m, ir::InitOp op,
                         const PixelTile &tile, const Box &box);
  void storeToDram(const IndexMath &m, const PixelTile &tile, const Box &box,
                   Value view, bool fullWidth, bool inlineConfig);
  void storeOnChip(const IndexMath &m, const PixelTile &tile, const Box &box,
                   Value buffer);

  llvm::SmallVector<RowLoop> outputRows(const Box &box, const PixelTile &tile,
                                        int64_t strideN, int64_t strideP,
                                        int64_t strideQ) const;
  void mvinRows(const IndexMath &m, const PixelTile &tile, Value row,
                Value rows, Value channels, Value address);
  void emitConfigLd(mlir::Location loc, unsigned id, const LoadConfig &config);
  void emitConfigSt(mlir::Location loc, int64_t stride, bool fullWidth);
  Value spadAddr(const IndexMath &m, Value row) const;
  Value accAddr(const IndexMath &m, Value row, Value accumulate,
                bool fullWidth) const;
  Value toI64(const IndexMath &m, Value index) const;

  mlir::OpBuilder &builder;
  NestState &nest;
  ir::StageOp stage;
  Layer layer;
  bool depthwise;
  int64_t rows, cols;
  Box entry;
  Value biasView;
  bool spills = false;
  /// Configurations go right behind it.
  mlir::Operation *anchor;
  std::array<std::optional<LoadConfig>, 3> loadConfigs;
  std::optional<int64_t> inputRowStride; ///< a_stride
  std::optional<int64_t> storeStride;
};

} // namespace fadiff

#endif // FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_STAGEEMITTER_H
