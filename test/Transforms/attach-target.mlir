// RUN: rm -rf %t && split-file %s %t
// RUN: fadiff-opt %t/none.mlir --fadiff-attach-target | FileCheck %s --check-prefix=DEFAULT
// RUN: fadiff-opt %t/none.mlir --fadiff-attach-target=target=gemmini-small | FileCheck %s --check-prefix=SMALL
// RUN: fadiff-opt %t/none.mlir --fadiff-attach-target=target=gemmini | FileCheck %s --check-prefix=GEMMINI
// RUN: fadiff-opt %t/none.mlir --fadiff-attach-target=target=%fadiff_src_root/hardware/tiny.yaml | FileCheck %s --check-prefix=FILE
// DEFAULT: module attributes {fadiff.target = #fadiff.target<"gemmini-large", {{.*}} side = 32 : i64
// SMALL:   module attributes {fadiff.target = #fadiff.target<"gemmini-small", {{.*}} side = 16 : i64
// GEMMINI: module attributes {fadiff.target = #fadiff.target<"gemmini", {{.*}} side = 16 : i64
// FILE:    module attributes {fadiff.target = #fadiff.target<"tiny", {accumulator_banks = 2 : i64, accumulator_bytes = 256 : i64, {{.*}} hand_over = "mvout_spad", {{.*}} side = 4 : i64

A machine by its name is the record of that name; what stands behind it differs. Either is printed with all fields, and read back the same.
// RUN: fadiff-opt %t/named.mlir > %t/named.full
// RUN: fadiff-opt %t/none.mlir --fadiff-attach-target=target=gemmini | diff - %t/named.full
// RUN: fadiff-opt %t/named.full | diff - %t/named.full
// RUN: fadiff-opt %t/override.mlir > %t/override.full
// RUN: not diff %t/named.full %t/override.full > %t/difference
// RUN: sed -e 's/hand_over = "none"/hand_over = "accumulator_operand"/' -e 's/dma_latency = 7 /dma_latency = 100 /' %t/override.full | diff - %t/named.full
// RUN: fadiff-opt %t/override.full | diff - %t/override.full

A target that is there stays unless another is asked for.
// RUN: fadiff-opt %t/none.mlir --fadiff-attach-target=target=gemmini-small --fadiff-attach-target | FileCheck %s --check-prefix=SMALL
// RUN: fadiff-opt %t/none.mlir --fadiff-attach-target=target=gemmini --fadiff-attach-target=target=gemmini-small | FileCheck %s --check-prefix=SMALL

// RUN: not fadiff-opt %t/other.mlir --fadiff-attach-target 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: other.mlir:1:1: error: attribute 'fadiff.target' must be a #fadiff.target; found "gemmini"
// RUN: fadiff-opt %t/other.mlir --fadiff-attach-target=target=gemmini-small | FileCheck %s --check-prefix=SMALL

// RUN: not fadiff-opt %t/none.mlir --fadiff-attach-target=target=tpu 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: none.mlir:1:1: error: unknown target 'tpu': wanted one of gemmini, gemmini-fp32, gemmini-large, gemmini-npu, gemmini-small, tiny, or the path of a .yaml file
// RUN: not fadiff-opt %t/none.mlir --fadiff-attach-target=target=%t/no-such.yaml 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}no-such.yaml
// RUN: not fadiff-opt %t/none.mlir --fadiff-attach-target=target=%t/malformed.yaml 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: malformed.yaml:3:{{[0-9]+}}: error: array.side: wanted {value: .., unit: .., source: ".."}

//--- none.mlir
module {}
//--- named.mlir
module attributes {fadiff.target = #fadiff.target<"gemmini">} {}
//--- override.mlir
module attributes {fadiff.target = #fadiff.target<"gemmini", dma_latency = 7, hand_over = "none">} {}
//--- other.mlir
module attributes {fadiff.target = "gemmini"} {}
//--- malformed.yaml
name: broken
array:
  side: 4
