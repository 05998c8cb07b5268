#!/bin/sh
# SIGINT and SIGTERM in the middle of a long run: the exit code says so, the result until then is whole.
#   tests/cli/signals.sh BIN_FOLDER
. "$(dirname "$0")/../scratch_folder.sh"
. "$(dirname "$0")/../experiment_inputs.sh"
cd "$folder" || exit 1

# end_with SIGNAL EXIT_CODE WHAT: ends $process, which does WHAT.
end_with() {
  kill -s "$1" $process
  wait $process
  code=$?
  [ $code -eq "$2" ] || fail "SIG$1 $3: exit code $code, expected $2"
}

# interrupted SIGNAL EXIT_CODE EXTENSION
interrupted() {
  file=$1.$3
  # 10^10 steps: minutes.
  arges run C1 --solver euler --step 1e-9 --max-steps 1e12 --out "$file" --json >"$1.json" 2>"$1.txt" &
  process=$!
  tries=0
  until ls .*.partial-* >/dev/null 2>&1 || [ $tries -gt 600 ]; do
    sleep 0.05
    tries=$((tries + 1))
  done
  sleep 0.3
  end_with "$1" "$2" "in a run"
  grep -q 'arges: error: cancelled: interrupted' "$1.txt" || fail "SIG$1: no message: $(cat "$1.txt")"
  grep -q '"status": "cancelled"' "$1.json" || fail "SIG$1: status in JSON: $(head -3 "$1.json")"
  arges results "$file" | grep -q 'status  *cancelled' || fail "SIG$1: $file is not whole"
  ls .*.partial-* >/dev/null 2>&1 && fail "SIG$1: a partial file is left"
}

# While a model is read there is nothing to keep: the program ends at once.
cat >large.mo <<'MODEL'
model Large
  parameter Integer n = 2000;
  Real x[n, n](each start = 1);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(x[i, j]) = -i*j*x[i, j];
    end for;
  end for;
end Large;
MODEL
arges check large.mo >large.txt 2>&1 &
process=$!
sleep 0.5
end_with INT 130 "while a model is read"
grep -q 'arges: error: interrupted' large.txt || fail "no message: $(cat large.txt)"

# A search keeps the best until then.
write_kinds endless.toml
arges variants endless.toml --minimize f --max-evaluations 1e8 --json >search.json 2>search.txt &
process=$!
sleep 1.5
end_with INT 130 "in a search of variants"
grep -q '"status": "cancelled"' search.json || fail "status of a search: $(head -3 search.json)"
grep -q 'arges: error: interrupted: the best of .* runs is kept' search.txt || fail "no message: $(cat search.txt)"

arges optimize C1 --minimize 'max(f)' --vary lf=100:1000 --vary kr=0.5:2 --method crs --max-evaluations 1e8 --json >crs.json 2>crs.txt &
process=$!
sleep 1.5
end_with INT 130 "in a search all over the range"
grep -q '"status": "cancelled"' crs.json || fail "status of crs: $(head -3 crs.json)"
grep -q '"lf": [0-9]' crs.json || fail "crs keeps nothing: $(cat crs.json)"
grep -q 'arges: error: interrupted: the best of .* runs is kept' crs.txt || fail "no message: $(cat crs.txt)"

# Points along a trajectory that are done are kept.
arges linearize C1 --at 0,1e9 --solver rk4 --step 1e-4 --max-steps 1e15 --json >points.json 2>points.txt &
process=$!
sleep 1
end_with INT 130 "between points"
grep -q '"time": 0.0' points.json || fail "the point that was done: $(head -3 points.json)"

# A function that does not come to an end, at the start already.
cat >endless.mo <<'MODELICA'
model Endless
  function f
    input Real a;
    output Real s = 0;
  algorithm
    // Years: 10^8 turns of the outer loop, after which it is told to be endless, of a second each.
    while s < a + 1 loop
      for i in 1:100000000 loop
        s := s/2;
      end for;
    end while;
  end f;
  Real s = f(time);
end Endless;
MODELICA
arges run endless.mo >/dev/null 2>endless.txt &
process=$!
sleep 1
end_with TERM 143 "in a function"
grep -q cancelled endless.txt || fail "the function that was interrupted: $(cat endless.txt)"

# A sweep draws what there is.
arges sweep C1 -s lf=log:100:10000:8000 -s kr=lin:0.5:1.5:2500 --observe f@1 --plot part.svg >/dev/null 2>part.txt &
process=$!
sleep 1.5
end_with INT 130 "in a sweep"
grep -q '</svg>' part.svg || fail "no picture of what there is: $(cat part.txt)"

# What a file has already is kept, however early --resume is interrupted. (A shell lets what it starts in the background
# ignore SIGINT until it listens.)
study="montecarlo C1 -d lf=uniform(800,1200) --observe f@1 --out resumed.csv"
arges $study -n 60000 >/dev/null || fail "a study that shall be resumed"
for delay in 0.02 0.05 0.08 0.12; do
  env --default-signal=INT arges $study -n 20000000 --resume >/dev/null 2>resumed.txt &
  process=$!
  sleep $delay
  kill -s INT $process
  wait $process
  [ "$(wc -l <resumed.csv)" -gt 60000 ] || fail "rows are lost: $(cat resumed.txt)"
done

# JSON to a pipe that is full: nothing is cut off.
cat >slow_reader.py <<'PYTHON'
import json, signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM):
    study = subprocess.Popen(
        ["arges", "sweep", "C1", "-s", "lf=lin:100:10000:10000000", "--observe", "f@1", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    time.sleep(2)
    study.send_signal(number)
    time.sleep(0.3)
    rows = json.loads(study.stdout.read())["rows"]
    if study.wait() != 128 + number or not rows:
        sys.exit(f"exit code {study.returncode}, {len(rows)} rows")
PYTHON
python3 slow_reader.py || fail "a signal while JSON goes to a full pipe"

# mpirun kills its ranks soon after Ctrl-C: the table and the file are there before.
if command -v mpirun >/dev/null && [ -e "$1/../lib/arges/arges_mpi.so" ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  mpirun -n 3 --oversubscribe arges sweep C1 -s lf=log:100:10000:4000 -s kr=lin:0.5:1.5:5000 --observe f@1 --out ranks.csv \
    >ranks.txt 2>ranks.log &
  process=$!
  sleep 4
  kill -s INT $process
  wait $process
  [ "$(wc -l <ranks.csv)" -gt 2 ] || fail "Ctrl-C under mpirun leaves no file: $(cat ranks.log)"
  grep -q ' more (--out' ranks.txt || fail "Ctrl-C under mpirun leaves no table: $(cat ranks.txt)"
  [ -e ranks.csv.journal ] || fail "Ctrl-C under mpirun leaves no journal"
  ls .ranks.csv.partial-* >/dev/null 2>&1 && fail "Ctrl-C under mpirun leaves a partial file"
fi

interrupted INT 130 csv
interrupted TERM 143 h5
interrupted INT 130 mat
exit $failed
