# cmake -P: install, configure, build, run; see CMakeLists.txt for the variables.
set(prefix ${WORK_DIR}/prefix)
set(build ${WORK_DIR}/build)

# Runs a command and stops with what it printed if it fails.
function(run out)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result
                  OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nexited with ${result}\n${stdout}${stderr}")
  endif()
  set(${out} "${stdout}" PARENT_SCOPE)
endfunction()

# Fails unless `text` contains `wanted`.
function(expect text wanted)
  string(FIND "${text}" "${wanted}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "wanted '${wanted}' in the output, found\n${text}")
  endif()
endfunction()

# Nothing of an earlier run may help.
file(REMOVE_RECURSE ${prefix} ${build})
run(log ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

# The installed tree must not lead back to the sources or the build.
file(GLOB_RECURSE package ${prefix}/lib*/cmake/*.cmake)
foreach(file IN LISTS package)
  file(READ ${file} text)
  string(FIND "${text}" "${BUILD_DIR}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names the build directory ${BUILD_DIR}")
  endif()
endforeach()

# An installed tool runs where it lies.
run(log ${prefix}/bin/fadiff-opt --version)
expect("${log}" "LLVM and MLIR version 22")

run(log ${CMAKE_COMMAND} -S ${EXAMPLE_DIR} -B ${build} -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${C_COMPILER}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
    "-DCMAKE_EXE_LINKER_FLAGS=${LINKER_FLAGS}")
file(STRINGS ${build}/CMakeCache.txt cache REGEX "^FADiff_DIR:")
expect("${cache}" "${prefix}/")
run(log ${CMAKE_COMMAND} --build ${build})
run(log ${build}/embed)
expect("${log}" "fadiff.target<\"gemmini-small\"")
expect("${log}" "fadiff.stage \"product\" workload(<[N = 48, K = 32, C = 64]")
# Everything once: 48x64 + 64x32 bytes in, 48x32 int32 out.
expect("${log}" "DRAM bytes read 5120, written 6144")
expect("${log}" "C++ and text options give the same schedule")

# C needs a header and a library.
file(WRITE ${WORK_DIR}/version.c
     "#include <fadiff-c/FADiff.h>\n#include <stdio.h>\n"
     "int main(void) { puts(fadiffVersion()); return !!fadiffLoad(\"\", NULL, 0, NULL); }\n")
separate_arguments(linker_flags NATIVE_COMMAND "${LINKER_FLAGS} ${CXX_FLAGS}")
run(log ${C_COMPILER} ${linker_flags} ${WORK_DIR}/version.c
    -o ${WORK_DIR}/version -I ${prefix}/include -L ${prefix}/lib -lFADiffC
    -Wl,-rpath,${prefix}/lib)
run(log ${WORK_DIR}/version)
expect("${log}" "0.1.0")

# The module for Python lies where its library finds the other.
file(GLOB module ${prefix}/lib/python3*/dist-packages)
if(module)
  set(ENV{PYTHONPATH} ${module})
  run(log ${PYTHON} -c
      "print(__import__('fadiff').__version__, __import__('fadiff').__file__)")
  expect("${log}" "0.1.0 ${module}/fadiff/__init__.py")
elseif(PYTHON)
  message(FATAL_ERROR "the module fadiff is not installed")
endif()

# Another LLVM than the one it was built with is refused by name.
file(WRITE ${WORK_DIR}/other/MLIRConfig.cmake
     "set(LLVM_VERSION_MAJOR 21)\nset(LLVM_VERSION_MINOR 1)\n")
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${EXAMPLE_DIR} -B ${WORK_DIR}/refused
          -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
          -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
          -DMLIR_DIR=${WORK_DIR}/other
  RESULT_VARIABLE result ERROR_VARIABLE log OUTPUT_QUIET)
if(result EQUAL 0)
  message(FATAL_ERROR "accepted MLIR 21.1")
endif()
string(REGEX REPLACE "[ \n]+" " " log "${log}")
expect("${log}" "this FADiff was built with LLVM and MLIR 22.1, found 21.1")
