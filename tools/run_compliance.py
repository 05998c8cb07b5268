#!/usr/bin/env python3
"""run_compliance.py CHECKOUT [--tool FLATTEN_CORPUS] [--flatten-only] [--wrong] [--filter TEXT] [--jobs N]

Runs the tests of a checkout of Modelica-Compliance (the folder that holds
ModelicaCompliance/package.mo). Each test says whether a tool must accept or reject it. Accepting
means that the model flattens and, without --flatten-only, that its equations can be sorted, as
`arges check` does. Prints a table by section of the specification and, with --wrong, each wrong
answer with its reason. A rejection with E0301 (not supported) is counted, and told apart.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

TEST = re.compile(r"TestCase\s*\(\s*shouldPass\s*=\s*(true|false)(?:\s*,\s*section\s*=\s*\{\s*\"([^\"]*)\")?", re.S)


def collect(root):
    tests = {}
    for path in sorted((root / "ModelicaCompliance").rglob("*.mo")):
        text = path.read_text(errors="replace")
        found = TEST.findall(text)
        if not found:
            continue
        parts = list(path.relative_to(root).with_suffix("").parts)
        if parts[-1] == "package":
            parts.pop()
        should_pass, section = found[-1]
        tests[".".join(parts)] = (should_pass == "true", section or "?")
    return tests


def run_chunk(tool, root, names, options, seconds):
    """Results of classes; a class that crashes or hangs the tool is one of them."""
    results = {}
    todo = list(names)
    while todo:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as listing:
            listing.write("\n".join(todo) + "\n")
            listing.flush()
            command = [tool, str(root), *options, "--list", listing.name]
            try:
                done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                      timeout=seconds + 0.2 * len(todo))
                output, how = done.stdout, f"crash ({done.returncode})"
            except subprocess.TimeoutExpired as error:
                output, how = (error.stdout or b"").decode(errors="replace"), "time limit"
        for line in output.splitlines():
            words = line.split(" ", 2)
            if len(words) >= 2 and words[1] in names:
                results[words[1]] = (words[0], words[2] if len(words) > 2 else "")
        left = [name for name in todo if name not in results]
        if left:
            results[left[0]] = (how, "")
            left = left[1:]
        todo = left
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--tool", default="build/bin/flatten_corpus")
    parser.add_argument("--flatten-only", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    if not pathlib.Path(arguments.tool).exists():
        parser.error(f"there is no {arguments.tool}: build it by `cmake --build build --target flatten_corpus`")
    tests = {name: test for name, test in collect(arguments.checkout).items()
             if arguments.filter in name}
    options = [] if arguments.flatten_only else ["--causal"]
    names = list(tests)
    chunks = [names[i::arguments.jobs * 4] for i in range(arguments.jobs * 4)]
    results = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for part in pool.map(lambda chunk: run_chunk(arguments.tool, arguments.checkout, set(chunk),
                                                     options, arguments.seconds), chunks):
            results.update(part)
    accepted_as = {"ok"} | ({"unbalanced"} if arguments.flatten_only else set())
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    unsupported = 0
    reasons = []
    for name, (should_pass, _) in tests.items():
        result, text = results[name]
        accepted = result in accepted_as
        right = accepted == should_pass and not result.startswith(("crash", "time"))
        row = table[name.split(".")[1]]
        row[0 if should_pass else 2] += right
        row[1 if should_pass else 3] += 1
        unsupported += right and result == "E0301"
        if not right:
            reasons.append((should_pass, name, result, text))
    print(f"{'part':16}{'accepted':>12}{'rejected':>12}")
    for part, row in sorted(table.items()):
        print(f"{part:16}{row[0]:>6} of {row[1]:<4}{row[2]:>5} of {row[3]:<4}")
    total = [sum(row[i] for row in table.values()) for i in range(4)]
    print(f"{'all':16}{total[0]:>6} of {total[1]:<4}{total[2]:>5} of {total[3]:<4}")
    print(f"right: {total[0] + total[2]} of {total[1] + total[3]}"
          f" ({unsupported} rejections only because something is not supported)")
    if arguments.wrong:
        for should_pass, name, result, text in sorted(reasons, key=lambda r: (not r[0], r[2], r[1])):
            word = "must pass, but" if should_pass else "must fail, but"
            print(f"{word} {result}: {name} [{tests[name][1]}] {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
