//===- MemoryAudit.h - Are core and accelerator fenced apart? ---*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TEST_RISCVRUN_MEMORYAUDIT_H
#define FADIFF_TEST_RISCVRUN_MEMORYAUDIT_H

#include "fadiff/ISA/LoopConvWs.h"
#include "fadiff/ISA/LoopWs.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

/// Follows every access to memory by either side. Two accesses to one byte from
/// different sides, at least one of them a write, want a fence between them. A
/// fence that is the only one between two such accesses was needed.
class MemoryAudit {
public:
  MemoryAudit(uint64_t base, uint64_t size, const fadiff::Accelerator &machine)
      : machine(machine), base(base), size(size),
        bytes(static_cast<Byte *>(std::calloc(size, sizeof(Byte)))) {
    if (!bytes)
      llvm::report_bad_alloc_error("no memory to follow accesses with");
  }

  /// A load or store of the core.
  void core(uint64_t address, unsigned size, bool write);
  /// What the command does to memory, after the configuration so far.
  void accelerator(const fadiff::isa::Command &command);
  void fence();

  /// The first pair without a fence, empty if there is none.
  const std::string &error() const { return firstError; }
  unsigned fences() const { return needed.size() - 1; }
  /// Fences without which nothing would have gone wrong.
  unsigned idleFences() const;

private:
  /// The epoch of the last access of each kind; epochs end at fences. 0: never.
  struct Byte {
    uint32_t coreRead, coreWrite, deviceRead, deviceWrite;
  };

  Byte *find(uint64_t address);
  void order(uint32_t before, uint64_t address, const char *first,
             const char *second);
  void device(uint64_t address, uint64_t size, bool write);
  void rows(uint64_t address, uint64_t rows, uint64_t stride, uint64_t size,
            bool write);

  const fadiff::Accelerator machine;
  uint64_t base, size;
  struct Free {
    void operator()(Byte *bytes) const { std::free(bytes); }
  };
  /// One for each byte of memory. What is never touched takes no memory here.
  std::unique_ptr<Byte[], Free> bytes;
  uint32_t epoch = 1;
  /// needed[i]: the fence that ends epoch i + 1.
  std::vector<bool> needed = {false};
  std::string firstError;
  fadiff::isa::ConfigLd load[3];
  fadiff::isa::ConfigSt store;
  fadiff::isa::LoopWs loop;
  fadiff::isa::LoopConvWs convLoop; ///< what the next one has been told
};

#endif // FADIFF_TEST_RISCVRUN_MEMORYAUDIT_H
