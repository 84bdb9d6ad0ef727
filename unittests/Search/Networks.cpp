//===- Networks.cpp - Networks and machines of the search tests -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Networks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

using namespace fadiff;
namespace json = llvm::json;

Network fadiff::test::readNetwork(const std::string &name) {
  std::string path =
      std::string(FADIFF_SOURCE_DIR) + "/unittests/Inputs/networks.json";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << path;
    return {};
  }
  json::Value file = llvm::cantFail(json::parse((*buffer)->getBuffer()));
  const json::Object *table =
      file.getAsObject()->getObject("networks")->getObject(name);
  if (!table) {
    ADD_FAILURE() << "no network " << name;
    return {};
  }
  Network network;
  for (const json::Value &value : *table->getArray("layers")) {
    const json::Object &object = *value.getAsObject();
    Layer layer;
    layer.name = object.getString("name")->str();
    for (auto [index, dim] : llvm::enumerate(kAllDims))
      layer.dims[dim] = *(*object.getArray("dims"))[index].getAsInteger();
    for (Axis axis : kAllAxes) {
      layer.stride[axis] =
          *(*object.getArray("stride"))[static_cast<size_t>(axis)]
               .getAsInteger();
      layer.padLow[axis] = *object.getInteger("pad");
      layer.inputExtent[axis] =
          layer.dims[outputDim(axis)] * layer.stride[axis];
    }
    layer.hasBias = true;
    network.layers.push_back(std::move(layer));
  }
  for (const json::Value &value : *table->getArray("edges")) {
    const json::Array &triple = *value.getAsArray();
    Edge edge;
    edge.producer = unsigned(*triple[0].getAsInteger());
    edge.consumer = unsigned(*triple[1].getAsInteger());
    if (*triple[2].getAsString() != "direct")
      edge.blocked = "it goes through " + triple[2].getAsString()->str();
    network.edges.push_back(std::move(edge));
  }
  return network;
}

/// Energies per access from the accumulator and scratchpad sizes, bandwidths
/// in words per cycle: the Gemmini fits of DOSA (Hong et al., MICRO 2023).
static Accelerator machine(const char *name, int64_t side, int64_t accKB,
                           int64_t spadKB) {
  Accelerator target;
  target.name = name;
  target.side = side;
  target.accumulatorBytes = accKB * 1024;
  target.scratchpadBytes = spadKB * 1024;
  target.handOver = HandOver::MvoutSpad;
  target.energyPerMac = 0.5608;
  target.energyPerAccess[Level::Registers] = 0.48746172;
  target.energyPerAccess[Level::Accumulator] =
      1.94 + 0.1005 * double(accKB) / double(side);
  target.energyPerAccess[Level::Scratchpad] = 0.49 + 0.02513 * double(spadKB);
  target.energyPerAccess[Level::Dram] = 100;
  target.bandwidth[Level::Registers] = 2;
  target.bandwidth[Level::Accumulator] = 2;
  target.bandwidth[Level::Scratchpad] = 2 * double(side);
  target.bandwidth[Level::Dram] = 8;
  return target;
}

Accelerator fadiff::test::largeMachine() {
  return machine("large", 32, 64, 512);
}
Accelerator fadiff::test::smallMachine() { return machine("small", 16, 8, 8); }
Accelerator fadiff::test::stockMachine() {
  Accelerator target = machine("stock", 16, 64, 256);
  target.handOver = HandOver::AccumulatorOperand;
  return target;
}
