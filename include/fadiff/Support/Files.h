//===- Files.h - Reading and writing files ----------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where files are opened, so that every reader has a bound and no
// writer can destroy what was there before: a result is written beside its
// place, checked, and only then given its name.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SUPPORT_FILES_H
#define FADIFF_SUPPORT_FILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <string>

namespace fadiff {

/// What an input may have at most. Far more than any network with its weights
/// takes as text, and little enough to be refused before memory runs out.
inline constexpr uint64_t kMostInputBytes = uint64_t(1) << 34;
/// The same of files whose records are held as values that take many times the
/// space of their text: schedules, caches, measurements, machines.
inline constexpr uint64_t kMostRecordBytes = uint64_t(1) << 28;

/// The text of `path`, or of standard input for "-". The error
/// names the path and says that it is a directory, or has more than
/// `mostBytes`; of what has no size, such as a pipe, no more are read.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openInput(llvm::StringRef path, uint64_t mostBytes = kMostInputBytes);

/// Fails if there is something at `path` that is not a regular file, such as a
/// directory or a device.
llvm::Error checkRegularFile(llvm::StringRef path);

/// A file that gets its name when it is complete. Until keep() succeeds, what
/// was at the path before stays; without it, also where a signal ends the
/// program, nothing of the new file is left. "-" and what is no regular file,
/// such as a pipe or /dev/stdout, are written to directly.
class OutputFile {
public:
  /// Fails if nothing can be written there.
  static llvm::Expected<OutputFile> open(llvm::StringRef path);
  OutputFile(OutputFile &&) = default;
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  llvm::raw_ostream &os() { return *stream; }
  /// The name that the file has until it is kept; its path if it is written to
  /// directly.
  llvm::StringRef currentPath() const;
  /// Flushes, checks that all that was written has arrived, also by others
  /// under currentPath(), and renames.
  llvm::Error keep();

private:
  explicit OutputFile(llvm::StringRef path) : path(path.str()) {}

  std::string path;  ///< as given, for messages
  std::string place; ///< where links lead to
  std::optional<llvm::sys::fs::TempFile> temporary;
  std::unique_ptr<llvm::raw_fd_ostream> owned;
  llvm::raw_fd_ostream *stream = nullptr;
};

/// Writes what `write` prints to `path` (see OutputFile). If `write` fails, its
/// error is returned and what was there before stays.
llvm::Error
writeOutput(llvm::StringRef path,
            llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// Fails, naming the option, if nothing can be written at `path`. Nothing is;
/// for the beginning of long work. Empty and "-" are fine.
llvm::Error checkWritable(llvm::StringRef option, llvm::StringRef path);

/// Fails if something that was printed to standard output has not arrived. To
/// be called before a program ends; later the failure has no way to be told
/// but LLVM's abort.
llvm::Error flushStandardOutput();

} // namespace fadiff

#endif // FADIFF_SUPPORT_FILES_H
