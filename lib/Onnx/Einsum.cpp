//===- Einsum.cpp - Einstein's sums ---------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;

/// The labels of one operand's axes; "..." stands for `axes` unnamed ones,
/// which get the labels '0', '1', ... up to `most`.
static FailureOr<std::string> labelsOf(Node &n, StringRef term, int64_t rank,
                                       int64_t most) {
  std::string labels;
  const size_t dots = term.find("...");
  const int64_t named =
      int64_t(term.size()) - (dots == StringRef::npos ? 0 : 3);
  const int64_t axes = rank < 0 ? most : rank - named;
  for (size_t i = 0; i < term.size(); ++i) {
    if (i == dots) {
      for (int64_t k = 0; k < axes; ++k)
        labels.push_back(char('0' + most - axes + k));
      i += 2;
    } else if (llvm::isAlpha(term[i])) {
      labels.push_back(term[i]);
    } else {
      return n.error("wanted letters, '...', ',' and '->' as equation");
    }
  }
  if (rank >= 0 && int64_t(labels.size()) != rank)
    return n.error("wanted an axis for each of '" + term + "', found rank " +
                   llvm::Twine(rank));
  return labels;
}

static LogicalResult importEinsum(Node &n) {
  if (failed(n.want(std::max(1u, n.numOperands()))))
    return failure();
  std::string equation = n.text("equation", "");
  llvm::erase(equation, ' ');
  auto [left, right] = StringRef(equation).split("->");
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != n.numOperands())
    return n.error("wanted a term for each of " + llvm::Twine(n.numOperands()) +
                   " operands, found " + llvm::Twine(terms.size()));
  // How many axes dots stand for at most.
  int64_t most = 0;
  for (unsigned i = 0; i < n.numOperands(); ++i)
    if (terms[i].contains("..."))
      most = std::max(most, n.rank(i) - int64_t(terms[i].size()) + 3);
  if (most > 9)
    return n.error("wanted at most 9 axes for '...'");
  SmallVector<std::string> labels;
  llvm::MapVector<char, int64_t> extents;
  std::map<char, unsigned> uses;
  for (unsigned i = 0; i < n.numOperands(); ++i) {
    FailureOr<std::string> found = labelsOf(n, terms[i], n.rank(i), most);
    if (failed(found) || n.element(i) != n.element(0))
      return n.error("wanted operands of one type");
    for (auto [label, extent] : llvm::zip_equal(*found, n.shape(i))) {
      int64_t &known = extents.try_emplace(label, extent).first->second;
      ++uses[label];
      if (known == 1)
        known = extent;
      if (extent != known && extent != 1)
        return n.error("wanted one extent for '" + llvm::Twine(label) +
                       "', found " + llvm::Twine(known) + " and " +
                       llvm::Twine(extent));
    }
    labels.push_back(*found);
  }
  std::string result;
  if (equation.find("->") != std::string::npos) {
    FailureOr<std::string> found = labelsOf(n, right, -1, most);
    if (failed(found))
      return failure();
    result = *found;
  } else {
    for (int64_t k = 0; k < most; ++k)
      result.push_back(char('0' + k));
    for (auto [label, count] : uses)
      if (count == 1 && llvm::isAlpha(label))
        result.push_back(label);
  }
  // The loops: those of the result first.
  SmallVector<char> loops(result.begin(), result.end());
  SmallVector<int64_t> shape;
  for (char label : result) {
    if (!extents.count(label) || llvm::count(result, label) > 1)
      return n.error("wanted each label of the result once, from the operands");
    shape.push_back(extents[label]);
  }
  for (auto [label, extent] : extents)
    if (!llvm::is_contained(loops, label))
      loops.push_back(label);
  ImplicitLocOpBuilder &b = n.b;
  auto mapOf = [&](StringRef labels, ArrayRef<int64_t> shape) {
    SmallVector<AffineExpr> exprs;
    for (auto [label, extent] : llvm::zip_equal(labels, shape))
      exprs.push_back(extent == 1 && extents[label] != 1
                          ? b.getAffineConstantExpr(0)
                          : b.getAffineDimExpr(unsigned(
                                llvm::find(loops, label) - loops.begin())));
    return AffineMap::get(unsigned(loops.size()), 0, exprs, b.getContext());
  };
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (unsigned i = 0; i < n.numOperands(); ++i) {
    operands.push_back(n.in(i));
    maps.push_back(mapOf(labels[i], n.shape(i)));
  }
  maps.push_back(mapOf(result, shape));
  SmallVector<utils::IteratorType> kinds(loops.size(),
                                         utils::IteratorType::reduction);
  std::fill_n(kinds.begin(), result.size(), utils::IteratorType::parallel);
  Value start = zeros(b, shape, n.element(0));
  auto op = linalg::GenericOp::create(
      b, start.getType(), operands, start, maps, kinds,
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        Scalars s(inner);
        Value term = args[0];
        for (Value each : args.drop_front().drop_back())
          term = s.mul(term, each);
        linalg::YieldOp::create(inner, s.add(args.back(), term));
      });
  n.result(op.getResult(0));
  return success();
}

llvm::ArrayRef<Operator> frontend::einsumOperators() {
  static const Operator kOperators[] = {
      {"", "Einsum", 12, importEinsum},
  };
  return kOperators;
}
