//===- Sweep.cpp - Scores of machines in files ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Codesign/Sweep.h"

#include "Machines.h"

#include "fadiff/Hardware/Fields.h"
#include "fadiff/Search/Cache.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Support/Schema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace fadiff;
namespace json = llvm::json;

llvm::Expected<Shard> fadiff::parseShard(llvm::StringRef text) {
  Shard shard;
  auto [index, count] = text.split('/');
  if (index.getAsInteger(10, shard.index) ||
      count.getAsInteger(10, shard.count) || shard.count == 0 ||
      shard.index >= shard.count)
    return llvm::createStringError(
        "shard must be I/N with I from 0 to N - 1, such as 3/64; found '" +
        text + "'");
  return shard;
}

llvm::Expected<std::vector<DesignPoint>>
fadiff::machinesOf(const Design &design, const CodesignOptions &options) {
  codesign_detail::Machines machines(design, options, nullptr, nullptr);
  if (llvm::Error error = codesign_detail::refuseRanges(design, "grid"))
    return std::move(error);
  if (llvm::Error error = machines.list())
    return std::move(error);
  return std::move(machines.points);
}

static std::string hashOf(llvm::StringRef text) {
  const llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  return llvm::formatv("{0:x-16}{1:x-16}", hash.high64, hash.low64);
}

std::string KnownScores::keyOf(llvm::StringRef content,
                               const Accelerator &machine) {
  std::string text = content.str() + '\n';
  visitFields([&](const Field &field,
                  const auto &value) { text += toText(value) + '\n'; },
              machine);
  return hashOf(text);
}

/// Slopes are shares, but a constant's errors may be anything.
static constexpr double kLeastSlope = -1e300;

llvm::Expected<std::vector<NetworkScore>>
KnownScores::find(const std::string &key) const {
  const Known &found = known.at(key);
  if (!found.error.empty())
    return llvm::createStringError(found.error);
  return found.networks;
}

llvm::Error
KnownScores::keep(const std::string &key, llvm::StringRef machine,
                  llvm::Expected<std::vector<NetworkScore>> scores) {
  Known found;
  json::Object line{
      {"key", key}, {"model", modelVersion()}, {"machine", machine}};
  if (!scores) {
    found.error = llvm::toString(scores.takeError());
    line["error"] = found.error;
  } else {
    found.networks = *scores;
    json::Array networks;
    for (const NetworkScore &score : *scores) {
      json::Object network{{"energy_pj", score.energy},
                           {"cycles", score.cycles},
                           {"value", score.value}};
      if (score.bound)
        network["bound"] = *score.bound;
      if (!score.energySlopes.empty()) {
        network["energy_slopes"] = json::Array(score.energySlopes);
        network["cycles_slopes"] = json::Array(score.cyclesSlopes);
      }
      networks.push_back(std::move(network));
    }
    line["networks"] = std::move(networks);
  }
  if (out) {
    // In one piece, so that a line is there or not.
    const std::string text =
        llvm::formatv("{0}\n", json::Value(std::move(line)));
    *out << text;
    out->flush();
    if (out->has_error()) {
      const std::string why = out->error().message();
      out->clear_error();
      return llvm::createStringError("the shard's file cannot be written: " +
                                     why);
    }
  }
  known[key] = std::move(found);
  return llvm::Error::success();
}

std::optional<std::pair<std::string, KnownScores::Known>>
KnownScores::parse(llvm::StringRef line, std::string &why) {
  llvm::Expected<json::Value> value = parseJson(line, "line");
  if (!value) {
    why = llvm::toString(value.takeError());
    return std::nullopt;
  }
  Complaints complaints("");
  JsonField root(complaints, *value);
  std::string key = root["key"].string().str();
  if (root["model"].string() != modelVersion()) {
    why = "it is of another version of the model";
    return std::nullopt;
  }
  Known found;
  if (root.has("error")) {
    found.error = root["error"].string().str();
  } else {
    for (JsonField network : root["networks"].elements()) {
      NetworkScore score;
      score.energy = network["energy_pj"].number(0);
      score.cycles = network["cycles"].number(0);
      score.value = network["value"].number(0);
      if (network.has("bound"))
        score.bound = network["bound"].number(0);
      for (auto [name, slopes] :
           {std::make_pair("energy_slopes", &score.energySlopes),
            std::make_pair("cycles_slopes", &score.cyclesSlopes)})
        if (network.has(name))
          for (JsonField slope : network[name].elements())
            slopes->push_back(slope.number(kLeastSlope));
      found.networks.push_back(std::move(score));
    }
  }
  if (llvm::Error error = complaints.take()) {
    why = llvm::toString(std::move(error));
    return std::nullopt;
  }
  return std::make_pair(std::move(key), std::move(found));
}

llvm::Error
KnownScores::read(llvm::StringRef path,
                  llvm::function_ref<void(const std::string &)> warn) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file =
      openInput(path, kMostRecordBytes);
  if (!file)
    return file.takeError();
  llvm::StringRef rest = (*file)->getBuffer();
  for (unsigned number = 1; !rest.empty(); ++number) {
    auto [line, next] = rest.split('\n');
    rest = next;
    if (line.empty())
      continue;
    std::string why;
    if (auto found = parse(line, why))
      known.insert(std::move(*found));
    else
      warn(llvm::formatv("{0}: line {1} is left out: {2}", path, number, why));
  }
  return llvm::Error::success();
}

llvm::Error
KnownScores::open(llvm::StringRef path,
                  llvm::function_ref<void(const std::string &)> warn) {
  bool isCut = false;
  if (llvm::sys::fs::exists(path)) {
    if (llvm::Error error = checkRegularFile(path))
      return error;
    if (llvm::Error error = read(path, warn))
      return error;
    auto file = openInput(path, kMostRecordBytes);
    if (!file)
      return file.takeError();
    const llvm::StringRef text = (*file)->getBuffer();
    isCut = !text.empty() && !text.ends_with("\n");
  }
  std::error_code error;
  out = std::make_unique<llvm::raw_fd_ostream>(path, error,
                                               llvm::sys::fs::OF_Append);
  if (error) {
    out.reset();
    return llvm::createStringError("cannot write '" + path +
                                   "': " + error.message());
  }
  if (isCut) // where a process was killed
    *out << '\n';
  return llvm::Error::success();
}
