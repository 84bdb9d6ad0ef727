// Tails that only a read-out which can do more has: a scale per channel, a zero
// point behind the rounding, bounds that saturation does not reach. On
// gemmini-npu they are on the array, the two layers fuse, and outputs and bytes
// are those of the reference; other machines leave them on the host.

// RUN: fadiff-run %s --target=gemmini-npu | FileCheck %s --check-prefixes=CHECK,NPU
// RUN: fadiff-run %s --target=gemmini | FileCheck %s --check-prefixes=CHECK,GEMMINI
// RUN: fadiff-run %s --target=gemmini-npu --fuse=off | FileCheck %s --check-prefix=ALONE
// RUN: fadiff-run %s --target=gemmini-npu --latency=streams --timing-only | FileCheck %s --check-prefix=TIME

// The store unit must hold the scales of all layers of a group, or of one.
// RUN: sed 's/value: 8192/value: 31/' %fadiff_src_root/hardware/gemmini-npu.yaml > %t.31.yaml
// RUN: fadiff-run %s --target=%t.31.yaml | FileCheck %s --check-prefix=FEW
// RUN: sed 's/value: 8192/value: 19/' %fadiff_src_root/hardware/gemmini-npu.yaml > %t.19.yaml
// RUN: fadiff-run %s --target=%t.19.yaml | FileCheck %s --check-prefix=FEWER
// RUN: fadiff-opt %s --fadiff-schedule=target=gemmini-npu --fadiff-bufferize -o %t.nest.mlir
// RUN: not fadiff-opt %t.nest.mlir --fadiff-attach-target=target=%t.31.yaml --fadiff-lower-to-gemmini 2>&1 | FileCheck %s --check-prefix=NEST
// RUN: not fadiff-opt %t.nest.mlir --fadiff-attach-target=target=gemmini 2>&1 | FileCheck %s --check-prefix=OTHER

// No RISC-V core has such a read-out.
// RUN: not fadiff-compile %s --target=gemmini-npu -o %t.o 2>&1 | FileCheck %s --check-prefix=RISCV

// FEW: 0 of 1 edges fused
// FEW: 2 of 2 tails
// FEW: DRAM bytes read 3600, written 2048: as predicted
// FEW: output identical to the reference
// FEWER: 1 of 2 tails
// FEWER: its output channels, 20, have scales of their own and the machine holds 19
// FEWER: output identical to the reference
// NEST: error: layer 'conv:{{[0-9]+}}': rule 'scales' at accumulator: wanted at most 31 scales, found 32
// OTHER: error: 'fadiff.stage' op wants a read-out with per_channel, zero_point{{(, clamp)?}}; that of target 'gemmini' has none of it
// RISCV: read-out.mlir:{{[0-9:]+}} error: 'gemmini.mvin_scales' op is an instruction that no Gemmini has

// NPU: 1 of 1 edges fused
// GEMMINI: 0 of 0 edges fused
// NPU: 2 of 2 tails (100.0 %); on the host: 0 operations
// GEMMINI: 0 of 2 tails (0.0 %); on the host: 2 operations
// 8 * 8 * 8 bytes of input, 3 * 3 * 8 * 20 and 20 * 12 of weights, 4 bytes for
// each of 20 + 12 scales.
// NPU: DRAM bytes read 2320, written 768: as predicted
// CHECK: output identical to the reference

// The intermediate goes through DRAM.
// ALONE: DRAM bytes read 3600, written 2048: as predicted
// ALONE: output identical to the reference

// TIME: DRAM bytes read {{[0-9]+}}, written 768: as predicted

#id = affine_map<(n, p, q, k) -> (n, p, q, k)>
#channel = affine_map<(n, p, q, k) -> (k)>
func.func @main(%x: tensor<1x8x8x8xi8>, %w: tensor<3x3x8x20xi8>, %v: tensor<1x1x20x12xi8>) -> tensor<1x8x8x12xi8> {
  %c0 = arith.constant 0 : i32
  %pad = arith.constant 0 : i8
  %scales = arith.constant dense<[1.0e-3, 1.1e-3, 1.2e-3, 1.3e-3, 1.4e-3, 1.5e-3, 1.6e-3, 1.7e-3, 1.8e-3, 1.9e-3, 2.0e-3, 2.1e-3, 2.2e-3, 2.3e-3, 2.4e-3, 2.5e-3, 2.6e-3, 2.7e-3, 2.8e-3, 2.9e-3]> : tensor<20xf32>
  %others = arith.constant dense<[3.0e-3, 2.9e-3, 2.8e-3, 2.7e-3, 2.6e-3, 2.5e-3, 2.4e-3, 2.3e-3, 2.2e-3, 2.1e-3, 2.0e-3, 1.9e-3]> : tensor<12xf32>
  %zp = arith.constant -20.0 : f32
  %most = arith.constant 90.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %q: index, %c: index):
    tensor.yield %pad : i8
  } : tensor<1x8x8x8xi8> to tensor<1x10x10x8xi8>
  %e = tensor.empty() : tensor<1x8x8x20xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x8x8x20xi32>) -> tensor<1x8x8x20xi32>
  %sum = linalg.conv_2d_nhwc_hwcf ins(%padded, %w : tensor<1x10x10x8xi8>, tensor<3x3x8x20xi8>) outs(%z : tensor<1x8x8x20xi32>) -> tensor<1x8x8x20xi32>
  %e8 = tensor.empty() : tensor<1x8x8x20xi8>
  %mid = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum, %scales : tensor<1x8x8x20xi32>, tensor<20xf32>) outs(%e8 : tensor<1x8x8x20xi8>) {
  ^bb0(%a: i32, %s: f32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %zp : f32
    %5 = arith.maximumf %4, %zp : f32
    %6 = arith.minimumf %5, %most : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<1x8x8x20xi8>
  %f = tensor.empty() : tensor<1x8x8x12xi32>
  %g = linalg.fill ins(%c0 : i32) outs(%f : tensor<1x8x8x12xi32>) -> tensor<1x8x8x12xi32>
  %out = linalg.conv_2d_nhwc_hwcf ins(%mid, %v : tensor<1x8x8x20xi8>, tensor<1x1x20x12xi8>) outs(%g : tensor<1x8x8x12xi32>) -> tensor<1x8x8x12xi32>
  %f8 = tensor.empty() : tensor<1x8x8x12xi8>
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %five = arith.constant 5.0 : f32
  %r = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%out, %others : tensor<1x8x8x12xi32>, tensor<12xf32>) outs(%f8 : tensor<1x8x8x12xi8>) {
  ^bb0(%a: i32, %s: f32, %o: i8):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %five : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<1x8x8x12xi8>
  return %r : tensor<1x8x8x12xi8>
}
