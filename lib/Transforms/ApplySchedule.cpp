//===- ApplySchedule.cpp - Write a schedule file into the IR --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackTaps.h"

#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/ScheduleIO.h"
#include "fadiff/Transforms/ScheduleReader.h"
#include "fadiff/Transforms/SearchModule.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace fadiff {
#define GEN_PASS_DEF_APPLYSCHEDULEPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

/// "side = 32 (the module: 16)" of the first number that differs.
static std::string firstDifference(const Accelerator &file,
                                   const Accelerator &module) {
  std::string difference;
  visitFields(
      [&](const Field &field, const auto &ours, const auto &theirs) {
        if (difference.empty() && !(ours == theirs))
          difference = field.name + (" = " + toText(ours)) +
                       " (the module: " + toText(theirs) + ")";
      },
      file, module);
  if (difference.empty())
    difference = "name '" + file.name + "' (the module: '" + module.name + "')";
  return difference;
}

namespace {
/// Looks up the file's layers for the functions of a module, each once.
class Applier {
public:
  explicit Applier(const ScheduleFile &file)
      : file(file), taken(file.network.layers.size(), false) {
    for (unsigned i = 0; i < file.network.layers.size(); ++i)
      indexOf[{file.functions[i], file.network.layers[i].name}] = i;
  }

  LogicalResult apply(FunctionOpInterface function) {
    leaveUnmappable(function, file.target);
    packAsInFile(function);
    SmallVector<LayerOp> ops;
    Network network = extractNetwork(function, ops);
    if (ops.empty())
      return success();
    if (failed(refusePooled(ops)))
      return failure();
    Schedule schedule;
    std::vector<unsigned> fileIndex;
    std::map<unsigned, unsigned> opIndex; ///< by the file's
    for (auto [index, op] : llvm::enumerate(ops)) {
      auto it = indexOf.find({function.getName().str(), op.getName().str()});
      if (it == indexOf.end())
        return op.emitError("layer \"")
               << op.getName() << "\" of function '" << function.getName()
               << "' is not in the schedule file; wanted the file of this "
                  "network";
      Layer &wanted = network.layers[index];
      const Layer &found = file.network.layers[it->second];
      // The file may leave the pooling behind a layer to the host.
      if (!found.pool)
        wanted.pool.reset();
      if (taken[it->second])
        return op.emitError("a second layer \"")
               << op.getName() << "\"; layers need names of their own";
      if (contentOf(wanted) != contentOf(found))
        return op.emitError("layer \"")
               << op.getName() << "\" is not the one in the schedule file: "
               << "wanted " << describe(wanted) << ", found "
               << describe(found);
      taken[it->second] = true;
      opIndex[it->second] = unsigned(index);
      schedule.mappings.push_back(file.schedule.mappings[it->second]);
    }
    for (const FusionGroup &group : file.schedule.groups) {
      const size_t here = llvm::count_if(
          group.layers, [&](unsigned layer) { return opIndex.count(layer); });
      if (here == 0)
        continue;
      if (here != group.layers.size())
        return function.emitError("a group of the schedule file spans "
                                  "functions; wanted groups within one");
      schedule.groups.push_back(
          group.renumbered([&](unsigned layer) { return opIndex.at(layer); }));
    }
    // What the file cannot know: who else reads an intermediate.
    if (llvm::Error error = verify(network, schedule, file.target))
      return function.emitError("the schedule file does not fit: ")
             << llvm::toString(std::move(error));
    return score(function, ops, network, schedule);
  }

  /// Whether every layer of the file was asked for.
  LogicalResult finish(ModuleOp module) const {
    for (auto [index, used] : llvm::enumerate(taken))
      if (!used)
        return emitError(module.getLoc(), "the schedule file has a layer '")
               << file.network.layers[index].name << "' of function '"
               << file.functions[index]
               << "'; found none without a mapping here. Wanted the file of "
                  "this network, applied once";
    return success();
  }

private:
  /// Gives thin layers the taps as channels that they have in the file.
  void packAsInFile(FunctionOpInterface function) {
    std::vector<ThinLayer> thin;
    findThinLayers(function, file.target, thin);
    for (const ThinLayer &each : thin) {
      LayerOp op = each.op;
      auto it = indexOf.find({function.getName().str(), op.getName().str()});
      if (it == indexOf.end())
        continue;
      const Layer &wanted = file.network.layers[it->second];
      const Layer plain = toLayer(op);
      auto isWanted = [&](const Layer &layer) {
        return layer.dims == wanted.dims && layer.stride == wanted.stride;
      };
      for (PackedTaps form : each.forms)
        if (!isWanted(plain) && isWanted(withTapsPacked(plain, form))) {
          packTaps(op, form, file.target);
          break;
        }
    }
  }

  static std::string describe(const Layer &layer) {
    std::string text;
    for (Dim dim : kAllDims)
      text += llvm::formatv("{0}={1} ", dimName(dim), layer.dims[dim]).str();
    auto pair = [&](const char *name, const PerAxis<int64_t> &values) {
      return llvm::formatv("{0} [{1}, {2}]", name, values[Axis::H],
                           values[Axis::W])
          .str();
    };
    return text + pair("stride", layer.stride) + " " +
           pair("dilation", layer.dilation) + " " + pair("pad", layer.padLow) +
           (layer.padValue ? " of " + std::to_string(layer.padValue) : "") +
           " " + pair("input", layer.inputExtent) +
           (layer.hasBias ? " with bias, " : " without bias, ") +
           (layer.hasResidual
                ? std::string(layer.scalesResidual ? "a scaled" : "a") +
                      " residual, loaded " +
                      std::to_string(layer.residualLoads) + " times, of " +
                      std::to_string(layer.residualBytes) + "-byte elements, "
                : "") +
           (layer.hasScales ? "a scale per channel, " : "") +
           std::to_string(layer.elementBytes) + "-byte operands, " +
           std::to_string(layer.outputBytes) + "-byte outputs";
  }

  /// Costs by the layers' own model, else by the file's.
  LogicalResult score(FunctionOpInterface function, ArrayRef<LayerOp> ops,
                      const Network &network, const Schedule &schedule) {
    DifferentiableCost model = LayerOp(ops.front()).getCostModelAttr();
    for (LayerOp op : ops)
      if (op.getCostModelAttr() != model)
        return op.emitError("layer \"")
               << op.getName() << "\" has cost model " << op.getCostModelAttr()
               << "; wanted the same for all layers of the function, " << model;
    std::unique_ptr<CostFunction> cost =
        model ? model.getCostFunction() : findCostFunction(file.model);
    if (!cost)
      return function.emitError("the schedule file is of cost model '")
             << file.model
             << "', which is not built in; attach it to the layers first";
    applySchedule(ops, schedule,
                  evaluateSchedule(network, schedule, file.target, *cost),
                  model ? model.getModelName() : file.model);
    return success();
  }

  const ScheduleFile &file;
  std::map<std::pair<std::string, std::string>, unsigned> indexOf;
  std::vector<bool> taken;
};
} // namespace

LogicalResult fadiff::applyScheduleFile(ModuleOp module,
                                        const ScheduleFile &file) {
  if (TargetAttr attr = lookupTarget(module)) {
    Accelerator machine = attr.getAccelerator();
    if (!(machine == file.target))
      return emitError(module.getLoc(),
                       "the schedule file is for another machine than "
                       "the module: ")
             << firstDifference(file.target, machine)
             << "; leave out fadiff-attach-target to take the file's";
  } else {
    module->setAttr(kTargetAttrName,
                    TargetAttr::get(module.getContext(), file.target));
  }
  Applier applier(file);
  WalkResult result = module.walk([&](FunctionOpInterface function) {
    return succeeded(applier.apply(function)) ? WalkResult::skip()
                                              : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted() || failed(applier.finish(module)));
}

LogicalResult fadiff::exportSchedule(ModuleOp module, raw_ostream &os) {
  FailureOr<Accelerator> target = requireTarget(module);
  if (failed(target))
    return failure();
  ScheduleReader reader(module.getContext());
  if (failed(reader.read(module)))
    return failure();
  if (reader.network.layers.empty())
    return emitError(module.getLoc(),
                     "wanted a module with mapped layers or loop nests, "
                     "found none; run fadiff-search first");
  ScheduleFile file;
  file.target = *target;
  file.model = reader.model.getModelName();
  file.network = std::move(reader.network);
  file.functions = std::move(reader.functions);
  file.schedule = std::move(reader.schedule);
  std::map<std::pair<std::string, std::string>, unsigned> seen;
  for (auto [function, layer] :
       llvm::zip_equal(file.functions, file.network.layers))
    if (seen[{function, layer.name}]++)
      return emitError(module.getLoc(), "function '")
             << function << "' has two layers '" << layer.name
             << "'; wanted names of their own";
  os << llvm::formatv("{0:2}\n", toJson(file, *reader.model.getCostFunction()));
  return success();
}

namespace {
struct ApplySchedulePass
    : public fadiff::impl::ApplySchedulePassBase<ApplySchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    if (file.empty()) {
      emitError(getOperation().getLoc(),
                "fadiff-apply-schedule: wanted the schedule to "
                "apply, found none; give file=schedule.json");
      return signalPassFailure();
    }
    auto buffer = openInput(file, kMostRecordBytes);
    if (!buffer)
      return fail(buffer.takeError());
    llvm::Expected<ScheduleFile> schedule =
        readSchedule((*buffer)->getBuffer(), file);
    if (!schedule)
      return fail(schedule.takeError());
    if (failed(applyScheduleFile(getOperation(), *schedule)))
      signalPassFailure();
  }

private:
  void fail(llvm::Error error) {
    emitError(getOperation().getLoc(), "fadiff-apply-schedule: ")
        << llvm::toString(std::move(error));
    signalPassFailure();
  }
};
} // namespace
