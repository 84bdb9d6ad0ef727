//===- TensorFileTest.cpp - Tensors in ONNX's files -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Onnx/Import.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace fadiff;

namespace {

/// A file that is gone behind the test.
class OnnxTensorFile : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<64> name;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tensor", "pb", name));
    path = name.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove(path); }
  void write(llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << bytes;
    ASSERT_FALSE(code);
  }
  std::string path;
};

HostTensor numbered(ElementType type) {
  TensorSpec spec{type, {2, 3}};
  HostTensor tensor = llvm::cantFail(HostTensor::allocate(spec));
  FillRule rule = FillRule::defaultFor(type);
  fillTensor(tensor, rule, /*seed=*/5, /*index=*/0);
  return tensor;
}

TEST_F(OnnxTensorFile, IsReadAsItWasWritten) {
  for (ElementType type :
       {ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32,
        ElementType::I64, ElementType::F16, ElementType::BF16, ElementType::F32,
        ElementType::F64}) {
    const HostTensor tensor = numbered(type);
    std::string text;
    llvm::raw_string_ostream os(text);
    ASSERT_EQ(llvm::toString(printOnnxTensor(os, tensor, "x")), "");
    write(text);
    auto read = readOnnxTensor(path, TensorSpec{type, {2, TensorSpec::kOpen}});
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(read->spec(), tensor.spec());
    EXPECT_EQ(read->raw(), tensor.raw());
  }
}

TEST_F(OnnxTensorFile, HasTypesOfItsOwn) {
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_EQ(llvm::toString(printOnnxTensor(os, numbered(ElementType::I4), "x")),
            "ONNX has no tensors of i4");
}

// A TensorProto by hand: dims 2, type int32, int32_data 7 and 300.
TEST_F(OnnxTensorFile, MayHaveItsNumbersInFields) {
  write(llvm::StringRef("\x08\x02\x10\x06\x2a\x03\x07\xac\x02", 9));
  auto read = readOnnxTensor(path);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->spec().str(), "tensor<2xi32>");
  const auto *numbers = reinterpret_cast<const int32_t *>(read->data());
  EXPECT_EQ(numbers[0], 7);
  EXPECT_EQ(numbers[1], 300);
}

TEST_F(OnnxTensorFile, SaysWhatIsWrong) {
  write(llvm::StringRef("\x08\x03\x10\x06\x2a\x03\x07\xac\x02", 9));
  EXPECT_EQ(llvm::toString(readOnnxTensor(path).takeError()),
            "'" + path + "': wanted 12 bytes for 3 elements of int32, found 8");
  write(llvm::StringRef("\x08\x02\x10\x06\x2a\x03\x07\xac\x02", 9));
  const TensorSpec wanted{ElementType::F32, {2}};
  EXPECT_EQ(llvm::toString(readOnnxTensor(path, wanted).takeError()),
            "'" + path + "': wanted tensor<2xf32>, found tensor<2xi32>");
}

} // namespace
