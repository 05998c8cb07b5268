# For the shell tests: a scratch folder that is removed at the end, the program of the folder $1 on the path, and `fail`.
# Scripts end with `exit $failed`.
set -u
PATH=$1:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() {
  echo "FAILED: $*" >&2
  failed=1
}
