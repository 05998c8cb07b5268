# Files compiled several at a time (CMake's unity builds): a third of the time of a clean build goes into templates and
# headers that neighbours have in common. Their names without linkage meet then: two files of a folder cannot define the
# same one in different ways. -D ARGES_TOGETHER=OFF compiles all files alone.
option(ARGES_TOGETHER "Compile several files at a time where speed does not depend on it" ON)

# What runs at every step stays file by file, so that a neighbour does not change what the compiler inlines there.
set(ARGES_ALONE base linear qss solvers random devs process hybrid hybrid_devs expr compile jit)
# The tables of these have one name in all files; MPI and pagmo stand in one file each.
list(APPEND ARGES_ALONE external evolution mpi)

function(arges_compile_together target)
  if(ARGES_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
    # A class of one .cc file with members of types of that file is no danger, but GCC takes the file for a header.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()
