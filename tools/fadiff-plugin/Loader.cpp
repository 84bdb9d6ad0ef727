//===- Loader.cpp - The plugin's front door -------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module linked with libMLIR either fails to load into a program with another
// version of it, with a message about a mangled name, or brings a second one
// along whose symbols mix with the first's, and crashes. MLIR's own version
// number of plugins covers neither. So this module uses no symbol of LLVM,
// compares versions, and only then loads FADiffPluginPasses.so beside it.
//
//===----------------------------------------------------------------------===//

#include "Plugin.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

#include <cstdio>
#include <dlfcn.h>
#include <string>

namespace {

/// Prints one line, and once in a process: the program asks for dialects and
/// for passes, and both have the same trouble.
void complain(const std::string &what) {
  static bool complained = false;
  if (!complained)
    std::fprintf(stderr, "error: FADiffPlugin: %s\n", what.c_str());
  complained = true;
}

/// Whether the program's LLVM is the one FADiff was compiled for; says so if
/// not.
bool checkVersion() {
  std::string wanted = std::to_string(LLVM_VERSION_MAJOR) + "." +
                       std::to_string(LLVM_VERSION_MINOR);
  // LLVM's C interface, which has been there since 16.
  auto getVersion =
      reinterpret_cast<void (*)(unsigned *, unsigned *, unsigned *)>(
          dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  if (!getVersion) {
    complain("built for LLVM and MLIR " + wanted +
             ", found no shared libLLVM of version 16 or later in this "
             "program; use one that links libLLVM.so and libMLIR.so of " +
             wanted + ", such as mlir-opt-22");
    return false;
  }
  unsigned major = 0, minor = 0, patch = 0;
  getVersion(&major, &minor, &patch);
  if (major == LLVM_VERSION_MAJOR && minor == LLVM_VERSION_MINOR)
    return true;
  complain("built for LLVM and MLIR " + wanted + ", loaded into " +
           std::to_string(major) + "." + std::to_string(minor) +
           "; use a program of version " + wanted +
           ", such as mlir-opt-22, or build FADiff with the other");
  return false;
}

/// The second module, or null after a message.
void *loadPasses() {
  static void *passes = []() -> void * {
    if (!checkVersion())
      return nullptr;
    Dl_info self;
    if (!dladdr(reinterpret_cast<void *>(&checkVersion), &self)) {
      complain("cannot find the directory it was loaded from");
      return nullptr;
    }
    std::string path = self.dli_fname;
    path = path.substr(0, path.find_last_of('/') + 1) + "FADiffPluginPasses.so";
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      complain(dlerror());
    return handle;
  }();
  return passes;
}

template <typename Function> Function *find(const char *name) {
  void *passes = loadPasses();
  void *symbol = passes ? dlsym(passes, name) : nullptr;
  if (passes && !symbol)
    complain(std::string("FADiffPluginPasses.so has no ") + name +
             "; install both files from one build");
  return reinterpret_cast<Function *>(symbol);
}

/// What the program compares with its own; no program has 0.
constexpr uint32_t kRefused = 0;

} // namespace

extern "C" __attribute__((visibility("default"))) mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  static auto *registerDialects = find<decltype(fadiffPluginRegisterDialects)>(
      "fadiffPluginRegisterDialects");
  return {registerDialects ? MLIR_PLUGIN_API_VERSION : kRefused, "FADiff",
          FADIFF_VERSION, [](mlir::DialectRegistry *registry) {
            if (registerDialects)
              registerDialects(registry);
          }};
}

extern "C" __attribute__((visibility("default"))) mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  static auto *registerPasses =
      find<decltype(fadiffPluginRegisterPasses)>("fadiffPluginRegisterPasses");
  return {registerPasses ? MLIR_PLUGIN_API_VERSION : kRefused, "FADiff",
          FADIFF_VERSION, [] {
            if (registerPasses)
              registerPasses();
          }};
}
