//===- AreaCommand.cpp - fadiff-bench area --------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/AreaFit.h"
#include "fadiff/Support/Files.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("area", "A law of the area, from DOSA's Timeloop runs",
                       run);

static cl::opt<std::string> file(cl::Positional, cl::desc("<points.csv>"),
                                 cl::Required, cl::sub(command.sub),
                                 cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  auto buffer = openInput(file, kMostRecordBytes);
  if (!buffer)
    return buffer.takeError();
  return fitArea((*buffer)->getBuffer(), file);
}
