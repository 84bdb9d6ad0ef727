//===- Recurrent.cpp - LSTM, GRU and RNN, unrolled ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

using namespace fadiff;
using namespace fadiff::frontend;

llvm::ArrayRef<Operator> frontend::recurrentOperators() { return {}; }
