// A product that is written over one of its factors reads what it has written:
// its sums of 16 bits stay what they are, on both sides.

// RUN: fadiff-run %s --target=gemmini-fp32 --halves=widen --allow-empty | FileCheck %s
// RUN: fadiff-opt %s --fadiff-schedule="target=gemmini-fp32 halves=widen allow-empty" | FileCheck %s --check-prefix=KEPT

// CHECK-NOT: are taken in f32
// CHECK: output identical to the reference
// KEPT: linalg.matmul {{.*}}outs({{.*}}memref<4x4xf16

func.func @main(%a: memref<4x4xf16>, %c: memref<4x4xf16>) {
  linalg.matmul ins(%a, %c : memref<4x4xf16>, memref<4x4xf16>) outs(%c : memref<4x4xf16>)
  return
}
