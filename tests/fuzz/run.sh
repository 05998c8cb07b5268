#!/bin/sh
# Runs fuzzers, one after the other, each for a while: tests/fuzz/run.sh BUILD_FOLDER SECONDS [TARGET...]
#
# Seeds are the checked-in corpora and every Modelica text of the project. What libFuzzer learns stays in
# BUILD_FOLDER/fuzz/TARGET, and the next run goes on from there; inputs that crash, take longer than 10 s or more than
# 2 GB come to BUILD_FOLDER/fuzz/found. Ends with 1 when there is such an input.
set -eu
build=$1
seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$build/fuzz
found=$work/found
mkdir -p "$found" "$work/texts"
find "$root/tests" "$root/argesim" "$root/examples" -type f -name '*.mo' -size -32k | while read -r text; do
  cp "$text" "$work/texts/$(printf %s "${text#"$root"/}" | tr / _)"
done
[ $# -gt 0 ] || set -- lex parse lookup flatten base_modelica read_csv read_mat4 read_manifest lsp_messages
status=0
for target in "$@"; do
  mkdir -p "$work/$target"
  options="-max_len=4096"
  seeds=$work/texts
  case $target in
    read_*) seeds=$here/corpus/$target ;;
    *) options="$options -dict=$here/modelica.dict" ;;
  esac
  echo "== fuzz_$target, $seconds s"
  if ! nice "$build/bin/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 $options \
    -artifact_prefix="$found/${target}_" -print_final_stats=1 "$work/$target" "$seeds" > "$work/$target.log" 2>&1; then
    status=1
    echo "fuzz_$target has found something; the end of $work/$target.log:"
    tail -n 30 "$work/$target.log"
  fi
  grep -E 'cov:' "$work/$target.log" | tail -n 1
  grep -E '^stat::(number_of_executed_units|peak_rss_mb)' "$work/$target.log" || true
done
exit $status
