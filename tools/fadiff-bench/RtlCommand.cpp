//===- RtlCommand.cpp - fadiff-bench rtl ----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "fadiff/Bench/Rtl.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Support/Files.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command command("rtl",
                       "The simulator running Gemmini's library's programs "
                       "against runs of Gemmini's RTL",
                       run);

static cl::opt<std::string> file(cl::Positional, cl::desc("<layers.csv>"),
                                 cl::Required, cl::sub(command.sub),
                                 cl::cat(benchCategory()));
static cl::opt<std::string>
    targetName("target", cl::value_desc("name|file"),
               cl::desc("The machine that is simulated: "
                        "benchmarks/gemmini-firesim.yaml is the one measured"),
               cl::init("gemmini"), cl::sub(command.sub),
               cl::cat(benchCategory()));
static cl::opt<bool>
    fit("fit",
        cl::desc("First fit the memory's constants to every second layer"),
        cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<double>
    fitMacs("fit-macs", cl::value_desc("n"),
            cl::desc("Fit to layers of at most n multiply-accumulates"),
            cl::init(4e8), cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<unsigned>
    worst("worst", cl::value_desc("n"),
          cl::desc("Also list the n points that are furthest off"), cl::init(0),
          cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<bool> rows("rows", cl::desc("Also list all points"),
                          cl::sub(command.sub), cl::cat(benchCategory()));

static llvm::Expected<llvm::json::Object> run() {
  if (!(fitMacs > 0))
    return llvm::createStringError(
        "--fit-macs: wanted a number above 0, found " +
        llvm::formatv("{0}", fitMacs.getValue()));
  llvm::Expected<Accelerator> target = findTarget(targetName);
  if (!target)
    return target.takeError();
  auto buffer = openInput(file, kMostRecordBytes);
  if (!buffer)
    return buffer.takeError();
  auto points = readFiresim((*buffer)->getBuffer(), file, *target);
  if (!points)
    return points.takeError();
  RtlOptions options;
  options.fit = fit;
  options.fitMacs = fitMacs;
  options.worst = worst;
  options.rows = rows;
  return scoreRtl(*points, *target, options);
}
