#!/bin/sh
# Every option of every command of experiments is a key of experiment files, and does the same there.
#   tests/cli/every_option.sh BIN_FOLDER
. "$(dirname "$0")/../scratch_folder.sh"
. "$(dirname "$0")/../experiment_inputs.sh"
cd "$folder" || exit 1

cat >filter.mo <<'MODEL'
package Filters
  model Filter
    input Real u(start = 1);
    output Real y;
    parameter Real k = 1;
    Real x(start = 0, fixed = true);
  equation
    der(x) = k*(u - x);
    y = x;
  end Filter;
end Filters;
MODEL
printf 'time,x,u\n0,0,1\n0.25,0.4,1\n0.5,0.6,0\n0.75,0.4,0\n1,0.3,1\n1.25,0.5,1\n1.5,0.7,1\n1.75,0.9,0\n2,0.6,0\n' >data.csv
write_kinds kinds.toml
printf 'int nothing;\n' | cc -shared -o libnothing.so -xc - || exit 1

cat >options.py <<'PYTHON'
import json, os, re, subprocess, sys

MODEL = {"class": "Filters.Filter"}
RUNS = {**MODEL, "stop": 2}
STUDY = {**RUNS, "observe": "x@1"}
SEARCH = {**RUNS, "max-evaluations": 20}
# What is needed; and of each option, in the words of TOML, an example. `None`: the option stands in the base already.
BASES = {
    "compare": ("filter.mo", {**RUNS, "solvers": ["rodas5p", "dopri5"]}),
    "sweep": ("filter.mo", {**STUDY, "sweep": ["k=list:1,2"]}),
    "montecarlo": ("filter.mo", {**STUDY, "distribution": ["k=uniform(1,2)"], "n": 40}),
    "trim": ("filter.mo", MODEL),
    "linearize": ("filter.mo", MODEL),
    "bode": ("filter.mo", {**MODEL, "outputs": "x"}),
    "optimize": ("filter.mo", {**SEARCH, "vary": ["k=0.5:2"], "minimize": "(x@1 - 0.7)^2"}),
    "fit": ("filter.mo", {**SEARCH, "vary": ["k=0.5:2"], "data": "data.csv", "match": "x"}),
    "solve-bvp": ("filter.mo", {**SEARCH, "vary": ["k=0.5:2"], "condition": ["x@1 = 0.7"]}),
    "variants": ("kinds.toml", {"observe": "f@1", "stop": 1}),
}
EXAMPLES = {
    "class": "Filters.Filter", "param": ["u=2"], "allow-external": ["./libnothing.so"], "start": 0.1, "solver": "dopri5",
    "rtol": 1e-5, "step": 0.01, "stop": 1.5, "atol": 1e-8, "interval": 0.1, "max-steps": 10000, "max-events": 100,
    "on-zeno": "go", "observe": ["x", "max(x)"], "threads": 2, "out": "rows.csv", "resume": True, "plot": "picture.svg",
    "json": True, "sweep": ["k=lin:1:2:3", "u=list:0,1"], "log": "y", "distribution": ["k=normal(2,0.1)"], "n": 35, "seed": 3,
    "until": "ci(mean(x@1))<0.05", "bands": ["x", "y"], "starts": 3, "at": "trim", "inputs": ["u"], "outputs": ["x"], "pade": 3,
    "range": "0.1:10", "vary": ["k=log:0.5:2"], "stop-when": "x > 0.9", "max-evaluations": 15, "minimize": "x@1",
    "maximize": "x@1", "subject-to": ["x@1 < 0.8"], "method": "sbplx", "tolerance": 1e-3, "data": "data.csv",
    "match": ["x"], "deviation": ["x=0.1"], "arx": "1,1,0", "input": "u", "output": "x", "condition": ["x = 0.7"],
    "solvers": "rodas5p,cvode-bdf", "reference": "dopri5", "enumerate": True, "select": ["kind=X"], "emit": True,
}
# Some options come together, some instead of others, some have other values elsewhere.
TOGETHER = {"resume": {"out": "rows.csv"}, "log": {"plot": "picture.svg"}, "step": {"solver": "rk4"},
            "arx": {"input": "u", "output": "x"}, "input": {"arx": "1,1,0", "output": "x"},
            "output": {"arx": "1,1,0", "input": "u"}, "emit": {"select": ["kind=X"]}}
INSTEAD = {"maximize": ["minimize"], "arx": ["class", "match", "vary", "MODEL", "stop", "max-evaluations"],
           "enumerate": ["observe"], "emit": ["observe"], "minimize": ["observe"]}
INSTEAD["input"] = INSTEAD["output"] = INSTEAD["arx"]
ELSEWHERE = {
    ("compare", "rtol"): [1e-3, 1e-5], ("compare", "step"): 0.01, ("variants", "observe"): ["f", "max(f)"],
    ("fit", "param"): ["u=1.1"], ("fit", "start"): -0.5, ("fit", "stop"): 2.5, ("variants", "param"): ["kr=2"], ("variants", "minimize"): "f@1", ("variants", "maximize"): "f@1",
    ("variants", "vary"): ["kr=0.5:2"], ("variants", "subject-to"): ["f@1 < 1"],
}
SEARCHES = ("vary", "subject-to", "method", "tolerance", "max-evaluations", "seed", "maximize")  # of variants
TIMES = re.compile(r'"(cpu_s|wall_s)": [-+.e0-9]+')


def options_of(verb):
    text = subprocess.run(["arges", verb, "--help"], capture_output=True, text=True).stdout
    names = []
    for line in text.splitlines():
        found = re.match(r"\s+((?:-\w,\s*)?(--[\w-]+)|-\w)\b", line)
        if found:
            names.append((found.group(2) or found.group(1)).lstrip("-"))
    return [name for name in names if name not in ("help", "h")]


def flags(key, value):
    dash = "-" if len(key) == 1 else "--"
    if value is True:
        return [dash + key]
    values = value if isinstance(value, list) else [value]
    if key == "rtol":
        values = [",".join(str(each) for each in values)]
    return [part for each in values for part in (dash + key, str(each))]


def toml(value):
    return json.dumps(value)


def remove_files():
    for name in os.listdir("."):
        if name.startswith(("rows", "picture")):
            os.remove(name)


def run(arguments):
    remove_files()
    done = subprocess.run(["arges", *arguments], capture_output=True, text=True, timeout=60)
    made = sorted(name for name in os.listdir(".") if name.startswith(("rows", "picture")))
    return done.returncode, TIMES.sub("", done.stdout), done.stderr, made


failed = False
count = 0
for verb, (model, base) in BASES.items():
    options = options_of(verb)
    if "json" not in options:
        sys.exit(f"no options of {verb} are found")
    for option in options:
        if option not in EXAMPLES:
            print(f"FAILED: {verb}: there is no example of '{option}'", file=sys.stderr)
            failed = True
            continue
        given = {**base, **TOGETHER.get(option, {}), option: ELSEWHERE.get((verb, option), EXAMPLES[option])}
        if verb == "compare":
            given.pop("solver", None)
        if verb == "variants" and option in SEARCHES:
            given = {**given, "max-evaluations": 15}
            if option != "maximize":
                given["minimize"] = "f@1"
            given.pop("observe", None)
            if option == "method":
                given["method"] = "sga"
        for gone in INSTEAD.get(option, []):
            given.pop(gone, None)
        if option != "emit":
            given["json"] = True
        here = None if option in ("arx", "input", "output") else model
        line = [verb] + ([here] if here else [])
        for key, value in given.items():
            line += flags(key, value)
        with open("experiment.toml", "w") as file:
            file.write(f'command = "{verb}"\n' + (f'model = "{here}"\n' if here else ""))
            for key, value in given.items():
                file.write(f"{key} = {toml(value)}\n")
        by_line, by_file = run(line), run(["experiment", "experiment.toml"])
        count += 1
        if by_line[0] != 0 or by_line != by_file:
            failed = True
            print(f"FAILED: {line}: {by_line[0]} {by_line[2]} {by_line[3]}, from a file {by_file[0]} {by_file[2]} {by_file[3]}",
                  file=sys.stderr)
print(f"{count} options")
sys.exit(failed)
PYTHON
python3 options.py || failed=1
exit $failed
