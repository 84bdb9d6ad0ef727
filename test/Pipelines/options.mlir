// A misspelt option or value is told in a line or two that say what there is, with
// no module behind: this one has a name that would show.

// RUN: not fadiff-opt %s --fadiff-search=optimizer=annealing 2>&1 | FileCheck %s --check-prefixes=BRIEF,OPTIMIZER
// OPTIMIZER: for the --optimizer option: wanted fadiff, gradient, dosa, ga, bo, hillclimb, random, heuristic or exact, found 'annealing'
// RUN: not fadiff-opt %s --fadiff-schedule=fuse=some 2>&1 | FileCheck %s --check-prefixes=BRIEF,FUSE
// FUSE: for the --fuse option: wanted off, chains or on, found 'some'
// RUN: not fadiff-opt %s --fadiff-schedule=halves=wide 2>&1 | FileCheck %s --check-prefixes=BRIEF,HALVES
// HALVES: for the --halves option: wanted factors, widen or host, found 'wide'
// RUN: not fadiff-opt %s --pass-pipeline='builtin.module(fadiff-attach-cost{convention=paper})' 2>&1 | FileCheck %s --check-prefixes=BRIEF,CONVENTION
// CONVENTION: for the --convention option: wanted timeloop or machine, found 'paper'
// RUN: not fadiff-opt %s --fadiff-attach-cost=model=guess 2>&1 | FileCheck %s --check-prefixes=BRIEF,MODEL
// MODEL: for the --model option: wanted exact or paper, found 'guess'
// RUN: not fadiff-opt %s --fadiff-attach-cost=latency=guess 2>&1 | FileCheck %s --check-prefixes=BRIEF,LATENCY
// LATENCY: for the --latency option: wanted auto, roofline, issue or streams, found 'guess'
// RUN: not fadiff-run %s --optimizer=annealing 2>&1 | FileCheck %s --check-prefixes=BRIEF,OPTIMIZER
// RUN: not fadiff-run %s --latency=guess 2>&1 | FileCheck %s --check-prefixes=BRIEF,LATENCY

// Values that only the pass can judge.
// RUN: not fadiff-opt %s --fadiff-attach-target=target=tpu 2>&1 | FileCheck %s --check-prefixes=BRIEF,TARGET
// TARGET: unknown target 'tpu': wanted one of gemmini,
// RUN: not fadiff-opt %s --fadiff-search=time-limit=soon 2>&1 | FileCheck %s --check-prefixes=BRIEF,LIMIT
// LIMIT: time limit must be a number with unit s or ms, such as 2s; found 'soon'
// RUN: not fadiff-opt %s --fadiff-static-shapes=shapes=abc 2>&1 | FileCheck %s --check-prefixes=BRIEF,SHAPES
// SHAPES: shapes: argument #0 of '@main' is 'tensor<4xi8>'; wanted extents from 0 or '?', found 'abc'
// RUN: not fadiff-opt %s --fadiff-apply-schedule=file=%t.none 2>&1 | FileCheck %s --check-prefixes=BRIEF,FILE
// FILE: fadiff-apply-schedule:
// BRIEF-NOT: gone_on

func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %gone_on = arith.addi %x, %x {gone_on} : tensor<4xi8>
  return %gone_on : tensor<4xi8>
}
