//===- Quantize.cpp - A float network as one of int8 ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Quantize/Quantize.h"
#include "Descent.h"
#include "Emit.h"
#include "Equalize.h"
#include "Network.h"
#include "fadiff/Analysis/EntryFunction.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Runner/Program.h"
#include "fadiff/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <algorithm>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::quantize;

static ArrayRef<float> reals(const HostTensor &tensor) {
  return {reinterpret_cast<const float *>(tensor.data()),
          size_t(tensor.spec().numElements())};
}

template <typename T> static ArrayRef<T> integers(const HostTensor &tensor) {
  return {reinterpret_cast<const T *>(tensor.data()),
          size_t(tensor.spec().numElements())};
}

namespace {
/// A program that is run on samples; keeps what it computed as far as it fits.
class Runs {
public:
  static FailureOr<Runs> compile(const Instrumented &instrumented,
                                 StringRef entry, ArrayRef<Sample> samples,
                                 uint64_t keptBytes = 0) {
    FailureOr<EntryPoint> point = findEntryPoint(*instrumented.module, entry);
    if (failed(point))
      return failure();
    FailureOr<std::unique_ptr<Program>> program =
        compileReference(*instrumented.module, *point);
    if (failed(program))
      return failure();
    Runs runs;
    runs.program = std::move(*program);
    runs.samples = samples;
    runs.results = instrumented.results;
    runs.keptBytes = keptBytes;
    runs.kept.resize(samples.size());
    return runs;
  }

  /// Calls `visit` with what the network returns for sample `index`, and with
  /// what else the program does.
  LogicalResult
  visit(size_t index, Location loc,
        llvm::function_ref<void(ArrayRef<HostTensor>, ArrayRef<HostTensor>)>
            visit) {
    std::vector<HostTensor> fresh;
    std::vector<HostTensor> *outputs = &kept[index];
    if (outputs->empty()) {
      llvm::Expected<std::vector<HostTensor>> run =
          program->run(samples[index].arguments);
      if (!run)
        return emitError(loc) << "quantisation: sample '" << samples[index].name
                              << "': " << llvm::toString(run.takeError());
      uint64_t bytes = 0;
      for (const HostTensor &output : *run)
        bytes += output.spec().sizeInBytes();
      if (bytes > keptBytes)
        outputs = &fresh;
      else
        keptBytes -= bytes;
      *outputs = std::move(*run);
    }
    ArrayRef<HostTensor> all(*outputs);
    visit(all.take_front(results), all.drop_front(results));
    return success();
  }

private:
  std::unique_ptr<Program> program;
  ArrayRef<Sample> samples;
  unsigned results = 0;
  uint64_t keptBytes = 0;
  std::vector<std::vector<HostTensor>> kept;
};

/// Which channel the elements of a tensor belong to.
struct Channels {
  size_t count = 1, inner = 1;

  Channels(const FloatLayer &layer, ArrayRef<int64_t> shape) {
    if (!layer.channelAxis)
      return;
    count = size_t(shape[*layer.channelAxis]);
    for (int64_t extent : shape.drop_front(*layer.channelAxis + 1))
      inner *= size_t(extent);
  }
  size_t operator()(size_t index) const { return index / inner % count; }
};

class Quantizer {
public:
  Quantizer(ModuleOp module, func::FuncOp function,
            const QuantizeOptions &options, ArrayRef<Sample> samples)
      : module(module), function(function), options(options), samples(samples),
        loc(function.getLoc()) {}

  FailureOr<QuantizationReport> run() {
    for (const std::string &name : options.keepFloat)
      kept.names.insert(name);
    splitInits(function);
    contractFactors(function);
    if (options.equalize && failed(equalize()))
      return failure();
    // Layers that turn out too sensitive are left out, and all is measured
    // again: what they are connected with gets other scales.
    for (;;) {
      report = {};
      FailureOr<FloatNetwork> found = analyseNetwork(function, kept);
      if (failed(found))
        return failure();
      network = std::move(*found);
      if (failed(checkKept()) || network.layers.empty())
        return network.layers.empty() ? noLayers() : failure();
      if (failed(observe()) || failed(chooseNumbers()) || failed(judgeApart()))
        return failure();
      if (!keepSensitive())
        break;
    }
    if (failed(judgeWhole()))
      return failure();
    report.left = network.left;
    Instrumented result = emitWhole(network, numbers, /*returnsOutputs=*/false);
    result.module->walk([](func::FuncOp made) { revertFactors(made); });
    module.getBodyRegion().takeBody(result.module->getBodyRegion());
    return std::move(report);
  }

private:
  LogicalResult noLayers() {
    InFlightDiagnostic error =
        emitError(loc) << "nothing to quantise: '@" << function.getSymName()
                       << "' has no contraction of f32 that int8 could "
                          "compute; wanted convolutions or matrix products "
                          "with tensors of known extents";
    for (const auto &[name, reason] : network.left)
      error.attachNote() << "'" << name << "' stays in float: " << reason;
    return error;
  }

  /// Names of layers that nobody has are mistakes.
  LogicalResult checkKept() {
    for (const std::string &name : options.keepFloat)
      if (!llvm::is_contained(network.names, name)) {
        std::string known;
        for (const std::string &each : network.names)
          known += (known.empty() ? "" : ", ") + each;
        return emitError(loc) << "keep-float: there is no layer '" << name
                              << "'; wanted one of " << known;
      }
    return success();
  }

  bool isHeldOut(size_t sample) const {
    return options.holdOut && samples.size() > 1 && sample % 2 == 1;
  }

  /// Gives channels one range; `original` is the network before that.
  LogicalResult equalize() {
    FailureOr<FloatNetwork> before = [&] {
      // Weights that cannot be quantised are told of later.
      ScopedDiagnosticHandler silent(function.getContext(),
                                     [](Diagnostic &) { return success(); });
      return analyseNetwork(function, kept);
    }();
    if (failed(before))
      return success();
    FailureOr<Runs> runs = Runs::compile(
        returnReals(*before, {}), function.getSymName(), samples, kOutputBytes);
    if (failed(runs))
      return failure();
    original = std::move(*runs);
    return success(equalizeChannels(function, [&](FloatNetwork &whole,
                                                  ArrayRef<unsigned> layers) {
                     return maximaOf(whole, layers);
                   }).has_value());
  }

  /// What the outputs of `layers` reach in the samples to calibrate with.
  std::optional<ChannelMaxima> maximaOf(FloatNetwork &whole,
                                        ArrayRef<unsigned> layers) {
    SmallVector<Value> values;
    for (unsigned layer : layers)
      values.push_back(whole.layers[layer].output);
    FailureOr<Runs> runs = Runs::compile(returnReals(whole, values),
                                         function.getSymName(), samples);
    if (failed(runs))
      return std::nullopt;
    ChannelMaxima maxima(whole.layers.size());
    auto widen = [&](unsigned index, const HostTensor &seen) {
      const FloatLayer &layer = whole.layers[index];
      const Channels channelOf(layer, seen.spec().shape);
      std::vector<float> &most = maxima[index];
      most.resize(size_t(layer.channels), 0.0f);
      ArrayRef<float> numbers = reals(seen);
      for (size_t e = 0; e < numbers.size(); ++e)
        most[channelOf(e)] = std::max(most[channelOf(e)], std::abs(numbers[e]));
    };
    for (size_t i = 0; i < samples.size(); ++i)
      if (!isHeldOut(i) &&
          failed(runs->visit(
              i, loc, [&](ArrayRef<HostTensor>, ArrayRef<HostTensor> seen) {
                for (auto [index, tensor] : llvm::zip(layers, seen))
                  widen(index, tensor);
              })))
        return std::nullopt;
    return maxima;
  }

  /// Runs the float network and looks at what is to be held in int8.
  LogicalResult observe() {
    std::vector<Value> values(network.entries.begin(), network.entries.end());
    for (FloatLayer &layer : network.layers)
      values.push_back(layer.output);
    firstSums = values.size();
    for (FloatLayer &layer : network.layers)
      if (layer.weights)
        values.push_back(layer.sums());
    const bool needsInputs = options.rounding == Rounding::Descent;
    firstInputs = values.size();
    if (needsInputs)
      for (FloatLayer &layer : network.layers)
        if (layer.weights)
          values.push_back(layer.input());
    FailureOr<Runs> runs =
        Runs::compile(returnReals(network, values), function.getSymName(),
                      samples, options.keptBytes);
    if (failed(runs))
      return failure();
    realRuns = std::move(*runs);
    histograms.assign(firstSums, {});
    for (size_t i = 0; i < samples.size(); ++i) {
      if (isHeldOut(i)) {
        ++report.heldOut;
        continue;
      }
      ++report.samples;
      bool finite = true;
      if (failed(realRuns.visit(
              i, loc, [&](ArrayRef<HostTensor>, ArrayRef<HostTensor> seen) {
                for (size_t v = 0; v < firstSums; ++v) {
                  finite &= llvm::all_of(reals(seen[v]), [](float number) {
                    return std::isfinite(number);
                  });
                  if (!finite)
                    return;
                  histograms[v].add(reals(seen[v]));
                }
              })))
        return failure();
      if (!finite)
        return emitError(loc)
               << "quantisation: a tensor of the float network is NaN or "
                  "infinite for sample '"
               << samples[i].name
               << "'; wanted finite numbers, repair the model or the sample";
    }
    return success();
  }

  LogicalResult chooseNumbers() {
    // One threshold for each class: the largest that a member asks for, but no
    // more than where it is clamped.
    std::vector<double> thresholds(network.numValues(), 0);
    std::vector<double> highest(network.numValues(),
                                std::numeric_limits<double>::infinity());
    auto widen = [&](Value value, const MagnitudeHistogram &seen) {
      double &threshold = thresholds[network.classOf(value)];
      threshold = std::max(threshold,
                           seen.threshold(options.ranges, options.percentile));
    };
    for (auto [entry, seen] : llvm::zip(network.entries, histograms))
      widen(entry, seen);
    for (auto [index, layer] : llvm::enumerate(network.layers)) {
      widen(layer.output, histograms[network.entries.size() + index]);
      double &high = highest[network.classOf(layer.output)];
      high = std::min(high, layer.high);
    }
    numbers.scales.assign(network.numValues(), 1);
    for (unsigned i = 0; i < thresholds.size(); ++i)
      numbers.scales[i] = scaleOf(std::min(thresholds[i], highest[i]));
    numbers.layers.assign(network.layers.size(), {});
    for (unsigned i = 0; i < network.layers.size(); ++i) {
      if (failed(quantiseWeights(i)))
        return failure();
      quantiseBias(i, {});
    }
    if (options.rounding == Rounding::Descent && failed(roundByDescent()))
      return failure();
    if (options.biasCorrection)
      return correctBiases();
    return success();
  }

  /// The weights of `layer` by index of the channel that they belong to.
  static Channels weightChannels(const FloatLayer &layer) {
    FloatLayer asOutput = layer;
    asOutput.channelAxis = layer.weightAxis;
    DenseElementsAttr weights = layer.weights;
    return Channels(asOutput, weights.getType().getShape());
  }

  LogicalResult quantiseWeights(unsigned index) {
    const FloatLayer &layer = network.layers[index];
    LayerNumbers &own = numbers.layers[index];
    if (!layer.weights)
      return success();
    const std::vector<float> weights = numbersOf(layer.weights);
    const Channels channelOf = weightChannels(layer);
    const bool perChannel = options.readOut.perChannel && layer.weightAxis &&
                            layer.channelAxis && !layer.hasGroups &&
                            int64_t(channelOf.count) == layer.channels &&
                            layer.channels <= options.readOut.scales;
    std::vector<std::vector<float>> groups(perChannel ? channelOf.count : 1);
    for (size_t i = 0; i < weights.size(); ++i)
      groups[perChannel ? channelOf(i) : 0].push_back(weights[i]);
    for (const std::vector<float> &group : groups)
      own.scales.push_back(
          scaleOf(weightThreshold(group, options.weightRanges)));
    // The bias is in units of the sums and has to leave room for them.
    if (layer.bias) {
      const double input =
          numbers
              .scales[network.classOf(const_cast<FloatLayer &>(layer).input())];
      const std::vector<float> bias = numbersOf(layer.bias);
      for (size_t k = 0; k < bias.size(); ++k) {
        double &scale = own.scales[perChannel ? k % own.scales.size() : 0];
        scale = std::max(scale, std::abs(double(bias[k])) /
                                    (input * double(kMostBias)));
      }
    }
    own.weights.resize(weights.size());
    for (size_t i = 0; i < weights.size(); ++i)
      own.weights[i] =
          toByte(weights[i], own.scales[perChannel ? channelOf(i) : 0]);
    return success();
  }

  /// The layer's bias, and `more` for each channel, in units of its sums.
  void quantiseBias(unsigned index, ArrayRef<double> more) {
    const FloatLayer &layer = network.layers[index];
    LayerNumbers &own = numbers.layers[index];
    if (!layer.bias && more.empty())
      return;
    const std::vector<double> units = unitsOfSums(network, index, numbers);
    std::vector<float> bias(size_t(layer.channels), 0.0f);
    if (layer.bias)
      bias = numbersOf(layer.bias);
    own.bias.resize(bias.size());
    for (size_t k = 0; k < bias.size(); ++k) {
      const double wanted = (bias[k] + (more.empty() ? 0 : more[k])) /
                            units[units.size() > 1 ? k : 0];
      own.bias[k] = static_cast<int32_t>(__builtin_roundeven(
          std::clamp(wanted, -double(kMostBias), double(kMostBias))));
    }
  }

  LogicalResult roundByDescent() {
    unsigned position = 0;
    for (unsigned i = 0; i < network.layers.size(); ++i) {
      const FloatLayer &layer = network.layers[i];
      if (!layer.weights)
        continue;
      const size_t at = firstInputs + position++;
      RoundingProblem problem(layer, numbers.layers[i].scales);
      for (size_t s = 0; s < samples.size(); ++s)
        if (!isHeldOut(s) &&
            failed(realRuns.visit(
                s, loc, [&](ArrayRef<HostTensor>, ArrayRef<HostTensor> seen) {
                  problem.addInput(reals(seen[at]), report.samples);
                })))
          return failure();
      problem.solve(numbers.layers[i].weights);
    }
    return success();
  }

  /// Adds to each bias what the sums are off on average.
  LogicalResult correctBiases() {
    FailureOr<Runs> runs = Runs::compile(emitApart(network, numbers),
                                         function.getSymName(), samples);
    if (failed(runs))
      return failure();
    struct Means {
      std::vector<double> real, integer;
      double count = 0;
    };
    std::vector<Means> means(network.layers.size());
    for (size_t s = 0; s < samples.size(); ++s) {
      if (isHeldOut(s))
        continue;
      LogicalResult inner = success();
      if (failed(realRuns.visit(
              s, loc,
              [&](ArrayRef<HostTensor>, ArrayRef<HostTensor> seen) {
                inner = runs->visit(
                    s, loc,
                    [&](ArrayRef<HostTensor>, ArrayRef<HostTensor> apart) {
                      addMeans(seen.drop_front(firstSums),
                               apart.drop_front(network.layers.size()), means);
                    });
              })) ||
          failed(inner))
        return failure();
    }
    for (unsigned i = 0; i < network.layers.size(); ++i) {
      const FloatLayer &layer = network.layers[i];
      if (!layer.weights || layer.hasGroups || means[i].count == 0)
        continue;
      const std::vector<double> units = unitsOfSums(network, i, numbers);
      std::vector<float> bias(size_t(layer.channels), 0.0f);
      if (layer.bias && layer.startsFromBias)
        bias = numbersOf(layer.bias);
      std::vector<double> more(size_t(layer.channels));
      for (size_t k = 0; k < more.size(); ++k)
        more[k] = means[i].real[k] / means[i].count - bias[k] -
                  units[units.size() > 1 ? k : 0] * means[i].integer[k] /
                      means[i].count;
      quantiseBias(i, more);
    }
    return success();
  }

  template <typename MeansT>
  void addMeans(ArrayRef<HostTensor> real, ArrayRef<HostTensor> integer,
                std::vector<MeansT> &means) {
    size_t position = 0;
    for (size_t i = 0; i < network.layers.size(); ++i) {
      const FloatLayer &layer = network.layers[i];
      if (!layer.weights)
        continue;
      const HostTensor &sums = real[position];
      ArrayRef<float> wanted = reals(sums);
      ArrayRef<int32_t> found = integers<int32_t>(integer[position++]);
      const Channels channelOf(layer, sums.spec().shape);
      MeansT &own = means[i];
      own.real.resize(size_t(layer.channels));
      own.integer.resize(size_t(layer.channels));
      for (size_t e = 0; e < wanted.size(); ++e) {
        own.real[channelOf(e)] += wanted[e];
        own.integer[channelOf(e)] += found[e];
      }
      own.count += double(wanted.size()) / double(layer.channels);
    }
  }

  /// Each layer alone against the float network.
  LogicalResult judgeApart() {
    report.layers.assign(network.layers.size(), {});
    for (unsigned i = 0; i < network.layers.size(); ++i)
      describe(i);
    FailureOr<Runs> runs = Runs::compile(emitApart(network, numbers),
                                         function.getSymName(), samples);
    if (failed(runs))
      return failure();
    for (size_t s = 0; s < samples.size(); ++s) {
      if (isHeldOut(s))
        continue;
      LogicalResult inner = success();
      if (failed(realRuns.visit(
              s, loc,
              [&](ArrayRef<HostTensor>, ArrayRef<HostTensor> seen) {
                inner = runs->visit(
                    s, loc,
                    [&](ArrayRef<HostTensor>, ArrayRef<HostTensor> apart) {
                      for (size_t i = 0; i < network.layers.size(); ++i)
                        addOwn(i, seen[network.entries.size() + i], apart[i]);
                    });
              })) ||
          failed(inner))
        return failure();
    }
    return success();
  }

  void describe(unsigned index) {
    FloatLayer layer = network.layers[index];
    QuantizedLayer &own = report.layers[index];
    own.name = layer.name;
    own.isSum = layer.isSum;
    own.inputScale = numbers.scales[network.classOf(layer.input())];
    own.outputScale = numbers.scales[network.classOf(layer.output)];
    own.weightScales = numbers.layers[index].scales;
    own.channels.resize(size_t(layer.channels));
    if (!layer.weights)
      return;
    const std::vector<float> weights = numbersOf(layer.weights);
    const Channels channelOf = weightChannels(layer);
    for (size_t i = 0; i < weights.size(); ++i)
      own.weights.add(
          weights[i],
          numbers.layers[index].weights[i] *
              own.weightScales[own.weightScales.size() > 1 ? channelOf(i) : 0]);
  }

  void addOwn(size_t index, const HostTensor &wanted, const HostTensor &found) {
    QuantizedLayer &own = report.layers[index];
    const Channels channelOf(network.layers[index], wanted.spec().shape);
    ArrayRef<float> numbersWanted = reals(wanted);
    ArrayRef<int8_t> bytes = integers<int8_t>(found);
    for (size_t e = 0; e < bytes.size(); ++e)
      own.channels[channelOf(e)].add(numbersWanted[e],
                                     own.outputScale * bytes[e]);
    own.own = {};
    for (const SignalToNoise &channel : own.channels)
      own.own.add(channel);
  }

  /// Puts what is too sensitive among the layers that stay in float. False if
  /// nothing is.
  bool keepSensitive() {
    bool found = false;
    for (const QuantizedLayer &layer : report.layers)
      if (layer.own.decibel() < options.keepFloatBelow)
        found |= kept.names.insert(layer.name).second;
    return found;
  }

  /// The network in int8 against the float network, on all samples.
  LogicalResult judgeWhole() {
    FailureOr<Runs> runs =
        Runs::compile(emitWhole(network, numbers, /*returnsOutputs=*/true),
                      function.getSymName(), samples);
    if (failed(runs))
      return failure();
    for (size_t s = 0; s < samples.size(); ++s) {
      LogicalResult inner = success(), last = success();
      if (failed(realRuns.visit(
              s, loc,
              [&](ArrayRef<HostTensor> wanted, ArrayRef<HostTensor> seen) {
                inner = runs->visit(
                    s, loc,
                    [&](ArrayRef<HostTensor> found,
                        ArrayRef<HostTensor> whole) {
                      for (size_t i = 0; i < network.layers.size(); ++i)
                        addWhole(i, seen[network.entries.size() + i], whole[i]);
                      if (!original) {
                        last = addOutputs(s, wanted, found);
                        return;
                      }
                      LogicalResult added = success();
                      last = original->visit(s, loc,
                                             [&](ArrayRef<HostTensor> first,
                                                 ArrayRef<HostTensor>) {
                                               added =
                                                   addOutputs(s, first, found);
                                             });
                      if (failed(added))
                        last = failure();
                    });
              })) ||
          failed(inner) || failed(last))
        return failure();
    }
    llvm::sort(report.worst, [](const SampleOutput &a, const SampleOutput &b) {
      return std::make_tuple(a.ratio.decibel(), StringRef(a.sample), a.output) <
             std::make_tuple(b.ratio.decibel(), StringRef(b.sample), b.output);
    });
    constexpr size_t kWorst = 5;
    if (report.worst.size() > kWorst)
      report.worst.resize(kWorst);
    return success();
  }

  void addWhole(size_t index, const HostTensor &wanted,
                const HostTensor &found) {
    QuantizedLayer &own = report.layers[index];
    ArrayRef<float> numbersWanted = reals(wanted);
    ArrayRef<int8_t> bytes = integers<int8_t>(found);
    own.elements += bytes.size();
    for (size_t e = 0; e < bytes.size(); ++e) {
      own.saturated += bytes[e] == INT8_MAX || bytes[e] == INT8_MIN;
      own.whole.add(numbersWanted[e], own.outputScale * bytes[e]);
    }
  }

  /// Fails with a diagnostic if the float network itself gives no number.
  LogicalResult addOutputs(size_t sample, ArrayRef<HostTensor> wanted,
                           ArrayRef<HostTensor> found) {
    const bool heldOut = isHeldOut(sample);
    report.outputs.resize(wanted.size());
    for (auto [index, output] : llvm::enumerate(report.outputs)) {
      const TensorSpec &spec = wanted[index].spec();
      if (spec.element != ElementType::F32)
        continue;
      ArrayRef<float> a = reals(wanted[index]), b = reals(found[index]);
      SampleOutput one{samples[sample].name, unsigned(index), heldOut, {}};
      for (size_t e = 0; e < a.size(); ++e) {
        if (std::isnan(a[e]))
          return emitError(loc)
                 << "cannot be judged: in float, element " << e << " of output "
                 << index << " is NaN for sample '" << samples[sample].name
                 << "'; wanted numbers, repair the model or the sample";
        // As of what a mask leaves out: the same, or infinitely far.
        if (!std::isinf(a[e]) || a[e] != b[e])
          one.ratio.add(a[e], b[e]);
      }
      (heldOut ? output.heldOut : output.calibration).add(one.ratio);
      report.worst.push_back(one);
      const size_t row = spec.shape.empty() ? 1 : size_t(spec.shape.back());
      if (row < 2)
        continue;
      Agreement &top1 = heldOut ? output.top1HeldOut : output.top1;
      for (size_t e = 0; e + row <= a.size(); e += row) {
        auto largest = [&](ArrayRef<float> numbers) {
          ArrayRef<float> slice = numbers.slice(e, row);
          return std::max_element(slice.begin(), slice.end()) - slice.begin();
        };
        ++top1.rows;
        top1.same += largest(a) == largest(b);
      }
    }
    return success();
  }

  static constexpr uint64_t kOutputBytes = uint64_t(1) << 28;
  static constexpr int64_t kMostBias = int64_t(1) << 30;

  ModuleOp module;
  func::FuncOp function;
  const QuantizeOptions &options;
  ArrayRef<Sample> samples;
  Location loc;
  KeptInFloat kept;
  FloatNetwork network;
  Numbers numbers;
  Runs realRuns;
  std::optional<Runs> original; ///< if it is not what `realRuns` runs
  size_t firstSums = 0, firstInputs = 0;
  std::vector<MagnitudeHistogram> histograms;
  QuantizationReport report;
};
} // namespace

/// Brings `module` to the form in which layers of f32 are found.
static LogicalResult bringToForm(ModuleOp module) {
  const Attribute target = module->getAttr(kTargetAttrName);
  PassManager pm(module.getContext());
  pm.addPass(createImportPass());
  // Of the machines that work in f32 any does: nothing of it remains.
  pm.addPass(createAttachTargetPass({"gemmini-fp32"}));
  pm.addPass(createNormalizePass());
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  LogicalResult result = pm.run(module);
  module->removeAttr(kTargetAttrName);
  if (target)
    module->setAttr(kTargetAttrName, target);
  return result;
}

FailureOr<QuantizationReport>
fadiff::quantizeNetwork(ModuleOp module, StringRef entryName,
                        const QuantizeOptions &options,
                        const SampleSource &source) {
  FailureOr<func::FuncOp> chosen = chooseEntry(module, entryName);
  if (failed(chosen))
    return failure();
  const std::string name = chosen->getSymName().str();
  if (failed(isolateEntry(module, *chosen)))
    return failure();
  FailureOr<EntryPoint> entry = findEntryPoint(module, name);
  if (failed(entry) || failed(bringToForm(module)))
    return failure();
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function.getBody().hasOneBlock())
    return function.emitError("cannot be quantised: it has several blocks; "
                              "wanted one, bring control flow to scf");
  llvm::Expected<std::vector<Sample>> samples = source(*entry);
  if (!samples)
    return function.emitError() << llvm::toString(samples.takeError());
  return Quantizer(module, function, options, *samples).run();
}
