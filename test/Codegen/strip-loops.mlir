// Where several trips share a load (128 channels come in by moves of 64), the
// loop over them stands in one over such groups, each of which begins where the
// one before has ended. The product is run on the emulated core, where each byte
// of input and weights is read once and each of the output written once: trips
// that were made again would move theirs again, to the same results.

// REQUIRES: riscv, baremetal, no-sanitizers
// DEFINE: %{schedule} = target=gemmini-large latency=roofline
// DEFINE: %{before} = --fadiff-schedule="%{schedule}" --fadiff-bufferize --fadiff-lower-to-gemmini --canonicalize --cse --gemmini-merge-fences --gemmini-outline-nests --gemmini-fix-trips

// RUN: fadiff-opt %s %{before} --gemmini-strip-loops --canonicalize | FileCheck %s
// CHECK: scf.for %{{arg[0-9]+}} = %{{arg[0-9]+}} to %{{[0-9]+}} step %c32 {
// CHECK: gemmini.preload

// RUN: %python %fadiff_src_root/scripts/core_time.py %fadiff_obj_root %s --target=gemmini-large -- --schedule=latency=roofline | FileCheck %s --check-prefix=CORE
// CORE: 1 calls, results identical to the reference
// CORE: DRAM bytes read 45568, written 125440

func.func @main(%x: tensor<1x14x14x128xi8>, %w: tensor<1x1x128x160xi8>) -> tensor<1x14x14x160xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x14x14x160xi32>
  %s = linalg.fill ins(%zero : i32) outs(%e : tensor<1x14x14x160xi32>) -> tensor<1x14x14x160xi32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x14x14x128xi8>, tensor<1x1x128x160xi8>) outs(%s : tensor<1x14x14x160xi32>) -> tensor<1x14x14x160xi32>
  return %y : tensor<1x14x14x160xi32>
}
