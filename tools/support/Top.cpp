//===- Top.cpp - The largest scores of an output --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Top.h"

#include "fadiff/Support/Files.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>

using namespace fadiff;

llvm::Expected<std::vector<std::string>>
fadiff::readLabels(llvm::StringRef path) {
  auto file = openInput(path, kMostRecordBytes);
  if (!file)
    return file.takeError();
  llvm::StringRef text = (*file)->getBuffer();
  std::vector<std::string> labels;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    labels.push_back(line.rtrim("\r").str());
    text = rest;
  }
  return labels;
}

template <typename T>
static double elementAs(const HostTensor &tensor, size_t index) {
  T element;
  std::memcpy(&element, tensor.data() + index * sizeof(T), sizeof(T));
  return double(element);
}

using Load = double (*)(const HostTensor &, size_t);
/// Null for types that are no scores.
static Load loadOf(ElementType element) {
  switch (element) {
  case ElementType::I8:
    return elementAs<int8_t>;
  case ElementType::I16:
    return elementAs<int16_t>;
  case ElementType::I32:
    return elementAs<int32_t>;
  case ElementType::I64:
    return elementAs<int64_t>;
  case ElementType::F32:
    return elementAs<float>;
  case ElementType::F64:
    return elementAs<double>;
  default:
    return nullptr;
  }
}

llvm::Error fadiff::checkScores(const TensorSpec &output,
                                llvm::ArrayRef<std::string> labels,
                                llvm::StringRef labelsFile) {
  if (output.shape.empty() || !loadOf(output.element))
    return llvm::createStringError(
        "--top: wanted an output with scores of i8, i16, i32, i64, f32 or f64 "
        "along an axis, found " +
        output.str());
  const int64_t classes = output.shape.back();
  if (!labelsFile.empty() && classes != TensorSpec::kOpen &&
      classes != int64_t(labels.size()))
    return llvm::createStringError(llvm::formatv(
        "'{0}': wanted {1} labels, one on each line, for {2}, found {3}",
        labelsFile, classes, output.str(), labels.size()));
  return llvm::Error::success();
}

void fadiff::printTop(llvm::raw_ostream &os, const HostTensor &output,
                      unsigned count, llvm::ArrayRef<std::string> labels) {
  const Load load = loadOf(output.spec().element);
  const size_t classes = size_t(output.spec().shape.back());
  const size_t rows =
      classes ? size_t(output.spec().numElements()) / classes : 0;
  std::vector<double> scores(classes);
  std::vector<size_t> order(classes);
  const size_t shown = std::min<size_t>(count, classes);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t i = 0; i < classes; ++i) {
      const double score = load(output, row * classes + i);
      scores[i] = std::isnan(score) ? -HUGE_VAL : score;
    }
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + ptrdiff_t(shown),
                      order.end(), [&](size_t a, size_t b) {
                        return scores[a] != scores[b] ? scores[a] > scores[b]
                                                      : a < b;
                      });
    os << "top " << shown;
    if (rows > 1)
      os << " of row " << row;
    os << ":\n";
    for (size_t place = 0; place < shown; ++place) {
      const size_t index = order[place];
      os << llvm::format("%3zu. %5zu  %-12.6g", place + 1, index,
                         load(output, row * classes + index));
      if (!labels.empty())
        os << "  " << labels[index];
      os << '\n';
    }
  }
}
