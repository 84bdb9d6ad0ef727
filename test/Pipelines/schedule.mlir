// The named pipeline fadiff-schedule, with the files of Inputs.

// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=target=gemmini-small | FileCheck %s
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="target=gemmini-small objective=latency seed=3 starts=1 steps=4 fuse=off time-limit=5s convention=machine" | FileCheck %s
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=target=tiny | FileCheck %s --check-prefix=TINY
// CHECK:     fadiff.target = #fadiff.target<"gemmini-small"
// TINY:      fadiff.target = #fadiff.target<"tiny"
// CHECK-NOT: linalg.
// CHECK-NOT: fadiff.layer
// CHECK:     fadiff.loop_nest
// CHECK-SAME:  cost(<energy = {{[1-9]}}
// CHECK:       fadiff.stage "fc" {{.*}} mapping(<
// CHECK:         fadiff.compute
// TINY:      fadiff.stage "fc" {{.*}} array[4, 4]

// It is nothing but its passes one after the other.
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=target=gemmini-small -o %t.whole
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-import --fadiff-normalize --fadiff-form-layers --fadiff-attach-target=target=gemmini-small --fadiff-attach-cost --fadiff-search --fadiff-verify-schedule --fadiff-materialize --fadiff-verify-schedule -o %t.parts
// RUN: diff %t.whole %t.parts

// Residual additions are layers, or stay on the host.
// RUN: fadiff-opt %fadiff_src_root/examples/tiny.mlir --fadiff-schedule="target=gemmini-small starts=1 steps=4" | FileCheck %s --check-prefix=ADDED
// ADDED: fadiff.stage "conv2.add"
// RUN: fadiff-opt %fadiff_src_root/examples/tiny.mlir --fadiff-schedule="target=gemmini-small starts=1 steps=4 residual=false" | FileCheck %s --check-prefix=ON-HOST
// ON-HOST-NOT: fadiff.stage "conv2.add"

// Less than the whole space of mappings: 20 x 24 x 18 on 16 rows and columns, and
// a depthwise layer of ten channels.
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="target=gemmini-small uneven-tiles=off" | FileCheck %s --check-prefix=EVEN
// EVEN: fadiff.stage "fc" {{.*}} array[12, 9]
// RUN: fadiff-opt %fadiff_src_root/examples/tiny.mlir --fadiff-schedule="target=gemmini-small starts=1 steps=4" | FileCheck %s --check-prefix=BLOCKS
// RUN: fadiff-opt %fadiff_src_root/examples/tiny.mlir --fadiff-schedule="target=gemmini-small starts=1 steps=4 block-diagonal=off" | FileCheck %s --check-prefix=SERIAL
// BLOCKS: fadiff.stage "dw1" {{.*}} array[10, 10]
// SERIAL: fadiff.stage "dw1" {{.*}} array[1, 1]

// The rest of the way: bufferized, as instructions, to calls of the simulator.
// RUN: fadiff-opt %t.whole --fadiff-bufferize | FileCheck %s --check-prefix=BUFFERS
// BUFFERS:     fadiff.loop_nest ins({{.*}} : memref<20x24xi8>, memref<24x18xi8>, memref<18xi32>) outs({{.*}} : memref<20x18xi8>)
// RUN: fadiff-opt %t.whole --fadiff-bufferize --fadiff-lower-to-gemmini | FileCheck %s --check-prefix=INSTRUCTIONS
// INSTRUCTIONS-NOT: fadiff.loop_nest
// INSTRUCTIONS:     gemmini.flush
// INSTRUCTIONS:     gemmini.region 0 "fc"
// INSTRUCTIONS:     gemmini.mvin
// INSTRUCTIONS:     gemmini.preload
// INSTRUCTIONS:     gemmini.mvout
// INSTRUCTIONS:     gemmini.fence
// RUN: fadiff-opt %t.whole --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse --convert-gemmini-to-llvm --fadiff-lower-host | FileCheck %s --check-prefix=LLVM
// LLVM-NOT:  gemmini.
// LLVM-NOT:  memref.
// LLVM:      llvm.func @main(
// LLVM:      llvm.call @fadiff_gemmini_execute(

// An error leaves no output, names its place and exits with 1.
// RUN: rm -f %t.out
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=target=tpu -o %t.out 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: gemm.mlir:4:1: error: unknown target 'tpu': wanted one of gemmini, gemmini-fp32, gemmini-large, gemmini-npu, gemmini-small, tiny, or the path of a .yaml file that describes a machine
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=target=%fadiff_src_root/test/Inputs/malformed-machine.yaml -o %t.out 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: malformed-machine.yaml:4:{{[0-9]+}}: error: array.side: wanted a power of two, found 12
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=objective=speed -o %t.out 2>&1 | FileCheck %s --check-prefix=OBJECTIVE
// OBJECTIVE: {{^.*}}fadiff-opt{{.*}}: for the --objective option: wanted edp, energy or latency, found 'speed'
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=convention=maestro -o %t.out 2>&1 | FileCheck %s --check-prefix=CONVENTION
// CONVENTION: for the --convention option: wanted timeloop or machine, found 'maestro'
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=uneven-tiles=true -o %t.out 2>&1 | FileCheck %s --check-prefix=UNEVEN
// UNEVEN: for the --uneven-tiles option: wanted off or on, found 'true'
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=block-diagonal=no -o %t.out 2>&1 | FileCheck %s --check-prefix=DIAGONAL
// DIAGONAL: for the --block-diagonal option: wanted off or on, found 'no'
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-attach-target --fadiff-search=uneven-tiles=no -o %t.out 2>&1 | FileCheck %s --check-prefix=SEARCHED
// SEARCHED: for the --uneven-tiles option: wanted off or on, found 'no'
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=time-limit=soon -o %t.out 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: gemm.mlir:4:1: error: fadiff-search: time limit must be a number with unit s or ms, such as 2s; found 'soon'
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=starts=many -o %t.out 2>&1 | FileCheck %s --check-prefix=STARTS
// STARTS: 'many' value invalid for uint argument
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=starts=4294967295 -o %t.out 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: gemm.mlir:{{.*}} error: starts: wanted at most 1000000, found 4294967295
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=steps=4294967295 -o %t.out 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: gemm.mlir:{{.*}} error: steps: wanted at most 1000000, found 4294967295
// A limit keeps any number of starts within it.
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="starts=1000000 time-limit=50ms" -o /dev/null
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule=colour=red -o %t.out 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no such option colour
// RUN: not fadiff-opt %s --fadiff-schedule -o %t.out 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: schedule.mlir:{{.*}} error: nothing to schedule
// RUN: not ls %t.out
// RUN: fadiff-opt %s --fadiff-schedule=allow-empty -o %t.out
// RUN: ls %t.out

// A mapping by hand that does not fit names layer, memory, wanted and found.
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/oversized-mapping.mlir --fadiff-schedule=target=tiny -o %t.never 2>&1 | FileCheck %s --check-prefix=FIT
// FIT: oversized-mapping.mlir:4:10: error: layer 'wide': rule 'scratchpad-capacity' at scratchpad: wanted at most 64 rows, found 272 (input 256, weights 16); make the tile smaller
// RUN: not ls %t.never
// On a larger machine it does.
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/oversized-mapping.mlir --fadiff-schedule=target=gemmini-small | FileCheck %s --check-prefix=FITS
// FITS: fadiff.stage "wide"
