//===- onnx-text.cpp - ONNX models from text ------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   onnx-text model.txt model.onnx [name=file:offset:length ...]
//
// Writes the model that ONNX's parser reads in the text; each node is named
// after its first output. Nothing is checked. The initialisers that are named
// behind get their data from outside.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"
#pragma clang diagnostic ignored "-Wsign-compare"
#include <onnx/defs/parser.h>
#pragma clang diagnostic pop

#include <fstream>

int main(int argc, char **argv) {
  if (argc < 3) {
    llvm::errs() << "usage: onnx-text model.txt model.onnx [name=file:offset:"
                    "length ...]\n";
    return 1;
  }
  auto text = llvm::MemoryBuffer::getFile(argv[1]);
  if (!text) {
    llvm::errs() << argv[1] << ": " << text.getError().message() << '\n';
    return 1;
  }
  onnx::ModelProto model;
  const auto status =
      onnx::OnnxParser::Parse(model, (*text)->getBuffer().str().c_str());
  if (!status.IsOK()) {
    llvm::errs() << argv[1] << ": " << status.ErrorMessage() << '\n';
    return 1;
  }
  for (onnx::NodeProto &node : *model.mutable_graph()->mutable_node())
    if (node.output_size() > 0)
      node.set_name(node.output(0));
  for (int i = 3; i < argc; ++i) {
    auto [name, place] = llvm::StringRef(argv[i]).split('=');
    auto [location, rest] = place.split(':');
    auto [offset, length] = rest.split(':');
    for (onnx::TensorProto &tensor :
         *model.mutable_graph()->mutable_initializer()) {
      if (tensor.name() != name)
        continue;
      tensor.clear_float_data();
      tensor.set_data_location(onnx::TensorProto::EXTERNAL);
      for (auto [key, value] :
           {std::pair("location", location), std::pair("offset", offset),
            std::pair("length", length)}) {
        if (value.empty())
          continue;
        onnx::StringStringEntryProto *entry = tensor.add_external_data();
        entry->set_key(key);
        entry->set_value(value.str());
      }
    }
  }
  std::ofstream file(argv[2], std::ios::binary);
  model.SerializeToOstream(&file);
  return file.good() ? 0 : 1;
}
