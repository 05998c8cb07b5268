#!/bin/bash
# A study that is killed at random moments, twenty times, and resumed: its file is that of the undisturbed one, byte for
# byte. Then the same under mpirun, where there is one.
#   tests/cli/kill_resume.sh BIN_FOLDER
. "$(dirname "$0")/../scratch_folder.sh"
cd "$folder" || exit 1

study=(montecarlo C1 -n 20000 -d 'lf=uniform(800,1200)' -d 'kr=normal(1,0.1)' --observe 'f@1,f' --bands f --seed 3)

arges "${study[@]}" --out whole.h5 >whole.txt 2>&1 || fail "the undisturbed study: $(cat whole.txt)"
RANDOM=7
kills=0
for attempt in $(seq 20); do
  arges "${study[@]}" --out killed.h5 --resume --threads $((attempt % 3 + 1)) >killed.txt 2>&1 &
  process=$!
  sleep "0.0$((RANDOM % 90 + 10))"
  kill -KILL $process 2>/dev/null && kills=$((kills + 1))
  wait $process 2>/dev/null
  [ -e killed.h5 ] && break
done
[ $kills -gt 0 ] || fail "nothing was killed"
arges "${study[@]}" --out killed.h5 --resume >killed.txt 2>resumed.txt || fail "the resumed study: $(cat resumed.txt)"
cmp whole.h5 killed.h5 || fail "the resumed study has another file"
grep -v note whole.txt | cmp - killed.txt || fail "the resumed study prints something else"
[ -e killed.h5.journal ] && fail "the journal is left"
ls .killed.h5.partial-* >/dev/null 2>&1 && fail "files of killed processes are left"

# More runs are added to those of the file: none of them is done again, and the bands go on from what the file knows.
longer=("${study[@]/20000/30000}" --json)
arges "${longer[@]}" --out longer.h5 >longer.json 2>/dev/null || fail "the longer study"
least=20000
kills=0
for attempt in $(seq 20); do
  arges "${longer[@]}" --out killed.h5 --resume --threads $((attempt % 3 + 1)) >killed.json 2>note.txt &
  process=$!
  sleep "0.$((RANDOM % 15 + 10))"
  kill -KILL $process 2>/dev/null && kills=$((kills + 1))
  wait $process 2>/dev/null
  done=$(grep -o '[0-9]* runs are done already' note.txt | cut -d' ' -f1)
  # Killed before it could say so, or at least as many as before.
  [ "${done:-$least}" -ge "$least" ] || fail "$done runs are known, where $least were"
  least=${done:-$least}
  [ "$least" -eq 30000 ] && break
done
[ $kills -gt 0 ] || fail "the longer study was not killed"
arges "${longer[@]}" --out killed.h5 --resume >killed.json 2>note.txt || fail "the resumed longer study"
cmp longer.h5 killed.h5 || fail "the resumed longer study has another file"
cmp longer.json killed.json || fail "the resumed longer study has other bands"
arges "${longer[@]}" --out killed.h5 --resume >killed.json 2>note.txt
grep -q '^arges: note: 30000 runs are done already' note.txt || fail "the complete study is done again: $(cat note.txt)"
cmp longer.json killed.json || fail "the complete study has other bands"

# The same with the variants of a structure, each with a model of its own.
cat >lag.mo <<'MODEL'
connector In = input Real;
connector Out = output Real;
model Lag
  parameter Real T = 0.001;
  In u;
  Out y(start = 0, fixed = true);
equation
  T*der(y) = u - y;
end Lag;
model Step
  Out y;
equation
  y = sin(1000*time);
end Step;
partial model Chain
  In u;
  Out y;
end Chain;
MODEL
cat >chain.toml <<'TOML'
root = "Plant"
stop = 1
[base]
files = ["lag.mo"]
[entity.Plant.aspect.dec]
parts = ["Step", "Row"]
couplings = "Step.y -> Row.u"
[entity.Step]
[entity.Row]
model = "Chain"
[entity.Row.multi.cells]
part = "Cell"
count = "1:24"
couplings = ["u -> Cell[1].u", "Cell[i].y -> Cell[i+1].u", "Cell[n].y -> y"]
[entity.Cell]
model = "Lag"
attributes.T = { value = 0.001, range = "0.0005:0.002" }
TOML
variants=(variants chain.toml --observe 'Row.y@1,max(Row.y) - min(Row.y)')
arges "${variants[@]}" --out whole.csv >variants.txt 2>&1 || fail "the undisturbed variants: $(cat variants.txt)"
kills=0
for attempt in $(seq 20); do
  arges "${variants[@]}" --out killed.csv --resume --threads $((attempt % 3 + 1)) >killed.txt 2>&1 &
  process=$!
  sleep "0.$((RANDOM % 30 + 10))"
  kill -KILL $process 2>/dev/null && kills=$((kills + 1))
  wait $process 2>/dev/null
  # Done before anything was killed: once more.
  [ $kills -eq 0 ] && rm -f killed.csv
  [ -e killed.csv ] && break
done
[ $kills -gt 0 ] || fail "no variants were killed"
arges "${variants[@]}" --out killed.csv --resume >killed.txt 2>resumed.txt || fail "the resumed variants: $(cat resumed.txt)"
cmp whole.csv killed.csv || fail "the resumed variants have another file"
cmp variants.txt killed.txt || fail "the resumed variants print something else"
search=(variants chain.toml --minimize 'abs(Row.y@1) + 0.01*Row.cells' --max-evaluations 60 --json)
arges "${search[@]}" --threads 1 >search.json 2>search.txt || fail "the search: $(cat search.txt)"
arges "${search[@]}" --threads 3 2>/dev/null | cmp - search.json || fail "3 threads find something else"

if command -v mpirun >/dev/null && [ -e "$1/../lib/arges/arges_mpi.so" ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  for ranks in 2 4; do
    mpirun -n $ranks --oversubscribe arges "${study[@]}" --out ranks.h5 >ranks.txt 2>ranks.log || fail "$ranks ranks: $(cat ranks.log)"
    cmp whole.h5 ranks.h5 || fail "$ranks ranks give another file"
    grep -v note whole.txt | cmp - ranks.txt || fail "$ranks ranks print something else"
  done
  # Observables of all kinds, of runs that fail, too.
  noted=(sweep C5 -s c3=lin:-1:4:11 -s c1=log:1e5:1e7:5 --observe 'max(y1),min(y2),mean(y1),rms(y2),integral(y1*y2),y1@1,events,time' --stop 2)
  arges "${noted[@]}" --out noted.csv >noted.txt 2>&1 || fail "observables: $(cat noted.txt)"
  mpirun -n 3 --oversubscribe arges "${noted[@]}" --out ranks.csv >ranks.txt 2>ranks.log || fail "observables on 3 ranks: $(cat ranks.log)"
  cmp noted.csv ranks.csv || fail "3 ranks note other values"
  # Values that are part of the equations.
  cat >Cells.mo <<'END'
model Cells
  parameter Integer n = 3;
  parameter Real k = 2;
  Real x[n](each start = 1, each fixed = true);
equation
  der(x) = -k*x;
end Cells;
END
  cells=(montecarlo Cells.mo -n 60 -d 'n=list(1,2,5)' -d 'k=uniform(1,2)' --observe 'x[1],x[2]' --bands 'x[1]')
  arges "${cells[@]}" --out cells.h5 >cells.txt 2>&1 || fail "structural values: $(cat cells.txt)"
  mpirun -n 3 --oversubscribe arges "${cells[@]}" --out ranks.h5 >ranks.txt 2>ranks.log || fail "structural values on 3 ranks: $(cat ranks.log)"
  cmp cells.h5 ranks.h5 || fail "3 ranks give other values of what was compiled"
  mpirun -n 3 --oversubscribe arges "${variants[@]}" --out ranks.csv >ranks.txt 2>ranks.log || fail "variants: $(cat ranks.log)"
  cmp whole.csv ranks.csv || fail "3 ranks give other variants"
  mpirun -n 3 --oversubscribe arges "${search[@]}" 2>/dev/null | cmp - search.json || fail "3 ranks find something else"
  # What has no work for several ranks is done once.
  for alone in 'trim C1' 'linearize C1' 'compare C1 --solvers rodas5p'; do
    lines=$(mpirun -n 3 --oversubscribe arges $alone --json | grep -c '^{')
    [ "$lines" -eq 1 ] || fail "3 ranks print $lines results of $alone"
  done
else
  echo "no mpirun: ranks are not tested"
fi
exit $failed
