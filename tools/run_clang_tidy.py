#!/usr/bin/python3
"""Runs clang-tidy (.clang-tidy) on the files of the project that changed since it last passed on them.

  tools/run_clang_tidy.py --build build [-j N] [FILE...]

A stamp in BUILD/tidy holds a hash of the file, the project's headers that it includes, and .clang-tidy; a file whose
stamp is up to date is skipped.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from project_files import ROOT, quoted_includes


def reachable(path, seen):
    """The file and the headers of the project that it includes, directly or not."""
    if path in seen:
        return seen
    seen.add(path)
    for name in quoted_includes(path):
        for folder in (ROOT / "src", ROOT, ROOT / "tests", path.parent):
            if (folder / name).is_file():
                reachable((folder / name).resolve(), seen)
                break
    return seen


def fingerprint(path):
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for file in sorted(reachable(path, set())):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def alone(command):
    """The commands as if each file were compiled alone and read its headers itself: clang cannot read what GCC
    precompiled, and a file has to include what it uses."""
    text = re.sub(r" -Winvalid-pch| -include \S+cmake_pch\.hxx", "", command["command"])
    together = pathlib.Path(command["file"])
    if not together.name.startswith("unity_"):
        return [dict(command, command=text)]
    members = re.findall(r'#include "([^"]+)"', together.read_text())
    return [dict(command, file=member, command=text.replace(str(together), member)) for member in members]


def check(path, database):
    """What clang-tidy says against the file; nothing when it passes."""
    stamp = database / (str(path.relative_to(ROOT)).replace("/", "+") + ".passed")
    now = fingerprint(path)
    if stamp.is_file() and stamp.read_text() == now:
        return ""
    done = subprocess.run(["clang-tidy", "-p", str(database), "--quiet", "--extra-arg=-Wno-unknown-warning-option",
                           "--extra-arg=-Wno-unused-command-line-argument",
                           str(path)], capture_output=True, text=True)
    if done.returncode == 0:
        stamp.write_text(now)
        return ""
    return done.stdout or done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    build = args.build.resolve()
    commands = [each for command in json.loads((build / "compile_commands.json").read_text()) for each in alone(command)]
    known = sorted({pathlib.Path(command["file"]) for command in commands
                    if command["file"].endswith(".cc")
                    and not pathlib.Path(command["file"]).is_relative_to(build)})
    database = build / "tidy"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps(commands))
    chosen = [path.resolve() for path in args.files] or known
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for path, complaint in zip(chosen, pool.map(lambda path: check(path, database), chosen)):
            if complaint:
                failed += 1
                print(f"--- {path.relative_to(ROOT)}\n{complaint}", flush=True)
    print(f"clang-tidy: {len(chosen)} files, {failed} with complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
