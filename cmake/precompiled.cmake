# Precompiled headers: half of the time of a clean build went into reading the standard library, fmt and GoogleTest in
# each file anew. Two lists, compiled once each: one for the library, one for the tests. Files include what they use all
# the same: clang-tidy reads them without these lists, and -D ARGES_PRECOMPILE=OFF builds without them.
option(ARGES_PRECOMPILE "Precompile the headers of the standard library, fmt and GoogleTest" ON)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cc CONTENT "// The source of targets that only hold headers.\n")

# arges_precompile(NAME headers...): an object library, with the flags of those that will use its headers.
function(arges_precompile name)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/precompiled.cc)
  target_link_libraries(${name} PRIVATE arges_warnings fmt::fmt)
  if(ARGES_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
endfunction()

# arges_use_precompiled(TARGET NAME)
function(arges_use_precompiled target name)
  if(ARGES_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

set(library_headers <algorithm> <array> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory>
  <numeric> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
arges_precompile(arges_library_headers ${library_headers})
