"""Solves the problems of examples/ivp and compares their ends with the published reference solutions.

    tools/check_ivp.py --bin build/bin

reference.json says for each problem which solvers run it with which tolerances, and the relative error allowed in
every component of the published solution. Exits with 1 when a run fails or is too far off.
"""

import argparse
import json
import pathlib
import subprocess
import sys

PROBLEMS = pathlib.Path(__file__).resolve().parent.parent / "examples" / "ivp"


def final_values(program, model, run):
    """The values at the end of a run, or a message that says why there are none."""
    command = [program, "run", str(PROBLEMS / f"{model}.mo"), "--json", "--solver", run["solver"],
               "--rtol", repr(run["rtol"]), "--atol", repr(run["atol"])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if not done.stdout.strip():
        return None, done.stderr.strip()
    result = json.loads(done.stdout)
    if result["status"] != "finished":
        return None, f"{result['status']}: {result['message']}"
    return result["final"], ""


def worst_error(final, reference):
    """The largest relative error, and the component that has it."""
    return max((abs(final[name] - value) / abs(value), name) for name, value in reference.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder of the program `arges`")
    parser.add_argument("problems", nargs="*", help="these only")
    options = parser.parse_args()
    reference = json.loads((PROBLEMS / "reference.json").read_text())
    failed = 0
    print(f"{'problem':15}{'solver':13}{'rtol':>8}{'error':>10}{'allowed':>10}")
    for model in options.problems or reference:
        for run in reference[model]["runs"]:
            final, message = final_values(options.bin / "arges", model, run)
            if final is None:
                failed += 1
                print(f"{model:15}{run['solver']:13}{run['rtol']:8.0e}  {message}")
                continue
            error, name = worst_error(final, reference[model]["final"])
            ok = error <= run["error"]
            failed += not ok
            print(f"{model:15}{run['solver']:13}{run['rtol']:8.0e}{error:10.1e}{run['error']:10.0e}  {name}"
                  + ("" if ok else "  TOO FAR OFF"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
