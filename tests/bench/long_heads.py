#!/usr/bin/python3
"""The heads of long texts: CPU seconds and memory of the grid of all heads, and of a capture far larger than memory.

    tests/bench/long_heads.py [build/attenscope] [--layers 2] [--tokens 4096] [--folder DIR] [--whole]

For a checkpoint of GPT-2's small shape (of so many layers, random) `attenscope heads` and the picture of the grid are run
in turn; fails where the grid takes more than twice the CPU time. For a capture of 34 GB in F16 (32 layers of 32 heads,
files that take no room) the stage and the lines of one layer's heads are drawn; --whole: the grid of its 1,024 heads as
well, which reads all of it. Not part of the suite. Needs Debian's python3-numpy.
"""

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import torch_checkpoint

MOST = 2.0  # the grid's CPU time by that of `heads`
TIMES = 3


def used(command, home):
    """CPU seconds and the largest resident memory, in bytes, of one command."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "XDG_CONFIG_HOME": str(home)})
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)[:200]} ended with {status}")
    return usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss


def write_capture(folder, layers=32, heads=32, tokens=4096, shards=8):
    """As assets/python/attenscope_capture.py writes it in several processes; all weights but a few are 0."""
    folder.mkdir(parents=True, exist_ok=True)
    pieces, size = [], 2 * heads * tokens * tokens
    for shard in range(shards):
        name = f"a-rank{shard:05d}-of-{shards:05d}.safetensors"
        here = range(shard * layers // shards, (shard + 1) * layers // shards)
        header = {"__metadata__": {"index": "a.index.json"}}
        for i, layer in enumerate(here):
            header[f"attention_{layer}"] = {"dtype": "F16", "shape": [1, heads, tokens, tokens], "data_offsets": [i * size, (i + 1) * size]}
            pieces.append({"file": name, "tensor": f"attention_{layer}", "part": "", "layer": layer, "first_head": 0, "first_text": 0,
                           "shape": [1, heads, tokens, tokens]})
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(folder / name, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for i in range(len(here)):
                for row in range(0, tokens, 16):  # 1 on the token itself
                    file.seek(8 + len(text) + i * size + 2 * (row * tokens + row))
                    file.write(b"\x00\x3c")
            file.truncate(8 + len(text) + len(here) * size)
    (folder / "a.index.json").write_text(json.dumps({"format": 1, "heads": heads, "texts": 1, "attention_pieces": pieces}))
    return layers * size


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", nargs="?", default="build/attenscope")
    options.add_argument("--layers", type=int, default=2)
    options.add_argument("--tokens", type=int, default=4096)
    options.add_argument("--folder", type=Path)
    options.add_argument("--whole", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        torch_checkpoint.WORDS, torch_checkpoint.LAYERS = 2000, given.layers
        torch_checkpoint.write(folder / "gpt2")
        text = " ".join(f"w{i * 7919 % 1999}" for i in range(given.tokens))
        picture = ["--force", "-o", str(folder / "out.png")]
        of_model = ["--model", str(folder / "gpt2"), "--text", text]
        ratios = []
        for _ in range(TIMES):
            heads, _ = used([given.program, "heads", *of_model], folder)
            grid, memory = used([given.program, "render", *of_model, "--screen", "heads", "--page", "grid", *picture], folder)
            ratios.append(grid / heads)
            print(f"{12 * given.layers} heads of {given.tokens} tokens: heads {heads:.1f} s, grid {grid:.1f} s, {ratios[-1]:.2f} times; {memory / 1e9:.2f} GB")
        size = write_capture(folder / "capture")
        of_capture = [given.program, "render", "--attention", str(folder / "capture" / "a.index.json")]
        pages = [("the stage", ["--screen", "stage"]), ("the lines of 32 heads", ["--screen", "heads", "--page", "lines"])]
        if given.whole:
            pages.append(("the grid of 1,024 heads", ["--screen", "heads", "--page", "grid"]))
        for name, page in pages:
            seconds, memory = used([*of_capture, *page, *picture], folder)
            print(f"a capture of {size / 1e9:.1f} GB, {name}: {seconds:.1f} s, at most {memory / 1e9:.2f} GB")
        if min(ratios) > MOST:
            sys.exit(f"the grid takes more than {MOST} times the CPU time of `attenscope heads`")


if __name__ == "__main__":
    main()
