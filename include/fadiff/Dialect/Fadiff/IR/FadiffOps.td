//===- FadiffOps.td - Operations of the fadiff dialect -----*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_FADIFF_IR_FADIFFOPS_TD
#define FADIFF_DIALECT_FADIFF_IR_FADIFFOPS_TD

include "fadiff/Dialect/Fadiff/IR/FadiffTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Fadiff_Op<string mnemonic, list<Trait> traits = []>
    : Op<FadiffDialect, mnemonic, traits>;

def Fadiff_OnChipMemory : Resource<"::fadiff::ir::OnChipMemory">;

//===----------------------------------------------------------------------===//
// Layers and groups: the decision
//===----------------------------------------------------------------------===//

def Fadiff_LayerOp : Fadiff_Op<"layer", [
    IsolatedFromAbove, Pure, AttrSizedOperandSegments,
    SingleBlockImplicitTerminator<"::fadiff::ir::YieldOp">]> {
  let summary = "a contraction with its elementwise tail";
  let description = [{
    One unit of scheduling: a convolution, depthwise convolution, GEMM or batched
    GEMM on int8 with an int32 accumulator, or on f32, and the tail that the
    accelerator applies on the way out (requantisation, ReLU, max pooling). The
    sums start from zero, a bias (one i32, or f32, per channel), a residual (a
    tensor of the result's shape, int8 or of the sums' type), or both added. The
    region holds the same computation as ordinary `linalg`, on the block
    arguments; it is what the layer means. `workload` and `epilogue` are what the region was
    recognised as, `mapping` is the decision and `cost` what was predicted for
    it. With `loop_ws` the layer, which is in no group, is run by the machine's
    matmul loop.

    Example:

    ```mlir
    %y = fadiff.layer "fc" ins(%x, %w : tensor<1x512xi8>, tensor<512x1000xi8>)
        workload(<[K = 1000, C = 512], layouts = "NC" "CK" "NK">)
        epilogue(<scale = 1.0e-3 : f32>) {
    ^bb0(%a: tensor<1x512xi8>, %b: tensor<512x1000xi8>):
      ...
      fadiff.yield %z : tensor<1x1000xi8>
    } -> tensor<1x1000xi8>
    ```
  }];
  let arguments = (ins StrAttr:$name,
                       AnyRankedTensor:$input, AnyRankedTensor:$weights,
                       Optional<AnyRankedTensor>:$bias,
                       Optional<AnyRankedTensor>:$residual,
                       Fadiff_WorkloadAttr:$workload,
                       Fadiff_EpilogueAttr:$epilogue,
                       OptionalAttr<Fadiff_MappingAttr>:$mapping,
                       OptionalAttr<Fadiff_AnyCostModel>:$cost_model,
                       OptionalAttr<Fadiff_CostAttr>:$cost,
                       UnitAttr:$loop_ws);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `ins` `(` $input `,` $weights (`,` $bias^)? `:`
    type($input) `,` type($weights) (`,` type($bias)^)? `)`
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    `workload` `(` $workload `)`
    `epilogue` `(` $epilogue `)` (`mapping` `(` $mapping^ `)`)?
    (`cost_model` `(` $cost_model^ `)`)? (`cost` `(` $cost^ `)`)?
    (`loop_ws` $loop_ws^)?
    attr-dict-with-keyword $body `->` type($result)
  }];
  let hasVerifier = 1;
}

def Fadiff_FusionGroupOp : Fadiff_Op<"fusion_group", [
    Pure, SingleBlockImplicitTerminator<"::fadiff::ir::YieldOp">]> {
  let summary = "layers that run tile by tile with intermediates on chip";
  let description = [{
    A chain of `fadiff.layer` ops, each reading one before; what they make is read
    inside, and the group yields the last one's result. The tile is what the last
    layer's N, P and Q loops at DRAM level cut out of its result; of the others
    each tile makes what its consumer's window reads, computing overlaps again.
    So their mappings must cover that, and their own N, P, Q factors at DRAM mean
    nothing.

    `live_skips` are the positions of layers whose residual stays in the
    scratchpad until it is added: the input of a layer of the group (the first
    one's, too), or what a layer of the group makes. Beside the chain there may
    be layers that read the input of another one and make nothing but such a
    residual. Residuals of the other layers come from DRAM.

    `input_slices`, one number per layer, says of a layer that it gets its input
    so many channels at a time (0: whole): its producer, the layer before, makes
    them, then this layer adds them up, or runs its groups if it is depthwise,
    and so in turn. The outermost loop of its own that each of the two has, at
    DRAM level or else at the scratchpad, walks these channels.

    With `keep_rows` each tile makes, and loads, only the rows that no tile before
    has made, as long as the tiles walk down P: where windows of neighbouring rows
    overlap, or a layer further on adds the tile, buffers keep what a later tile
    reads. P must be the innermost of the group's loops and have several tiles.
    `keep_columns` is the same along W, down Q; a group has one of the two.

    With `input_turns` the group's input has two places in the scratchpad, in
    turn, or lies in a ring with lines for what is new of its next tile: that
    comes in while the layers run on this one.

    Example:

    ```mlir
    %y = fadiff.fusion_group tile [N = 1, P = 8, Q = 56] {
      %a = fadiff.layer "dw1" ...
      %b = fadiff.layer "pw1" ins(%a, ...) ...
      fadiff.yield %b : tensor<1x56x56x64xi8>
    } -> tensor<1x56x56x64xi8>
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$tile, UnitAttr:$keep_rows,
                       UnitAttr:$keep_columns,
                       OptionalAttr<DenseI64ArrayAttr>:$live_skips,
                       OptionalAttr<DenseI64ArrayAttr>:$input_slices,
                       UnitAttr:$input_turns,
                       OptionalAttr<Fadiff_CostAttr>:$cost);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `tile` custom<GroupTile>($tile) (`keep_rows` $keep_rows^)?
    (`keep_columns` $keep_columns^)? (`live_skips` $live_skips^)? (`input_slices` $input_slices^)?
    (`input_turns` $input_turns^)? (`cost` `(` $cost^ `)`)?
    attr-dict-with-keyword $body `->` type($result)
  }];
  let hasVerifier = 1;
}

def Fadiff_YieldOp : Fadiff_Op<"yield", [
    Pure, Terminator,
    ParentOneOf<["LayerOp", "FusionGroupOp"]>]> {
  let summary = "ends a layer or group with its result";
  let description = "Example: `fadiff.yield %z : tensor<1x1000xi8>`";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), "build($_builder, $_state, ::mlir::ValueRange{});">];
}

def Fadiff_WindowsOp : Fadiff_Op<"windows", [Pure]> {
  let summary = "the windows that slide along a tensor's columns, as channels";
  let description = [{
    Of a tensor whose last axes are columns W and channels C, `result[..., q, s *
    C + c]` is `source[..., from + q * stride + s, c]` for `s < taps`: im2col
    along one axis. In memory it is a view: where columns and channels lie
    densely, the taps of a window are neighbours, so rows of `taps * C` elements
    that start every `stride * C` elements, and overlap if `stride < taps`.
    Nothing is copied. The result type says how many windows there are; all must
    lie inside the source, so padding is written out before; `from`, 0 if left
    out, lets it be wider than any window reads, such that lines of pixels begin
    at words of the core's memory.

    `fadiff-pack-taps` gives a convolution of few channels such an input, so that
    a whole kernel row, or with image rows interleaved before the whole kernel,
    fills the array's rows.

    Example:

    ```mlir
    %w = fadiff.windows %x from 5 taps 7 stride 2
        : tensor<1x224x240x3xi8> to tensor<1x224x112x21xi8>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       DefaultValuedOptionalAttr<I64Attr, "0">:$from,
                       I64Attr:$taps, I64Attr:$stride);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source (`from` $from^)? `taps` $taps `stride` $stride attr-dict `:` type($source) `to`
    type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Loop nests: the decision materialised
//===----------------------------------------------------------------------===//

def Fadiff_LoopNestOp : Fadiff_Op<"loop_nest", [
    IsolatedFromAbove, AttrSizedOperandSegments,
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    SingleBlock, NoTerminator]> {
  let summary = "a tiled loop nest over explicit memory levels";
  let description = [{
    One layer or fusion group as the program that the machine will run. Block
    arguments stand for the operands (`ins` then `outs`) in DRAM.

    The body starts with the on-chip buffers (`fadiff.alloc`), then holds a tree
    of `fadiff.for` loops with one `fadiff.stage` per layer. Each `fadiff.for`
    splits the current interval of its dim; the *box* at a point of the tree is
    the product over all dims of their current intervals, and every copy and
    compute below acts on the tile of its tensor that this box touches. So no
    index arithmetic appears, and coverage, capacity and traffic can be read off
    the tree.

    Around stages the loops split the result of the last one, pooled if it is;
    inside a stage the box starts as what its layer has to make of that
    tile: its consumer's window, clipped at the borders. A nest made from a
    fusion group names the group's `tile`.

    With `keep_rows` a member's box starts with the rows that no tile before has
    made, and the loop over P outside of the stages begins as many trips early as
    it takes for all members to make equally many rows per tile. The buffers of
    tiles of which rows stay are rings: a row lies at its number, modulo the
    buffer's lines. The loads of such a tile stand outside all loops of its
    stage.

    A nest of a group that keeps columns keeps rows of images that are `turned`:
    its stages, their layouts, mappings and the tile have H and W, P and Q, R and
    S exchanged.

    `input_slices`, one number per stage that computes, is that of the fusion
    group: the channels that a stage gets at a time, from the stage inside of it
    (0: its whole input).

    With `input_turns` the buffer of the group's input has two places, in turn,
    one behind the other: the tile of the group's loops at hand, and the next one.
    A ring has lines for what is new of the next one.

    The operands are, in order: the input, for each stage its weights and its
    bias and its residual, as far as it has them, the result. A second one of
    `outs`, int32 or f32, receives partial sums when reduction loops lie outside
    the loops over output tiles.

    What a nest must satisfy to compute its layers is checked by
    `fadiff-verify-schedule`, and again before it is lowered (docs/Lowering.md).

    Example:

    ```mlir
    %y = fadiff.loop_nest ins(%x, %w : tensor<49x512xi8>, tensor<512x256xi8>)
                          outs(%init : tensor<49x256xi8>) {
    ^bb0(%X: !fadiff.dram<49x512xi8>, %W: !fadiff.dram<512x256xi8>,
         %Y: !fadiff.dram<49x256xi8>):
      %i = fadiff.alloc 0 : !fadiff.buffer<scratchpad, 784>
      %b = fadiff.alloc 784 : !fadiff.buffer<scratchpad, 2048>
      %o = fadiff.alloc 0 : !fadiff.buffer<accumulator, 196>
      fadiff.stage "fc" workload(...) epilogue(...) array [32, 32] {
        fadiff.load input %X into %i : ...
        fadiff.for K step 128 at dram {
          fadiff.load weights %W into %b : ...
          fadiff.init %o : ...
          fadiff.for C step 32 at accumulator {
            fadiff.compute %i, %b into %o : ...
          }
          fadiff.store %o to %Y : ...
        }
      }
    } -> tensor<49x256xi8>
    ```
  }];
  let arguments = (ins Variadic<AnyShaped>:$inputs, Variadic<AnyShaped>:$outs,
                       OptionalAttr<DenseI64ArrayAttr>:$tile,
                       UnitAttr:$keep_rows, UnitAttr:$turned,
                       OptionalAttr<DenseI64ArrayAttr>:$input_slices,
                       UnitAttr:$input_turns,
                       OptionalAttr<Fadiff_CostAttr>:$cost);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $outs `:` type($outs) `)`
    (`tile` custom<GroupTile>($tile)^)? (`keep_rows` $keep_rows^)?
    (`turned` $turned^)? (`input_slices` $input_slices^)?
    (`input_turns` $input_turns^)? (`cost` `(` $cost^ `)`)?
    attr-dict-with-keyword $body (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
}

// Not pure: two buffers at the same rows at different times are two buffers.
def Fadiff_AllocOp : Fadiff_Op<"alloc", [
    MemoryEffects<[MemAlloc<Fadiff_OnChipMemory>]>, HasParent<"LoopNestOp">]> {
  let summary = "an on-chip buffer at a fixed row";
  let description = [{
    Example: `%t = fadiff.alloc 784 : !fadiff.buffer<scratchpad, 2048>`
  }];
  let arguments = (ins I64Attr:$base);
  let results = (outs Fadiff_BufferType:$buffer);
  let assemblyFormat = "$base attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Fadiff_StageOp : Fadiff_Op<"stage", [
    ParentOneOf<["LoopNestOp", "ForOp", "StageOp"]>, SingleBlock, NoTerminator,
    RecursiveMemoryEffects]> {
  let summary = "one layer's part of a loop nest";
  let description = [{
    Copies and computes inside belong to the named layer. A stage may stand
    inside the loops over the input channels of the stage that reads its output:
    then it makes only these channels each time. `array [rows, cols]`
    is the part of the array that one compute uses: C over rows, K over columns
    (G over both for a depthwise layer). `mapping` and `cost` are the decision
    that the nest was made from and what was predicted for it; the loops are
    what counts. With `loop_ws` the inner loops are for the machine's matmul
    loop, which the mapping must allow.

    `reads` declares whose tiles the stage takes on chip, for verification: its
    input and, if its sums start from a `skip`, that. Each is the position of
    the stage that makes it, among those that compute, or -1 for the nest's
    input. Without it whatever lies in the buffers is taken for right.
  }];
  let arguments = (ins StrAttr:$name, Fadiff_WorkloadAttr:$workload,
                       Fadiff_EpilogueAttr:$epilogue, I64Attr:$rows,
                       I64Attr:$cols,
                       OptionalAttr<Fadiff_MappingAttr>:$mapping,
                       OptionalAttr<Fadiff_CostAttr>:$cost,
                       OptionalAttr<DenseI64ArrayAttr>:$reads,
                       UnitAttr:$loop_ws);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `workload` `(` $workload `)` `epilogue` `(` $epilogue `)`
    `array` `[` $rows `,` $cols `]` (`mapping` `(` $mapping^ `)`)?
    (`cost` `(` $cost^ `)`)? (`reads` $reads^)? (`loop_ws` $loop_ws^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Fadiff_ForOp : Fadiff_Op<"for", [
    ParentOneOf<["LoopNestOp", "ForOp", "StageOp"]>, SingleBlock,
    NoTerminator, RecursiveMemoryEffects]> {
  let summary = "splits the current interval of one dim into steps";
  let description = [{
    Runs the body for each step of the current interval of `dim`; the last step
    is shorter if `step` does not divide it. `level` is the memory whose tile
    the loop walks through.

    Example: `fadiff.for P step 8 at dram { ... }`
  }];
  let arguments = (ins Fadiff_LoopDim:$dim, I64Attr:$step,
                       Fadiff_MemoryLevel:$level);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $dim `step` $step `at` $level attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Fadiff_LoadedOperand : I32EnumAttr<"LoadedOperand", "what a load fetches", [
    I32EnumAttrCase<"input", 0>, I32EnumAttrCase<"weights", 1>]> {
  let cppNamespace = "::fadiff::ir";
}

// What a copy does to DRAM is the loop nest's effect on its operands.
class Fadiff_TileOp<string mnemonic, list<Trait> traits = []>
    : Fadiff_Op<mnemonic, !listconcat(traits, [
        MemoryEffects<[MemRead<Fadiff_OnChipMemory>,
                       MemWrite<Fadiff_OnChipMemory>]>])> {
  let hasVerifier = 1;
}

def Fadiff_LoadOp : Fadiff_TileOp<"load"> {
  let summary = "DRAM to scratchpad: the tile that the current box touches";
  let description = [{
    Rows and columns outside of the stored input are padding: zeros, which are
    not fetched, or the workload's `pad_value`, from a constant.

    Weights lie as the workload's layout says or, with one axis more, in blocks
    of K: `[R, C, K / 16, S, 16]` for `RSCK`. A depthwise layer's are
    block-diagonal tiles.

    Example:
    `fadiff.load input %X into %t : !fadiff.dram<...>, !fadiff.buffer<...>`
  }];
  let extraClassDeclaration = [{
    /// Columns of the blocks in which dense weights lie; 0 if they do not.
    int64_t getWeightBlock();
  }];
  let arguments = (ins Fadiff_LoadedOperand:$operand, Fadiff_DramType:$source,
                       Fadiff_BufferType:$buffer);
  let assemblyFormat = [{
    $operand $source `into` $buffer attr-dict `:` type($source) `,` type($buffer)
  }];
}

def Fadiff_InitOp : Fadiff_TileOp<"init", [AttrSizedOperandSegments]> {
  let summary = "begins an output tile in the accumulator";
  let description = [{
    On the first visit (all reduction loops around are at their start) the tile
    becomes the residual plus the bias, as far as there are any; without either
    the first compute overwrites it. On later visits the partial sums are read
    back from `spill`.

    `skip` is a residual that is in the scratchpad already, as a tile that an
    earlier stage reads or makes: the first compute adds it.
  }];
  let arguments = (ins Fadiff_BufferType:$accumulator,
                       Optional<Fadiff_DramType>:$bias,
                       Optional<Fadiff_DramType>:$residual,
                       Optional<Fadiff_DramType>:$spill,
                       Optional<Fadiff_BufferType>:$skip);
  let assemblyFormat = [{
    $accumulator (`bias` $bias^)? (`residual` $residual^)? (`spill` $spill^)?
    (`skip` $skip^)? attr-dict `:` type($accumulator) (`bias` type($bias)^)?
    (`residual` type($residual)^)? (`spill` type($spill)^)? (`skip` type($skip)^)?
  }];
}

def Fadiff_ComputeOp : Fadiff_TileOp<"compute"> {
  let summary = "one weight tile in the array, the box's pixels streamed past";
  let description = [{
    The box must have R = S = 1, C within the array's rows and K within its
    columns. `input` is in the scratchpad, or in the accumulator where an earlier
    stage has stored it in place: the array then scales the sums as it reads
    them, by that stage's epilogue.
  }];
  let arguments = (ins Fadiff_BufferType:$input, Fadiff_BufferType:$weights,
                       Fadiff_BufferType:$accumulator);
  let assemblyFormat = [{
    $input `,` $weights `into` $accumulator attr-dict `:` type($input) `,`
    type($weights) `,` type($accumulator)
  }];
}

def Fadiff_StoreOp : Fadiff_TileOp<"store"> {
  let summary = "ends an output tile: to DRAM, or on chip to the next layer";
  let description = [{
    On the last visit the tile leaves through the stage's epilogue; on earlier
    ones the partial sums go to `spill`. A store to the accumulator's own buffer
    moves nothing: the sums stay, for the next layer to read where they lie. They
    lie as its window does.
  }];
  let arguments = (ins Fadiff_BufferType:$accumulator,
                       AnyTypeOf<[Fadiff_DramType, Fadiff_BufferType]>:$destination,
                       Optional<Fadiff_DramType>:$spill);
  let assemblyFormat = [{
    $accumulator `to` $destination (`spill` $spill^)? attr-dict `:`
    type($accumulator) `,` type($destination) (`spill` type($spill)^)?
  }];
  let extraClassDeclaration = [{
    /// Whether the sums stay where they are, for the next layer.
    bool isInPlace() { return getDestination() == getAccumulator(); }
  }];
}

#endif // FADIFF_DIALECT_FADIFF_IR_FADIFFOPS_TD
