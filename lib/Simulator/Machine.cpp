//===- Machine.cpp - Dispatch, configuration and checks -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineImpl.h"
#include "Numerics.h"
#include "fadiff/Hardware/Fields.h"

#include "fadiff/Simulator/Trace.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <tuple>

using namespace fadiff;
using namespace fadiff::sim;
using namespace fadiff::isa;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// What makes `a` unusable, empty if nothing.
static std::string whyImpossible(const Accelerator &a) {
  struct {
    const char *name;
    int64_t value, low, high;
  } const limits[] = {
      {"side", a.side, 1, 1024},
      {"scratchpadBytes", a.scratchpadBytes, a.side * a.elementBytes(),
       int64_t(1) << 36},
      {"accumulatorBytes", a.accumulatorBytes, 4 * a.side, int64_t(1) << 36},
      {"scratchpad rows", a.side > 0 ? a.scratchpadRows() : 0, 1,
       LocalAddress::kRowMask},
      {"accumulator rows", a.side > 0 ? a.accumulatorRows() : 0, 1,
       LocalAddress::kRowMask},
      {"dmaBytesPerCycle", a.dmaBytesPerCycle, 1, 1 << 20},
      {"dmaMaxRequestBytes", a.dmaMaxRequestBytes, 1, 1 << 20},
      {"dmaRequestsInFlight", a.dmaRequestsInFlight, 1, 1 << 20},
      {"dmaLatency", a.dmaLatency, 0, 1 << 20},
      {"loadStations", a.loadStations, 1, 1 << 20},
      {"storeStations", a.storeStations, 1, 1 << 20},
      // A preload and its compute are in the window together.
      {"executeStations", a.executeStations, 2, 1 << 20},
      {"commandCycles", a.commandCycles, 0, 1 << 20},
      {"scratchpadReadDelay", a.scratchpadReadDelay, 0, 1 << 20},
      {"accumulatorPipe", a.accumulatorPipe, 0, 1 << 20},
      {"passesInFlight", a.passesInFlight, 0, 1 << 20},
      {"cacheBytes", a.cacheBytes, 0, 1 << 30},
      {"cacheWays", a.cacheWays, 1, 64},
      {"lastLevelBytes", a.lastLevelBytes, 0, 1 << 30},
      {"readOutScales", a.readOut.scales, a.readOut.perChannel, 1 << 30},
  };
  for (const auto &limit : limits)
    if (limit.value < limit.low || limit.value > limit.high)
      return ("accelerator '" + Twine(a.name) + "': " + limit.name +
              " must be in " + Twine(limit.low) + ".." + Twine(limit.high) +
              ", found " + Twine(limit.value))
          .str();
  return "";
}

/// The machine that stands in for an impossible one; it never runs anything.
static Accelerator usable(const Accelerator &accelerator) {
  return whyImpossible(accelerator).empty() ? accelerator : Accelerator();
}

Machine::Impl::Impl(const Accelerator &requested, MachineOptions options)
    : accelerator(usable(requested)), options(options), timing(accelerator),
      scratchpad(accelerator.scratchpadRows(),
                 accelerator.side * accelerator.elementBytes()),
      accumulator(accelerator.accumulatorRows(), accelerator.side),
      counters(&byRegion[-1]), stationary(accelerator.side * accelerator.side),
      bytes(accelerator.elementBytes() *
            std::max(accelerator.side * accelerator.side,
                     accelerator.maxMoveColumns())),
      words(accelerator.side * accelerator.side),
      scales(accelerator.readOut.perChannel ? accelerator.readOut.scales : 0,
             std::numeric_limits<float>::quiet_NaN()) {
  std::string why = whyImpossible(requested);
  if (!why.empty())
    fault = Fault{0, -1, "machine", why};
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool Machine::Impl::fail(const Twine &message) {
  std::string command = inFence ? "fence" : disassemble(current);
  if (unrolled)
    command = disassemble(*unrolled) + ": " + command;
  fault = Fault{commandIndex, regionId, command, message.str()};
  return false;
}

void Machine::Impl::execute(const Command &command) {
  if (fault)
    return;
  current = command;
  if (dispatch(command))
    ++commandIndex;
}

static bool isOfLoop(const Command &command) {
  return (command.funct >= uint32_t(Funct::LoopWs) &&
          command.funct <= uint32_t(Funct::LoopWsConfigStridesDC)) ||
         (command.funct >= uint32_t(Funct::LoopConvWs) &&
          command.funct <= uint32_t(Funct::LoopConvWsConfig6));
}

bool Machine::Impl::dispatch(const Command &command) {
  // All other commands wait until a loop has issued everything.
  if (!isOfLoop(command) && !unrolled)
    running.reset();
  switch (Funct(command.funct)) {
  case Funct::Config:
    return configure(command);
  case Funct::Mvin:
  case Funct::Mvin2:
  case Funct::Mvin3:
    return mvin(decodeMove(command));
  case Funct::Mvout:
    return mvout(decodeMove(command));
  case Funct::MvoutSpad:
    return mvoutSpad(decodeMvoutSpad(command));
  case Funct::ConfigReadout:
    return configureReadout(decodeConfigReadout(command));
  case Funct::MvinScales:
    return mvinScales(decodeMvinScales(command));
  case Funct::Preload:
    return preload(decodePreload(command));
  case Funct::ComputePreloaded:
  case Funct::ComputeAccumulated:
    return compute(decodeCompute(command));
  case Funct::Flush:
    count(CommandKind::Flush);
    timing.issueOnly();
    return true;
  case Funct::LoopWs:
    return loopWs(command);
  case Funct::LoopWsConfigBounds:
  case Funct::LoopWsConfigAddrsAB:
  case Funct::LoopWsConfigAddrsDC:
  case Funct::LoopWsConfigStridesAB:
  case Funct::LoopWsConfigStridesDC:
    loop.take(command);
    count(CommandKind::LoopWs);
    timing.configureLoop(/*isConv=*/false);
    return true;
  case Funct::LoopConvWs:
    return loopConvWs(command);
  case Funct::LoopConvWsConfig1:
  case Funct::LoopConvWsConfig2:
  case Funct::LoopConvWsConfig3:
  case Funct::LoopConvWsConfig4:
  case Funct::LoopConvWsConfig5:
  case Funct::LoopConvWsConfig6:
    convLoop.take(command);
    count(CommandKind::LoopWs);
    timing.configureLoop(/*isConv=*/true);
    return true;
  }
  return fail("funct " + Twine(command.funct) + " is not an instruction");
}

void Machine::Impl::fence() {
  if (fault)
    return;
  inFence = true;
  if (pending) {
    fail("the last preload waits for a compute, so the fence would never end");
    return;
  }
  inFence = false;
  running.reset();
  count(CommandKind::Fence);
  timing.fence();
  record(CommandKind::Fence);
  unfenced.clear();
  ++commandIndex;
}

//===----------------------------------------------------------------------===//
// Configuration
//===----------------------------------------------------------------------===//

bool Machine::Impl::checkScale(float scale) {
  if (!std::isfinite(scale) || scale == 0)
    return fail("the scale must be finite and not 0 (1 leaves values alone)");
  return true;
}

bool Machine::Impl::checkScaling(float scale, Activation activation) {
  if (!checkScale(scale))
    return false;
  if (activation == Activation::Relu && scale < 0)
    return fail("ReLU with a negative scale: hardware and ISA simulator "
                "disagree on which comes first");
  if (activation == Activation::None || activation == Activation::Relu)
    return true;
  return fail("activation " + Twine(unsigned(activation)) +
              " needs normalisation hardware that this machine has not; wanted "
              "0 (none) or 1 (ReLU)");
}

bool Machine::Impl::configure(const Command &command) {
  switch (configKind(command)) {
  case ConfigKind::Ex:
    return configureEx(decodeConfigEx(command));
  case ConfigKind::Ld:
    return configureLd(decodeConfigLd(command));
  case ConfigKind::St:
    return configureSt(command);
  case ConfigKind::Norm:
    break;
  }
  return fail("this machine has no normalisation hardware");
}

bool Machine::Impl::configureEx(const ConfigEx &config) {
  if (config.cStride == 0)
    return fail("c_stride is 0: all rows of C would fall on one; wanted at "
                "least 1");
  if (pending)
    return fail("stands between a preload and its compute");
  if (config.setOnlyStrides) {
    if (!exConfig)
      return fail("set_only_strides before any full config_ex");
    exConfig->aStride = config.aStride;
    exConfig->cStride = config.cStride;
  } else {
    if (config.dataflow != Dataflow::WeightStationary)
      return fail("the output-stationary dataflow is not simulated; set "
                  "dataflow to 1");
    if (config.transposeA && config.transposeB)
      return fail("A and B cannot both be transposed in weight-stationary "
                  "dataflow: there is one transposer");
    if (!checkScaling(config.scale, config.activation))
      return false;
    exConfig = config;
  }
  count(CommandKind::ConfigEx);
  timing.configureExecute();
  return true;
}

bool Machine::Impl::configureLd(const ConfigLd &config) {
  if (config.mvin > 2)
    return fail("mvin " + Twine(unsigned(config.mvin)) +
                " does not exist; wanted 0 (mvin), 1 (mvin2) or 2 (mvin3)");
  if (!checkScale(config.scale))
    return false;
  if (config.scale != 1 && accelerator.loadScale == LoadScale::None)
    return fail("loads have no scale: " +
                describeField(accelerator, "load_scale") + "; wanted 1");
  ldConfig[config.mvin] = config;
  count(CommandKind::ConfigLd);
  timing.configureLoad();
  return true;
}

bool Machine::Impl::configureSt(const Command &command) {
  ConfigSt config = decodeConfigSt(command);
  // The hardware keeps its scale when the field is all ones.
  if (config_st::kScale.get(command) == config_st::kScale.max()) {
    if (!stConfig)
      return fail(
          "the scale field is all ones, which keeps the last scale, but "
          "none has been set");
    config.scale = stConfig->scale;
  }
  if (!checkScaling(config.scale, config.activation))
    return false;
  if (config.poolStride == 0 && config.poolSize != 0)
    return fail("pool_size " + Twine(unsigned(config.poolSize)) +
                " with pool_stride 0 selects an undocumented mode; wanted "
                "pool_size 0");
  if (config.poolStride != 0 &&
      (config.poolSize == 0 || config.poolRows == 0 || config.poolCols == 0 ||
       config.rows == 0 || config.cols == 0))
    return fail("pooling needs pool_size, pool_rows, pool_cols, rows and cols, "
                "all at least 1");
  const std::tuple<const char *, unsigned, int64_t, const char *> limits[] = {
      {"pool_size", config.poolSize, accelerator.pool.window, "pool_window"},
      {"pool_stride", config.poolStride, accelerator.pool.stride,
       "pool_stride"},
      {"rows", config.rows, accelerator.pool.extent, "pool_extent"},
      {"cols", config.cols, accelerator.pool.extent, "pool_extent"}};
  for (auto [name, value, most, capability] : limits)
    if (config.poolStride != 0 && value > most)
      return fail("pooling with " + Twine(name) + " " + Twine(value) + ": " +
                  describeField(accelerator, capability));
  stConfig = config;
  readoutConfig.reset();
  count(CommandKind::ConfigSt);
  timing.configureStore();
  return true;
}

bool Machine::Impl::configureReadout(const ConfigReadout &config) {
  const ReadOutFeatures wanted = {config.perChannel, config.zeroPoint != 0,
                                  config.low != INT8_MIN ||
                                      config.high != INT8_MAX};
  if (!accelerator.readOut.any() || !accelerator.readOut.includes(wanted))
    return fail("accelerator '" + accelerator.name +
                "' has no read-out with that; it has " +
                (accelerator.readOut.any()
                     ? llvm::join(namesOf(accelerator.readOut), ", ")
                     : "one scale, ReLU and saturation"));
  if (!stConfig)
    return fail("no config_st before it");
  if (config.low > config.high)
    return fail("the bounds " + Twine(int(config.low)) + ".." +
                Twine(int(config.high)) + " are the wrong way round");
  readoutConfig = config;
  count(CommandKind::ConfigSt);
  timing.configureStore();
  return true;
}

//===----------------------------------------------------------------------===//
// Local memory checks
//===----------------------------------------------------------------------===//

static const char *memoryName(bool isAccumulator) {
  return isAccumulator ? "accumulator" : "scratchpad";
}

bool Machine::Impl::checkAddress(const char *what, LocalAddress address) {
  if (address.isGarbage())
    return fail(Twine(what) + " is the garbage address; wanted a row");
  uint32_t meaningless = address.isAccumulator()
                             ? LocalAddress::kNormMask
                             : LocalAddress::kNormMask |
                                   LocalAddress::kAccumulate |
                                   LocalAddress::kFullWidth;
  if (address.bits & meaningless)
    return fail(Twine(what) + " has flag bits 0x" +
                llvm::Twine::utohexstr(address.bits & meaningless) +
                " that mean nothing in the " +
                memoryName(address.isAccumulator()));
  return true;
}

bool Machine::Impl::checkRange(const char *what, const RowRange &range) {
  int64_t last = range.first + (range.count - 1) * range.stride;
  if (last < rowsOf(range.accumulator))
    return true;
  return fail(Twine(what) + " takes rows " + Twine(range.first) + ".." +
              Twine(last) + " of the " + memoryName(range.accumulator) +
              ", which has " + Twine(rowsOf(range.accumulator)));
}

bool Machine::Impl::checkSize(const char *what, int64_t rows, int64_t cols,
                              int64_t maxCols) {
  if (rows >= 1 && rows <= accelerator.side && cols >= 1 && cols <= maxCols)
    return true;
  return fail(Twine(what) + " is " + Twine(rows) + " x " + Twine(cols) +
              "; wanted rows in 1.." + Twine(accelerator.side) +
              " and columns in 1.." + Twine(maxCols));
}

bool Machine::Impl::checkWritten(const char *what, const RowRange &range,
                                 int64_t cols) {
  const std::vector<uint16_t> &written =
      range.accumulator ? accumulator.written : scratchpad.written;
  if (range.stride == 1 &&
      minOf(written.data() + range.first, range.count) >= cols)
    return true;
  for (int64_t i = 0; i < range.count; ++i) {
    int64_t row = range.first + i * range.stride;
    if (written[row] < cols)
      return fail(Twine(what) + " reads " + Twine(cols) + " columns of row " +
                  Twine(row) + " of the " + memoryName(range.accumulator) +
                  ", of which " + Twine(written[row]) + " have been written");
  }
  return true;
}

void Machine::Impl::markWritten(const RowRange &range, int64_t cols) {
  std::vector<uint16_t> &written =
      range.accumulator ? accumulator.written : scratchpad.written;
  for (int64_t i = 0; i < range.count; ++i) {
    uint16_t &row = written[range.first + i * range.stride];
    row = std::max<uint16_t>(row, cols);
  }
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

void Machine::Impl::record(CommandKind kind, int64_t rows, int64_t cols) {
  if (!options.trace)
    return;
  bool stores = kind == CommandKind::Mvout || kind == CommandKind::MvoutSpad;
  if (storing && !stores && kind != CommandKind::Fence)
    ++tile;
  if (kind != CommandKind::Fence)
    storing = stores;
  Timing::Span span = timing.lastSpan();
  if (span.start == span.finish)
    return;
  const int64_t bytes = counters->dramBytesRead + counters->dramBytesWritten;
  options.trace->add({kind, span.start, span.finish, commandIndex, regionId,
                      member, tile, rows, cols, bytes - tracedBytes});
  tracedBytes = bytes;
}

void Machine::Impl::setMember(int64_t index) {
  member = index;
  if (options.progress)
    options.progress->store(timing.makespan(), std::memory_order_relaxed);
}

void Machine::Impl::region(int64_t id) {
  if (fault)
    return;
  setMember(id < 0 ? -1 : 0);
  if (options.trace)
    options.trace->enterRegion(id, timing.makespan());
  tile = 0;
  storing = false;
  counters->cycles += timing.makespan() - regionStart;
  timing.closeArrayTimes();
  const Timing::ArrayTimes times = timing.arrayTimes();
  for (unsigned i = 0; i < kNumArrayTimes; ++i)
    counters->arrayTime[i] += times[i] - timesAtStart[i];
  timesAtStart = times;
  regionStart = timing.makespan();
  hasComputed = false;
  regionId = id;
  counters = &byRegion[id];
  tracedBytes = counters->dramBytesRead + counters->dramBytesWritten;
  ++counters->runs;
}

Counters Machine::Impl::countersOf(int64_t id) const {
  auto it = byRegion.find(id);
  if (it == byRegion.end())
    return {};
  Counters result = it->second;
  if (id == regionId) {
    result.cycles += timing.makespan() - regionStart;
    const Timing::ArrayTimes times = timing.arrayTimes();
    for (unsigned i = 0; i < kNumArrayTimes; ++i)
      result.arrayTime[i] += times[i] - timesAtStart[i];
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Machine
//===----------------------------------------------------------------------===//

std::string Fault::str() const {
  return "command " + std::to_string(command) + " (" + disassembly + ")" +
         (region == -1 ? "" : " in region " + std::to_string(region)) + ": " +
         message;
}

Machine::Machine(const Accelerator &accelerator, MachineOptions options)
    : impl(std::make_unique<Impl>(accelerator, options)) {}

Machine::~Machine() = default;

const Accelerator &Machine::accelerator() const { return impl->accelerator; }

void Machine::execute(uint32_t funct, uint64_t rs1, uint64_t rs2) {
  impl->execute({funct, rs1, rs2});
}

void Machine::fence() { impl->fence(); }

void Machine::region(int64_t id) { impl->region(id); }
void Machine::member(int64_t index) { impl->setMember(index); }

void Machine::addDramRange(const void *pointer, uint64_t bytes) {
  impl->ranges.add(reinterpret_cast<uintptr_t>(pointer), bytes);
}

const std::optional<Fault> &Machine::fault() const { return impl->fault; }

bool Machine::hasUnfencedWrites() const { return impl->hasUnfencedWrites(); }

int64_t Machine::cycles() const { return impl->timing.makespan(); }

Counters Machine::total() const {
  Counters sum;
  for (const auto &entry : impl->byRegion)
    sum += impl->countersOf(entry.first);
  return sum;
}

Counters Machine::counters(int64_t region) const {
  return impl->countersOf(region);
}

std::vector<int64_t> Machine::regions() const {
  std::vector<int64_t> ids;
  for (const auto &entry : impl->byRegion)
    ids.push_back(entry.first);
  return ids;
}

llvm::ArrayRef<int8_t> Machine::scratchpadRow(int64_t row) const {
  if (row < 0 || row >= impl->accelerator.scratchpadRows())
    return {};
  return {impl->scratchpad.row(row), size_t(impl->scratchpad.width)};
}

llvm::ArrayRef<int32_t> Machine::accumulatorRow(int64_t row) const {
  if (row < 0 || row >= impl->accelerator.accumulatorRows())
    return {};
  return {impl->accumulator.row(row), size_t(impl->accelerator.side)};
}
