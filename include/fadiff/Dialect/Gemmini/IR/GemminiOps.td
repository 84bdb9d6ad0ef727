//===- GemminiOps.td - One op per instruction --------------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_GEMMINIOPS_TD
#define FADIFF_DIALECT_GEMMINI_GEMMINIOPS_TD

include "fadiff/Dialect/Gemmini/IR/GemminiAttrs.td"
include "fadiff/Dialect/Gemmini/IR/GemminiDialect.td"
include "fadiff/Dialect/Gemmini/IR/GemminiEnums.td"
include "fadiff/Dialect/Gemmini/IR/GemminiTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Gemmini_Op<string mnemonic, list<Trait> traits = []>
    : Op<Gemmini_Dialect, mnemonic, traits>;

// An instruction: it has effects (lib/Dialect/Gemmini/IR/GemminiEffects.cpp).
class Gemmini_Command<string mnemonic, list<Trait> traits = []>
    : Gemmini_Op<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])>;

def Gemmini_One32 : DefaultValuedAttr<F32Attr, "1.0f">;

//===----------------------------------------------------------------------===//
// Local addresses
//===----------------------------------------------------------------------===//

def Gemmini_SpadAddrOp : Gemmini_Op<"spad_addr", [Pure]> {
  let summary = "address of a scratchpad row";
  let description = [{
    Names row `row` of the scratchpad.

    Example:

    ```mlir
    %a = gemmini.spad_addr %row : !gemmini.addr<spad>
    ```
  }];
  let arguments = (ins Index:$row);
  let results = (outs Gemmini_SpadAddr:$addr);
  let assemblyFormat = "$row attr-dict `:` qualified(type($addr))";
  let hasVerifier = 1;
}

def Gemmini_AccAddrOp : Gemmini_Op<"acc_addr", [Pure]> {
  let summary = "address of an accumulator row";
  let description = [{
    Names row `row` of the accumulator. With `accumulate` a write to it adds to
    what is there; the choice may be made at run time by an `i1`, which is how a
    reduction loop overwrites on its first trip only. With `full_width` `mvout`
    reads the int32 row as it is, without scale and activation. A read ignores
    `accumulate`, a write ignores `full_width`.

    Example:

    ```mlir
    %c0 = gemmini.acc_addr %row : !gemmini.addr<acc>
    %c1 = gemmini.acc_addr %row accumulate : !gemmini.addr<acc>
    %ck = gemmini.acc_addr %row accumulate(%not_first) : !gemmini.addr<acc>
    %full = gemmini.acc_addr %row full_width : !gemmini.addr<acc>
    ```
  }];
  let arguments = (ins
    Index:$row,
    Optional<I1>:$accumulate_if,
    UnitAttr:$accumulate,
    UnitAttr:$full_width
  );
  let results = (outs Gemmini_AccAddr:$addr);
  let assemblyFormat = [{
    $row custom<Accumulate>($accumulate_if, $accumulate)
    (`full_width` $full_width^)? attr-dict `:` qualified(type($addr))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$row,
                   CArg<"bool", "false">:$accumulate,
                   CArg<"bool", "false">:$fullWidth), [{
      build($_builder, $_state, row, /*accumulate_if=*/::mlir::Value(),
            accumulate, fullWidth);
    }]>
  ];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Gemmini_GarbageOp : Gemmini_Op<"garbage", [Pure]> {
  let summary = "no operand, or no write-back";
  let description = [{
    The address that names no row. As the preloaded operand or as the second
    operand of a compute it reads as zeros (preloaded, weight-stationary: the
    operand that is already in the array stays). As the destination of a
    `preload` nothing is written back. Nothing else accepts it.

    Example:

    ```mlir
    %none = gemmini.garbage : !gemmini.addr<spad>
    ```
  }];
  let results = (outs Gemmini_SpadAddr:$addr);
  let assemblyFormat = "attr-dict `:` qualified(type($addr))";
}

//===----------------------------------------------------------------------===//
// Configuration
//===----------------------------------------------------------------------===//

def Gemmini_ConfigExOp : Gemmini_Command<"config_ex"> {
  let summary = "configure the array";
  let description = [{
    Sets dataflow, transposes and strides of the computes that follow. Waits
    until the array has drained, so keep it out of loops.

    - `activation` and `scale` apply to operands read from the accumulator, and
      `activation` to results written to the scratchpad.
    - `a_stride`, `c_stride`: local rows from one row of A (C) to the next.
    - `shift`: rounding right shift of the result, output-stationary only.
    - Legal transposes: `os` none, A, or both; `ws` none, A, or B.

    Example:

    ```mlir
    gemmini.config_ex ws
    gemmini.config_ex os activation = relu transpose_a a_stride = 2 shift = 4
    ```
  }];
  let arguments = (ins
    Gemmini_DataflowAttr:$dataflow,
    DefaultValuedAttr<Gemmini_ActivationAttr,
                      "::fadiff::gemmini::Activation::None">:$activation,
    UnitAttr:$transpose_a,
    UnitAttr:$transpose_b,
    DefaultValuedAttr<I64Attr, "1">:$a_stride,
    DefaultValuedAttr<I64Attr, "1">:$c_stride,
    Gemmini_One32:$scale,
    DefaultValuedAttr<I64Attr, "0">:$shift
  );
  let assemblyFormat = [{
    $dataflow (`activation` `=` $activation^)? (`transpose_a` $transpose_a^)?
    (`transpose_b` $transpose_b^)? (`a_stride` `=` $a_stride^)?
    (`c_stride` `=` $c_stride^)? (`scale` `=` $scale^)? (`shift` `=` $shift^)?
    attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::fadiff::gemmini::Dataflow":$dataflow), [{
      $_state.getOrAddProperties<Properties>().dataflow =
          DataflowAttr::get($_builder.getContext(), dataflow);
    }]>
  ];
  let hasVerifier = 1;
}

def Gemmini_ConfigLdOp : Gemmini_Command<"config_ld"> {
  let summary = "configure one of the three load units";
  let description = [{
    Configures `mvin` (`id` 0), `mvin2` (1) or `mvin3` (2).

    - `stride`: bytes from one DRAM row to the next; 0 reads one row and writes
      it to all rows.
    - `block_stride`: local rows between the `side`-column blocks of one load.
      At least the rows of every load that uses it, even of one block.
    - `scale`: applied to loads into the scratchpad and to shrunk loads.
    - `shrink`: a load into the accumulator reads int8 and widens.
    - `pixel_repeats`: replication for the im2col of a first layer; 1 for none.

    Example:

    ```mlir
    gemmini.config_ld id = 0 stride = 64 block_stride = 16
    gemmini.config_ld id = 2 stride = 0 block_stride = 16 scale = 5.000000e-01 shrink
    ```
  }];
  let arguments = (ins
    I64Attr:$id,
    I64Attr:$stride,
    I64Attr:$block_stride,
    Gemmini_One32:$scale,
    UnitAttr:$shrink,
    DefaultValuedAttr<I64Attr, "1">:$pixel_repeats
  );
  let assemblyFormat = [{
    `id` `=` $id `stride` `=` $stride `block_stride` `=` $block_stride
    (`scale` `=` $scale^)? (`shrink` $shrink^)?
    (`pixel_repeats` `=` $pixel_repeats^)? attr-dict
  }];
  let builders = [
    OpBuilder<(ins "int64_t":$id, "int64_t":$stride, "int64_t":$blockStride), [{
      build($_builder, $_state, id, stride, blockStride,
            ::llvm::APFloat(1.0f));
    }]>
  ];
  let hasVerifier = 1;
}

def Gemmini_ConfigStOp : Gemmini_Command<"config_st"> {
  let summary = "configure the store unit";
  let description = [{
    - `stride`: bytes from one DRAM row to the next.
    - `activation`, `scale`: applied to int8 results read from the accumulator:
      round-half-even(acc * scale), saturated.
    - `pool`: max pooling, see `#gemmini.pool`.

    Example:

    ```mlir
    gemmini.config_st stride = 64
    gemmini.config_st stride = 64 activation = relu scale = 3.125000e-02
    gemmini.config_st stride = 64 pool = <size = 2, stride = 2, rows = 4,
      cols = 4, out_rows = 2, out_cols = 2, out_dim = 28>
    ```
  }];
  let arguments = (ins
    I64Attr:$stride,
    DefaultValuedAttr<Gemmini_ActivationAttr,
                      "::fadiff::gemmini::Activation::None">:$activation,
    Gemmini_One32:$scale,
    OptionalAttr<Gemmini_PoolAttr>:$pool
  );
  let assemblyFormat = [{
    `stride` `=` $stride (`activation` `=` $activation^)?
    (`scale` `=` $scale^)? (`pool` `=` $pool^)? attr-dict
  }];
  let builders = [
    OpBuilder<(ins "int64_t":$stride,
                   CArg<"::fadiff::gemmini::Activation",
                        "::fadiff::gemmini::Activation::None">:$activation,
                   CArg<"float", "1.0f">:$scale), [{
      build($_builder, $_state, stride, activation, ::llvm::APFloat(scale),
            /*pool=*/PoolAttr());
    }]>
  ];
  let hasVerifier = 1;
}

def Gemmini_ConfigReadoutOp : Gemmini_Command<"config_readout"> {
  let summary = "configure a read-out that can do more than Gemmini's";
  let description = [{
    Follows `config_st`, which each time takes back what this says. Elements
    read out of the accumulator from here on are

        clamp(round-half-even(f32(sum) * scale) + zero_point, low, high)

    with `max(sum, 0)` in place of `sum` if `config_st` has the activation relu.
    The addition is exact: the rounded product is not saturated before. With
    `scales_from` column j of a move has the scale that `mvin_scales` has put at
    that index + j, instead of `config_st`'s.

    Only machines that declare it have this (docs/Hardware.md, "Read-out");
    Gemmini's RTL has not.

    Example:

    ```mlir
    gemmini.config_readout zero_point = -3 low = -3 high = 90
    gemmini.config_readout scales_from %first zero_point = 5
    ```
  }];
  let arguments = (ins
    Optional<Index>:$first,
    DefaultValuedAttr<I64Attr, "0">:$zero_point,
    DefaultValuedAttr<I64Attr, "-128">:$low,
    DefaultValuedAttr<I64Attr, "127">:$high
  );
  let assemblyFormat = [{
    (`scales_from` $first^)? (`zero_point` `=` $zero_point^)?
    (`low` `=` $low^)? (`high` `=` $high^)? attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

class Gemmini_MvinOpBase<string mnemonic, string unit>
    : Gemmini_Command<mnemonic> {
  let summary = "load rows from DRAM with the " # unit # " load unit";
  let description = [{
    Copies `rows` rows of `cols` elements from the DRAM byte address `dram` to
    local rows from `addr` on. Columns beyond the array's side go to a further
    block of rows, `block_stride` rows on. `zero` in place of the address clears
    the rows without touching DRAM. An accumulator destination takes int32
    elements, unless the unit is configured with `shrink`; with `accumulate` in
    the address the load adds.

    Limits: `rows` at most the side; at most one DMA request (or one block) of
    int8 columns, one block of int32 columns.

    Example:

    ```mlir
    gemmini.}] # mnemonic # [{ %dram to %a rows %r cols %c : !gemmini.addr<spad>
    gemmini.}] # mnemonic # [{ zero to %acc rows %r cols %c : !gemmini.addr<acc>
    ```
  }];
  let arguments = (ins
    Optional<I64>:$dram,
    Gemmini_AddrType:$addr,
    Index:$rows,
    Index:$cols
  );
  let assemblyFormat = [{
    ($dram^) : (`zero`)? `to` $addr `rows` $rows `cols` $cols attr-dict
    `:` qualified(type($addr))
  }];
  let hasVerifier = 1;
}

def Gemmini_MvinOp : Gemmini_MvinOpBase<"mvin", "first">;
def Gemmini_Mvin2Op : Gemmini_MvinOpBase<"mvin2", "second">;
def Gemmini_Mvin3Op : Gemmini_MvinOpBase<"mvin3", "third">;

def Gemmini_MvinScalesOp : Gemmini_Command<"mvin_scales"> {
  let summary = "load scales of output channels into the store unit";
  let description = [{
    `count` f32 from the DRAM byte address `dram` on become the scales from
    index `first` on. The store unit holds as many as the target's
    `readout_scales`; see `config_readout`.

    Example:

    ```mlir
    gemmini.mvin_scales %dram to 0 count 64
    ```
  }];
  let arguments = (ins I64:$dram, I64Attr:$first, I64Attr:$count);
  let assemblyFormat = "$dram `to` $first `count` $count attr-dict";
  let hasVerifier = 1;
}

def Gemmini_MvoutOp : Gemmini_Command<"mvout"> {
  let summary = "store rows to DRAM";
  let description = [{
    Copies `rows` rows of `cols` elements from local rows from `addr` on to the
    DRAM byte address `dram`. From the accumulator int8 results are scaled,
    activated and saturated as `config_st` says; a `full_width` address gives
    the int32 elements as they are; from the scratchpad bytes are copied. The
    blocks of a wide store are `side` local rows apart. While `config_st` asks
    for pooling, `rows` is not looked at and `cols` is at most the side.

    Example:

    ```mlir
    gemmini.mvout %c to %dram rows %r cols %n : !gemmini.addr<acc>
    ```
  }];
  let arguments = (ins
    Gemmini_AddrType:$addr,
    I64:$dram,
    Index:$rows,
    Index:$cols
  );
  let assemblyFormat = [{
    $addr `to` $dram `rows` $rows `cols` $cols attr-dict `:` qualified(type($addr))
  }];
  let hasVerifier = 1;
}

def Gemmini_MvoutSpadOp : Gemmini_Command<"mvout_spad"> {
  let summary = "copy accumulator rows to the scratchpad";
  let description = [{
    As `mvout`, with scale, activation and pooling of `config_st`, but the int8
    rows go to the scratchpad, `dst_stride` rows apart; pooled pixel (r, c) to row
    `(r * out_dim + c) * dst_stride`, whatever `rows` says. Only machines whose
    hand-over is `mvout_spad` have it.

    Example:

    ```mlir
    gemmini.mvout_spad %c to %a rows %r cols %n
    gemmini.mvout_spad %c to %a dst_stride = 2 rows %r cols %n
    ```
  }];
  let arguments = (ins
    Gemmini_AccAddr:$addr,
    Gemmini_SpadAddr:$dst,
    Index:$rows,
    Index:$cols,
    DefaultValuedAttr<I64Attr, "1">:$dst_stride
  );
  let assemblyFormat = [{
    $addr `to` $dst (`dst_stride` `=` $dst_stride^)? `rows` $rows `cols` $cols
    attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

def Gemmini_PreloadOp : Gemmini_Command<"preload"> {
  let summary = "name the stationary operand and the result";
  let description = [{
    The first half of a multiplication; exactly one compute follows. `b` is the
    stationary operand: B in `ws`, D in `os`. `gemmini.garbage` there keeps the
    weights of a following `compute_accumulated` (and is zeros for a
    `compute_preloaded`); as `c` it suppresses the write-back.

    Example:

    ```mlir
    gemmini.preload %b rows %k cols %n to %c rows %m cols %n
      : !gemmini.addr<spad>, !gemmini.addr<acc>
    ```
  }];
  let arguments = (ins
    Gemmini_AddrType:$b,
    Index:$b_rows,
    Index:$b_cols,
    Gemmini_AddrType:$c,
    Index:$c_rows,
    Index:$c_cols
  );
  let assemblyFormat = [{
    $b `rows` $b_rows `cols` $b_cols `to` $c `rows` $c_rows `cols` $c_cols
    attr-dict `:` qualified(type($b)) `,` qualified(type($c))
  }];
  let hasVerifier = 1;
}

class Gemmini_ComputeOpBase<string mnemonic, string what>
    : Gemmini_Command<mnemonic> {
  let description = what # [{ `a` is A; `d` is D in `ws` (usually
    `gemmini.garbage`: the partial sums are added by the `accumulate` of the
    result's address) and B in `os`. C = A * B + D goes where the `preload` just
    before says.

    Example:

    ```mlir
    gemmini.}] # mnemonic # [{ %a rows %m cols %k, %none rows %m cols %n
      : !gemmini.addr<spad>, !gemmini.addr<spad>
    ```
  }];
  let arguments = (ins
    Gemmini_AddrType:$a,
    Index:$a_rows,
    Index:$a_cols,
    Gemmini_AddrType:$d,
    Index:$d_rows,
    Index:$d_cols
  );
  let assemblyFormat = [{
    $a `rows` $a_rows `cols` $a_cols `,` $d `rows` $d_rows `cols` $d_cols
    attr-dict `:` qualified(type($a)) `,` qualified(type($d))
  }];
  let hasVerifier = 1;
}

def Gemmini_ComputePreloadedOp : Gemmini_ComputeOpBase<"compute_preloaded", [{
    Multiplies with the operand that the preceding `preload` names.}]> {
  let summary = "multiply with the operand just preloaded";
}

def Gemmini_ComputeAccumulatedOp
    : Gemmini_ComputeOpBase<"compute_accumulated", [{
    Multiplies with what is in the array: in `ws` the weights stay, in `os` the
    running result.}]> {
  let summary = "multiply with the operand in the array";
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

def Gemmini_LoopWsOp : Gemmini_Command<"loop_ws"> {
  let summary = "multiply two matrices of blocks";
  let description = [{
    C = A * B + D for A of `i` x `k`, B of `k` x `j`, C and D of `i` x `j` blocks
    of the array's side; the last blocks lack `pads` elements. A state machine
    issues the loads, computes and stores, for k, j, i from the outside to the
    inside, beside those of the loop before.

    - `a`, `b`: DRAM byte addresses; 0 at run time: the operand lies where a loop
      before has put it. A is put from the start of half 1 or 2 of the
      scratchpad, B up to the end of one. Both take at most half of it together.
      An operand must not be loaded to where the loop right before finds its.
    - `d`: is loaded into the sums: int32, or int8 with `low_d`; `accumulate`
      must then be true. 0: nothing is loaded, and sums are overwritten, or
      added to with `accumulate`.
    - `c`: sums are stored there, scaled and activated as `config_st` says, or
      int32 with `full_c`. 0: they stay for the next loop. A loop that stores
      ends the use of its half of the accumulator, which the sums must fit in.
    - Strides are elements from one DRAM row to the next; 0 broadcasts a row of
      D. `config_ld` 0, 1, 2 (A, B, D) and `config_st` must hold the same in
      bytes, and a `block_stride` of the side.

    One operation for six instructions, as the loop unit forgets what it was
    told after each loop.

    Example:

    ```mlir
    gemmini.loop_ws blocks [%i, %j, %k] pads [%pi, %pj, %pk]
      a(%a stride = 64 half %ha) b(%b stride = 128 half %hb)
      d(%d stride = 0) c(%c stride = 128) accumulate(%true)
    ```
  }];
  let arguments = (ins
    Index:$i, Index:$j, Index:$k,
    Index:$pad_i, Index:$pad_j, Index:$pad_k,
    I64:$a, Index:$a_half, I64:$b, Index:$b_half, I64:$d, I64:$c,
    I1:$accumulate,
    I64Attr:$a_stride, I64Attr:$b_stride, I64Attr:$d_stride, I64Attr:$c_stride,
    UnitAttr:$full_c,
    UnitAttr:$low_d
  );
  let assemblyFormat = [{
    `blocks` `[` $i `,` $j `,` $k `]` `pads` `[` $pad_i `,` $pad_j `,` $pad_k `]`
    `a` `(` $a `stride` `=` $a_stride `half` $a_half `)`
    `b` `(` $b `stride` `=` $b_stride `half` $b_half `)`
    `d` `(` $d `stride` `=` $d_stride `)` `c` `(` $c `stride` `=` $c_stride `)`
    `accumulate` `(` $accumulate `)` (`full_c` $full_c^)? (`low_d` $low_d^)?
    attr-dict
  }];
  let hasVerifier = 1;
}

def Gemmini_LoopConvWsOp : Gemmini_Command<"loop_conv_ws"> {
  let summary = "convolve a tile of an image";
  let description = [{
    Adds the convolution of an input tile by `krows` x `kcols` taps of a kernel to
    `batches` x `orows` x `ocols` x `ochs` sums. A state machine loads all, then
    computes all, then stores all, beside the loops before and behind it.

    - `input`, `weights`, `bias`, `output`: DRAM byte addresses of the tile's
      first stored pixel, weight, channel and result. 0 at run time: input or
      weights lie where a loop before has put them, nothing is loaded into the
      sums, they stay for the next loop. With `no_bias` zeros are loaded where
      `bias` is not 0. Input goes from the start of half 1 or 2 of the scratchpad
      on (0: in turns), weights up to the end of one.
    - `pads`: rows above and below, columns left and right of what is stored.
    - `in_dims`: images, rows, columns and channels of the input; `out_dims`: rows,
      columns and channels of the output before pooling; `strides`: elements from
      one pixel of the input, one input channel of the weights and one pixel of
      the output to the next.
    - `pool`: size, stride, rows above, columns left of the image, pooled rows,
      pooled columns of the tile, pooled rows and columns of the tensor.
    - `pixels_per_row`: taps of a kernel row that one pass multiplies, where all
      their channels fit into the array's rows.

    The loop configures its moves itself: `config_ld` must be given again before
    other moves, after pooling `config_st`, too. `config_ex` must have an
    `a_stride` of the stride (1 with `downsample`), `config_st` a stride of an
    output pixel.

    Example:

    ```mlir
    gemmini.loop_conv_ws tile [%n, %p, %q, %k] taps [%r, %s, %c]
      pads [%up, %down, %left, %right] input(%in half %hi)
      weights(%w half %hw) bias(%b) output(%out) {
        in_dims = array<i64: 1, 56, 56, 64>, out_dims = array<i64: 56, 56, 64>,
        strides = array<i64: 64, 64, 64>, kernel_dim = 3 : i64}
    ```
  }];
  let arguments = (ins
    Index:$batches, Index:$orows, Index:$ocols, Index:$ochs,
    Index:$krows, Index:$kcols, Index:$kchs,
    Index:$pad_up, Index:$pad_down, Index:$pad_left, Index:$pad_right,
    I64:$input, Index:$input_half, I64:$weights, Index:$weight_half,
    I64:$bias, I64:$output,
    DenseI64ArrayAttr:$in_dims, DenseI64ArrayAttr:$out_dims,
    DenseI64ArrayAttr:$strides,
    DefaultValuedAttr<I64Attr, "1">:$kernel_dim,
    DefaultValuedAttr<I64Attr, "1">:$stride,
    DefaultValuedAttr<I64Attr, "1">:$dilation,
    DefaultValuedAttr<I64Attr, "1">:$pixels_per_row,
    OptionalAttr<DenseI64ArrayAttr>:$pool,
    DefaultValuedAttr<Gemmini_ActivationAttr,
                      "::fadiff::gemmini::Activation::None">:$activation,
    UnitAttr:$no_bias,
    UnitAttr:$depthwise,
    UnitAttr:$downsample
  );
  let assemblyFormat = [{
    `tile` `[` $batches `,` $orows `,` $ocols `,` $ochs `]`
    `taps` `[` $krows `,` $kcols `,` $kchs `]`
    `pads` `[` $pad_up `,` $pad_down `,` $pad_left `,` $pad_right `]`
    `input` `(` $input `half` $input_half `)`
    `weights` `(` $weights `half` $weight_half `)`
    `bias` `(` $bias `)` `output` `(` $output `)` attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

def Gemmini_FlushOp : Gemmini_Command<"flush"> {
  let summary = "flush the address translation of the DMA";
  let description = [{
    Once at the start of a program. With `skip` the flush is skipped.

    Example:

    ```mlir
    gemmini.flush
    ```
  }];
  let arguments = (ins UnitAttr:$skip);
  let assemblyFormat = "(`skip` $skip^)? attr-dict";
}

def Gemmini_FenceOp : Gemmini_Command<"fence"> {
  let summary = "wait until all DRAM accesses are done";
  let description = [{
    The machine orders accesses to its own memories; it does not order accesses
    to DRAM. A fence is needed between a `mvout` and a `mvin` of the same bytes,
    and wherever data passes between the host and the accelerator.

    Example:

    ```mlir
    gemmini.fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Gemmini_RegionOp : Gemmini_Command<"region"> {
  let summary = "what follows belongs to a layer";
  let description = [{
    Not an instruction: the simulator books its counters (bytes, cycles) under
    `id` from here on. Other targets drop it. `name` is for people.

    Example:

    ```mlir
    gemmini.region 3 "conv1"
    ```
  }];
  let arguments = (ins I64Attr:$id, OptionalAttr<StrAttr>:$name);
  let assemblyFormat = "$id ($name^)? attr-dict";
  let builders = [
    OpBuilder<(ins "int64_t":$id, CArg<"::llvm::StringRef", "{}">:$name), [{
      build($_builder, $_state, static_cast<uint64_t>(id),
            name.empty() ? ::mlir::StringAttr()
                         : $_builder.getStringAttr(name));
    }]>
  ];
  let hasVerifier = 1;
}

def Gemmini_MemberOp : Gemmini_Command<"member"> {
  let summary = "what follows belongs to a layer of the region";
  let description = [{
    Not an instruction: in a region of several layers, which are members of a
    fusion group, the simulator's trace books what follows under the layer
    `index`, from 0. Other targets drop it.

    Example:

    ```mlir
    gemmini.member 1
    ```
  }];
  let arguments = (ins I64Attr:$index);
  let assemblyFormat = "$index attr-dict";
  let hasVerifier = 1;
}

#endif // FADIFF_DIALECT_GEMMINI_GEMMINIOPS_TD
