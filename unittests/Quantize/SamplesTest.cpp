//===- SamplesTest.cpp - Inputs to calibrate with -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Quantize/Samples.h"
#include "fadiff/Support/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace fadiff;
namespace fs = llvm::sys::fs;

namespace {

class SamplesTest : public ::testing::Test {
protected:
  SamplesTest() {
    EXPECT_FALSE(fs::createUniqueDirectory("samples", root));
    image.element = ElementType::F32;
    image.shape = {1, 2};
  }
  ~SamplesTest() override { fs::remove_directories(root); }

  std::string place(llvm::StringRef name) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, name);
    (void)fs::create_directories(llvm::sys::path::parent_path(path));
    return path.str().str();
  }

  void write(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
             llvm::ArrayRef<float> numbers) {
    TensorSpec spec;
    spec.element = ElementType::F32;
    spec.shape.assign(shape.begin(), shape.end());
    HostTensor tensor = llvm::cantFail(HostTensor::allocate(spec));
    std::memcpy(tensor.data(), numbers.data(), numbers.size() * sizeof(float));
    llvm::cantFail(writeOutput(place(name), [&](llvm::raw_ostream &os) {
      printNpy(os, tensor);
      return llvm::Error::success();
    }));
  }

  static float second(const HostTensor &tensor) {
    return reinterpret_cast<const float *>(tensor.data())[1];
  }

  std::string errorOf(const EntryPoint &entry) {
    auto samples = readSamples(root, entry);
    EXPECT_FALSE(bool(samples));
    return llvm::toString(samples.takeError());
  }

  llvm::SmallString<128> root;
  TensorSpec image;
};

TEST_F(SamplesTest, FilesHoldOneOrMore) {
  write("b.npy", {3, 2}, {0, 1, 2, 3, 4, 5});
  write("a.npy", {1, 2}, {8, 9});
  write("c/input_0.npy", {1, 2}, {6, 7});
  write("c/output_0.npy", {1, 1}, {6});
  auto samples =
      llvm::cantFail(readSamples(root, {"main", {image}, {{}}, {}, {}}));
  ASSERT_EQ(samples.size(), 5u);
  EXPECT_EQ(samples[0].name, "a.npy");
  EXPECT_EQ(second(samples[0].arguments[0]), 9);
  EXPECT_EQ(samples[2].name, "b.npy[1]");
  EXPECT_EQ(second(samples[2].arguments[0]), 3);
  EXPECT_EQ(samples[2].arguments[0].spec(), image);
  EXPECT_EQ(samples[4].name, "c");
  EXPECT_EQ(second(samples[4].arguments[0]), 7);
}

TEST_F(SamplesTest, TwoArgumentsNeedDirectories) {
  const EntryPoint entry{"main", {image, image}, {{}, {}}, {}, {}};
  write("s/input_0.npy", {1, 2}, {0, 1});
  EXPECT_NE(errorOf(entry).find("has no input_1.npy or .pb"),
            std::string::npos);
  write("s/input_1.npy", {1, 2}, {2, 3});
  auto samples = llvm::cantFail(readSamples(root, entry));
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(second(samples[0].arguments[1]), 3);
  write("a.npy", {1, 2}, {0, 1});
  EXPECT_NE(errorOf(entry).find("takes 2 arguments"), std::string::npos);
}

TEST_F(SamplesTest, WhatIsNoNumberIsRefused) {
  const EntryPoint entry{"main", {image}, {{}}, {}, {}};
  EXPECT_NE(errorOf(entry).find("has no sample"), std::string::npos);
  write("a.npy", {1, 2}, {0, HUGE_VALF});
  EXPECT_NE(errorOf(entry).find("element 1 is infinite"), std::string::npos);
}

} // namespace
