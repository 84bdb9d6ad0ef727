# Thin wrappers that keep the library layering visible in the build.

function(fadiff_common_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
endfunction()

# Installs a library and exports it as FADiff::<name without FADiff>.
function(fadiff_install_library name)
  string(REGEX REPLACE "^FADiff" "" export_name ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${export_name})
  target_include_directories(${name} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${name} EXPORT FADiffTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# A tool that users get: in bin/, with the way to LLVM's libraries in it.
function(fadiff_install_tool name)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# A core library: knows nothing of MLIR. It may use LLVM's Support library.
#   add_fadiff_core_library(FADiffWorkload Layer.cpp LINK_LIBS FADiffOther)
function(add_fadiff_core_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} LLVM)
  fadiff_common_options(${name})
  fadiff_install_library(${name})
endfunction()

# A library that knows MLIR. Links the shared libMLIR and shares one
# precompiled header, which is most of the compile time of a small file.
#   add_fadiff_mlir_library(FADiffTransforms A.cpp DEPENDS XIncGen LINK_LIBS Y)
function(add_fadiff_mlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  fadiff_common_options(${name})
  fadiff_use_mlir_pch(${name})
  fadiff_install_library(${name})
endfunction()

# Reuses the precompiled MLIR header that lib/ defines once.
function(fadiff_use_mlir_pch target)
  target_precompile_headers(${target} REUSE_FROM fadiff_mlir_pch)
endfunction()

# One GoogleTest binary per library, registered with CTest test by test.
#   add_fadiff_unittest(WorkloadTests CORE LayerTest.cpp LINK_LIBS FADiffWorkload)
# CORE: of a core library, so it has the label `core` and `core-tests` builds it.
function(add_fadiff_unittest name)
  cmake_parse_arguments(ARG "CORE" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
    FADIFF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  fadiff_common_options(${name})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unittests")
  include(GoogleTest)
  set(labels "")
  if(ARG_CORE)
    set(labels core)
    add_dependencies(core-tests ${name})
  endif()
  # libMLIR is not built with sanitizers: memory that its allocators hand out to
  # inlined code of ours would be reported as poisoned.
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES
    TIMEOUT 1200
    LABELS "${labels}"
    ENVIRONMENT
    "ASAN_OPTIONS=allow_user_poisoning=0:detect_container_overflow=0")
  set_property(GLOBAL APPEND PROPERTY FADIFF_UNITTESTS ${name})
endfunction()
