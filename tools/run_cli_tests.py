#!/usr/bin/python3
"""Runs command line tests that are text files (tests/cli/*.test).

  tools/run_cli_tests.py --bin build/bin [--update] FILE...

A test is a list of commands, each followed by what is expected of it:

  # comment
  $ arges run ball --stop 1      a shell command
  + ...                          more lines of the same command
  > status: finished             a line on standard output
  ! warning: ...                 a line on standard error
  ? 2                            the exit code, when it is not 0

`...` is a wildcard, see expectation.py. All commands of a file run in one empty folder, with the programs of --bin
first on the PATH; $SOURCES is the root of the project. A file named fail_* must have a command that ends with another
code than 0, no other file may.
--update writes what happened into the file; lines that already match keep their wildcards.
"""

import argparse
import dataclasses
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

from expectation import lines_match, split_lines
from project_files import ROOT

TIMEOUT_S = 120


@dataclasses.dataclass
class Command:
    before: list = dataclasses.field(default_factory=list)  # comments and blank lines above it
    shell: list = dataclasses.field(default_factory=list)
    stdout: list = dataclasses.field(default_factory=list)
    stderr: list = dataclasses.field(default_factory=list)
    code: int = 0

    def text(self):
        lines = self.before + ["$ " + self.shell[0]] + ["+ " + line for line in self.shell[1:]]
        lines += [("> " + line).rstrip() for line in self.stdout]
        lines += [("! " + line).rstrip() for line in self.stderr]
        if self.code:
            lines.append(f"? {self.code}")
        return lines


def parse(text, name="test"):
    """The commands of a test file, and the comments after the last one."""
    commands, before = [], []
    for number, line in enumerate(text.splitlines(), 1):
        mark, rest = line[:1], line[2:]
        if mark in ("", "#"):
            before.append(line)
        elif mark == "$":
            commands.append(Command(before, [rest]))
            before = []
        elif mark in "+>!?" and line[1:2] in ("", " ") and commands:
            command = commands[-1]
            command.before += before
            before = []
            if mark == "?":
                command.code = int(rest)
            else:
                {"+": command.shell, ">": command.stdout, "!": command.stderr}[mark].append(rest)
        else:
            raise SystemExit(f"{name}:{number}: expected a line with one of # $ + > ! ? in front: {line}")
    return commands, before


def run(command, folder, bin_dir):
    """(exit code, lines of stdout, lines of stderr)"""
    environment = {"PATH": f"{bin_dir}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8",
                   "TZ": "UTC", "NO_COLOR": "1", "SOURCES": str(ROOT)}
    try:
        done = subprocess.run(["sh", "-c", "\n".join(command.shell)], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return 124, [], [f"no end after {TIMEOUT_S} s"]
    decode = lambda raw: split_lines(raw.decode("utf-8", errors="backslashreplace"))
    return done.returncode, decode(done.stdout), decode(done.stderr)


def differences(command, code, stdout, stderr):
    """Lines that say how a command did something else than expected; none when it did not."""
    found = []
    for title, expected, actual in (("stdout", command.stdout, stdout), ("stderr", command.stderr, stderr)):
        if not lines_match(expected, actual):
            found += difflib.unified_diff(expected, actual, f"{title} expected", f"{title} now", lineterm="")
    if code != command.code:
        found.append(f"exit code {code}, expected {command.code}")
        if not found[:-1]:
            found += stderr[-10:]
    return found


def run_test(path, bin_dir, update):
    """Whether the test passes (or is updated)."""
    commands, after = parse(path.read_text(encoding="utf-8"), path)
    passed = True
    with tempfile.TemporaryDirectory(prefix="arges-cli-") as folder:
        for command in commands:
            code, stdout, stderr = run(command, pathlib.Path(folder), bin_dir)
            found = differences(command, code, stdout, stderr)
            if not found:
                continue
            if update:
                command.code = code
                if not lines_match(command.stdout, stdout):
                    command.stdout = stdout
                if not lines_match(command.stderr, stderr):
                    command.stderr = stderr
                continue
            passed = False
            print(f"{path}:\n$ " + "\n+ ".join(command.shell))
            print("\n".join("  " + line for line in found))
    if update:
        text = "\n".join(line for command in commands for line in command.text() + [])
        path.write_text("\n".join([text] + after).rstrip("\n") + "\n", encoding="utf-8")
    fails = any(command.code for command in commands)
    if fails != path.name.startswith("fail_"):
        print(f"{path}: a test is named fail_* when, and only when, a command in it must fail")
        passed = False
    if not commands:
        print(f"{path}: no command")
        passed = False
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path("build/bin"))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    results = [run_test(path, args.bin.resolve(), args.update) for path in args.files]
    print(f"{sum(results)} of {len(results)} passed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
