//===- Tensors.cpp - Tensors of a model as bytes --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensors.h"

#include "fadiff/Onnx/Import.h"
#include "fadiff/Runner/Npy.h"
#include "fadiff/Support/Files.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <cstring>

using namespace fadiff;
using namespace fadiff::frontend;
using onnx::TensorProto;

static llvm::Error refused(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

std::string frontend::typeName(int32_t type) {
  if (!onnx::TensorProto_DataType_IsValid(type))
    return ("type " + llvm::Twine(type)).str();
  return llvm::StringRef(onnx::TensorProto_DataType_Name(
                             static_cast<onnx::TensorProto_DataType>(type)))
      .lower();
}

bool frontend::isUnsigned(int32_t type) {
  return type == TensorProto::UINT8 || type == TensorProto::UINT16 ||
         type == TensorProto::UINT32 || type == TensorProto::UINT64 ||
         type == TensorProto::BOOL;
}

mlir::Type frontend::elementTypeOf(int32_t type, mlir::MLIRContext *context) {
  mlir::Builder b(context);
  switch (type) {
  case TensorProto::FLOAT:
    return b.getF32Type();
  case TensorProto::DOUBLE:
    return b.getF64Type();
  case TensorProto::FLOAT16:
    return b.getF16Type();
  case TensorProto::BFLOAT16:
    return b.getBF16Type();
  case TensorProto::BOOL:
    return b.getI1Type();
  case TensorProto::INT8:
  case TensorProto::UINT8:
    return b.getI8Type();
  case TensorProto::INT16:
  case TensorProto::UINT16:
    return b.getI16Type();
  case TensorProto::INT32:
  case TensorProto::UINT32:
    return b.getI32Type();
  case TensorProto::INT64:
  case TensorProto::UINT64:
    return b.getI64Type();
  default:
    return {};
  }
}

/// Bytes of one element; 0 if the type is not known here.
static int64_t sizeOf(int32_t type) {
  switch (type) {
  case TensorProto::BOOL:
  case TensorProto::INT8:
  case TensorProto::UINT8:
    return 1;
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
  case TensorProto::INT16:
  case TensorProto::UINT16:
    return 2;
  case TensorProto::FLOAT:
  case TensorProto::INT32:
  case TensorProto::UINT32:
    return 4;
  case TensorProto::DOUBLE:
  case TensorProto::INT64:
  case TensorProto::UINT64:
    return 8;
  default:
    return 0;
  }
}

std::string frontend::listText(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(numbers, os);
  os << ']';
  return text;
}

std::optional<int64_t> frontend::countElements(llvm::ArrayRef<int64_t> shape) {
  constexpr int64_t kMost = int64_t(1) << 40;
  if (llvm::any_of(shape, [](int64_t extent) { return extent < 0; }))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent >= kMost / count)
      return std::nullopt;
    count *= extent;
  }
  return count;
}

/// What `tensor` has in a file of its own.
static llvm::Expected<std::string> readExternal(const TensorProto &tensor,
                                                llvm::StringRef directory,
                                                uint64_t size) {
  llvm::StringRef location;
  uint64_t offset = 0, length = size;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    const llvm::StringRef key = entry.key(), value = entry.value();
    uint64_t *number = key == "offset"   ? &offset
                       : key == "length" ? &length
                                         : nullptr;
    if (key == "location")
      location = value;
    else if (number && value.getAsInteger(10, *number))
      return refused("external data: wanted a number as '" + key +
                     "', found '" + value + "'");
  }
  auto outside = [&]() {
    return refused("external data: wanted a file in the model's directory or "
                   "below, found '" +
                   location + "', which is refused");
  };
  if (location.empty())
    return refused("external data: wanted a 'location', found none");
  if (llvm::sys::path::is_absolute(location) ||
      llvm::is_contained(llvm::make_range(llvm::sys::path::begin(location),
                                          llvm::sys::path::end(location)),
                         ".."))
    return outside();
  llvm::SmallString<128> path(directory), real, realDirectory;
  llvm::sys::path::append(path, location);
  // Links may lead elsewhere.
  if (std::error_code code = llvm::sys::fs::real_path(path, real))
    return refused("external data: '" + path.str() + "': " + code.message());
  if (std::error_code code = llvm::sys::fs::real_path(
          directory.empty() ? "." : directory, realDirectory))
    return refused("external data: '" + directory + "': " + code.message());
  llvm::StringRef rest = real;
  if (!rest.consume_front(realDirectory) ||
      !(realDirectory == "/" || rest.starts_with("/")))
    return outside();
  if (llvm::Error error = checkRegularFile(real))
    return std::move(error);
  uint64_t held = 0;
  if (std::error_code code = llvm::sys::fs::file_size(real, held))
    return refused("external data: '" + path.str() + "': " + code.message());
  if (length != size)
    return refused(llvm::formatv("external data: wanted {0} bytes for the "
                                 "tensor's type and shape, found a length of "
                                 "{1}",
                                 size, length));
  if (offset > held || held - offset < length)
    return refused(llvm::formatv("external data: wanted {0} bytes from {1} on, "
                                 "found {2} bytes in '{3}'",
                                 length, offset, held, path));
  auto slice = llvm::MemoryBuffer::getFileSlice(real, length,
                                                static_cast<int64_t>(offset));
  if (!slice)
    return refused("external data: '" + path.str() +
                   "': " + slice.getError().message());
  return (*slice)->getBuffer().str();
}

/// Appends `values`, each as a `T`.
template <typename T, typename Field>
static void append(const Field &values, std::string &bytes) {
  bytes.reserve(size_t(values.size()) * sizeof(T));
  for (auto value : values) {
    const T element = static_cast<T>(value);
    bytes.append(reinterpret_cast<const char *>(&element), sizeof(T));
  }
}

static std::string fromFields(const TensorProto &tensor) {
  std::string bytes;
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    append<float>(tensor.float_data(), bytes);
    break;
  case TensorProto::DOUBLE:
    append<double>(tensor.double_data(), bytes);
    break;
  case TensorProto::INT64:
    append<int64_t>(tensor.int64_data(), bytes);
    break;
  case TensorProto::UINT64:
    append<uint64_t>(tensor.uint64_data(), bytes);
    break;
  case TensorProto::UINT32:
    append<uint32_t>(tensor.uint64_data(), bytes);
    break;
  case TensorProto::INT32:
    append<int32_t>(tensor.int32_data(), bytes);
    break;
  case TensorProto::BOOL:
  case TensorProto::INT8:
  case TensorProto::UINT8:
    append<uint8_t>(tensor.int32_data(), bytes);
    break;
  default: // of two bytes, floats as their bits
    append<uint16_t>(tensor.int32_data(), bytes);
    break;
  }
  return bytes;
}

llvm::Expected<TensorData> frontend::takeTensor(TensorProto &&tensor,
                                                llvm::StringRef directory) {
  TensorData data;
  data.type = tensor.data_type();
  data.shape.assign(tensor.dims().begin(), tensor.dims().end());
  const int64_t each = sizeOf(data.type);
  if (each == 0)
    return refused("wanted numbers or bool, found elements of " +
                   typeName(data.type));
  std::optional<int64_t> count = countElements(data.shape);
  if (!count)
    return refused("wanted extents of at least 0 and less than 2^40 elements, "
                   "found " +
                   listText(data.shape));
  const uint64_t size = uint64_t(*count) * uint64_t(each);
  if (tensor.has_segment())
    return refused("wanted a tensor in one piece, found a segment of one");
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    llvm::Expected<std::string> bytes = readExternal(tensor, directory, size);
    if (!bytes)
      return bytes.takeError();
    data.bytes = std::move(*bytes);
  } else if (tensor.has_raw_data()) {
    data.bytes = std::move(*tensor.mutable_raw_data());
  } else {
    data.bytes = fromFields(tensor);
  }
  if (data.bytes.size() != size)
    return refused(
        llvm::formatv("wanted {0} bytes for {1} elements of {2}, found {3}",
                      size, *count, typeName(data.type), data.bytes.size()));
  if (data.type == TensorProto::BOOL)
    for (char &byte : data.bytes)
      byte = byte != 0;
  return data;
}

/// Of floats whose bits are `Bits`: those above `infinity`, the sign aside.
template <typename Bits>
static std::optional<int64_t> firstAbove(llvm::StringRef bytes, Bits infinity) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, bytes.data() + at, sizeof(Bits));
    if ((bits & Bits(~Bits(0)) >> 1) > infinity)
      return static_cast<int64_t>(at / sizeof(Bits));
  }
  return std::nullopt;
}

std::optional<int64_t> frontend::firstNaN(const TensorData &data) {
  switch (data.type) {
  case TensorProto::FLOAT:
    return firstAbove<uint32_t>(data.bytes, 0x7F800000);
  case TensorProto::DOUBLE:
    return firstAbove<uint64_t>(data.bytes, 0x7FF0000000000000);
  case TensorProto::FLOAT16:
    return firstAbove<uint16_t>(data.bytes, 0x7C00);
  case TensorProto::BFLOAT16:
    return firstAbove<uint16_t>(data.bytes, 0x7F80);
  default:
    return std::nullopt;
  }
}

llvm::Expected<TensorData> frontend::readTensorFile(llvm::StringRef path) {
  auto file = openInput(path);
  if (!file)
    return file.takeError();
  TensorProto tensor;
  if ((*file)->getBufferSize() > INT32_MAX ||
      !tensor.ParseFromArray((*file)->getBufferStart(),
                             static_cast<int>((*file)->getBufferSize())))
    return refused("'" + path +
                   "': wanted an ONNX tensor (TensorProto), found "
                   "something else, or a damaged one");
  llvm::Expected<TensorData> data =
      takeTensor(std::move(tensor), llvm::sys::path::parent_path(path));
  if (!data)
    return refused("'" + path + "': " + llvm::toString(data.takeError()));
  return data;
}

//===----------------------------------------------------------------------===//
// Host tensors
//===----------------------------------------------------------------------===//

static std::optional<ElementType> hostType(int32_t type) {
  switch (type) {
  case TensorProto::BOOL:
    return ElementType::I1;
  case TensorProto::INT8:
  case TensorProto::UINT8:
    return ElementType::I8;
  case TensorProto::INT16:
  case TensorProto::UINT16:
    return ElementType::I16;
  case TensorProto::INT32:
  case TensorProto::UINT32:
    return ElementType::I32;
  case TensorProto::INT64:
  case TensorProto::UINT64:
    return ElementType::I64;
  case TensorProto::FLOAT16:
    return ElementType::F16;
  case TensorProto::BFLOAT16:
    return ElementType::BF16;
  case TensorProto::FLOAT:
    return ElementType::F32;
  case TensorProto::DOUBLE:
    return ElementType::F64;
  default:
    return std::nullopt;
  }
}

llvm::Expected<ElementType> frontend::hostElementOf(int32_t type) {
  if (std::optional<ElementType> element = hostType(type))
    return *element;
  return refused("wanted numbers or bool, found elements of " + typeName(type));
}

llvm::Expected<HostTensor> fadiff::readOnnxTensor(llvm::StringRef path) {
  llvm::Expected<TensorData> data = readTensorFile(path);
  if (!data)
    return data.takeError();
  TensorSpec spec;
  spec.element = *hostType(data->type);
  spec.shape.assign(data->shape.begin(), data->shape.end());
  llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
  if (tensor)
    llvm::copy(data->bytes, tensor->data());
  return tensor;
}

llvm::Expected<HostTensor> fadiff::readOnnxTensor(llvm::StringRef path,
                                                  const TensorSpec &wanted) {
  llvm::Expected<HostTensor> tensor = readOnnxTensor(path);
  if (!tensor)
    return tensor;
  // ONNX's own tools write 16 bits of floats as integers, too.
  if (tensor->spec().element == ElementType::I16 &&
      (wanted.element == ElementType::BF16 ||
       wanted.element == ElementType::F16)) {
    TensorSpec spec = tensor->spec();
    spec.element = wanted.element;
    llvm::Expected<HostTensor> bits = HostTensor::allocate(spec);
    if (bits)
      llvm::copy(tensor->raw(), bits->data());
    tensor = std::move(bits);
  }
  if (tensor && !wanted.admits(tensor->spec()))
    return refused("'" + path + "': wanted " + wanted.str() + ", found " +
                   tensor->spec().str());
  return tensor;
}

llvm::Error fadiff::printOnnxTensor(llvm::raw_ostream &os,
                                    const HostTensor &tensor,
                                    llvm::StringRef name) {
  static constexpr int32_t kSigned[] = {
      TensorProto::BOOL,     TensorProto::INT8,  TensorProto::INT16,
      TensorProto::INT32,    TensorProto::INT64, TensorProto::FLOAT16,
      TensorProto::BFLOAT16, TensorProto::FLOAT, TensorProto::DOUBLE};
  const auto *type = llvm::find_if(kSigned, [&](int32_t type) {
    return hostType(type) == tensor.spec().element;
  });
  if (type == std::end(kSigned))
    return refused("ONNX has no tensors of " +
                   elementTypeName(tensor.spec().element));
  TensorProto proto;
  proto.set_name(name.str());
  proto.set_data_type(*type);
  for (int64_t extent : tensor.spec().shape)
    proto.add_dims(extent);
  proto.set_raw_data(tensor.data(), tensor.raw().size());
  os << proto.SerializeAsString();
  return llvm::Error::success();
}
