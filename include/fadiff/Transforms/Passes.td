//===- Passes.td - The passes of --fadiff-schedule ---------*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_PASSES_TD
#define FADIFF_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportPass : Pass<"fadiff-import", "::mlir::ModuleOp"> {
  let summary = "Lower what front ends leave above linalg";
  let description = [{
    TOSA 1.0 operations by upstream's `tosa-to-linalg` passes (with
    `tosa-validate` at level `none` and all profiles and extensions, unless the
    module names its own `tosa.target_env`), `tosa.apply_scale` in the bodies of
    `linalg` operations, operations such as `linalg.softmax` that stand for
    several loop nests, and arithmetic on whole tensors. What is constant becomes
    an `arith.constant`: reads of
    `ml_program.global`s that are not mutable, tensors of constant
    `memref.global`s, and the values of a `dense_resource` that are in the file.
    A module without any of them is not changed. What has no lowering is an error
    at that operation.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def StaticShapesPass : Pass<"fadiff-static-shapes", "::mlir::ModuleOp"> {
  let summary = "Find or set the extents that a module leaves open";
  let description = [{
    A schedule needs to know all extents of a contraction. Where `linalg`
    operations have open ones:

    - Calls of functions whose arguments or results have open extents are
      inlined, since the extents are known at the call rather than in the
      function. Private functions that nothing calls any more go away, public
      ones stay as they are.
    - In the functions that have such operations then, upstream's
      canonicalisation and folding of dimensions carry known extents through
      allocations, casts and operations.

    `shapes` says what the arguments of one function have: extents separated by
    `x`, arguments by commas, such as `8x64,64x?,,10`. What is left out, and `?`,
    stays open. The function's type changes with it, so nothing may call it.
    A module in which no extent of a `linalg` operation is open is not changed.
  }];
  let options = [
    Option<"shapes", "shapes", "std::string", /*default=*/"",
           "Shapes of the arguments, in order, such as 8x64,64x?,,10 "
           "(default: those of the function's type).">,
    Option<"entry", "entry", "std::string", /*default=*/"",
           "The function that has these arguments (default: main, else the "
           "only public one).">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RaiseMemrefsPass : Pass<"fadiff-raise-memrefs", "::mlir::ModuleOp"> {
  let summary = "Bring linalg on memrefs to linalg on tensors";
  let description = [{
    Within each block that has `linalg` operations on memrefs, those, copies,
    loads and stores become operations on tensors, through `memref.subview`,
    `expand_shape`, `collapse_shape` and `cast`. What arguments, mutable globals
    and buffers from outside of the block hold is read by
    `bufferization.to_tensor` and written by
    `bufferization.materialize_in_destination`, constant globals become
    constants, and allocations that nothing else uses go away. In front of
    anything else that may touch a buffer (calls, loops, unknown operations) its
    tensor is written back, and read again behind it, so that this stays as it
    was. A function's interface does not change.

    Two arguments may share memory unless one of them is marked `llvm.noalias`:
    a write to one is visible in the other from the next operation on. What an
    argument holds is copied if memory changes before its last reader.

    Operations stay on memrefs if an output overlaps an input, other than
    element by element in place, or another output, if the body reads a memref,
    and in the bodies of `scf.parallel`, `scf.forall` and unknown loops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NormalizePass : Pass<"fadiff-normalize", "::mlir::ModuleOp"> {
  let summary = "Bring front ends' spellings to the form layers are found in";
  let description = [{
    Rewrites `linalg` on tensors into equal `linalg` that `fadiff-form-layers`
    takes more of:

    - An `scf.while` around a contraction that compares a counter with a bound
      becomes an `scf.for`, whose trips are known.
    - What upstream's passes have fused, generalised or stripped of unit dims is
      brought back to one operation for each tensor that one layer leaves and
      another one reads.
    - An operation that sums several products becomes one for each.
    - A convolution over three axes becomes one over two for each tap of the
      third, which starts from the sums of the one before; its image comes
      before the weights.
    - Several loops of one kind become one; packing into blocks and its inverse
      cancel.
    - Channels come last: contractions in other layouts get transposes around
      them, which cancel between contractions.
    - Zero points of a contraction (`_q` operations or subtractions in the body)
      become a bias per output channel and, if the weights have one, a
      correction of the sums on the host. A bias that is added to sums which
      start from one goes there, too.
    - Unsigned bytes become signed ones with a zero point; sums of bytes in fewer
      than 32 bits become sums in 32 that are cut.
    - f32 contractions of dequantised bytes become contractions of the bytes, if
      both are equal or with `requantize=hardware`; not if the target's array
      works in f32.
    - If it does, f16 and bf16 factors of f32 sums become f32 tensors, which
      gives the same products; sums in f16 or bf16 become f32 sums that are
      rounded once; batch normalisation and other affine functions of the sums with
      constants per channel go into constant weights and bias.
    - Reshapes that only add or drop unit dims, or split channels, move behind
      the elementwise operations that follow a contraction.
    - Depthwise convolutions with multiplier one lose that axis; transposed
      constants are transposed here.
    - Biases lose their unit dims; a scalar or a constant tensor that a sum
      starts from becomes a bias.
    - A requantisation of the sums to int8, in whatever arithmetic, becomes the
      accelerator's `f32(sum) * scale`, rounded half to even, if both give the
      same int8 for every sum that can occur (from the products of int8, the
      constant weights and the constant bias). Otherwise a `missed` remark
      `Requantise` names the largest deviation.
  }];
  let options = [
    Option<"requantize", "requantize", "::fadiff::Requantisation",
              /*default=*/"::fadiff::Requantisation::Exact",
           "What a requantisation may become: exact (only what is the same for "
           "every sum that can occur) or hardware (the accelerator's nearest, "
           "at most 1 apart; f32 sums of dequantised bytes without rounding) "
           "(default: exact).">,
    Option<"halves", "halves", "::fadiff::Halves",
              /*default=*/"::fadiff::Halves::Factors",
           "Contractions of f16 or bf16, if the target's array works in f32: "
           "factors (of f32 sums they become f32 tensors, which changes no "
           "result), widen (sums of 16 bits, too, are taken in f32 and rounded "
           "once, which does) or host (all stay there) (default: factors).">
  ];
  let dependentDialects = ["::fadiff::ir::FadiffDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FormLayersPass : Pass<"fadiff-form-layers", "::mlir::ModuleOp"> {
  let summary = "Group each contraction with its elementwise tail into a layer";
  let description = [{
    Recognises convolutions, depthwise convolutions, GEMMs and batched GEMMs on
    int8 with int32 sums (on f32 if the module's target works in f32) by their
    indexing maps and scalar bodies, whatever op they are spelled with, and
    folds constant padding in front and bias, requantisation and ReLU behind into
    one `fadiff.layer`. Operands whose channel axis does not come last are
    transposed on the host. The sum of an int8 layer's result and another int8
    tensor becomes a layer, too, which can follow the first one in a fusion group.

    Max pooling of int8 that follows no layer, or one that others read, too, gets
    a layer in front that multiplies by 1, if the target's machine pools as it
    stores and the core would take longer than the copy is moved. Windows that are
    larger than the machine's become several, one behind the other.

    A layer has the innermost name of its location; without one worth reading
    what it is and the line where it stands, such as "conv:12".

    Elementwise operations that are left and follow each other become one. What is
    left on the host gets a `missed` remark (category `fadiff`) with the reason;
    show them with
    `--remarks-filter=fadiff --remark-format=emitRemark`. Where that is more than
    can be told from the operation, it also stays with it as the attribute
    `fadiff.on_host`, for reports. A module in which nothing is recognised is an
    error unless `allow-empty` is set; the error names each reason once.
  }];
  let options = [
    Option<"allowEmpty", "allow-empty", "bool", /*default=*/"false",
           "Accept a module in which no layer is recognised (default: false).">,
    Option<"residual", "residual", "bool", /*default=*/"true",
           "Take residual additions as layers (default: true).">,
    Option<"pools", "pools", "bool", /*default=*/"true",
           "Put layers that copy in front of max pooling that no other layer can "
           "do as it stores (default: true).">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::fadiff::ir::FadiffDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseHostPass : Pass<"fadiff-fuse-host"> {
  let summary = "Make one loop of elementwise operations that stay on the host";
  let description = [{
    An elementwise `linalg.generic` outside of layers is computed in the loops of
    what reads it first, by upstream's fusion, if that reads each element once:
    another elementwise operation, or a reduction whose innermost loop is that of
    the reduction. What others read, too, becomes a second result; what is made
    of one tensor of bytes by a few steps is made anew in each reader that may
    become a table; what makes such bytes on its way, such as a quantisation in
    front of a dequantisation, is an operation of its own for that. A constant of
    two numbers that is added to such bytes, as exporters write masks, becomes a
    choice between the two. A mask that is no constant is looked at when the network
    runs: if all of its elements are 0 or so far below it that nothing is left (or
    choose), and some of each row of a softmax are shown, what follows up to bytes
    is computed by tables, else, in a second branch of an `scf.if` that is marked
    `fadiff.usual`, as it was written. Predictions are of the first branch.
    Before all this, axes of extent 1 are dropped where
    reshapes stand in the way. No scalar is computed from other operands, so
    results keep their bits. Quotients, roots and the like of numbers that few loops change, such as
    the root of a batch normalisation's variance, are computed apart, once per trip
    of these. What reports call the tail of a layer, contractions, and operations on constants
    alone stay as they are.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TabulatePass : Pass<"fadiff-tabulate"> {
  let summary = "Make tables of functions of a byte that stay on the host";
  let description = [{
    What the body of a `linalg.generic` computes of one tensor of i8, beside
    constants, by a function of libm becomes a lookup in a constant table of the
    256 results; so does all of a body with a product of two numbers that both
    depend on the byte (GELU, SiLU, sigmoid, HardSwish between quantised layers),
    or one that makes bytes of bytes in five steps or more (a change of scale that
    no layer has taken).
    A function of libm of two bytes becomes a table of 256 x 256 results, if the
    loops have at least an eighth as many points. A mask, by place or a tensor of
    i1, may choose between what depends on the bytes and one number.

    Before that, the largest of `g(x)` over bytes `x`, where `g` grows with `x`,
    becomes `g` of the largest byte: then `exp(g(x) - max)` of softmax is a
    function of two bytes. With a mask, each largest value must have something to
    choose from.

    Results are worked out by folding the body's operations, so they are the same
    bits as what the compiled program would compute on this machine; a body that
    does not fold stays as it is. Layers' own bodies are left alone.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AttachTargetPass : Pass<"fadiff-attach-target", "::mlir::ModuleOp"> {
  let summary = "Set the machine that the module is scheduled for";
  let description = [{
    Writes `#fadiff.target` as the module attribute `fadiff.target`. A target
    that is already there is kept unless the option is given.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "Name of a machine (docs/Hardware.md) or path of a YAML hardware "
           "description (default: the module's own target, else gemmini-large).">
  ];
  let dependentDialects = ["::fadiff::ir::FadiffDialect"];
}

def AttachCostPass : Pass<"fadiff-attach-cost", "::mlir::ModuleOp"> {
  let summary = "Choose the cost model of each layer";
  let description = [{
    Writes `#fadiff.cost_model` on every layer that has none.
  }];
  let options = [
    Option<"convention", "convention", "::fadiff::Convention",
              /*default=*/"::fadiff::Convention::Machine",
           "What to count: machine (what the emitted program does) or timeloop "
           "(for comparison with other tools) (default: machine).">,
    Option<"model", "model", "::fadiff::Model",
              /*default=*/"::fadiff::Model::Exact",
           "Which formulas: exact or paper (the FADiff paper's equations as "
           "printed) (default: exact).">,
    Option<"latency", "latency", "::fadiff::LatencyChoice",
              /*default=*/"::fadiff::LatencyChoice::Auto",
           "How cycles are counted: roofline (the slowest of array and "
           "memories), issue (of these and the core that issues the commands), "
           "streams (DMA latency, array fill, what overlaps; docs/Latency.md) "
           "or auto (streams for the machine's exact counts, roofline for "
           "others) (default: auto).">
  ];
  let dependentDialects = ["::fadiff::ir::FadiffDialect"];
}

def PackTapsPass : Pass<"fadiff-pack-taps", "::mlir::ModuleOp"> {
  let summary = "Give thin convolutions kernel taps as channels";
  let description = [{
    A convolution of few input channels leaves most rows of the array empty. In
    a dense NHWC image the S taps of a kernel row are neighbours, S * C bytes
    that start every `stride` pixels, so the layer is rewritten as one of C' = S
    * C channels and S' = 1 over a `fadiff.windows` of its input, a view. The
    weights change their shape only. Padding of columns is written out as a
    `tensor.pad` on the host; that of rows stays with the layer.

    Kernel rows are no neighbours. For them the host first writes a copy of the
    image that has, pixel by pixel, the R rows that an output row reads
    (`linalg.generic`, R / stride times the image); over windows of that the
    layer has C' = S * R * C and R' = S' = 1. Padding of rows is written out,
    too, and the weights are transposed to S, R, C.

    It concerns layers without a mapping whose channels fill at most half of the
    array's rows and for which packing saves at least half of the array passes.
    Packing fetches what several windows share once per window, so it does not
    always pay. With `pack=auto` this pass changes nothing: fadiff-search
    decides, together with mappings and fusion. A layer that reads another
    layer's output stays as it is: the two might be fused. What is packed or not
    is said in remarks of category `fadiff`.
  }];
  let options =
      [Option<"pack", "pack", "::fadiff::Packing",
              /*default=*/"::fadiff::Packing::On",
              "Which taps thin layers have as channels: on (rows and columns, "
              "where that is of use), columns (of one kernel row), off (none) "
              "or auto (left to fadiff-search) (default: on).">];
  let dependentDialects = ["::fadiff::ir::FadiffDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

/// What the search does: of each pass that searches (SearchModule.h,
/// toSearchOptions).
defvar searchPassOptions =
      [Option<"optimizer", "optimizer", "::fadiff::Optimizer",
              /*default=*/"::fadiff::Optimizer::Fadiff",
              "How to search: fadiff, gradient, dosa, ga, bo, hillclimb, "
              "random, heuristic or exact (default: fadiff).">,
       Option<"objective", "objective", "::fadiff::Objective",
              /*default=*/"::fadiff::Objective::Edp",
              "What to minimise: edp (uJ * cycles), energy (pJ) or latency "
              "(cycles) (default: edp).">,
       Option<"constraint", "constraint", "std::string", /*default=*/"\"\"",
              "What the schedule of a function has to keep: latency or energy, "
              "< or <=, a number and a unit, such as latency<5ms, "
              "latency<1e6cycles or energy<2mJ (default: nothing).">,
       Option<"seed", "seed", "uint64_t", /*default=*/"1",
              "Seed of the random choices (default: 1).">,
       Option<
           "timeLimit", "time-limit", "std::string", /*default=*/"\"0s\"",
           "Wall-clock limit with a unit, such as 2s or 500ms; the best legal "
           "schedule so far is used (default: 0s, no limit).">,
       Option<"maxEvaluations", "max-evaluations", "uint64_t", /*default=*/"0",
              "Calls of the cost model after which the best so far is used "
              "(default: 0, no limit).">,
       Option<
           "threads", "threads", "unsigned", /*default=*/"1",
           "Threads to search with; the result does not depend on it (default: "
           "1).">,
       Option<"starts", "starts", "unsigned", /*default=*/"0",
              "Starting points of the descent (default: 0, the search's own "
              "default).">,
       Option<"steps", "steps", "unsigned", /*default=*/"0",
              "Gradient steps from each start (default: 0, the search's own "
              "default).">,
       Option<"fuse", "fuse", "::fadiff::Fuse",
              /*default=*/"::fadiff::Fuse::On",
              "What may share a fusion group: on, off (every layer alone) or "
              "chains (default: on).">,
       Option<
           "unevenTiles", "uneven-tiles", "::fadiff::Switch",
              /*default=*/"::fadiff::Switch::On",
           "Whether tiles may leave a smaller last one, on or off: then every "
           "factor divides (default: on).">,
       Option<"blockDiagonal", "block-diagonal", "::fadiff::Switch",
              /*default=*/"::fadiff::Switch::On",
              "Whether depthwise layers may run several channels at once, as blocks "
              "on the diagonal of a weight tile, on or off (default: on).">,
       Option<"loopWs", "loop-ws", "::fadiff::LoopUnitUse",
              /*default=*/"::fadiff::LoopUnitUse::Auto",
              "Whether layers alone are run by loop_ws: auto, on or off (default: "
              "auto).">,
       Option<"core", "core", "::fadiff::Switch",
              /*default=*/"::fadiff::Switch::On",
              "Whether what the core does counts in cycles, and so whether to "
              "pool on chip: on or off (default: on).">,
       Option<"pack", "pack", "::fadiff::Packing",
              /*default=*/"::fadiff::Packing::Off",
              "Which taps thin layers get as channels: auto (those with which "
              "the predicted objective of their function is lowest, or none); "
              "with every other value they stay as they are (default: off).">,
       Option<"cache", "cache", "std::string", /*default=*/"\"\"",
              "File that results are kept in and taken from (default: none).">,
       Option<"summary", "summary", "std::string", /*default=*/"\"\"",
              "File to write a summary of the search to: JSON if it ends in "
              ".json, else text; - for standard error (default: none).">,
       Option<"allowEmpty", "allow-empty", "bool", /*default=*/"false",
              "Accept a module of whose layers none fits the machine (default: "
              "false).">];

def SearchPass : Pass<"fadiff-search", "::mlir::ModuleOp"> {
  let summary = "Find each layer's mapping and the fusion groups";
  let description = [{
    Enumeration with a bound; for what it leaves gradient descent on the relaxed
    cost model, jointly over mappings and fusion, decoded to a legal schedule
    and polished on the exact model (see docs/Search.md). Writes `mapping` and `cost` on every layer and encloses
    fused chains in `fadiff.fusion_group`. Layers that already have a mapping
    keep it and their group; they are verified before the search, count in its
    totals and bounds, and get the cost of their mapping. A layer with the unit
    attribute `fadiff.fuse` has to share a group with the one that makes its
    input, one with `fadiff.dont_fuse` may not. The result depends on the input,
    the options and the seed only, unless the time limit cuts the search short.

    A layer of which no mapping fits the machine is put back on the host, with a
    warning that says which rule is broken and by how much.

    With `pack=auto` a function with layers of few input channels is searched
    in each of the forms that fadiff-pack-taps can give them (at most 16, else
    layer by layer), and gets the best one. Bounds then hold for all of these
    forms.

    With `core=on` cycles are those of accelerator and core together, one after
    the other: operations that are left on the host, predicted from their loops
    by the target's fields `core.*`, images that are laid out for packed taps,
    and pooling, which the search may put on chip.

    Remarks (category `fadiff`) say what was found and with which effort
    (`Summary`), which pairs are fused, and why others are not, which layers
    `loop_ws` runs, and why others are not; `summary` writes
    the same to a file, with what stays on the host. Layers in loops count once
    per trip; where trips are not known, once (remark `Trips`).
  }];
  let options = searchPassOptions;
  let dependentDialects = ["::fadiff::ir::FadiffDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ChooseMachinePass : Pass<"fadiff-choose-machine", "::mlir::ModuleOp"> {
  let summary = "Find the machine of a design on which the module does best";
  let description = [{
    Searches the machines of a design (docs/Codesign.md) for the one with the
    least objective under an area, or for the smallest one that keeps the
    objective at `most`, each with the best mappings and fusion groups that the
    search finds for it, and makes it the module's target. The layers stay
    without mappings. With `method=boxes` the summary says how far the machine
    may be from the best there is. The layers must be formed already, for any
    machine of the design.
  }];
  let options = !listconcat(
      [Option<"design", "design", "std::string", /*default=*/"\"gemmini\"",
              "The design: a name (docs/Codesign.md) or the path of a YAML "
              "description (default: gemmini).">,
       Option<"method", "method", "::fadiff::CodesignMethod",
              /*default=*/"::fadiff::CodesignMethod::Boxes",
              "How to search machines: boxes (with a proof), grid (all), "
              "descent, dosa, random or bo (default: boxes).">,
       Option<"area", "area", "std::string", /*default=*/"\"\"",
              "Most area, such as 1.15mm2 (default: any).">,
       Option<"power", "power", "std::string", /*default=*/"\"\"",
              "Most average power of the network on the machine, such as "
              "250mW; the design needs a clock (default: any).">,
       Option<"most", "most", "std::string", /*default=*/"\"\"",
              "Find the smallest machine whose objective is at most this: a "
              "number in the objective's units, a time such as 33ms or a rate "
              "such as 30/s with objective=latency, or an energy such as 2mJ "
              "with objective=energy (default: the one with the least "
              "objective).">,
       Option<"gap", "gap", "double", /*default=*/"0",
              "How near to the proof is near enough, 0.01 for 1 % (default: "
              "0).">,
       Option<"searches", "searches", "unsigned", /*default=*/"0",
              "Machines that are searched at most (default: 0, any number).">,
       Option<"machine", "machine", "std::string", /*default=*/"\"\"",
              "File to write the machine's description to (default: none).">,
       Option<"front", "front", "std::string", /*default=*/"\"\"",
              "File to write the best machine for each area or power to: a "
              "page if it ends in .html, else JSON (default: none, the best "
              "alone).">,
       Option<"frontOver", "front-over", "::fadiff::FrontOver",
              /*default=*/"::fadiff::FrontOver::Area",
              "What the front is over: area or power (default: area).">],
      searchPassOptions);
  let dependentDialects = ["::fadiff::ir::FadiffDialect"];
}

def TechnologyTargetsPass
    : Pass<"fadiff-technology-targets", "::mlir::ModuleOp"> {
  let summary = "Say how far the machine's numbers have to move for a goal";
  let description = [{
    The least effort, a weighted sum of how far energies, bandwidths, leakage and
    clock move, in logarithms, with which the module takes less of `objective` by
    `factor`, within limits (docs/Codesign.md, "Technology targets"). At given
    mappings the summary has a bound that is computed apart from the solver. In
    turn with that, mappings are searched anew on the machine that was found:
    where layers have none yet, all of them and their groups; on a scheduled
    module, materialised or not, each group may be cut but no other one formed.
    Changes nothing; `machine` gets the description of the machine that was
    found.
  }];
  let options = !listconcat(
      [Option<"factor", "factor", "double", /*default=*/"2",
              "By how much the objective is to fall; above 1 (default: 2).">,
       Option<"most", "most", "double", /*default=*/"1e6",
              "By how much a number may move; 1 for not at all (default: 1e6).">,
       Option<"limits", "limits", "std::string", /*default=*/"\"\"",
              "The same of single numbers, such as "
              "bandwidth_dram:4,clock:1 (default: none).">,
       Option<"weights", "weights", "std::string", /*default=*/"\"\"",
              "What a move by e takes, of single numbers, such as "
              "energy_dram:2 (default: 1 each).">,
       Option<"rounds", "rounds", "unsigned", /*default=*/"16",
              "Searches for mappings at most; 0 for those that are there "
              "(default: 16).">,
       Option<"machine", "machine", "std::string", /*default=*/"\"\"",
              "File to write the machine's description to (default: none).">],
      searchPassOptions);
  let dependentDialects = ["::fadiff::ir::FadiffDialect"];
}

def ApplySchedulePass : Pass<"fadiff-apply-schedule", "::mlir::ModuleOp"> {
  let summary = "Write the schedule of a file on the layers";
  let description = [{
    Takes the place of `fadiff-search` where the schedule is known: writes the
    mappings and fusion groups of a JSON file (docs/ScheduleFile.md, written by
    `fadiff-translate --fadiff-schedule-to-json`) on the layers, and their cost
    by the layers' cost model or, where they have none, by the file's. The layers
    must be those of the file, by function, name and shape; a module without a
    target gets the file's. Nothing of the file is believed: mappings and groups
    are verified, costs computed anew.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"\"",
           "The schedule to apply.">
  ];
  let dependentDialects = ["::fadiff::ir::FadiffDialect"];
}

def ImportMappingsPass : Pass<"fadiff-import-mappings", "::mlir::ModuleOp"> {
  let summary = "Take over mappings of Timeloop or ZigZag";
  let description = [{
    Reads mappings of Timeloop or ZigZag, in YAML, for layers that have none, and
    prints for each what it costs by the layer's cost model beside what a search
    finds for the layer alone. The mapping is then on the layer: `fadiff-search`
    keeps it, `fadiff-materialize` and `fadiff-run` run it. What of such files is
    understood stands in docs/ScheduleFile.md.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"\"",
           "The mappings to import.">,
    Option<"layer", "layer", "std::string", /*default=*/"\"\"",
           "The layer to import one for (default: all without a mapping).">,
    Option<"output", "output", "std::string", /*default=*/"\"-\"",
           "Where to print the comparison (default: -, standard error).">
  ];
  let dependentDialects = ["::fadiff::ir::FadiffDialect"];
}

def MaterializePass : Pass<"fadiff-materialize", "::mlir::ModuleOp"> {
  let summary = "Turn mapped layers and groups into tiled loop nests";
  let description = [{
    Each `fadiff.fusion_group`, and each `fadiff.layer` outside one, becomes a
    `fadiff.loop_nest`: loops over explicit memory levels, buffers placed, copies
    as far out as their tensor allows. Only reads the mappings. A cost that is not
    that of the mapping beside it, because that was edited, is predicted anew,
    with a warning that gives both.
  }];
  let dependentDialects = ["::fadiff::ir::FadiffDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VerifySchedulePass : Pass<"fadiff-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "Check that the schedule is complete and fits the machine";
  let description = [{
    Every layer has a legal mapping (factors cover the dims, array bounds,
    capacities) and every loop nest computes its layers, by rules N1 to N20 of
    docs/Lowering.md. Errors name the rule, what was wanted and found; each
    layer, group and nest that is wrong has one. Changes nothing.
  }];
}

def ReportCostPass : Pass<"fadiff-report-cost", "::mlir::ModuleOp"> {
  let summary = "Print where the schedule's energy and time go";
  let description = [{
    Per fusion group and layer: energy and cycles by level and tensor, which
    resource binds, how much of the array is used; with `slopes`, the derivative
    of log EDP by the log of each factor at the chosen mapping. Works on mapped
    layers and, after materialisation, on loop nests (their stages keep the
    mapping). Per function also what stays on the host, why, and what would help
    (docs/Frontends.md, "What is on the array"). Changes nothing.
  }];
  let options = [
    Option<"format", "format", "::fadiff::ReportFormat",
              /*default=*/"::fadiff::ReportFormat::Text",
           "text (a table for people) or json (default: text).">,
    Option<"slopes", "slopes", "bool", /*default=*/"false",
           "Also print d log(EDP) / d log(factor) for each factor (default: "
           "false).">,
    Option<"machineSlopes", "machine-slopes", "bool", /*default=*/"false",
           "Also print what each energy and bandwidth of the machine is worth "
           "(docs/Codesign.md); the model must be exact, in the machine's "
           "counts, with latency roofline or issue (default: false).">,
    Option<"core", "core", "::fadiff::Switch",
           /*default=*/"::fadiff::Switch::On",
           "Whether cycles of the core count in what numbers are worth: on or "
           "off (default: on).">,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File to write to (default: standard error).">
  ];
}

#endif // FADIFF_TRANSFORMS_PASSES_TD
