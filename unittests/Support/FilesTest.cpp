//===- FilesTest.cpp - Reading and writing files --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace fadiff;
namespace fs = llvm::sys::fs;

namespace {

class FilesTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("fadiff-files", directory));
  }
  void TearDown() override { fs::remove_directories(directory); }

  std::string at(llvm::StringRef name) const {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  static void put(const std::string &path, llvm::StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << text;
    ASSERT_FALSE(code);
  }
  static std::string get(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "none";
  }
  size_t numFiles() const {
    std::error_code code;
    size_t count = 0;
    for (fs::directory_iterator it(directory, code), end; it != end && !code;
         it.increment(code))
      ++count;
    return count;
  }
  static llvm::Error write(const std::string &path, llvm::StringRef text) {
    return writeOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
      os << text;
      return llvm::Error::success();
    });
  }
  static std::string inputError(const std::string &path,
                                uint64_t most = kMostInputBytes) {
    auto buffer = openInput(path, most);
    return buffer ? "" : llvm::toString(buffer.takeError());
  }

  llvm::SmallString<128> directory;
};

TEST_F(FilesTest, InputHasABound) {
  put(at("a"), "12345");
  auto buffer = openInput(at("a"), 5);
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  EXPECT_EQ((*buffer)->getBuffer(), "12345");
  EXPECT_EQ(inputError(at("a"), 4),
            "cannot read '" + at("a") +
                "': wanted at most 4 bytes, found more");
  EXPECT_EQ(inputError(at("none")),
            "cannot open '" + at("none") + "': No such file or directory");
  EXPECT_EQ(inputError(directory.str().str()),
            "cannot read '" + directory.str().str() +
                "': wanted a file, found a directory");
}

TEST_F(FilesTest, DevicesWithoutEndAreNotReadForEver) {
  EXPECT_EQ(inputError("/dev/zero"), "cannot read '/dev/zero': wanted at most "
                                     "1048576 bytes, found more");
  EXPECT_EQ(inputError("/dev/full"), "cannot read '/dev/full': wanted at most "
                                     "1048576 bytes, found more");
  EXPECT_EQ(inputError("/dev/null"), "");
}

TEST_F(FilesTest, PipesAreReadToTheirEndOrBound) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "abc", 3), 3);
  ::close(ends[1]);
  auto buffer = openInput("/dev/fd/" + std::to_string(ends[0]));
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  EXPECT_EQ((*buffer)->getBuffer(), "abc");
  ::close(ends[0]);
}

TEST_F(FilesTest, OnlyRegularFilesAreRegular) {
  put(at("a"), "");
  EXPECT_FALSE(bool(checkRegularFile(at("a"))));
  EXPECT_FALSE(bool(checkRegularFile(at("none"))));
  EXPECT_EQ(llvm::toString(checkRegularFile("/dev/full")),
            "wanted a regular file, found a device");
  EXPECT_EQ(llvm::toString(checkRegularFile(directory)),
            "wanted a regular file, found a directory");
}

TEST_F(FilesTest, OutputGetsItsNameWhenComplete) {
  put(at("a"), "old");
  ASSERT_EQ(::chmod(at("a").c_str(), 0640), 0);
  {
    auto file = OutputFile::open(at("a"));
    ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
    file->os() << "new";
    EXPECT_EQ(get(at("a")), "old");
    ASSERT_FALSE(bool(file->keep()));
  }
  EXPECT_EQ(get(at("a")), "new");
  auto permissions = fs::getPermissions(at("a"));
  ASSERT_TRUE(bool(permissions));
  EXPECT_EQ(unsigned(*permissions), 0640u);
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(FilesTest, WhatIsNotKeptLeavesNothing) {
  put(at("a"), "old");
  {
    auto file = OutputFile::open(at("a"));
    ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
    file->os() << "new";
  }
  EXPECT_EQ(get(at("a")), "old");
  llvm::Error error =
      writeOutput(at("a"), [](llvm::raw_ostream &os) -> llvm::Error {
        os << "new";
        return llvm::createStringError("half way");
      });
  EXPECT_EQ(llvm::toString(std::move(error)), "half way");
  EXPECT_EQ(get(at("a")), "old");
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(FilesTest, LinksStay) {
  put(at("a"), "old");
  ASSERT_EQ(::symlink(at("a").c_str(), at("b").c_str()), 0);
  ASSERT_FALSE(bool(write(at("b"), "new")));
  EXPECT_EQ(get(at("a")), "new");
  EXPECT_TRUE(fs::is_symlink_file(at("b")));
}

/// No byte beyond the first thousand can be written.
TEST_F(FilesTest, AFullDiskLeavesWhatWasThere) {
  put(at("a"), "old");
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = before;
  limit.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  // Less than a stream's buffer, and more.
  std::string small = llvm::toString(write(at("a"), std::string(2000, 'x')));
  std::string large = llvm::toString(write(at("a"), std::string(1 << 20, 'x')));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(small, "cannot write '" + at("a") + "': File too large");
  EXPECT_EQ(large, small);
  EXPECT_EQ(get(at("a")), "old");
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(FilesTest, DevicesAreWrittenDirectly) {
  EXPECT_FALSE(bool(write("/dev/null", "new")));
  EXPECT_EQ(llvm::toString(write("/dev/full", "new")),
            "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(llvm::toString(write(at("no/such"), "new")),
            "cannot write '" + at("no/such") + "': No such file or directory");
}

} // namespace
