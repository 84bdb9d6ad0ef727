//===- Differences.cpp - Two runs side by side ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Report/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace fadiff;
namespace json = llvm::json;

namespace {
class Printer {
public:
  explicit Printer(llvm::raw_ostream &os) : os(os) {}

  /// Begins a part, whose title is printed with its first line.
  void enter(std::string text) { title = std::move(text); }
  void line(llvm::StringRef what, const json::Value *a, const json::Value *b) {
    if (a && b && *a == *b)
      return;
    // What nobody can read on a line.
    if ((a && (a->getAsArray() || a->getAsObject())) ||
        (b && (b->getAsArray() || b->getAsObject())))
      return;
    if (!title.empty())
      os << title << '\n';
    title.clear();
    std::string change;
    auto x = a ? a->getAsNumber() : std::nullopt;
    auto y = b ? b->getAsNumber() : std::nullopt;
    if (x && y && *x != 0)
      change = llvm::formatv("  x {0:f4}", *y / *x);
    std::string from = spell(a), to = spell(b);
    if (from.size() > 30 || to.size() > 30)
      os << "  " << what << "\n    " << from << "\n    " << to << '\n';
    else
      os << llvm::formatv("  {0,-32} {1,16} {2,16}{3}\n", what, from, to,
                          change);
    ++lines;
  }
  void members(const json::Object *a, const json::Object *b,
               llvm::StringRef prefix = "") {
    static const json::Object none;
    const json::Object &x = a ? *a : none, &y = b ? *b : none;
    std::vector<std::string> keys;
    for (const auto *object : {&x, &y})
      for (const auto &entry : *object)
        keys.push_back(entry.first.str());
    llvm::sort(keys);
    keys.erase(llvm::unique(keys), keys.end());
    for (const std::string &key : keys) {
      const json::Value *l = x.get(key), *r = y.get(key);
      const json::Object *lo = l ? l->getAsObject() : nullptr;
      const json::Object *ro = r ? r->getAsObject() : nullptr;
      if (lo || ro)
        members(lo, ro, (prefix + key + ".").str());
      else
        line((prefix + key).str(), l, r);
    }
  }

  unsigned lines = 0;

private:
  static std::string spell(const json::Value *value) {
    if (!value || value->kind() == json::Value::Null)
      return "-";
    if (auto text = value->getAsString())
      return text->str();
    if (auto whole = value->getAsInteger())
      return std::to_string(*whole);
    if (auto number = value->getAsNumber()) {
      std::string text;
      llvm::raw_string_ostream(text) << llvm::format("%.6g", *number);
      return text;
    }
    return llvm::formatv("{0}", *value).str();
  }

  llvm::raw_ostream &os;
  std::string title;
};
} // namespace

/// The elements of an array by their names, in order; a name that comes again
/// gets a number.
static std::vector<std::pair<std::string, const json::Object *>>
byName(const json::Object &report, llvm::StringRef key) {
  std::vector<std::pair<std::string, const json::Object *>> found;
  std::map<std::string, unsigned> times;
  for (const json::Value &value : *report.getArray(key)) {
    const json::Object &object = *value.getAsObject();
    const std::string name = object.getString("name").value_or("").str();
    const unsigned number = ++times[name];
    found.emplace_back(number == 1 ? name
                                   : name + " (" + std::to_string(number) + ")",
                       &object);
  }
  return found;
}

unsigned fadiff::printDifferences(llvm::raw_ostream &os, const json::Object &a,
                                  const json::Object &b) {
  Printer printer(os);
  printer.enter("run");
  printer.line("network", a.get("network"), b.get("network"));
  printer.enter("machine");
  auto machine = [](const json::Object &report) {
    const json::Object *m = report.getObject("machine");
    json::Object fields;
    if (const json::Object *own = m->getObject("fields"))
      fields = *own;
    if (const json::Value *name = m->get("name"))
      fields["name"] = *name;
    return fields;
  };
  const json::Object left = machine(a), right = machine(b);
  printer.members(&left, &right);
  printer.enter("totals");
  printer.members(a.getObject("totals"), b.getObject("totals"));
  for (llvm::StringRef key : {"groups", "layers"}) {
    const auto x = byName(a, key), y = byName(b, key);
    auto find = [](const auto &all, llvm::StringRef name) {
      auto it = llvm::find_if(
          all, [&](const auto &entry) { return entry.first == name; });
      return it == all.end() ? nullptr : it->second;
    };
    const std::string kind = key.drop_back().str();
    for (const auto &[name, object] : x) {
      const json::Object *twin = find(y, name);
      if (!twin) {
        printer.enter(kind + " only in the first: " + name);
        printer.members(object, nullptr);
        continue;
      }
      printer.enter(kind + " " + name);
      printer.members(object, twin);
    }
    for (const auto &[name, object] : y)
      if (!find(x, name)) {
        printer.enter(kind + " only in the second: " + name);
        printer.members(nullptr, object);
      }
  }
  return printer.lines;
}
