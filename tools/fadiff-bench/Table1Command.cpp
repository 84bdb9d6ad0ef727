//===- Table1Command.cpp - fadiff-bench table1 ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "support/Tool.h"

#include "fadiff/Bench/Table1.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Support/NamedOption.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

FADIFF_NAMED_OPTION(fadiff::GroupOverlap)

using namespace fadiff;
namespace cl = llvm::cl;

static llvm::Expected<llvm::json::Object> run();
static Command
    command("table1", "Every optimiser on five networks and two machines", run);

static cl::opt<double>
    seconds("time", cl::value_desc("s"),
            cl::desc("Time per network, optimiser and seed; 0\n"
                     "lets each end by its own defaults"),
            cl::init(10), cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<uint64_t>
    evaluations("evaluations", cl::value_desc("n"),
                cl::desc("The same in evaluations; 0 leaves that part out"),
                cl::init(20000), cl::sub(command.sub),
                cl::cat(benchCategory()));
static cl::opt<unsigned> seeds("seeds", cl::value_desc("n"),
                               cl::desc("Seeds 0 to n - 1"), cl::init(3),
                               cl::sub(command.sub), cl::cat(benchCategory()));
static CellOptions cells(command);
static cl::list<std::string> optimizers("optimizer", cl::value_desc("name"),
                                        cl::desc("Only these optimisers"),
                                        cl::CommaSeparated,
                                        cl::sub(command.sub),
                                        cl::cat(benchCategory()));
static cl::opt<Convention> convention(
    "convention", cl::desc("How accesses are counted"),
    cl::values(clEnumValN(Convention::Timeloop, "timeloop",
                          "as Timeloop; the paper's space (default)"),
               clEnumValN(Convention::Machine, "machine",
                          "as the emitted program; tiles need not divide")),
    cl::init(Convention::Timeloop), cl::sub(command.sub),
    cl::cat(benchCategory()));
static cl::opt<GroupOverlap> groups(
    "groups", cl::desc("What overlaps in a group, in Timeloop's counts"),
    cl::values(clEnumValN(GroupOverlap::Layer, "layer",
                          "all of it, as in a layer alone (default)"),
               clEnumValN(GroupOverlap::Defines, "defines",
                          "as DeFiNES has it: not first loads and copies"),
               clEnumValN(GroupOverlap::Paper, "paper",
                          "what is of one layer: rooflines are added up")),
    cl::init(GroupOverlap::Layer), cl::sub(command.sub),
    cl::cat(benchCategory()));
static cl::opt<bool> fullSpace(
    "full-space",
    cl::desc("All that the machine can do, in its own counts: uneven\n"
             "tiles, thin layers packed, fusion; against DOSA in the\n"
             "space that it was made for"),
    cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<bool>
    quick("quick",
          cl::desc("One network, one seed, 0.1 s, 2000 evaluations: a check "
                   "that it runs, no measurement"),
          cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<std::string> markdown("markdown", cl::value_desc("file"),
                                     cl::desc("Also write tables"),
                                     cl::sub(command.sub),
                                     cl::cat(benchCategory()));
static cl::opt<std::string> svg("svg", cl::value_desc("file"),
                                cl::desc("Also plot EDP over time"),
                                cl::sub(command.sub), cl::cat(benchCategory()));

static llvm::Error write(llvm::StringRef path, llvm::StringRef text) {
  return writeOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
    os << text;
    return llvm::Error::success();
  });
}

static llvm::Expected<llvm::json::Object> run() {
  if (llvm::Error error = checkWritable("--markdown", markdown))
    return std::move(error);
  if (llvm::Error error = checkWritable("--svg", svg))
    return std::move(error);
  if (!std::isfinite(seconds) || seconds < 0 || seconds > 86400)
    return llvm::createStringError(
        llvm::formatv("--time: wanted 0 to 86400 seconds, found {0}",
                      seconds.getValue())
            .str());
  if (groups.getNumOccurrences() > 0 &&
      (fullSpace || convention == Convention::Machine))
    return llvm::createStringError(
        "--groups: wanted --convention=timeloop; the machine's members run one "
        "after the other");
  Table1Options options;
  options.seconds = seconds;
  options.evaluations = evaluations;
  options.seeds = seeds;
  cells.apply(options);
  options.contenders.assign(optimizers.begin(), optimizers.end());
  options.convention = convention;
  options.overlap = groups;
  options.fullSpace = fullSpace;
  if (quick) {
    options.seconds = 0.1;
    options.evaluations = std::min<uint64_t>(options.evaluations, 2000);
    options.seeds = 1;
    if (options.networks.empty())
      options.networks = {"gpt3-512"};
  }
  if (llvm::errs().is_displayed())
    options.log = [](const std::string &line) { llvm::errs() << line << '\n'; };
  llvm::Expected<Table1> table = runTable1(options);
  if (!table)
    return table.takeError();
  if (!markdown.empty())
    if (llvm::Error error = write(markdown, table->toMarkdown()))
      return std::move(error);
  if (!svg.empty())
    if (llvm::Error error = write(svg, table->toSvg()))
      return std::move(error);
  return table->toJson();
}
