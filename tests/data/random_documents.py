#!/usr/bin/python3
"""Random documents with the float64 numbers of every step, for tests/core/random_reference_test.cpp.

    random_documents.py COUNT SEED FOLDER

Half of them stand together by the definitions (as in reference.py); the other half takes any row of every table, so that
most are to be refused. What cannot be computed to 1e-5 in float32 by anybody has no steps: it is only asked whether it
runs. That is measured: each document is computed once more with every step rounded as float32 might, and has steps only
where that hardly changes the later ones. Files of a hundred documents each: 1.json, 2.json …
"""

import json
import pathlib
import sys

import numpy as np

import reference
import reference_attention as attention
import reference_forms as models
from reference_steps import ONE, IllConditioned, Steps

A_FILE = 100
ROUNDINGS = 4 * 2**-24  # of a number, at most
STRAY = 2.5e-6          # of a step's largest number: a quarter of what the test allows
TABLES = {"score": attention.SCORES, "mask": attention.MASKS, "position": attention.POSITIONS, "scope": attention.SCOPES,
          "selection": attention.SELECTIONS, "gate": ["none", "sigmoid"], "temperature": reference.TEMPERATURES,
          "heads": [1, 2, 3, 4], "kv_heads": [0, 0, 0, 1, 2, 3], "block": models.BLOCKS,
          "norm": ["layer_norm", "rms_norm"], "activation": models.ACTIVATIONS, "choose": ["greedy", "sample"],
          "unit": ["tanh", "gru"], "unembedding": ["by_form", "tied", "own"], "penalty": [0, 0, 0.5], "padding": [0, 0, 1], "head_width": [0, 0, 2, 3],
          "score_width": [0, 0, 3], "epsilon": [1e-5, 0.01], "rope_base": [10000, 100], "tile": [2, 3], "window": [2, 1],
          "top_k": [2, 3], "draws": [1, 20], "draw_seed": [1, 5], "relative_clip": [2, 1], "global_tokens": [1, 2]}


def anything(rng, variant):
    """Any row of some of the tables."""
    keys = rng.permutation(list(TABLES))[:rng.integers(1, 6)]
    return {str(key): list(TABLES[key])[rng.integers(len(TABLES[key]))] for key in keys}


class Rounded(Steps):
    """Every step is off by a few roundings of float32. Numbers that float32 has exactly stay, and equal numbers stay equal."""

    def put(self, role, value, at=ONE):
        near = value.astype(np.float32)
        drawn = near.view(np.uint32).astype(np.uint64) * 2654435761 % 2**32 / 2**31 - 1
        with_errors = value * (1 + ROUNDINGS * drawn)
        return super().put(role, np.where((near == value) | ~np.isfinite(value), value, with_errors), at)


def bears_roundings(doc, steps):
    again = Rounded(doc)
    try:
        reference.VARIANTS[doc["variant"]](again)
    except IllConditioned:
        return False
    for name, value in steps.items():
        here, there = (np.where(np.isfinite(numbers), numbers, 0) for numbers in (value, again[name]))
        if np.abs(here - there).max(initial=0) > STRAY * np.abs(here).max(initial=0):
            return False
    return True


def plain_types(value):
    return value.item() if isinstance(value, np.generic) else value


def case(doc, weight):
    steps = Steps(doc, weight)
    try:
        reference.VARIANTS[doc["variant"]](steps)
    except IllConditioned:
        return {"document": doc, "steps": None}
    except (AssertionError, ArithmeticError, KeyError, IndexError, TypeError, ValueError):
        return {"document": doc, "steps": "undefined"}
    if any(not np.isfinite(value[value != -np.inf]).all() for value in steps.values()) or not bears_roundings(doc, steps):
        return {"document": doc, "steps": None}
    return reference.case(doc, steps)


def documents(count, seed):
    rng = np.random.default_rng(seed)
    variants = list(reference.VARIANTS)
    decks = {variant: reference.Decks(rng, variant) for variant in variants}
    for i in range(count):
        variant = variants[i % len(variants)]
        chosen = reference.choices(variant, decks[variant]) if i // len(variants) % 2 == 0 else anything(rng, variant)
        doc, weight = reference.draw_document(rng, variant, chosen)
        yield case({key: plain_types(value) for key, value in doc.items()}, weight)


def main():
    count, seed, folder = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    cases = list(documents(count, seed))
    for i in range(0, count, A_FILE):
        text = ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases[i:i + A_FILE])
        (folder / f"{i // A_FILE + 1}.json").write_text('{"cases":[\n' + text + "\n]}\n")


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main()
