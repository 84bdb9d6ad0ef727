// Models and latencies by name: recorded on the layer and on what was predicted
// with them, and refused if unknown.

// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini --fadiff-attach-cost=latency=streams --fadiff-search | FileCheck %s --check-prefix=GEMMINI
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="target=gemmini convention=timeloop model=paper" | FileCheck %s --check-prefix=PAPER
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="target=gemmini latency=streams" --fadiff-report-cost="format=json output=%t.nest.json" -o /dev/null
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini --fadiff-attach-cost=latency=streams --fadiff-search --fadiff-report-cost="format=json output=%t.layer.json" -o /dev/null
// RUN: diff %t.nest.json %t.layer.json

// The latency model's name of FADiff 0.1, in options, attributes and costs.
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini --fadiff-attach-cost=latency=gemmini --fadiff-search -o %t.new
// RUN: sed -e 's/latency = "streams"/latency = "gemmini"/' -e 's/machine streams/machine gemmini/' %t.new > %t.old
// RUN: not diff -q %t.new %t.old
// RUN: fadiff-opt %t.old --fadiff-report-cost="format=json output=%t.old.json" -o /dev/null
// RUN: fadiff-opt %t.new --fadiff-report-cost="format=json output=%t.new.json" -o /dev/null
// RUN: sed s/tmp.old/tmp.new/ %t.old.json | diff %t.new.json -

// GEMMINI: cost_model(#fadiff.cost_model<"machine", latency = "streams">)
// GEMMINI-SAME: by "machine streams">
// PAPER: by "timeloop paper">
module {}
