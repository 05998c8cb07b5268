#!/usr/bin/python3
"""Runs the snippets of the documentation and checks its links.

  tools/run_doc_snippets.py --bin build/bin [--prefix DIR] [FILE.md...]

In README.md, CONTRIBUTING.md, docs/**/*.md and argesim/**/*.md, a fenced block whose info string is

  sh run            is run by the shell; a `text` block that follows is its expected standard output
  cpp run           is a program: compiled against the library installed in --prefix, and run likewise
  LANGUAGE file=X   is written to the file X before anything is run

All blocks of one page share a folder that is empty at first; the programs of --bin are first on the PATH, and CMake finds
the library in --prefix. `...` is a wildcard in expected output, see expectation.py. `sh run=N` and `cpp run=N` expect
the exit code N. Relative links must lead to a file of the project, and #anchors to a heading.
"""

import argparse
import dataclasses
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from expectation import lines_match, split_lines
from project_files import ROOT, project_files

TIMEOUT_S = 300

_FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>```+)(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)(?P=ticks) *$",
                    re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?[^)]*\)")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)

_CMAKE = """cmake_minimum_required(VERSION 3.25)
project(snippets LANGUAGES CXX)
find_package(arges REQUIRED)
file(GLOB programs ${PROJECT_SOURCE_DIR}/*.cc)
foreach(program ${programs})
  get_filename_component(name ${program} NAME_WE)
  add_executable(${name} ${program})
  target_link_libraries(${name} PRIVATE arges::arges)
  target_compile_options(${name} PRIVATE -O1 -Wall -Wextra)
endforeach()
"""


@dataclasses.dataclass
class Block:
    page: pathlib.Path
    line: int
    language: str
    options: dict
    body: str
    expected: list = None
    program: str = None  # of a cpp block: name of the built program

    @property
    def runs(self):
        return "run" in self.options and self.language in ("sh", "cpp")


def blocks_of(page, text):
    """The fenced blocks of a page; a text block right after one that runs becomes its expectation."""
    blocks, end_of_last = [], 0
    for match in _FENCE.finditer(text):
        words = match["info"].split()
        indent = len(match["indent"])
        body = "".join(line[min(indent, len(line) - len(line.lstrip(" "))):]
                       for line in match["body"].splitlines(keepends=True))
        options = dict((word + "=").split("=")[:2] for word in words[1:])
        block = Block(page, text.count("\n", 0, match.start()) + 1, words[0] if words else "", options, body)
        # An expectation may be introduced by a sentence, but not by another heading.
        between = text[end_of_last:match.start()]
        if (block.language == "text" and blocks and blocks[-1].runs and blocks[-1].expected is None
                and not _HEADING.search(between)):
            blocks[-1].expected = split_lines(body)
        else:
            blocks.append(block)
        end_of_last = match.end()
    return blocks


def anchors_of(text):
    """The #anchors of the headings, as the usual renderers make them."""
    headings = _HEADING.findall(_FENCE.sub("", text))
    plain = [re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def broken_links(page, text, root):
    prose = re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text))
    for target in _LINK.findall(prose):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (root / page).parent / name if name else root / page
        if not file.exists():
            yield f"{page}: broken link: {target}"
        elif anchor and file.suffix == ".md" and anchor not in anchors_of(file.read_text(encoding="utf-8")):
            yield f"{page}: no such heading: {target}"


def build_programs(blocks, folder, prefix):
    """Builds all cpp blocks as one outside project; an error text, or None."""
    programs = [block for block in blocks if block.runs and block.language == "cpp"]
    if not programs:
        return None
    if not prefix:
        return "there are C++ snippets: give --prefix, where the library is installed"
    (folder / "CMakeLists.txt").write_text(_CMAKE)
    for block in programs:
        stem = re.sub(r"\W+", "_", str(block.page.with_suffix("")))
        block.program = str(folder / "build" / f"{stem}_{block.line}")
        source = folder / f"{stem}_{block.line}.cc"
        source.write_text(f'#line {block.line + 1} "{block.page}"\n{block.body}')
    for command in (["cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"],
                    ["cmake", "--build", "build", "-j", str(os.cpu_count())]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            return done.stdout + done.stderr
    return None


def run_block(block, folder, bin_dir, prefix=None):
    """Sentences on what went wrong; none when all is well."""
    command = ["sh", "-e", "-c", block.body] if block.language == "sh" else [block.program]
    environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}", LC_ALL="C.UTF-8", TZ="UTC", NO_COLOR="1")
    if prefix:
        environment["CMAKE_PREFIX_PATH"] = str(prefix)
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return [f"no end after {TIMEOUT_S} s"]
    found = []
    code = int(block.options["run"] or 0)
    if done.returncode != code:
        found += [f"exit code {done.returncode}, expected {code}"] + split_lines(done.stderr)[-10:]
    if block.expected is not None and not lines_match(block.expected, split_lines(done.stdout)):
        found += difflib.unified_diff(block.expected, split_lines(done.stdout), "on the page", "now", lineterm="")
    return found


def check_pages(pages, root, bin_dir, prefix):
    """(number of snippets run, sentences on what went wrong)"""
    texts = {page: (root / page).read_text(encoding="utf-8") for page in pages}
    errors = [error for page, text in texts.items() for error in broken_links(page, text, root)]
    blocks = {page: blocks_of(page, text) for page, text in texts.items()}
    count = 0
    with tempfile.TemporaryDirectory(prefix="arges-docs-") as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "cpp").mkdir()
        error = build_programs([block for page in pages for block in blocks[page]], scratch / "cpp", prefix)
        if error:
            return count, errors + [error]
        for number, page in enumerate(pages):
            folder = scratch / str(number)
            folder.mkdir()
            for block in blocks[page]:
                if "file" in block.options:
                    (folder / block.options["file"]).write_text(block.body, encoding="utf-8")
                if block.runs:
                    count += 1
                    found = run_block(block, folder, bin_dir, prefix)
                    if found:
                        errors.append("\n  ".join([f"{page}:{block.line}: {block.language} snippet"] + found))
    return count, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("--prefix", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    root = args.root.resolve()
    pages = [page.resolve().relative_to(root) for page in args.pages] or [
        page for page in project_files({".md"}, root)
        if len(page.parts) == 1 or page.parts[0] in ("docs", "argesim")]
    count, errors = check_pages(pages, root, args.bin.resolve(), args.prefix and args.prefix.resolve())
    for error in errors:
        print(error, file=sys.stderr)
    print(f"{len(pages)} pages, {count} snippets run, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
