//===- RescoreCommand.cpp - fadiff-bench rescore --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Rescore.h"
#include "fadiff/Support/Files.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("rescore", "The cost of a schedule file, computed anew",
                       run);

static cl::opt<std::string> file(cl::Positional, cl::desc("<schedule.json>"),
                                 cl::Required, cl::sub(command.sub),
                                 cl::cat(benchCategory()));
static cl::opt<std::string>
    model("model", cl::value_desc("name"),
          cl::desc("Another cost model than the file's: machine or\n"
                   "timeloop, then paper, then gemmini where wanted"),
          cl::sub(command.sub), cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  auto buffer = openInput(file, kMostRecordBytes);
  if (!buffer)
    return buffer.takeError();
  return rescore((*buffer)->getBuffer(), file, model);
}
