/*===- plugin-host.c - A program of another LLVM version
-------------------===*\
|*
|* Part of the FADiff project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Loads a plugin as mlir-opt does and prints what it says of itself. Its
|* LLVMGetVersion answers 23.1; with WITHOUT_LLVM it has none.
|*
\*===----------------------------------------------------------------------===*/

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#ifndef WITHOUT_LLVM
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = 23;
  *minor = 1;
  *patch = 0;
}
#endif

/* mlir::PassPluginLibraryInfo and mlir::DialectPluginLibraryInfo. */
struct Info {
  uint32_t apiVersion;
  const char *name;
  const char *version;
  void (*registerCallbacks)(void *);
};

int main(int argc, char **argv) {
  void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!plugin) {
    fprintf(stderr, "cannot load the plugin: %s\n", dlerror());
    return 1;
  }
  const char *const entries[] = {"mlirGetDialectPluginInfo",
                                 "mlirGetPassPluginInfo"};
  for (int i = 0; i != 2; ++i) {
    struct Info (*get)(void) =
        (struct Info (*)(void))(intptr_t)dlsym(plugin, entries[i]);
    struct Info info = get();
    printf("%s %s: API version %u\n", info.name, info.version,
           (unsigned)info.apiVersion);
    info.registerCallbacks(NULL);
  }
  return 0;
}
