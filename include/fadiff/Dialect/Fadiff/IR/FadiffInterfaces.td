//===- FadiffInterfaces.td - What others may implement -----*- tablegen -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_FADIFF_IR_FADIFFINTERFACES_TD
#define FADIFF_DIALECT_FADIFF_IR_FADIFFINTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/Interfaces.td"

def DifferentiableCost : AttrInterface<"DifferentiableCost"> {
  let cppNamespace = "::fadiff::ir";
  let description = [{
    A cost that layers can be scheduled with: value and gradient at a mapping.
    `#fadiff.cost_model` implements it with the built-in models; another dialect
    can bring its own as the `cost_model` of a `fadiff.layer`.
  }];
  let methods = [
    InterfaceMethod<[{
      The function of layer, mapping and machine that the search minimises:
      energy in pJ, latency in cycles, and their slopes by the logarithm of each
      factor.
    }], "std::unique_ptr<::fadiff::CostFunction>", "getCostFunction">,
    InterfaceMethod<"The name that costs predicted by it carry.",
                    "std::string", "getModelName">
  ];
}

#endif // FADIFF_DIALECT_FADIFF_IR_FADIFFINTERFACES_TD
