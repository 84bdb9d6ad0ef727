//===- Networks.cpp - The networks of the comparison ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written from the networks' definitions: He et al. 2016 (table 1), Simonyan
// and Zisserman 2015 (table 1), Howard et al. 2017 (table 1), Brown et al. 2020
// (table 2.1).
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Networks.h"

#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace fadiff;
using llvm::StringRef;

namespace {
class Builder {
public:
  unsigned conv(const std::string &name, int64_t k, int64_t c, int64_t pixels,
                int64_t kernel, int64_t stride = 1, int64_t groups = 1) {
    Layer layer;
    layer.name = name;
    layer.dims[Dim::G] = groups;
    layer.dims[Dim::K] = k;
    layer.dims[Dim::C] = c;
    layer.hasBias = true;
    for (Axis axis : kAllAxes) {
      layer.dims[outputDim(axis)] = pixels;
      layer.dims[kernelDim(axis)] = kernel;
      layer.stride[axis] = stride;
      layer.padLow[axis] = kernel / 2;
      layer.inputExtent[axis] = pixels * stride;
    }
    return add(layer);
  }
  unsigned gemm(const std::string &name, int64_t rows, int64_t k, int64_t c,
                int64_t batch = 1) {
    Layer layer;
    layer.name = name;
    layer.dims[Dim::N] = rows;
    layer.dims[Dim::G] = batch;
    layer.dims[Dim::K] = k;
    layer.dims[Dim::C] = c;
    layer.hasBias = batch == 1;
    return add(layer);
  }
  void edge(unsigned producer, unsigned consumer, StringRef through = "") {
    network.edges.push_back(
        {producer, consumer,
         through.empty() ? "" : ("it goes through " + through).str()});
  }

  Network network;

private:
  unsigned add(const Layer &layer) {
    network.layers.push_back(layer);
    return unsigned(network.layers.size()) - 1;
  }
};
} // namespace

static Network resnet18() {
  Builder b;
  unsigned before = b.conv("conv1", 64, 3, 112, 7, 2);
  int64_t channels = 64, pixels = 56;
  for (int stage = 1; stage <= 4; ++stage) {
    for (int block = 0; block < 2; ++block) {
      const bool first = stage > 1 && block == 0;
      const int64_t in = first ? channels / 2 : channels;
      const int64_t stride = first ? 2 : 1;
      const std::string name =
          "layer" + std::to_string(stage) + "." + std::to_string(block) + ".";
      const StringRef via = stage == 1 && block == 0 ? "a max pooling" : "";
      unsigned one = b.conv(name + "conv1", channels, in, pixels, 3, stride);
      unsigned two = b.conv(name + "conv2", channels, channels, pixels, 3);
      b.edge(before, one, via);
      b.edge(one, two);
      if (first) {
        unsigned skip =
            b.conv(name + "downsample", channels, in, pixels, 1, stride);
        b.edge(before, skip);
        b.edge(skip, two, "a residual addition");
      } else {
        b.edge(before, two, "a residual addition");
      }
      before = two;
    }
    channels *= 2;
    pixels /= 2;
  }
  b.edge(before, b.gemm("fc", 1, 1000, 512), "an average pooling");
  return std::move(b.network);
}

static Network vgg(llvm::ArrayRef<int> convolutions) {
  Builder b;
  int64_t in = 3, pixels = 224;
  unsigned before = 0, number = 0;
  for (int stage = 0; stage < 5; ++stage) {
    const int64_t channels = std::min(64 << stage, 512);
    for (int i = 0; i < convolutions[stage]; ++i) {
      unsigned next =
          b.conv("conv" + std::to_string(++number), channels, in, pixels, 3);
      if (number > 1)
        b.edge(before, next, i == 0 ? "a max pooling" : "");
      before = next;
      in = channels;
    }
    pixels /= 2;
  }
  unsigned fc1 = b.gemm("fc1", 1, 4096, 25088);
  unsigned fc2 = b.gemm("fc2", 1, 4096, 4096);
  unsigned fc3 = b.gemm("fc3", 1, 1000, 4096);
  b.edge(before, fc1, "a max pooling");
  b.edge(fc1, fc2);
  b.edge(fc2, fc3);
  return std::move(b.network);
}

static Network mobilenetV1() {
  Builder b;
  unsigned before = b.conv("conv1", 32, 3, 112, 3, 2);
  struct Block {
    int64_t out, stride;
  };
  const Block blocks[] = {{64, 1},  {128, 2},  {128, 1}, {256, 2}, {256, 1},
                          {512, 2}, {512, 1},  {512, 1}, {512, 1}, {512, 1},
                          {512, 1}, {1024, 2}, {1024, 1}};
  int64_t in = 32, pixels = 112;
  int number = 0;
  for (const Block &block : blocks) {
    ++number;
    pixels /= block.stride;
    unsigned dw = b.conv("dw" + std::to_string(number), 1, 1, pixels, 3,
                         block.stride, in);
    unsigned pw =
        b.conv("pw" + std::to_string(number), block.out, in, pixels, 1);
    b.edge(before, dw);
    b.edge(dw, pw);
    before = pw;
    in = block.out;
  }
  b.edge(before, b.gemm("fc", 1, 1000, 1024), "an average pooling");
  return std::move(b.network);
}

static Network gpt3Block(int64_t rows) {
  const int64_t width = 4096, heads = 32, head = width / heads;
  Builder b;
  unsigned q = b.gemm("q_proj", rows, width, width);
  unsigned k = b.gemm("k_proj", rows, width, width);
  unsigned v = b.gemm("v_proj", rows, width, width);
  unsigned scores = b.gemm("qk_t", rows, rows, head, heads);
  unsigned mixed = b.gemm("attn_v", rows, head, rows, heads);
  unsigned out = b.gemm("out_proj", rows, width, width);
  unsigned up = b.gemm("ffn1", rows, 4 * width, width);
  unsigned down = b.gemm("ffn2", rows, width, 4 * width);
  b.edge(q, scores);
  b.edge(k, scores, "the weight operand");
  b.edge(scores, mixed, "a softmax");
  b.edge(v, mixed, "the weight operand");
  b.edge(mixed, out, "a concatenation of heads");
  b.edge(out, up, "a layer normalisation");
  b.edge(up, down);
  return std::move(b.network);
}

llvm::ArrayRef<StringRef> fadiff::benchNetworkNames() {
  static constexpr StringRef names[] = {"resnet18", "mobilenetv1", "vgg16",
                                        "vgg19",    "gpt3-512",    "gpt3-2048"};
  return names;
}

llvm::Expected<Network> fadiff::benchNetwork(StringRef name) {
  if (name == "resnet18")
    return resnet18();
  if (name == "mobilenetv1")
    return mobilenetV1();
  if (name == "vgg16")
    return vgg({2, 2, 3, 3, 3});
  if (name == "vgg19")
    return vgg({2, 2, 4, 4, 4});
  if (name == "gpt3-512")
    return gpt3Block(512);
  if (name == "gpt3-2048")
    return gpt3Block(2048);
  return llvm::createStringError("unknown network '" + name +
                                 "': wanted one of " +
                                 llvm::join(benchNetworkNames(), ", "));
}

/// What the best mapping of `layer` alone costs; none if there is no mapping.
static double valueAlone(const Layer &layer, const Accelerator &target,
                         const ExactOptions &options) {
  Network network;
  network.layers.push_back(layer);
  llvm::Expected<ExactResult> result = exactSchedule(network, target, options);
  if (result)
    return result->value;
  llvm::consumeError(result.takeError());
  return std::numeric_limits<double>::infinity();
}

Network fadiff::withThinLayersPacked(Network network, const Accelerator &target,
                                     const ExactOptions &options) {
  std::vector<bool> isPacked;
  for (Layer &layer : network.layers) {
    isPacked.push_back(false);
    if (layer.dims[Dim::G] != 1)
      continue;
    const std::vector<PackedTaps> useful = usefulPackings(layer, target.side);
    if (useful.empty())
      continue;
    const Layer before = layer;
    double best = valueAlone(before, target, options);
    for (PackedTaps packed : useful) {
      Layer candidate = withTapsPacked(before, packed);
      double value = valueAlone(candidate, target, options);
      if (value >= best)
        continue;
      best = value;
      layer = candidate;
      isPacked.back() = true;
    }
  }
  for (Edge &edge : network.edges)
    if (isPacked[edge.consumer] && edge.blocked.empty())
      edge.blocked = "the host lays out the consumer's windows";
  return network;
}
