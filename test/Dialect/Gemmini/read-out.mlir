// Commands of read-outs that can do more than Gemmini's: spelling, encoding for
// the simulator, and that no code for RISC-V has them.

// RUN: fadiff-opt %s | fadiff-opt --fadiff-attach-target=target=gemmini-npu | FileCheck %s
// RUN: fadiff-opt %s --convert-gemmini-to-llvm=target=simulator | FileCheck %s --check-prefix=SIM
// RUN: not fadiff-opt %s --convert-gemmini-to-llvm=target=rocc 2>&1 | FileCheck %s --check-prefix=ROCC

// CHECK-LABEL: func.func @commands(
// SIM-LABEL: func.func @commands(
func.func @commands(%dram: i64, %first: index) {
  gemmini.config_st stride = 64
  // ROCC: [[@LINE+2]]:3: error: 'gemmini.config_readout' op is an instruction that no Gemmini has, for a read-out that only the simulator knows; choose a target without 'readout'
  // CHECK: gemmini.config_readout zero_point = -3 high = 90
  gemmini.config_readout zero_point = -3 low = -128 high = 90
  // zero_point 0xfd | low 0x80 << 8 | high 90 << 16
  // SIM-DAG: %[[BOUNDS:.*]] = arith.constant 5931261 : i64
  // SIM-DAG: %[[CONFIG:.*]] = arith.constant 96 : i32
  // SIM: llvm.call @fadiff_gemmini_execute(%[[CONFIG]], %[[BOUNDS]], %{{.*}})

  // CHECK: gemmini.mvin_scales %{{.*}} to 5 count 64
  gemmini.mvin_scales %dram to 5 count 64
  // 5 | 64 << 32
  // SIM-DAG: %[[RANGE:.*]] = arith.constant 274877906949 : i64
  // SIM-DAG: %[[LOAD:.*]] = arith.constant 97 : i32
  // SIM: llvm.call @fadiff_gemmini_execute(%[[LOAD]], %{{.*}}, %[[RANGE]])

  // CHECK: gemmini.config_readout scales_from %{{.*}} zero_point = 5
  gemmini.config_readout scales_from %first zero_point = 5
  // zero_point 5 | low 0x80 << 8 | high 127 << 16 | per_channel 1 << 24
  // SIM-DAG: %[[FIRST:.*]] = arith.index_castui %{{.*}} : index to i64
  // SIM-DAG: %[[CHANNELS:.*]] = arith.constant 25133061 : i64
  // SIM: llvm.call @fadiff_gemmini_execute(%{{.*}}, %[[CHANNELS]], %[[FIRST]])
  return
}
