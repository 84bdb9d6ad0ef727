//===- InstructionOrder.cpp - Rules between instructions --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk over straight-line code with what is known of the machine's state.
// Where the state comes from elsewhere, a rule is only judged if every
// configuration in the whole program breaks it, so nothing legal is refused.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fadiff::gemmini;

namespace {

/// The configurations that may be in force: all of the program, or the one that
/// stands before in the same block.
template <typename ConfigOp> class Candidates {
public:
  void add(ConfigOp op) { all.push_back(op); }
  void set(ConfigOp op) { known = op; }
  void forget() { known = nullptr; }
  /// The configuration in force, if every candidate satisfies `pred`; null
  /// otherwise or if there is none.
  template <typename Pred> ConfigOp allSatisfy(Pred pred) const {
    if (known)
      return pred(known) ? known : ConfigOp();
    if (all.empty() || !llvm::all_of(all, pred))
      return ConfigOp();
    return all.front();
  }

private:
  SmallVector<ConfigOp> all;
  ConfigOp known = nullptr;
};

class OrderVerifier {
public:
  explicit OrderVerifier(Operation *root)
      : target(fadiff::lookupMachine(root)) {
    root->walk([&](Operation *op) {
      if (auto ex = dyn_cast<ConfigExOp>(op))
        configEx.add(ex);
      if (auto ld = dyn_cast<ConfigLdOp>(op))
        configLd[ld.getId()].add(ld);
      if (auto st = dyn_cast<ConfigStOp>(op))
        configSt.add(st);
    });
  }

  void visit(Operation *root) {
    for (Region &region : root->getRegions())
      for (Block &block : region) {
        forget();
        for (Operation &op : block)
          visitOp(&op);
      }
  }

  LogicalResult result() const { return failure(failed); }

private:
  /// Whether a compute may come next.
  enum class Pairing { Unknown, NeedsPreload, Preloaded };

  void forget() {
    configEx.forget();
    for (auto &unit : configLd)
      unit.forget();
    configSt.forget();
    pairing = Pairing::Unknown;
    preload = nullptr;
    lastCompute = nullptr;
    storedTo.clear();
    storedToConstant.clear();
  }

  void visitOp(Operation *op) {
    if (op->getNumRegions() != 0) {
      bool matters = false;
      op->walk([&](Operation *inner) {
        if (inner != op &&
            (llvm::isa<CallOpInterface>(inner) || isInstruction(inner)))
          matters = true;
        return matters ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (!matters)
        return;
      std::optional<fadiff::Accelerator> outer = target;
      if (llvm::isa<ModuleOp>(op))
        target = fadiff::lookupMachine(op);
      visit(op);
      target = outer;
      forget();
      return;
    }
    if (llvm::isa<CallOpInterface>(op))
      return forget();
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](ConfigExOp ex) { configEx.set(ex); })
        .Case([&](ConfigLdOp ld) { configLd[ld.getId()].set(ld); })
        .Case([&](ConfigStOp st) { configSt.set(st); })
        .Case<MvinOp, Mvin2Op, Mvin3Op>([&](auto mvin) { checkMvin(mvin); })
        .Case([&](MvoutOp mvout) { checkMvout(mvout); })
        .Case([&](LoopWsOp loop) { checkLoop(loop); })
        .Case([&](LoopConvWsOp loop) { checkLoop(loop); })
        .Case([&](FenceOp) {
          storedTo.clear();
          storedToConstant.clear();
        })
        .Case([&](PreloadOp op) { checkPreload(op); })
        .Case<ComputePreloadedOp, ComputeAccumulatedOp>(
            [&](auto compute) { checkCompute(compute); });
  }

  static bool isInstruction(Operation *op) {
    return isa_and_nonnull<GemminiDialect>(op->getDialect()) &&
           !llvm::isa<SpadAddrOp, AccAddrOp, GarbageOp>(op);
  }

  InFlightDiagnostic error(Operation *op) {
    failed = true;
    return op->emitOpError();
  }

  template <typename MvinLike> void checkMvin(MvinLike op) {
    checkFenced(op, op.getDram());
    auto &config = configLd[*getLoadUnit(op)];
    std::optional<int64_t> rows = getConstant(op.getRows());
    std::optional<int64_t> cols = getConstant(op.getCols());
    if (rows)
      if (ConfigLdOp ld = config.allSatisfy([&](ConfigLdOp ld) {
            return static_cast<int64_t>(ld.getBlockStride()) < *rows;
          })) {
        error(op)
            .append("wants a block_stride of at least its rows = ", *rows,
                    ", found ", ld.getBlockStride())
            .attachNote(ld.getLoc())
            .append("configured here");
        return;
      }
    if (!target || !cols || *cols <= target->side)
      return;
    if (op.getAddr().getType().isAcc()) {
      if (ConfigLdOp ld =
              config.allSatisfy([&](ConfigLdOp ld) { return !ld.getShrink(); }))
        error(op)
            .append("loads int32 elements into the accumulator, at most "
                    "one block of ",
                    target->side, " cols, found ", *cols)
            .attachNote(ld.getLoc())
            .append("configured here without shrink");
      return;
    }
    std::optional<int64_t> row = getRow(op.getAddr());
    if (!row || !rows)
      return;
    int64_t blocks = (*cols - 1) / target->side;
    if (ConfigLdOp ld = config.allSatisfy([&](ConfigLdOp ld) {
          return *row + blocks * static_cast<int64_t>(ld.getBlockStride()) +
                     *rows >
                 target->scratchpadRows();
        }))
      error(op)
          .append("destination must end within the ", target->scratchpadRows(),
                  " rows of the scratchpad of '", target->name,
                  "', found block ", blocks, " at row ",
                  *row + blocks * static_cast<int64_t>(ld.getBlockStride()))
          .attachNote(ld.getLoc())
          .append("block_stride = ", ld.getBlockStride(), " is set here");
  }

  void addStore(Operation *op, Value dram) {
    if (std::optional<int64_t> address = getConstant(dram))
      storedToConstant.try_emplace(*address, op);
    else
      storedTo.try_emplace(dram, op);
  }

  void checkMvout(MvoutOp op) {
    addStore(op, op.getDram());
    std::optional<int64_t> cols = getConstant(op.getCols());
    if (!target || !cols || *cols <= target->side)
      return;
    if (ConfigStOp st = configSt.allSatisfy(
            [](ConfigStOp st) { return st.getPool().has_value(); }))
      error(op)
          .append("pools at most one block of ", target->side, " cols, found ",
                  *cols)
          .attachNote(st.getLoc())
          .append("pooling is configured here");
  }

  /// Before another preload.
  void checkPreloadUsed(Operation *op) {
    if (pairing == Pairing::Preloaded)
      error(op)
          .append("wants one compute per preload, found none since the "
                  "preload before")
          .attachNote(preload.getLoc())
          .append("not used by a compute");
  }

  /// Of either loop the last instruction is a compute.
  void beginLoop(Operation *op) {
    checkPreloadUsed(op);
    pairing = Pairing::NeedsPreload;
    lastCompute = op;
  }

  void checkLoop(LoopConvWsOp op) {
    beginLoop(op);
    for (Value loaded : {op.getInput(), op.getWeights(), op.getBias()})
      if (getConstant(loaded) != 0 &&
          !(op.getNoBias() && loaded == op.getBias()))
        checkFenced(op, loaded);
    // Its moves are set up by itself.
    for (auto &unit : configLd)
      unit.forget();
    const int64_t stride = op.getDownsample() ? 1 : op.getStride();
    if (ConfigExOp ex = configEx.allSatisfy([&](ConfigExOp ex) {
          return static_cast<int64_t>(ex.getAStride()) != stride ||
                 ex.getCStride() != 1;
        }))
      error(op)
          .append("computes, so config_ex must have a_stride = ", stride,
                  " and c_stride = 1, found ", ex.getAStride(), " and ",
                  ex.getCStride())
          .attachNote(ex.getLoc())
          .append("configured here");
    if (getConstant(op.getOutput()) == 0)
      return;
    addStore(op, op.getOutput());
    if (op.getPool())
      return configSt.forget();
    if (!target)
      return;
    const uint64_t bytes = op.getStrides()[2] * target->elementBytes();
    if (ConfigStOp st = configSt.allSatisfy([&](ConfigStOp st) {
          return st.getStride() != bytes || st.getPool().has_value();
        }))
      error(op)
          .append("stores its output, so config_st must have stride = ", bytes,
                  " and no pooling, found ", st.getStride(),
                  st.getPool() ? " and pooling" : "")
          .attachNote(st.getLoc())
          .append("configured here");
  }

  /// Moves take strides from the configurations, the loop's own say where its
  /// blocks lie.
  void checkLoop(LoopWsOp op) {
    beginLoop(op);
    for (Value loaded : {op.getA(), op.getB(), op.getD()})
      if (getConstant(loaded) != 0)
        checkFenced(op, loaded);
    if (getConstant(op.getC()) != 0)
      addStore(op, op.getC());
    if (!target)
      return;
    const int64_t bytes = target->elementBytes();
    struct {
      StringRef name;
      Value address;
      uint64_t stride;
    } const loads[] = {
        {"a", op.getA(), op.getAStride() * bytes},
        {"b", op.getB(), op.getBStride() * bytes},
        {"d", op.getD(), op.getDStride() * (op.getLowD() ? bytes : 4)}};
    for (unsigned unit = 0; unit < 3; ++unit) {
      const auto &load = loads[unit];
      if (getConstant(load.address) == 0)
        continue;
      if (ConfigLdOp ld = configLd[unit].allSatisfy([&](ConfigLdOp ld) {
            return ld.getStride() != load.stride ||
                   static_cast<int64_t>(ld.getBlockStride()) != target->side;
          }))
        error(op)
            .append("loads ", load.name, " with load unit ", unit,
                    ", which must have stride = ", load.stride,
                    " and block_stride = ", target->side, ", found ",
                    ld.getStride(), " and ", ld.getBlockStride())
            .attachNote(ld.getLoc())
            .append("configured here");
    }
    if (getConstant(op.getC()) == 0)
      return;
    const uint64_t stride = op.getCStride() * (op.getFullC() ? 4 : bytes);
    if (ConfigStOp st = configSt.allSatisfy([&](ConfigStOp st) {
          return st.getStride() != stride || st.getPool().has_value();
        }))
      error(op)
          .append("stores c, so config_st must have stride = ", stride,
                  " and no pooling, found ", st.getStride(),
                  st.getPool() ? " and pooling" : "")
          .attachNote(st.getLoc())
          .append("configured here");
  }

  /// A load must not overtake the store to the same place.
  void checkFenced(Operation *op, Value dram) {
    if (!dram)
      return;
    Operation *store = nullptr;
    if (std::optional<int64_t> address = getConstant(dram))
      store = storedToConstant.lookup(*address);
    else
      store = storedTo.lookup(dram);
    if (store)
      error(op)
          .append("wants a gemmini.fence after the store to the DRAM "
                  "address it loads from, found none")
          .attachNote(store->getLoc())
          .append("stored here");
  }

  /// The rows from `addr` on, `stride(config)` apart, of which there are
  /// `count(config)`, must lie in their memory.
  template <typename CountFn, typename StrideFn>
  void checkEnd(Operation *op, StringRef name, Value addr, CountFn count,
                StrideFn stride) {
    std::optional<int64_t> row = getRow(addr);
    if (!target || !row)
      return;
    bool acc = llvm::cast<AddrType>(addr.getType()).isAcc();
    int64_t size = acc ? target->accumulatorRows() : target->scratchpadRows();
    auto last = [&](ConfigExOp ex) -> int64_t {
      std::optional<int64_t> rows = count(ex);
      return rows && *rows > 0 ? *row + (*rows - 1) * stride(ex) : 0;
    };
    if (ConfigExOp ex = configEx.allSatisfy(
            [&](ConfigExOp ex) { return last(ex) >= size; }))
      error(op)
          .append(name, " must end within the ", size, " rows of the ",
                  acc ? "accumulator" : "scratchpad", " of '", target->name,
                  "', found its last row at ", last(ex))
          .attachNote(ex.getLoc())
          .append("strides and transposes are configured here");
  }

  /// In `ws` the preloaded operand is B, which may be transposed; the D of `os`
  /// may not.
  void checkPreloadEnd(PreloadOp op) {
    checkEnd(
        op, "b", op.getB(),
        [&](ConfigExOp ex) {
          bool transposed = ex.getDataflow() == Dataflow::WeightStationary &&
                            ex.getTransposeB();
          return getConstant(transposed ? op.getBCols() : op.getBRows());
        },
        [](ConfigExOp) { return int64_t(1); });
    checkEnd(
        op, "c", op.getC(),
        [&](ConfigExOp) { return getConstant(op.getCRows()); },
        [](ConfigExOp ex) { return static_cast<int64_t>(ex.getCStride()); });
  }

  template <typename ComputeLike> void checkComputeEnd(ComputeLike op) {
    checkEnd(
        op, "a", op.getA(),
        [&](ConfigExOp ex) {
          return getConstant(ex.getTransposeA() ? op.getACols()
                                                : op.getARows());
        },
        [](ConfigExOp ex) { return static_cast<int64_t>(ex.getAStride()); });
    checkEnd(
        op, "d", op.getD(),
        [&](ConfigExOp ex) {
          bool transposed = ex.getDataflow() == Dataflow::OutputStationary &&
                            ex.getTransposeB();
          return getConstant(transposed ? op.getDCols() : op.getDRows());
        },
        [](ConfigExOp) { return int64_t(1); });
  }

  void checkPreload(PreloadOp op) {
    checkPreloadEnd(op);
    checkPreloadUsed(op);
    preload = op;
    pairing = Pairing::Preloaded;
  }

  template <typename ComputeLike> void checkCompute(ComputeLike op) {
    checkComputeEnd(op);
    if (pairing == Pairing::NeedsPreload)
      error(op)
          .append("wants its own preload, found none since the compute "
                  "before")
          .attachNote(lastCompute->getLoc())
          .append("used the last preload");
    else if (pairing == Pairing::Preloaded) {
      checkKeepsWeights(op);
      checkShapes(op);
    }
    pairing = Pairing::NeedsPreload;
    lastCompute = op;
  }

  /// `compute_accumulated` in `ws` uses the weights of before, so a preload
  /// that loads others is a mistake.
  void checkKeepsWeights(Operation *op) {
    if (!llvm::isa<ComputeAccumulatedOp>(op) ||
        !llvm::isa_and_nonnull<SpadAddrOp, AccAddrOp>(
            preload.getB().getDefiningOp()))
      return;
    if (configEx.allSatisfy([](ConfigExOp ex) {
          return ex.getDataflow() == Dataflow::WeightStationary;
        }))
      error(op)
          .append("keeps the weights in the array; wants its preload to have "
                  "gemmini.garbage as b, found an operand to load")
          .attachNote(preload.getLoc())
          .append("preloaded here");
  }

  void expectEqual(Operation *op, StringRef nameA, Value a, StringRef nameB,
                   Value b) {
    std::optional<int64_t> valueA = getConstant(a), valueB = getConstant(b);
    if (!valueA || !valueB || *valueA == *valueB)
      return;
    error(op)
        .append(nameA, " must equal ", nameB, " = ", *valueB, ", found ",
                *valueA)
        .attachNote(preload.getLoc())
        .append("preloaded here");
  }

  /// C = A * B + D. The roles of the operands hang on the dataflow, and a
  /// transposed operand has its rows and columns the other way round.
  template <typename ComputeLike> void checkShapes(ComputeLike op) {
    auto plain = [](ConfigExOp ex) {
      return !ex.getTransposeA() && !ex.getTransposeB();
    };
    if (!configEx.allSatisfy(plain))
      return;
    bool hasC = !isGarbage(preload.getC());
    if (hasC)
      expectEqual(op, "a rows", op.getARows(), "c rows", preload.getCRows());
    if (configEx.allSatisfy([](ConfigExOp ex) {
          return ex.getDataflow() == Dataflow::WeightStationary;
        })) {
      if (!isGarbage(preload.getB())) {
        expectEqual(op, "a cols", op.getACols(), "b rows", preload.getBRows());
        if (hasC)
          expectEqual(preload, "b cols", preload.getBCols(), "c cols",
                      preload.getCCols());
      }
      if (!isGarbage(op.getD()) && hasC) {
        expectEqual(op, "d rows", op.getDRows(), "c rows", preload.getCRows());
        expectEqual(op, "d cols", op.getDCols(), "c cols", preload.getCCols());
      }
      return;
    }
    if (configEx.allSatisfy([](ConfigExOp ex) {
          return ex.getDataflow() == Dataflow::OutputStationary;
        }) &&
        !isGarbage(op.getD())) {
      expectEqual(op, "a cols", op.getACols(), "d rows", op.getDRows());
      if (hasC)
        expectEqual(op, "d cols", op.getDCols(), "c cols", preload.getCCols());
    }
  }

  std::optional<fadiff::Accelerator> target;
  Candidates<ConfigExOp> configEx;
  Candidates<ConfigLdOp> configLd[3];
  Candidates<ConfigStOp> configSt;
  Pairing pairing = Pairing::Unknown;
  PreloadOp preload = nullptr;
  Operation *lastCompute = nullptr;
  DenseMap<Value, Operation *> storedTo;
  DenseMap<int64_t, Operation *> storedToConstant;
  bool failed = false;
};

} // namespace

LogicalResult fadiff::gemmini::verifyInstructionOrder(Operation *root) {
  OrderVerifier verifier(root);
  verifier.visit(root);
  return verifier.result();
}
