# Everything comes from Debian packages (tools/install-packages.sh): what the library links, then what only the build,
# the program and the tests use.
include(${CMAKE_CURRENT_LIST_DIR}/library_dependencies.cmake)

find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
if(ARGES_TESTS)
  find_package(GTest REQUIRED)
endif()
if(ARGES_BENCH)
  find_package(benchmark REQUIRED)
endif()
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
mark_as_advanced(TOMLPLUSPLUS_INCLUDE_DIR)
