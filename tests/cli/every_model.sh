#!/bin/sh
# Every command of experiments on every kind of model: it gives a result, or says why there is none.
#   tests/cli/every_model.sh BIN_FOLDER
. "$(dirname "$0")/../scratch_folder.sh"
. "$(dirname "$0")/../experiment_inputs.sh"
cd "$folder" || exit 1

write_filter
printf 'time,x\n0,0\n0.25,0.4\n0.5,0.6\n1,0.9\n' >text.csv
printf 'time,f\n1,0.039\n2,0.036\n3,0.032\n' >equations.csv
printf 'time,integrator.q\n0.5,1\n2,4\n4,9\n' >devs.csv
printf 'time,served\n10,2\n50,40\n100,80\n' >process.csv
printf 'time,thermometer.T\n10,50\n50,90\n100,101\n' >hybrid.csv

cat >matrix.py <<'PYTHON'
import json, subprocess, sys

# Of each kind: the model, what is varied, between which values, what is noted.
KINDS = {
    "text": ("filter.mo", "k", 0.5, 2, "x"),
    "equations": ("C1", "lf", 100, 1000, "f"),
    "devs": ("devs-a1", "D", 0.5, 2, "integrator.q"),
    "process": ("C22", "service", 2, 6, "served"),
    "hybrid": ("furnace", "tau", 2, 8, "thermometer.T"),
}
NO_EQUATIONS = "it has no equations"
# What has no meaning, and what is said then.
REFUSED = {
    ("compare", "devs"): NO_EQUATIONS, ("compare", "process"): NO_EQUATIONS,
    ("trim", "devs"): NO_EQUATIONS, ("trim", "process"): NO_EQUATIONS,
    ("linearize", "devs"): NO_EQUATIONS, ("linearize", "process"): NO_EQUATIONS,
    ("bode", "devs"): NO_EQUATIONS, ("bode", "process"): NO_EQUATIONS,
    ("bode", "equations"): "C1 has no inputs", ("bode", "hybrid"): "has no inputs",
    ("trim", "hybrid"): "no steady state found",
}
KEYS = {"compare": "rows", "sweep": "rows", "montecarlo": "rows", "trim": "solutions", "linearize": "eigenvalues",
        "bode": "response", "optimize": "x", "fit": "x", "solve-bvp": "x", "variants": "variants"}


def arguments(kind, verb):
    model, name, low, high, noted = KINDS[kind]
    vary = ["--vary", f"{name}={low}:{high}", "--max-evaluations", "12"]
    observe = ["--observe", noted]
    return {
        "compare": [model, "--solvers", "rodas5p", "--rtol", "1e-4"],
        "sweep": [model, "-s", f"{name}=list:{low},{high}", *observe],
        "montecarlo": [model, "-n", "4", "-d", f"{name}=uniform({low},{high})", *observe, "--bands", noted, "--stop", "4"],
        "trim": [model],
        "linearize": [model],
        "bode": [model, "--outputs", "x"] if kind == "text" else [model],
        "optimize": [model, "--minimize", noted, *vary],
        "fit": [model, "--data", kind + ".csv", *vary],
        "solve-bvp": [model, "--condition", f"{noted} = 5", *vary],
        "variants": [f"{kind}.toml", *observe],
    }[verb]


failed = False
for kind, (model, name, low, high, noted) in KINDS.items():
    with open(kind + ".toml", "w") as file:
        file.write(f'root = "A"\n[base]\nmodel = "{model}"\nparameters."{name}" = "v"\n[entity.A]\n'
                   f'attributes.v = {low}\nspecialisation.kind.choices = ["X", "Y"]\n[entity.X]\n[entity.Y]\n')
    for verb, key in KEYS.items():
        done = subprocess.run(["arges", verb, *arguments(kind, verb), "--json"], capture_output=True, text=True, timeout=60)
        expected = REFUSED.get((verb, kind))
        try:
            result = json.loads(done.stdout)
        except ValueError:
            result = {}
        if expected:
            good = done.returncode in (2, 4) and expected in done.stderr
        else:
            good = done.returncode == 0 and key in result
        if verb in ("sweep", "montecarlo", "variants") and not expected:
            good = good and result[key] and all(row["status"] == "finished" for row in result[key])
        if not good:
            failed = True
            print(f"FAILED: {verb} of {kind}: {done.returncode} {done.stderr} {done.stdout[:300]}", file=sys.stderr)
sys.exit(failed)
PYTHON
python3 matrix.py || failed=1
exit $failed
