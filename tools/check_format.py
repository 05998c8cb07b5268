#!/usr/bin/python3
"""Checks, or with --fix establishes, the format of all C and C++ files (.clang-format)."""

import subprocess
import sys

from project_files import ROOT, project_files


def main():
    files = [str(name) for name in project_files({".h", ".cc", ".c"})]
    if "--fix" in sys.argv[1:]:
        return subprocess.run(["clang-format", "-i", *files], cwd=ROOT).returncode
    check = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], cwd=ROOT)
    if check.returncode:
        print("Not in the house format: run `make format`.", file=sys.stderr)
    return check.returncode


if __name__ == "__main__":
    sys.exit(main())
