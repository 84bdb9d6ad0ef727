//===- Documents.cpp - What a run leaves in files -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Documents.h"

#include "fadiff/Report/Report.h"
#include "fadiff/Support/Files.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fadiff;

llvm::Error fadiff::writeTrace(llvm::StringRef file, const sim::Trace &trace,
                               unsigned mostEvents,
                               const llvm::json::Object &document) {
  std::vector<sim::TracedRegion> regions;
  const llvm::json::Array &layers = *document.getArray("layers");
  for (const llvm::json::Value &value : *document.getArray("groups")) {
    const llvm::json::Object &group = *value.getAsObject();
    sim::TracedRegion region;
    region.name = group.getString("name")->str();
    for (const llvm::json::Value &layer : *group.getArray("layers"))
      region.layers.push_back(layers[*layer.getAsInteger()]
                                  .getAsObject()
                                  ->getString("name")
                                  ->str());
    region.scratchpadBytes = group.getInteger("scratchpad_bytes");
    region.accumulatorBytes = group.getInteger("accumulator_bytes");
    regions.push_back(std::move(region));
  }
  size_t written = 0;
  llvm::Error error =
      writeOutput(file, [&](llvm::raw_ostream &os) -> llvm::Error {
        written = trace.write(os, regions);
        return llvm::Error::success();
      });
  if (error)
    return llvm::createStringError("--trace: " +
                                   llvm::toString(std::move(error)));
  const size_t all = trace.events().size() + trace.dropped();
  if (written == trace.events().size() && written < all)
    llvm::errs() << "warning: --trace: '" << file << "' has the first "
                 << written << " of " << all
                 << " commands, and all tiles; give more than --trace-events="
                 << mostEvents << " to have all\n";
  else if (written < all)
    llvm::errs() << "warning: --trace: '" << file << "' has the first "
                 << written << " of " << all
                 << " commands, and all tiles; with more it would be larger "
                    "than 10 MB\n";
  return llvm::Error::success();
}

llvm::Error fadiff::writeReport(llvm::ArrayRef<std::string> files,
                                const llvm::json::Object &report) {
  for (llvm::StringRef file : files) {
    llvm::Error error =
        writeOutput(file, [&](llvm::raw_ostream &os) -> llvm::Error {
          if (file.ends_with(".html"))
            writePage(os, report);
          else
            os << llvm::formatv("{0:2}",
                                llvm::json::Value(llvm::json::Object(report)))
               << '\n';
          return llvm::Error::success();
        });
    if (error)
      return llvm::createStringError("--report: " +
                                     llvm::toString(std::move(error)));
  }
  return llvm::Error::success();
}
