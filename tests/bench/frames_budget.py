#!/usr/bin/env python3
"""frames_budget.py FILE: checks the frame times during playback that app_bench --benchmark_out=FILE has measured.

A frame may take 4 ms of processor time on average, in every view. The usual time is a tenth to a quarter of that, so a
failure means that something has become several times slower; noise does not cause one. Prints the five most expensive views, and
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
