#!/usr/bin/python3
"""A checkpoint of Llama 3's 8 B shape in BF16, listed and run: time, memory, seconds a layer.

    tests/bench/large_checkpoint.py [build/attenscope] [--folder DIR] [--layers 32] [--tokens 12]

Writes 16 GB that take no room: a header and zeros that the file system does not store. What is measured does not depend
on the numbers. Not part of the suite.
"""

import argparse
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WIDTH, INNER, HEADS, GROUPS, WORDS = 4096, 14336, 32, 8, 128256


def shapes(layers):
    yield "model.embed_tokens.weight", (WORDS, WIDTH)
    for layer in range(layers):
        of = f"model.layers.{layer}."
        for name, rows in (("q", WIDTH), ("k", WIDTH * GROUPS // HEADS), ("v", WIDTH * GROUPS // HEADS), ("o", WIDTH)):
            yield f"{of}self_attn.{name}_proj.weight", (rows, WIDTH)
        yield of + "mlp.gate_proj.weight", (INNER, WIDTH)
        yield of + "mlp.up_proj.weight", (INNER, WIDTH)
        yield of + "mlp.down_proj.weight", (WIDTH, INNER)
        yield of + "input_layernorm.weight", (WIDTH,)
        yield of + "post_attention_layernorm.weight", (WIDTH,)
    yield "model.norm.weight", (WIDTH,)
    yield "lm_head.weight", (WORDS, WIDTH)


def write(folder, layers):
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": "llama", "hidden_size": WIDTH, "intermediate_size": INNER, "num_hidden_layers": layers,
              "num_attention_heads": HEADS, "num_key_value_heads": GROUPS, "vocab_size": WORDS, "rms_norm_eps": 1e-05,
              "rope_theta": 500000.0, "max_position_embeddings": 8192, "hidden_act": "silu", "tie_word_embeddings": False}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.json").write_text(json.dumps({f"w{i}": i for i in range(WORDS)}))
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, shape in shapes(layers):
        size = 2 * math.prod(shape)
        header[name] = {"dtype": "BF16", "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + at)
    return at


def timed(command):
    """Seconds and the largest resident memory, in bytes, of one command."""
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{command} ended with {status}")
    return time.monotonic() - began, 1024 * used.ru_maxrss


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", nargs="?", default="build/attenscope")
    options.add_argument("--folder", type=Path)
    options.add_argument("--layers", type=int, default=32)
    options.add_argument("--tokens", type=int, default=12)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary) / "llama-8b"
        size = write(folder, given.layers)
        print(f"{size / 1e9:.1f} GB of weights in BF16, {given.layers} layers")
        text = " ".join(f"w{i}" for i in range(given.tokens))
        for name, command in (("listed (attenscope model)", ["model", str(folder)]),
                              (f"run over {given.tokens} tokens (attenscope next)", ["next", "--model", str(folder), "--text", text])):
            seconds, memory = timed([given.program, *command])
            each = f", {seconds / given.layers:.2f} s a layer" if command[0] == "next" else ""
            print(f"{name}: {seconds:.1f} s, at most {memory / 1e9:.2f} GB{each}")


if __name__ == "__main__":
    main()
