//===- fadiff-bench.cpp - Score the cost model ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores the cost model against other people's tools and measures its speed.
// Each subcommand prints one JSON object on standard output; see README.md.
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "support/Tool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace fadiff;
namespace cl = llvm::cl;

cl::OptionCategory &fadiff::benchCategory() {
  static cl::OptionCategory category("fadiff-bench options");
  return category;
}

static cl::extrahelp examples(R"(
EXAMPLES:
  fadiff-bench gradient --cells=20
  fadiff-bench gradient --help
)");

/// What is wrong with the option --target of a subcommand, if it has one: of
/// one machine, or of several.
static llvm::Error checkTargets(cl::SubCommand &sub) {
  const auto &options = cl::getRegisteredOptions(sub);
  const auto found = options.find("target");
  if (found == options.end())
    return llvm::Error::success();
  if (found->second->getNumOccurrencesFlag() != cl::ZeroOrMore)
    return checkTarget(*static_cast<cl::opt<std::string> *>(found->second));
  if (llvm::is_contained(*static_cast<cl::list<std::string> *>(found->second),
                         ""))
    return llvm::createStringError(
        "--target: wanted a machine's name or a file, found nothing");
  return llvm::Error::success();
}

static llvm::Expected<llvm::json::Object> run() {
  llvm::SmallVector<std::string> names;
  for (Command *command = Command::first(); command; command = command->next) {
    if (command->sub) {
      if (llvm::Error error = checkTargets(command->sub))
        return std::move(error);
      return command->run();
    }
    names.push_back(command->sub.getName().str());
  }
  llvm::sort(names);
  return llvm::createStringError(
      "no subcommand: wanted one of " + llvm::join(names, ", ") +
      ", found none; 'fadiff-bench --help' describes them");
}

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  cl::HideUnrelatedOptions(benchCategory());
  for (Command *command = Command::first(); command; command = command->next)
    cl::HideUnrelatedOptions(benchCategory(), command->sub);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Scores the cost model against reference data and measures its speed.\n"
      "Each subcommand prints one JSON object; 'fadiff-bench <subcommand> "
      "--help'\nlists its options.\n");
  llvm::Expected<llvm::json::Object> result = run();
  if (!result) {
    llvm::WithColor::error(llvm::errs(), "fadiff-bench")
        << llvm::toString(result.takeError()) << '\n';
    return 1;
  }
  const bool complete = result->getInteger(kRefused).value_or(0) == 0;
  llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(*result)))
               << '\n';
  return tool.exitCode(complete);
}
