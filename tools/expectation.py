"""Comparison of output with an expected text.

`...` inside an expected line stands for any text within that line; a line that is only `...` stands for any number of
lines, also none. Spaces at the ends of lines do not count. Numbers are compared as text: show as many digits as are
certain, then `...`.
"""

import re


def _line_pattern(line):
    return re.compile("[^\n]*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"\Z")


def lines_match(expected, actual):
    """Whether the list `actual` is what the list `expected` describes."""
    # possible = the positions in `actual` that the expected lines so far can end at.
    possible = {0}
    for line in expected:
        if line.strip() == "...":
            possible = set(range(min(possible), len(actual) + 1))
        else:
            pattern = _line_pattern(line)
            possible = {i + 1 for i in possible
                        if i < len(actual) and pattern.match(actual[i].rstrip())}
        if not possible:
            return False
    return len(actual) in possible


def split_lines(text):
    """Lines without their ends; a final newline adds no empty line."""
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []
