#!/usr/bin/python3
"""Checks on the text of the project's files.

  tools/check_files.py length    no source file is longer than 600 lines
  tools/check_files.py words     no notes to ourselves, no paths of one machine
"""

import re
import sys

from project_files import ROOT, project_files

LONGEST = 600
CODE = {".h", ".cc", ".c", ".py", ".cmake", ".sh"}
# Tables of numbers may be longer.
TABLES = re.compile(r"(_table|_tableau|_coefficients)\.(h|cc)$")

# (pattern, in which files, why not). Written so that this file does not match itself.
WORDS = [
    (re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b"), r".",
     "finish it, or write it into docs/status.md"),
    (re.compile(r"(?<![\w.])/(wor" r"k|hom" r"e|roo" r"t)/"), r".", "a path of one machine"),
    (re.compile(r"(?<![\w.])/tm" r"p/"), r"\.(md|1)$", "a path of one machine; take a relative one"),
]


def too_long(root=ROOT):
    for name in project_files(CODE, root):
        if TABLES.search(str(name)):
            continue
        count = len((root / name).read_text(encoding="utf-8").splitlines())
        if count > LONGEST:
            yield f"{name}: {count} lines, more than {LONGEST}: split it by ideas"


def unwanted_words(root=ROOT):
    for name in project_files(root=root):
        try:
            text = (root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or other binary file
        for pattern, where, why in WORDS:
            if not re.search(where, str(name)):
                continue
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{name}:{line}: '{match.group(0)}': {why}"


def main():
    checks = {"length": too_long, "words": unwanted_words}
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        print(__doc__, file=sys.stderr)
        return 2
    errors = list(checks[sys.argv[1]]())
    print("\n".join(errors) or "nothing found")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
