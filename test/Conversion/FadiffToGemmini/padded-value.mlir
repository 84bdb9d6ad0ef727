// Padding with a zero point of -3: what lies outside of the input comes from a
// constant, one row of it for each pixel, beside what is fetched of the image.

// RUN: fadiff-opt %s --fadiff-verify-schedule --fadiff-lower-to-gemmini --canonicalize --cse | FileCheck %s

// CHECK:       memref.global "private" constant @fadiff_padding_8_minus_3 : memref<16xi8> = dense<-3> {alignment = 64 : i64}
// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     gemmini.mvin zero
// CHECK:         %[[ROW:.*]] = memref.get_global @fadiff_padding_8_minus_3
// CHECK:         %[[AT:.*]] = memref.extract_aligned_pointer_as_index %[[ROW]]
// CHECK:         gemmini.config_ld id = 0 stride = 2 block_stride = 20
// CHECK-NOT:     gemmini.config_ld id = 0
// One pixel of padding, three of data, one of padding.
// CHECK:         %[[FROM:.*]] = arith.index_cast %[[AT]]
// CHECK:         gemmini.mvin %[[FROM]] to %{{.*}} rows %c1 cols %c2
// CHECK:         gemmini.mvin %{{.*}} to %{{.*}} rows %c3 cols %c2
// CHECK:         gemmini.mvin %[[FROM]] to %{{.*}} rows %c1 cols %c2
// A line of padding, pixel by pixel: the stride is the image's.
// CHECK:         scf.for %{{.*}} = %c0 to %c5 step %c1 {
// CHECK:           %[[SAME:.*]] = arith.index_cast %[[AT]]
// CHECK:           gemmini.mvin %[[SAME]] to %{{.*}} rows %c1 cols %c2
// CHECK-NOT:     gemmini.mvin zero

#tiny = #fadiff.target<"tiny">
module attributes {fadiff.target = #tiny} {

func.func @padded(%x: memref<3x3x2xi8>, %w: memref<3x3x2x4xi8>, %y: memref<3x3x4xi32>) {
  fadiff.loop_nest ins(%x, %w : memref<3x3x2xi8>, memref<3x3x2x4xi8>) outs(%y : memref<3x3x4xi32>) {
  ^bb0(%X: !fadiff.dram<3x3x2xi8>, %W: !fadiff.dram<3x3x2x4xi8>, %Y: !fadiff.dram<3x3x4xi32>):
    %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 20>
    %wt = fadiff.alloc 32 : !fadiff.buffer<scratchpad, 18>
    %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 6>
    fadiff.stage "padded" workload(<[K = 4, C = 2, P = 3, Q = 3, R = 3, S = 3], pad = [1, 1], pad_value = -3, layouts = "HWC" "RSCK" "PQK">) epilogue(<>) array [2, 4] {
      fadiff.load weights %W into %wt : !fadiff.dram<3x3x2x4xi8>, !fadiff.buffer<scratchpad, 18>
      fadiff.for P step 2 at dram {
        fadiff.load input %X into %i : !fadiff.dram<3x3x2xi8>, !fadiff.buffer<scratchpad, 20>
        fadiff.init %o : !fadiff.buffer<accumulator, 6>
        fadiff.for R step 1 at accumulator {
          fadiff.for S step 1 at accumulator {
            fadiff.compute %i, %wt into %o : !fadiff.buffer<scratchpad, 20>, !fadiff.buffer<scratchpad, 18>, !fadiff.buffer<accumulator, 6>
          }
        }
        fadiff.store %o to %Y : !fadiff.buffer<accumulator, 6>, !fadiff.dram<3x3x4xi32>
      }
    }
  }
  return
}
}
