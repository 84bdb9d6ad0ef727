/*===- c-interface.c - The C interface, from C
------------------------------===*\
|*                                                                            *|
|* Part of the FADiff project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|*   c-interface DIRECTORY                                                    *|
|*                                                                            *|
|* Writes a network there, reads it, schedules it, runs it on the simulator   *|
|* and on the host, compares both with a product in C, and tries what is to   *|
|* be refused. Exits with 1 at the first thing that is not as it should be.   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "fadiff-c/FADiff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WANT(condition)                                                        \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: wanted %s; last error: %s\n", __FILE__,          \
              __LINE__, #condition, fadiffLastError());                        \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

enum { ROWS = 6, DEPTH = 40, COLS = 20 };

static const char *const kNetwork =
    "func.func @main(%a: tensor<6x40xi8>, %b: tensor<40x20xi8>)\n"
    "    -> tensor<6x20xi32> {\n"
    "  %zero = arith.constant 0 : i32\n"
    "  %empty = tensor.empty() : tensor<6x20xi32>\n"
    "  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<6x20xi32>)\n"
    "      -> tensor<6x20xi32>\n"
    "  %sum = linalg.matmul ins(%a, %b : tensor<6x40xi8>, tensor<40x20xi8>)\n"
    "      outs(%init : tensor<6x20xi32>) -> tensor<6x20xi32>\n"
    "  return %sum : tensor<6x20xi32>\n"
    "}\n";

static const char *const kReal =
    "func.func @main(%a: tensor<4x8xf32>) -> tensor<4x3xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %w = arith.constant dense<0.5> : tensor<8x3xf32>\n"
    "  %empty = tensor.empty() : tensor<4x3xf32>\n"
    "  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x3xf32>)\n"
    "      -> tensor<4x3xf32>\n"
    "  %sum = linalg.matmul ins(%a, %w : tensor<4x8xf32>, tensor<8x3xf32>)\n"
    "      outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>\n"
    "  return %sum : tensor<4x3xf32>\n"
    "}\n";

static const char *writeFile(const char *directory, const char *name,
                             const char *text) {
  static char path[1024];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  file = fopen(path, "w");
  WANT(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
  return path;
}

static int8_t a[ROWS][DEPTH], b[DEPTH][COLS];

static void wantProduct(FadiffResults *results) {
  FadiffTensor c;
  int row, col, k;
  WANT(results != NULL && fadiffNumResults(results) == 1);
  c = fadiffResult(results, 0);
  WANT(c.element == FADIFF_I32 && c.rank == 2 && c.shape[0] == ROWS &&
       c.shape[1] == COLS);
  for (row = 0; row < ROWS; ++row)
    for (col = 0; col < COLS; ++col) {
      int32_t sum = 0;
      for (k = 0; k < DEPTH; ++k)
        sum += a[row][k] * b[k][col];
      WANT(((const int32_t *)c.data)[row * COLS + col] == sum);
    }
  WANT(fadiffResult(results, 1).rank == 0 &&
       fadiffResult(results, 1).data == NULL);
}

/* A network of f32 as one of int8: near the one, and the same on the simulated
   machine to the bit. */
static void tryQuantisation(const char *directory) {
  static const int64_t shape[] = {4, 8};
  static float x[4][8];
  const FadiffTensor input = {FADIFF_F32, 2, shape, x};
  const char *options = "random-samples=4 target=gemmini ranges=mse";
  FadiffNetwork *real, *bytes;
  FadiffPlan *plan;
  FadiffResults *wanted, *found, *simulated;
  int i;
  for (i = 0; i < 32; ++i)
    x[i / 8][i % 8] = (float)(i * 37 % 64) / 64 - 0.5f;
  real = fadiffLoad(writeFile(directory, "real.mlir", kReal), NULL, 0, NULL);
  WANT(real != NULL && strcmp(fadiffNetworkQuantization(real), "") == 0);
  bytes = fadiffQuantize(real, options);
  WANT(bytes != NULL);
  WANT(strstr(fadiffNetworkText(bytes), "xi8>") != NULL);
  WANT(strstr(fadiffNetworkText(real), "xi8>") == NULL);
  WANT(strstr(fadiffNetworkQuantization(bytes), "\"calibration_db\"") != NULL);
  WANT(fadiffInputType(bytes, 0).element == FADIFF_F32);
  plan = fadiffSchedule(bytes, "target=gemmini");
  WANT(plan != NULL);
  wanted = fadiffRunReference(real, &input, 1);
  found = fadiffRunReference(bytes, &input, 1);
  simulated = fadiffRun(plan, &input, 1);
  WANT(wanted != NULL && found != NULL && simulated != NULL);
  for (i = 0; i < 12; ++i) {
    const float a = ((const float *)fadiffResult(wanted, 0).data)[i];
    const float b = ((const float *)fadiffResult(found, 0).data)[i];
    WANT(fabsf(a - b) < 0.05f);
    WANT(b == ((const float *)fadiffResult(simulated, 0).data)[i]);
  }
  WANT(fadiffQuantize(real, "target=gemmini") == NULL);
  WANT(strstr(fadiffLastError(), "wanted data to calibrate with") != NULL);
  WANT(fadiffQuantize(real, "colour=blue") == NULL);
  WANT(strstr(fadiffLastError(), "colour") != NULL);
  WANT(fadiffQuantize(real, "calibration=/nowhere") == NULL);
  WANT(strstr(fadiffLastError(), "'/nowhere' is no directory") != NULL);
  WANT(fadiffQuantize(bytes, options) == NULL);
  WANT(strstr(fadiffLastError(), "nothing to quantise") != NULL);
  fadiffResultsFree(wanted);
  fadiffResultsFree(found);
  fadiffResultsFree(simulated);
  fadiffPlanFree(plan);
  fadiffNetworkFree(bytes);
  fadiffNetworkFree(real);
}

int main(int argc, char **argv) {
  static const int64_t shapeA[] = {ROWS, DEPTH}, shapeB[] = {DEPTH, COLS};
  FadiffTensor inputs[2] = {{FADIFF_I8, 2, shapeA, a},
                            {FADIFF_I8, 2, shapeB, b}};
  const char *path;
  const char *dim = "batch=1";
  FadiffNetwork *network;
  FadiffPlan *plan;
  FadiffResults *results;
  FadiffTensor type;
  int i;

  WANT(argc == 2);
  for (i = 0; i < ROWS * DEPTH; ++i)
    a[i / DEPTH][i % DEPTH] = (int8_t)(i * 37 % 255 - 127);
  for (i = 0; i < DEPTH * COLS; ++i)
    b[i / COLS][i % COLS] = (int8_t)(i * 91 % 255 - 127);
  WANT(strchr(fadiffVersion(), '.') != NULL);

  /* What goes. */
  path = writeFile(argv[1], "product.mlir", kNetwork);
  network = fadiffLoad(path, NULL, 0, NULL);
  WANT(network != NULL);
  WANT(fadiffNumInputs(network) == 2 && fadiffNumOutputs(network) == 1);
  type = fadiffInputType(network, 1);
  WANT(type.element == FADIFF_I8 && type.rank == 2 && type.shape[0] == DEPTH &&
       type.shape[1] == COLS && type.data == NULL);
  type = fadiffOutputType(network, 0);
  WANT(type.element == FADIFF_I32 && type.shape[1] == COLS);
  WANT((int)fadiffInputType(network, 2).element == -1);
  WANT(strstr(fadiffNetworkText(network), "linalg.matmul") != NULL);

  plan = fadiffSchedule(network, "target=gemmini-small objective=latency");
  WANT(plan != NULL);
  WANT(fadiffPlanCycles(plan) > 0 && fadiffPlanEnergy(plan) > 0);
  WANT(fadiffPlanValue(plan) == fadiffPlanCycles(plan));
  WANT(fadiffPlanBound(plan) > 0 &&
       fadiffPlanBound(plan) <= fadiffPlanValue(plan) * (1 + 1e-9));
  WANT(strstr(fadiffPlanSummary(plan), "\"macs_on_array\"") != NULL);
  WANT(strstr(fadiffPlanNests(plan), "\"dram_read\"") != NULL);
  WANT(strstr(fadiffPlanText(plan), "fadiff.loop_nest") != NULL);

  for (i = 0; i < 2; ++i) {
    results = fadiffRun(plan, inputs, 2);
    wantProduct(results);
    WANT(fadiffResultsCycles(results) > 0);
    /* Each operand is read, and the sums are written, at least once. */
    WANT(fadiffResultsDramRead(results) >= ROWS * DEPTH + DEPTH * COLS);
    WANT(fadiffResultsDramWritten(results) == 4 * ROWS * COLS);
    fadiffResultsFree(results);
    a[0][0] = (int8_t)(a[0][0] / 2);
  }
  results = fadiffRunReference(network, inputs, 2);
  wantProduct(results);
  WANT(fadiffResultsCycles(results) == 0);
  fadiffResultsFree(results);

  /* What is refused, and what is said. */
  WANT(fadiffRun(plan, inputs, 1) == NULL);
  WANT(strstr(fadiffLastError(), "wanted 2 inputs") != NULL);
  inputs[1].shape = shapeA;
  WANT(fadiffRun(plan, inputs, 2) == NULL);
  WANT(strstr(fadiffLastError(),
              "input 1: wanted tensor<40x20xi8>, found tensor<6x40xi8>") !=
       NULL);
  inputs[1].shape = shapeB;
  inputs[0].data = NULL;
  WANT(fadiffRunReference(network, inputs, 2) == NULL);
  WANT(strstr(fadiffLastError(), "input 0: wanted an element type") != NULL);
  WANT(fadiffSchedule(network, "target=nowhere") == NULL);
  WANT(strstr(fadiffLastError(), "nowhere") != NULL);
  WANT(fadiffSchedule(network, "colour=blue") == NULL);
  WANT(strstr(fadiffLastError(), "colour") != NULL);
  WANT(fadiffSchedule(network, "time-limit=soon") == NULL);
  WANT(strstr(fadiffLastError(), "soon") != NULL);
  WANT(fadiffSchedule(network, "constraint=latency<1cycles") == NULL);
  WANT(fadiffLoad(path, &dim, 1, NULL) == NULL);
  WANT(strstr(fadiffLastError(), "product.mlir': wanted a model of ONNX") !=
       NULL);
  WANT(fadiffLoadBound(path, NULL, 0, &dim, 1, NULL) == NULL);
  WANT(strstr(fadiffLastError(), "of which alone inputs are bound") != NULL);
  WANT(fadiffLoad(path, NULL, 0, "other") == NULL);
  WANT(strstr(fadiffLastError(), "other") != NULL);
  WANT(fadiffLoad(NULL, NULL, 0, NULL) == NULL);
  WANT(fadiffLoad("/nowhere/net.mlir", NULL, 0, NULL) == NULL);
  WANT(strstr(fadiffLastError(), "/nowhere/net.mlir") != NULL);
  path = writeFile(argv[1], "broken.mlir", "func.func @main(%a: tensor<6x>");
  WANT(fadiffLoad(path, NULL, 0, NULL) == NULL);
  WANT(strstr(fadiffLastError(), "broken.mlir\":1:") != NULL);

  tryQuantisation(argv[1]);

  /* A plan lives without its network. */
  fadiffNetworkFree(network);
  inputs[0].data = a;
  results = fadiffRun(plan, inputs, 2);
  wantProduct(results);
  fadiffPlanFree(plan);
  wantProduct(results);
  fadiffResultsFree(results);
  puts("the C interface is as it should be");
  return 0;
}
