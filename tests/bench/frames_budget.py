#!/usr/bin/env python3
"""frames_budget.py FILE: judges what app_bench --benchmark_out=FILE measured of frames while something plays.

A frame may cost 4 ms of our processor time on average, in every view; the usual is a tenth of it to a quarter, so what
fails here has become several times slower and is not the noise of a machine. Prints the five most expensive views, and
the longest single frame, which is not judged.
"""

import json
import sys

BUDGET = 4.0  # ms


def main(path):
    with open(path, encoding="utf-8") as file:
        rows = [r for r in json.load(file)["benchmarks"] if r["name"].startswith("playing/")]
    broken = [r["name"] for r in rows if r.get("error_occurred")]
    rows = sorted((r for r in rows if "cpu_time" in r and not r.get("error_occurred")), key=lambda r: -r["cpu_time"])
    for row in rows[:5]:
        print(f'{row["cpu_time"]:6.2f} ms a frame, the longest {row["longest_ms"]:6.2f} ms: {row["name"]}')
    late = [r["name"] for r in rows if r["cpu_time"] > BUDGET]
    for name in late:
        print(f"over {BUDGET:g} ms of the processor a frame: {name}")
    for name in broken:
        print(f"could not be measured: {name}")
    print(f"{len(rows)} views while they play, {len(late)} over their budget")
    return 1 if late or broken or not rows else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
