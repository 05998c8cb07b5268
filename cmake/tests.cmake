# One test program for each module: arges_<module>_test, from the *_test.cc files beside the code.
include(GoogleTest)
get_property(folders GLOBAL PROPERTY ARGES_TEST_FOLDERS)
foreach(folder ${folders})
  get_property(tests GLOBAL PROPERTY ARGES_TESTS_OF_${folder})
  if(tests)
    add_executable(arges_${folder}_test ${tests})
    target_include_directories(arges_${folder}_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(arges_${folder}_test PRIVATE arges arges_warnings fmt::fmt nlohmann_json::nlohmann_json
      GTest::gtest_main)
    gtest_discover_tests(arges_${folder}_test PROPERTIES LABELS unit DISCOVERY_TIMEOUT 60)
  endif()
endforeach()
