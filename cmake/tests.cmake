# C++ tests: one program for each module, arges_<module>_test, from the *_test.cc files beside the code, and one for
# argesim/. All of them carry the label `unit` and run under the sanitizers too.
include(GoogleTest)
add_custom_target(unit_tests)

# The optimiser takes half of the time that a test needs to compile, for nothing: the work of a test is done in the
# library. Position-independent code is left to the compiler's default, so that object libraries and programs have the
# same flags and can share precompiled headers.
function(arges_test_flags name)
  target_compile_options(${name} PRIVATE -O0)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
endfunction()

arges_precompile(arges_test_headers ${library_headers} <gtest/gtest.h>)
target_link_libraries(arges_test_headers PRIVATE GTest::gtest)
arges_test_flags(arges_test_headers)

# One test a ctest test. Under the sanitizers a program needs longer to start than most tests take: there it runs them
# in four pieces, without three runs that take minutes of it and that the release build makes. The search for leaks at
# the end follows thread-local variables of plugins through a guess at the loader's memory (intercept_tls_get_addr) that
# is sometimes wrong, and then ends itself by SIGSEGV: it does without.
function(arges_register_tests program)
  if(NOT ARGES_SANITIZE)
    gtest_discover_tests(${program} PROPERTIES LABELS unit DISCOVERY_TIMEOUT 60)
    return()
  endif()
  set(long_runs *Tolerance/dae_realtime:*Tolerance/C21_pendulum:*SwingsForManyPeriods*)
  foreach(piece RANGE 3)
    add_test(NAME ${program}_${piece} COMMAND ${program} --gtest_brief=1 --gtest_filter=-${long_runs})
    set_tests_properties(${program}_${piece} PROPERTIES LABELS unit
      ENVIRONMENT "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${piece};ASAN_OPTIONS=intercept_tls_get_addr=0")
  endforeach()
endfunction()

function(arges_test_program name)
  if(NOT ARGN)
    return()
  endif()
  add_executable(arges_${name}_test ${ARGN})
  target_include_directories(arges_${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(arges_${name}_test PRIVATE arges arges_warnings fmt::fmt nlohmann_json::nlohmann_json
    GTest::gtest_main)
  arges_test_flags(arges_${name}_test)
  arges_use_precompiled(arges_${name}_test arges_test_headers)
  # Small models of hybrid components have the same names in many tests.
  if(NOT name STREQUAL "hybrid_devs")
    arges_compile_together(arges_${name}_test)
  endif()
  arges_register_tests(arges_${name}_test)
  add_dependencies(unit_tests arges_${name}_test)
endfunction()

get_property(folders GLOBAL PROPERTY ARGES_TEST_FOLDERS)
foreach(folder ${folders})
  get_property(tests GLOBAL PROPERTY ARGES_TESTS_OF_${folder})
  arges_test_program(${folder} ${tests})
endforeach()
# The one module whose headers show Eigen. It does not compile after a header that was compiled with optimisation.
target_link_libraries(arges_linear_test PRIVATE Eigen3::Eigen)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/arges/linear/dense_test.cc PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)

file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/argesim/*_test.cc)
arges_test_program(argesim ${tests})
if(tests)
  target_link_libraries(arges_argesim_test PRIVATE arges_argesim)
  target_compile_definitions(arges_argesim_test PRIVATE ARGESIM_DIR="${PROJECT_SOURCE_DIR}/argesim")
endif()
