// Which layers the matmul loop runs.

// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-small optimizer=heuristic fuse=off loop-ws=on" --remarks-filter=fadiff --remark-format=emitRemark -o %t.on 2> %t.remarks
// RUN: FileCheck %s --check-prefix=ON --input-file=%t.on
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// ON-DAG: fadiff.stage "fits" {{.*}} loop_ws {
// ON-DAG: fadiff.stage "thin" {{.*}}"machine streams">) {
// REMARK-DAG: ByLoop{{.*}}layer 'fits' is run by loop_ws: {{[0-9]+}} cycles predicted, {{[0-9]+}} without
// REMARK-DAG: NotByLoop{{.*}}layer 'thin' is not run by loop_ws: a tile of 24 input channels is not whole blocks of 16

// Where it is faster: behind a core that takes 20 cycles for a command, but not
// behind one that takes 5, where the simulator has 3,142 cycles by loop_ws and
// 3,116 by streams, whose tiles of weights take turns.
// RUN: fadiff-opt %s --fadiff-attach-target=target=gemmini-small -mlir-print-debuginfo -o %t.target
// RUN: sed 's/command_cycles = 5/command_cycles = 20/' %t.target | fadiff-opt --fadiff-schedule="optimizer=heuristic fuse=off" | FileCheck %s --check-prefix=AUTO
// AUTO:     fadiff.stage "fits" {{.*}} loop_ws {
// RUN: fadiff-opt %t.target --fadiff-schedule="optimizer=heuristic fuse=off" | FileCheck %s --check-prefix=OFF

// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-small optimizer=heuristic fuse=off loop-ws=off" 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: loop_ws

// The search decides; what turns layers into nests reads that, and so does a
// schedule file.
// RUN: fadiff-opt %s --fadiff-form-layers --fadiff-attach-target=target=gemmini-small --fadiff-search="optimizer=heuristic fuse=off loop-ws=on" -o %t.mapped
// RUN: FileCheck %s --check-prefix=LAYER --input-file=%t.mapped
// LAYER-DAG: fadiff.layer "fits" {{.*}} loop_ws {
// LAYER-DAG: fadiff.layer "thin" {{.*}}"machine">) {
// RUN: sed 's/ loop_ws {/ {/' %t.mapped | fadiff-opt --fadiff-materialize | FileCheck %s --check-prefix=OFF
// RUN: fadiff-translate --fadiff-schedule-to-json %t.mapped -o %t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// JSON-COUNT-1: "by_loop": true
// JSON-NOT: "by_loop"
// RUN: fadiff-opt %s --fadiff-form-layers --fadiff-attach-target=target=gemmini-small --fadiff-apply-schedule=file=%t.json | diff %t.mapped -

// A mark that the mapping does not allow is refused.
// RUN: sed 's/\("thin".*"machine">)\) {/\1 loop_ws {/' %t.mapped | not fadiff-opt --fadiff-verify-schedule 2>&1 | FileCheck %s --check-prefix=MARK
// MARK: error: layer 'thin': rule 'group-loop' at dram: wanted a layer that the machine's loop unit can run, found a tile of 24 input channels is not whole blocks of 16; let it run by its own program

// RUN: not fadiff-opt %s --fadiff-schedule="target=gemmini-small optimizer=heuristic loop-ws=maybe" 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: for the --loop-ws option: wanted auto, on or off, found 'maybe'

func.func @fits(%a: tensor<48x64xi8>, %b: tensor<64x96xi8>) -> tensor<48x96xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<48x96xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<48x96xi32>) -> tensor<48x96xi32>
  %sums = linalg.matmul ins(%a, %b : tensor<48x64xi8>, tensor<64x96xi8>) outs(%init : tensor<48x96xi32>) -> tensor<48x96xi32> loc("fits")
  return %sums : tensor<48x96xi32>
}

func.func @thin(%a: tensor<48x24xi8>, %b: tensor<24x96xi8>) -> tensor<48x96xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<48x96xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<48x96xi32>) -> tensor<48x96xi32>
  %sums = linalg.matmul ins(%a, %b : tensor<48x24xi8>, tensor<24x96xi8>) outs(%init : tensor<48x96xi32>) -> tensor<48x96xi32> loc("thin")
  return %sums : tensor<48x96xi32>
}
