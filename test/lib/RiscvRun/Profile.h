//===- Profile.h - What the core's instructions are for ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an instruction is for the name of its function says, as fadiff-compile
// gives it (docs/Binaries.md): `fadiff_nest_<layers>` issues the commands of a
// loop nest, `fadiff_host_<kind>_x<points>` is an operation that stays on the
// core, with the points that it visits. All others of the program hold buffers
// and call these. What the C library does is counted for the function of the
// program that was last, which called it, and once more by itself.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TEST_RISCVRUN_PROFILE_H
#define FADIFF_TEST_RISCVRUN_PROFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class Profile {
public:
  /// Code runs within `size` bytes from `base`. `entry` is the name of the
  /// function from whose entry to whose return is counted.
  Profile(uint64_t base, uint64_t size, llvm::StringRef entry)
      : base(base), owners(size / 2), entry(entry) {}

  /// A function of the linked program, in any order, before all counts.
  void addFunction(llvm::StringRef name, uint64_t address) {
    starts[address] = name.str();
  }
  /// An instruction that is about to be executed.
  void count(uint64_t address, bool isCommand);
  /// The counts of one of `calls` calls.
  void print(llvm::raw_ostream &os, uint64_t calls) const;
  /// How often each instruction was executed, beside its address: for reading
  /// next to a disassembly.
  void printAddresses(llvm::raw_ostream &os) const;

private:
  struct Function {
    std::string name;
    bool isLibrary = false;
    uint64_t start = 0, calls = 0, commands = 0;
    uint64_t own = 0; ///< instructions
    uint64_t all = 0; ///< with those of the library that it calls
  };

  void layOut();

  uint64_t base;
  std::map<uint64_t, std::string> starts;
  /// The function of each half word of memory, from 1; 0: none.
  std::vector<uint16_t> owners;
  std::map<uint64_t, uint64_t> executions; ///< of each instruction
  std::vector<Function> functions;
  size_t current = 0; ///< of the program, last seen
  std::string entry;
};

#endif // FADIFF_TEST_RISCVRUN_PROFILE_H
