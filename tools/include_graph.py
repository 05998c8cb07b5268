#!/usr/bin/python3
"""Draws the include graph of the folders and fails when it is not the one intended.

A module (a folder of src/arges) may include only itself and the modules listed before it in
src/arges/CMakeLists.txt. argesim/, apps/, bench/ and tests/ may include the library, never the reverse.

  tools/include_graph.py [--dot FILE]    prints the graph as text; --dot writes it for Graphviz too
"""

import argparse
import collections
import pathlib
import re
import sys

from project_files import ROOT, project_files, quoted_includes


def module_order(cmake_lists):
    """Module names from the bottom up."""
    return re.findall(r"^\s*add_subdirectory\((\w+)\)", cmake_lists.read_text(), re.MULTILINE)


def folder_of(path):
    """The node of the graph that a file (relative to the root, or as it is included) belongs to."""
    parts = pathlib.PurePath(path).parts
    if parts[0] == "src":
        parts = parts[1:]
    if parts[0] == "arges" and len(parts) > 2:
        return parts[1]
    return parts[0] + "/" if len(parts) > 1 else None


def include_edges(root):
    """{(from, to): [(file, included)]} between different folders."""
    edges = collections.defaultdict(list)
    for name in project_files({".h", ".cc"}, root):
        source = folder_of(name)
        for included in quoted_includes(root / name):
            target = folder_of(included)
            if source and target and source != target:
                edges[source, target].append((name, included))
    return edges


def find_cycle(edges):
    """A list of folders that ends where it begins, or None."""
    targets = collections.defaultdict(set)
    for source, target in edges:
        targets[source].add(target)
    done = set()

    def visit(node, path):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        for target in sorted(targets[node]):
            cycle = visit(target, path + [node])
            if cycle:
                return cycle
        done.add(node)
        return None

    for node in sorted(targets):
        cycle = visit(node, [])
        if cycle:
            return cycle
    return None


def violations(edges, order):
    """Sentences, one for each include that the order of the modules forbids."""
    rank = {module: i for i, module in enumerate(order)}
    found = []
    for (source, target), places in sorted(edges.items()):
        if source not in rank:
            continue
        if target.endswith("/"):
            why = f"the library must not include {target}"
            if target != "argesim/":  # the tests beside the code share helpers, which live in tests/
                places = [place for place in places if not place[0].name.endswith("_test.cc")]
        elif target not in rank:
            why = f"{target} is no module of src/arges/CMakeLists.txt"
        elif rank[target] > rank[source]:
            why = f"{target} stands above {source} (the order is that of src/arges/CMakeLists.txt)"
        else:
            continue
        found += [f'{name}: #include "{included}": {why}' for name, included in places]
    return found


def as_text(edges, order):
    outside = sorted({source for source, _ in edges} - set(order))
    lines = []
    for node in order + outside:
        targets = [f"{t} ({len(edges[node, t])})" for t in order + outside if (node, t) in edges]
        lines.append(f"{node:10} -> {', '.join(targets) or '-'}")
    return "\n".join(lines)


def as_dot(edges):
    lines = ["digraph includes {", "  rankdir=BT; node [shape=box];"]
    lines += [f'  "{s}" -> "{t}" [label={len(places)}];' for (s, t), places in sorted(edges.items())]
    return "\n".join(lines + ["}", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--dot", type=pathlib.Path)
    args = parser.parse_args()

    order = module_order(args.root / "src/arges/CMakeLists.txt")
    edges = include_edges(args.root)
    print(as_text(edges, order))
    if args.dot:
        args.dot.write_text(as_dot(edges))
    errors = violations(edges, order)
    cycle = find_cycle(edges)
    if cycle:
        errors.append("cycle of folders: " + " -> ".join(cycle))
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
