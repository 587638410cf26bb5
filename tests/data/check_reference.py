#!/usr/bin/python3
"""Regenerates reference.json and compares: a reference that cannot be regenerated proves nothing.

The documents and the steps' names must be the same to the letter, and each number to 1e-7 of the largest of its step:
eight digits are written, and another machine's NumPy may sum in another order. Prints the differences; the exit status is 1
if there are any. Run without arguments.
"""

import json
import math
import sys

import reference

CLOSE = 1e-7
LISTED = 10


def numbers(rows):
    return [-math.inf if v == "-inf" else float(v) for row in rows for v in row]


def differences(old, new):
    """Describes the differences between two cases."""
    if old["document"] != new["document"]:
        yield "the document is another"
        return
    if list(old["steps"]) != list(new["steps"]):
        yield "the steps have other names"
        return
    if old["all_masked"] != new["all_masked"]:
        yield "other rows are wholly masked"
    for name, rows in old["steps"].items():
        if [len(row) for row in rows] != [len(row) for row in new["steps"][name]]:
            yield f"{name} has another shape"
            continue
        before, now = numbers(rows), numbers(new["steps"][name])
        size = max([abs(v) for v in before if math.isfinite(v)], default=0.0)
        for at, (a, b) in enumerate(zip(before, now)):
            if a != b and not abs(a - b) <= CLOSE * size:
                yield f"{name}: number {at + 1} is {b!r}, was {a!r}"
                break


def main():
    text = reference.OUT.read_text()
    made = reference.text()
    if made == text:
        print("reference.json: made again, the same to the byte")
        return 0
    old, new = json.loads(text)["cases"], json.loads(made)["cases"]
    found = [] if len(old) == len(new) else [f"{len(new)} documents, were {len(old)}"]
    for at, (a, b) in enumerate(zip(old, new)):
        found += [f"document {at + 1} ({a['document']['variant']}): {what}" for what in differences(a, b)]
    print("\n".join(found[:LISTED]) if found else f"reference.json: made again, the same to {CLOSE:g}")
    if len(found) > LISTED:
        print(f"and {len(found) - LISTED} more")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
