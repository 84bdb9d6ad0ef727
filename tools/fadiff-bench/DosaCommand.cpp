//===- DosaCommand.cpp - fadiff-bench dosa --------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Dosa.h"
#include "fadiff/Support/Files.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("dosa", "Cycles and energy against DOSA's Timeloop runs",
                       run);

static cl::opt<std::string> file(cl::Positional, cl::desc("<points.csv>"),
                                 cl::Required, cl::sub(command.sub),
                                 cl::cat(benchCategory()));
static cl::opt<std::string>
    modelOption("model", cl::value_desc("name"),
                cl::desc("The cost model: exact (default) or paper"),
                cl::init("exact"), cl::sub(command.sub),
                cl::cat(benchCategory()));
static cl::opt<unsigned>
    worst("worst", cl::value_desc("n"),
          cl::desc("Also list the n rows that are furthest off"), cl::init(0),
          cl::sub(command.sub), cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  llvm::Expected<Model> model = findModel(modelOption);
  if (!model)
    return model.takeError();
  auto buffer = openInput(file, kMostRecordBytes);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<DosaData> data = readDosa((*buffer)->getBuffer(), file);
  if (!data)
    return data.takeError();
  return scoreDosa(*data, *model, worst);
}
