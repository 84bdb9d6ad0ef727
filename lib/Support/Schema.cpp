//===- Schema.cpp - Reading files of a fixed form -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Support/Schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace fadiff;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// At most 60 characters of text, on one line.
static std::string excerpt(StringRef text) {
  std::string result;
  for (char c : text.take_front(60)) {
    if (llvm::isPrint(c))
      result += c;
    else if (c == '\n')
      result += "\\n";
    else
      result += "\\x" + llvm::toHex(StringRef(&c, 1));
  }
  return text.size() > 60 ? result + "..." : result;
}

/// `low` and more, or `low` to `high`.
static std::string range(int64_t low, int64_t high) {
  if (high == kMaxExact && low <= 1)
    return low == 1 ? "a positive integer" : "a non-negative integer";
  return ("an integer from " + Twine(low) + " to " + Twine(high)).str();
}
static std::string atLeast(double low) {
  if (low == 0)
    return "a non-negative number";
  return llvm::formatv("a number of at least {0}", low).str();
}

/// The first bracket that opens more values within each other than are allowed;
/// npos if there is none. What is no JSON is left to the parser.
static size_t findTooDeep(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostJsonNesting)
        return i;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return StringRef::npos;
}

llvm::Expected<json::Value> fadiff::parseJson(StringRef text, StringRef file) {
  // LLVM's parser recurses with the nesting, and so does whoever copies, prints
  // or frees what it returns.
  if (size_t at = findTooDeep(text); at != StringRef::npos) {
    const StringRef before = text.take_front(at);
    return llvm::createStringError(
        file +
        ": wanted a JSON document whose arrays and objects nest at "
        "most " +
        Twine(kMostJsonNesting) + " deep, found more [" +
        Twine(before.count('\n') + 1) + ":" +
        Twine(at - (before.rfind('\n') + 1) + 1) + "]");
  }
  llvm::Expected<json::Value> document = json::parse(text);
  if (!document)
    return llvm::createStringError(file + ": wanted a JSON document, found " +
                                   llvm::toString(document.takeError()));
  return document;
}

void Complaints::add(const Twine &field, const Twine &wanted,
                     const Twine &found) {
  if (any())
    return;
  llvm::raw_string_ostream os(message);
  os << file;
  if (!record.empty())
    os << ": " << record;
  std::string name = field.str();
  if (!name.empty())
    os << ": " << name;
  os << ": wanted " << wanted << ", found " << found;
}

llvm::Error Complaints::take() {
  if (!any())
    return llvm::Error::success();
  return llvm::createStringError(std::exchange(message, {}));
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

void JsonField::complain(const Twine &wanted) const {
  if (!value)
    return;
  std::string found;
  switch (value->kind()) {
  case json::Value::Object:
    found = "an object";
    break;
  case json::Value::Array:
    found = ("an array of " + Twine(value->getAsArray()->size())).str();
    break;
  default: {
    llvm::raw_string_ostream os(found);
    os << *value;
    found = excerpt(found);
  }
  }
  complaints->add(path, wanted, found);
}

JsonField JsonField::operator[](StringRef key) const {
  std::string inner = path.empty() ? key.str() : (path + "." + key).str();
  const json::Value *member = nullptr;
  if (value) {
    if (const json::Object *object = value->getAsObject()) {
      member = object->get(key);
      if (!member)
        complaints->add(inner, "a value", "nothing");
    } else {
      complain("an object with a member '" + key + "'");
    }
  }
  return JsonField(*complaints, member, std::move(inner));
}

bool JsonField::has(StringRef key) const {
  const json::Object *object = value ? value->getAsObject() : nullptr;
  return object && object->get(key);
}

std::vector<JsonField> JsonField::elements(std::optional<size_t> size) const {
  std::vector<JsonField> result;
  const json::Array *array = value ? value->getAsArray() : nullptr;
  if (!array || (size && array->size() != *size)) {
    complain(size ? "an array of " + Twine(*size) : Twine("an array"));
    result.assign(size.value_or(0), JsonField(*complaints, nullptr, path));
    return result;
  }
  for (auto [index, element] : llvm::enumerate(*array))
    result.push_back(JsonField(*complaints, &element,
                               (Twine(path) + "[" + Twine(index) + "]").str()));
  return result;
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  std::vector<std::pair<std::string, JsonField>> result;
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object) {
    complain("an object");
    return result;
  }
  for (const auto &[key, member] : *object)
    result.emplace_back(key.str(), (*this)[key]);
  llvm::sort(result, llvm::less_first());
  return result;
}

int64_t JsonField::integer(int64_t low, int64_t high) const {
  std::optional<int64_t> number =
      value ? value->getAsInteger() : std::optional<int64_t>();
  if (number && *number >= low && *number <= high)
    return *number;
  complain(range(low, high));
  return low;
}

double JsonField::number(double low) const {
  std::optional<double> number =
      value ? value->getAsNumber() : std::optional<double>();
  if (number && std::isfinite(*number) && *number >= low)
    return *number;
  complain(atLeast(low));
  return low;
}

bool JsonField::boolean() const {
  if (!value)
    return false;
  if (std::optional<bool> found = value->getAsBoolean())
    return *found;
  complain("true or false");
  return false;
}

StringRef JsonField::string() const {
  std::optional<StringRef> text =
      value ? value->getAsString() : std::optional<StringRef>();
  if (text)
    return *text;
  complain("a string");
  return "";
}

//===----------------------------------------------------------------------===//
// CSV
//===----------------------------------------------------------------------===//

namespace {
class CsvParser {
public:
  CsvParser(StringRef text, Complaints &complaints)
      : rest(text), complaints(complaints) {}

  bool atEnd() const { return rest.empty(); }

  /// One record and its line end.
  CsvTable::Row record() {
    CsvTable::Row row;
    row.line = line;
    complaints.enter("line " + Twine(line));
    while (true) {
      row.fields.push_back(rest.starts_with("\"") ? quoted() : plain());
      if (complaints.any())
        return row;
      if (!rest.consume_front(","))
        break;
    }
    if (!rest.empty() && !rest.consume_front("\n"))
      rest.consume_front("\r\n");
    ++line;
    return row;
  }

private:
  bool atFieldEnd() const {
    return rest.empty() || rest[0] == ',' || rest[0] == '\n' ||
           rest.starts_with("\r\n");
  }

  std::string plain() {
    size_t size = 0;
    StringRef all = rest;
    for (; !atFieldEnd(); ++size, rest = rest.drop_front())
      if (rest[0] == '"')
        complaints.add("", "quotes only around a whole field",
                       "a quote inside '" + excerpt(all.take_front(size + 1)) +
                           "'");
    return all.take_front(size).str();
  }

  std::string quoted() {
    std::string field;
    rest = rest.drop_front();
    while (true) {
      size_t quote = rest.find('"');
      if (quote == StringRef::npos) {
        complaints.add("", "a closing quote", "the end of the file");
        return field;
      }
      field += rest.take_front(quote);
      line += rest.take_front(quote).count('\n');
      rest = rest.drop_front(quote + 1);
      if (!rest.consume_front("\""))
        break;
      field += '"';
    }
    if (!atFieldEnd())
      complaints.add("", "a comma or line end after a closing quote",
                     "'" + excerpt(rest.take_front(1)) + "'");
    return field;
  }

  StringRef rest;
  unsigned line = 1;
  Complaints &complaints;
};
} // namespace

llvm::Expected<CsvTable> fadiff::parseCsv(StringRef text, StringRef file) {
  Complaints complaints(file);
  CsvTable table;
  text.consume_front("\xef\xbb\xbf"); // byte order mark
  if (text.empty())
    complaints.add("", "a header line", "an empty file");
  CsvParser parser(text, complaints);
  if (!complaints.any())
    table.header = parser.record().fields;
  for (auto [index, name] : llvm::enumerate(table.header))
    if (!table.columns.try_emplace(name, index).second)
      complaints.add("", "distinct column names",
                     "'" + excerpt(name) + "' twice");
  while (!complaints.any() && !parser.atEnd()) {
    CsvTable::Row row = parser.record();
    if (row.fields.size() != table.header.size())
      complaints.add("",
                     Twine(table.header.size()) + " fields as in the header",
                     Twine(row.fields.size()));
    table.rows.push_back(std::move(row));
  }
  if (llvm::Error error = complaints.take())
    return error;
  return table;
}

StringRef CsvRow::text(StringRef column) const {
  auto found = table->columns.find(column);
  if (found != table->columns.end())
    return row->fields[found->second];
  complaints->enter("");
  complaints->add("header", "a column '" + column + "'", "none of that name");
  return "";
}

int64_t CsvRow::integer(StringRef column, int64_t low, int64_t high) const {
  StringRef field = text(column);
  int64_t number = 0;
  if (!field.getAsInteger(10, number) && number >= low && number <= high)
    return number;
  complaints->add(column, range(low, high), "'" + excerpt(field) + "'");
  return low;
}

double CsvRow::number(StringRef column, double low) const {
  StringRef field = text(column);
  double number = 0;
  if (!field.getAsDouble(number) && std::isfinite(number) && number >= low)
    return number;
  complaints->add(column, atLeast(low), "'" + excerpt(field) + "'");
  return low;
}
