# Language, warnings, sanitizers: the same for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
# -O2, asserts off; -fno-math-errno and -fno-trapping-math change no result, but let the compiler inline sqrt and
# use conditional moves. No one replaces functions of the library one by one at load time.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG -fno-math-errno -fno-trapping-math -fno-semantic-interposition")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

# GCC collects its garbage later: a tenth of the time of a clean build for at most 1 GiB a compilation.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-expand=400>
                      $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=800000>)
endif()

# What only prepares, prints or answers a person compiles in three quarters of the time without the optimiser's last
# tenths. arges_compile_fast(TARGET)
function(arges_compile_fast target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Off is what GCC 12 reports wrongly inside std::string + (GCC bug 105651), most of it only when <string> comes from a
# precompiled header, and of coroutines whose frames come from their own pool. The sanitizers look after both.
add_library(arges_warnings INTERFACE)
target_compile_options(arges_warnings INTERFACE -Wall -Wextra -Wpedantic -Werror -Wshadow
  -Wno-restrict -Wno-array-bounds -Wno-stringop-overread -Wno-stringop-overflow
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual -Wno-mismatched-new-delete>)

if(ARGES_SANITIZE)
  # Off are checks that cost half as much compile time again: what null pointers, sizes of objects, types of objects and
  # pointers beyond their objects lead to is seen by the address sanitizer as well, and the processor that Arges is
  # built for reads any alignment.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
    -fno-sanitize=null,object-size,alignment,vptr,pointer-overflow,nonnull-attribute,returns-nonnull-attribute
    -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(ARGES_CCACHE ccache)
if(ARGES_CCACHE)
  # Without these it leaves files with precompiled headers alone.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ARGES_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${ARGES_CCACHE})
endif()
