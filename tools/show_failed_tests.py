#!/usr/bin/env python3
"""Prints what the failed tests of the last run of CTest said, once more and alone.

    tools/show_failed_tests.py BUILD_FOLDER

In a log of thousands of lines they stand where they happened; here they stand at the end.
"""
import re
import sys
from pathlib import Path

MOST_LINES = 60


def main() -> int:
    temporary = Path(sys.argv[1]) / "Testing" / "Temporary"
    failed_log = temporary / "LastTestsFailed.log"
    if not failed_log.exists():
        return 0
    failed = {line.split(":", 1)[1] for line in failed_log.read_text().splitlines() if ":" in line}
    log = (temporary / "LastTest.log").read_text(errors="replace")
    for part in re.split(r"^\d+/\d+ Testing: ", log, flags=re.MULTILINE)[1:]:
        name = part.split("\n", 1)[0].strip()
        if name not in failed:
            continue
        lines = part.splitlines()
        print(f"\n==== failed: {name}")
        if len(lines) > MOST_LINES:
            print(f"  ... ({len(lines) - MOST_LINES} lines before: {temporary / 'LastTest.log'})")
        for line in lines[-MOST_LINES:]:
            print(f"  {line[:300]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
