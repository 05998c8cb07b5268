#!/usr/bin/python3
"""Tests of the scripts in tools/: each must find what it is there to find."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
sys.dont_write_bytecode = True

import check_files
import include_graph
import run_cli_tests
import run_doc_snippets
from expectation import lines_match, split_lines


class Expectation(unittest.TestCase):
    def test_lines_must_be_equal(self):
        self.assertTrue(lines_match(["a", "b"], ["a", "b  "]))
        self.assertFalse(lines_match(["a", "b"], ["a"]))
        self.assertFalse(lines_match(["a"], ["a", "b"]))
        self.assertFalse(lines_match([], ["a"]))
        self.assertFalse(lines_match(["a.c"], ["abc"]))

    def test_dots_stand_for_a_part_of_a_line(self):
        self.assertTrue(lines_match(["x = 1.23... s"], ["x = 1.2345 s"]))
        self.assertTrue(lines_match(["x ..."], ["x "]) or lines_match(["x..."], ["x"]))
        self.assertFalse(lines_match(["x = 1.23... s"], ["x = 1.24 s"]))

    def test_a_line_of_dots_stands_for_any_lines(self):
        self.assertTrue(lines_match(["a", "...", "z"], ["a", "z"]))
        self.assertTrue(lines_match(["a", "...", "z"], ["a", "z", "z"]))
        self.assertTrue(lines_match(["..."], []))
        self.assertFalse(lines_match(["a", "...", "z"], ["a", "b"]))

    def test_final_newline_is_no_line(self):
        self.assertEqual(split_lines("a\n\nb\n"), ["a", "", "b"])
        self.assertEqual(split_lines(""), [])


class InFolder(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class CommandLineTests(InFolder):
    def run_test(self, name, text, update=False):
        path = self.write(name, text)
        with contextlib.redirect_stdout(io.StringIO()) as output:
            passed = run_cli_tests.run_test(path, self.root, update)
        return passed, output.getvalue(), path.read_text()

    def test_passes_when_all_is_as_expected(self):
        text = "# two streams\n$ echo out\n+ echo err >&2\n> o...\n! err\n"
        self.assertTrue(self.run_test("a.test", text)[0])

    def test_fails_on_output_error_output_and_code(self):
        for text in ("$ echo b\n> a\n", "$ echo b >&2\n", "$ false\n", "$ true\n? 3\n", "# nothing\n"):
            self.assertFalse(self.run_test("a.test", text)[0], text)

    def test_a_failing_command_belongs_into_a_test_named_so(self):
        self.assertTrue(self.run_test("fail_a.test", "$ exit 3\n? 3\n")[0])
        self.assertFalse(self.run_test("a.test", "$ exit 3\n? 3\n")[0])
        self.assertFalse(self.run_test("fail_a.test", "$ exit 0\n")[0])

    def test_commands_of_a_file_share_a_folder(self):
        self.assertTrue(self.run_test("a.test", "$ echo 1 > x\n$ cat x\n> 1\n")[0])

    def test_update_rewrites_what_differs_and_keeps_wildcards(self):
        text = "# head\n$ echo one; echo two\n> o...\n> two\n\n$ echo new\n> old\n# tail\n"
        passed, _, updated = self.run_test("a.test", text, update=True)
        self.assertTrue(passed)
        self.assertEqual(updated, text.replace("> old", "> new"))
        self.assertTrue(self.run_test("a.test", updated)[0])


class Documentation(InFolder):
    def check(self, text):
        self.write("docs/other.md", "# A `heading`, here\n")
        self.write("docs/page.md", text)
        return run_doc_snippets.check_pages([pathlib.Path("docs/page.md")], self.root, self.root, None)

    def test_runs_blocks_and_compares(self):
        page = "```csv file=a.csv\n1,2\n```\n\n```sh run\ncat a.csv\n```\n\nprints\n\n```text\n1,...\n```\n"
        self.assertEqual(self.check(page), (1, []))
        count, errors = self.check(page.replace("1,...", "2,..."))
        self.assertEqual((count, len(errors)), (1, 1))
        self.assertIn("docs/page.md:5", errors[0])

    def test_a_failing_command_is_an_error_unless_announced(self):
        self.assertEqual(len(self.check("```sh run\nfalse\ntrue\n```\n")[1]), 1)
        self.assertEqual(self.check("```sh run=3\nexit 3\n```\n")[1], [])

    def test_other_blocks_are_left_alone(self):
        self.assertEqual(self.check("```sh\nfalse\n```\n```text\nx\n```\n"), (0, []))

    def test_links_must_lead_somewhere(self):
        self.assertEqual(self.check("[a](other.md) [b](other.md#a-heading-here) [c](https://x.org)")[1], [])
        self.assertEqual(len(self.check("[a](none.md) [b](other.md#none) [c](#none)")[1]), 3)


class IncludeGraph(InFolder):
    def errors(self):
        order = include_graph.module_order(self.root / "src/arges/CMakeLists.txt")
        edges = include_graph.include_edges(self.root)
        return include_graph.violations(edges, order), include_graph.find_cycle(edges)

    def setUp(self):
        super().setUp()
        self.write("src/arges/CMakeLists.txt", "add_subdirectory(low)\nadd_subdirectory(high)\n")
        self.write("src/arges/high/a.h", '#include "arges/low/b.h"\n#include "arges/high/c.h"\n')
        self.write("argesim/c1/model.cc", '#include "arges/high/a.h"\n')

    def test_downward_includes_are_fine(self):
        self.assertEqual(self.errors(), ([], None))

    def test_upward_includes_and_cycles_are_found(self):
        self.write("src/arges/low/b.h", '#include "arges/high/a.h"\n')
        violations, cycle = self.errors()
        self.assertEqual(len(violations), 1)
        self.assertEqual(cycle, ["high", "low", "high"])

    def test_the_library_does_not_include_the_benchmarks(self):
        self.write("src/arges/low/b.h", '#include "argesim/c1/model.h"\n')
        self.assertEqual(len(self.errors()[0]), 1)

    def test_only_tests_include_test_helpers(self):
        self.write("src/arges/low/b_test.cc", '#include "testing/near.h"\n')
        self.assertEqual(self.errors()[0], [])
        self.write("src/arges/low/b.cc", '#include "testing/near.h"\n')
        self.assertEqual(len(self.errors()[0]), 1)


class Files(InFolder):
    def test_long_files_are_found(self):
        self.write("a.cc", "\n" * 601)
        self.write("b.cc", "\n" * 600)
        self.write("a_table.cc", "\n" * 601)
        self.assertEqual(len(list(check_files.too_long(self.root))), 1)

    def test_unwanted_words_are_found(self):
        self.write("a.cc", "// TO" + "DO: later\n")
        self.write("b.md", "cd /ho" + "me/me\n")
        self.write("c.md", "ordinary text, http://x.org/work/it\n")
        self.assertEqual(len(list(check_files.unwanted_words(self.root))), 2)


if __name__ == "__main__":
    unittest.main()
