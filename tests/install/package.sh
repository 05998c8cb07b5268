#!/bin/sh
# package.sh BUILD FOLDER: builds the Debian package in FOLDER, looks at its dependencies, unpacks it and runs the
# program from there.
set -eu
build=$1
folder=$2
fail() {
  echo "$@" >&2
  exit 1
}

rm -rf "$folder"
(cd "$build" && cpack -G DEB -B "$folder" >/dev/null)
package=$(echo "$folder"/arges_*.deb)
dpkg-deb --field "$package"

depends=$(dpkg-deb --field "$package" Depends)
case $depends in
  *fonts-dejavu-core*) ;;
  *) fail "the fonts of the plots are not among the dependencies: $depends" ;;
esac
case $depends in
  *libc6*) ;;
  *) fail "the shared libraries are not among the dependencies: $depends" ;;
esac
case $depends in
  *sundials* | *petsc*) fail "SUNDIALS must be linked statically: $depends" ;;
esac

dpkg-deb -x "$package" "$folder/unpacked"
for file in lib/libarges.a lib/cmake/arges/argesConfig.cmake include/arges/base/error.h \
  lib/arges/arges_jit.so share/man/man1/arges.1.gz share/doc/arges/copyright share/doc/arges/README.md; do
  [ -s "$folder/unpacked/usr/$file" ] || fail "not in the package: $file"
done
"$folder/unpacked/usr/bin/arges" --version
