#!/usr/bin/python3
"""PyTorch's time for the shapes of core_bench, to be read beside it: the same steps, each result kept.

Uses python3-torch where it is installed, and says so where it is not. One thread, as the engine has.
"""

import math
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("PyTorch is not installed for this Python; on Debian it is the package python3-torch.")

WIDTH, SENTENCE_WIDTH, HEADS = 64, 8, 4
SECONDS = 0.5  # for each shape


def attend(x, weights, causal):
    """Multi-head attention, step by step; gives every intermediate back, as a trace does."""
    w_q, w_k, w_v, w_o = weights
    n, width = x.shape
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    split = lambda a: a.reshape(n, HEADS, width // HEADS).transpose(0, 1)
    scores = split(q) @ split(k).transpose(1, 2)
    scaled = scores / math.sqrt(width // HEADS)
    masked = scaled.masked_fill(causal, -math.inf) if causal is not None else scaled
    shares = torch.softmax(masked, dim=-1)
    heads = shares @ split(v)
    joined = heads.transpose(0, 1).reshape(n, width)
    return q, k, v, scores, scaled, masked, shares, heads, joined, joined @ w_o


def microseconds(work):
    for _ in range(10):
        work()
    runs, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        work()
        runs += 1
    return (time.perf_counter() - start) / runs * 1e6


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    print(f"PyTorch {torch.__version__}, one thread, float32, {HEADS} heads; sentence: d = {SENTENCE_WIDTH}, else {WIDTH}")
    shapes = (
        ("multi_head_sentence", SENTENCE_WIDTH, (4, 8, 16), False),
        ("multi_head", WIDTH, (8, 64, 512), False),
        ("multi_head_causal", WIDTH, (8, 64, 512), True),
    )
    with torch.no_grad():
        for name, width, counts, masked in shapes:
            for n in counts:
                x = torch.randn(n, width)
                weights = [torch.randn(width, width) / math.sqrt(width) for _ in range(4)]
                causal = torch.ones(n, n, dtype=torch.bool).triu(1) if masked else None
                print(f"{name}/{n:<4} {microseconds(lambda: attend(x, weights, causal)):12.1f} us")


if __name__ == "__main__":
    main()
