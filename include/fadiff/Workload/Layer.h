//===- Layer.h - A layer as a loop nest -------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction (convolution, depthwise convolution, GEMM, batched GEMM) as the
// eight-dimensional loop nest that mapping, cost model and search reason about.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_WORKLOAD_LAYER_H
#define FADIFF_WORKLOAD_LAYER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fadiff {

/// The loop dimensions. K and C count channels *per group*; G is the number of
/// groups (depthwise: K = C = 1 and G = channels; batched GEMM: G = batch).
/// A GEMM (M x C) * (C x K) has its rows in N and P = Q = R = S = 1.
enum class Dim : uint8_t { N, G, K, C, P, Q, R, S };
inline constexpr unsigned kNumDims = 8;
inline constexpr std::array<Dim, kNumDims> kAllDims = {
    Dim::N, Dim::G, Dim::K, Dim::C, Dim::P, Dim::Q, Dim::R, Dim::S};

/// One-letter name of a dimension.
char dimName(Dim dim);
/// Inverse of dimName; nullopt if `name` is not one of N G K C P Q R S.
std::optional<Dim> parseDim(std::string_view name);

/// A value per loop dimension.
template <typename T> class PerDim {
public:
  PerDim() = default;
  explicit PerDim(const T &init) { values.fill(init); }
  T &operator[](Dim dim) { return values[static_cast<size_t>(dim)]; }
  const T &operator[](Dim dim) const {
    return values[static_cast<size_t>(dim)];
  }
  bool operator==(const PerDim &other) const { return values == other.values; }
  bool operator!=(const PerDim &other) const { return values != other.values; }

private:
  std::array<T, kNumDims> values{};
};

/// The operands of a layer: W{G,K,C,R,S}, I{N,G,C,P,Q,R,S}, O{N,G,K,P,Q}.
enum class Tensor : uint8_t { W, I, O };
inline constexpr std::array<Tensor, 3> kAllTensors = {Tensor::W, Tensor::I,
                                                      Tensor::O};
/// Whether stepping `dim` changes which element of `tensor` is touched.
constexpr bool isRelevant(Tensor tensor, Dim dim) {
  switch (tensor) {
  case Tensor::W:
    return dim != Dim::N && dim != Dim::P && dim != Dim::Q;
  case Tensor::I:
    return dim != Dim::K;
  case Tensor::O:
    return dim != Dim::C && dim != Dim::R && dim != Dim::S;
  }
  return false;
}
/// C, R and S are summed over.
constexpr bool isReduction(Dim dim) { return !isRelevant(Tensor::O, dim); }

/// The two spatial axes: H (P with R) and W (Q with S).
enum class Axis : uint8_t { H, W };
inline constexpr std::array<Axis, 2> kAllAxes = {Axis::H, Axis::W};
constexpr Dim outputDim(Axis axis) { return axis == Axis::H ? Dim::P : Dim::Q; }
constexpr Dim kernelDim(Axis axis) { return axis == Axis::H ? Dim::R : Dim::S; }

template <typename T> class PerAxis {
public:
  PerAxis() = default;
  PerAxis(const T &h, const T &w) : values{h, w} {}
  T &operator[](Axis axis) { return values[static_cast<size_t>(axis)]; }
  const T &operator[](Axis axis) const {
    return values[static_cast<size_t>(axis)];
  }
  bool operator==(const PerAxis &other) const { return values == other.values; }

private:
  std::array<T, 2> values{};
};

/// Rows or columns [begin, end).
struct Span {
  int64_t begin = 0, end = 0;
  int64_t extent() const { return end - begin; }
};

/// Largest bound, stride, dilation, padding or input extent of a layer that can
/// be scheduled: products of two still fit 64 bits. Whole tensors may hold
/// more.
inline constexpr int64_t kMaxBound = int64_t(1) << 30;

/// Most multiply-accumulates of such a layer, and most elements of its input.
/// Whatever is counted, at most some bytes for each of these, still fits 64
/// bits, summed over a network, too.
inline constexpr int64_t kMaxWork = int64_t(1) << 52;

/// Max pooling of square windows, without gaps.
struct MaxPool {
  int64_t size = 1, stride = 1;
  /// Rows / columns of padding before the first stored one; it never wins.
  PerAxis<int64_t> padLow{0, 0};
  PerAxis<int64_t> outputs{1, 1}; ///< pooled rows / columns

  /// Rows (columns) under `pooled` windows, padding included.
  int64_t window(int64_t pooled) const { return (pooled - 1) * stride + size; }
  bool operator==(const MaxPool &other) const {
    return size == other.size && stride == other.stride &&
           padLow == other.padLow && outputs == other.outputs;
  }
};

/// Loads of one residual that add up, at most: each is a pass over all of it.
inline constexpr int64_t kMaxResidualLoads = 16;

/// One contraction with what its epilogue needs from memory.
struct Layer {
  std::string name;
  /// Loop bounds, each at least 1.
  PerDim<int64_t> dims{1};
  PerAxis<int64_t> stride{1, 1};
  PerAxis<int64_t> dilation{1, 1};
  /// Rows / columns of padding before the first stored one.
  PerAxis<int64_t> padLow{0, 0};
  /// What padding reads as: the zero point of a quantised int8 input. Other
  /// values than 0 come from DRAM (docs/Lowering.md, "Padding").
  int64_t padValue = 0;
  /// Stored (unpadded) rows / columns of the input.
  PerAxis<int64_t> inputExtent{1, 1};
  /// A 32-bit bias per output channel is added.
  bool hasBias = false;
  /// A tensor of the result's shape is: a residual.
  bool hasResidual = false;
  /// It is multiplied by a scale first, which the machine does where it loads
  /// it from DRAM: perhaps in several loads, at least one, that add up.
  bool scalesResidual = false;
  int64_t residualLoads = 1;
  /// Bytes of one element of it: 1 (int8, as read out by another layer) or 4
  /// (int32 or f32, as the sums).
  int64_t residualBytes = 1;
  /// Sums of each output channel are read out with an f32 scale of their own.
  bool hasScales = false;
  /// Bytes of one element of input and weights: 1 (int8) or 4 (f32).
  int64_t elementBytes = 1;
  /// Bytes of one output element in DRAM: 1 (requantised int8) or 4 (int32, or
  /// f32).
  int64_t outputBytes = 1;
  /// Channels are the innermost axis of its input, weights and outputs in DRAM.
  bool channelsInnermost = true;
  /// All readers of the layer want this pooling of its outputs. A group pools
  /// them where it hands them over, and may where it stores them; else the host
  /// does. Outputs are not negative, or no window reaches into padding: then
  /// padding may count as zeros.
  std::optional<MaxPool> pool;
  /// How often the network runs the layer, at least once: the trips of the
  /// loops around it. Costs of a layer and of a group are of one run, those of
  /// a schedule of all.
  int64_t trips = 1;

  /// Rows / columns that readers read.
  int64_t readExtent(Axis axis) const {
    return pool ? pool->outputs[axis] : dims[outputDim(axis)];
  }
  /// Multiply-accumulates: the product of all dims.
  int64_t macs() const;
  /// G > 1 and one channel in and out per group.
  bool isDepthwise() const {
    return dims[Dim::G] > 1 && dims[Dim::K] == 1 && dims[Dim::C] == 1;
  }
  /// Channels in and out, of all groups if it is depthwise.
  int64_t inputChannels() const {
    return dims[isDepthwise() ? Dim::G : Dim::C];
  }
  int64_t outputChannels() const {
    return dims[isDepthwise() ? Dim::G : Dim::K];
  }
  /// Whether rows and columns are alike, so that turning the image changes
  /// nothing.
  bool isSquare() const {
    return dims[Dim::P] == dims[Dim::Q] && dims[Dim::R] == dims[Dim::S] &&
           stride[Axis::H] == stride[Axis::W] &&
           dilation[Axis::H] == dilation[Axis::W] &&
           padLow[Axis::H] == padLow[Axis::W] &&
           inputExtent[Axis::H] == inputExtent[Axis::W] &&
           (!pool || (pool->padLow[Axis::H] == pool->padLow[Axis::W] &&
                      pool->outputs[Axis::H] == pool->outputs[Axis::W]));
  }
  /// Whether windows reach beyond the stored rows (columns).
  bool readsPadding(Axis axis) const {
    return padLow[axis] > 0 ||
           window(axis, dims[outputDim(axis)], dims[kernelDim(axis)]) >
               inputExtent[axis];
  }
  /// Extent of the input window that `out` outputs and `kernel` taps touch on
  /// `axis`: (out - 1) * stride + (kernel - 1) * dilation + 1.
  int64_t window(Axis axis, int64_t out, int64_t kernel) const {
    return (out - 1) * stride[axis] + (kernel - 1) * dilation[axis] + 1;
  }
};

/// A number of a layer that no schedule counts with.
struct OutOfBounds {
  const char *what;       ///< "loop bound", "stride" and the like
  std::optional<Dim> dim; ///< whose loop bound it is
  int64_t value, least, most;
};

/// The first number of the layer below or above what can be scheduled, if any:
/// bounds, strides and so on from 1 (padding: 0) to kMaxBound, work up to
/// kMaxWork. Everything that is counted of a layer relies on it.
std::optional<OutOfBounds> findOutOfBounds(const Layer &layer);

/// What makes two layers the same problem, everything but name and trips: dims
/// in the order of kAllDims; per axis stride, dilation, padding, input extent;
/// bias, scales, output bytes; pooling, if there is any; whether padding is not
/// zero.
std::vector<int64_t> contentOf(const Layer &layer);

/// Which taps of its kernel a thin layer has as channels (docs/Lowering.md,
/// "Thin layers").
enum class PackedTaps : uint8_t {
  /// Those of a kernel row: C' = S * C and S' = 1 over windows of the input, of
  /// which neighbours overlap.
  Columns,
  /// All: C' = S * R * C and R' = S' = 1 over windows of an image whose row p
  /// holds, pixel by pixel, all that output row p reads.
  RowsAndColumns,
};

/// `layer` with these taps as channels. For G = 1.
Layer withTapsPacked(Layer layer, PackedTaps taps);

/// Which of them can pay on an array of `side` rows, the fewest first: the
/// channels fill at most half of the rows, and packed the layer takes at most
/// half of the array passes. None for depthwise layers.
std::vector<PackedTaps> usefulPackings(const Layer &layer, int64_t side);

} // namespace fadiff

#endif // FADIFF_WORKLOAD_LAYER_H
