//===- EndToEndTest.cpp - Random networks, random schedules, all targets --===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ring as a property: whatever the layer and whatever legal mapping it
// gets, the emitted program computes what upstream lowering computes, bit for
// bit, and moves the DRAM bytes that the cost model predicted for the mapping.
// In f32 the order of sums differs, so there up to a tolerance.
//
//===----------------------------------------------------------------------===//

#include "RandomNetwork.h"
#include "RandomSchedule.h"
#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/CostModel/CostModel.h"
#include "fadiff/CostModel/LoopLatency.h"
#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/InitAll.h"
#include "fadiff/Runner/Scheduled.h"
#include "fadiff/Schedule/GroupFlow.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/MatmulLoop.h"
#include "fadiff/Schedule/Turn.h"
#include "fadiff/Simulator/Runtime.h"
#include "fadiff/Transforms/SearchModule.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <numeric>

using namespace mlir;
using namespace fadiff;

namespace {

constexpr unsigned kTests = 4;

uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  uint64_t value = otherwise;
  if (text && StringRef(text).getAsInteger(0, value))
    llvm::report_fatal_error(Twine(name) + ": wanted a whole number, found '" +
                             text + "'");
  return value;
}

/// FADIFF_RANDOM_SEED=<n> draws other networks and schedules,
/// FADIFF_RANDOM_NETWORKS=<n> about so many in each test.
const uint64_t kSeed = fromEnvironment("FADIFF_RANDOM_SEED", 0);
const unsigned kNetworksPerTest =
    unsigned(fromEnvironment("FADIFF_RANDOM_NETWORKS", 20));

/// One of so many networks is optimised.
constexpr unsigned kOptimisedOf = 10;

std::mt19937_64 generator(uint64_t seed) {
  return std::mt19937_64(seed + kSeed * 0x9e3779b97f4a7c15);
}

std::vector<Accelerator> known(ArrayRef<StringRef> names) {
  std::vector<Accelerator> machines;
  for (StringRef name : names)
    machines.push_back(llvm::cantFail(findTarget(name)));
  return machines;
}

/// An f32 machine that hands fused tiles over and must cut most layers.
Accelerator smallReal() {
  Accelerator machine = llvm::cantFail(findTarget("gemmini-fp32"));
  machine.name = "small-real";
  machine.side = 8;
  machine.scratchpadBytes = 32 * 1024;
  machine.accumulatorBytes = 8 * 1024;
  machine.handOver = HandOver::MvoutSpad;
  return machine;
}

/// `base` with a read-out that can do more, for `scales` channels at once.
Accelerator wide(StringRef base, int64_t scales) {
  Accelerator machine = llvm::cantFail(findTarget(base));
  machine.name += "-wide";
  machine.readOut = {/*perChannel=*/true, /*zeroPoint=*/true, /*clamp=*/true,
                     scales};
  return machine;
}

/// A machine that hands tiles over in its accumulator, which holds few of them.
Accelerator smallInPlace() {
  Accelerator machine = llvm::cantFail(findTarget("gemmini"));
  machine.name = "small-in-place";
  machine.side = 8;
  machine.scratchpadBytes = 32 * 1024;
  machine.accumulatorBytes = 16 * 1024;
  return machine;
}

/// One that copies them to its scratchpad, and whose array is narrow, so that
/// most inputs have several blocks of channels.
Accelerator narrow() {
  Accelerator machine = smallInPlace();
  machine.name = "narrow";
  machine.handOver = HandOver::MvoutSpad;
  return machine;
}

/// One whose moves are two blocks wide, of which few wait, so that most inputs
/// come in several moves of channels, piece by piece.
Accelerator shortOfMoves() {
  Accelerator machine = smallInPlace();
  machine.name = "short-of-moves";
  machine.dmaMaxRequestBytes = 16;
  machine.loadStations = 4;
  return machine;
}

class EndToEndTest : public ::testing::TestWithParam<unsigned> {
protected:
  EndToEndTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    fadiff::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<ir::FadiffDialect>();
    options.optLevel = 0;
  }

  void compare(const Accelerator &machine, ArrayRef<HostTensor> expected,
               ArrayRef<HostTensor> found) {
    if (machine.arithmetic == Arithmetic::Float32) {
      llvm::Expected<OutputDistance> distance = outputDistance(expected, found);
      ASSERT_TRUE(static_cast<bool>(distance));
      EXPECT_LE(distance->reals, 1e-5);
      return;
    }
    std::string report;
    llvm::raw_string_ostream stream(report);
    llvm::Expected<bool> equal = compareOutputs(expected, found, stream);
    ASSERT_TRUE(static_cast<bool>(equal));
    EXPECT_TRUE(*equal) << report;
  }

  /// Runs what the regions of the layers say, on the host, and compares.
  void checkRegions(ModuleOp layers, const EntryPoint &entry,
                    const Accelerator &machine, ArrayRef<HostTensor> arguments,
                    ArrayRef<HostTensor> expected) {
    OwningOpRef<ModuleOp> inlined(layers.clone());
    IRRewriter rewriter(&context);
    SmallVector<ir::LayerOp> ops;
    inlined->walk([&](ir::LayerOp op) { ops.push_back(op); });
    for (ir::LayerOp op : ops) {
      Block &body = op.getBody().front();
      auto yield = cast<ir::YieldOp>(body.getTerminator());
      rewriter.inlineBlockBefore(&body, op, op->getOperands());
      rewriter.replaceOp(op, yield.getValues());
      rewriter.eraseOp(yield);
    }
    FailureOr<std::unique_ptr<Program>> program =
        compileReference(*inlined, entry, options);
    ASSERT_TRUE(succeeded(program));
    llvm::Expected<std::vector<HostTensor>> found = (*program)->run(arguments);
    ASSERT_TRUE(static_cast<bool>(found));
    compare(machine, expected, *found);
  }

  /// A schedule of the kind that the test is about; none if there is none.
  std::optional<Schedule> draw(const Network &network,
                               const Accelerator &machine,
                               std::mt19937_64 &rng) {
    if (forLoops)
      return test::randomLoopSchedule(network, machine, rng);
    llvm::Expected<Schedule> drawn =
        test::randomSchedule(network, machine, rng, chances);
    if (drawn)
      return std::move(*drawn);
    ADD_FAILURE() << llvm::toString(drawn.takeError());
    return std::nullopt;
  }

  using Decide = llvm::function_ref<std::optional<Schedule>(const Network &)>;

  /// Runs `module` on `machine` under the schedule that `decide` returns, if it
  /// does, and compares.
  void check(ModuleOp module, const EntryPoint &entry,
             const Accelerator &machine, ArrayRef<HostTensor> arguments,
             ArrayRef<HostTensor> expected, Decide decide) {
    OwningOpRef<ModuleOp> scheduled(module.clone());
    (*scheduled)
        ->setAttr(kTargetAttrName, ir::TargetAttr::get(&context, machine));
    ScheduleOptions scheduleOptions;
    scheduleOptions.pack = pack;
    PassManager prepare(&context);
    buildPreparePipeline(prepare, scheduleOptions);
    ASSERT_TRUE(succeeded(prepare.run(*scheduled)));

    SmallVector<ir::LayerOp> ops;
    auto main = *scheduled->getOps<mlir::func::FuncOp>().begin();
    Network network = extractNetwork(main, ops);
    ASSERT_FALSE(network.layers.empty());
    bool isPacked = llvm::any_of(ops, isOverWindows);
    if (isPacked)
      checkRegions(*scheduled, entry, machine, arguments, expected);
    std::optional<Schedule> schedule = decide(network);
    if (!schedule)
      return;
    chooseLoops(network, *schedule, machine, loopWs);
    applySchedule(ops, *schedule, evaluateSchedule(network, *schedule, machine),
                  "machine");
    for (const FusionGroup &group : schedule->groups)
      countPooled(network, *schedule, group);
    for (const FusionGroup &group : schedule->groups)
      if (group.layers.size() > 1) {
        fusedLayers += group.layers.size();
        packedHeads += isOverWindows(ops[group.layers.front()]);
        countKept(network, *schedule, group);
        countKeptInside(network, *schedule, group);
        countBorders(network, *schedule, group);
        inputTurns += group.inputTurns;
        liveSkips += group.liveSkips.size();
        countPooledPaths(network, group);
        slices += group.inputSlices.size();
        for (FusionGroup::InputSlices own : group.inputSlices)
          pooledSlices += network.layers[own.layer - 1].pool.has_value();
        for (const GroupFlow::Tile &tile : flowOf(network, group).tiles) {
          branches += tile.isResidual;
          if (!tile.isResidual || !tile.producer)
            continue;
          const bool isPooled =
              network.layers[group.layers[*tile.producer]].pool.has_value();
          pooledBranches += isPooled;
          keptBranches += isPooled && group.keeps;
        }
        for (unsigned layer : llvm::drop_begin(group.layers))
          paddedEdges += network.layers[layer].padValue != 0;
        for (unsigned layer : llvm::drop_end(group.layers))
          pools += network.layers[layer].pool.has_value();
      }
    for (ir::LayerOp op : ops) {
      const ReadOutFeatures tail = op.getEpilogue().getFeatures();
      scaledChannels += tail.perChannel;
      zeroPoints += tail.zeroPoint;
      clamps += tail.clamp;
    }
    packedLayers += llvm::count_if(ops, isOverWindows);
    interleavedLayers += llvm::count_if(ops, isOverInterleavedRows);
    layers += network.layers.size();
    std::string decision;
    llvm::raw_string_ostream os(decision);
    for (const Mapping &mapping : schedule->mappings)
      os << ir::toAttr(&context, mapping) << '\n';
    for (const FusionGroup &group : schedule->groups) {
      os << group.layers.size()
         << (group.keeps == Axis::H   ? " layers keep rows"
             : group.keeps == Axis::W ? " layers keep columns"
                                      : " layers")
         << (group.poolsOutput ? ", pool" : "")
         << (group.inputTurns ? ", input in turns" : "");
      for (FusionGroup::InputSlices slices : group.inputSlices)
        os << ", " << slices.channels << " channels at a time to layer "
           << slices.layer;
      os << '\n';
    }
    SCOPED_TRACE(decision);

    PassManager materialize(&context);
    buildMaterializePipeline(materialize);
    ASSERT_TRUE(succeeded(materialize.run(*scheduled)));
    unsigned marked = 0;
    scheduled->walk([&](ir::StageOp stage) { marked += stage.getLoopWs(); });
    std::string dump;
    if (forLoops) {
      llvm::raw_string_ostream stream(dump);
      scheduled->print(stream);
    }
    SCOPED_TRACE(dump);
    std::vector<NestPrediction> predicted = predictions(*scheduled);
    std::vector<std::string> streams;
    FailureOr<std::unique_ptr<Program>> program = failure();
    collectStreams(streams, [&] {
      program = compileScheduled(*scheduled, entry, options);
    });
    ASSERT_TRUE(succeeded(program));
    // Latency was predicted for what is emitted. Of layers with packed taps
    // that are marked for the loop unit some are emitted all the same.
    const std::vector<std::string> least =
        predictedStreams(network, *schedule, machine, /*withLoops=*/false);
    if (isPacked) {
      const std::vector<std::string> most =
          predictedStreams(network, *schedule, machine, /*withLoops=*/true);
      EXPECT_TRUE(llvm::includes(streams, least)) << llvm::join(streams, "\n");
      EXPECT_TRUE(llvm::includes(most, streams)) << llvm::join(streams, "\n");
    } else {
      EXPECT_EQ(streams, least);
    }

    sim::Machine simulator(machine);
    sim::CurrentMachine current(simulator);
    llvm::Expected<std::vector<HostTensor>> found = (*program)->run(arguments);
    ASSERT_TRUE(static_cast<bool>(found));
    ASSERT_FALSE(simulator.fault().has_value()) << simulator.fault()->str();
    compare(machine, expected, *found);
    // What has been marked is run so, unless its tensors are not dense.
    const int64_t commands = simulator.total()[sim::CommandKind::LoopWs];
    EXPECT_EQ(commands > 0, isPacked ? commands > 0 && marked > 0 : marked > 0);
    EXPECT_EQ(commands % 6, 0);
    loops += marked;
    repeatedLoops += commands > 6;
    keptOperands += commands > 6 && keepsOperand(network, *schedule, machine);
    for (auto [region, nest] : llvm::enumerate(predicted)) {
      sim::Counters counters = simulator.counters(region);
      EXPECT_EQ(nest.dramRead, counters.dramBytesRead) << nest.name;
      EXPECT_EQ(nest.dramWrite, counters.dramBytesWritten) << nest.name;
      if (nest.byLoop || counters.runs == 0)
        continue;
      const double cycles =
          double(counters.runs) * evaluateGroup(nest.network, nest.schedule,
                                                nest.schedule.groups.front(),
                                                machine, *streamCost)
                                      .cycles;
      const double off = std::fabs(std::log(cycles / double(counters.cycles)));
      (nest.network.layers.size() > 1 ? groupsOff : layersOff).push_back(off);
    }
    // DRAM bytes per tensor, multiply-accumulates, writes to the scratchpad.
    std::string report, differences;
    llvm::raw_string_ostream out(report), errors(differences);
    EXPECT_TRUE(checkPredictions(out, errors, predicted, simulator))
        << differences;
  }

  /// Cycles are predicted by what the simulator does; single nests may be off
  /// where trips that are skipped are not like those before.
  void TearDown() override {
    auto expectMean = [](llvm::ArrayRef<double> off, double most,
                         const char *what) {
      constexpr size_t kFewest = 5;
      if (off.size() >= kFewest)
        EXPECT_LT(std::accumulate(off.begin(), off.end(), 0.0) /
                      double(off.size()),
                  most)
            << "logarithms of predicted / simulated cycles of " << what;
    };
    expectMean(layersOff, 0.2, "layers");
    expectMean(groupsOff, 0.3, "groups");
  }

  /// What `compile` plans streams for, in order of their text.
  void collectStreams(std::vector<std::string> &streams,
                      llvm::function_ref<void()> compile) {
    struct Collector : remark::detail::MLIRRemarkStreamerBase {
      explicit Collector(std::vector<std::string> &streams)
          : streams(streams) {}
      void
      streamOptimizationRemark(const remark::detail::Remark &said) override {
        if (said.getRemarkName() == "Stream")
          streams.push_back(said.getArgs().front().val);
      }
      std::vector<std::string> &streams;
    };
    ASSERT_TRUE(succeeded(remark::enableOptimizationRemarks(
        context, std::make_unique<Collector>(streams),
        std::make_unique<remark::RemarkEmittingPolicyAll>(),
        {/*all=*/{}, {}, {}, /*analysis=*/"fadiff", {}})));
    compile();
    context.setRemarkEngine(nullptr);
    llvm::sort(streams);
  }

  /// The same of what latency is predicted for.
  static std::vector<std::string> predictedStreams(const Network &network,
                                                   const Schedule &schedule,
                                                   const Accelerator &machine,
                                                   bool withLoops) {
    std::vector<std::string> streams;
    auto add = [&](const Layer &layer, const StreamShape &shape) {
      streams.push_back("layer '" + layer.name +
                        "' is streamed as: " + shape.str());
    };
    auto addGroup = [&](const Network &network, const Schedule &schedule,
                        const FusionGroup &group) {
      if (!group.isTiled()) {
        const unsigned only = group.layers.front();
        const Layer &layer = network.layers[only];
        add(layer, streamShape(layer, schedule.mappings[only], machine));
        return;
      }
      const GroupTiles tiles(network, schedule, group);
      for (auto [i, member] : llvm::enumerate(group.layers))
        add(network.layers[member],
            streamShape(tiles, i, schedule.mappings[member], machine));
    };
    for (const FusionGroup &group : schedule.groups)
      if (withLoops || !group.byLoop)
        asKeptRows(network, schedule, group, addGroup);
    llvm::sort(streams);
    return streams;
  }

  /// Whether a loop finds an operand where one before has put it.
  static bool keepsOperand(const Network &network, const Schedule &schedule,
                           const Accelerator &machine) {
    for (auto [layer, mapping] : llvm::zip(network.layers, schedule.mappings)) {
      llvm::Expected<MatmulLoop> loop = planMatmulLoop(layer, mapping, machine);
      if (!loop)
        llvm::consumeError(loop.takeError());
      else if (loop->outsideInput < loop->outer.size() ||
               loop->outsideWeights < loop->outer.size())
        return true;
    }
    return false;
  }

  /// Tiles that leave a member nothing to make, but for those in which some run
  /// ahead of others.
  void countBorders(const Network &network, const Schedule &schedule,
                    const FusionGroup &group) {
    FusionGroup again = group;
    again.keeps.reset();
    const GroupTiles tiles(network, schedule, again);
    for (size_t i = 0; i < tiles.size(); ++i)
      for (Dim dim : {Dim::P, Dim::Q})
        emptyTiles += tiles.trips(dim) - tiles.busyTiles(i, dim);
  }

  /// What keeping rows saves: rows that some member would make, or load, twice.
  void countKept(const Network &network, const Schedule &schedule,
                 const FusionGroup &group) {
    if (group.keeps == Axis::W) {
      const unsigned before = keptEdges + keptInputs;
      const TurnedGroup image = turned(network, schedule, group);
      countKept(image.network, image.schedule, image.group);
      keptColumns += keptEdges + keptInputs > before;
      return;
    }
    FusionGroup again = group;
    again.keeps.reset();
    const GroupTiles kept(network, schedule, group);
    const GroupTiles made(network, schedule, again);
    for (size_t i = 1; i < kept.size(); ++i)
      keptEdges += made.produced(i - 1, Dim::P) > kept.produced(i - 1, Dim::P);
    const GroupFlow &flow = kept.flow();
    for (auto [t, tile] : llvm::enumerate(flow.tiles)) {
      if (!kept.keepsTile(t))
        continue;
      keptInputs +=
          !tile.producer &&
          kept.keepsLoaded(t, schedule.mappings[group.layers[tile.reader]]);
      keptShared += flow.isShared(t);
    }
  }

  /// Members that make slices of kept rows that are padded, where the group's
  /// next input comes beside its members.
  void countKeptInside(const Network &network, const Schedule &schedule,
                       const FusionGroup &group) {
    if (group.keeps != Axis::H || !group.inputTurns)
      return;
    const GroupTiles kept(network, schedule, group);
    const GroupFlow &flow = kept.flow();
    for (FusionGroup::InputSlices slices : group.inputSlices) {
      const size_t reader =
          size_t(llvm::find(group.layers, slices.layer) - group.layers.begin());
      const size_t maker = *flow.tiles[flow.members[reader].input].producer;
      const size_t tile = flow.members[maker].input;
      keptInside += flow.tiles[tile].producer && kept.keepsTile(tile) &&
                    network.layers[group.layers[maker]].readsPadding(Axis::W);
    }
  }

  /// Live skips around max pooling.
  void countPooledPaths(const Network &network, const FusionGroup &group) {
    const GroupFlow flow = flowOf(network, group);
    for (const GroupFlow::Member &member : flow.members) {
      if (!member.skip || flow.tiles[*member.skip].isResidual)
        continue;
      bool isPooled = false;
      for (const GroupFlow::Member *at = &member; at->input != *member.skip;) {
        const size_t before = *flow.tiles[at->input].producer;
        isPooled |= network.layers[group.layers[before]].pool.has_value();
        at = &flow.members[before];
      }
      pooledPaths += isPooled;
    }
  }

  /// Outputs that are pooled on their way to DRAM.
  void countPooled(const Network &network, const Schedule &schedule,
                   const FusionGroup &group) {
    if (!group.poolsOutput)
      return;
    ++(group.layers.size() > 1 ? pooledGroups : pooledAlone);
    const GroupTiles tiles(network, schedule, group);
    const size_t last = tiles.size() - 1;
    narrowTiles += tiles.handedOver(last, Dim::Q) % tiles.tile()[Dim::Q] != 0;
  }

  /// Runs the network `text` on each of `targets`, with arguments drawn from
  /// `seed`, under what `decide` returns for it.
  void
  runNetwork(StringRef text, uint64_t seed, ArrayRef<Accelerator> targets,
             llvm::function_ref<std::optional<Schedule>(const Network &,
                                                        const Accelerator &)>
                 decide) {
    SCOPED_TRACE(text.str());
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    FailureOr<EntryPoint> entry = findEntryPoint(*module, "main");
    ASSERT_TRUE(succeeded(entry));
    llvm::Expected<std::vector<HostTensor>> arguments =
        makeArguments(*entry, seed);
    ASSERT_TRUE(static_cast<bool>(arguments));
    FailureOr<std::unique_ptr<Program>> reference =
        compileReference(*module, *entry, options);
    ASSERT_TRUE(succeeded(reference));
    llvm::Expected<std::vector<HostTensor>> expected =
        (*reference)->run(*arguments);
    ASSERT_TRUE(static_cast<bool>(expected));
    for (const Accelerator &target : targets) {
      SCOPED_TRACE(target.name);
      check(*module, *entry, target, *arguments, *expected,
            [&](const Network &network) { return decide(network, target); });
      if (HasFailure())
        return;
    }
  }

  /// Draws networks, runs each under a random schedule: on all `targets`, or
  /// on one after the other.
  void run(std::string (*drawNetwork)(std::mt19937_64 &), std::mt19937_64 &rng,
           ArrayRef<Accelerator> targets, bool inTurn,
           unsigned networks = kNetworksPerTest) {
    for (unsigned i = 0; i < networks && !HasFailure(); ++i) {
      std::string text = drawNetwork(rng);
      // Most of a test's time would go into LLVM's optimisations.
      options.optLevel = i % kOptimisedOf == 0 ? 2 : 0;
      // What networks are drawn does not depend on how they are scheduled.
      std::mt19937_64 schedules(rng());
      runNetwork(text, rng(),
                 inTurn ? targets.slice(i % targets.size(), 1) : targets,
                 [&](const Network &network, const Accelerator &target) {
                   return draw(network, target, schedules);
                 });
    }
    RecordProperty("layers", static_cast<int>(layers));
    RecordProperty("fused", static_cast<int>(fusedLayers));
    RecordProperty("empty_tiles", static_cast<int>(emptyTiles));
    RecordProperty("kept", static_cast<int>(keptEdges + keptInputs));
    RecordProperty("padded_edges", static_cast<int>(paddedEdges));
    RecordProperty("pools", static_cast<int>(pools));
    RecordProperty("slices", static_cast<int>(slices));
    RecordProperty("pooled_alone", static_cast<int>(pooledAlone));
    RecordProperty("pooled_groups", static_cast<int>(pooledGroups));
    RecordProperty("narrow_tiles", static_cast<int>(narrowTiles));
  }

  static bool isOverWindows(ir::LayerOp op) {
    return op.getInput().getDefiningOp<ir::WindowsOp>() != nullptr;
  }

  static bool isOverInterleavedRows(ir::LayerOp op) {
    auto windows = op.getInput().getDefiningOp<ir::WindowsOp>();
    if (!windows)
      return false;
    auto image = windows.getSource().getDefiningOp<tensor::CollapseShapeOp>();
    return image && image.getSrc().getDefiningOp<linalg::GenericOp>();
  }

  MLIRContext context;
  ProgramOptions options;
  Packing pack = Packing::Off;
  LoopUnitUse loopWs = LoopUnitUse::Auto;
  test::Chances chances;
  bool forLoops = false; ///< schedules are drawn for loop_ws
  unsigned loops = 0, repeatedLoops = 0, keptOperands = 0;
  unsigned layers = 0, fusedLayers = 0, packedLayers = 0, packedHeads = 0;
  unsigned interleavedLayers = 0;
  unsigned keptEdges = 0, keptInputs = 0, keptShared = 0, keptColumns = 0;
  unsigned pooledSlices = 0; ///< handed over
  unsigned inputTurns = 0;   ///< groups in which the input has two places
  unsigned keptInside = 0;   ///< countKeptInside()
  unsigned liveSkips = 0, branches = 0;
  unsigned pools = 0, slices = 0, emptyTiles = 0;
  unsigned scaledChannels = 0, zeroPoints = 0, clamps = 0; ///< layers with them
  unsigned paddedEdges = 0; ///< to layers whose padding is not zero
  unsigned pooledPaths = 0; ///< live skips around max pooling
  unsigned pooledBranches = 0, keptBranches = 0; ///< where rows are kept
  /// How far predicted cycles are from simulated ones.
  const std::unique_ptr<CostFunction> streamCost =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  std::vector<double> layersOff, groupsOff; ///< logarithms of the ratios
  /// Groups that store pooled outputs, layers alone that do, and those of
  /// either whose last columns make a narrower tile.
  unsigned pooledGroups = 0, pooledAlone = 0, narrowTiles = 0;
};

TEST_P(EndToEndTest, RandomNetworksAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xfad1ff + GetParam());
  run(test::randomNetwork, rng,
      known({"gemmini-large", "gemmini-small", "gemmini"}), /*inTurn=*/false);
  run(test::randomNetwork, rng, {shortOfMoves()}, /*inTurn=*/false,
      kNetworksPerTest / 3);
  // The draw must reach fused programs, or the property says nothing of them.
  EXPECT_GT(fusedLayers, 0u);
}

TEST_P(EndToEndTest, RandomChainsAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xc4a125 + GetParam());
  run(test::randomChain, rng, known({"gemmini-large", "gemmini-small"}),
      /*inTurn=*/true);
  EXPECT_GT(fusedLayers, layers / 2);
  EXPECT_GT(keptEdges + keptInputs, 0u);
  if (kSeed == 0) { // with others there may be none by chance
    EXPECT_GT(keptColumns, 0u);
    EXPECT_GT(emptyTiles, 0u);
    EXPECT_GT(paddedEdges, 0u);
  }
}

TEST_P(EndToEndTest, RandomReadOutsAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0x9ead07 + GetParam());
  // With few scales some layers and groups do not fit.
  const Accelerator machines[] = {*findTarget("gemmini-npu"),
                                  wide("gemmini-small", 64),
                                  wide("gemmini-large", 4096)};
  for (auto *drawNetwork :
       {test::randomWideNetwork, test::randomWideChain, test::randomWidePools})
    run(drawNetwork, rng, machines, /*inTurn=*/true, kNetworksPerTest / 3);
  EXPECT_GT(fusedLayers, 0u);
  EXPECT_GT(scaledChannels, layers / 4);
  EXPECT_GT(zeroPoints, layers / 4);
  EXPECT_GT(clamps, 0u);
}

TEST_P(EndToEndTest, RandomChainsInPlaceAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0x1acc + GetParam());
  run(test::randomChain, rng, {smallInPlace(), *findTarget("gemmini")},
      /*inTurn=*/true, kNetworksPerTest / 3);
  EXPECT_GT(fusedLayers, layers / 2);
  EXPECT_EQ(keptEdges + keptInputs, 0u);
}

TEST_P(EndToEndTest, RandomBlocksInPlaceAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xb10ca + GetParam());
  run(test::randomBlocks, rng, {smallInPlace(), *findTarget("gemmini")},
      /*inTurn=*/true, kNetworksPerTest / 2);
  EXPECT_GT(fusedLayers, 0u);
  // Residuals that a member makes would be scaled as its operands are.
  EXPECT_EQ(branches, 0u);
  EXPECT_GT(liveSkips, 0u);
}

TEST_P(EndToEndTest, RandomBlocksAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xb10c5 + GetParam());
  // Now and then a few networks have no branch in a group.
  for (int more = 0; more < 4 && (more == 0 || branches == 0); ++more)
    run(test::randomBlocks, rng, known({"gemmini-large", "gemmini-small"}),
        /*inTurn=*/true, kNetworksPerTest / 2);
  EXPECT_GT(liveSkips, 2u);
  EXPECT_GT(branches, 0u);
  EXPECT_GT(keptShared, 0u);
}

TEST_P(EndToEndTest, RandomSlicesAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0x511ce + GetParam());
  chances = {/*keeps=*/40, /*rows=*/70, /*slices=*/60};
  for (auto draw : {test::randomChain, test::randomBlocks})
    run(draw, rng, {narrow(), smallInPlace(), shortOfMoves()}, /*inTurn=*/true,
        kNetworksPerTest / 2);
  // In place nothing is pooled. Now and then a few networks have no slices that
  // are.
  for (int more = 0; more < 8 && pooledSlices == 0; ++more)
    run(test::randomPools, rng, {narrow()}, /*inTurn=*/true,
        kNetworksPerTest / 2);
  EXPECT_GT(slices, 3u);
  if (kSeed == 0) {
    EXPECT_GT(pooledSlices, 0u);
    EXPECT_GT(inputTurns, 0u);
  }
}

TEST_P(EndToEndTest, RandomKeptSlicesAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0x5ce97 + GetParam());
  chances = {/*keeps=*/100, /*rows=*/90, /*slices=*/100, /*inputTurns=*/90};
  // Now and then a few networks have none where members inside read them.
  for (int more = 0; more < 4 && (more == 0 || keptInside == 0); ++more)
    for (auto draw : {test::randomChain, test::randomBlocks})
      run(draw, rng, {narrow()}, /*inTurn=*/true, kNetworksPerTest / 2);
  EXPECT_GT(keptInside, 0u);
  EXPECT_GT(slices, 0u);
  EXPECT_GT(keptEdges + keptInputs, 0u);
}

TEST_P(EndToEndTest, RandomPoolsAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xb001 + GetParam());
  // Now and then a few networks leave all pooling to the host.
  for (int more = 0; more < 3 && pooledAlone + pooledGroups == 0; ++more)
    run(test::randomPools, rng, known({"gemmini-large", "gemmini-small"}),
        /*inTurn=*/true, kNetworksPerTest / 2);
  EXPECT_GT(pools, 0u);
  EXPECT_GT(pooledAlone + pooledGroups, 0u);
}

TEST_P(EndToEndTest, RandomPooledBlocksAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xb10cb001 + GetParam());
  // Now and then a few networks have no group with such a path.
  for (int more = 0; more < 4 && pooledPaths == 0; ++more)
    run(test::randomPooledBlocks, rng,
        known({"gemmini-large", "gemmini-small"}),
        /*inTurn=*/true, kNetworksPerTest / 3);
  EXPECT_GT(pools, 0u);
  EXPECT_GT(pooledPaths, 0u);
}

TEST_P(EndToEndTest, RandomPooledBranchesAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xb10cb002 + GetParam());
  // Most networks have no such branch with rows that are kept.
  for (int more = 0; more < 24 && keptBranches == 0; ++more)
    run(test::randomPooledBranches, rng,
        known({"gemmini-large", "gemmini-small"}),
        /*inTurn=*/true, kNetworksPerTest / 3);
  EXPECT_GT(pooledBranches, 0u);
  EXPECT_GT(keptBranches, 0u);
}

/// Machines that cannot pool from member to member can on the way to DRAM.
TEST_P(EndToEndTest, RandomPoolsToDramAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xb002 + GetParam());
  Accelerator apart = llvm::cantFail(findTarget("gemmini-small"));
  apart.name = "apart";
  apart.handOver = HandOver::None;
  run(test::randomPools, rng, {smallInPlace(), apart}, /*inTurn=*/true,
      kNetworksPerTest / 2);
  EXPECT_EQ(pools, 0u);
  EXPECT_GT(pooledAlone, 0u);
}

TEST_P(EndToEndTest, RandomNetworksInF32AreCloseAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xf32 + GetParam());
  run(test::randomRealNetwork, rng, {smallReal(), *findTarget("gemmini-fp32")},
      /*inTurn=*/true, kNetworksPerTest / 4);
}

TEST_P(EndToEndTest, RandomChainsInF32InPlaceAreCloseAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0x1accf32 + GetParam());
  run(test::randomRealChain, rng, known({"gemmini-fp32"}), /*inTurn=*/true,
      kNetworksPerTest / 5);
  EXPECT_GT(fusedLayers, 0u);
}

TEST_P(EndToEndTest, RandomChainsInF32AreCloseAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0xc4a1f32 + GetParam());
  run(test::randomRealChain, rng, smallReal(), /*inTurn=*/true,
      kNetworksPerTest / 4);
  EXPECT_GT(fusedLayers, 0u);
}

TEST_P(EndToEndTest, RandomProductsByLoopAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0x1009 + GetParam());
  loopWs = LoopUnitUse::On;
  forLoops = true;
  run(test::randomProduct, rng,
      known({"gemmini-large", "gemmini-small", "gemmini"}), /*inTurn=*/true,
      kNetworksPerTest);
  run(test::randomRealProduct, rng, {smallReal(), *findTarget("gemmini-fp32")},
      /*inTurn=*/true, kNetworksPerTest / 10);
  EXPECT_GT(loops, layers / 2);
  EXPECT_GT(repeatedLoops, layers / 4);
  EXPECT_GT(keptOperands, 0u);
}

/// Layers that no loop can run, and groups, are emitted as ever.
TEST_P(EndToEndTest, RandomNetworksByLoopAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0x10a11 + GetParam());
  loopWs = LoopUnitUse::On;
  run(test::randomNetwork, rng, known({"gemmini-large", "gemmini-small"}),
      /*inTurn=*/true, kNetworksPerTest / 10);
}

INSTANTIATE_TEST_SUITE_P(Random, EndToEndTest, ::testing::Range(0u, kTests));

/// An input of more than 2^31 elements, of which a strided convolution reads
/// one pixel in 4096; the pages of the others are never touched.
TEST_F(EndToEndTest, ElementsPastTwoToThe31) {
  constexpr int64_t kExtent = 4097, kChannels = 128, kStep = 64;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
func.func @main(%x: tensor<1x4097x4097x128xi8>, %w: tensor<1x1x128x8xi8>) -> tensor<1x65x65x8xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x65x65x8xi32>
  %start = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x65x65x8xi32>) -> tensor<1x65x65x8xi32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<64> : tensor<2xi64>} ins(%x, %w : tensor<1x4097x4097x128xi8>, tensor<1x1x128x8xi8>) outs(%start : tensor<1x65x65x8xi32>) -> tensor<1x65x65x8xi32>
  return %y : tensor<1x65x65x8xi32>
})",
                                                             &context);
  ASSERT_TRUE(module);
  FailureOr<EntryPoint> entry = findEntryPoint(*module, "main");
  ASSERT_TRUE(succeeded(entry));
  std::vector<HostTensor> arguments;
  for (const TensorSpec &spec : entry->arguments) {
    llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
    if (!tensor) {
      llvm::consumeError(tensor.takeError());
      GTEST_SKIP() << "no room for " << spec.str();
    }
    arguments.push_back(std::move(*tensor));
  }
  ASSERT_GT(arguments[0].spec().numElements(), uint64_t(1) << 31);
  std::mt19937_64 rng = generator(31);
  for (int64_t y = 0; y < kExtent; y += kStep)
    for (int64_t x = 0; x < kExtent; x += kStep) {
      uint8_t *pixel = arguments[0].data() + (y * kExtent + x) * kChannels;
      for (int64_t c = 0; c < kChannels; ++c)
        pixel[c] = uint8_t(rng());
    }
  fillTensor(arguments[1], FillRule::defaultFor(ElementType::I8), 1, 1);
  FailureOr<std::unique_ptr<Program>> reference =
      compileReference(*module, *entry, options);
  ASSERT_TRUE(succeeded(reference));
  llvm::Expected<std::vector<HostTensor>> expected =
      (*reference)->run(arguments);
  ASSERT_TRUE(static_cast<bool>(expected));
  const Accelerator target = known({"gemmini-small"}).front();
  for (int trial = 0; trial < 3; ++trial)
    check(*module, *entry, target, arguments, *expected,
          [&](const Network &network) { return draw(network, target, rng); });
}

/// One column of outputs under pooling windows two columns wide: the tile's
/// nominal extent, for which buffers are made, is more than any tile has, so
/// the loop over Q makes one trip. The input's parts that are fetched ahead
/// must not take that for two, or the next tile's first part comes into the
/// rows that the array reads.
TEST_F(EndToEndTest, PooledTileIsNarrowerThanItsWindows) {
  auto mapping = dyn_cast_if_present<ir::MappingAttr>(parseAttribute(
      "#fadiff.mapping<dram [N:2 G:2], scratchpad [], accumulator [Q:2 G:2], "
      "registers [P:2], array [1 x 12]>",
      &context));
  ASSERT_TRUE(mapping);
  runNetwork(R"(
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @main(%x: tensor<2x2x1x32xi8>, %w: tensor<1x1x32xi8>) -> tensor<2x1x1x32xi8> {
  %zero = arith.constant 0 : i32
  %zero8 = arith.constant 0 : i8
  %least = arith.constant -128 : i8
  %scale = arith.constant 0.0123 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<2x2x1x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x2x1x32xi32>) -> tensor<2x2x1x32xi32>
  %sum = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<2x2x1x32xi8>, tensor<1x1x32xi8>) outs(%f : tensor<2x2x1x32xi32>) -> tensor<2x2x1x32xi32>
  %e8 = tensor.empty() : tensor<2x2x1x32xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<2x2x1x32xi32>) outs(%e8 : tensor<2x2x1x32xi8>) {
  ^bb0(%in: i32, %out: i8):
    %a = arith.sitofp %in : i32 to f32
    %b = arith.mulf %a, %scale : f32
    %c = math.roundeven %b : f32
    %d = arith.maximumf %c, %low : f32
    %g = arith.minimumf %d, %high : f32
    %h = arith.fptosi %g : f32 to i8
    linalg.yield %h : i8
  } -> tensor<2x2x1x32xi8>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<2x2x1x32xi8>) outs(%e8 : tensor<2x2x1x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %a = arith.maxsi %in, %zero8 : i8
    linalg.yield %a : i8
  } -> tensor<2x2x1x32xi8>
  %padded = tensor.pad %relu low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%n: index, %y: index, %z: index, %k: index):
    tensor.yield %least : i8
  } : tensor<2x2x1x32xi8> to tensor<2x2x2x32xi8>
  %taps = tensor.empty() : tensor<2x2xi8>
  %start = tensor.empty() : tensor<2x1x1x32xi8>
  %init = linalg.fill ins(%least : i8) outs(%start : tensor<2x1x1x32xi8>) -> tensor<2x1x1x32xi8>
  %max = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %taps : tensor<2x2x2x32xi8>, tensor<2x2xi8>) outs(%init : tensor<2x1x1x32xi8>) -> tensor<2x1x1x32xi8>
  return %max : tensor<2x1x1x32xi8>
})",
             /*seed=*/1, known({"gemmini-small"}),
             [&](const Network &network, const Accelerator &target) {
               Schedule schedule;
               schedule.mappings = {ir::toMapping(mapping)};
               FusionGroup alone;
               alone.layers = {0};
               alone.poolsOutput = true;
               schedule.groups = {alone};
               llvm::Error error = verify(network, schedule, alone, target);
               EXPECT_FALSE(error) << llvm::toString(std::move(error));
               return std::optional(std::move(schedule));
             });
  EXPECT_EQ(pooledAlone, 1u);
}

/// Thin layers, all that can be over windows of their inputs; in every other
/// test with kernel rows as channels, too.
class PackedTest : public EndToEndTest {
protected:
  void runPacked(std::string (*draw)(std::mt19937_64 &), std::mt19937_64 &rng,
                 ArrayRef<Accelerator> machines) {
    const bool withRows = GetParam() % 2 == 1;
    pack = withRows ? Packing::On : Packing::Columns;
    run(draw, rng, machines, /*inTurn=*/true);
    EXPECT_EQ(interleavedLayers > 0, withRows);
  }
};

TEST_P(PackedTest, ThinLayersAreBitExactAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0x7419 + GetParam());
  runPacked(test::randomThinNetwork, rng,
            known({"gemmini-large", "gemmini-small"}));
  EXPECT_GT(packedLayers, kNetworksPerTest / 3);
  EXPECT_GT(packedHeads, 0u);
}

TEST_P(PackedTest, ThinLayersInF32AreCloseAndMoveWhatWasPredicted) {
  std::mt19937_64 rng = generator(0x7419f32 + GetParam());
  runPacked(test::randomRealThinNetwork, rng, smallReal());
  EXPECT_GT(packedLayers, 0u);
}

INSTANTIATE_TEST_SUITE_P(Random, PackedTest, ::testing::Range(0u, kTests / 2));

} // namespace
