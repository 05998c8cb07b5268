# What libarges.a needs, as imported targets. Used twice: by the build, and, installed beside argesConfig.cmake, by
# find_package(arges) of an outside project. All of it comes from Debian packages. SUNDIALS is linked statically: its
# shared linear solvers would pull PETSc into the run-time dependencies (docs/decisions/0004-static-sundials.md).
if(TARGET arges_sundials)
  return()
endif()

set(arges_packages "libsundials-dev libsuitesparse-dev libnlopt-dev libhdf5-dev libcairo2-dev libfmt-dev zlib1g-dev pkg-config")

# Sets `variable` to the path of a library, or ends with advice.
macro(arges_find_library variable)
  find_library(${variable} NAMES ${ARGN})
  mark_as_advanced(${variable})
  if(NOT ${variable})
    message(FATAL_ERROR "arges: library '${ARGN}' not found. On Debian: apt-get install ${arges_packages}")
  endif()
endmacro()

macro(arges_find_header variable header)
  find_path(${variable} ${header} ${ARGN})
  mark_as_advanced(${variable})
  if(NOT ${variable})
    message(FATAL_ERROR "arges: header '${header}' not found. On Debian: apt-get install ${arges_packages}")
  endif()
endmacro()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
# Not `hdf5`: that may be the MPI variant, which libsundials-dev brings along.
pkg_check_modules(HDF5_SERIAL REQUIRED IMPORTED_TARGET hdf5-serial)
add_library(arges_hdf5 INTERFACE IMPORTED)
target_link_libraries(arges_hdf5 INTERFACE PkgConfig::HDF5_SERIAL)

add_library(arges_nlopt INTERFACE IMPORTED)
arges_find_header(NLOPT_INCLUDE_DIR nlopt.h)
arges_find_library(NLOPT_LIBRARY nlopt)
target_include_directories(arges_nlopt SYSTEM INTERFACE ${NLOPT_INCLUDE_DIR})
target_link_libraries(arges_nlopt INTERFACE ${NLOPT_LIBRARY})

add_library(arges_klu INTERFACE IMPORTED)
arges_find_header(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
target_include_directories(arges_klu SYSTEM INTERFACE ${KLU_INCLUDE_DIR})
foreach(part klu amd colamd btf suitesparseconfig)
  arges_find_library(SUITESPARSE_${part} ${part})
  target_link_libraries(arges_klu INTERFACE ${SUITESPARSE_${part}})
endforeach()

add_library(arges_sundials INTERFACE IMPORTED)
arges_find_header(SUNDIALS_INCLUDE_DIR cvodes/cvodes.h)
target_include_directories(arges_sundials SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR})
foreach(part cvodes idas arkode kinsol sunlinsoldense sunlinsolband sunlinsolklu sunmatrixdense sunmatrixband
             sunmatrixsparse sunnonlinsolnewton sunnonlinsolfixedpoint nvecserial)
  arges_find_library(SUNDIALS_${part} libsundials_${part}.a)
  target_link_libraries(arges_sundials INTERFACE ${SUNDIALS_${part}})
endforeach()
# SUNDIALS 6 has what all parts share in each of them or in `generic`.
find_library(SUNDIALS_generic NAMES libsundials_generic.a)
mark_as_advanced(SUNDIALS_generic)
if(SUNDIALS_generic)
  target_link_libraries(arges_sundials INTERFACE ${SUNDIALS_generic})
endif()
target_link_libraries(arges_sundials INTERFACE arges_klu m)
