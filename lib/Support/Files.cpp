//===- Files.cpp - Reading and writing files ------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#include <utility>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

static llvm::Error failure(const Twine &what, StringRef path,
                           std::error_code code) {
  const std::string name =
      path == "-" ? "standard output" : ("'" + path + "'").str();
  return llvm::createStringError(code, "cannot " + what + " " + name + ": " +
                                           code.message());
}

/// What a device may give: more than anybody types.
static constexpr uint64_t kMostDeviceBytes = 1 << 20;

/// What is there if it is no regular file; null if it is one.
static const char *otherKind(fs::file_type type) {
  switch (type) {
  case fs::file_type::directory_file:
    return "a directory";
  case fs::file_type::character_file:
  case fs::file_type::block_file:
    return "a device";
  case fs::file_type::fifo_file:
    return "a pipe";
  case fs::file_type::socket_file:
    return "a socket";
  default:
    return nullptr;
  }
}

static llvm::Error tooLarge(StringRef path, uint64_t mostBytes) {
  return llvm::createStringError("cannot read '" + path + "': wanted at most " +
                                 Twine(mostBytes) + " bytes, found more");
}

/// Reads to the end, but never more than is allowed: a pipe does not say how
/// much there is to come.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readBounded(fs::file_t file, StringRef path, uint64_t mostBytes) {
  llvm::SmallVector<char, 0> text;
  constexpr size_t kChunk = 1 << 16;
  while (true) {
    const size_t size = text.size();
    if (size > mostBytes)
      return tooLarge(path, mostBytes);
    text.resize_for_overwrite(size + kChunk);
    llvm::Expected<size_t> read =
        fs::readNativeFile(file, {text.data() + size, kChunk});
    if (!read)
      return failure("read", path == "-" ? "<stdin>" : path,
                     llvm::errorToErrorCode(read.takeError()));
    text.truncate(size + *read);
    if (*read == 0)
      break;
  }
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(text), path == "-" ? "<stdin>" : path);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
fadiff::openInput(StringRef path, uint64_t mostBytes) {
  if (path == "-")
    return readBounded(fs::getStdinHandle(), path, mostBytes);
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return failure("open", path, llvm::errorToErrorCode(file.takeError()));
  auto closed = [&, handle = *file](auto result) mutable {
    fs::closeFile(handle);
    return result;
  };
  using Result = llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>;
  fs::file_status status;
  if (std::error_code code = fs::status(*file, status))
    return closed(Result(failure("read", path, code)));
  if (status.type() == fs::file_type::directory_file)
    return closed(Result(llvm::createStringError(
        "cannot read '" + path + "': wanted a file, found a directory")));
  // Some devices end, such as a terminal, and some do not.
  if (status.type() == fs::file_type::character_file)
    return closed(readBounded(*file, path, kMostDeviceBytes));
  if (otherKind(status.type()))
    return closed(readBounded(*file, path, mostBytes));
  if (status.getSize() > mostBytes)
    return closed(Result(tooLarge(path, mostBytes)));
  auto buffer = llvm::MemoryBuffer::getOpenFile(*file, path, status.getSize());
  if (!buffer)
    return closed(Result(failure("read", path, buffer.getError())));
  return closed(Result(std::move(*buffer)));
}

llvm::Error fadiff::checkRegularFile(StringRef path) {
  fs::file_status status;
  if (fs::status(path, status))
    return llvm::Error::success(); // Who opens it will say what is wrong.
  if (const char *kind = otherKind(status.type()))
    return llvm::createStringError("wanted a regular file, found " +
                                   Twine(kind));
  return llvm::Error::success();
}

llvm::Expected<OutputFile> OutputFile::open(StringRef path) {
  OutputFile file(path);
  if (path == "-") {
    file.stream = &llvm::outs();
    return std::move(file);
  }
  fs::file_status status;
  const bool exists = !fs::status(path, status);
  // A name of an open descriptor is no place to rename to.
  if ((exists && otherKind(status.type())) || path.starts_with("/dev/")) {
    std::error_code code;
    file.owned =
        std::make_unique<llvm::raw_fd_ostream>(path, code, fs::OF_Append);
    if (code) {
      file.owned->clear_error();
      return failure("write", path, code);
    }
    file.stream = file.owned.get();
    return std::move(file);
  }
  // A link stays one.
  llvm::SmallString<128> place(path);
  if (exists)
    if (std::error_code code = fs::real_path(path, place))
      return failure("write", path, code);
  file.place = place.str().str();
  if (exists && !fs::can_write(place))
    return failure("write", path,
                   std::make_error_code(std::errc::permission_denied));
  auto temporary = fs::TempFile::create(place + ".temp-%%%%%%",
                                        fs::all_read | fs::all_write);
  if (!temporary)
    return failure("write", path,
                   llvm::errorToErrorCode(temporary.takeError()));
  file.temporary = std::move(*temporary);
  if (exists)
    fs::setPermissions(file.temporary->FD, status.permissions());
  file.owned = std::make_unique<llvm::raw_fd_ostream>(file.temporary->FD,
                                                      /*shouldClose=*/false);
  file.stream = file.owned.get();
  return std::move(file);
}

OutputFile::~OutputFile() {
  if (owned) {
    owned->flush();
    owned->clear_error(); // or its destructor aborts
  }
  owned.reset();
  if (temporary)
    llvm::consumeError(temporary->discard());
}

StringRef OutputFile::currentPath() const {
  return temporary ? StringRef(temporary->TmpName) : StringRef(path);
}

llvm::Error OutputFile::keep() {
  stream->flush();
  std::error_code code = stream->error();
  stream->clear_error();
  if (code)
    return failure("write", path, code);
  if (!temporary)
    return llvm::Error::success();
  owned.reset();
  fs::TempFile complete = std::move(*temporary);
  temporary.reset();
  // Its own keep() leaves no trace if the renaming fails.
  if (llvm::Error error = complete.keep(place))
    return failure("write", path, llvm::errorToErrorCode(std::move(error)));
  return llvm::Error::success();
}

llvm::Error fadiff::writeOutput(
    StringRef path,
    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  llvm::Expected<OutputFile> file = OutputFile::open(path);
  if (!file)
    return file.takeError();
  if (llvm::Error error = write(file->os()))
    return error;
  return file->keep();
}

llvm::Error fadiff::checkWritable(StringRef option, StringRef path) {
  if (path.empty() || path == "-")
    return llvm::Error::success();
  llvm::Expected<OutputFile> file = OutputFile::open(path);
  if (file)
    return llvm::Error::success();
  return llvm::createStringError(option + ": " +
                                 llvm::toString(file.takeError()));
}

llvm::Error fadiff::flushStandardOutput() {
  llvm::raw_fd_ostream &os = llvm::outs();
  os.flush();
  const std::error_code code = os.error();
  os.clear_error();
  return code ? failure("write", "-", code) : llvm::Error::success();
}
