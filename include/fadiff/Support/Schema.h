//===- Schema.h - Reading files of a fixed form -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON and CSV readers that say what is wrong with a file: which record and
// field, what was wanted and what was found. Only the first complaint is kept;
// after it every accessor returns a harmless value, so that a reader need not
// test each field and asks for the error once, at the end.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SUPPORT_SCHEMA_H
#define FADIFF_SUPPORT_SCHEMA_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fadiff {

/// The largest whole number that double holds without gaps, 2^53.
inline constexpr int64_t kMaxExact = int64_t(1) << 53;

/// How deep arrays and objects of a JSON document may stand in each other. Our
/// own need less than 10.
inline constexpr unsigned kMostJsonNesting = 100;

/// The JSON document `text`; the error names `file` and the place.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                            llvm::StringRef file);

/// One thing that is not as it should be.
struct Mismatch {
  std::string what, wanted, found;
};

/// The first complaint about one file.
class Complaints {
public:
  explicit Complaints(llvm::StringRef file) : file(file) {}

  /// What the following complaints are about, such as "point 'a'" or "row 7";
  /// empty for the file as a whole.
  void enter(const llvm::Twine &newRecord) { record = newRecord.str(); }
  /// "file: record: field: wanted ..., found ..."; empty parts are left out.
  void add(const llvm::Twine &field, const llvm::Twine &wanted,
           const llvm::Twine &found);
  void add(const llvm::Twine &prefix, const Mismatch &mismatch) {
    add(prefix + mismatch.what, mismatch.wanted, mismatch.found);
  }
  bool any() const { return !message.empty(); }
  llvm::Error take();

private:
  std::string file, record, message;
};

/// A place in a JSON document, which may turn out not to be there. Cheap to
/// copy; the document and the complaints must outlive it.
class JsonField {
public:
  JsonField(Complaints &complaints, const llvm::json::Value &root)
      : complaints(&complaints), value(&root) {}

  /// A member of an object.
  JsonField operator[](llvm::StringRef key) const;
  /// Whether this is an object with that member.
  bool has(llvm::StringRef key) const;
  /// The elements of an array; of `size` elements, if one is given.
  std::vector<JsonField> elements(std::optional<size_t> size = {}) const;
  /// The members of an object, by name.
  std::vector<std::pair<std::string, JsonField>> members() const;

  /// A whole number in [low, high]; `low` after a complaint.
  int64_t integer(int64_t low, int64_t high) const;
  /// A finite number of at least `low`; `low` after a complaint.
  double number(double low) const;
  /// Empty after a complaint.
  llvm::StringRef string() const;
  /// False after a complaint.
  bool boolean() const;

  /// Complains about this field; what is found there is named.
  void complain(const llvm::Twine &wanted) const;

private:
  JsonField(Complaints &complaints, const llvm::json::Value *value,
            std::string path)
      : complaints(&complaints), value(value), path(std::move(path)) {}

  Complaints *complaints;
  const llvm::json::Value *value; ///< null after a complaint
  std::string path;               ///< such as "mapping.order[2]"
};

/// A CSV file (RFC 4180): a header with distinct names, then rows of as many
/// fields. Quoted fields may hold commas, line ends and doubled quotes. Unlike
/// many readers this one refuses what the RFC does not define: short or long
/// rows, quotes inside unquoted fields, text after a closing quote.
struct CsvTable {
  std::vector<std::string> header;
  struct Row {
    unsigned line = 0; ///< where it starts; the header is on line 1
    std::vector<std::string> fields;
  };
  std::vector<Row> rows;
  llvm::StringMap<unsigned> columns; ///< index by name
};
llvm::Expected<CsvTable> parseCsv(llvm::StringRef text, llvm::StringRef file);

/// A row by column name; complains about columns that do not exist.
class CsvRow {
public:
  CsvRow(Complaints &complaints, const CsvTable &table,
         const CsvTable::Row &row)
      : complaints(&complaints), table(&table), row(&row) {}

  llvm::StringRef text(llvm::StringRef column) const;
  /// As in JsonField.
  int64_t integer(llvm::StringRef column, int64_t low, int64_t high) const;
  double number(llvm::StringRef column, double low) const;

private:
  Complaints *complaints;
  const CsvTable *table;
  const CsvTable::Row *row;
};

} // namespace fadiff

#endif // FADIFF_SUPPORT_SCHEMA_H
