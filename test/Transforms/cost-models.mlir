// Models and latencies by name: recorded on the layer and on what was predicted
// with them, and refused if unknown.

// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini --fadiff-attach-cost=latency=gemmini --fadiff-search | FileCheck %s --check-prefix=GEMMINI
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="target=gemmini convention=timeloop model=paper" | FileCheck %s --check-prefix=PAPER
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="target=gemmini latency=gemmini" --fadiff-report-cost="format=json output=%t.nest.json" -o /dev/null
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini --fadiff-attach-cost=latency=gemmini --fadiff-search --fadiff-report-cost="format=json output=%t.layer.json" -o /dev/null
// RUN: diff %t.nest.json %t.layer.json
// RUN: not fadiff-opt %s --fadiff-attach-cost=model=guess 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: not fadiff-opt %s --fadiff-attach-cost=latency=guess 2>&1 | FileCheck %s --check-prefix=LATENCY

// GEMMINI: cost_model(#fadiff.cost_model<"machine", latency = "gemmini">)
// GEMMINI-SAME: by "machine gemmini">
// PAPER: by "timeloop paper">
// MODEL: fadiff-attach-cost: model must be exact or paper; found 'guess'
// LATENCY: fadiff-attach-cost: latency must be roofline or gemmini; found 'guess'
module {}
