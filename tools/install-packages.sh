#!/bin/sh
# Installs the Debian packages that Arges is built, tested and packaged with. When all of them are there it does
# nothing, at once and without the network. Runs as root, or through sudo.
#
#   tools/install-packages.sh          install what is missing
#   tools/install-packages.sh --list   print the list
set -eu

packages="
g++ cmake ninja-build make git pkg-config python3
libsundials-dev libsuitesparse-dev libeigen3-dev
libnlopt-dev libpagmo-dev libopenmpi-dev openmpi-bin
libhdf5-dev zlib1g-dev libcairo2-dev fonts-dejavu-core
libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev
llvm-19-dev
libgtest-dev libbenchmark-dev
clang-format clang-tidy
dpkg-dev file
"

if [ "${1:-}" = --list ]; then
  printf '%s\n' $packages
  exit 0
fi

# One call of dpkg-query for the whole list; a package that dpkg has never heard of is reported on stderr only.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $packages 2>/dev/null |
  sed -n 's/^installed //p' || true)
missing=
for package in $packages; do
  case "
$installed
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

echo "Debian packages to install:$missing" >&2
if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null 2>&1; then
  as_root=sudo
else
  echo "This needs root: neither are you root nor is there sudo. As root, run:" >&2
  echo "  apt-get install$missing" >&2
  exit 1
fi

apt_get() {
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

# An update that failed need not matter (some other package source of this machine): the installation decides.
apt_get update >&2 || true
if ! apt_get install --no-install-recommends $missing >&2; then
  echo "The packages could not be installed:$missing" >&2
  echo "Check the network and the package sources (/etc/apt/sources.list*, Debian 12 main), then try again." >&2
  exit 1
fi
