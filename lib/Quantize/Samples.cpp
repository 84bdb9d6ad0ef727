//===- Samples.cpp - Inputs to calibrate with -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Quantize/Samples.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <cstring>

using namespace fadiff;
using llvm::formatv;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

template <typename... Args>
static llvm::Error failWith(const char *format, Args &&...args) {
  return llvm::createStringError(
      formatv(format, std::forward<Args>(args)...).str());
}

static bool isTensorFile(llvm::StringRef name) {
  return name.ends_with_insensitive(".npy") ||
         name.ends_with_insensitive(".pb");
}

/// The reader that is given knows which of them it reads.
static bool isPicture(llvm::StringRef name) {
  constexpr llvm::StringLiteral kEndings[] = {".png", ".jpg", ".jpeg", ".ppm",
                                              ".pgm"};
  return llvm::any_of(kEndings, [&](llvm::StringRef ending) {
    return name.ends_with_insensitive(ending);
  });
}

/// Fails at the first element that is no number.
template <typename T>
static llvm::Error checkNumbers(llvm::StringRef file,
                                const HostTensor &tensor) {
  const auto *numbers = reinterpret_cast<const T *>(tensor.data());
  for (uint64_t i = 0, n = tensor.spec().numElements(); i < n; ++i)
    if (!std::isfinite(numbers[i]))
      return failWith("calibration: '{0}': element {1} is {2}; wanted finite "
                      "numbers, remove the file or repair it",
                      file, i, std::isnan(numbers[i]) ? "NaN" : "infinite");
  return llvm::Error::success();
}

static llvm::Error checkNumbers(llvm::StringRef file,
                                const HostTensor &tensor) {
  switch (tensor.spec().element) {
  case ElementType::F32:
    return checkNumbers<float>(file, tensor);
  case ElementType::F64:
    return checkNumbers<double>(file, tensor);
  default:
    return llvm::Error::success();
  }
}

/// The tensor in `file`; of the type that `wanted` says.
static llvm::Expected<HostTensor>
readOne(llvm::StringRef file, const TensorSpec &wanted, TensorReader read) {
  llvm::Expected<HostTensor> tensor = read(file, wanted);
  if (!tensor)
    return failWith("calibration: {0}", llvm::toString(tensor.takeError()));
  if (llvm::Error error = checkNumbers(file, *tensor))
    return std::move(error);
  return tensor;
}

/// Adds what `file` holds of the function's only argument.
static llvm::Error readFile(llvm::StringRef file, const TensorSpec &wanted,
                            TensorReader read, std::vector<Sample> &samples) {
  TensorSpec any = wanted;
  const bool isBatch =
      !wanted.shape.empty() && wanted.shape[0] == 1 && !isPicture(file);
  if (isBatch)
    any.shape[0] = TensorSpec::kOpen;
  llvm::Expected<HostTensor> tensor = readOne(file, any, read);
  if (!tensor)
    return tensor.takeError();
  const int64_t count = isBatch ? tensor->spec().shape[0] : 1;
  if (count == 0)
    return failWith("calibration: '{0}': wanted one sample or more along the "
                    "first axis, found {1}",
                    file, tensor->spec().str());
  const std::string name = path::filename(file).str();
  if (count == 1) {
    Sample sample{name, {}};
    sample.arguments.push_back(std::move(*tensor));
    samples.push_back(std::move(sample));
    return llvm::Error::success();
  }
  for (int64_t i = 0; i < count; ++i) {
    llvm::Expected<HostTensor> one = HostTensor::allocate(wanted);
    if (!one)
      return one.takeError();
    const uint64_t size = wanted.sizeInBytes();
    std::memcpy(one->data(), tensor->data() + uint64_t(i) * size, size);
    Sample sample{formatv("{0}[{1}]", name, i).str(), {}};
    sample.arguments.push_back(std::move(*one));
    samples.push_back(std::move(sample));
  }
  return llvm::Error::success();
}

/// Adds the sample whose arguments are files in `directory`.
static llvm::Error readDirectory(llvm::StringRef directory,
                                 const EntryPoint &entry, TensorReader read,
                                 std::vector<Sample> &samples) {
  Sample sample{path::filename(directory).str(), {}};
  for (auto [index, wanted] : llvm::enumerate(entry.arguments)) {
    std::string file;
    for (const char *ending : {".npy", ".pb"}) {
      llvm::SmallString<128> candidate(directory);
      path::append(candidate, formatv("input_{0}{1}", index, ending).str());
      if (fs::exists(candidate)) {
        file = candidate.str().str();
        break;
      }
    }
    if (file.empty())
      return failWith("calibration: '{0}' has no input_{1}.npy or .pb; wanted "
                      "one for each of the {2} arguments of '@{3}'",
                      directory, index, entry.arguments.size(), entry.name);
    llvm::Expected<HostTensor> tensor = readOne(file, wanted, read);
    if (!tensor)
      return tensor.takeError();
    sample.arguments.push_back(std::move(*tensor));
  }
  samples.push_back(std::move(sample));
  return llvm::Error::success();
}

llvm::Expected<std::vector<Sample>>
fadiff::readSamples(llvm::StringRef directory, const EntryPoint &entry,
                    TensorReader read) {
  if (!fs::is_directory(directory))
    return failWith("calibration: '{0}' is no directory; wanted one with a "
                    ".npy or .pb file, a picture or a subdirectory for each "
                    "sample",
                    directory);
  std::vector<std::string> files, directories;
  std::string other;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; it != end && !code;
       it.increment(code)) {
    if (fs::is_directory(it->path()))
      directories.push_back(it->path());
    else if (isTensorFile(it->path()) || isPicture(it->path()))
      files.push_back(it->path());
    else
      other = path::filename(it->path()).str();
  }
  if (code)
    return failWith("calibration: cannot read '{0}': {1}", directory,
                    code.message());
  llvm::sort(files);
  llvm::sort(directories);
  if (!files.empty() && entry.arguments.size() != 1)
    return failWith("calibration: '{0}': '@{1}' takes {2} arguments; wanted a "
                    "subdirectory for each sample, with files input_0, "
                    "input_1, ...; found the file '{3}'",
                    directory, entry.name, entry.arguments.size(),
                    path::filename(files.front()));
  std::vector<Sample> samples;
  for (const std::string &file : files)
    if (llvm::Error error =
            readFile(file, entry.arguments.front(), read, samples))
      return std::move(error);
  for (const std::string &each : directories)
    if (llvm::Error error = readDirectory(each, entry, read, samples))
      return std::move(error);
  if (samples.empty())
    return failWith("calibration: '{0}' has no sample; wanted a .npy or .pb "
                    "file, a picture or a subdirectory for each, found {1}",
                    directory, other.empty() ? "nothing" : "'" + other + "'");
  return samples;
}

llvm::Expected<std::vector<Sample>>
fadiff::drawSamples(const EntryPoint &entry, unsigned count, uint64_t seed) {
  std::vector<Sample> samples;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Expected<std::vector<HostTensor>> arguments =
        makeArguments(entry, seed + i);
    if (!arguments)
      return arguments.takeError();
    samples.push_back(
        {formatv("seed {0}", seed + i).str(), std::move(*arguments)});
  }
  return samples;
}
