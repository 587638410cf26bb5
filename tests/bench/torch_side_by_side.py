#!/usr/bin/python3
"""Compares our engine's time with PyTorch's: the same steps, every result retained, interleaved in one run.

    tests/bench/torch_side_by_side.py [build/tests/tests/side_by_side]

Needs Debian's python3-torch and libopenblas0-pthread: without the latter PyTorch's products run the reference BLAS, five
to twenty times slower, which would be no fair comparison. If one is missing, it says so and exits with status 77. Other programs
on the machine make the figures noisy: use the smallest times ("best"), and run nothing else.
"""

import argparse
import math
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

MISSING = 77
HEADS, WIDTH, LAYERS, DEEP_WIDTH, DEEP_HEADS = 4, 64, 12, 768, 12
AIMS = {"attention/8": 0.15, "attention/64": 0.6, "attention/512": 1.0,
        "blocks/16": 1.0, "blocks/64": 1.1, "blocks/256": 1.1}
PEAK_AIM = 0.7


def blas_in_use():
    """The library file that provides PyTorch's BLAS, found after one product was computed."""
    with open("/proc/self/maps") as maps:
        files = {line.split()[-1] for line in maps if "blas" in line.lower()}
    return sorted(files)


def load_torch(threads):
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed for this Python; on Debian it is the package python3-torch.")
        sys.exit(MISSING)
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    torch.set_grad_enabled(False)
    torch.randn(64, 64) @ torch.randn(64, 64)
    files = blas_in_use()
    if not any("openblas" in file for file in files):
        print(f"PyTorch's products run {files or 'no BLAS that can be seen'}, not OpenBLAS: no fair pair.")
        print("Install libopenblas0-pthread.")
        sys.exit(MISSING)
    return torch, [file for file in files if "openblas" in file][0]


def split(torch, a, heads):
    n, width = a.shape
    return a.reshape(n, heads, width // heads).transpose(0, 1)


def attend(torch, x, weights, heads, causal, keep):
    """Multi-head attention step by step; every intermediate value is retained, as in a trace."""
    w_q, w_k, w_v, w_o = weights
    n, width = x.shape
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = split(torch, q, heads) @ split(torch, k, heads).transpose(1, 2)
    scaled = scores / math.sqrt(width // heads)
    masked = scaled.masked_fill(causal, -math.inf) if causal is not None else scaled
    shares = torch.softmax(masked, dim=-1)
    mixed = shares @ split(torch, v, heads)
    joined = mixed.transpose(0, 1).reshape(n, width)
    out = joined @ w_o
    keep += [q, k, v, scores, scaled, masked, shares, mixed, joined, out]
    return out


def attention(torch, n):
    x = torch.randn(n, WIDTH)
    weights = [torch.randn(WIDTH, WIDTH) / math.sqrt(WIDTH) for _ in range(4)]
    return lambda: attend(torch, x, weights, HEADS, None, [])


def blocks(torch, n):
    """Twelve blocks of GPT-2's shape: pre-norm, causal, GELU with the tanh approximation."""
    d = DEEP_WIDTH
    first = torch.randn(n, d)
    causal = torch.ones(n, n, dtype=torch.bool).triu(1)
    layers = [([torch.randn(d, d) * 0.02 for _ in range(4)], torch.ones(d), torch.zeros(d), torch.ones(d), torch.zeros(d),
               torch.randn(d, 4 * d) * 0.02, torch.zeros(4 * d), torch.randn(4 * d, d) * 0.02, torch.zeros(d))
              for _ in range(LAYERS)]

    def work():
        keep, x = [], first
        for weights, gain, bias, gain2, bias2, up, up_bias, down, down_bias in layers:
            normed = torch.nn.functional.layer_norm(x, (d,), gain, bias)
            attended = attend(torch, normed, weights, DEEP_HEADS, causal, keep)
            middle = x + attended
            normed2 = torch.nn.functional.layer_norm(middle, (d,), gain2, bias2)
            product = normed2 @ up
            inner = product + up_bias
            bent = torch.nn.functional.gelu(inner, approximate="tanh")
            product2 = bent @ down
            result = product2 + down_bias
            x = middle + result
            keep += [normed, middle, normed2, product, inner, bent, product2, result, x]
        return torch.nn.functional.layer_norm(x, (d,)), keep

    return work


class Ours:
    def __init__(self, program, threads):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.width = self.ask(f"threads {threads}")

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("error"):
            sys.exit(f"side_by_side answered {answer!r} to {line!r}")
        return answer


def timed(work, times):
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times * 1e6


def pair(torch, ours, shape, rounds, seconds):
    """Alternates the two, so that other load on the machine affects both."""
    name, n = shape.split("/")
    work = {"attention": attention, "blocks": blocks}[name](torch, int(n))
    for _ in range(3):
        first = timed(work, 1)
        ours.ask(f"run {shape} 1")
    times = max(1, int(seconds * 1e6 / first))
    mine, theirs = [], []
    for _ in range(rounds):
        mine.append(float(ours.ask(f"run {shape} {times}")))
        theirs.append(timed(work, times))
    return mine, theirs


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = Path(__file__).resolve().parents[2]
    options.add_argument("program", nargs="?", default=here / "build/tests/tests/side_by_side", type=Path)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--seconds", type=float, default=0.2, help="of each turn")
    options.add_argument("--shape", action="append", choices=AIMS, help="only this; may be repeated")
    given = options.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(given.threads))
    torch, blas = load_torch(given.threads)
    if not given.program.exists():
        sys.exit(f"{given.program} is not there; build it: ninja side_by_side, with -DATTN_TESTS=ON")
    ours = Ours(str(given.program), given.threads)
    print(f"PyTorch {torch.__version__} with {blas}; ours with {ours.width}; {given.threads} threads, {given.rounds} turns")
    print(f"{'shape':<14} {'ours best':>11} {'median':>11} {'PyTorch best':>13} {'median':>11}   ours : PyTorch  best  median   aim")
    for shape in given.shape or AIMS:
        mine, theirs = pair(torch, ours, shape, given.rounds, given.seconds)
        best, middle = min(mine) / min(theirs), statistics.median(a / b for a, b in zip(mine, theirs))
        print(f"{shape:<14} {min(mine):>8.1f} us {statistics.median(mine):>8.1f} us {min(theirs):>10.1f} us"
              f" {statistics.median(theirs):>8.1f} us  {'':<14} {best:>5.2f}  {middle:>6.2f}  {AIMS[shape]:>4}", flush=True)
    if not given.shape:
        peaks, products = [], []
        for _ in range(20 * given.rounds):
            peaks.append(float(ours.ask("peak")))
            products.append(float(ours.ask("product")))
        if max(peaks) > 0:
            print(f"one thread: at most {max(peaks):.1f} multiply-adds a nanosecond in registers, {max(products):.1f} in a 256×768"
                  f" by 768×768 product: {max(products) / max(peaks):.0%} of the peak (aim {PEAK_AIM:.0%})")


if __name__ == "__main__":
    main()
