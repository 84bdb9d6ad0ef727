//===- fadiff-diff.cpp - Two reports side by side -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the numbers in which two reports of fadiff-run differ, and writes the
// page of the first one with the second beside it.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Report/Report.h"
#include "fadiff/Support/Files.h"
#include "support/Tool.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace fadiff;
namespace cl = llvm::cl;

static cl::OptionCategory category("fadiff-diff options");
static cl::extrahelp examples(R"(
EXAMPLES:
  fadiff-run examples/tiny.mlir --timing-only --report=a.json
  fadiff-run examples/tiny.mlir --timing-only --fuse=off --report=b.json
  fadiff-diff a.json b.json --report=both.html
)");
static cl::opt<std::string> first(cl::Positional, cl::Required,
                                  cl::desc("<a.json>"), cl::cat(category));
static cl::opt<std::string> second(cl::Positional, cl::Required,
                                   cl::desc("<b.json>"), cl::cat(category));
static cl::opt<std::string>
    page("report", cl::value_desc("file.html"),
         cl::desc("Write the page of the first one, compared with the second"),
         cl::init(""), cl::cat(category));

static llvm::Expected<llvm::json::Object> read(llvm::StringRef file) {
  auto text = openInput(file, kMostRecordBytes);
  if (!text)
    return text.takeError();
  return readReport((*text)->getBuffer(), file);
}

static llvm::Error run() {
  if (!page.empty() && !llvm::StringRef(page).ends_with(".html"))
    return llvm::createStringError("--report: wanted a file that ends in "
                                   ".html, found '" +
                                   page + "'");
  if (llvm::Error error = checkWritable("--report", page))
    return error;
  llvm::Expected<llvm::json::Object> a = read(first);
  if (!a)
    return a.takeError();
  llvm::Expected<llvm::json::Object> b = read(second);
  if (!b)
    return b.takeError();
  llvm::outs() << "first:  " << a->getString("sentence").value_or("") << '\n'
               << "second: " << b->getString("sentence").value_or("") << '\n';
  if (printDifferences(llvm::outs(), *a, *b) == 0)
    llvm::outs() << "no number differs\n";
  if (page.empty())
    return llvm::Error::success();
  return writeOutput(page, [&](llvm::raw_ostream &os) -> llvm::Error {
    writePage(os, *a, &*b);
    return llvm::Error::success();
  });
}

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Prints the numbers in which two reports differ, as fadiff-run\n"
      "--report=<file>.json writes them.\n");
  llvm::Error error = run();
  const bool succeeded = !error;
  if (error)
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
  return tool.exitCode(succeeded);
}
