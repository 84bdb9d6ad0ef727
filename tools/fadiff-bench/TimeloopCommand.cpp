//===- TimeloopCommand.cpp - fadiff-bench timeloop ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Timeloop.h"
#include "fadiff/Support/Files.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("timeloop",
                       "Access counts, cycles and energy against Timeloop's",
                       run);

static cl::opt<std::string> file(cl::Positional, cl::desc("<points.json>"),
                                 cl::Required, cl::sub(command.sub),
                                 cl::cat(benchCategory()));
static cl::opt<std::string>
    modelOption("model", cl::value_desc("name"),
                cl::desc("The cost model: exact (default) or paper"),
                cl::init("exact"), cl::sub(command.sub),
                cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  llvm::Expected<Model> model = findModel(modelOption);
  if (!model)
    return model.takeError();
  auto buffer = openInput(file, kMostRecordBytes);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<TimeloopData> data =
      readTimeloop((*buffer)->getBuffer(), file);
  if (!data)
    return data.takeError();
  return scoreTimeloop(*data, *model);
}
