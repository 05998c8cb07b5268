# Runs while installing, with source_dir, include_dir (below the prefix) and modules set. A header is public unless it
# includes a library behind the interface (SUNDIALS, KLU, Eigen, HDF5, cairo, fmt, JSON) or is named *_internal.h.
set(private_include "^#include <(arkode|cvodes|idas|kinsol|nvector|sundials|sun[a-z]+|klu|Eigen|hdf5|cairo|fmt|nlohmann|CLI)")
foreach(module ${modules})
  file(GLOB_RECURSE headers RELATIVE ${source_dir} ${source_dir}/${module}/*.h)
  foreach(header ${headers})
    file(STRINGS ${source_dir}/${header} private REGEX "${private_include}")
    if(private OR header MATCHES "_internal\\.h$")
      continue()
    endif()
    get_filename_component(folder ${header} DIRECTORY)
    file(INSTALL ${source_dir}/${header} DESTINATION ${CMAKE_INSTALL_PREFIX}/${include_dir}/${folder})
  endforeach()
endforeach()
