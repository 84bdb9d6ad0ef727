// RUN: fadiff-opt %s -convert-gemmini-to-llvm -split-input-file -verify-diagnostics

// Rules between instructions, judged where straight-line code shows them.

func.func @compute_twice(%a: !gemmini.addr<spad>, %c: !gemmini.addr<acc>, %n: index) {
  gemmini.preload %a rows %n cols %n to %c rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  // expected-note @+1 {{used the last preload}}
  gemmini.compute_preloaded %a rows %n cols %n, %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  // expected-error @+1 {{'gemmini.compute_accumulated' op wants its own preload, found none since the compute before}}
  gemmini.compute_accumulated %a rows %n cols %n, %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

func.func @preload_twice(%a: !gemmini.addr<spad>, %c: !gemmini.addr<acc>, %n: index) {
  // expected-note @+1 {{not used by a compute}}
  gemmini.preload %a rows %n cols %n to %c rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  // expected-error @+1 {{'gemmini.preload' op wants one compute per preload, found none since the preload before}}
  gemmini.preload %a rows %n cols %n to %c rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  gemmini.compute_preloaded %a rows %n cols %n, %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

// Weight-stationary: preload B (4x5) and C (3x5), A is 3x4.
func.func @shapes_ws(%a: !gemmini.addr<spad>, %b: !gemmini.addr<spad>, %c: !gemmini.addr<acc>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  gemmini.config_ex ws
  gemmini.preload %b rows %c4 cols %c5 to %c rows %c3 cols %c5 : !gemmini.addr<spad>, !gemmini.addr<acc>
  gemmini.compute_preloaded %a rows %c3 cols %c4, %none rows %c3 cols %c5 : !gemmini.addr<spad>, !gemmini.addr<spad>
  // expected-note @+1 {{preloaded here}}
  gemmini.preload %b rows %c4 cols %c5 to %c rows %c3 cols %c5 : !gemmini.addr<spad>, !gemmini.addr<acc>
  // expected-error @+1 {{'gemmini.compute_preloaded' op a rows must equal c rows = 3, found 4}}
  gemmini.compute_preloaded %a rows %c4 cols %c4, %none rows %c3 cols %c5 : !gemmini.addr<spad>, !gemmini.addr<spad>
  // expected-note @+1 {{preloaded here}}
  gemmini.preload %b rows %c4 cols %c5 to %c rows %c3 cols %c5 : !gemmini.addr<spad>, !gemmini.addr<acc>
  // expected-error @+1 {{'gemmini.compute_preloaded' op a cols must equal b rows = 4, found 3}}
  gemmini.compute_preloaded %a rows %c3 cols %c3, %none rows %c3 cols %c5 : !gemmini.addr<spad>, !gemmini.addr<spad>
  // expected-error @+2 {{'gemmini.preload' op b cols must equal c cols = 4, found 5}}
  // expected-note @+1 {{preloaded here}}
  gemmini.preload %b rows %c4 cols %c5 to %c rows %c3 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<acc>
  gemmini.compute_preloaded %a rows %c3 cols %c4, %none rows %c3 cols %c5 : !gemmini.addr<spad>, !gemmini.addr<spad>
  // expected-note @+1 {{preloaded here}}
  gemmini.preload %b rows %c4 cols %c5 to %c rows %c3 cols %c5 : !gemmini.addr<spad>, !gemmini.addr<acc>
  // expected-error @+2 {{'gemmini.compute_preloaded' op d rows must equal c rows = 3, found 4}}
  // expected-error @+1 {{'gemmini.compute_preloaded' op d cols must equal c cols = 5, found 3}}
  gemmini.compute_preloaded %a rows %c3 cols %c4, %b rows %c4 cols %c3 : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

// Output-stationary: the second operand of the compute is B.
func.func @shapes_os(%a: !gemmini.addr<spad>, %b: !gemmini.addr<spad>, %c: !gemmini.addr<acc>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  gemmini.config_ex os
  // expected-note @+1 {{preloaded here}}
  gemmini.preload %none rows %c3 cols %c5 to %c rows %c3 cols %c5 : !gemmini.addr<spad>, !gemmini.addr<acc>
  // expected-error @+2 {{a cols must equal d rows = 5, found 4}}
  // expected-error @+1 {{d cols must equal c cols = 5, found 4}}
  gemmini.compute_preloaded %a rows %c3 cols %c4, %b rows %c5 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

func.func @accumulated_loads(%a: !gemmini.addr<spad>, %row: index, %c: !gemmini.addr<acc>, %n: index) {
  %b = gemmini.spad_addr %row : !gemmini.addr<spad>
  gemmini.config_ex os
  gemmini.preload %b rows %n cols %n to %c rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  gemmini.compute_accumulated %a rows %n cols %n, %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  gemmini.config_ex ws
  // expected-note @+1 {{preloaded here}}
  gemmini.preload %b rows %n cols %n to %c rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  // expected-error @+1 {{'gemmini.compute_accumulated' op keeps the weights in the array; wants its preload to have gemmini.garbage as b, found an operand to load}}
  gemmini.compute_accumulated %a rows %n cols %n, %a rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

// With a transposed operand rows and columns change places: not judged.
func.func @shapes_transposed(%a: !gemmini.addr<spad>, %b: !gemmini.addr<spad>, %c: !gemmini.addr<acc>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = gemmini.garbage : !gemmini.addr<spad>
  gemmini.config_ex ws transpose_a
  gemmini.preload %b rows %c4 cols %c4 to %c rows %c3 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<acc>
  gemmini.compute_preloaded %a rows %c4 cols %c3, %none rows %c3 cols %c4 : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

func.func @block_stride(%dram: i64, %a: !gemmini.addr<spad>, %n: index) {
  %c8 = arith.constant 8 : index
  // expected-note @+1 {{configured here}}
  gemmini.config_ld id = 1 stride = 64 block_stride = 4
  gemmini.config_ld id = 0 stride = 64 block_stride = 8
  gemmini.mvin %dram to %a rows %c8 cols %n : !gemmini.addr<spad>
  // expected-error @+1 {{'gemmini.mvin2' op wants a block_stride of at least its rows = 8, found 4}}
  gemmini.mvin2 %dram to %a rows %c8 cols %n : !gemmini.addr<spad>
  return
}

// -----

// In a loop every configuration of the program may be in force; all break the
// rule here, and one does not below.
func.func @block_stride_loop(%dram: i64, %a: !gemmini.addr<spad>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-note @+1 {{configured here}}
  gemmini.config_ld id = 0 stride = 64 block_stride = 4
  gemmini.config_ld id = 1 stride = 64 block_stride = 4
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{'gemmini.mvin' op wants a block_stride of at least its rows = 8, found 4}}
    gemmini.mvin %dram to %a rows %c8 cols %n : !gemmini.addr<spad>
    gemmini.mvin2 %dram to %a rows %c8 cols %n : !gemmini.addr<spad>
    gemmini.config_ld id = 1 stride = 64 block_stride = 8
  }
  return
}

// -----

func.func @missing_fence(%p: i64, %q: i64, %a: !gemmini.addr<spad>, %n: index) {
  // expected-note @+1 {{stored here}}
  gemmini.mvout %a to %p rows %n cols %n : !gemmini.addr<spad>
  gemmini.mvin %q to %a rows %n cols %n : !gemmini.addr<spad>
  // expected-error @+1 {{'gemmini.mvin3' op wants a gemmini.fence after the store to the DRAM address it loads from, found none}}
  gemmini.mvin3 %p to %a rows %n cols %n : !gemmini.addr<spad>
  gemmini.fence
  gemmini.mvin3 %p to %a rows %n cols %n : !gemmini.addr<spad>
  return
}

// -----

func.func @missing_fence_constant(%a: !gemmini.addr<spad>, %n: index) {
  %p = arith.constant 4096 : i64
  %q = arith.constant 4096 : i64
  // expected-note @+1 {{stored here}}
  gemmini.mvout %a to %p rows %n cols %n : !gemmini.addr<spad>
  // expected-error @+1 {{'gemmini.mvin' op wants a gemmini.fence after the store}}
  gemmini.mvin %q to %a rows %n cols %n : !gemmini.addr<spad>
  return
}

// -----

// The runtime's name is taken by something else.
// expected-note @+1 {{rename this, or drop it}}
func.func private @fadiff_gemmini_fence(i8)
func.func @name_taken() {
  // expected-error @+2 {{'gemmini.fence' op calls the runtime's llvm.func @fadiff_gemmini_fence, found another symbol of that name}}
  // expected-error @+1 {{failed to legalize operation 'gemmini.fence'}}
  gemmini.fence
  return
}

// -----

// It is there, but is another function.
// expected-error @+1 {{redefinition of function 'fadiff_gemmini_region' of different type}}
llvm.func @fadiff_gemmini_region(i8)
func.func @type_differs() {
  // expected-error @+1 {{failed to legalize operation 'gemmini.region'}}
  gemmini.region 1
  return
}

// -----

// An operation that cannot carry the converted address.
func.func @unknown_user(%row: index) {
  %a = gemmini.spad_addr %row : !gemmini.addr<spad>
  // expected-error @+1 {{failed to legalize operation 'builtin.unrealized_conversion_cast'}}
  %b = builtin.unrealized_conversion_cast %a : !gemmini.addr<spad> to index
  return
}

// -----

func.func @loop_after_preload(%s: !gemmini.addr<spad>, %acc: !gemmini.addr<acc>, %a: i64, %n: index, %add: i1) {
  // expected-note @+1 {{not used by a compute}}
  gemmini.preload %s rows %n cols %n to %acc rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<acc>
  // expected-error @+1 {{'gemmini.loop_ws' op wants one compute per preload, found none since the preload before}}
  gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
  return
}

// -----

func.func @compute_after_loop(%s: !gemmini.addr<spad>, %a: i64, %n: index, %add: i1) {
  // expected-note @+1 {{used the last preload}}
  gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%a stride = 64 half %n) b(%a stride = 64 half %n) d(%a stride = 0) c(%a stride = 64) accumulate(%add)
  // expected-error @+1 {{'gemmini.compute_preloaded' op wants its own preload, found none since the compute before}}
  gemmini.compute_preloaded %s rows %n cols %n, %s rows %n cols %n : !gemmini.addr<spad>, !gemmini.addr<spad>
  return
}

// -----

func.func @loop_stores_then_loads(%x: i64, %y: i64, %n: index, %add: i1) {
  %zero = arith.constant 0 : i64
  // expected-note @+1 {{stored here}}
  gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%x stride = 64 half %n) b(%x stride = 64 half %n) d(%zero stride = 0) c(%y stride = 64) accumulate(%add)
  // expected-error @+1 {{'gemmini.loop_ws' op wants a gemmini.fence after the store to the DRAM address it loads from, found none}}
  gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%y stride = 64 half %n) b(%x stride = 64 half %n) d(%zero stride = 0) c(%zero stride = 64) accumulate(%add)
  gemmini.fence
  gemmini.loop_ws blocks [%n, %n, %n] pads [%n, %n, %n] a(%y stride = 64 half %n) b(%x stride = 64 half %n) d(%zero stride = 0) c(%zero stride = 64) accumulate(%add)
  return
}
