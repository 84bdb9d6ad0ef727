//===- fadiff-opt.cpp - mlir-opt with FADiff in it --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/InitAll.h"
#include "fadiff/Runner/HostLowering.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "support/Monitor.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  fadiff::registerAllDialects(registry);
  fadiff::registerSearchMonitor(registry);
  fadiff::registerAllPasses();
  fadiff::registerRunnerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "FADiff optimizer driver\n", registry));
}
