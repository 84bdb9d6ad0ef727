// Which layers get kernel taps as channels, and what they become.

// RUN: rm -rf %t && split-file %s %t

// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-pack-taps=pack=columns --remarks-filter=fadiff --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=PACKED
// PACKED:      Passed
// PACKED-SAME: layer 'conv1' reads kernel rows of 7 columns as 21 channels
// Columns are padded on the host, at least as far as the windows reach, such that
// lines of pixels begin at multiples of eight bytes. Weights only change their
// shape.
// PACKED:      func.func @main(%[[X:.*]]: tensor<1x15x16x3xi8>, %[[W:.*]]: tensor<7x7x3x8xi8>)
// PACKED:      %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 8, 0] high[0, 0, 8, 0]
// PACKED:        tensor<1x15x16x3xi8> to tensor<1x15x32x3xi8>
// PACKED:      %[[WINDOWS:.*]] = fadiff.windows %[[PADDED]] from 5 taps 7 stride 2 : tensor<1x15x32x3xi8> to tensor<1x15x8x21xi8>
// PACKED:      %[[ROWS:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0], [1, 2], [3]] : tensor<7x7x3x8xi8> into tensor<7x21x8xi8>
// PACKED:      fadiff.layer "conv1" ins(%[[WINDOWS]], %[[ROWS]] :
// PACKED-SAME:   workload(<[K = 8, C = 21, P = 8, Q = 8, R = 7], stride = [2, 1], pad = [3, 0], input = [15, 8], layouts = "NHWC" "RCK" "NPQK">)
// PACKED-SAME:   epilogue(<>) {
// PACKED-NEXT: ^bb0(%[[IMAGE:.*]]: tensor<1x15x8x21xi8>, %[[TAPS:.*]]: tensor<7x21x8xi8>):
// Rows stay with the layer.
// PACKED:      %[[TALL:.*]] = tensor.pad %[[IMAGE]] low[0, 3, 0, 0] high[0, 3, 0, 0]
// PACKED-NOT:  linalg.conv
// PACKED:      linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[TALL]], %[[TAPS]] :
// Another pass over it finds nothing to do.
// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-pack-taps=pack=columns -o %t/once.mlir
// RUN: fadiff-opt %t/once.mlir --fadiff-pack-taps=pack=columns | diff - %t/once.mlir


// With rows, too, the host writes an image that has, for each row of outputs,
// the rows that it reads: 7 x 3 channels where there were 3.
// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-pack-taps=pack=on --remarks-filter=fadiff --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=INTERLEAVED
// INTERLEAVED:      Passed
// INTERLEAVED-SAME: layer 'conv1' reads kernels of 7 rows and 7 columns as 147 channels; the host writes 3528 bytes of interleaved image rows
// INTERLEAVED:      #[[$TAKE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 2 + d3, d2, d4)>
// INTERLEAVED:      func.func @main(%[[X:.*]]: tensor<1x15x16x3xi8>, %[[W:.*]]: tensor<7x7x3x8xi8>)
// INTERLEAVED:      %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 3, 3, 0] high[0, 3, 2, 0]
// INTERLEAVED:        tensor<1x15x16x3xi8> to tensor<1x21x21x3xi8>
// INTERLEAVED:      %[[COPY:.*]] = linalg.generic {indexing_maps = [#[[$TAKE]], {{.*}} ins(%[[PADDED]] : tensor<1x21x21x3xi8>) outs(%{{.*}} : tensor<1x8x21x7x3xi8>)
// INTERLEAVED:      %[[IMAGE:.*]] = tensor.collapse_shape %[[COPY]] {{\[}}[0], [1], [2], [3, 4]]
// INTERLEAVED:      %[[WINDOWS:.*]] = fadiff.windows %[[IMAGE]] taps 7 stride 2 : tensor<1x8x21x21xi8> to tensor<1x8x8x147xi8>
// Weights in the windows' order: columns, rows, channels.
// INTERLEAVED:      %[[TURNED:.*]] = linalg.transpose ins(%[[W]] : {{.*}} permutation = [1, 0, 2, 3]
// INTERLEAVED:      %[[TAPS:.*]] = tensor.collapse_shape %[[TURNED]] {{\[}}[0, 1, 2], [3]] : tensor<7x7x3x8xi8> into tensor<147x8xi8>
// INTERLEAVED:      fadiff.layer "conv1" ins(%[[WINDOWS]], %[[TAPS]] :
// INTERLEAVED-SAME:   workload(<[K = 8, C = 147, P = 8, Q = 8], layouts = "NHWC" "CK" "NPQK">)
// INTERLEAVED-NOT:    tensor.pad
// INTERLEAVED-NOT:    linalg.conv
// INTERLEAVED:        iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-pack-taps=pack=on -o %t/once.mlir
// RUN: fadiff-opt %t/once.mlir --fadiff-pack-taps=pack=on | diff - %t/once.mlir
// What reads windows is left alone, though 21 channels of 64 are few.
// RUN: sed "s/side: {value: 32/side: {value: 64/" %fadiff_src_root/hardware/gemmini-large.yaml > %t/wide.yaml
// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-attach-target=target=%t/wide.yaml --fadiff-pack-taps=pack=columns -o %t/once.mlir
// RUN: fadiff-opt %t/once.mlir --fadiff-pack-taps=pack=on | diff - %t/once.mlir

// By cost: fewer array passes are worth the bytes of this layer, and not of one
// whose single output channel keeps the array idle anyway. What is compared is
// the objective.
// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-search="pack=auto core=off" | FileCheck %s --check-prefix=AUTO
// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-pack-taps=pack=auto | FileCheck %s --check-prefix=OFF
// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-search | FileCheck %s --check-prefix=OFF
// RUN: fadiff-opt %t/conv1.mlir --fadiff-schedule=core=off | FileCheck %s --check-prefix=AUTO
// RUN: fadiff-opt %t/blur.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-search="pack=auto core=off objective=latency" | FileCheck %s --check-prefix=AUTO
// AUTO: fadiff.windows
// RUN: fadiff-opt %t/blur.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-search="pack=auto core=off objective=energy" --remarks-filter=fadiff --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=DEARER
// DEARER:      Missed
// DEARER-SAME: layer 'blur' keeps its 1 of 32 array rows: the predicted objective would be {{(at least )?[1-9].*}} (columns), now it is {{[1-9].*}}
// DEARER-NOT:  fadiff.windows
// RUN: fadiff-opt %t/blur.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-pack-taps=pack=on | FileCheck %s --check-prefix=AUTO
// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-pack-taps=pack=off --remarks-filter=fadiff --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: fadiff-opt %t/conv1.mlir --fadiff-schedule=pack=off | FileCheck %s --check-prefix=OFF
// OFF-NOT: Remark
// OFF-NOT: fadiff.windows

// One of three: rows make this layer faster, and dearer.
// RUN: fadiff-opt %t/layouts.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-search="pack=auto core=off objective=latency" --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=FASTEST
// RUN: fadiff-opt %t/layouts.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-search="pack=auto core=off" --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=BETWEEN
// RUN: fadiff-opt %t/layouts.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-large --fadiff-search="pack=auto core=off objective=energy" --remarks-filter=fadiff --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHEAPEST
// FASTEST:  layer '{{(conv|depthwise|matmul):[0-9]+}}' reads kernels of 3 rows and 4 columns as 12 channels; the host writes 168 bytes
// BETWEEN:  layer '{{(conv|depthwise|matmul):[0-9]+}}' reads kernel rows of 4 columns as 4 channels{{"}}
// CHEAPEST: layer '{{(conv|depthwise|matmul):[0-9]+}}' keeps its 1 of 32 array rows: the predicted objective would be {{(at least )?[1-9].*}} (columns), {{(at least )?[1-9].*}} (rows and columns), now it is {{[1-9].*}}

// Weights in another order are transposed; an axis of channels is made.
// RUN: fadiff-opt %t/layouts.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-small --fadiff-pack-taps=pack=columns | FileCheck %s --check-prefix=LAYOUTS
// LAYOUTS-LABEL: func.func @filters_first(
// LAYOUTS:         linalg.transpose ins(%{{.*}} : tensor<3x5x2x18xi8>) outs(%{{.*}} : tensor<5x2x3x18xi8>) permutation = [1, 2, 0, 3]
// LAYOUTS:         tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2], [3]] : tensor<5x2x3x18xi8> into tensor<5x6x18xi8>
// LAYOUTS:         workload(<[K = 18, C = 6, P = 5, Q = 7, R = 5], input = [9, 7], layouts = "NHWC" "RCK" "NPQK">)
// LAYOUTS-LABEL: func.func @no_channels(
// LAYOUTS:         %[[X:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2]] output_shape [9, 8, 1] : tensor<9x8xi8> into tensor<9x8x1xi8>
// LAYOUTS:         fadiff.windows %[[X]] taps 4 stride 1 : tensor<9x8x1xi8> to tensor<9x5x4xi8>
// LAYOUTS:         workload(<[C = 4, P = 7, Q = 5, R = 3], input = [9, 5], layouts = "HWC" "RC" "PQ">)
// LAYOUTS-LABEL: func.func @one_axis(
// LAYOUTS:         workload(<[N = 3, K = 18, C = 12, Q = 7], layouts = "NWC" "CK" "NQK">)

// RUN: fadiff-opt %t/layouts.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-small --fadiff-pack-taps=pack=on | FileCheck %s --check-prefix=ALLTAPS
// ALLTAPS-LABEL: func.func @filters_first(
// ALLTAPS:         linalg.transpose ins(%{{.*}} : tensor<3x5x2x18xi8>) outs(%{{.*}} : tensor<2x5x3x18xi8>) permutation = [2, 1, 0, 3]
// ALLTAPS:         workload(<[K = 18, C = 30, P = 5, Q = 7], layouts = "NHWC" "CK" "NPQK">)
// ALLTAPS-LABEL: func.func @no_channels(
// ALLTAPS:         linalg.generic {{.*}} ins(%{{.*}} : tensor<9x8x1xi8>) outs(%{{.*}} : tensor<7x8x3x1xi8>)
// ALLTAPS:         fadiff.windows %{{.*}} taps 4 stride 1 : tensor<7x8x3xi8> to tensor<7x5x12xi8>
// ALLTAPS:         workload(<[C = 12, P = 7, Q = 5], layouts = "HWC" "C" "PQ">)
// There are no rows: as with columns.
// ALLTAPS-LABEL: func.func @one_axis(
// ALLTAPS-NOT:     linalg.transpose
// ALLTAPS:         workload(<[N = 3, K = 18, C = 12, Q = 7], layouts = "NWC" "CK" "NQK">)

// What stays as it is, and why.
// RUN: fadiff-opt %t/refused.mlir --fadiff-form-layers --fadiff-attach-target=target=gemmini-small --fadiff-pack-taps=pack=on --remarks-filter=fadiff --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED-DAG: layer 'dilated' keeps its 2 of 16 array rows: its taps are 2 columns apart
// REFUSED-DAG: layer 'columns_first' keeps its 2 of 16 array rows: wanted an input whose last axes are columns and channels (WC); found layout NWHC
// REFUSED-DAG: layer 'one_group' keeps its 2 of 16 array rows: it has an axis of groups
// REFUSED-DAG: layer 'second' keeps its 2 of 16 array rows: its input is the output of layer 'first', with which it could then not be fused
// REFUSED-DAG: layer 'other' keeps its 2 of 16 array rows: its region is no longer what it was recognised as
// REFUSED-DAG: layer 'twice' keeps its 2 of 16 array rows: its tail reads the input or the weights again
// REFUSED-NOT: layer 'wide'
// REFUSED-NOT: layer 'mapped'
// REFUSED-NOT: layer 'huge'
// REFUSED-LABEL: func.func @chain(
// REFUSED:         fadiff.windows
// REFUSED:         fadiff.layer "first"
// REFUSED-NOT:     fadiff.windows

// RUN: not fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-pack-taps=pack=maybe 2>&1 | FileCheck %s --check-prefix=PACK
// RUN: not fadiff-opt %t/conv1.mlir --fadiff-schedule=pack=maybe 2>&1 | FileCheck %s --check-prefix=PACK
// PACK: for the --pack option: wanted auto, on, columns or off, found 'maybe'
// RUN: not fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-pack-taps 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: conv1.mlir:{{.*}} error: wanted a module attribute 'fadiff.target'; run fadiff-attach-target first
// Nothing to pack needs no target.
// RUN: echo "module {}" | fadiff-opt --fadiff-pack-taps -o /dev/null
// RUN: fadiff-opt %t/conv1.mlir --fadiff-form-layers --fadiff-pack-taps=pack=off -o /dev/null

//--- conv1.mlir
func.func @main(%x: tensor<1x15x16x3xi8>, %w: tensor<7x7x3x8xi8>) -> tensor<1x8x8x8xi32> {
  %c0 = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %c0 : i8
  } : tensor<1x15x16x3xi8> to tensor<1x21x22x3xi8>
  %e = tensor.empty() : tensor<1x8x8x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x21x22x3xi8>, tensor<7x7x3x8xi8>) outs(%f : tensor<1x8x8x8xi32>) -> tensor<1x8x8x8xi32> loc("conv1")
  return %r : tensor<1x8x8x8xi32>
}

//--- blur.mlir
func.func @main(%x: tensor<1x40x40x1xi8>, %w: tensor<1x9x1x1xi8>) -> tensor<1x40x32x1xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x40x32x1xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x40x32x1xi32>) -> tensor<1x40x32x1xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x40x40x1xi8>, tensor<1x9x1x1xi8>) outs(%f : tensor<1x40x32x1xi32>) -> tensor<1x40x32x1xi32> loc("blur")
  return %r : tensor<1x40x32x1xi32>
}

//--- layouts.mlir
#image = affine_map<(p, q, r, s) -> (p + r, q + s)>
#kernel = affine_map<(p, q, r, s) -> (r, s)>
#result = affine_map<(p, q, r, s) -> (p, q)>
func.func @filters_first(%x: tensor<1x9x8x3xi8>, %w: tensor<18x3x5x2xi8>) -> tensor<1x5x7x18xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x18x5x7xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x18x5x7xi32>) -> tensor<1x18x5x7xi32>
  %xe = tensor.empty() : tensor<1x3x9x8xi8>
  %xt = linalg.transpose ins(%x : tensor<1x9x8x3xi8>) outs(%xe : tensor<1x3x9x8xi8>) permutation = [0, 3, 1, 2]
  %r = linalg.conv_2d_nchw_fchw ins(%xt, %w : tensor<1x3x9x8xi8>, tensor<18x3x5x2xi8>) outs(%f : tensor<1x18x5x7xi32>) -> tensor<1x18x5x7xi32>
  %ye = tensor.empty() : tensor<1x5x7x18xi32>
  %y = linalg.transpose ins(%r : tensor<1x18x5x7xi32>) outs(%ye : tensor<1x5x7x18xi32>) permutation = [0, 2, 3, 1]
  return %y : tensor<1x5x7x18xi32>
}
func.func @no_channels(%x: tensor<9x8xi8>, %w: tensor<3x4xi8>) -> tensor<7x5xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<7x5xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<7x5xi32>) -> tensor<7x5xi32>
  %r = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<9x8xi8>, tensor<3x4xi8>) outs(%f : tensor<7x5xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<7x5xi32>
  return %r : tensor<7x5xi32>
}
func.func @one_axis(%x: tensor<3x17x3xi8>, %w: tensor<4x3x18xi8>) -> tensor<3x7x18xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x7x18xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x7x18xi32>) -> tensor<3x7x18xi32>
  %r = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>} ins(%x, %w : tensor<3x17x3xi8>, tensor<4x3x18xi8>) outs(%f : tensor<3x7x18xi32>) -> tensor<3x7x18xi32>
  return %r : tensor<3x7x18xi32>
}

//--- refused.mlir
#image = affine_map<(n, p, q, k, r, s, c) -> (n, q + s, p + r, c)>
#kernel = affine_map<(n, p, q, k, r, s, c) -> (r, s, c, k)>
#result = affine_map<(n, p, q, k, r, s, c) -> (n, p, q, k)>
func.func @dilated(%x: tensor<1x9x9x2xi8>, %w: tensor<3x3x2x4xi8>) -> tensor<1x5x5x4xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x5x5x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x5x5x4xi32>) -> tensor<1x5x5x4xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x9x9x2xi8>, tensor<3x3x2x4xi8>) outs(%f : tensor<1x5x5x4xi32>) -> tensor<1x5x5x4xi32> loc("dilated")
  return %r : tensor<1x5x5x4xi32>
}
func.func @columns_first(%x: tensor<1x9x9x2xi8>, %w: tensor<3x3x2x4xi8>) -> tensor<1x7x7x4xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x7x7x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x7x7x4xi32>) -> tensor<1x7x7x4xi32>
  %r = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<1x9x9x2xi8>, tensor<3x3x2x4xi8>) outs(%f : tensor<1x7x7x4xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<1x7x7x4xi32> loc("columns_first")
  return %r : tensor<1x7x7x4xi32>
}
func.func @one_group(%x: tensor<1x1x2x9x9xi8>, %w: tensor<1x4x2x3x3xi8>) -> tensor<1x1x4x7x7xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x1x4x7x7xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x1x4x7x7xi32>) -> tensor<1x1x4x7x7xi32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x1x2x9x9xi8>, tensor<1x4x2x3x3xi8>) outs(%f : tensor<1x1x4x7x7xi32>) -> tensor<1x1x4x7x7xi32> loc("one_group")
  return %r : tensor<1x1x4x7x7xi32>
}
func.func @wide(%x: tensor<1x9x9x9xi8>, %w: tensor<3x3x9x4xi8>) -> tensor<1x7x7x4xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x7x7x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x7x7x4xi32>) -> tensor<1x7x7x4xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x9x9xi8>, tensor<3x3x9x4xi8>) outs(%f : tensor<1x7x7x4xi32>) -> tensor<1x7x7x4xi32> loc("wide")
  return %r : tensor<1x7x7x4xi32>
}
func.func @other(%x: tensor<1x9x9x2xi8>, %w: tensor<3x3x2x4xi8>) -> tensor<1x7x7x4xi32> {
  %y = fadiff.layer "other" ins(%x, %w : tensor<1x9x9x2xi8>, tensor<3x3x2x4xi8>)
      workload(<[K = 4, C = 2, P = 7, Q = 7, R = 3, S = 3], input = [9, 9], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<>) {
  ^bb0(%a: tensor<1x9x9x2xi8>, %b: tensor<3x3x2x4xi8>):
    %0 = tensor.empty() : tensor<1x7x7x4xi32>
    fadiff.yield %0 : tensor<1x7x7x4xi32>
  } -> tensor<1x7x7x4xi32>
  return %y : tensor<1x7x7x4xi32>
}
func.func @mapped(%x: tensor<1x9x9x2xi8>, %w: tensor<3x3x2x4xi8>) -> tensor<1x7x7x4xi32> {
  %y = fadiff.layer "mapped" ins(%x, %w : tensor<1x9x9x2xi8>, tensor<3x3x2x4xi8>)
      workload(<[K = 4, C = 2, P = 7, Q = 7, R = 3, S = 3], input = [9, 9], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<>)
      mapping(<dram [P:7 Q:7], scratchpad [], accumulator [R:3 S:3], registers [], array [2 x 4]>) {
  ^bb0(%a: tensor<1x9x9x2xi8>, %b: tensor<3x3x2x4xi8>):
    %zero = arith.constant dense<0> : tensor<1x7x7x4xi32>
    %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x9x9x2xi8>, tensor<3x3x2x4xi8>) outs(%zero : tensor<1x7x7x4xi32>) -> tensor<1x7x7x4xi32>
    fadiff.yield %0 : tensor<1x7x7x4xi32>
  } -> tensor<1x7x7x4xi32>
  return %y : tensor<1x7x7x4xi32>
}
func.func @huge(%x: tensor<9223372036854775807x2xi8>, %w: tensor<9223372036854775806x2x4xi8>) -> tensor<2x4xi32> {
  %y = fadiff.layer "huge" ins(%x, %w : tensor<9223372036854775807x2xi8>, tensor<9223372036854775806x2x4xi8>)
      workload(<[K = 4, C = 2, Q = 2, S = 9223372036854775806], input = [1, 9223372036854775807], layouts = "WC" "SCK" "QK">) epilogue(<>) {
  ^bb0(%a: tensor<9223372036854775807x2xi8>, %b: tensor<9223372036854775806x2x4xi8>):
    %0 = tensor.empty() : tensor<2x4xi32>
    fadiff.yield %0 : tensor<2x4xi32>
  } -> tensor<2x4xi32>
  return %y : tensor<2x4xi32>
}
func.func @twice(%x: tensor<1x9x9x2xi8>, %w: tensor<3x3x2x2xi8>) -> tensor<1x7x7x2xi32> {
  %y = fadiff.layer "twice" ins(%x, %w : tensor<1x9x9x2xi8>, tensor<3x3x2x2xi8>)
      workload(<[K = 2, C = 2, P = 7, Q = 7, R = 3, S = 3], input = [9, 9], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<>) {
  ^bb0(%a: tensor<1x9x9x2xi8>, %b: tensor<3x3x2x2xi8>):
    %zero = arith.constant dense<0> : tensor<1x7x7x2xi32>
    %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x9x9x2xi8>, tensor<3x3x2x2xi8>) outs(%zero : tensor<1x7x7x2xi32>) -> tensor<1x7x7x2xi32>
    %1 = tensor.extract_slice %a[0, 1, 1, 0] [1, 7, 7, 2] [1, 1, 1, 1] : tensor<1x9x9x2xi8> to tensor<1x7x7x2xi8>
    %2 = arith.extsi %1 : tensor<1x7x7x2xi8> to tensor<1x7x7x2xi32>
    %3 = arith.addi %0, %2 : tensor<1x7x7x2xi32>
    fadiff.yield %3 : tensor<1x7x7x2xi32>
  } -> tensor<1x7x7x2xi32>
  return %y : tensor<1x7x7x2xi32>
}
func.func @chain(%x: tensor<1x9x9x2xi8>, %v: tensor<3x3x2x2xi8>, %w: tensor<3x3x2x4xi8>) -> tensor<1x5x5x4xi32> {
  %y = fadiff.layer "first" ins(%x, %v : tensor<1x9x9x2xi8>, tensor<3x3x2x2xi8>)
      workload(<[K = 2, C = 2, P = 7, Q = 7, R = 3, S = 3], input = [9, 9], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<scale = 1.0 : f32>) {
  ^bb0(%a: tensor<1x9x9x2xi8>, %b: tensor<3x3x2x2xi8>):
    %zero = arith.constant dense<0> : tensor<1x7x7x2xi32>
    %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x9x9x2xi8>, tensor<3x3x2x2xi8>) outs(%zero : tensor<1x7x7x2xi32>) -> tensor<1x7x7x2xi32>
    %1 = arith.trunci %0 : tensor<1x7x7x2xi32> to tensor<1x7x7x2xi8>
    fadiff.yield %1 : tensor<1x7x7x2xi8>
  } -> tensor<1x7x7x2xi8>
  %z = fadiff.layer "second" ins(%y, %w : tensor<1x7x7x2xi8>, tensor<3x3x2x4xi8>)
      workload(<[K = 4, C = 2, P = 5, Q = 5, R = 3, S = 3], input = [7, 7], layouts = "NHWC" "RSCK" "NPQK">) epilogue(<>) {
  ^bb0(%a: tensor<1x7x7x2xi8>, %b: tensor<3x3x2x4xi8>):
    %zero = arith.constant dense<0> : tensor<1x5x5x4xi32>
    %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x7x7x2xi8>, tensor<3x3x2x4xi8>) outs(%zero : tensor<1x5x5x4xi32>) -> tensor<1x5x5x4xi32>
    fadiff.yield %0 : tensor<1x5x5x4xi32>
  } -> tensor<1x5x5x4xi32>
  return %z : tensor<1x5x5x4xi32>
}
