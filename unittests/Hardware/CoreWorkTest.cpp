//===- CoreWorkTest.cpp - What the core does itself -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/CoreWork.h"
#include "gtest/gtest.h"

using namespace fadiff;

namespace {

/// Copies byte by byte between the dense tensors, which may be words only if
/// every run of neighbours begins and ends at words in both.
bool everyRunIsOfWords(std::array<int64_t, 3> from, std::array<int64_t, 3> low,
                       std::array<int64_t, 3> to) {
  int64_t firstFrom = -1, firstTo = -1, lastFrom = -2, lastTo = -2;
  auto isOfWords = [&] {
    return firstFrom < 0 || (firstFrom % 8 == 0 && firstTo % 8 == 0 &&
                             (lastFrom + 1) % 8 == 0 && (lastTo + 1) % 8 == 0);
  };
  for (int64_t i = 0; i < from[0]; ++i)
    for (int64_t j = 0; j < from[1]; ++j)
      for (int64_t k = 0; k < from[2]; ++k) {
        const int64_t a = (i * from[1] + j) * from[2] + k;
        const int64_t b =
            ((i + low[0]) * to[1] + j + low[1]) * to[2] + k + low[2];
        if (a != lastFrom + 1 || b != lastTo + 1) {
          if (!isOfWords())
            return false;
          firstFrom = a;
          firstTo = b;
        }
        lastFrom = a;
        lastTo = b;
      }
  return isOfWords();
}

TEST(CoreWork, BytesMoveAsWordsWhereLinesAreOfWords) {
  unsigned words = 0, others = 0;
  for (int64_t rows : {1, 2, 3})
    for (int64_t columns : {2, 8, 16, 20})
      for (int64_t channels : {1, 3, 4, 8})
        for (int64_t above : {0, 1})
          for (int64_t left : {0, 2, 3, 8})
            for (int64_t right : {0, 2, 8}) {
              const std::array<int64_t, 3> from{rows, columns, channels},
                  low{above, left, 0},
                  to{rows + above, columns + left + right, channels};
              const int64_t elements = to[0] * to[1] * to[2];
              const int64_t moves = movesOf(elements, 1, from, low, to);
              SCOPED_TRACE(testing::Message()
                           << rows << 'x' << columns << 'x' << channels
                           << " at " << above << ", " << left << " before "
                           << right);
              if (everyRunIsOfWords(from, low, to)) {
                ++words;
                // What is filled around it may still be of no words.
                EXPECT_TRUE(moves == elements / 8 || moves == elements);
                if (left + right == 0 || rows > 1) {
                  EXPECT_EQ(moves, elements / 8);
                }
              } else {
                ++others;
                EXPECT_EQ(moves, elements);
              }
              EXPECT_EQ(movesOf(elements, 4, from, low, to), elements);
            }
  EXPECT_GT(words, 100u);
  EXPECT_GT(others, 100u);
}

} // namespace
