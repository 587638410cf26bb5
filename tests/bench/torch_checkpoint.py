#!/usr/bin/python3
"""A checkpoint of GPT-2's small shape, timed in our engine and in PyTorch: the same seeded weights and texts, interleaved in one run.

    tests/bench/torch_checkpoint.py [build/tests/tests/checkpoint_side] [--folder DIR]

Writes the checkpoint (500 MB, 4,096 positions, random weights) into DIR, or into a folder that is removed afterwards.
PyTorch retains every value of its pass; ours are retained, or recomputed when they are read. Needs the same packages as
torch_side_by_side.py. `--write` only writes the checkpoint.
"""

import argparse
import json
import math
import os
import statistics
import struct
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from torch_side_by_side import Ours, load_torch

LAYERS, HEADS, WIDTH, WORDS, PLACES = 12, 12, 768, 50257, 4096
AIMS = {16: 0.9, 64: 0.9, 256: 0.9, 1024: 0.6}


def shapes():
    yield "wte.weight", (WORDS, WIDTH)
    yield "wpe.weight", (PLACES, WIDTH)
    for layer in range(LAYERS):
        h = f"h.{layer}."
        for name, rows, cols in (("attn.c_attn", WIDTH, 3 * WIDTH), ("attn.c_proj", WIDTH, WIDTH),
                                 ("mlp.c_fc", WIDTH, 4 * WIDTH), ("mlp.c_proj", 4 * WIDTH, WIDTH)):
            yield h + name + ".weight", (rows, cols)
            yield h + name + ".bias", (cols,)
        for name in ("ln_1", "ln_2"):
            yield h + name + ".weight", (WIDTH,)
            yield h + name + ".bias", (WIDTH,)
    yield "ln_f.weight", (WIDTH,)
    yield "ln_f.bias", (WIDTH,)


def write(folder):
    """Writes config.json, vocab.json (w0, w1 …) and model.safetensors, from a seed."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": "gpt2", "n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "n_positions": PLACES, "n_inner": None,
              "activation_function": "gelu_new", "layer_norm_epsilon": 1e-05, "vocab_size": WORDS}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.json").write_text(json.dumps({f"w{i}": i for i in range(WORDS)}))
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, shape in shapes():
        size = 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    rng = np.random.default_rng(1)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name, shape in shapes():
            around = 1.0 if "ln_" in name and name.endswith("weight") else 0.0
            file.write((around + 0.02 * rng.standard_normal(shape, np.float32)).astype(np.float32).tobytes())


class Theirs:
    def __init__(self, torch, folder):
        self.torch, self.turn = torch, 0
        with open(folder / "model.safetensors", "rb") as file:
            size = struct.unpack("<Q", file.read(8))[0]
            header = json.loads(file.read(size))
            raw = file.read()
        self.t = {}
        for name, place in header.items():
            if name != "__metadata__":
                first, past = place["data_offsets"]
                self.t[name] = torch.from_numpy(np.frombuffer(raw[first:past], np.float32).reshape(place["shape"]).copy())

    def run(self, n):
        torch, t, keep = self.torch, self.t, []
        self.turn += 1
        ids = torch.tensor([(i * 131 + self.turn * 7919 + i * i) % WORDS for i in range(n)])
        hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
        split = lambda a: a.reshape(n, HEADS, WIDTH // HEADS).transpose(0, 1)
        x = t["wte.weight"][ids] + t["wpe.weight"][:n]
        for layer in range(LAYERS):
            h = f"h.{layer}."
            linear = lambda a, name: torch.addmm(t[h + name + ".bias"], a, t[h + name + ".weight"])
            norm = lambda a, name: torch.nn.functional.layer_norm(a, (WIDTH,), t[h + name + ".weight"], t[h + name + ".bias"])
            normed = norm(x, "ln_1")
            q, k, v = linear(normed, "attn.c_attn").split(WIDTH, 1)
            scores = split(q) @ split(k).transpose(1, 2)
            scaled = scores / math.sqrt(WIDTH // HEADS)
            masked = scaled.masked_fill(hidden, -math.inf)
            weights = torch.softmax(masked, dim=-1)
            mixed = weights @ split(v)
            joined = mixed.transpose(0, 1).reshape(n, WIDTH)
            attended = linear(joined, "attn.c_proj")
            middle = x + attended
            normed2 = norm(middle, "ln_2")
            up = linear(normed2, "mlp.c_fc")
            bent = torch.nn.functional.gelu(up, approximate="tanh")
            down = linear(bent, "mlp.c_proj")
            x = middle + down
            keep += [normed, q, k, v, scores, scaled, masked, weights, mixed, joined, attended, middle, normed2, up, bent, down, x]
        out = torch.nn.functional.layer_norm(x, (WIDTH,), t["ln_f.weight"], t["ln_f.bias"])
        logits = out @ t["wte.weight"].T
        return keep + [out, logits, torch.softmax(logits, dim=-1)]

    def timed(self, n, times):
        start = time.perf_counter()
        for _ in range(times):
            self.run(n)
        return (time.perf_counter() - start) / times * 1e6

    def products(self, n):
        """The matrix products of the pass without the logits: the model's weights times arbitrary numbers of the same
        shapes."""
        torch, of_head = self.torch, (HEADS, n, WIDTH // HEADS)
        stream, inner, squares = torch.rand(n, WIDTH), torch.rand(n, 4 * WIDTH), torch.rand(HEADS, n, n)
        q, k, v = torch.rand(of_head), torch.rand(of_head), torch.rand(of_head)
        start = time.perf_counter()
        for layer in range(LAYERS):
            h = f"h.{layer}."
            for left, name in ((stream, "attn.c_attn"), (stream, "attn.c_proj"), (stream, "mlp.c_fc"), (inner, "mlp.c_proj")):
                torch.mm(left, self.t[h + name + ".weight"])
            torch.bmm(q, k.transpose(1, 2))
            torch.bmm(squares, v)
        return (time.perf_counter() - start) * 1e6


def in_turn(*timed):
    """Alternates the two, each after the other's threads have stopped waiting for more work."""
    took = []
    for one in timed:
        time.sleep(0.3)
        took.append(one())
    return took


def measure(folder, given):
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(given.threads))
    torch, blas = load_torch(given.threads)
    theirs, ours = Theirs(torch, folder), Ours(str(given.program), given.threads)
    ask = lambda line: [float(word) for word in ours.ask(line).split()]
    ask(f"open {folder} 16")
    print(f"PyTorch {torch.__version__} with {blas}; {given.threads} threads; load {os.getloadavg()[0]:.1f} at the start")
    for n in given.tokens:
        mine, others, products, blas_products = [], [], [], []
        for turn in range(given.rounds + 1):
            a, b, c, d = in_turn(lambda: ask(f"run {n} 1")[0], lambda: theirs.timed(n, 1), lambda: ask(f"products {n}")[0], lambda: theirs.products(n))
            if turn > 0:
                mine.append(a), others.append(b), products.append(c), blas_products.append(d)
        median_of = lambda beside: statistics.median(a / b for a, b in zip(mine, beside))
        print(f"{n:>5} tokens: ours {min(mine) / 1e3:>8.1f} ms (median {statistics.median(mine) / 1e3:.1f}), PyTorch {min(others) / 1e3:>8.1f} ms"
              f" (median {statistics.median(others) / 1e3:.1f}); best {min(mine) / min(others):.2f}, median {median_of(others):.2f}, aim {AIMS.get(n, 0)};"
              f" beside the products alone (aim 1.1): PyTorch's {min(blas_products) / 1e3:.1f} ms, best {min(mine) / min(blas_products):.2f}, median"
              f" {median_of(blas_products):.2f}; our own {min(products) / 1e3:.1f} ms, best {min(mine) / min(products):.2f}, median {median_of(products):.2f}", flush=True)
    n = max(given.tokens)
    held, everything, squares = ask(f"held {n}")
    print(f"held at {n} tokens: {held / 1e6:.0f} MB of {everything / 1e6:.0f} MB ({held / everything:.3f}, aim 0.15); n×n alone {squares / 1e6:.0f} MB"
          f" ({held / squares:.3f} of these)")
    print(f"one head's weights back at {n} tokens: {min(ask(f'head {n} 12')[0] for _ in range(5)) / 1e3:.2f} ms (aim 10)")
    opened, reads, skims = [], [], []
    for _ in range(given.rounds + 1):
        held, skimmed = ask(f"read {folder}")
        reads.append(held), skims.append(skimmed)
        opened.append(ask(f"open {folder} 16"))
    first = min(a[1] for a in opened)
    print(f"opening to the run of 16 tokens: {first / 1e3:.0f} ms ({min(a[0] for a in opened) / 1e3:.0f} ms of it opening), reading the file once into memory "
          f"{min(reads) / 1e3:.0f} ms: {first / min(reads):.2f} (aim 1.3); through a buffer that forgets it {min(skims) / 1e3:.0f} ms: "
          f"{first / min(skims):.2f}")
    now, most = ask("resident")
    print(f"resident {now / 1e6:.0f} MB, at most {most / 1e6:.0f} MB")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = Path(__file__).resolve().parents[2]
    options.add_argument("program", nargs="?", default=here / "build/tests/tests/checkpoint_side", type=Path)
    options.add_argument("--folder", type=Path)
    options.add_argument("--write", action="store_true")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--tokens", type=int, action="append")
    given = options.parse_args()
    given.tokens = given.tokens or list(AIMS)
    with tempfile.TemporaryDirectory() as room:
        folder = given.folder or Path(room)
        if not (folder / "model.safetensors").exists():
            write(folder)
        if not given.write:
            measure(folder, given)


if __name__ == "__main__":
    main()
