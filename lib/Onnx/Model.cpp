//===- Model.cpp - A model that ONNX itself has checked -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "Operators.h"
#include "Tensors.h"

#include "fadiff/Runner/Npy.h"
#include "fadiff/Support/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"
#pragma clang diagnostic ignored "-Wsign-compare"
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/checker.h>
#include <onnx/defs/function.h>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>
#pragma clang diagnostic pop

#include <algorithm>
#include <exception>
#include <map>

using namespace fadiff;
using namespace fadiff::frontend;

static llvm::Error refused(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// ONNX's messages have several lines, some of them empty.
static std::string onOneLine(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef &line : lines)
    line = line.trim();
  return llvm::join(lines, "; ");
}

/// Calls `work`; what it throws becomes an error.
static llvm::Error guarded(llvm::function_ref<void()> work) {
  try {
    work();
  } catch (const std::exception &thrown) {
    return refused(onOneLine(thrown.what()));
  } catch (...) {
    return refused("ONNX's library gave up without a reason");
  }
  return llvm::Error::success();
}

static const onnx::OpSchema *schemaOf(const std::string &name,
                                      const std::string &domain, int opset) {
  const onnx::OpSchema *schema = nullptr;
  llvm::consumeError(guarded([&] {
    schema = onnx::OpSchemaRegistry::Schema(
        name, opset, domain == "ai.onnx" ? std::string() : domain);
  }));
  return schema;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

llvm::Expected<Model> frontend::parseModel(llvm::StringRef path) {
  // Before it is read.
  uint64_t size = 0;
  if (!llvm::sys::fs::file_size(path, size) && size > uint64_t(INT32_MAX))
    return refused("'" + path + "': wanted at most 2 GiB, found " +
                   llvm::Twine(size) +
                   " bytes; keep the weights in files of their own (external "
                   "data)");
  auto file = openInput(path, INT32_MAX);
  if (!file)
    return file.takeError();
  // Its own complaints go to standard error.
  google::protobuf::LogSilencer silencer;
  Model model;
  model.path = path.str();
  model.directory = llvm::sys::path::parent_path(path).str();
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>((*file)->getBufferStart()),
      static_cast<int>((*file)->getBufferSize()));
  stream.SetTotalBytesLimit(INT32_MAX);
  if (!model.proto.ParseFromCodedStream(&stream) ||
      !stream.ConsumedEntireMessage())
    return refused("'" + path +
                   "': wanted an ONNX model, found something else, "
                   "or a truncated or damaged one");
  if (!model.proto.has_graph())
    return refused("'" + path +
                   "': wanted an ONNX model, found one without a "
                   "graph, or something else");
  return model;
}

static llvm::Error checkOpsets(const onnx::ModelProto &model) {
  bool hasStandard = false;
  for (const onnx::OperatorSetIdProto &opset : model.opset_import()) {
    const llvm::StringRef domain = opset.domain();
    if (!domain.empty() && domain != "ai.onnx")
      continue;
    hasStandard = true;
    if (opset.version() < 1 || opset.version() > kHighestOpset)
      return refused(llvm::formatv(
          "wanted an opset from 1 to {0}, found {1}; export the model again "
          "with opset_version={0}",
          kHighestOpset, opset.version()));
  }
  if (!hasStandard && model.opset_import().empty())
    return refused("wanted the version of its operators (opset_import), found "
                   "none");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// What is open
//===----------------------------------------------------------------------===//

/// Gives the extents of `info` that are named in `dims`, or called by the name
/// of the value and the axis, their numbers.
static void fixExtents(onnx::ValueInfoProto &info,
                       const llvm::StringMap<int64_t> &dims,
                       llvm::StringSet<> &used) {
  if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape())
    return;
  auto *shape = info.mutable_type()->mutable_tensor_type()->mutable_shape();
  for (int axis = 0; axis < shape->dim_size(); ++axis) {
    auto *dim = shape->mutable_dim(axis);
    if (dim->has_dim_value())
      continue;
    for (const std::string &name :
         {dim->dim_param(), info.name() + ":" + std::to_string(axis)})
      if (auto found = dims.find(name); found != dims.end()) {
        used.insert(name);
        dim->set_dim_value(found->second);
        break;
      }
  }
}

static llvm::Error fixExtents(onnx::GraphProto &graph,
                              const llvm::StringMap<int64_t> &dims) {
  llvm::StringSet<> used;
  for (auto &info : *graph.mutable_input())
    fixExtents(info, dims, used);
  for (auto &info : *graph.mutable_output())
    fixExtents(info, dims, used);
  for (auto &info : *graph.mutable_value_info())
    fixExtents(info, dims, used);
  for (const auto &dim : dims)
    if (!used.contains(dim.getKey()))
      return refused("--dim: wanted the name of an open extent, found '" +
                     dim.getKey() + "', which no value of the model has");
  return llvm::Error::success();
}

/// Fails if an argument that is left has no shape of known extents.
static llvm::Error checkInputs(const onnx::GraphProto &graph) {
  llvm::StringSet<> known;
  for (const auto &tensor : graph.initializer())
    known.insert(tensor.name());
  for (const auto &info : graph.input()) {
    if (known.contains(info.name()))
      continue;
    if (!info.type().has_tensor_type())
      return refused("input '" + llvm::Twine(info.name()) +
                     "': wanted a tensor, found a sequence, map or optional");
    if (!info.type().tensor_type().has_shape())
      return refused(
          "input '" + llvm::Twine(info.name()) +
          "': wanted a shape, found none; export the model with one, "
          "or bind the input to a value with --bind " +
          info.name() + "=file.pb");
    for (const auto &[axis, dim] :
         llvm::enumerate(info.type().tensor_type().shape().dim())) {
      if (dim.has_dim_value() && dim.dim_value() >= 0)
        continue;
      const std::string name = dim.dim_param().empty()
                                   ? info.name() + ":" + std::to_string(axis)
                                   : dim.dim_param();
      return refused("input '" + llvm::Twine(info.name()) + "': extent " +
                     llvm::Twine(axis) + " is open; give it with --dim " +
                     name + "=<number>");
    }
  }
  return llvm::Error::success();
}

/// Makes an initialiser of the input that is bound to the value in `file`.
static llvm::Error bindInput(onnx::GraphProto &graph, const std::string &name,
                             llvm::StringRef file) {
  auto input = llvm::find_if(
      graph.input(), [&](const auto &info) { return info.name() == name; });
  if (input == graph.input().end())
    return refused("--bind: wanted the name of an input, found '" + name +
                   "', which the model has not");
  const int32_t type = input->type().tensor_type().elem_type();
  TensorData data;
  if (file.ends_with(".npy")) {
    TensorSpec spec;
    llvm::Expected<ElementType> element = hostElementOf(type);
    if (!element)
      return refused("--bind " + llvm::Twine(name) + ": " +
                     llvm::toString(element.takeError()));
    spec.element = *element;
    for (const auto &dim : input->type().tensor_type().shape().dim())
      spec.shape.push_back(dim.has_dim_value() ? dim.dim_value()
                                               : TensorSpec::kOpen);
    llvm::Expected<HostTensor> tensor = readNpy(file, spec);
    if (!tensor)
      return tensor.takeError();
    data.type = type;
    data.shape.assign(tensor->spec().shape.begin(), tensor->spec().shape.end());
    data.bytes.assign(tensor->raw().begin(), tensor->raw().end());
  } else {
    llvm::Expected<TensorData> read = readTensorFile(file);
    if (!read)
      return read.takeError();
    data = std::move(*read);
  }
  if (data.type != type)
    return refused("--bind " + llvm::Twine(name) + ": wanted elements of " +
                   typeName(type) + ", found " + typeName(data.type));
  auto *shape = const_cast<onnx::ValueInfoProto &>(*input)
                    .mutable_type()
                    ->mutable_tensor_type()
                    ->mutable_shape();
  if (input->type().tensor_type().has_shape() && shape->dim_size() > 0 &&
      shape->dim_size() != int(data.shape.size()))
    return refused("--bind " + llvm::Twine(name) + ": wanted rank " +
                   llvm::Twine(shape->dim_size()) + ", found " +
                   llvm::Twine(data.shape.size()));
  shape->clear_dim();
  auto *tensor = graph.add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(data.type);
  for (int64_t extent : data.shape) {
    tensor->add_dims(extent);
    shape->add_dim()->set_dim_value(extent);
  }
  *tensor->mutable_raw_data() = std::move(data.bytes);
  return llvm::Error::success();
}

/// So that nothing but this looks for files.
static llvm::Error readExternals(Model &model) {
  for (auto &tensor : *model.proto.mutable_graph()->mutable_initializer()) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL)
      continue;
    const std::string name = tensor.name();
    llvm::Expected<TensorData> data =
        takeTensor(std::move(tensor), model.directory);
    if (!data)
      return refused("initialiser '" + name +
                     "': " + llvm::toString(data.takeError()));
    tensor.clear_external_data();
    tensor.clear_data_location();
    *tensor.mutable_raw_data() = std::move(data->bytes);
  }
  return llvm::Error::success();
}

/// "conv1' (Conv"
static std::string describe(const onnx::NodeProto &node) {
  const bool isNamed = !node.name().empty() || node.output_size() == 0;
  return (isNamed ? node.name() : node.output(0)) + "' (" +
         qualifiedName(node.domain(), node.op_type());
}

/// Fails at a node by whose attributes ONNX's inference would divide, and they
/// are 0.
static llvm::Error checkDivisors(const onnx::GraphProto &graph) {
  for (const onnx::NodeProto &node : graph.node())
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        if (llvm::Error error = checkDivisors(attribute.g()))
          return error;
      static constexpr llvm::StringLiteral kDivisors[] = {
          "strides", "dilations", "group", "blocksize"};
      const bool isNumber = attribute.type() == onnx::AttributeProto::INT;
      if (!llvm::is_contained(kDivisors, attribute.name()) ||
          (isNumber ? attribute.i() >= 1
                    : llvm::all_of(attribute.ints(),
                                   [](int64_t each) { return each >= 1; })))
        continue;
      return refused("node '" + describe(node) +
                     "): wanted numbers from 1 on as '" + attribute.name() +
                     "'");
    }
  return llvm::Error::success();
}

/// Fails at a node whose result would have as many axes as a vector that the
/// model declares has elements, if that are more than any tensor has: ONNX's
/// inference would write them down.
static llvm::Error checkRanks(const onnx::GraphProto &graph) {
  constexpr int64_t kMostAxes = 1024;
  std::map<std::string, int64_t> lengths;
  auto note = [&](const onnx::ValueInfoProto &value) {
    const auto &shape = value.type().tensor_type().shape();
    if (shape.dim_size() == 1 && shape.dim(0).dim_value() > kMostAxes)
      lengths[value.name()] = shape.dim(0).dim_value();
  };
  for (const auto &value : graph.input())
    note(value);
  for (const auto &value : graph.value_info())
    note(value);
  for (const onnx::NodeProto &node : graph.node()) {
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        if (llvm::Error error = checkRanks(attribute.g()))
          return error;
    const bool isFirst = node.op_type() == "ConstantOfShape";
    static constexpr llvm::StringLiteral kByShape[] = {"Expand", "Reshape",
                                                       "Resize", "Tile"};
    if (!isFirst && !llvm::is_contained(kByShape, node.op_type()))
      continue;
    for (int i = isFirst ? 0 : 1; i < node.input_size(); ++i)
      if (auto it = lengths.find(node.input(i)); it != lengths.end())
        return refused("node '" + describe(node) + "): wanted at most " +
                       llvm::Twine(kMostAxes) + " extents in '" + it->first +
                       "', found " + llvm::Twine(it->second));
  }
  return llvm::Error::success();
}

/// Fails at a node whose operator nobody knows: ONNX's checker does not say
/// which are known.
static llvm::Error checkOperators(const onnx::ModelProto &model) {
  std::map<std::string, int> opsets;
  for (const auto &opset : model.opset_import())
    opsets[opset.domain() == "ai.onnx" ? "" : opset.domain()] =
        static_cast<int>(opset.version());
  const std::vector<std::string> known = knownOnnxOperators();
  for (const onnx::NodeProto &node : model.graph().node()) {
    const std::string domain = node.domain() == "ai.onnx" ? "" : node.domain();
    const std::string name = qualifiedName(domain, node.op_type());
    const bool isFunction =
        llvm::any_of(model.functions(), [&](const auto &function) {
          return function.name() == node.op_type() &&
                 function.domain() == node.domain();
        });
    if (isFunction || std::binary_search(known.begin(), known.end(), name) ||
        schemaOf(node.op_type(), domain, opsets[domain]))
      continue;
    return refused("node '" + describe(node) + ", opset " +
                   std::to_string(opsets[domain]) +
                   "): the operator is not known; known are " +
                   llvm::join(known, ", "));
  }
  return llvm::Error::success();
}

/// What ONNX's checker and shape inference say. The first does not read files.
/// Nothing if they crash, which the second does on some wrong attributes; where
/// llvm::CrashRecoveryContext is not enabled, that ends the process.
static std::optional<llvm::Error> askOnnx(onnx::ModelProto &model) {
  llvm::Error error = llvm::Error::success();
  const bool survived = llvm::CrashRecoveryContext().RunSafely([&] {
    llvm::consumeError(std::move(error));
    error = guarded([&] {
      onnx::checker::CheckerContext context;
      context.set_ir_version(static_cast<int>(model.ir_version()));
      std::unordered_map<std::string, int> opsets;
      for (const auto &opset : model.opset_import())
        opsets[opset.domain()] = static_cast<int>(opset.version());
      context.set_opset_imports(opsets);
      const onnx::checker::LexicalScopeContext scope{};
      onnx::checker::check_graph(model.graph(), context, scope);
      // Exporters of old opsets wrote constants of types that these had not.
      const bool checksTypes = opsets.count("") == 0 || opsets[""] >= 7;
      onnx::shape_inference::InferShapes(
          model, onnx::OpSchemaRegistry::Instance(),
          onnx::ShapeInferenceOptions(checksTypes, /*strict_mode=*/1,
                                      /*data_prop=*/true));
    });
  });
  if (survived)
    return std::move(error);
  llvm::consumeError(std::move(error));
  return std::nullopt;
}

static llvm::Error checkByOnnx(onnx::ModelProto &model) {
  if (std::optional<llvm::Error> answer = askOnnx(model))
    return std::move(*answer);
  const std::string what = "ONNX's own shape inference crashes on this model; "
                           "an attribute or a shape in it is wrong";
  // The first node with which it does so.
  constexpr int kMostNodes = 256;
  constexpr size_t kMostBytes = size_t(1) << 26;
  if (model.graph().node_size() > kMostNodes ||
      model.ByteSizeLong() > kMostBytes)
    return refused(what);
  onnx::ModelProto start = model;
  start.mutable_graph()->clear_node();
  start.mutable_graph()->clear_output();
  for (const onnx::NodeProto &node : model.graph().node()) {
    *start.mutable_graph()->add_node() = node;
    onnx::ModelProto tried = start;
    std::optional<llvm::Error> answer = askOnnx(tried);
    if (!answer)
      return refused("node '" + describe(node) +
                     "): ONNX's own shape inference crashes on it; an "
                     "attribute or the shape of an operand is wrong");
    llvm::consumeError(std::move(*answer));
  }
  return refused(what);
}

llvm::Expected<Model> frontend::loadModel(llvm::StringRef path,
                                          const OnnxOptions &options) {
  llvm::Expected<Model> model = parseModel(path);
  if (!model)
    return model;
  auto prepare = [&]() -> llvm::Error {
    onnx::GraphProto &graph = *model->proto.mutable_graph();
    if (llvm::Error error = checkOpsets(model->proto))
      return error;
    if (graph.sparse_initializer_size() > 0)
      return refused("wanted dense initialisers, found the sparse one '" +
                     graph.sparse_initializer(0).values().name() + "'");
    if (llvm::Error error = checkOperators(model->proto))
      return error;
    if (llvm::Error error = checkDivisors(graph))
      return error;
    if (llvm::Error error = checkRanks(graph))
      return error;
    if (llvm::Error error = fixExtents(graph, options.dims))
      return error;
    for (const auto &[name, file] : options.bindings)
      if (llvm::Error error = bindInput(graph, name, file))
        return error;
    if (llvm::Error error = checkInputs(graph))
      return error;
    if (llvm::Error error = readExternals(*model))
      return error;
    return checkByOnnx(model->proto);
  };
  if (llvm::Error error = prepare())
    return refused("'" + path + "': " + llvm::toString(std::move(error)));
  return model;
}

//===----------------------------------------------------------------------===//
// Schemas
//===----------------------------------------------------------------------===//

std::optional<int> frontend::sinceVersion(const std::string &name,
                                          const std::string &domain,
                                          int opset) {
  const onnx::OpSchema *schema = schemaOf(name, domain, opset);
  return schema ? std::optional<int>(schema->since_version()) : std::nullopt;
}

std::optional<onnx::FunctionProto>
frontend::functionOf(const onnx::NodeProto &node, int opset,
                     const std::vector<onnx::TypeProto> &inputs) {
  const onnx::OpSchema *schema = schemaOf(node.op_type(), node.domain(), opset);
  if (!schema)
    return std::nullopt;
  std::optional<onnx::FunctionProto> function;
  llvm::consumeError(guarded([&] {
    if (schema->HasFunction()) {
      function = *schema->GetFunction();
    } else if (schema->HasContextDependentFunction()) {
      onnx::FunctionBodyBuildContextImpl context(node, inputs);
      onnx::FunctionProto built;
      if (schema->BuildContextDependentFunction(context, built))
        function = std::move(built);
    }
  }));
  return function;
}

std::vector<onnx::AttributeProto>
frontend::defaultAttributes(const onnx::NodeProto &node, int opset) {
  std::vector<onnx::AttributeProto> found;
  if (const onnx::OpSchema *schema =
          schemaOf(node.op_type(), node.domain(), opset))
    for (const auto &[name, attribute] : schema->attributes())
      if (attribute.default_value.has_type()) {
        found.push_back(attribute.default_value);
        found.back().set_name(name);
      }
  return found;
}
