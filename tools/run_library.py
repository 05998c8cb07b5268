#!/usr/bin/python3
"""Runs the models of a library to the end of their experiment and says which do not get there.

    tools/run_library.py --library FOLDER [--cases SPECS.py] [--package NAME] [--program build/bin/arges]
                         [--jobs 2] [--limit 60] [--json FILE] [--on-zeno stick] [--allow-external LIB.so] [MODEL ...]

FOLDER is the MODELICAPATH. Without names, the models are those of SPECS.py, the list of simulations in the sources of
"Modelica by Example" (its calls add_case([...], stopTime=, tol=, mods=), read as text, not run), which are searched for
among the files of the package NAME (default: ModelicaByExample). A model with several cases counts as running when all
of them do; cases that are meant to fail are left out. Models whose events accumulate or chatter stick there, unless
--on-zeno says otherwise. Exit status: 0 when all run.
"""

import argparse
import ast
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time


def literal(node):
    """The value of an expression of literals; _("text"), which marks a text for translation, is the text."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.List):
            inner.elts = [e.args[0] if isinstance(e, ast.Call) and e.args else e for e in inner.elts]
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def cases_of(specs, library, package):
    """[(model, stop time or None, {parameter: value})] of the add_case calls."""
    root = library / package
    names = sorted(".".join(p.relative_to(library).with_suffix("").parts)
                   for p in root.rglob("*.mo") if p.name != "package.mo")
    cases = []
    for node in ast.walk(ast.parse(specs.read_text())):
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "add_case"):
            continue
        options = {k.arg: literal(k.value) for k in node.keywords}
        if options.get("compfails") or options.get("simfails"):
            continue
        # An escape that means nothing is the letter itself.
        fragments = [re.sub(r"\\(?=[A-Z])", "", f) for f in literal(node.args[0])]
        found = [n for n in names if all(re.search(f, n) for f in fragments)]
        if len(found) != 1:
            print(f"{fragments}: {len(found)} models fit", file=sys.stderr)
            continue
        cases.append((found[0], options.get("stopTime"), options.get("mods") or {}))
    return cases


def run(program, library, limit, more, case):
    model, stop, parameters = case
    command = [program, "run", model, *more]
    if stop is not None:
        command += ["--stop", str(stop)]
    for name, value in parameters.items():
        command += ["-p", f"{name}={value}"]
    begin = time.monotonic()
    try:
        done = subprocess.run(command, env={**os.environ, "MODELICAPATH": str(library)}, capture_output=True, text=True,
                              errors="replace", timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return {"model": model, "ok": False, "seconds": limit, "why": f"not done within {limit} s"}
    lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()[-1:]
    return {"model": model, "ok": done.returncode == 0, "seconds": round(time.monotonic() - begin, 3),
            "why": "" if done.returncode == 0 else (lines[0] if lines else f"exit status {done.returncode}")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--cases", type=pathlib.Path)
    parser.add_argument("--package", default="ModelicaByExample")
    parser.add_argument("--program", default="build/bin/arges")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=60, help="seconds for each run")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--on-zeno", default="stick")
    parser.add_argument("--allow-external", action="append", default=[], metavar="LIB.so")
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    cases = [(m, None, {}) for m in options.models]
    if options.cases:
        cases += cases_of(options.cases, options.library, options.package)
    more = ["--on-zeno", options.on_zeno]
    for path in options.allow_external:
        more += ["--allow-external", path]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda c: run(options.program, options.library, options.limit, more, c), cases))
    failed = {}
    for r in results:
        if not r["ok"]:
            failed.setdefault(r["model"], r["why"])
    models = {r["model"] for r in results}
    for model, why in failed.items():
        print(f"{model}: {why}")
    seconds = sorted(r["seconds"] for r in results)
    print(f"{len(models) - len(failed)} of {len(models)} models run to the end"
          + (f"; median {seconds[len(seconds) // 2]} s" if seconds else ""))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
