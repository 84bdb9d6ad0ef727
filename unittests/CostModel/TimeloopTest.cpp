//===- TimeloopTest.cpp - Counts against Timeloop -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/CostModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <map>

using namespace fadiff;
namespace json = llvm::json;

namespace {

/// FADIFF_TIMELOOP_POINTS names another file of the same form, to check more
/// points than the repository carries.
json::Value readPoints() {
  const char *other = std::getenv("FADIFF_TIMELOOP_POINTS");
  std::string path = other ? other
                           : std::string(FADIFF_SOURCE_DIR) +
                                 "/unittests/Inputs/timeloop-points.json";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << path;
    return nullptr;
  }
  return llvm::cantFail(json::parse((*buffer)->getBuffer()));
}

Accelerator readMachine(const json::Object &object) {
  Accelerator target;
  target.side = *object.getInteger("side");
  target.energyPerMac = *object.getNumber("energyPerMac");
  for (Level level : kAllLevels) {
    size_t index = static_cast<size_t>(level);
    target.energyPerAccess[level] =
        *(*object.getArray("energy"))[index].getAsNumber();
    target.bandwidth[level] =
        *(*object.getArray("bandwidth"))[index].getAsNumber();
  }
  return target;
}

Tensor tensorOf(llvm::StringRef name) {
  return name == "W" ? Tensor::W : name == "I" ? Tensor::I : Tensor::O;
}

// Eqs. (refetches), (timeloop-input) and (compute) to (roofline) of
// docs/CostModel.md.
TEST(TimeloopTest, CountsEnergyAndCyclesAreExact) {
  json::Value file = readPoints();
  ASSERT_TRUE(file.getAsObject());
  std::map<std::string, Accelerator> machines;
  for (const auto &[name, object] :
       *file.getAsObject()->getObject("architectures"))
    machines[name.str()] = readMachine(*object.getAsObject());

  unsigned points = 0, counts = 0;
  for (const json::Value &value : *file.getAsObject()->getArray("points")) {
    const json::Object &point = *value.getAsObject();
    SCOPED_TRACE(point.getString("id")->str());
    Layer layer;
    Mapping mapping;
    mapping.rows = *point.getInteger("rows");
    mapping.cols = *point.getInteger("cols");
    for (auto [index, dim] : llvm::enumerate(kAllDims)) {
      layer.dims[dim] = *(*point.getArray("dims"))[index].getAsInteger();
      for (Level level : kAllLevels) {
        size_t l = static_cast<size_t>(level);
        mapping.temporal[level][dim] =
            *(*(*point.getArray("temporal"))[l].getAsArray())[index]
                 .getAsInteger();
        mapping.order[level][index] = *parseDim(std::string_view(
            (*point.getArray("order"))[l].getAsString()->data() + index, 1));
      }
    }
    for (Axis axis : kAllAxes)
      layer.stride[axis] =
          *(*point.getArray("stride"))[static_cast<size_t>(axis)]
               .getAsInteger();

    const Accelerator &target = machines.at(point.getString("config")->str());
    LayerCost cost =
        evaluateLayer(layer, mapping, target, Convention::Timeloop);
    EXPECT_EQ(int64_t(cost.macs), *point.getInteger("macs"));
    for (const auto &[levelKey, tensors] : *point.getObject("counts"))
      for (Level level : kAllLevels) {
        if (levelKey.str() != levelName(level))
          continue;
        for (const auto &[name, triple] : *tensors.getAsObject()) {
          const auto &found = cost.access[level][tensorOf(name)];
          const json::Array &wanted = *triple.getAsArray();
          EXPECT_EQ(int64_t(found.reads), *wanted[0].getAsInteger())
              << levelName(level) << " reads of " << name.str();
          EXPECT_EQ(int64_t(found.fills), *wanted[1].getAsInteger())
              << levelName(level) << " fills of " << name.str();
          EXPECT_EQ(int64_t(found.updates), *wanted[2].getAsInteger())
              << levelName(level) << " updates of " << name.str();
          counts += 3;
        }
      }
    // Timeloop prints energies to a hundredth and rounds cycles.
    double energy = *point.getNumber("energy");
    EXPECT_NEAR(cost.energy / energy, 1, 1e-6);
    EXPECT_NEAR(cost.cycles, *point.getNumber("cycles"),
                1 + 1e-6 * cost.cycles);
    ++points;
  }
  EXPECT_GE(points, 40u);
  EXPECT_EQ(counts, points * 21);
}

} // namespace
