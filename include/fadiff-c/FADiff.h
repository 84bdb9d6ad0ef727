/*===- fadiff-c/FADiff.h - FADiff from C --------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the FADiff project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Reads a network, schedules it, runs it on the simulator or on the host.    *|
|* Plain C, no header of LLVM or MLIR; the module `fadiff` of Python is made  *|
|* of it. docs/Python.md has an example.                                      *|
|*                                                                            *|
|* What fails returns NULL or -1, and fadiffLastError() then has the text     *|
|* that the tools would print. Objects are not to be used from two threads at *|
|* once; different networks may be.                                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FADIFF_C_FADIFF_H
#define FADIFF_C_FADIFF_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FADIFF_C_EXPORT __attribute__((visibility("default")))
#else
#define FADIFF_C_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A function @main with its arguments and results, on tensors. */
typedef struct FadiffNetwork FadiffNetwork;
/** A network that is scheduled for a machine. Lives without its network. */
typedef struct FadiffPlan FadiffPlan;
/** What a run gave. Lives without its plan. */
typedef struct FadiffResults FadiffResults;

/** The numbers never change; later versions may add some. */
typedef enum FadiffElement {
  FADIFF_I1 = 0, /**< a byte, 0 or 1 */
  FADIFF_I4 = 1, /**< a byte whose upper half is zero */
  FADIFF_I8 = 2,
  FADIFF_I16 = 3,
  FADIFF_I32 = 4,
  FADIFF_I64 = 5,
  FADIFF_INDEX = 6,    /**< 64 bits */
  FADIFF_F4E2M1FN = 7, /**< a byte whose upper half is zero */
  FADIFF_F8E8M0FNU = 8,
  FADIFF_F16 = 9,
  FADIFF_BF16 = 10,
  FADIFF_F32 = 11,
  FADIFF_F64 = 12
} FadiffElement;

/** An extent that is known only when the program runs. */
#define FADIFF_OPEN_EXTENT (-1)

/** A type and, where there are values, dense row-major bytes. */
typedef struct FadiffTensor {
  FadiffElement element;
  size_t rank;
  const int64_t *shape; /**< `rank` extents, or FADIFF_OPEN_EXTENT */
  const void *data;     /**< NULL in what is only a type */
} FadiffTensor;

/** "0.1.0" */
FADIFF_C_EXPORT const char *fadiffVersion(void);
/** What the last call in this thread that failed said: what was wanted, what
 *  was found and where, without a newline at the end. Valid until the next
 *  call that fails. */
FADIFF_C_EXPORT const char *fadiffLastError(void);

/** Reads a model of ONNX (a name that ends in .onnx) or a module of MLIR.
 *  `dims` are `numDims` extents that a model leaves open, as "batch=1".
 *  `entry` names the function; NULL is @main or the only public one. */
FADIFF_C_EXPORT FadiffNetwork *fadiffLoad(const char *path,
                                          const char *const *dims,
                                          size_t numDims, const char *entry);
/** As fadiffLoad, and makes inputs of a model constants: `bindings` are
 *  `numBindings` of them with files of NumPy or ONNX, as "shape=shape.npy". For
 *  what fixes extents, axes and trips. */
FADIFF_C_EXPORT FadiffNetwork *
fadiffLoadBound(const char *path, const char *const *dims, size_t numDims,
                const char *const *bindings, size_t numBindings,
                const char *entry);
/** A copy of a network of f32 that computes in int8, with the same arguments
 *  and results. `options` is what --fadiff-quantize takes, such as
 *  "calibration=images target=gemmini ranges=mse". */
FADIFF_C_EXPORT FadiffNetwork *fadiffQuantize(const FadiffNetwork *network,
                                              const char *options);
/** What fadiffQuantize measured, as JSON: of each layer and each output the
 *  signal-to-noise ratio against f32 (docs/Quantization.md); "" of a network
 *  that was read. Lives as long as the network. */
FADIFF_C_EXPORT const char *
fadiffNetworkQuantization(const FadiffNetwork *network);
FADIFF_C_EXPORT void fadiffNetworkFree(FadiffNetwork *network);

/** Arguments, and outputs: the results, then arguments that are written. */
FADIFF_C_EXPORT size_t fadiffNumInputs(const FadiffNetwork *network);
FADIFF_C_EXPORT size_t fadiffNumOutputs(const FadiffNetwork *network);
/** The type of one; shapes live as long as the network. An index that is too
 *  large gives an element of -1. */
FADIFF_C_EXPORT FadiffTensor fadiffInputType(const FadiffNetwork *network,
                                             size_t index);
FADIFF_C_EXPORT FadiffTensor fadiffOutputType(const FadiffNetwork *network,
                                              size_t index);
/** What the model calls an argument, or "". */
FADIFF_C_EXPORT const char *fadiffInputName(const FadiffNetwork *network,
                                            size_t index);
/** The module as text. Lives as long as the network. */
FADIFF_C_EXPORT const char *fadiffNetworkText(FadiffNetwork *network);

/** Schedules a copy of the network. `options` is what --fadiff-schedule takes,
 *  such as "target=gemmini objective=latency time-limit=2s"; NULL or "" are the
 *  defaults. */
FADIFF_C_EXPORT FadiffPlan *fadiffSchedule(const FadiffNetwork *network,
                                           const char *options);
FADIFF_C_EXPORT void fadiffPlanFree(FadiffPlan *plan);

/** The objective of what was found, uJ * cycles, pJ or cycles, and what no
 *  schedule can get below; NaN where that was not computed. */
FADIFF_C_EXPORT double fadiffPlanValue(const FadiffPlan *plan);
FADIFF_C_EXPORT double fadiffPlanBound(const FadiffPlan *plan);
FADIFF_C_EXPORT double fadiffPlanEnergy(const FadiffPlan *plan); /**< pJ */
FADIFF_C_EXPORT double fadiffPlanCycles(const FadiffPlan *plan);
/** The summary of the search and what stays on the host, as JSON; the nests
 *  with their layers, mappings and predicted costs, as JSON; the scheduled
 *  module. They live as long as the plan. */
FADIFF_C_EXPORT const char *fadiffPlanSummary(const FadiffPlan *plan);
FADIFF_C_EXPORT const char *fadiffPlanNests(const FadiffPlan *plan);
FADIFF_C_EXPORT const char *fadiffPlanText(FadiffPlan *plan);

/** Runs the program on the simulated machine. `inputs` must be as many as the
 *  network's arguments, of their types. */
FADIFF_C_EXPORT FadiffResults *
fadiffRun(FadiffPlan *plan, const FadiffTensor *inputs, size_t numInputs);
/** Runs the network on the host, with nothing on an accelerator. */
FADIFF_C_EXPORT FadiffResults *fadiffRunReference(FadiffNetwork *network,
                                                  const FadiffTensor *inputs,
                                                  size_t numInputs);
FADIFF_C_EXPORT void fadiffResultsFree(FadiffResults *results);
FADIFF_C_EXPORT size_t fadiffNumResults(const FadiffResults *results);
/** Lives as long as the results. */
FADIFF_C_EXPORT FadiffTensor fadiffResult(const FadiffResults *results,
                                          size_t index);
/** Of the simulated machine; 0 of a run on the host. */
FADIFF_C_EXPORT int64_t fadiffResultsCycles(const FadiffResults *results);
FADIFF_C_EXPORT int64_t fadiffResultsDramRead(const FadiffResults *results);
FADIFF_C_EXPORT int64_t fadiffResultsDramWritten(const FadiffResults *results);

#ifdef __cplusplus
}
#endif

#endif /* FADIFF_C_FADIFF_H */
