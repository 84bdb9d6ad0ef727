//===- Npy.cpp - Host tensors in NumPy's files ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/Npy.h"
#include "fadiff/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <optional>

using namespace fadiff;
using llvm::StringRef;

static constexpr StringRef kMagic("\x93NUMPY", 6);
/// The data of version 1 start at a multiple of this.
static constexpr size_t kAlignment = 64;

static llvm::Error failed(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// The types of which an array may be, as NumPy names them without the byte
/// order; the first is what is written.
static llvm::ArrayRef<StringRef> typesOf(ElementType type) {
  static constexpr StringRef i1[] = {"b1"}, i8[] = {"i1", "u1"},
                             i16[] = {"i2", "u2"}, i32[] = {"i4", "u4"},
                             i64[] = {"i8", "u8"}, bits[] = {"u1"},
                             f16[] = {"f2", "u2"}, bf16[] = {"u2", "V2"},
                             f32[] = {"f4"}, f64[] = {"f8"};
  switch (type) {
  case ElementType::I1:
    return i1;
  case ElementType::I4:
  case ElementType::I8:
    return i8;
  case ElementType::I16:
    return i16;
  case ElementType::I32:
    return i32;
  case ElementType::I64:
  case ElementType::Index:
    return i64;
  case ElementType::F4E2M1FN:
  case ElementType::F8E8M0FNU:
    return bits;
  case ElementType::F16:
    return f16;
  case ElementType::BF16:
    return bf16;
  case ElementType::F32:
    return f32;
  case ElementType::F64:
    return f64;
  }
  llvm_unreachable("all element types are covered");
}

namespace {
/// What a header says.
struct Header {
  std::optional<std::string> type; ///< with its byte order
  std::optional<bool> isColumnMajor;
  std::optional<llvm::SmallVector<int64_t, 4>> shape;
};

/// Reads the literal of a Python dictionary that a header is.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  /// Nothing if the text is none, or not of the known keys.
  std::optional<Header> parse() {
    Header header;
    if (!take("{"))
      return std::nullopt;
    while (!take("}")) {
      std::optional<std::string> key = parseString();
      if (!key || !take(":") || !parseValue(*key, header))
        return std::nullopt;
      if (!take(",") && !peek("}"))
        return std::nullopt;
    }
    if (!rest.trim().empty() || !header.type || !header.isColumnMajor ||
        !header.shape)
      return std::nullopt;
    return header;
  }

private:
  bool parseValue(StringRef key, Header &header) {
    if (key == "descr")
      return (header.type = parseString()).has_value();
    if (key == "shape")
      return (header.shape = parseShape()).has_value();
    if (key != "fortran_order")
      return false;
    const bool yes = take("True");
    header.isColumnMajor = yes;
    return yes || take("False");
  }

  std::optional<std::string> parseString() {
    for (StringRef quote : {"'", "\""}) {
      if (!take(quote))
        continue;
      auto [text, behind] = rest.split(quote);
      if (text.size() == rest.size())
        return std::nullopt;
      rest = behind;
      return text.str();
    }
    return std::nullopt;
  }

  std::optional<llvm::SmallVector<int64_t, 4>> parseShape() {
    llvm::SmallVector<int64_t, 4> shape;
    if (!take("("))
      return std::nullopt;
    while (!take(")")) {
      uint64_t extent;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, extent) || extent > uint64_t(INT64_MAX))
        return std::nullopt;
      shape.push_back(int64_t(extent));
      if (!take(",") && !peek(")"))
        return std::nullopt;
    }
    return shape;
  }

  bool peek(StringRef token) { return rest.ltrim().starts_with(token); }
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  StringRef rest;
};
} // namespace

static std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1)
    text.resize(text.size() - 2);
  return "(" + text + ")";
}

llvm::Expected<HostTensor> fadiff::parseNpy(StringRef bytes,
                                            const TensorSpec &wanted) {
  if (!bytes.consume_front(kMagic))
    return failed("wanted a .npy file, found one that does not start with "
                  "\\x93NUMPY; write it with numpy.save");
  const unsigned version = bytes.empty() ? 0 : uint8_t(bytes[0]);
  const size_t lengthBytes = version == 1 ? 2 : 4;
  if (bytes.size() < 2 + lengthBytes)
    return failed("the file ends within its header");
  if (version < 1 || version > 3)
    return failed(llvm::formatv(
        "wanted version 1, 2 or 3 of the .npy format, found {0}", version));
  bytes = bytes.drop_front(2);
  const size_t length = version == 1
                            ? llvm::support::endian::read16le(bytes.data())
                            : llvm::support::endian::read32le(bytes.data());
  bytes = bytes.drop_front(lengthBytes);
  if (bytes.size() < length)
    return failed("the file ends within its header");
  std::optional<Header> header = HeaderParser(bytes.take_front(length)).parse();
  if (!header)
    return failed("wanted a header with 'descr', 'fortran_order' and 'shape', "
                  "found " +
                  bytes.take_front(std::min<size_t>(length, 200)).rtrim());
  bytes = bytes.drop_front(length);

  StringRef type = *header->type;
  const llvm::ArrayRef<StringRef> types = typesOf(wanted.element);
  if (type.consume_front(">") && !type.ends_with("1"))
    return failed("wanted little-endian numbers, found '" + *header->type +
                  "'; convert them with array.astype('<" + types.front() +
                  "')");
  if (!type.consume_front("<") && !type.consume_front("|"))
    type.consume_front("=");
  TensorSpec spec;
  spec.element = wanted.element;
  spec.shape = *header->shape;
  if (!llvm::is_contained(types, type) || !wanted.admits(spec))
    return failed("wanted " + wanted.str() + " (of NumPy's type '" +
                  types.front() + "'), found an array of '" + *header->type +
                  "' and shape " + shapeText(*header->shape));
  if (*header->isColumnMajor && spec.shape.size() > 1)
    return failed("wanted an array in row-major order, found one in "
                  "column-major (Fortran) order; save "
                  "numpy.ascontiguousarray(array)");
  if (bytes.size() != spec.sizeInBytes())
    return failed(llvm::formatv("wanted {0} bytes of data for {1}, found {2}",
                                spec.sizeInBytes(), spec.str(), bytes.size()));
  llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
  if (!tensor)
    return tensor.takeError();
  std::memcpy(tensor->data(), bytes.data(), bytes.size());
  // Compiled code relies on 0 and 1, and on four bits.
  llvm::MutableArrayRef<uint8_t> data(tensor->data(), bytes.size());
  if (spec.element == ElementType::I1)
    for (uint8_t &byte : data)
      byte = byte != 0;
  if (spec.element == ElementType::F4E2M1FN &&
      llvm::any_of(data, [](uint8_t byte) { return byte > 0xf; }))
    return failed("wanted the bits of numbers of 4 bits, found more");
  if (spec.element == ElementType::I4)
    for (uint8_t &byte : data) {
      if (int8_t(byte) < -8 || int8_t(byte) > (type == "u1" ? 15 : 7))
        return failed(llvm::formatv("wanted numbers of 4 bits, found {0}",
                                    type == "u1" ? byte : int8_t(byte)));
      byte &= 0xf;
    }
  return tensor;
}

llvm::Expected<HostTensor> fadiff::readNpy(StringRef path,
                                           const TensorSpec &wanted) {
  auto file = openInput(path);
  if (!file)
    return file.takeError();
  llvm::Expected<HostTensor> tensor = parseNpy((*file)->getBuffer(), wanted);
  if (!tensor)
    return failed("'" + path + "': " + llvm::toString(tensor.takeError()));
  return tensor;
}

void fadiff::printNpy(llvm::raw_ostream &os, const HostTensor &tensor) {
  const TensorSpec &spec = tensor.spec();
  std::string header =
      llvm::formatv("{{'descr': '{0}{1}', 'fortran_order': False, 'shape': "
                    "{2}, }",
                    elementSize(spec.element) == 1 ? "|" : "<",
                    typesOf(spec.element).front(), shapeText(spec.shape));
  const size_t before = kMagic.size() + 4;
  header.resize(
      llvm::alignTo(before + header.size() + 1, kAlignment) - before - 1, ' ');
  header += '\n';
  os << kMagic << '\1' << '\0' << char(header.size() & 0xff)
     << char(header.size() >> 8) << header;
  if (spec.element == ElementType::I4)
    for (uint8_t byte : tensor.raw())
      os << char(llvm::SignExtend32<4>(byte));
  else
    os << llvm::toStringRef(tensor.raw());
}
