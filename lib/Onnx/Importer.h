//===- Importer.h - One node after the other --------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_ONNX_IMPORTER_H
#define FADIFF_LIB_ONNX_IMPORTER_H

#include "Build.h"
#include "Evaluate.h"
#include "Model.h"
#include "Tensors.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fadiff::frontend {

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::Location;
using mlir::LogicalResult;
using mlir::succeeded;
using mlir::success;

/// The bytes that a tensor was dequantised from, with one scale and zero point
/// (null for 0) for all. Operators that only move elements keep them.
struct Quantised {
  Value bytes;
  int32_t type = 0;
  mlir::TypedAttr scale, zero;
};

/// A value of the graph: a tensor, or a sequence of values.
struct GraphValue {
  Value tensor;
  int32_t type = 0; ///< of the elements, onnx::TensorProto_DataType
  bool isSequence = false;
  std::vector<GraphValue> elements;
  std::optional<Quantised> quantised;

  bool isPresent() const { return tensor || isSequence; }
};

/// The values that have a name, those of the graphs around included.
struct Scope {
  const Scope *outer = nullptr;
  llvm::StringMap<GraphValue> values;
  /// What attributes of a function's nodes refer to.
  const llvm::StringMap<onnx::AttributeProto> *attributes = nullptr;
  llvm::StringMap<int> opsets;

  const GraphValue *lookup(llvm::StringRef name) const;
};

class Importer;

/// A node while it is imported: its operands and attributes, and where its
/// results go. Operators are functions on it (see Operators.h).
class Node {
public:
  Node(Importer &importer, const onnx::NodeProto &proto, int version, int opset,
       Location loc, const Scope &scope);

  const onnx::NodeProto &proto;
  Importer &importer;
  const Scope &scope;
  const int version; ///< in which the operator got its meaning
  const int opset;
  ImplicitLocOpBuilder b;

  /// Says what is wrong with the node.
  LogicalResult error(const llvm::Twine &message);

  //--- operands: null, or 0, where an optional one is left out
  unsigned numOperands() const { return unsigned(operands.size()); }
  bool has(unsigned i) const {
    return i < operands.size() && operands[i].isPresent();
  }
  const GraphValue &operand(unsigned i) const { return operands[i]; }
  Value in(unsigned i) const { return has(i) ? operands[i].tensor : Value(); }
  /// Fails unless the first `count` operands are tensors.
  LogicalResult want(unsigned count);
  /// Fails unless operand `i` is a tensor.
  LogicalResult wantTensor(unsigned i);
  int32_t typeOf(unsigned i) const { return has(i) ? operands[i].type : 0; }
  bool isUnsigned(unsigned i) const { return frontend::isUnsigned(typeOf(i)); }
  ArrayRef<int64_t> shape(unsigned i) const { return shapeOf(in(i)); }
  int64_t rank(unsigned i) const { return int64_t(shape(i).size()); }
  Type element(unsigned i) const { return elementOf(in(i)); }
  /// The elements of a constant operand as integers or numbers. Fails if its
  /// value is not known.
  FailureOr<SmallVector<int64_t>> integersOf(unsigned i);
  FailureOr<SmallVector<double>> numbersOf(unsigned i);
  /// Whether the value of a tensor is known, and what it is.
  const Evaluator::Elements *evaluate(Value tensor);

  //--- attributes
  const onnx::AttributeProto *attribute(llvm::StringRef name) const;
  int64_t integer(llvm::StringRef name, int64_t otherwise) const;
  double number(llvm::StringRef name, double otherwise) const;
  std::string text(llvm::StringRef name, llvm::StringRef otherwise) const;
  /// Empty if there is none.
  SmallVector<int64_t> integers(llvm::StringRef name) const;
  std::vector<std::string> texts(llvm::StringRef name) const;
  SmallVector<double> numbers(llvm::StringRef name) const;
  /// From an attribute in versions before `asOperand`, then from operand `i`.
  /// Nothing if there is neither.
  FailureOr<std::optional<SmallVector<int64_t>>>
  integersFrom(llvm::StringRef name, int asOperand, unsigned i);
  /// Between 0 and `rank` (excluded), from a negative one, too; fails else.
  FailureOr<int64_t> axisOf(int64_t axis, int64_t rank);
  /// Sorted, without repetition.
  FailureOr<SmallVector<int64_t>> axesOf(ArrayRef<int64_t> axes, int64_t rank);

  //--- results
  bool wants(unsigned i) const {
    return i < unsigned(proto.output_size()) && !proto.output(int(i)).empty();
  }
  void result(unsigned i, Value tensor, int32_t type);
  void result(Value tensor) { result(0, tensor, typeOf(0)); }
  void result(unsigned i, GraphValue value);

private:
  friend class Importer;
  std::vector<GraphValue> operands, results;
};

class Importer {
public:
  Importer(Model &model, mlir::MLIRContext &context);

  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> run();

  /// The nodes of a graph inside of a node, or of a function, in a scope of
  /// their own; returns the outputs.
  FailureOr<std::vector<GraphValue>> importGraph(const onnx::GraphProto &graph,
                                                 const Scope &outer,
                                                 ArrayRef<GraphValue> inputs,
                                                 Node &node);
  LogicalResult importFunction(const onnx::FunctionProto &function, Node &node);
  /// The value of `tensor` as a constant at `b`.
  FailureOr<GraphValue> constant(ImplicitLocOpBuilder &b,
                                 onnx::TensorProto tensor, std::string &why);

  Evaluator evaluator;
  std::string message; ///< why it failed

private:
  LogicalResult
  importNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes,
              Scope &scope);
  LogicalResult importNode(const onnx::NodeProto &proto, int position,
                           Scope &scope);
  LogicalResult dispatch(Node &node);
  /// Where the node only moves elements that were dequantised: also moves the
  /// bytes.
  void moveBytes(Node &node);
  /// Small results that are known become constants.
  void foldResults(Node &node);
  /// Fails if ONNX inferred another type than the node was given.
  LogicalResult checkInferred(Node &node);
  Location locationOf(const onnx::NodeProto &node, int position);
  Value constantOf(ImplicitLocOpBuilder &b, TensorData data,
                   llvm::StringRef name);

  Model &model;
  mlir::MLIRContext &context;
  mlir::OpBuilder builder;
  llvm::StringMap<const onnx::TypeProto *> inferred;
  unsigned depth = 0;
};

} // namespace fadiff::frontend

#endif // FADIFF_LIB_ONNX_IMPORTER_H
