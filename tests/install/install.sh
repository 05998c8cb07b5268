#!/bin/sh
# install.sh BUILD PREFIX: installs into another folder and moves it to PREFIX, so that what is used from there cannot
# depend on where it was installed; then looks for paths of the build in the CMake package.
set -eu
build=$1
prefix=$2
rm -rf "$prefix" "$prefix.first"
cmake --install "$build" --prefix "$prefix.first" >/dev/null
mv "$prefix.first" "$prefix"
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
if grep -rn -e "$source" -e "$prefix" "$prefix"/lib*/cmake "$prefix"/include; then
  echo "The installed files name folders of the build (above)." >&2
  exit 1
fi
