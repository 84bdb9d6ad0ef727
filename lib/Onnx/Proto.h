//===- Proto.h - ONNX's own headers -----------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_ONNX_PROTO_H
#define FADIFF_LIB_ONNX_PROTO_H

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"
#pragma clang diagnostic ignored "-Wsign-compare"
#include <onnx/onnx_pb.h>
#pragma clang diagnostic pop

#endif // FADIFF_LIB_ONNX_PROTO_H
