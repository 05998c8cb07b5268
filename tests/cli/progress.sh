#!/bin/sh
# Every command of experiments on a terminal: it shows how far it is, and how long it will take where that can be known;
# Ctrl-C ends it with what it has.
#   tests/cli/progress.sh BIN_FOLDER
. "$(dirname "$0")/../scratch_folder.sh"
. "$(dirname "$0")/../experiment_inputs.sh"
cd "$folder" || exit 1
unset CI

write_filter
printf 'time,x\n0,0\n0.25,0.4\n0.5,0.6\n0.75,0.8\n1,0.9\n' >data.csv
write_kinds kinds.toml
cat >sweep.toml <<'TOML'
command = "sweep"
model = "C1"
sweep = ["lf=log:100:10000:400", "kr=lin:0.5:1.5:5000"]
observe = "f@1"
out = "experiment.csv"
TOML

cat >commands.py <<'PYTHON'
import json, os, pty, signal, subprocess, sys, threading, time

SLOW = ["--solver", "rk4", "--step", "1e-7", "--max-steps", "1e12"]  # seconds for each second of the model
RUNS = ["-s", "lf=log:100:10000:400", "-s", "kr=lin:0.5:1.5:5000", "--observe", "f@1", "--threads", "1"]
# The arguments, whether there is an estimate, and what the JSON has to have.
COMMANDS = {
    "compare": (["C1", "--solvers", "rodas5p,rk4", "--rtol", "1e-6", "--step", "1e-9", "--max-steps", "1e12"], True, "rows"),
    "sweep": (["C1", *RUNS, "--out", "sweep.csv"], True, "rows"),
    "montecarlo": (["C1", "-n", "1000000", "-d", "lf=uniform(800,1200)", "--observe", "f@1", "--threads", "1",
                    "--out", "montecarlo.h5"], True, "rows"),
    "trim": (["filter.mo", "--starts", "1000000"], True, "solutions"),
    "linearize": (["filter.mo", "--at", "0,10", *SLOW], True, None),
    "bode": (["filter.mo", "--at", "10", "--inputs", "u", "--outputs", "y", *SLOW], True, "message"),
    "optimize": (["C1", "--minimize", "max(f)", "--vary", "lf=100:1000", "--vary", "kr=0.5:2", "--method", "crs",
                  "--max-evaluations", "10000000", "--threads", "1"], True, "x"),
    "fit": (["filter.mo", "--data", "data.csv", "--match", "x", "--vary", "k=0.1:10", "--max-evaluations", "50",
             "--threads", "1", *SLOW], False, "x"),
    "solve-bvp": (["filter.mo", "--condition", "x = 0.5", "--vary", "k=0.1:10", "--max-evaluations", "50",
                   "--threads", "1", *SLOW], False, "x"),
    "variants": (["kinds.toml", "--minimize", "f", "--max-evaluations", "10000000", "--threads", "1"], True, "x"),
    "experiment": (["sweep.toml"], True, "rows"),
}
FILES = ["sweep.csv", "montecarlo.h5", "experiment.csv"]


class Run:
    """A command whose messages go to a terminal."""

    def __init__(self, verb, arguments):
        ours, theirs = pty.openpty()
        self.output = open(verb + ".json", "w+")
        self.process = subprocess.Popen(["arges", verb, *arguments, "--json"], stdout=self.output, stderr=theirs)
        os.close(theirs)
        self.terminal, self.shown = ours, ""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            try:
                data = os.read(self.terminal, 4096)
            except OSError:  # nobody writes to it any more
                return
            if not data:
                return
            self.shown += data.decode(errors="replace")

    def wait_for(self, what, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if what in self.shown:
                return True
            time.sleep(0.05)
        return what in self.shown

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "none in 20 s"
        self.reader.join()
        return code


def problems(verb, arguments, estimate, key):
    run = Run(verb, arguments)
    started = time.monotonic()
    if not run.wait_for(" %", 15):
        yield "shows no progress: " + repr(run.shown[-200:])
    elif time.monotonic() - started < 1.9:
        yield "shows progress before two seconds have passed"
    if estimate and not run.wait_for(" left", 20):
        yield "has no estimate: " + repr(run.shown[-200:])
    if run.process.poll() is not None:
        yield "has ended by itself"
    code = run.interrupt()
    if code != 130:
        yield f"ends with {code}: " + repr(run.shown[-200:])
    if "arges: error:" not in run.shown:
        yield "does not say that it was interrupted"
    run.output.seek(0)
    text = run.output.read()
    try:
        result = json.loads(text)
        if key and key not in result:
            yield f"has no {key}: {text[:200]}"
        if verb in ("sweep", "montecarlo", "experiment") and not result["rows"]:
            yield "keeps no rows"
    except ValueError:
        yield "prints no JSON: " + text[-200:]


failed = False
names = sys.argv[1:] or list(COMMANDS)
for verb in names:
    for problem in problems(verb, *COMMANDS[verb]):
        print(f"FAILED: {verb} {problem}", file=sys.stderr)
        failed = True
for file in FILES if names == list(COMMANDS) else []:
    if not os.path.exists(file) or not os.path.exists(file + ".journal"):
        print(f"FAILED: {file} or its journal is not kept", file=sys.stderr)
        failed = True
sys.exit(failed)
PYTHON
shift
python3 commands.py "$@" || failed=1
exit $failed
