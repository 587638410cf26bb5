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

WIDTH, HEADS = 64, 4
SECONDS = 0.5  # for each shape


def attend(x, weights, causal):
    """Multi-head attention, step by step; gives every intermediate back, as a trace does."""
    w_q, w_k, w_v, w_o = weights
    n = x.shape[0]
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    split = lambda a: a.reshape(n, HEADS, WIDTH // HEADS).transpose(0, 1)
    scores = split(q) @ split(k).transpose(1, 2)
    scaled = scores / math.sqrt(WIDTH // HEADS)
    masked = scaled.masked_fill(causal, -math.inf) if causal is not None else scaled
    shares = torch.softmax(masked, dim=-1)
    heads = shares @ split(v)
    joined = heads.transpose(0, 1).reshape(n, WIDTH)
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
    print(f"PyTorch {torch.__version__}, one thread, float32, d = {WIDTH}, {HEADS} heads")
    with torch.no_grad():
        for name, masked in (("multi_head", False), ("multi_head_causal", True)):
            for n in (8, 64, 512):
                x = torch.randn(n, WIDTH)
                weights = [torch.randn(WIDTH, WIDTH) / math.sqrt(WIDTH) for _ in range(4)]
                causal = torch.ones(n, n, dtype=torch.bool).triu(1) if masked else None
                print(f"{name}/{n:<4} {microseconds(lambda: attend(x, weights, causal)):12.1f} us")


if __name__ == "__main__":
    main()
