// RUN: fadiff-opt %s | fadiff-opt | FileCheck %s
// RUN: fadiff-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: fadiff-opt %s -mlir-print-op-generic | fadiff-opt | FileCheck %s

// CHECK-LABEL: func.func @addresses(
// CHECK-SAME: %[[ROW:.*]]: index, %[[FLAG:.*]]: i1) -> (!gemmini.addr<spad>, !gemmini.addr<acc>)
// GENERIC-LABEL: sym_name = "addresses"
func.func @addresses(%row: index, %flag: i1) -> (!gemmini.addr<spad>, !gemmini.addr<acc>) {
  // CHECK: %[[SPAD:.*]] = gemmini.spad_addr %[[ROW]] : !gemmini.addr<spad>
  // GENERIC: "gemmini.spad_addr"(%{{.*}}) : (index) -> !gemmini.addr<spad>
  %0 = gemmini.spad_addr %row : !gemmini.addr<spad>
  // CHECK: %[[ACC:.*]] = gemmini.acc_addr %[[ROW]] : !gemmini.addr<acc>
  // GENERIC: "gemmini.acc_addr"(%{{.*}}) : (index) -> !gemmini.addr<acc>
  %1 = gemmini.acc_addr %row : !gemmini.addr<acc>
  // CHECK: gemmini.acc_addr %[[ROW]] accumulate : !gemmini.addr<acc>
  // GENERIC: "gemmini.acc_addr"(%{{.*}}) <{accumulate}> : (index) -> !gemmini.addr<acc>
  %2 = gemmini.acc_addr %row accumulate : !gemmini.addr<acc>
  // CHECK: gemmini.acc_addr %[[ROW]] accumulate(%[[FLAG]]) : !gemmini.addr<acc>
  // GENERIC: "gemmini.acc_addr"(%{{.*}}, %{{.*}}) : (index, i1) -> !gemmini.addr<acc>
  %3 = gemmini.acc_addr %row accumulate(%flag) : !gemmini.addr<acc>
  // CHECK: gemmini.acc_addr %[[ROW]] full_width : !gemmini.addr<acc>
  // GENERIC: "gemmini.acc_addr"(%{{.*}}) <{full_width}> : (index) -> !gemmini.addr<acc>
  %4 = gemmini.acc_addr %row full_width : !gemmini.addr<acc>
  // CHECK: gemmini.acc_addr %[[ROW]] accumulate(%[[FLAG]]) full_width : !gemmini.addr<acc>
  %5 = gemmini.acc_addr %row accumulate(%flag) full_width : !gemmini.addr<acc>
  // CHECK: gemmini.garbage : !gemmini.addr<spad>
  // GENERIC: "gemmini.garbage"() : () -> !gemmini.addr<spad>
  %6 = gemmini.garbage : !gemmini.addr<spad>
  // CHECK: return %[[SPAD]], %[[ACC]]
  return %0, %1 : !gemmini.addr<spad>, !gemmini.addr<acc>
}

// What has its default value is not printed.
// CHECK-LABEL: func.func @config(
// GENERIC-LABEL: sym_name = "config"
func.func @config() {
  // CHECK: gemmini.config_ex ws{{$}}
  // GENERIC: "gemmini.config_ex"() <{a_stride = 1 : i64, activation = #gemmini<activation none>, c_stride = 1 : i64, dataflow = #gemmini<dataflow ws>, scale = 1.000000e+00 : f32, shift = 0 : i64}> : () -> ()
  gemmini.config_ex ws
  // CHECK-NEXT: gemmini.config_ex ws transpose_b scale = 5.000000e-01{{$}}
  gemmini.config_ex ws transpose_b scale = 5.000000e-01
  // CHECK-NEXT: gemmini.config_ex os activation = relu transpose_a transpose_b a_stride = 2 c_stride = 3 shift = 4{{$}}
  gemmini.config_ex os activation = relu transpose_a transpose_b a_stride = 2 c_stride = 3 scale = 1.0 shift = 4
  // CHECK-NEXT: gemmini.config_ld id = 0 stride = 64 block_stride = 16{{$}}
  // GENERIC: "gemmini.config_ld"() <{block_stride = 16 : i64, id = 0 : i64, pixel_repeats = 1 : i64, scale = 1.000000e+00 : f32, stride = 64 : i64}> : () -> ()
  gemmini.config_ld id = 0 stride = 64 block_stride = 16 pixel_repeats = 1
  // CHECK-NEXT: gemmini.config_ld id = 2 stride = 0 block_stride = 32 scale = 2.500000e-01 shrink pixel_repeats = 3{{$}}
  gemmini.config_ld id = 2 stride = 0 block_stride = 32 scale = 0.25 shrink pixel_repeats = 3
  // CHECK-NEXT: gemmini.config_st stride = 64{{$}}
  // GENERIC: "gemmini.config_st"() <{activation = #gemmini<activation none>, scale = 1.000000e+00 : f32, stride = 64 : i64}> : () -> ()
  gemmini.config_st stride = 64
  // CHECK-NEXT: gemmini.config_st stride = 64 activation = relu scale = 3.125000e-02{{$}}
  gemmini.config_st stride = 64 activation = relu scale = 0.03125
  // CHECK-NEXT: gemmini.config_st stride = 28 pool = <size = 2, stride = 2, rows = 4, cols = 4, out_rows = 2, out_cols = 2, out_dim = 28>{{$}}
  gemmini.config_st stride = 28 pool = <size = 2, stride = 2, rows = 4, cols = 4, out_rows = 2, out_cols = 2, out_dim = 28>
  // CHECK-NEXT: gemmini.config_st stride = 28 pool = <size = 3, stride = 2, pad_top = 1, pad_left = 1, rows = 8, cols = 16, out_rows = 4, out_cols = 8, out_dim = 56>{{$}}
  // GENERIC: #gemmini.pool<size = 3, stride = 2, pad_top = 1, pad_left = 1, rows = 8, cols = 16, out_rows = 4, out_cols = 8, out_dim = 56>
  gemmini.config_st stride = 28 pool = <size = 3, stride = 2, pad_top = 1, pad_left = 1, rows = 8, cols = 16, out_rows = 4, out_cols = 8, out_dim = 56>
  return
}

// CHECK-LABEL: func.func @moves(
// CHECK-SAME: %[[DRAM:.*]]: i64, %[[S:.*]]: !gemmini.addr<spad>, %[[A:.*]]: !gemmini.addr<acc>, %[[R:.*]]: index, %[[C:.*]]: index)
// GENERIC-LABEL: sym_name = "moves"
func.func @moves(%dram: i64, %s: !gemmini.addr<spad>, %a: !gemmini.addr<acc>, %r: index, %c: index) {
  // CHECK-NEXT: gemmini.mvin %[[DRAM]] to %[[S]] rows %[[R]] cols %[[C]] : !gemmini.addr<spad>
  // GENERIC: "gemmini.mvin"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (i64, !gemmini.addr<spad>, index, index) -> ()
  gemmini.mvin %dram to %s rows %r cols %c : !gemmini.addr<spad>
  // CHECK-NEXT: gemmini.mvin2 %[[DRAM]] to %[[A]] rows %[[R]] cols %[[C]] : !gemmini.addr<acc>
  // GENERIC: "gemmini.mvin2"(%{{.*}}) : (i64, !gemmini.addr<acc>, index, index) -> ()
  gemmini.mvin2 %dram to %a rows %r cols %c : !gemmini.addr<acc>
  // CHECK-NEXT: gemmini.mvin3 zero to %[[A]] rows %[[R]] cols %[[C]] : !gemmini.addr<acc>
  // GENERIC: "gemmini.mvin3"(%{{.*}}, %{{.*}}, %{{.*}}) : (!gemmini.addr<acc>, index, index) -> ()
  gemmini.mvin3 zero to %a rows %r cols %c : !gemmini.addr<acc>
  // CHECK-NEXT: gemmini.mvin zero to %[[S]] rows %[[R]] cols %[[C]] : !gemmini.addr<spad>
  gemmini.mvin zero to %s rows %r cols %c : !gemmini.addr<spad>
  // CHECK-NEXT: gemmini.mvout %[[A]] to %[[DRAM]] rows %[[R]] cols %[[C]] : !gemmini.addr<acc>
  // GENERIC: "gemmini.mvout"(%{{.*}}) : (!gemmini.addr<acc>, i64, index, index) -> ()
  gemmini.mvout %a to %dram rows %r cols %c : !gemmini.addr<acc>
  // CHECK-NEXT: gemmini.mvout %[[S]] to %[[DRAM]] rows %[[R]] cols %[[C]] : !gemmini.addr<spad>
  gemmini.mvout %s to %dram rows %r cols %c : !gemmini.addr<spad>
  // CHECK-NEXT: gemmini.mvout_spad %[[A]] to %[[S]] rows %[[R]] cols %[[C]]{{$}}
  // GENERIC: "gemmini.mvout_spad"(%{{.*}}) <{dst_stride = 1 : i64}> : (!gemmini.addr<acc>, !gemmini.addr<spad>, index, index) -> ()
  gemmini.mvout_spad %a to %s rows %r cols %c
  // CHECK-NEXT: gemmini.mvout_spad %[[A]] to %[[S]] dst_stride = 2 rows %[[R]] cols %[[C]]{{$}}
  gemmini.mvout_spad %a to %s dst_stride = 2 rows %r cols %c
  return
}

// CHECK-LABEL: func.func @compute(
// CHECK-SAME: %[[A:.*]]: !gemmini.addr<spad>, %[[B:.*]]: !gemmini.addr<spad>, %[[C:.*]]: !gemmini.addr<acc>, %[[M:.*]]: index, %[[N:.*]]: index, %[[K:.*]]: index)
// GENERIC-LABEL: sym_name = "compute"
func.func @compute(%a: !gemmini.addr<spad>, %b: !gemmini.addr<spad>, %c: !gemmini.addr<acc>, %m: index, %n: index, %k: index) {
  // CHECK: %[[NONE:.*]] = gemmini.garbage
  %none = gemmini.garbage : !gemmini.addr<spad>
  // CHECK-NEXT: gemmini.preload %[[B]] rows %[[K]] cols %[[N]] to %[[C]] rows %[[M]] cols %[[N]] : !gemmini.addr<spad>, !gemmini.addr<acc>
  // GENERIC: "gemmini.preload"(%{{.*}}) : (!gemmini.addr<spad>, index, index, !gemmini.addr<acc>, index, index) -> ()
  gemmini.preload %b rows %k cols %n to %c rows %m cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  // CHECK-NEXT: gemmini.compute_preloaded %[[A]] rows %[[M]] cols %[[K]], %[[NONE]] rows %[[M]] cols %[[N]] : !gemmini.addr<spad>, !gemmini.addr<spad>
  // GENERIC: "gemmini.compute_preloaded"(%{{.*}}) : (!gemmini.addr<spad>, index, index, !gemmini.addr<spad>, index, index) -> ()
  gemmini.compute_preloaded %a rows %m cols %k, %none rows %m cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  // CHECK-NEXT: gemmini.preload %[[NONE]] rows %[[K]] cols %[[N]] to %[[C]] rows %[[M]] cols %[[N]] : !gemmini.addr<spad>, !gemmini.addr<acc>
  gemmini.preload %none rows %k cols %n to %c rows %m cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  // CHECK-NEXT: gemmini.compute_accumulated %[[A]] rows %[[M]] cols %[[K]], %[[C]] rows %[[M]] cols %[[N]] : !gemmini.addr<spad>, !gemmini.addr<acc>
  // GENERIC: "gemmini.compute_accumulated"(%{{.*}}) : (!gemmini.addr<spad>, index, index, !gemmini.addr<acc>, index, index) -> ()
  gemmini.compute_accumulated %a rows %m cols %k, %c rows %m cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  return
}

// CHECK-LABEL: func.func @order(
// GENERIC-LABEL: sym_name = "order"
func.func @order() {
  // CHECK-NEXT: gemmini.flush{{$}}
  // GENERIC: "gemmini.flush"() : () -> ()
  gemmini.flush
  // CHECK-NEXT: gemmini.flush skip{{$}}
  // GENERIC: "gemmini.flush"() <{skip}> : () -> ()
  gemmini.flush skip
  // CHECK-NEXT: gemmini.fence{{$}}
  // GENERIC: "gemmini.fence"() : () -> ()
  gemmini.fence
  // CHECK-NEXT: gemmini.region 3 "conv1"{{$}}
  // GENERIC: "gemmini.region"() <{id = 3 : i64, name = "conv1"}> : () -> ()
  gemmini.region 3 "conv1"
  // CHECK-NEXT: gemmini.region 0{{$}}
  gemmini.region 0
  return
}

// CHECK-LABEL: func.func @loop_ws(
// CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64, %[[D:.*]]: i64, %[[C:.*]]: i64, %[[N:.*]]: index, %[[P:.*]]: index, %[[H:.*]]: index, %[[ADD:.*]]: i1)
// GENERIC-LABEL: sym_name = "loop_ws"
func.func @loop_ws(%a: i64, %b: i64, %d: i64, %c: i64, %n: index, %pad: index, %half: index, %add: i1) {
  // CHECK-NEXT: gemmini.loop_ws blocks[%[[N]], %[[N]], %[[N]]] pads[%[[P]], %[[P]], %[[P]]] a(%[[A]] stride = 64 half %[[H]]) b(%[[B]] stride = 32 half %[[H]]) d(%[[D]] stride = 0) c(%[[C]] stride = 128) accumulate(%[[ADD]]){{$}}
  // GENERIC: "gemmini.loop_ws"(%{{.*}}) <{a_stride = 64 : i64, b_stride = 32 : i64, c_stride = 128 : i64, d_stride = 0 : i64}> : (index, index, index, index, index, index, i64, index, i64, index, i64, i64, i1) -> ()
  gemmini.loop_ws blocks [%n, %n, %n] pads [%pad, %pad, %pad] a(%a stride = 64 half %half) b(%b stride = 32 half %half) d(%d stride = 0) c(%c stride = 128) accumulate(%add)
  // CHECK-NEXT: gemmini.loop_ws {{.*}} accumulate(%[[ADD]]) full_c low_d{{$}}
  gemmini.loop_ws blocks [%n, %n, %n] pads [%pad, %pad, %pad] a(%a stride = 64 half %half) b(%b stride = 32 half %half) d(%d stride = 0) c(%c stride = 128) accumulate(%add) full_c low_d
  return
}
