# Installation (program, libarges.a, public headers, CMake package, docs, man page) and the Debian package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/arges)
set(public_modules base linear qss solvers results plot random devs process hybrid hybrid_devs experiment driver)

install(TARGETS arges_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS arges EXPORT argesTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(plugin arges_jit arges_evolution arges_mpi)
  if(TARGET ${plugin})
    install(TARGETS ${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/arges)
  endif()
endforeach()
install(EXPORT argesTargets NAMESPACE arges:: DESTINATION ${package_dir})

# The headers are chosen when installing (cmake/install_headers.cmake), since the choice looks into them.
install(CODE "
  set(source_dir \"${PROJECT_SOURCE_DIR}/src/arges\")
  set(include_dir \"${CMAKE_INSTALL_INCLUDEDIR}/arges\")
  set(modules \"${public_modules}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake\")")

configure_package_config_file(cmake/argesConfig.cmake.in ${PROJECT_BINARY_DIR}/argesConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 the interface may change with each minor version.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/argesConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/argesConfig.cmake ${PROJECT_BINARY_DIR}/argesConfigVersion.cmake
              cmake/library_dependencies.cmake DESTINATION ${package_dir})

install(FILES README.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN man EXCLUDE)
find_program(GZIP gzip)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/arges.1.gz
  COMMAND ${GZIP} -9nc ${PROJECT_SOURCE_DIR}/docs/man/arges.1 > ${PROJECT_BINARY_DIR}/arges.1.gz
  DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/arges.1 VERBATIM)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/changelog.gz
  COMMAND ${GZIP} -9nc ${PROJECT_SOURCE_DIR}/cmake/changelog > ${PROJECT_BINARY_DIR}/changelog.gz
  DEPENDS ${PROJECT_SOURCE_DIR}/cmake/changelog VERBATIM)
add_custom_target(compressed_docs ALL DEPENDS ${PROJECT_BINARY_DIR}/arges.1.gz ${PROJECT_BINARY_DIR}/changelog.gz)
install(FILES ${PROJECT_BINARY_DIR}/arges.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME arges)
set(CPACK_PACKAGE_VENDOR "Arges developers")
set(CPACK_PACKAGE_CONTACT "Arges developers <developers@arges.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulation of continuous, discrete-event and hybrid models")
set(CPACK_PACKAGE_DESCRIPTION "Arges simulates models written in Modelica or C++: differential and
differential-algebraic equations with events that may change parameters,
states, equations and the structure of the model, discrete-event models (DEVS,
processes), and both together.
It brings explicit, Rosenbrock, SUNDIALS and quantised-state solvers, studies
(sweeps, Monte Carlo, optimisation, identification) on all cores and over MPI,
writes CSV, MAT and HDF5, draws plots, and solves the ARGESIM benchmarks.
.
This package holds the program, the static C++ library with its headers, and
the documentation.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS fonts-dejavu-core)
# Only who links the library needs these.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, pkg-config, libsundials-dev, libsuitesparse-dev, libnlopt-dev, libhdf5-dev, libcairo2-dev, libfmt-dev, zlib1g-dev")
include(CPack)
