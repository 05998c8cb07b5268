"""Reading of trajectories and comparison of two of them, as the reference results of the Modelica library are meant.

A trajectory is a dictionary: name -> list of numbers, "time" among them. At events two rows have the same time.

    compare(reference, result): at each time t of the reference a value of the result (of several, at an event, one) must
    lie in the band
        [min - dy, max + dy] of the reference over |t' - t| <= width * (t_end - t_begin),
        dy = max(tolerance * max(range, 1e-3 * largest magnitude), floor)
    range and magnitude those of the signal in the reference. The floor is for signals that are zero but for rounding.
"""

import bisect
import collections
import csv
import struct

TOLERANCE = 2e-3
WIDTH = 2e-3
FLOOR = 1e-8

Difference = collections.namedtuple("Difference", "signal time result low high points")


def read_csv(text):
    rows = csv.reader(text.splitlines())
    names = [name.strip() for name in next(rows)]
    names = ["time" if name.lower() == "time" else name for name in names]
    columns = list(zip(*([float(x) for x in row] for row in rows if row)))
    return {name: list(column) for name, column in zip(names, columns)}


def _mat4_matrices(data):
    """name -> (rows, columns, offset, letter of the element type) of a little-endian MAT file of version 4."""
    matrices, at = {}, 0
    while at < len(data):
        kind, rows, columns, imaginary, length = struct.unpack_from("<5i", data, at)
        if kind >= 1000 or imaginary:
            raise ValueError("not a little-endian real MAT-4 matrix")
        letter = "dfihHB"[kind // 10 % 10]
        name = data[at + 20:at + 20 + length].rstrip(b"\0").decode()
        at += 20 + length
        matrices[name] = (rows, columns, at, letter)
        at += rows * columns * struct.calcsize(letter)
    return matrices


def read_mat4(data, wanted=None):
    """The signals `wanted` (None: all) of a result file with the matrices Aclass, name, dataInfo, data_1, data_2."""
    matrices = _mat4_matrices(data)

    def element(name, row, column):
        rows, _, at, letter = matrices[name]
        return struct.unpack_from("<" + letter, data, at + (row + column * rows) * struct.calcsize(letter))[0]

    rows, columns, at, _ = matrices["Aclass"]
    transposed = b"binTrans" in bytes(data[at:at + rows * columns])[3::rows]

    def entry(name, item, field):  # item: a variable or an instant
        return element(name, field, item) if transposed else element(name, item, field)

    def count(name):
        return matrices[name][1 if transposed else 0]

    length = matrices["name"][0 if transposed else 1]
    result = {}
    instants = count("data_2")
    for k in range(count("name")):
        if transposed:
            start = matrices["name"][2] + k * length
            name = data[start:start + length]
        else:
            name = bytes(element("name", k, i) for i in range(length))
        name = name.decode().rstrip("\0 ")
        if wanted is not None and k > 0 and name.replace(" ", "") not in wanted:
            continue
        table, column = int(entry("dataInfo", k, 0)), int(entry("dataInfo", k, 1))
        sign, column = (-1 if column < 0 else 1), abs(column) - 1
        if table == 1:
            values = [sign * entry("data_1", 0, column)] * instants
        else:
            height, _, start, letter = matrices["data_2"]
            size = struct.calcsize(letter)
            if transposed:
                values = [sign * struct.unpack_from("<" + letter, data, start + (column + i * height) * size)[0]
                          for i in range(instants)]
            else:
                values = [sign * v for v in
                          struct.unpack_from(f"<{height}{letter}", data, start + column * height * size)]
        result["time" if k == 0 else name] = values
    return result


def _window_extremes(times, values, half_width):
    """Minimum and maximum of the values over [t - half_width, t + half_width] at each t of `times`."""
    low, high = [], []
    smallest, largest = collections.deque(), collections.deque()  # indices, values rising / falling
    after = 0
    for t in times:
        while after < len(times) and times[after] <= t + half_width:
            for queue, keeps in ((smallest, lambda a, b: a < b), (largest, lambda a, b: a > b)):
                while queue and not keeps(values[queue[-1]], values[after]):
                    queue.pop()
                queue.append(after)
            after += 1
        for queue, out in ((smallest, low), (largest, high)):
            while times[queue[0]] < t - half_width:
                queue.popleft()
            out.append(values[queue[0]])
    return low, high


def _values_at(times, values, at):
    """The values at ascending times `at`: one, linear between rows and beyond the ends the nearest; at an event, which has
    several rows of one time, those of all of them."""
    out, k = [], 0
    for t in at:
        while k + 1 < len(times) and times[k + 1] <= t:
            k += 1
        if times[k] == t:
            first = k
            while first > 0 and times[first - 1] == t:
                first -= 1
            out.append(values[first:k + 1])
        elif k + 1 == len(times) or t < times[k]:
            out.append([values[k]])
        else:
            part = (t - times[k]) / (times[k + 1] - times[k])
            out.append([values[k] + part * (values[k + 1] - values[k])])
    return out


def compare(reference, result, signals=None, tolerance=TOLERANCE, width=WIDTH, floor=FLOOR):
    """(differences, missing): the signals that leave the band, with the first instant at which they do (by signal), and
    those that the result does not have. A result that ends early differs in "time"."""
    def plain(name):
        return name.replace(" ", "")

    columns = {plain(name): values for name, values in result.items()}
    times = reference["time"]
    differences, missing = [], []
    end = times[-1]
    if columns["time"][-1] < end - 1e-9 * max(1, abs(end)):
        differences.append(Difference("time", columns["time"][-1], columns["time"][-1], end, end, 1))
    for name in signals if signals is not None else reference:
        if plain(name) == "time":
            continue
        if name not in reference:
            continue  # the reference did not store it
        if plain(name) not in columns:
            missing.append(name)
            continue
        values = reference[name]
        spread = max(values) - min(values)
        dy = max(tolerance * max(spread, 1e-3 * max(abs(v) for v in values)), floor)
        low, high = _window_extremes(times, values, width * (end - times[0]))
        found = _values_at(columns["time"], columns[plain(name)], times)
        count = bisect.bisect_right(times, columns["time"][-1])
        outside = [i for i in range(count) if not any(low[i] - dy <= v <= high[i] + dy for v in found[i])]
        if outside:
            i = outside[0]
            differences.append(Difference(name, times[i], found[i][-1], low[i] - dy, high[i] + dy, len(outside)))
    return differences, missing
