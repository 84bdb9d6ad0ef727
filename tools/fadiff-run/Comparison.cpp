//===- Comparison.cpp - Outputs beside the reference ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/WidenSums.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;

/// Says of outputs that are as they should be what that proves.
static void reportAgreement(llvm::raw_ostream &os,
                            llvm::ArrayRef<HostTensor> outputs,
                            llvm::StringRef agreement) {
  size_t proving = 0;
  for (auto [index, output] : llvm::enumerate(outputs)) {
    const std::string why = whyProvesLittle(output);
    if (why.empty())
      ++proving;
    else
      os << "output " << index << " is as in the reference, which proves "
         << "little: " << why
         << "; choose other arguments with fadiff.fill or --inputs\n";
  }
  if (outputs.empty())
    os << "nothing to compare: the function returns, writes and prints "
          "nothing\n";
  else if (agreement.empty())
    return; // how far they are apart is said
  else if (proving == outputs.size())
    os << agreement << '\n';
  else if (proving > 0)
    os << "the others: " << agreement << '\n';
}

/// How many terms the longest sum of a contraction in the network has.
static double longestSum(ModuleOp network) {
  OwningOpRef<ModuleOp> copy(network.clone());
  PassManager pm((*copy)->getName());
  pm.addPass(createImportPass());
  if (failed(pm.run(*copy)))
    return 0;
  double longest = 0;
  copy->walk([&](linalg::LinalgOp op) {
    if (!isContraction(op))
      return;
    double terms = 1;
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    for (unsigned loop : reductions)
      terms *= std::max<double>(op.getStaticLoopRanges()[loop], 1);
    longest = std::max(longest, terms);
  });
  return longest;
}

llvm::Expected<bool> fadiff::compareWithReference(
    llvm::ArrayRef<HostTensor> expected, llvm::ArrayRef<HostTensor> found,
    const Tolerance &tolerance, Arithmetic arithmetic, FloatType sums,
    ModuleOp network, llvm::raw_ostream &os) {
  double allowed = tolerance.reals;
  if (allowed < 0)
    allowed = arithmetic == Arithmetic::Float32 ? 1e-5 : 0;
  // Two sums that differ a little may be rounded to neighbours.
  auto allowRoundingTo = [&](int mantissa) {
    if (tolerance.reals < 0 && allowed > 0)
      allowed = std::max(allowed, std::ldexp(1.0, 1 - mantissa));
  };
  if (sums)
    allowRoundingTo(int(sums.getFPMantissaWidth()));
  for (const HostTensor &output : expected) {
    const ElementType element = output.spec().element;
    if (element == ElementType::BF16)
      allowRoundingTo(
          llvm::APFloat::semanticsPrecision(llvm::APFloat::BFloat()));
    if (element == ElementType::F16)
      allowRoundingTo(
          llvm::APFloat::semanticsPrecision(llvm::APFloat::IEEEhalf()));
  }
  llvm::Expected<OutputDistance> distance = outputDistance(expected, found);
  if (!distance)
    return distance.takeError();
  // A sum of n terms one after the other, as the reference has it, may be off
  // by n roundings, and is if the terms resemble each other.
  if (tolerance.reals < 0 && allowed > 0 && distance->reals > allowed)
    allowed = std::max(allowed, std::ldexp(longestSum(network), -24));
  bool withinTolerance = false;
  if (tolerance.integers > 0) {
    os << "largest difference from the reference: " << distance->integers
       << ", allowed: " << tolerance.integers << '\n';
    withinTolerance = true;
  }
  if (allowed > 0 && distance->reals > 0) {
    os << llvm::format(
        "largest difference of floats from the reference: %.1e of the largest "
        "element, allowed: %.1e\n",
        distance->reals, allowed);
    withinTolerance = true;
  }
  if (withinTolerance && distance->integers <= tolerance.integers &&
      distance->reals <= allowed) {
    reportAgreement(os, expected, "");
    return true;
  }
  llvm::Expected<bool> equal = compareOutputs(expected, found, os);
  if (equal && *equal)
    reportAgreement(os, expected, "output identical to the reference");
  return equal;
}

FailureOr<FloatType> fadiff::widenReference(ModuleOp module,
                                            llvm::raw_ostream &os) {
  PassManager pm(module->getName());
  pm.addPass(createImportPass());
  if (failed(pm.run(module)))
    return failure();
  FloatType sums = widenSums(module);
  if (sums)
    os << "sums of " << sums
       << " are taken in f32 and rounded once, in the reference, too; "
          "--halves=factors leaves them as they are, on the host\n";
  return sums;
}
