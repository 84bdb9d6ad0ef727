//===- bindings.cpp - The C interface for Python --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module fadiff._fadiff: fadiff-c/FADiff.h with NumPy's arrays in place of
// tensors and exceptions in place of null. What people see is __init__.py.
//
//===----------------------------------------------------------------------===//

#include "fadiff-c/FADiff.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

namespace py = pybind11;
using namespace py::literals;

namespace {

/// fadiff.Error, with the diagnostic's text.
class Failure : public std::runtime_error {
public:
  Failure() : std::runtime_error(fadiffLastError()) {}
};

template <typename T, void (*Free)(T *)> struct Deleter {
  void operator()(T *object) const { Free(object); }
};
using NetworkHandle =
    std::unique_ptr<FadiffNetwork, Deleter<FadiffNetwork, fadiffNetworkFree>>;
using PlanHandle =
    std::unique_ptr<FadiffPlan, Deleter<FadiffPlan, fadiffPlanFree>>;
using ResultsHandle =
    std::unique_ptr<FadiffResults, Deleter<FadiffResults, fadiffResultsFree>>;

/// NumPy has no type for the floats of 16 bits with eight of exponent, nor for
/// those of 8 and 4 bits; their bits stand for them, as in files.
const char *numpyName(FadiffElement element) {
  switch (element) {
  case FADIFF_I1:
    return "bool";
  case FADIFF_I4:
  case FADIFF_I8:
    return "int8";
  case FADIFF_I16:
    return "int16";
  case FADIFF_I32:
    return "int32";
  case FADIFF_I64:
  case FADIFF_INDEX:
    return "int64";
  case FADIFF_F4E2M1FN:
  case FADIFF_F8E8M0FNU:
    return "uint8";
  case FADIFF_F16:
    return "float16";
  case FADIFF_BF16:
    return "uint16";
  case FADIFF_F32:
    return "float32";
  case FADIFF_F64:
    return "float64";
  }
  return "uint8";
}

struct Type {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
};

Type typeOf(const FadiffTensor &tensor, std::string name) {
  return {std::move(name), numpyName(tensor.element),
          std::vector<int64_t>(tensor.shape, tensor.shape + tensor.rank)};
}

/// Arrays that lie as the C interface wants them, and what points to them.
struct Arguments {
  Arguments(const std::vector<FadiffTensor> &wanted, const py::list &inputs) {
    if (inputs.size() != wanted.size())
      throw py::value_error("wanted " + std::to_string(wanted.size()) +
                            " inputs, one for each argument, found " +
                            std::to_string(inputs.size()));
    for (size_t i = 0; i < wanted.size(); ++i) {
      py::array array = py::array::ensure(inputs[i], py::array::c_style);
      if (!array)
        throw py::type_error("input " + std::to_string(i) +
                             ": wanted a NumPy array");
      const py::dtype dtype(numpyName(wanted[i].element));
      const bool isByte = array.dtype().is(py::dtype("uint8")) &&
                          wanted[i].element == FADIFF_I8;
      if (!array.dtype().equal(dtype) && !isByte)
        throw py::type_error(
            "input " + std::to_string(i) + ": wanted an array of " +
            std::string(py::str(dtype)) + ", found one of " +
            std::string(py::str(array.dtype())) + "; use .astype()");
      shapes.emplace_back(array.shape(), array.shape() + array.ndim());
      arrays.push_back(array);
      tensors.push_back({wanted[i].element, 0, nullptr, array.data()});
    }
    for (size_t i = 0; i < tensors.size(); ++i) {
      tensors[i].rank = shapes[i].size();
      tensors[i].shape = shapes[i].data();
    }
  }

  std::vector<py::array> arrays;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<FadiffTensor> tensors;
};

struct Run {
  std::vector<py::array> outputs;
  int64_t cycles, dramRead, dramWritten;
};

Run takeResults(ResultsHandle results) {
  if (!results)
    throw Failure();
  Run run = {{},
             fadiffResultsCycles(results.get()),
             fadiffResultsDramRead(results.get()),
             fadiffResultsDramWritten(results.get())};
  for (size_t i = 0; i < fadiffNumResults(results.get()); ++i) {
    const FadiffTensor tensor = fadiffResult(results.get(), i);
    // A copy: without a base that owns it.
    run.outputs.emplace_back(
        py::dtype(numpyName(tensor.element)),
        std::vector<py::ssize_t>(tensor.shape, tensor.shape + tensor.rank),
        tensor.data);
  }
  return run;
}

struct Network;

struct Plan {
  PlanHandle handle;
  std::vector<FadiffTensor> inputs; ///< types; shapes are not looked at

  Run run(const py::list &values) {
    Arguments arguments(inputs, values);
    FadiffResults *results;
    {
      py::gil_scoped_release release;
      results = fadiffRun(handle.get(), arguments.tensors.data(),
                          arguments.tensors.size());
    }
    return takeResults(ResultsHandle(results));
  }
};

struct Network {
  NetworkHandle handle;

  std::vector<FadiffTensor> inputTypes() const {
    std::vector<FadiffTensor> types;
    for (size_t i = 0; i < fadiffNumInputs(handle.get()); ++i)
      types.push_back(fadiffInputType(handle.get(), i));
    return types;
  }
  std::vector<Type> inputs() const {
    std::vector<Type> types;
    for (size_t i = 0; i < fadiffNumInputs(handle.get()); ++i)
      types.push_back(typeOf(fadiffInputType(handle.get(), i),
                             fadiffInputName(handle.get(), i)));
    return types;
  }
  std::vector<Type> outputs() const {
    std::vector<Type> types;
    for (size_t i = 0; i < fadiffNumOutputs(handle.get()); ++i)
      types.push_back(typeOf(fadiffOutputType(handle.get(), i), ""));
    return types;
  }
  Run run(const py::list &values) {
    Arguments arguments(inputTypes(), values);
    FadiffResults *results;
    {
      py::gil_scoped_release release;
      results = fadiffRunReference(handle.get(), arguments.tensors.data(),
                                   arguments.tensors.size());
    }
    return takeResults(ResultsHandle(results));
  }
};

std::vector<const char *> pointers(const std::vector<std::string> &texts) {
  std::vector<const char *> result;
  for (const std::string &text : texts)
    result.push_back(text.c_str());
  return result;
}

Network load(const std::string &path, const std::vector<std::string> &dims,
             const std::vector<std::string> &bindings,
             const std::string &entry) {
  const std::vector<const char *> open = pointers(dims),
                                  bound = pointers(bindings);
  NetworkHandle handle;
  {
    py::gil_scoped_release release;
    handle.reset(fadiffLoadBound(path.c_str(), open.data(), open.size(),
                                 bound.data(), bound.size(),
                                 entry.empty() ? nullptr : entry.c_str()));
  }
  if (!handle)
    throw Failure();
  return {std::move(handle)};
}

Network quantize(const Network &network, const std::string &options) {
  NetworkHandle handle;
  {
    py::gil_scoped_release release;
    handle.reset(fadiffQuantize(network.handle.get(), options.c_str()));
  }
  if (!handle)
    throw Failure();
  return {std::move(handle)};
}

Plan schedule(const Network &network, const std::string &options) {
  PlanHandle handle;
  {
    py::gil_scoped_release release;
    handle.reset(fadiffSchedule(network.handle.get(), options.c_str()));
  }
  if (!handle)
    throw Failure();
  std::vector<FadiffTensor> inputs = network.inputTypes();
  for (FadiffTensor &type : inputs)
    type.shape = nullptr; // of the network, which may go
  return {std::move(handle), std::move(inputs)};
}

} // namespace

PYBIND11_MODULE(_fadiff, module) {
  module.doc() = "The C interface of FADiff; use the package fadiff.";
  py::register_exception<Failure>(module, "Error", PyExc_RuntimeError);
  module.attr("version") = fadiffVersion();
  py::class_<Type>(module, "Type")
      .def_readonly("name", &Type::name)
      .def_readonly("dtype", &Type::dtype)
      .def_property_readonly(
          "shape", [](const Type &type) { return py::tuple(py::cast(type.shape)); })
      .def("__repr__", [](const Type &type) {
        return std::string("Type({!r}, {}, {})"_s.format(
            type.name, type.dtype, py::tuple(py::cast(type.shape))));
      });
  py::class_<Run>(module, "Run")
      .def_readonly("outputs", &Run::outputs)
      .def_readonly("cycles", &Run::cycles)
      .def_readonly("dram_read", &Run::dramRead)
      .def_readonly("dram_written", &Run::dramWritten);
  py::class_<Network>(module, "Network")
      .def_property_readonly("inputs", &Network::inputs)
      .def_property_readonly("outputs", &Network::outputs)
      .def_property_readonly(
          "text", [](Network &n) { return fadiffNetworkText(n.handle.get()); })
      .def_property_readonly("quantization",
                             [](const Network &n) {
                               return fadiffNetworkQuantization(n.handle.get());
                             })
      .def("run", &Network::run);
  py::class_<Plan>(module, "Plan")
      .def_property_readonly(
          "value", [](const Plan &p) { return fadiffPlanValue(p.handle.get()); })
      .def_property_readonly(
          "bound", [](const Plan &p) { return fadiffPlanBound(p.handle.get()); })
      .def_property_readonly(
          "energy",
          [](const Plan &p) { return fadiffPlanEnergy(p.handle.get()); })
      .def_property_readonly(
          "cycles",
          [](const Plan &p) { return fadiffPlanCycles(p.handle.get()); })
      .def_property_readonly(
          "summary",
          [](const Plan &p) { return fadiffPlanSummary(p.handle.get()); })
      .def_property_readonly(
          "nests", [](const Plan &p) { return fadiffPlanNests(p.handle.get()); })
      .def_property_readonly(
          "text", [](Plan &p) { return fadiffPlanText(p.handle.get()); })
      .def("run", &Plan::run);
  module.def("load", &load);
  module.def("quantize", &quantize);
  module.def("schedule", &schedule);
}
