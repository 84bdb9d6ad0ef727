//===- Pipelines.h - Named pipelines ----------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_PIPELINES_PIPELINES_H
#define FADIFF_PIPELINES_PIPELINES_H

#include "fadiff/Transforms/Options.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace fadiff {

/// Refuses an empty name, which was meant to be one, and a second one.
class MachineNameParser : public llvm::cl::parser<std::string> {
public:
  using llvm::cl::parser<std::string>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, std::string &value) {
    if (option.getNumOccurrences() > 1)
      return option.error("wanted one machine, found a second one");
    if (text.empty())
      return option.error("wanted a machine's name or a file, found nothing");
    return llvm::cl::parser<std::string>::parse(option, name, text, value);
  }
};

/// What the passes before the search want to know; see them for what it means.
template <typename OptionsT>
struct PrepareOptionsBase : public mlir::PassPipelineOptions<OptionsT> {
  using Base = mlir::PassPipelineOptions<OptionsT>;

  typename Base::template Option<std::string, MachineNameParser> target{
      *this, "target",
      llvm::cl::desc(
          "Machine to schedule for: a name (docs/Hardware.md) or the path of a "
          "YAML description (default: the module's own target, else "
          "gemmini-large)"),
      llvm::cl::init("")};
  typename Base::template Option<Requantisation> requantize{
      *this, "requantize",
      llvm::cl::desc(
          "What a requantisation may become: exact (what is the same "
          "for every sum) or hardware (at most 1 apart) (default: "
          "exact)"),
      llvm::cl::init(Requantisation::Exact)};
  typename Base::template Option<Halves> halves{
      *this, "halves",
      llvm::cl::desc("Contractions of f16 or bf16 on a machine that works in "
                     "f32: factors (those of f32 sums become f32), widen (sums "
                     "of 16 bits, too, which changes results) or host "
                     "(default: factors)"),
      llvm::cl::init(Halves::Factors)};
  typename Base::template Option<Convention> convention{
      *this, "convention",
      llvm::cl::desc(
          "What the cost model counts: machine or timeloop (default: "
          "machine)"),
      llvm::cl::init(Convention::Machine)};
  typename Base::template Option<Model> model{
      *this, "model",
      llvm::cl::desc("Formulas of the cost model: exact or paper (default: "
                     "exact)"),
      llvm::cl::init(Model::Exact)};
  typename Base::template Option<LatencyChoice> latency{
      *this, "latency",
      llvm::cl::desc("How cycles are counted: streams (as emitted), roofline, "
                     "issue (that and the core that issues the commands) or "
                     "auto (streams, but roofline for counts or an optimizer "
                     "that know no program) (default: auto)"),
      llvm::cl::init(LatencyChoice::Auto)};
  typename Base::template Option<bool> residual{
      *this, "residual",
      llvm::cl::desc("Take residual additions as layers (default: true)"),
      llvm::cl::init(true)};
  typename Base::template Option<Packing> pack{
      *this, "pack",
      llvm::cl::desc("Taps that thin layers have as channels: auto (what is "
                     "predicted to be best), on (kernel rows and columns), "
                     "columns or off (default: auto)"),
      llvm::cl::init(Packing::Auto)};
  typename Base::template Option<bool> allowEmpty{
      *this, "allow-empty",
      llvm::cl::desc("Accept a module in which no layer is recognised, or none "
                     "fits the machine (default: false)"),
      llvm::cl::init(false)};
};

/// Options of `fadiff-prepare`.
struct PrepareOptions : public PrepareOptionsBase<PrepareOptions> {};

/// Options of `fadiff-schedule`; see the passes for what they mean.
struct ScheduleOptions : public PrepareOptionsBase<ScheduleOptions> {
  Option<Optimizer> optimizer{
      *this, "optimizer",
      llvm::cl::desc(
          "How to search: fadiff, gradient, dosa, ga, bo, hillclimb, "
          "random, heuristic or exact (default: fadiff)"),
      llvm::cl::init(Optimizer::Fadiff)};
  Option<Objective> objective{
      *this, "objective",
      llvm::cl::desc("What to minimise: edp (uJ * cycles), energy (pJ) or "
                     "latency (cycles) (default: edp)"),
      llvm::cl::init(Objective::Edp)};
  Option<std::string> constraint{
      *this, "constraint",
      llvm::cl::desc("What the schedule has to keep, such as latency<5ms, "
                     "latency<1e6cycles or energy<2mJ (default: nothing)"),
      llvm::cl::init("")};
  Option<uint64_t> seed{
      *this, "seed",
      llvm::cl::desc("Seed of the search's random choices (default: 1)"),
      llvm::cl::init(1)};
  Option<std::string> timeLimit{
      *this, "time-limit",
      llvm::cl::desc("Wall-clock limit of the search, such as 2s or 500ms "
                     "(default: 0s, none)"),
      llvm::cl::init("0s")};
  Option<uint64_t> maxEvaluations{
      *this, "max-evaluations",
      llvm::cl::desc("Calls of the cost model after which the best so far is "
                     "used (default: 0, no limit)"),
      llvm::cl::init(0)};
  Option<unsigned> threads{
      *this, "threads",
      llvm::cl::desc("Threads to search with; the result does not depend on it "
                     "(default: 1)"),
      llvm::cl::init(1)};
  Option<unsigned> starts{
      *this, "starts",
      llvm::cl::desc("Starting points of the gradient descent (default: 0, the "
                     "search's own default)"),
      llvm::cl::init(0)};
  Option<unsigned> steps{
      *this, "steps",
      llvm::cl::desc("Gradient steps from each start (default: 0, the search's "
                     "own default)"),
      llvm::cl::init(0)};
  Option<Fuse> fuse{
      *this, "fuse",
      llvm::cl::desc("What may share a fusion group: on, off (every layer "
                     "alone) or chains (default: on)"),
      llvm::cl::init(Fuse::On)};
  Option<Switch> unevenTiles{
      *this, "uneven-tiles",
      llvm::cl::desc("Whether tiles may leave a smaller last one: on or off "
                     "(default: on)"),
      llvm::cl::init(Switch::On)};
  Option<Switch> blockDiagonal{
      *this, "block-diagonal",
      llvm::cl::desc("Whether depthwise layers may run several channels at "
                     "once: on or off (default: on)"),
      llvm::cl::init(Switch::On)};
  Option<LoopUnitUse> loopWs{
      *this, "loop-ws",
      llvm::cl::desc(
          "Whether layers alone are run by Gemmini's matmul loop: "
          "auto (where that is predicted to be faster), on (wherever "
          "it can be) or off (default: auto)"),
      llvm::cl::init(LoopUnitUse::Auto)};
  Option<Switch> core{
      *this, "core",
      llvm::cl::desc("Whether what the core does counts in cycles, and so "
                     "whether to pool on chip: on or off (default: on)"),
      llvm::cl::init(Switch::On)};
  Option<std::string> cache{
      *this, "cache",
      llvm::cl::desc("File that results of the search are kept in and taken "
                     "from (default: none)"),
      llvm::cl::init("")};
  Option<std::string> summary{
      *this, "summary",
      llvm::cl::desc(
          "File to write a summary of the search to: JSON if it ends "
          "in .json, else text; - for standard error (default: "
          "none)"),
      llvm::cl::init("")};
};

/// Options of `fadiff-codesign`; see fadiff-choose-machine.
struct CodesignPipelineOptions : public ScheduleOptions {
  Option<std::string> design{
      *this, "design",
      llvm::cl::desc(
          "The machines to choose from: a name (docs/Codesign.md) or "
          "the path of a YAML description (default: gemmini)"),
      llvm::cl::init("gemmini")};
  Option<CodesignMethod> method{
      *this, "method",
      llvm::cl::desc("How to search machines: boxes (with a proof), grid "
                     "(all), descent, dosa, random or bo (default: boxes)"),
      llvm::cl::init(CodesignMethod::Boxes)};
  Option<std::string> area{
      *this, "area",
      llvm::cl::desc("Most area, such as 1.15mm2 (default: any)"),
      llvm::cl::init("")};
  Option<std::string> power{
      *this, "power",
      llvm::cl::desc("Most average power of the network on the machine, such "
                     "as 250mW; the design needs a clock (default: any)"),
      llvm::cl::init("")};
  Option<std::string> most{
      *this, "most",
      llvm::cl::desc("Find the smallest machine whose objective is at most "
                     "this: a number in the objective's units, 33ms or 30/s "
                     "with objective=latency, or 2mJ with objective=energy "
                     "(default: the one with the least objective)"),
      llvm::cl::init("")};
  Option<double> gap{
      *this, "gap",
      llvm::cl::desc("How near to the proof is near enough, 0.01 for 1 % "
                     "(default: 0)"),
      llvm::cl::init(0)};
  Option<unsigned> searches{
      *this, "searches",
      llvm::cl::desc("Machines that are searched at most (default: 0, any "
                     "number)"),
      llvm::cl::init(0)};
  Option<std::string> machine{
      *this, "machine",
      llvm::cl::desc("File to write the machine's description to (default: "
                     "none)"),
      llvm::cl::init("")};
  Option<std::string> front{
      *this, "front",
      llvm::cl::desc("File to write the best machine for each area or power "
                     "to: a page if it ends in .html, else JSON (default: "
                     "none, the best alone)"),
      llvm::cl::init("")};
  Option<FrontOver> frontOver{
      *this, "front-over",
      llvm::cl::desc("What the front is over: area or power (default: area)"),
      llvm::cl::init(FrontOver::Area)};
};

/// Everything before the search: front ends' forms, layers, target, cost model,
/// packing.
void buildPreparePipeline(mlir::OpPassManager &pm,
                          const PrepareOptions &options);
void buildPreparePipeline(mlir::OpPassManager &pm,
                          const ScheduleOptions &options);
/// Everything after it: loop nests, checked.
void buildMaterializePipeline(mlir::OpPassManager &pm);
/// Linalg on tensors or TOSA to scheduled loop nests on tensors.
void buildSchedulePipeline(mlir::OpPassManager &pm,
                           const ScheduleOptions &options);

/// The same to the mapped layers of the best machine of a design, which becomes
/// the module's target.
void buildCodesignPipeline(mlir::OpPassManager &pm,
                           const CodesignPipelineOptions &options);

/// Makes `fadiff-prepare`, `fadiff-schedule` and `fadiff-codesign` known by
/// name.
void registerPipelines();

} // namespace fadiff

#endif // FADIFF_PIPELINES_PIPELINES_H
