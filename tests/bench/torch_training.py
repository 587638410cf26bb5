#!/usr/bin/python3
"""Compares the time of our training step with PyTorch's, on a model of the shape of the included small language model.

    tests/bench/torch_training.py [build/tests/tests/side_by_side]

Four layers of width 128 with four heads, root-mean-square norms, rotary positions and gated layers, 4096 pieces whose
vectors are the output matrix, too; 32 examples of 64 tokens per step, forwards, backwards, clipped, AdamW. Both alternate in
one run, as in torch_side_by_side.py, which lists the required packages; the exit status is 77 if they are missing.
"""

import argparse
import math
import os
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from torch_side_by_side import Ours, load_torch, timed  # noqa: E402

WIDTH, HEADS, LAYERS, INNER, WORDS, TOKENS, BATCH = 128, 4, 4, 344, 4096, 64, 32
HEAD = WIDTH // HEADS
AIM = 0.7


def make(torch):
    def matrix(rows, cols):
        return torch.nn.Parameter(torch.randn(rows, cols) * 0.5 / math.sqrt(rows))

    words = torch.nn.Parameter(torch.randn(WORDS, WIDTH) * 0.03)
    layers = [{**{name: matrix(WIDTH, WIDTH) for name in "qkvo"}, "up": matrix(WIDTH, INNER), "side": matrix(WIDTH, INNER),
               "down": matrix(INNER, WIDTH), "gain": torch.nn.Parameter(torch.ones(WIDTH)),
               "gain2": torch.nn.Parameter(torch.ones(WIDTH))} for _ in range(LAYERS)]
    last = torch.nn.Parameter(torch.ones(WIDTH))
    angles = torch.outer(torch.arange(TOKENS).float(), 10000.0 ** (-torch.arange(0, HEAD, 2).float() / HEAD))
    cosine, sine = angles.cos(), angles.sin()
    future = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
    parameters = [words, last] + [one for layer in layers for one in layer.values()]
    optimizer = torch.optim.AdamW(parameters, lr=0.001, weight_decay=0.05, foreach=True)

    def norm(x, gain):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * gain

    def heads(x):
        return x.view(BATCH, TOKENS, HEADS, HEAD).transpose(1, 2)

    def turned(x):
        a, b = x[..., : HEAD // 2], x[..., HEAD // 2 :]
        return torch.cat([a * cosine - b * sine, b * cosine + a * sine], -1)

    def step():
        text, targets = torch.randint(WORDS, (BATCH, TOKENS)), torch.randint(WORDS, (BATCH, TOKENS))
        x = words[text]
        for layer in layers:
            y = norm(x, layer["gain"])
            q, k, v = turned(heads(y @ layer["q"])), turned(heads(y @ layer["k"])), heads(y @ layer["v"])
            scores = (q @ k.transpose(-1, -2) / math.sqrt(HEAD)).masked_fill(future, -math.inf)
            x = x + (scores.softmax(-1) @ v).transpose(1, 2).reshape(BATCH, TOKENS, WIDTH) @ layer["o"]
            y = norm(x, layer["gain2"])
            x = x + (torch.nn.functional.silu(y @ layer["up"]) * (y @ layer["side"])) @ layer["down"]
        loss = torch.nn.functional.cross_entropy((norm(x, last) @ words.T).view(-1, WORDS), targets.view(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()

    return step


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = Path(__file__).resolve().parents[2]
    options.add_argument("program", nargs="?", default=here / "build/tests/tests/side_by_side", type=Path)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--rounds", type=int, default=12)
    given = options.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(given.threads))
    torch, blas = load_torch(given.threads)
    torch.set_grad_enabled(True)
    if not given.program.exists():
        sys.exit(f"{given.program} is not there; build it: ninja side_by_side, with -DATTN_TESTS=ON")
    ours, step = Ours(str(given.program), given.threads), make(torch)
    for _ in range(2):
        ours.ask("train 1")
        timed(step, 1)
    mine, theirs = [], []
    for _ in range(given.rounds):
        mine.append(float(ours.ask("train 1")) / 1000)
        theirs.append(timed(step, 1) / 1000)
    middle = statistics.median(a / b for a, b in zip(mine, theirs))
    print(f"PyTorch {torch.__version__} with {blas}; ours with {ours.width}; {given.threads} threads, {given.rounds} turns")
    print(f"a step: ours best {min(mine):.0f} ms, median {statistics.median(mine):.0f}; PyTorch best {min(theirs):.0f} ms, median "
          f"{statistics.median(theirs):.0f}; ours : PyTorch best {min(mine) / min(theirs):.2f}, median {middle:.2f} (aim {AIM})")


if __name__ == "__main__":
    main()
