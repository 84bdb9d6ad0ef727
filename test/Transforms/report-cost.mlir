// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="target=gemmini-large latency=roofline" --fadiff-report-cost=slopes=true -o /dev/null 2>&1 | FileCheck %s
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-schedule="target=gemmini-large latency=roofline" --fadiff-report-cost="format=json output=%t.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// The same from mapped layers and from the loop nests made of them.
// RUN: fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-attach-cost=latency=roofline --fadiff-search --fadiff-report-cost="format=json output=%t.layers.json" -o /dev/null
// RUN: diff %t.json %t.layers.json
// RUN: not fadiff-opt %s --fadiff-report-cost=format=xml 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not fadiff-opt %fadiff_src_root/test/Inputs/gemm.mlir --fadiff-form-layers --fadiff-report-cost 2>&1 | FileCheck %s --check-prefix=UNMAPPED

// CHECK: uJ, {{[0-9]+}} cycles, bound by {{array|accumulator|scratchpad|dram|registers}}, array used {{[0-9.]+}} %, DRAM {{[0-9]+}} B read, {{[0-9]+}} B written
// CHECK-NEXT: {{^}}  array {{.*}} uJ {{.*}} cycles
// CHECK-NEXT: registers {{.*}} uJ W {{.*}} cycles
// CHECK-NEXT: accumulator {{.*}} uJ {{.*}}O {{.*}} cycles
// CHECK-NEXT: scratchpad {{.*}} uJ W {{.*}}I {{.*}} cycles
// CHECK-NEXT: dram {{.*}} uJ W {{.*}}I {{.*}}O {{.*}} cycles
// CHECK-NEXT: d log EDP / d log factor:{{.*}} array.cols -{{[0-9.]+}}
// CHECK: total: {{.*}} uJ, {{.*}} cycles, EDP {{.*}} uJ*cycles

// JSON: "edp_uj_cycles"
// JSON: "bound_by"

// FORMAT: for the --format option: wanted text or json, found 'xml'
// UNMAPPED: layer "fc" has no mapping to report on; run fadiff-search or write one
module {}
