#!/usr/bin/python3
"""Tests of the comparison with reference results: what must pass passes, what must fail fails."""

import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
sys.dont_write_bytecode = True

import compare_msl
from trajectories import compare, read_csv, read_mat4


def matrix(name, rows, columns, values, letter="d"):
    kind = {"d": 0, "i": 20, "B": 50}[letter] + (1 if letter == "B" else 0)
    return (struct.pack("<5i", kind, rows, columns, 0, len(name) + 1) + name.encode() + b"\0" +
            struct.pack(f"<{len(values)}{letter}", *values))


def ramp(slope=1.0, end=1.0, name="x", n=100):
    times = [end * i / n for i in range(n + 1)]
    return {"time": times, name: [slope * t for t in times]}


class Comparison(unittest.TestCase):
    def test_equal_trajectories_match(self):
        self.assertEqual(compare(ramp(), ramp()), ([], []))

    def test_rows_may_lie_elsewhere(self):
        self.assertEqual(compare(ramp(), ramp(n=7)), ([], []))

    def test_half_a_percent_is_too_much(self):
        differences, _ = compare(ramp(), ramp(slope=1.005))
        self.assertEqual([d.signal for d in differences], ["x"])
        self.assertGreater(differences[0].time, 0.3)

    def test_a_jump_may_come_a_little_late(self):
        def step(at):
            return {"time": [0, at, at, 1], "x": [0, 0, 1, 1]}
        grid = sorted([i / 1000 for i in range(1001)] + [0.5])
        reference = {"time": grid, "x": [0.0] * 501 + [1.0] * 501}
        self.assertEqual(compare(reference, step(0.501)), ([], []))
        self.assertEqual(len(compare(reference, step(0.51))[0]), 1)

    def test_of_several_values_at_an_event_one_must_fit(self):
        def at_the_end(*values):
            return {"time": [0] + [1] * len(values), "x": [0, *values]}
        reference = {"time": [0, 0.999, 1], "x": [0, 0.999, 1]}
        self.assertEqual(compare(reference, at_the_end(1, 0)), ([], []))
        self.assertEqual(len(compare(reference, at_the_end(2, 0))[0]), 1)

    def test_noise_about_zero_is_no_difference(self):
        reference = {"time": [0, 1], "x": [0, 0]}
        self.assertEqual(compare(reference, {"time": [0, 1], "x": [1e-9, -1e-9]}), ([], []))
        self.assertEqual(len(compare(reference, {"time": [0, 1], "x": [1e-6, 0]})[0]), 1)

    def test_a_signal_that_is_not_there_is_missing(self):
        self.assertEqual(compare(ramp(), ramp(name="y"))[1], ["x"])

    def test_spaces_in_names_do_not_count(self):
        self.assertEqual(compare(ramp(name="a[1, 2]"), ramp(name="a[1,2]")), ([], []))

    def test_a_result_that_ends_early_differs(self):
        self.assertEqual([d.signal for d in compare(ramp(), ramp(end=0.9))[0]], ["time"])

    def test_not_a_number_differs(self):
        self.assertEqual(len(compare(ramp(), {"time": [0, 1], "x": [0, float("nan")]})[0]), 1)


class Reading(unittest.TestCase):
    def test_csv_with_quotes_and_two_rows_at_an_event(self):
        self.assertEqual(read_csv('"Time","x"\n0,1\n0.5,2\n0.5,3\n'), {"time": [0, 0.5, 0.5], "x": [1, 2, 3]})

    def test_mat_with_aliases_and_constants(self):
        names = [b"time", b"x   ", b"-x  ", b"c   "]
        data = matrix("Aclass", 4, 11, [v for column in zip(*(
            text.ljust(11).encode() for text in ("Atrajectory", "1.1", "", "binTrans"))) for v in column], "B")
        data += matrix("name", 4, 4, list(b"".join(names)), "B")
        data += matrix("dataInfo", 4, 4, [0, 1, 0, -1, 2, 2, 0, -1, 2, -2, 0, -1, 1, 2, 0, 0], "i")
        data += matrix("data_1", 2, 2, [0, 5, 1, 5])
        data += matrix("data_2", 2, 3, [0, 7, 1, 8, 2, 9])
        self.assertEqual(read_mat4(data), {"time": [0, 1, 2], "x": [7, 8, 9], "-x": [-7, -8, -9], "c": [5, 5, 5]})
        self.assertEqual(list(read_mat4(data, {"x"})), ["time", "x"])


class Reports(unittest.TestCase):
    def test_settings_are_taken_from_the_reference(self):
        text = "StartTime=0\nStopTime=1.5 // from model\nInterval=0.0005 // x 0.5\nTolerance=1e-06 // default\n"
        self.assertEqual(compare_msl.experiment(text), ["--start", "0", "--stop", "1.5", "--rtol", "1e-06",
                                                        "--interval", "0.0005"])
        spaced = "StopTime = 1.0    // from experiment annotation\nInterval = 0.0002\n"
        self.assertEqual(compare_msl.experiment(spaced), ["--stop", "1.0", "--interval", "0.0002"])

    def test_sub_libraries(self):
        self.assertEqual(compare_msl.sub_library("Modelica.Mechanics.Rotational.Examples.First"),
                         "Mechanics.Rotational")
        self.assertEqual(compare_msl.sub_library("Modelica.Blocks.Examples.Noise.UniformNoise"), "Blocks")
        self.assertEqual(compare_msl.sub_library("ModelicaTest.Blocks.Limiters"), "ModelicaTest.Blocks")

    def test_failures_have_the_class_that_says_what_to_do(self):
        classify = compare_msl.classify
        self.assertEqual(classify(2, "error", "external function 'f' of 'A.f' is not available"),
                         ("not supported", "f"))
        self.assertEqual(classify(2, "error", "delay() is not supported yet")[0], "not supported")
        self.assertEqual(classify(3, "error", "E0104: a `;` is missing")[0], "parse")
        self.assertEqual(classify(3, "error", "E0304: the name is not known")[0], "flatten")
        self.assertEqual(classify(2, "error", "the model is structurally singular: ...")[0], "structurally singular")
        self.assertEqual(classify(4, "initialisation_failed", "no solution found")[0], "initialisation")
        self.assertEqual(classify(4, "newton_failed", "...")[0], "run time")
        self.assertEqual(classify(5, "time_limit", "...")[0], "time limit")
        self.assertEqual(classify(-11, "", ""), ("crash", "signal SIGSEGV"))

    def test_the_table_counts_by_library(self):
        records = [{"library": "A", "result": r, "wall_s": w}
                   for r, w in (("match", 1.0), ("differs", 2.0), ("no reference", 3.0), ("initialisation", 10.0))]
        self.assertEqual(compare_msl.table(records)[2].split(), ["A", "4", "1", "1", "1", "1", "2.500", "10.00"])


if __name__ == "__main__":
    unittest.main()
