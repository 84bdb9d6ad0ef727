/*===- main.c - A network on a bare RISC-V core with a Gemmini
-------------===*\
|*
|* Part of the FADiff project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Calls examples/tiny.mlir, compiled by fadiff-compile, on made-up values and
|* prints what comes out. build.sh beside this file has the commands.
|*
\*===----------------------------------------------------------------------===*/

#include "tiny.h"

#include <stdio.h>

static int8_t image[TINY_MAIN_ARG0_SIZE];
static int8_t conv1_weight[TINY_MAIN_ARG1_SIZE];
static int32_t conv1_bias[TINY_MAIN_ARG2_SIZE];
static int8_t depthwise_weight[TINY_MAIN_ARG3_SIZE];
static int32_t depthwise_bias[TINY_MAIN_ARG4_SIZE];
static int8_t pointwise_weight[TINY_MAIN_ARG5_SIZE];
static int32_t pointwise_bias[TINY_MAIN_ARG6_SIZE];
static int8_t conv2_weight[TINY_MAIN_ARG7_SIZE];
static int32_t conv2_bias[TINY_MAIN_ARG8_SIZE];
static int8_t conv3_weight[TINY_MAIN_ARG9_SIZE];
static int32_t conv3_bias[TINY_MAIN_ARG10_SIZE];
static int8_t fc_weight[TINY_MAIN_ARG11_SIZE];
static int32_t fc_bias[TINY_MAIN_ARG12_SIZE];
static int8_t scores[TINY_MAIN_RESULT0_SIZE];

/* Marsaglia's xorshift32. */
static uint32_t state = 1;
static uint32_t draw(void) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

static void fill8(int8_t *values, int count) {
  for (int i = 0; i != count; ++i)
    values[i] = (int8_t)(draw() % 255 - 127);
}

static void fill32(int32_t *values, int count) {
  for (int i = 0; i != count; ++i)
    values[i] = (int32_t)(draw() % 8193) - 4096;
}

int main(void) {
  fill8(image, TINY_MAIN_ARG0_SIZE);
  fill8(conv1_weight, TINY_MAIN_ARG1_SIZE);
  fill32(conv1_bias, TINY_MAIN_ARG2_SIZE);
  fill8(depthwise_weight, TINY_MAIN_ARG3_SIZE);
  fill32(depthwise_bias, TINY_MAIN_ARG4_SIZE);
  fill8(pointwise_weight, TINY_MAIN_ARG5_SIZE);
  fill32(pointwise_bias, TINY_MAIN_ARG6_SIZE);
  fill8(conv2_weight, TINY_MAIN_ARG7_SIZE);
  fill32(conv2_bias, TINY_MAIN_ARG8_SIZE);
  fill8(conv3_weight, TINY_MAIN_ARG9_SIZE);
  fill32(conv3_bias, TINY_MAIN_ARG10_SIZE);
  fill8(fc_weight, TINY_MAIN_ARG11_SIZE);
  fill32(fc_bias, TINY_MAIN_ARG12_SIZE);

  tiny_main(image, conv1_weight, conv1_bias, depthwise_weight, depthwise_bias,
            pointwise_weight, pointwise_bias, conv2_weight, conv2_bias,
            conv3_weight, conv3_bias, fc_weight, fc_bias, scores);

  printf("scores");
  for (int i = 0; i != TINY_MAIN_RESULT0_SIZE; ++i)
    printf(" %d", scores[i]);
  printf("\n");
  return 0;
}
