#!/usr/bin/python3
"""Runs examples of the Modelica Standard Library and compares them with the official reference results.

    tools/compare_msl.py --library FOLDER --reference CHECKOUT [--ref v4.1.0] [--only Blocks,Mechanics.MultiBody]
                         [--jobs 2] [--limit 60] [--json FILE] [--keep FOLDER] [MODEL ...]

FOLDER is the MODELICAPATH: where Modelica/, ModelicaServices/ and Complex.mo are. CHECKOUT is a clone of
MAP-LIB_ReferenceResults, with --ref one of its branches (read from git; a bare clone will do), without it the files as
they lie there. Start, stop, tolerance and interval come from the reference's creation.txt, the signals from its
comparisonSignals.txt. The rule of the comparison is that of trajectories.py. Prints a table by sub-library, then the
failures by what to do about them.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from trajectories import compare, read_csv, read_mat4

ROOT = pathlib.Path(__file__).resolve().parents[1]

# What a message means, the first that fits: (class, pattern); a group of the pattern says which feature.
MESSAGES = [
    ("not supported", r"external function '([^']*)'.*is not available"),
    ("not supported", r"(\S+(?: \S+)?) (?:is|are) not supported"),
    ("structurally singular", r"structurally singular|equations? and \d+ unknowns"),
    ("parse", r"E0[01]\d\d\b"),
]
RUN_STATUS = {
    "initialisation_failed": "initialisation",
    "time_limit": "time limit",
}


class Reference:
    """The reference results, from git or from files."""

    def __init__(self, path, ref):
        self._path, self._ref = pathlib.Path(path), ref
        # What a partial clone does not have is not there: nothing is loaded.
        self._environment = dict(os.environ, GIT_NO_LAZY_FETCH="1")

    def _git(self, *arguments):
        done = subprocess.run(["git", "-C", str(self._path), *arguments], capture_output=True, text=True,
                              env=self._environment)
        return done.stdout if done.returncode == 0 else None

    def models(self):
        if self._ref is None:
            files = (p.relative_to(self._path).as_posix() for p in self._path.rglob("comparisonSignals.txt"))
        else:
            listing = self._git("ls-tree", "-r", "--name-only", self._ref)
            if listing is None:
                sys.exit(f"compare_msl.py: no branch '{self._ref}' in {self._path}")
            files = (p for p in listing.splitlines() if p.endswith("/comparisonSignals.txt"))
        return sorted(p.rsplit("/", 1)[0].replace("/", ".") for p in files)

    def read(self, model, name):
        """A file of a model, or None when it is not stored."""
        file = f"{model.replace('.', '/')}/{name}"
        if self._ref is not None:
            return self._git("show", f"{self._ref}:{file}")
        try:
            return (self._path / file).read_text()
        except OSError:
            return None


def experiment(creation):
    """Options of `arges run` for the settings in creation.txt."""
    options = []
    for key, option in (("StartTime", "--start"), ("StopTime", "--stop"), ("Tolerance", "--rtol"),
                        ("Interval", "--interval")):
        found = re.search(rf"^{key} *= *([-+\d.eE]+)", creation, re.MULTILINE)
        if found:
            options += [option, found.group(1)]
    return options


def sub_library(model):
    """Modelica.Mechanics.Rotational.Examples.X -> Mechanics.Rotational; ModelicaTest.Blocks.X -> ModelicaTest.Blocks."""
    parts = model.split(".")
    if parts[0] != "Modelica":
        return ".".join(parts[:2])
    if parts[1] in ("Electrical", "Magnetic", "Mechanics", "Thermal", "Clocked"):
        return ".".join(parts[1:3])
    return parts[1]


def classify(code, status, message):
    """(class, reason) of a run that did not finish."""
    for kind, pattern in MESSAGES:
        found = re.search(pattern, message)
        if found and status in ("", "error"):
            return kind, (found.group(1) if found.groups() else message)
    if code < 0:
        return "crash", f"signal {signal.Signals(-code).name}"
    if status in RUN_STATUS:
        return RUN_STATUS[status], message
    if code in (4, 5):
        return "run time", f"{status}: {message}"
    if code == 70:
        return "crash", message
    return "flatten", message


def run_model(program, model, reference, limit, keep):
    """What happened, as a dictionary: model, result (a class; "match" is good), reason, wall_s."""
    record = {"model": model, "library": sub_library(model)}

    def ends(result, reason=""):
        record.update(result=result, reason=" ".join(reason.split())[:400])
        return record

    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(keep or folder).resolve() / f"{model}.mat"
        command = [program, "run", model, "--json", "--out", str(out), "--record", "*"]  # hidden ones, too
        command += experiment(reference.read(model, "creation.txt") or "")
        command += ["--time-limit", str(limit)]
        begin = time.perf_counter()
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=2 * limit + 5,
                                  cwd=folder)  # models write files
        except subprocess.TimeoutExpired:
            record["wall_s"] = time.perf_counter() - begin
            return ends("time limit", "before the first step or in one")
        record["wall_s"] = time.perf_counter() - begin
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            answer = {}
        status = answer.get("status", "")
        record.update(status=status, time=answer.get("time"), steps=answer.get("steps"))
        if done.returncode != 0:
            said = answer.get("message") or done.stderr
            if status == "error" and done.returncode == 3:
                said = done.stderr or said
            for diagnostic in answer.get("diagnostics", [])[:1]:
                said = f"{diagnostic.get('code')}: {diagnostic.get('message')}"
            return ends(*classify(done.returncode, status, said))
        text = reference.read(model, f"{model.rsplit('.', 1)[1]}.csv")
        if text is None or text.startswith("version https://git-lfs"):
            return ends("no reference", "the reference trajectory is not stored here")
        expected = read_csv(text)
        signals = (reference.read(model, "comparisonSignals.txt") or "").split("\n")
        signals = [s.strip() for s in signals if s.strip()]
        found = read_mat4(out.read_bytes(), {s.replace(" ", "") for s in signals})
    differences, missing = compare(expected, found, signals)
    record["signals"] = len(signals)
    record["differences"] = [d._asdict() for d in differences]
    if missing:
        return ends("signal missing", ", ".join(missing))
    if differences:
        first = min(differences, key=lambda d: d.time)
        return ends("differs", f"{len(differences)} of {len(signals)}, first {first.signal} at t = {first.time:.6g}: "
                               f"{first.result:.6g} not in [{first.low:.6g}, {first.high:.6g}]")
    return ends("match")


def table(records):
    """The results by sub-library as lines of text."""
    groups = collections.defaultdict(list)
    for record in records:
        groups[record["library"]].append(record)
    head = f"{'library':28} {'models':>6} {'match':>6} {'differ':>6} {'no ref':>6} {'fail':>6} {'median s':>9} {'max s':>8}"
    lines = [head, "-" * len(head)]
    for name, group in sorted(groups.items()) + [("all", records)]:
        count = collections.Counter(r["result"] for r in group)
        good = [count[k] for k in ("match", "differs", "no reference")]
        walls = [r["wall_s"] for r in group]
        lines.append(f"{name:28} {len(group):6} {good[0]:6} {good[1]:6} {good[2]:6} {len(group) - sum(good):6} "
                     f"{statistics.median(walls):9.3f} {max(walls):8.2f}")
    return lines


def failures(records):
    lines = []
    for kind in sorted({r["result"] for r in records} - {"match"}):
        group = [r for r in records if r["result"] == kind]
        lines += ["", f"{kind} ({len(group)})"]
        lines += [f"  {r['model']}: {r['reason']}" for r in group]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="full names; default: all that --only leaves")
    parser.add_argument("--library", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--ref", help="branch or tag of the reference results")
    parser.add_argument("--only", help="sub-libraries, with commas")
    parser.add_argument("--program", default=str(ROOT / "build/bin/arges"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=60, help="seconds for each run")
    parser.add_argument("--json", help="file for all records")
    parser.add_argument("--keep", help="folder for the result files")
    arguments = parser.parse_args()

    os.environ["MODELICAPATH"] = os.path.abspath(arguments.library)
    arguments.program = os.path.abspath(arguments.program)
    reference = Reference(arguments.reference, arguments.ref)
    models = arguments.models or reference.models()
    if arguments.only:
        wanted = arguments.only.split(",")
        models = [m for m in models if sub_library(m) in wanted]
    if not models:
        sys.exit("compare_msl.py: no models left")
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(run_model, arguments.program, model, reference, arguments.limit, arguments.keep)
                for model in models]
        records = []
        for number, job in enumerate(jobs, 1):
            records.append(job.result())
            if sys.stderr.isatty():
                print(f"\r{number}/{len(jobs)}", end="", file=sys.stderr)
    print("\n".join(table(records) + failures(records)))
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(records, indent=1) + "\n")


if __name__ == "__main__":
    main()
