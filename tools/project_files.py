"""The files of the project, and the #include lines in them. Used by the other tools."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def project_files(suffixes=None, root=ROOT):
    """Sorted paths (relative to root) of what git tracks or would track; without git, of all but build folders."""
    listing = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True)
    if listing.returncode == 0:
        names = {pathlib.Path(name) for name in listing.stdout.split("\0") if name}
    else:
        names = {path.relative_to(root) for path in root.rglob("*")}
        names = {name for name in names if not re.match(r"\.git/|build(-\w+)?/", str(name) + "/")}
    return sorted(name for name in names
                  if (suffixes is None or name.suffix in suffixes) and (root / name).is_file())


def quoted_includes(path):
    """The names in `#include "..."` lines of one file."""
    return _INCLUDE.findall(path.read_text(encoding="utf-8"))
