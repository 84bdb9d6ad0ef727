//===- Page.cpp - The page that draws a report ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Report/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fadiff;
namespace json = llvm::json;

#include "Page.inc"

/// JSON that may stand in a script of a page: no text of it can end that.
static std::string forScript(const json::Object &document) {
  const std::string text =
      llvm::formatv("{0}", json::Value(json::Object(document)));
  std::string safe;
  safe.reserve(text.size());
  for (char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

static std::string escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '&':
      result += "&amp;";
      break;
    default:
      result += c;
    }
  return result;
}

/// Writes a page, which names what goes where as @NAME@, alone on a line.
static void
writeFilled(llvm::raw_ostream &os, llvm::StringRef page, llvm::StringRef title,
            llvm::ArrayRef<std::pair<llvm::StringRef, std::string>> parts) {
  llvm::SmallVector<llvm::StringRef> lines;
  page.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    const llvm::StringRef key = line.trim();
    const auto *part = llvm::find_if(
        parts, [&](const auto &entry) { return entry.first == key; });
    if (key == "@TITLE@")
      os << "<title>" << escaped(title) << "</title>";
    else if (key == "@STYLE@")
      os << page_css;
    else if (part != parts.end())
      os << part->second;
    else
      os << line;
    os << '\n';
  }
}

void fadiff::writePage(llvm::raw_ostream &os, const json::Object &report,
                       const json::Object *other) {
  writeFilled(os, page_html, report.getString("sentence").value_or(""),
              {{"@SCRIPT@", std::string(charts_js) + page_js},
               {"@REPORT@", forScript(report)},
               {"@OTHER@", other ? forScript(*other) : "null"}});
}

void fadiff::writeFrontPage(llvm::raw_ostream &os, const json::Object &front) {
  writeFilled(os, front_html, front.getString("sentence").value_or(""),
              {{"@SCRIPT@", std::string(charts_js) + front_js},
               {"@REPORT@", forScript(front)}});
}
