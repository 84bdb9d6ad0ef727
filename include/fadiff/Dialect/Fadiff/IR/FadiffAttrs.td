//===- FadiffAttrs.td - Attributes of the fadiff dialect ---*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_FADIFF_IR_FADIFFATTRS_TD
#define FADIFF_DIALECT_FADIFF_IR_FADIFFATTRS_TD

include "fadiff/Dialect/Fadiff/IR/FadiffDialect.td"
include "fadiff/Dialect/Fadiff/IR/FadiffInterfaces.td"
include "fadiff/Dialect/Target/IR/TargetInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"

class Fadiff_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<FadiffDialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// The values mirror fadiff::Dim and fadiff::Level (checked by static_assert).
def Fadiff_LoopDim : I32EnumAttr<"LoopDim", "a loop dimension of a layer", [
    I32EnumAttrCase<"N", 0>, I32EnumAttrCase<"G", 1>, I32EnumAttrCase<"K", 2>,
    I32EnumAttrCase<"C", 3>, I32EnumAttrCase<"P", 4>, I32EnumAttrCase<"Q", 5>,
    I32EnumAttrCase<"R", 6>, I32EnumAttrCase<"S", 7>]> {
  let cppNamespace = "::fadiff::ir";
}

def Fadiff_MemoryLevel : I32EnumAttr<"MemoryLevel", "a memory level", [
    I32EnumAttrCase<"registers", 0>, I32EnumAttrCase<"accumulator", 1>,
    I32EnumAttrCase<"scratchpad", 2>, I32EnumAttrCase<"dram", 3>]> {
  let cppNamespace = "::fadiff::ir";
}

def Fadiff_TargetAttr : Fadiff_Attr<"Target", "target", [
    DeclareAttrInterfaceMethods<TargetAttrInterface>]> {
  let summary = "the machine a module is scheduled for";
  let description = [{
    Every field of `fadiff::Accelerator` by name (docs/Hardware.md: sizes in
    bytes, time in cycles, energy in pJ). Set on the module as `fadiff.target`
    by `--fadiff-attach-target` from a built-in name or a YAML file; all passes
    and verifiers read the machine from here and nowhere else.

    A built-in machine can be written by its name, and fields that shall differ
    behind it. That is read as the whole record, and printed as the whole
    record, in braces: a module that a tool has written means the same to
    another version of FADiff, whose machine of that name may have changed.

    Examples:

    ```mlir
    module attributes {fadiff.target = #fadiff.target<"gemmini">}
    module attributes {fadiff.target = #fadiff.target<"tiny", side = 8, hand_over = "none">}
    module attributes {fadiff.target = #fadiff.target<"mine", {side = 4, ...}>}
    ```
  }];
  let parameters = (ins StringRefParameter<"machine name">:$machine,
                        "::mlir::DictionaryAttr":$fields);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static TargetAttr get(::mlir::MLIRContext *context,
                          const ::fadiff::Accelerator &accelerator);
  }];
}

def Fadiff_WorkloadAttr : Fadiff_Attr<"Workload", "workload"> {
  let summary = "a layer as a loop nest: dims, strides, padding, layouts";
  let description = [{
    The eight loop dims `N G K C P Q R S` (K and C per group; dims of extent 1
    are not printed), and for windows the stride, dilation, low padding and
    unpadded input extent on the axes H and W (printed where not trivial).
    Padding reads as `pad_value`, an int8, or as zero where there is none. The
    layouts name the axes of the operands: input out of `N G C H W`, weights out
    of `G K C R S`, output out of `N G K P Q`, outermost first.

    Example:

    ```mlir
    #fadiff.workload<[N = 1, K = 64, C = 3, P = 112, Q = 112, R = 7, S = 7],
                     stride = [2, 2], pad = [3, 3], input = [224, 224],
                     layouts = "NHWC" "RSCK" "NPQK">
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "the dims in the order N G K C P Q R S">:$dims,
    ArrayRefParameter<"int64_t", "[h, w]">:$stride,
    ArrayRefParameter<"int64_t", "[h, w]">:$dilation,
    ArrayRefParameter<"int64_t", "[h, w]">:$pad,
    ArrayRefParameter<"int64_t", "[h, w]">:$input,
    "int64_t":$padValue,
    StringRefParameter<"input axes">:$inputLayout,
    StringRefParameter<"weight axes">:$weightLayout,
    StringRefParameter<"output axes">:$outputLayout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Of weights in rows of `J` columns: a depthwise layer's as block-diagonal
    /// tiles, others as blocks of K (weightBlock()). The taps along tapDim()
    /// come next, so that one move can bring the rows of several.
    std::string getBlockedWeightLayout() const;
  }];
}

def Fadiff_MaxPoolAttr : Fadiff_Attr<"MaxPool", "max_pool"> {
  let summary = "max pooling of a layer's outputs";
  let description = [{
    Windows of `size` x `size` outputs, `stride` apart, the first of which starts
    `pad` rows and columns before the first output; there are `outputs` of them
    along each axis. Padding never wins.

    Example: `#fadiff.max_pool<size = 3, stride = 2, pad = [1, 1], outputs = [56, 56]>`
  }];
  let parameters = (ins
    "int64_t":$size,
    "int64_t":$stride,
    ArrayRefParameter<"int64_t", "[h, w]">:$pad,
    ArrayRefParameter<"int64_t", "[h, w]">:$outputs);
  let assemblyFormat = [{
    `<` `size` `=` $size `,` `stride` `=` $stride `,`
    `pad` `=` `[` $pad `]` `,` `outputs` `=` `[` $outputs `]` `>`
  }];
  let genVerifyDecl = 1;
}

def Fadiff_EpilogueAttr : Fadiff_Attr<"Epilogue", "epilogue"> {
  let summary = "what happens to an accumulator value on its way out";
  let description = [{
    Without `scale` the layer yields the 32-bit sum. With it the layer yields
    `saturate_i8(round_half_even(f32(sum) * scale))`, a layer on f32 `sum *
    scale`, then `max(., 0)` if `relu`. This is what a Gemmini mvout does, so it is
    exact. Bias and residual, if there are any, are operands of the layer.

    With `residual_scale` an int8 residual is multiplied by that, rounded half to
    even and saturated to int8 before it is added, as it is loaded. Beside that it
    is added `residual_whole` times as it is, each time loaded again: together a
    scale above 1 that saturates nothing.

    Machines whose read-out can do more (docs/Hardware.md, "Read-out") also take
    layers whose `scale` is a vector, one per output channel (all groups one
    after the other), to which `zero_point` is added behind the rounding, and
    which are clamped to `[low, high]`: with all of them
    `clamp(round_half_even(f32(sum) * scale[channel]) + zero_point, low, high)`,
    of `max(sum, 0)` in place of `sum` if `relu`. Nothing overflows in between.

    With `pool` it is pooled after that, and the layer yields the pooled outputs:
    as a fusion group hands them over on chip, or on their way to DRAM. The loops
    over P and Q at DRAM of a layer that stores pooled outputs cut these.
    Elsewhere pooling is an operation of its own, on the host.

    Examples:

    ```mlir
    #fadiff.epilogue<scale = 1.250000e-03 : f32, relu>
    #fadiff.epilogue<scale = dense<[0.25, 0.5]> : tensor<2xf32>, zero_point = -3,
                     clamp = [-3, 90]>
    ```
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::Attribute",
                      "an f32, or a vector of them">:$scale,
    DefaultValuedParameter<"bool", "false">:$relu,
    DefaultValuedParameter<"int64_t", "0">:$zeroPoint,
    DefaultValuedParameter<"int64_t", "-128">:$low,
    DefaultValuedParameter<"int64_t", "127">:$high,
    OptionalParameter<"::fadiff::ir::MaxPoolAttr">:$pool,
    OptionalParameter<"::mlir::FloatAttr">:$residualScale,
    DefaultValuedParameter<"int64_t", "0">:$residualWhole);
  let builders = [
    AttrBuilder<(ins "::mlir::Attribute":$scale, "bool":$relu,
                     "::fadiff::ir::MaxPoolAttr":$pool), [{
      return $_get($_ctxt, scale, relu, 0, -128, 127, pool, ::mlir::FloatAttr(), 0);
    }]>
  ];
  let extraClassDeclaration = [{
    /// The scale of all channels; 1 if each has its own, or there is none.
    float getOneScale() const;
    /// Those of the channels, or null.
    ::mlir::DenseFPElementsAttr getChannelScales() const;
    /// What a read-out must be able to do for it.
    ::fadiff::ReadOutFeatures getFeatures() const;
    /// Whether no output is below what a sum of zero is read as.
    bool isAboveZeroSum() const;
    /// The same, pooled.
    EpilogueAttr withPool(MaxPoolAttr pool) const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Fadiff_MappingAttr : Fadiff_Attr<"Mapping", "mapping"> {
  let summary = "where each loop of a layer runs";
  let description = [{
    Per memory level the loops, outermost first, as `dim:factor`; the array
    takes C (rows) and K (columns; of a depthwise layer G on both). Factors
    count iterations; they need not divide, the last tile is then smaller.

    Example:

    ```mlir
    #fadiff.mapping<dram [P:7 K:2], scratchpad [Q:2], accumulator [R:3 S:3 C:2],
                    registers [P:8 Q:28], array [32 x 32]>
    ```
  }];
  // Flattened pairs (dim, factor), outermost first.
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$dram,
    ArrayRefParameter<"int64_t">:$scratchpad,
    ArrayRefParameter<"int64_t">:$accumulator,
    ArrayRefParameter<"int64_t">:$registers,
    "int64_t":$rows, "int64_t":$cols);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// Any attribute that implements the interface.
def Fadiff_AnyCostModel
    : Attr<CPred<"::llvm::isa<::fadiff::ir::DifferentiableCost>($_self)">,
           "a differentiable cost"> {
  let storageType = "::fadiff::ir::DifferentiableCost";
  let returnType = "::fadiff::ir::DifferentiableCost";
  let convertFromStorage = "$_self";
}

def Fadiff_CostModelAttr : Fadiff_Attr<"CostModel", "cost_model", [
    DeclareAttrInterfaceMethods<DifferentiableCost>]> {
  let summary = "a built-in cost model";
  let description = [{
    `convention` is `machine` (true of the emitted program, the default) or
    `timeloop` (for comparison with other tools); `model` is `exact` (the
    default) or `paper` (the FADiff paper's equations as printed); see
    docs/CostModel.md; `latency` is `roofline` (the default), `issue` (of
    array, memories and the core that issues the commands) or `streams`
    (docs/Latency.md; `gemmini` is read as that). Written by
    `--fadiff-attach-cost`, read by the search.

    Example: `#fadiff.cost_model<"machine">`,
    `#fadiff.cost_model<"timeloop", model = "paper">`,
    `#fadiff.cost_model<"machine", latency = "streams">`
  }];
  let parameters = (ins StringRefParameter<>:$convention,
                        StringRefParameter<"exact or paper",
                                           "\"exact\"">:$model,
                        StringRefParameter<"roofline, issue or streams",
                                           "\"roofline\"">:$latency);
  let assemblyFormat = [{
    `<` $convention (`,` struct($model, $latency)^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Fadiff_CostAttr : Fadiff_Attr<"Cost", "cost"> {
  let summary = "the predicted cost of a layer or group at its mapping";
  let description = [{
    Energy in pJ, latency in cycles and DRAM bytes read and written, as the
    named cost model counts them. In a fusion group, bytes that stay on chip
    are not counted.

    Example:

    ```mlir
    #fadiff.cost<energy = 4.1e+08 pJ, cycles = 1.2e+05,
                 dram_read = 505344 B, dram_write = 200704 B, by "machine">
    ```
  }];
  let parameters = (ins "::mlir::FloatAttr":$energy, "::mlir::FloatAttr":$cycles,
                        "int64_t":$dramRead, "int64_t":$dramWrite,
                        StringRefParameter<"cost model">:$model);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // FADIFF_DIALECT_FADIFF_IR_FADIFFATTRS_TD
