//===- SchemaTest.cpp - Reading files of a fixed form ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Support/Schema.h"

#include "gtest/gtest.h"

using namespace fadiff;
namespace json = llvm::json;

namespace {

using Fields = std::vector<std::string>;

TEST(CsvTest, QuotesAndLineEnds) {
  auto table = parseCsv("a,\"b \"\"c\"\"\",\r\n1,\"x,\ny\",z\n,,\n", "f.csv");
  ASSERT_TRUE(bool(table)) << llvm::toString(table.takeError());
  EXPECT_EQ(table->header, (Fields{"a", "b \"c\"", ""}));
  ASSERT_EQ(table->rows.size(), 2u);
  EXPECT_EQ(table->rows[0].fields, (Fields{"1", "x,\ny", "z"}));
  EXPECT_EQ(table->rows[0].line, 2u);
  EXPECT_EQ(table->rows[1].fields, (Fields{"", "", ""}));
  EXPECT_EQ(table->rows[1].line, 4u); // a quoted line end is before it
}

TEST(CsvTest, LastLineNeedsNoEnd) {
  auto table = parseCsv("a\n1", "f.csv");
  ASSERT_TRUE(bool(table)) << llvm::toString(table.takeError());
  ASSERT_EQ(table->rows.size(), 1u);
  EXPECT_EQ(table->rows[0].fields, Fields{"1"});
}

std::string csvError(llvm::StringRef text) {
  auto table = parseCsv(text, "f.csv");
  return table ? "" : llvm::toString(table.takeError());
}

TEST(CsvTest, Errors) {
  EXPECT_EQ(csvError(""), "f.csv: wanted a header line, found an empty file");
  EXPECT_EQ(csvError("a,b\n1,2\n3\n"),
            "f.csv: line 3: wanted 2 fields as in the header, found 1");
  EXPECT_EQ(csvError("a,b\n1,2,3\n"),
            "f.csv: line 2: wanted 2 fields as in the header, found 3");
  EXPECT_EQ(csvError("a,a\n"),
            "f.csv: line 1: wanted distinct column names, found 'a' twice");
  EXPECT_EQ(csvError("a\n1\"2\"\n"), "f.csv: line 2: wanted quotes only around "
                                     "a whole field, found a quote inside "
                                     "'1\"'");
  EXPECT_EQ(csvError("a\n\"1\n"),
            "f.csv: line 2: wanted a closing quote, found the end of the file");
  EXPECT_EQ(csvError("a\n\"1\"2\n"),
            "f.csv: line 2: wanted a comma or line end "
            "after a closing quote, found '2'");
}

template <typename Read> std::string rowError(llvm::StringRef text, Read read) {
  CsvTable table = llvm::cantFail(parseCsv(text, "f.csv"));
  Complaints complaints("f.csv");
  complaints.enter("row 1");
  read(CsvRow(complaints, table, table.rows[0]));
  return llvm::toString(complaints.take());
}

TEST(CsvTest, FieldErrors) {
  auto integer = [](const CsvRow &row) { row.integer("a", 1, 8); };
  auto number = [](const CsvRow &row) { row.number("a", 0); };
  EXPECT_EQ(rowError("a\n8\n", integer), "");
  EXPECT_EQ(rowError("a\n9\n", integer),
            "f.csv: row 1: a: wanted an integer from 1 to 8, found '9'");
  EXPECT_EQ(rowError("a\n1x\n", integer),
            "f.csv: row 1: a: wanted an integer from 1 to 8, found '1x'");
  EXPECT_EQ(rowError("b\n1\n", integer),
            "f.csv: header: wanted a column 'a', found none of that name");
  EXPECT_EQ(rowError("a\n2.5e3\n", number), "");
  for (std::string bad : {"", "-1", "nan", "inf", "1e999", "1,"})
    EXPECT_EQ(rowError("a\n\"" + bad + "\"\n", number),
              "f.csv: row 1: a: wanted a non-negative number, found '" + bad +
                  "'");
}

template <typename Read>
std::string jsonError(llvm::StringRef text, Read read) {
  json::Value document = llvm::cantFail(json::parse(text));
  Complaints complaints("f.json");
  complaints.enter("point 'p'");
  read(JsonField(complaints, document));
  return llvm::toString(complaints.take());
}

TEST(JsonFieldTest, ReadsValues) {
  EXPECT_EQ(jsonError(R"({"a": {"b": [1, 2.5, "x"]}, "c": {}})",
                      [](const JsonField &root) {
                        auto list = root["a"]["b"].elements(3);
                        EXPECT_EQ(list[0].integer(0, 9), 1);
                        EXPECT_EQ(list[1].number(0), 2.5);
                        EXPECT_EQ(list[2].string(), "x");
                        EXPECT_TRUE(root.has("c"));
                        EXPECT_FALSE(root.has("d"));
                        EXPECT_EQ(root.members().size(), 2u);
                        EXPECT_EQ(root.members()[1].first, "c");
                      }),
            "");
}

TEST(JsonFieldTest, Errors) {
  const char *text = R"({"a": {"b": [1, 2.5, "x"]}, "n": -1, "m": null})";
  auto error = [&](auto read) { return jsonError(text, read); };
  EXPECT_EQ(error([](const JsonField &root) { root["z"].string(); }),
            "f.json: point 'p': z: wanted a value, found nothing");
  EXPECT_EQ(error([](const JsonField &root) { root["a"]["z"]["y"].string(); }),
            "f.json: point 'p': a.z: wanted a value, found nothing");
  EXPECT_EQ(error([](const JsonField &root) { root["n"]["z"].string(); }),
            "f.json: point 'p': n: wanted an object with a member 'z', "
            "found -1");
  EXPECT_EQ(error([](const JsonField &root) { root["a"].integer(0, 9); }),
            "f.json: point 'p': a: wanted an integer from 0 to 9, "
            "found an object");
  EXPECT_EQ(error([](const JsonField &root) { root["m"].number(0); }),
            "f.json: point 'p': m: wanted a non-negative number, found null");
  EXPECT_EQ(error([](const JsonField &root) { root["n"].number(0); }),
            "f.json: point 'p': n: wanted a non-negative number, found -1");
  EXPECT_EQ(error([](const JsonField &root) {
              root["a"]["b"].elements(3)[1].integer(0, kMaxExact);
            }),
            "f.json: point 'p': a.b[1]: wanted a non-negative integer, "
            "found 2.5");
  EXPECT_EQ(error([](const JsonField &root) {
              // Only the first complaint counts, and a wrong size still gives
              // that many harmless elements.
              auto list = root["a"]["b"].elements(2);
              ASSERT_EQ(list.size(), 2u);
              EXPECT_EQ(list[1].integer(7, 9), 7);
            }),
            "f.json: point 'p': a.b: wanted an array of 2, "
            "found an array of 3");
}

TEST(JsonTest, NestingIsBounded) {
  auto nested = [](unsigned depth, char open, char close) {
    return std::string(depth, open) + std::string(depth, close);
  };
  for (unsigned depth : {1u, kMostJsonNesting}) {
    auto value = parseJson(nested(depth, '[', ']'), "f.json");
    EXPECT_TRUE(bool(value)) << llvm::toString(value.takeError());
  }
  // LLVM's parser overflows the stack at a few ten thousand.
  auto deep =
      parseJson("{\"a\":\n " + nested(1000000, '[', ']') + "}", "f.json");
  ASSERT_FALSE(bool(deep));
  EXPECT_EQ(llvm::toString(deep.takeError()),
            "f.json: wanted a JSON document whose arrays and objects nest at "
            "most 100 deep, found more [2:101]");
  std::string objects;
  for (unsigned i = 0; i < 100000; ++i)
    objects += "{\"a\":";
  auto open = parseJson(objects, "f.json");
  ASSERT_FALSE(bool(open));
  EXPECT_NE(llvm::toString(open.takeError()).find("[1:501]"),
            std::string::npos);
  // Brackets in strings, and what is closed again, do not count.
  auto text = parseJson("[\"" + std::string(1000, '[') + "\\\"[\"]", "f.json");
  EXPECT_TRUE(bool(text)) << llvm::toString(text.takeError());
  std::string many = "[";
  for (unsigned i = 0; i < 1000; ++i)
    many += "[],";
  auto wide = parseJson(many + "[]]", "f.json");
  EXPECT_TRUE(bool(wide)) << llvm::toString(wide.takeError());
}

} // namespace
