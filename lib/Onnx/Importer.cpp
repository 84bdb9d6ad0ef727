//===- Importer.cpp - One node after the other ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "Operators.h"

#include "fadiff/Onnx/Import.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;

const GraphValue *Scope::lookup(llvm::StringRef name) const {
  for (const Scope *scope = this; scope; scope = scope->outer)
    if (auto found = scope->values.find(name); found != scope->values.end())
      return &found->second;
  return nullptr;
}

Importer::Importer(Model &model, MLIRContext &context)
    : model(model), context(context), builder(&context) {
  context.loadDialect<arith::ArithDialect, func::FuncDialect,
                      linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                      tensor::TensorDialect>();
  const onnx::GraphProto &graph = model.proto.graph();
  for (const auto &info : graph.value_info())
    inferred[info.name()] = &info.type();
  for (const auto &info : graph.output())
    inferred[info.name()] = &info.type();
}

Location Importer::locationOf(const onnx::NodeProto &node, int position) {
  llvm::StringRef name = node.name();
  if (name.empty() && node.output_size() > 0)
    name = node.output(0);
  if (name.empty())
    name = node.op_type();
  // There are no lines: the node's place in its graph, from 1 on.
  return NameLoc::get(builder.getStringAttr(name),
                      FileLineColLoc::get(&context,
                                          llvm::sys::path::filename(model.path),
                                          unsigned(position) + 1, 0));
}

Value Importer::constantOf(ImplicitLocOpBuilder &b, TensorData data,
                           llvm::StringRef name) {
  auto type =
      RankedTensorType::get(data.shape, elementTypeOf(data.type, &context));
  // Few numbers are better read as such.
  constexpr size_t kMostInText = 256;
  if (data.type == onnx::TensorProto::BOOL ||
      data.bytes.size() <= kMostInText) {
    if (data.type == onnx::TensorProto::BOOL) {
      SmallVector<bool> values;
      for (char byte : data.bytes)
        values.push_back(byte != 0);
      return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
    }
    if (data.bytes.empty())
      return emptyTensor(b, data.shape, type.getElementType());
    return arith::ConstantOp::create(
        b, DenseElementsAttr::getFromRawBuffer(
               type, ArrayRef(data.bytes.data(), data.bytes.size())));
  }
  // The bytes stay where they are.
  auto *owned = new std::string(std::move(data.bytes));
  AsmResourceBlob blob(
      ArrayRef(owned->data(), owned->size()), /*dataAlignment=*/8,
      [owned](void *, size_t, size_t) { delete owned; },
      /*dataIsMutable=*/false);
  std::string key = llvm::join(
      llvm::map_range(name,
                      [](char c) {
                        return std::string(
                            1, llvm::isAlnum(c) || c == '_' ? c : '_');
                      }),
      "");
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(type, "w_" + key, std::move(blob)));
}

FailureOr<GraphValue> Importer::constant(ImplicitLocOpBuilder &b,
                                         onnx::TensorProto tensor,
                                         std::string &why) {
  const std::string name = tensor.name();
  llvm::Expected<TensorData> data =
      takeTensor(std::move(tensor), model.directory);
  if (!data) {
    why = llvm::toString(data.takeError());
    return failure();
  }
  if (std::optional<int64_t> at = firstNaN(*data)) {
    why = llvm::formatv("wanted numbers, found NaN as element {0}", *at);
    return failure();
  }
  GraphValue value;
  value.type = data->type;
  value.tensor = constantOf(b, std::move(*data), name);
  return value;
}

LogicalResult Importer::dispatch(Node &node) {
  const onnx::NodeProto &proto = node.proto;
  const Operator *known = findOperator(proto.domain(), proto.op_type());
  if (known && node.version >= known->firstVersion)
    return known->import(node);
  for (const onnx::FunctionProto &function : model.proto.functions())
    if (function.name() == proto.op_type() &&
        function.domain() == proto.domain())
      return importFunction(function, node);
  std::vector<onnx::TypeProto> types;
  for (const GraphValue &operand : node.operands) {
    types.emplace_back();
    if (!operand.tensor)
      continue;
    auto *type = types.back().mutable_tensor_type();
    type->set_elem_type(operand.type);
    for (int64_t extent : shapeOf(operand.tensor))
      type->mutable_shape()->add_dim()->set_dim_value(extent);
  }
  if (auto function = functionOf(proto, node.opset, types))
    return importFunction(*function, node);
  if (known)
    return node.error("the operator is known from version " +
                      llvm::Twine(known->firstVersion) +
                      " of its meaning on, found version " +
                      llvm::Twine(node.version) +
                      "; export the model again with a later opset");
  return node.error("the operator is not known; known are " +
                    llvm::join(knownOnnxOperators(), ", "));
}

void Importer::moveBytes(Node &node) {
  const Operator *known =
      findOperator(node.proto.domain(), node.proto.op_type());
  if (!known || !known->movesElements || !node.has(0) ||
      !node.operand(0).quantised)
    return;
  const Quantised from = *node.operand(0).quantised;
  Node onBytes(*this, node.proto, node.version, node.opset, node.b.getLoc(),
               node.scope);
  onBytes.b.restoreInsertionPoint(node.b.saveInsertionPoint());
  onBytes.operands = node.operands;
  const bool isConcat = known->name == "Concat";
  for (unsigned i = 0; i < (isConcat ? node.numOperands() : 1); ++i) {
    const std::optional<Quantised> &each = node.operands[i].quantised;
    if (!each || each->type != from.type || each->scale != from.scale ||
        each->zero != from.zero)
      return;
    onBytes.operands[i].tensor = each->bytes;
    onBytes.operands[i].type = each->type;
  }
  // It went well with floats.
  if (failed(known->import(onBytes)))
    return message.clear();
  node.b.restoreInsertionPoint(onBytes.b.saveInsertionPoint());
  for (auto [value, bytes] : llvm::zip_equal(node.results, onBytes.results))
    if (bytes.tensor && bytes.type == from.type)
      value.quantised =
          Quantised{bytes.tensor, from.type, from.scale, from.zero};
}

void Importer::foldResults(Node &node) {
  constexpr int64_t kMostFolded = 4096;
  // Weights stay bytes: what they are in floats does not tell a zero point.
  if (node.proto.op_type() == "DequantizeLinear" &&
      node.element(0).isInteger(8))
    return;
  for (GraphValue &value : node.results) {
    auto type = value.tensor
                    ? dyn_cast<RankedTensorType>(value.tensor.getType())
                    : RankedTensorType();
    Operation *op = value.tensor ? value.tensor.getDefiningOp() : nullptr;
    if (!type || !op || isa<arith::ConstantOp>(op) ||
        type.getNumElements() > kMostFolded || type.getNumElements() == 0)
      continue;
    const Evaluator::Elements *elements = evaluator.evaluate(value.tensor);
    if (!elements || llvm::is_contained(*elements, Attribute()))
      continue;
    value.tensor = arith::ConstantOp::create(
        node.b, DenseElementsAttr::get(type, *elements));
  }
}

LogicalResult Importer::checkInferred(Node &node) {
  for (auto [name, value] :
       llvm::zip_equal(node.proto.output(), node.results)) {
    if (name.empty() || node.scope.outer || !value.tensor)
      continue;
    auto found = inferred.find(name);
    if (found == inferred.end() || !found->second->has_tensor_type())
      continue;
    const auto &wanted = found->second->tensor_type();
    bool agrees = wanted.elem_type() == 0 || wanted.elem_type() == value.type;
    ArrayRef<int64_t> shape = shapeOf(value.tensor);
    if (wanted.has_shape()) {
      agrees &= wanted.shape().dim_size() == int(shape.size());
      if (agrees)
        for (auto [dim, extent] : llvm::zip_equal(wanted.shape().dim(), shape))
          agrees &= !dim.has_dim_value() || dim.dim_value() == extent;
    }
    if (agrees)
      continue;
    std::string text;
    for (const auto &dim : wanted.shape().dim())
      text +=
          dim.has_dim_value() ? std::to_string(dim.dim_value()) + "x" : "?x";
    return node.error("result '" + llvm::Twine(name) + "': wanted tensor<" +
                      text + typeName(wanted.elem_type()) +
                      "> as the model or ONNX's inference says, found tensor<" +
                      llvm::join(llvm::map_range(shape,
                                                 [](int64_t n) {
                                                   return std::to_string(n) +
                                                          "x";
                                                 }),
                                 "") +
                      typeName(value.type) + ">");
  }
  return success();
}

/// `node` with the attributes that those of its function stand for.
static onnx::NodeProto withAttributes(onnx::NodeProto node,
                                      const Scope &scope) {
  const llvm::StringMap<onnx::AttributeProto> *given = nullptr;
  for (const Scope *at = &scope; at && !given; at = at->outer)
    given = at->attributes;
  auto *attributes = node.mutable_attribute();
  for (int i = attributes->size(); i-- > 0;) {
    onnx::AttributeProto &attribute = *attributes->Mutable(i);
    if (attribute.ref_attr_name().empty())
      continue;
    const std::string name = attribute.name();
    auto found = given
                     ? given->find(attribute.ref_attr_name())
                     : llvm::StringMap<onnx::AttributeProto>::const_iterator();
    if (!given || found == given->end()) {
      attributes->DeleteSubrange(i, 1); // one that the caller left out
      continue;
    }
    attribute = found->second;
    attribute.set_name(name);
  }
  return node;
}

LogicalResult Importer::importNode(const onnx::NodeProto &written, int position,
                                   Scope &scope) {
  std::optional<onnx::NodeProto> resolved;
  if (llvm::any_of(written.attribute(), [](const auto &attribute) {
        return !attribute.ref_attr_name().empty();
      }))
    resolved = withAttributes(written, scope);
  const onnx::NodeProto &proto = resolved ? *resolved : written;
  int opset = 0;
  for (const Scope *at = &scope; at && opset == 0; at = at->outer)
    opset = at->opsets.lookup(
        proto.domain() == "ai.onnx" ? "" : llvm::StringRef(proto.domain()));
  const std::optional<int> version =
      sinceVersion(proto.op_type(), proto.domain(), opset);
  Node node(*this, proto, version.value_or(opset), opset,
            locationOf(proto, position), scope);
  node.b.restoreInsertionPoint(builder.saveInsertionPoint());
  for (const std::string &name : proto.input()) {
    const GraphValue *value = name.empty() ? nullptr : scope.lookup(name);
    if (!name.empty() && !value)
      return node.error("operand '" + llvm::Twine(name) +
                        "' is not defined in front of the node");
    node.operands.push_back(value ? *value : GraphValue());
  }
  if (failed(dispatch(node)))
    return node.error("cannot be imported");
  builder.restoreInsertionPoint(node.b.saveInsertionPoint());
  for (auto [index, value] : llvm::enumerate(node.results)) {
    if (node.wants(unsigned(index)) && !value.isPresent())
      return node.error("result " + llvm::Twine(index) + " ('" +
                        proto.output(int(index)) +
                        "') is not computed here; use the model without it");
    auto type = value.tensor
                    ? dyn_cast<RankedTensorType>(value.tensor.getType())
                    : RankedTensorType();
    if (value.tensor &&
        (!type || !type.hasStaticShape() || !countElements(type.getShape())))
      return node.error("wanted a result of less than 2^40 elements");
  }
  moveBytes(node);
  foldResults(node);
  builder.restoreInsertionPoint(node.b.saveInsertionPoint());
  if (failed(checkInferred(node)))
    return failure();
  for (auto [name, value] : llvm::zip_equal(proto.output(), node.results))
    if (!name.empty())
      scope.values[name] = std::move(value);
  return success();
}

LogicalResult Importer::importNodes(
    const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes,
    Scope &scope) {
  for (auto [position, node] : llvm::enumerate(nodes))
    if (failed(importNode(node, int(position), scope)))
      return failure();
  return success();
}

FailureOr<std::vector<GraphValue>>
Importer::importGraph(const onnx::GraphProto &graph, const Scope &outer,
                      ArrayRef<GraphValue> inputs, Node &node) {
  constexpr unsigned kMostDepth = 16;
  if (++depth > kMostDepth)
    return node.error("wanted at most " + llvm::Twine(kMostDepth) +
                      " graphs and functions inside of each other");
  Scope scope;
  scope.outer = &outer;
  if (graph.input_size() > int(inputs.size()))
    return node.error("wanted at most " + llvm::Twine(inputs.size()) +
                      " inputs of its graph, found " +
                      llvm::Twine(graph.input_size()));
  for (auto [info, value] : llvm::zip(graph.input(), inputs))
    scope.values[info.name()] = value;
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    std::string why;
    FailureOr<GraphValue> value = constant(node.b, tensor, why);
    if (failed(value))
      return node.error("initialiser '" + llvm::Twine(tensor.name()) +
                        "': " + why);
    scope.values[tensor.name()] = *value;
  }
  builder.restoreInsertionPoint(node.b.saveInsertionPoint());
  if (failed(importNodes(graph.node(), scope)))
    return failure();
  node.b.restoreInsertionPoint(builder.saveInsertionPoint());
  std::vector<GraphValue> outputs;
  for (const auto &info : graph.output()) {
    const GraphValue *value = scope.lookup(info.name());
    if (!value)
      return node.error("output '" + llvm::Twine(info.name()) +
                        "' of its graph is not defined");
    outputs.push_back(*value);
  }
  --depth;
  return outputs;
}

LogicalResult Importer::importFunction(const onnx::FunctionProto &function,
                                       Node &node) {
  constexpr unsigned kMostDepth = 16;
  if (++depth > kMostDepth)
    return node.error("wanted at most " + llvm::Twine(kMostDepth) +
                      " graphs and functions inside of each other");
  // A function sees nothing of what is around it.
  Scope scope;
  for (const onnx::OperatorSetIdProto &opset : function.opset_import())
    scope.opsets[opset.domain()] = int(opset.version());
  if (function.opset_import().empty())
    scope.opsets[""] = node.opset;
  llvm::StringMap<onnx::AttributeProto> attributes;
  for (const onnx::AttributeProto &each :
       defaultAttributes(node.proto, node.opset))
    attributes[each.name()] = each;
  for (const onnx::AttributeProto &each : node.proto.attribute())
    if (const onnx::AttributeProto *given = node.attribute(each.name()))
      attributes[each.name()] = *given;
  scope.attributes = &attributes;
  for (int i = 0; i < function.input_size(); ++i)
    scope.values[function.input(i)] =
        i < int(node.operands.size()) ? node.operands[size_t(i)] : GraphValue();
  // So that results are not taken for those of the main graph.
  Scope around;
  scope.outer = &around;
  builder.restoreInsertionPoint(node.b.saveInsertionPoint());
  if (failed(importNodes(function.node(), scope)))
    return failure();
  node.b.restoreInsertionPoint(builder.saveInsertionPoint());
  for (int i = 0; i < function.output_size() && i < node.proto.output_size();
       ++i)
    if (const GraphValue *value = scope.lookup(function.output(i)))
      node.result(unsigned(i), *value);
  --depth;
  return success();
}

/// Operations whose results nobody uses.
static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

llvm::Expected<OwningOpRef<ModuleOp>> Importer::run() {
  onnx::GraphProto &graph = *model.proto.mutable_graph();
  auto fail = [&](const llvm::Twine &text) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "'" + llvm::Twine(model.path) +
                                       "': " + text);
  };
  Location loc = NameLoc::get(
      builder.getStringAttr(graph.name().empty() ? "main" : graph.name()),
      FileLineColLoc::get(&context, llvm::sys::path::filename(model.path), 0,
                          0));
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  Scope scope;
  for (const auto &opset : model.proto.opset_import())
    scope
        .opsets[opset.domain() == "ai.onnx" ? ""
                                            : llvm::StringRef(opset.domain())] =
        int(opset.version());

  llvm::StringSet<> initialised;
  for (const onnx::TensorProto &tensor : graph.initializer())
    initialised.insert(tensor.name());
  SmallVector<Type> argumentTypes;
  SmallVector<const onnx::ValueInfoProto *> arguments;
  for (const onnx::ValueInfoProto &info : graph.input()) {
    if (initialised.contains(info.name()))
      continue;
    const auto &tensor = info.type().tensor_type();
    SmallVector<int64_t> shape;
    for (const auto &dim : tensor.shape().dim())
      shape.push_back(dim.dim_value());
    Type element = elementTypeOf(tensor.elem_type(), &context);
    if (!element)
      return fail("input '" + llvm::Twine(info.name()) +
                  "': wanted numbers or bool, found elements of " +
                  typeName(tensor.elem_type()));
    if (!countElements(shape))
      return fail("input '" + llvm::Twine(info.name()) +
                  "': wanted less than 2^40 elements");
    argumentTypes.push_back(RankedTensorType::get(shape, element));
    arguments.push_back(&info);
  }
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, "main", builder.getFunctionType(argumentTypes, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  for (auto [info, argument] :
       llvm::zip_equal(arguments, body->getArguments())) {
    argument.setLoc(NameLoc::get(builder.getStringAttr(info->name())));
    GraphValue value;
    value.tensor = argument;
    value.type = info->type().tensor_type().elem_type();
    scope.values[info->name()] = value;
  }
  for (onnx::TensorProto &tensor : *graph.mutable_initializer()) {
    const std::string name = tensor.name();
    ImplicitLocOpBuilder b(NameLoc::get(builder.getStringAttr(name)), builder);
    std::string why;
    FailureOr<GraphValue> value = constant(b, std::move(tensor), why);
    if (failed(value))
      return fail("initialiser '" + llvm::Twine(name) + "': " + why);
    scope.values[name] = *value;
  }
  // What is wrong with an operation would otherwise be printed.
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty() &&
        diagnostic.getSeverity() == DiagnosticSeverity::Error)
      message = diagnostic.str();
    return success();
  });
  if (failed(importNodes(graph.node(), scope)))
    return fail(message);

  SmallVector<Value> results;
  for (const onnx::ValueInfoProto &info : graph.output()) {
    const GraphValue *value = scope.lookup(info.name());
    if (!value)
      return fail("output '" + llvm::Twine(info.name()) + "' is not defined");
    if (!value->tensor)
      return fail("output '" + llvm::Twine(info.name()) +
                  "': wanted a tensor, found a sequence");
    results.push_back(value->tensor);
  }
  func::ReturnOp::create(builder, loc, results);
  function.setType(
      builder.getFunctionType(argumentTypes, ValueRange(results).getTypes()));
  evaluator.forget();
  eraseDead(*body);
  if (failed(mlir::verify(*module)))
    return fail("cannot be imported: " + message);
  return module;
}

llvm::Expected<OwningOpRef<ModuleOp>>
fadiff::importOnnx(llvm::StringRef path, MLIRContext &context,
                   const OnnxOptions &options) {
  llvm::Expected<Model> model = loadModel(path, options);
  if (!model)
    return model.takeError();
  return Importer(*model, context).run();
}

llvm::Error fadiff::parseOnnxDim(llvm::StringRef text, OnnxOptions &options) {
  auto [name, number] = text.rsplit('=');
  int64_t extent;
  if (name.empty() || number.getAsInteger(10, extent) || extent < 0)
    return llvm::createStringError(
        "--dim: wanted <name>=<number>, such as batch=1, found '" + text + "'");
  options.dims[name] = extent;
  return llvm::Error::success();
}

llvm::Error fadiff::parseOnnxBinding(llvm::StringRef text,
                                     OnnxOptions &options) {
  auto [name, file] = text.split('=');
  if (name.empty() || file.empty())
    return llvm::createStringError(
        "--bind: wanted <input>=<file.pb or file.npy>, found '" + text + "'");
  options.bindings.emplace_back(name.str(), file.str());
  return llvm::Error::success();
}

llvm::Expected<OnnxOutline> fadiff::outlineOnnx(llvm::StringRef path) {
  llvm::Expected<Model> model = parseModel(path);
  if (!model)
    return model.takeError();
  OnnxOutline outline;
  for (const onnx::NodeProto &node : model->proto.graph().node())
    outline.operators.push_back(qualifiedName(node.domain(), node.op_type()));
  llvm::sort(outline.operators);
  outline.operators.erase(llvm::unique(outline.operators),
                          outline.operators.end());
  llvm::StringSet<> known;
  for (const auto &tensor : model->proto.graph().initializer())
    known.insert(tensor.name());
  for (const auto &info : model->proto.graph().input())
    if (!known.contains(info.name()))
      outline.inputs.push_back(info.name());
  return outline;
}
