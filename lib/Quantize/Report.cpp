//===- Report.cpp - What quantisation cost --------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Quantize/Quantize.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace fadiff;
using llvm::format;
namespace json = llvm::json;

/// "31.2 dB", or without noise "exact".
static std::string decibels(const SignalToNoise &ratio) {
  const double value = ratio.decibel();
  if (std::isinf(value))
    return value > 0 ? "exact" : "no signal";
  std::string text;
  llvm::raw_string_ostream(text) << format("%.1f dB", value);
  return text;
}

/// Without noise, or without a signal, there is no number to write.
static json::Value number(const SignalToNoise &ratio) {
  const double value = ratio.decibel();
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static double percent(uint64_t part, uint64_t all) {
  return all ? 100.0 * double(part) / double(all) : 0;
}

static void printAgreement(llvm::raw_ostream &os, const Agreement &top1) {
  os << top1.same << " of " << top1.rows
     << format(" (%.1f %%)", percent(top1.same, top1.rows));
}

void QuantizationReport::print(llvm::raw_ostream &os) const {
  os << "quantised to int8: " << layers.size() << " layers, calibrated with "
     << samples << (samples == 1 ? " sample" : " samples");
  if (heldOut)
    os << ", judged on " << heldOut << " others, too";
  os << '\n';
  size_t width = 5;
  for (const QuantizedLayer &layer : layers)
    width = std::max(width, layer.name.size());
  auto pad = [&](llvm::StringRef text, size_t columns) {
    os << text;
    os.indent(unsigned(columns > text.size() ? columns - text.size() : 0));
  };
  auto padLeft = [&](llvm::StringRef text, size_t columns) {
    os.indent(unsigned(columns > text.size() ? columns - text.size() : 0));
    os << text;
  };
  os << "  ";
  pad("layer", width);
  os << "      alone  in the net    weights  saturated  step of the output\n";
  for (const QuantizedLayer &layer : layers) {
    os << "  ";
    pad(layer.name, width);
    padLeft(decibels(layer.own), 11);
    padLeft(decibels(layer.whole), 12);
    padLeft(layer.weightScales.empty() ? "" : decibels(layer.weights), 11);
    os << format("%9.3f %%", percent(layer.saturated, layer.elements))
       << format("  %.4g", layer.outputScale) << '\n';
  }
  for (const auto &[name, reason] : left)
    os << "  " << name << " stays in float: " << reason << '\n';
  for (auto [index, output] : llvm::enumerate(outputs)) {
    os << "output " << index << ": signal-to-noise ratio against float "
       << decibels(output.calibration);
    if (heldOut)
      os << ", of the others " << decibels(output.heldOut);
    if (output.top1.rows) {
      os << "; same largest element in ";
      printAgreement(os, output.top1);
      if (heldOut) {
        os << ", of the others in ";
        printAgreement(os, output.top1HeldOut);
      }
    }
    os << '\n';
  }
  if (worst.size() > 1) {
    os << "worst:";
    for (auto [index, each] : llvm::enumerate(worst)) {
      os << (index ? ", " : " ") << each.sample;
      if (outputs.size() > 1)
        os << " output " << each.output;
      os << ' ' << decibels(each.ratio);
    }
    os << '\n';
  }
}

json::Object QuantizationReport::toJson() const {
  json::Array ofLayers;
  for (const QuantizedLayer &layer : layers) {
    json::Array channels;
    for (const SignalToNoise &channel : layer.channels)
      channels.push_back(number(channel));
    json::Object object{
        {"name", layer.name},
        {"kind", layer.isSum ? "sum" : "contraction"},
        {"input_scale", layer.inputScale},
        {"output_scale", layer.outputScale},
        {"alone_db", number(layer.own)},
        {"alone_db_of_channels", std::move(channels)},
        {"whole_db", number(layer.whole)},
        {"saturated", percent(layer.saturated, layer.elements) / 100},
        {"elements", int64_t(layer.elements)}};
    if (!layer.weightScales.empty()) {
      object["weight_scales"] = json::Array(layer.weightScales);
      object["weights_db"] = number(layer.weights);
    }
    ofLayers.push_back(std::move(object));
  }
  json::Array ofOutputs;
  for (const QuantizedOutput &output : outputs) {
    json::Object object{{"calibration_db", number(output.calibration)}};
    if (heldOut)
      object["held_out_db"] = number(output.heldOut);
    auto add = [&](llvm::StringRef name, const Agreement &top1) {
      if (top1.rows)
        object[name] = json::Object{{"same", int64_t(top1.same)},
                                    {"rows", int64_t(top1.rows)}};
    };
    add("top1", output.top1);
    add("top1_held_out", output.top1HeldOut);
    ofOutputs.push_back(std::move(object));
  }
  json::Array ofWorst;
  for (const SampleOutput &each : worst)
    ofWorst.push_back(json::Object{{"sample", each.sample},
                                   {"output", int64_t(each.output)},
                                   {"held_out", each.isHeldOut},
                                   {"db", number(each.ratio)}});
  json::Array inFloat;
  for (const auto &[name, reason] : left)
    inFloat.push_back(json::Object{{"name", name}, {"reason", reason}});
  return json::Object{
      {"samples", int64_t(samples)},     {"held_out", int64_t(heldOut)},
      {"layers", std::move(ofLayers)},   {"in_float", std::move(inFloat)},
      {"outputs", std::move(ofOutputs)}, {"worst", std::move(ofWorst)}};
}
