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
