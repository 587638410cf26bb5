#!/usr/bin/env python3
"""Reads a matrix in every format that `attenscope trace --step` writes, and compares it with the trace as JSON.

    check_matrices.py PROGRAM [trace arguments...]

Written from the formats' own descriptions with Python's standard library; none of Attenscope's readers are used.
Prints one line per error; the exit status is 1 if there are any.
"""

import ast
import csv
import io
import json
import math
import re
import struct
import subprocess
import sys
import zipfile

PROGRAM, ARGUMENTS = sys.argv[1], sys.argv[2:]
faults = []


def written(*more):
    return subprocess.run([PROGRAM, "trace", *ARGUMENTS, *more], capture_output=True, check=True).stdout


def single(number):
    """The nearest float32."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


def value(text):
    return single(float(text.replace("−", "-").replace("∞", "inf")))


def same(a, b):
    return a == b and math.copysign(1, a) == math.copysign(1, b)


def from_npy(data):
    """numpy/lib/format.py: magic, version 1.0, the header's length in two bytes, the header, the numbers."""
    assert data[:8] == b"\x93NUMPY\x01\x00", "magic"
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0, "the numbers do not begin at a multiple of 64"
    header = ast.literal_eval(data[10:10 + length].decode("latin1"))
    assert header["descr"] == "<f4" and header["fortran_order"] is False, header
    rows, cols = header["shape"]
    numbers = struct.unpack(f"<{rows * cols}f", data[10 + length:])
    return [list(numbers[r * cols:(r + 1) * cols]) for r in range(rows)]


def from_numpy_text(text, name):
    """Runs the text unchanged, with an `np` that has only the functions it may use."""
    class Np:
        inf, nan, float32 = math.inf, math.nan, "float32"

        @staticmethod
        def array(rows, dtype):
            assert dtype == "float32"
            return [[single(x) for x in row] for row in rows]

        @staticmethod
        def zeros(shape, dtype):
            return [[0.0] * shape[1] for _ in range(shape[0])]

    names = {"np": Np}
    exec(text, {"__builtins__": {}}, names)  # our own output
    return names[re.sub(r"[^A-Za-z0-9]", "_", name)]


def from_latex(text):
    body = re.search(r"\\begin\{bmatrix\}\n(.*)\\end\{bmatrix\}", text, re.S).group(1)
    columns = re.search(r"MaxMatrixCols\}\{(\d+)\}", text)
    rows = [[value(cell.strip().replace("\\infty", "inf")) for cell in row.split("&")]
            for row in body.split("\\\\")]
    assert (len(rows[0]) > 10) == bool(columns), "amsmath is not told of the columns"
    return rows


def from_markdown(text):
    lines = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in text.splitlines()]
    assert all(len(line) == len(lines[0]) for line in lines), "ragged"
    unescape = lambda cell: re.sub(r"\\(.)", r"\1", cell)
    return ([[value(cell) for cell in line[1:]] for line in lines[2:]], [unescape(line[0]) for line in lines[2:]],
            [unescape(cell) for cell in lines[0][1:]])


def compare(what, got, step, labels=None):
    expected = [[value(str(x)) for x in row] for row in step["values"]]
    if len(got) != len(expected) or any(len(a) != len(b) for a, b in zip(got, expected)):
        faults.append(f"{step['name']} as {what}: another shape")
    elif not all(same(a, b) for x, y in zip(got, expected) for a, b in zip(x, y)):
        faults.append(f"{step['name']} as {what}: other numbers")
    if labels and labels != (step["rows"]["labels"], step["columns"]["labels"]):
        faults.append(f"{step['name']} as {what}: labels {labels}")


def check(step):
    name = step["name"]
    get = lambda form, *more: written("--step", name, "--format", form, *more)
    table = list(csv.reader(io.StringIO(get("csv").decode())))
    compare("csv", [[value(x) for x in row[1:]] for row in table[1:]], step,
            ([row[0] for row in table[1:]], table[0][1:]))
    compare("tsv", [[value(x) for x in line.split("\t")] for line in get("tsv").decode().splitlines()], step)
    data = json.loads(get("json"))
    compare("json", [[value(str(x)) for x in row] for row in data["values"]], step, (data["rows"], data["columns"]))
    compare("npy", from_npy(get("npy")), step)
    archive = zipfile.ZipFile(io.BytesIO(get("npz")))
    labels = json.loads(archive.read("labels.json"))
    compare("npz", from_npy(archive.read(name + ".npy")), step, (labels["rows"], labels["columns"]))
    compare("numpy", from_numpy_text(get("numpy").decode(), name), step)
    compare("latex", from_latex(get("latex").decode()), step)
    numbers, rows, columns = from_markdown(get("markdown").decode())
    compare("markdown", numbers, step, (rows, columns))


trace = json.loads(written())
for one in trace["steps"]:
    check(one)
for fault in faults[:10]:
    print(fault)
sys.exit(1 if faults or not trace["steps"] else 0)
