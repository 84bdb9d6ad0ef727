//===- NpyTest.cpp - Reading and writing NumPy's files --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/Npy.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace fadiff;

namespace {

TensorSpec spec(ElementType element, llvm::ArrayRef<int64_t> shape) {
  TensorSpec result;
  result.element = element;
  result.shape.assign(shape.begin(), shape.end());
  return result;
}

/// A file as NumPy writes it; `header` without the padding, which no reader
/// relies on.
std::string file(llvm::StringRef header, llvm::StringRef data,
                 char version = 1) {
  std::string text("\x93NUMPY", 6);
  text += version;
  text += '\0';
  const size_t length = header.size() + 1;
  for (unsigned byte = 0; byte < (version == 1 ? 2 : 4); ++byte)
    text += static_cast<char>(length >> (8 * byte) & 0xff);
  text += header;
  text += '\n';
  return text + data.str();
}

std::string errorOf(llvm::StringRef bytes, const TensorSpec &wanted) {
  llvm::Expected<HostTensor> tensor = parseNpy(bytes, wanted);
  return tensor ? "" : llvm::toString(tensor.takeError());
}

constexpr llvm::StringLiteral kTwoBytes =
    "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }";

// What numpy.save writes for numpy.arange(6, dtype=numpy.int16).reshape(2, 3),
// byte for byte (NumPy 1.26).
TEST(Npy, WritesWhatNumPyWrites) {
  HostTensor tensor =
      llvm::cantFail(HostTensor::allocate(spec(ElementType::I16, {2, 3})));
  const int16_t values[] = {0, 1, 2, 3, 4, 5};
  std::memcpy(tensor.data(), values, sizeof(values));
  std::string text;
  llvm::raw_string_ostream os(text);
  printNpy(os, tensor);
  std::string wanted("\x93NUMPY\x01\x00\x76\x00", 10);
  wanted += "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";
  wanted.resize(127, ' ');
  wanted += '\n';
  wanted += std::string("\0\0\1\0\2\0\3\0\4\0\5\0", 12);
  EXPECT_EQ(os.str(), wanted);
}

TEST(Npy, ReadsEveryTypeThatItWrites) {
  for (ElementType element : kElementTypes)
    for (const std::vector<int64_t> &shape :
         std::vector<std::vector<int64_t>>{{}, {3}, {2, 0, 5}, {2, 3, 4}}) {
      HostTensor tensor =
          llvm::cantFail(HostTensor::allocate(spec(element, shape)));
      fillTensor(tensor, FillRule::defaultFor(element), /*seed=*/3, 0);
      std::string text;
      llvm::raw_string_ostream os(text);
      printNpy(os, tensor);
      llvm::Expected<HostTensor> read = parseNpy(os.str(), tensor.spec());
      ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
      EXPECT_EQ(read->raw(), tensor.raw()) << tensor.spec().str();
    }
}

TEST(Npy, ReadsOtherSpellings) {
  const TensorSpec bytes = spec(ElementType::I8, {2});
  for (llvm::StringRef header :
       {"{\"shape\":(2,),\"fortran_order\":True,\"descr\":\"|u1\"}",
        "{'descr': '<i1', 'fortran_order': False, 'shape': (2L,), }",
        "{'descr': 'i1', 'fortran_order': False, 'shape': ( 2 , ) }"}) {
    // Python 2 wrote 2L, which no file of this decade has.
    if (header.contains('L'))
      EXPECT_NE(errorOf(file(header, "ab"), bytes), "");
    else
      EXPECT_EQ(errorOf(file(header, "ab"), bytes), "");
  }
  EXPECT_EQ(errorOf(file(kTwoBytes, "ab", 2), bytes), "");
  EXPECT_EQ(errorOf(file(kTwoBytes, "ab", 3), bytes), "");
  // An extent that the network leaves open.
  llvm::Expected<HostTensor> open = parseNpy(
      file(kTwoBytes, "ab"), spec(ElementType::I8, {TensorSpec::kOpen}));
  ASSERT_TRUE(bool(open)) << llvm::toString(open.takeError());
  EXPECT_EQ(open->spec().str(), "tensor<2xi8>");
  // Any byte but 0 is true.
  llvm::Expected<HostTensor> flags =
      parseNpy(file("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }",
                    llvm::StringRef("\0\7", 2)),
               spec(ElementType::I1, {2}));
  ASSERT_TRUE(bool(flags)) << llvm::toString(flags.takeError());
  EXPECT_EQ(flags->raw()[0], 0);
  EXPECT_EQ(flags->raw()[1], 1);
  // Integers of 4 bits are bytes to NumPy, with or without a sign.
  const TensorSpec nibbles = spec(ElementType::I4, {2});
  constexpr llvm::StringLiteral unsignedBytes =
      "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }";
  for (auto [header, data] :
       {std::pair<llvm::StringRef, llvm::StringRef>(kTwoBytes, "\xf8\x7"),
        {unsignedBytes, "\x8\x7"}}) {
    llvm::Expected<HostTensor> read = parseNpy(file(header, data), nibbles);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(read->raw()[0], 8);
    EXPECT_EQ(read->raw()[1], 7);
    std::string text;
    llvm::raw_string_ostream os(text);
    printNpy(os, *read);
    EXPECT_EQ(text.substr(text.size() - 2), "\xf8\x7");
  }
  EXPECT_EQ(errorOf(file(kTwoBytes, "\x8\x7"), nibbles),
            "wanted numbers of 4 bits, found 8");
  EXPECT_EQ(errorOf(file(kTwoBytes, "\xf7\x7"), nibbles),
            "wanted numbers of 4 bits, found -9");
  EXPECT_EQ(errorOf(file(unsignedBytes, "\x10\x7"), nibbles),
            "wanted numbers of 4 bits, found 16");
}

TEST(Npy, RefusesWhatDoesNotFit) {
  const TensorSpec two = spec(ElementType::I8, {2});
  EXPECT_EQ(errorOf(file(kTwoBytes, "ab"), spec(ElementType::I8, {3})),
            "wanted tensor<3xi8> (of NumPy's type 'i1'), found an array of "
            "'|i1' and shape (2,)");
  EXPECT_EQ(errorOf(file(kTwoBytes, "ab"), spec(ElementType::I32, {2})),
            "wanted tensor<2xi32> (of NumPy's type 'i4'), found an array of "
            "'|i1' and shape (2,)");
  EXPECT_EQ(errorOf(file("{'descr': '>i4', 'fortran_order': False, 'shape': "
                         "(1, 1), }",
                         "abcd"),
                    spec(ElementType::I32, {1, 1})),
            "wanted little-endian numbers, found '>i4'; convert them with "
            "array.astype('<i4')");
  EXPECT_EQ(errorOf(file("{'descr': '|i1', 'fortran_order': True, 'shape': "
                         "(1, 2), }",
                         "ab"),
                    spec(ElementType::I8, {1, 2})),
            "wanted an array in row-major order, found one in column-major "
            "(Fortran) order; save numpy.ascontiguousarray(array)");
  EXPECT_EQ(errorOf(file(kTwoBytes, "a"), two),
            "wanted 2 bytes of data for tensor<2xi8>, found 1");
  EXPECT_EQ(errorOf(file(kTwoBytes, "abc"), two),
            "wanted 2 bytes of data for tensor<2xi8>, found 3");
  EXPECT_EQ(errorOf(file(kTwoBytes, "ab", 4), two),
            "wanted version 1, 2 or 3 of the .npy format, found 4");
  EXPECT_EQ(errorOf("PK", two),
            "wanted a .npy file, found one that does not start with "
            "\\x93NUMPY; write it with numpy.save");
}

// Every part of a file, and files in which one byte is another.
TEST(Npy, RefusesWhatIsDamaged) {
  const TensorSpec two = spec(ElementType::I8, {2});
  const std::string whole = file(kTwoBytes, "ab");
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(errorOf(llvm::StringRef(whole).take_front(length), two), "")
        << length;
  for (size_t at = 0; at < whole.size(); ++at)
    for (char byte : {'\0', '\x7f', '\xff', '(', '\''}) {
      std::string damaged = whole;
      damaged[at] = byte;
      (void)errorOf(damaged, two); // does not crash
    }
  EXPECT_NE(errorOf(file("{'descr': '|i1', 'shape': (2,)}", "ab"), two), "");
  EXPECT_NE(errorOf(file("{'descr': [('a', '|i1')], 'fortran_order': False, "
                         "'shape': (2,)}",
                         "ab"),
                    two),
            "");
}

} // namespace
