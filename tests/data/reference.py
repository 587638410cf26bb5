#!/usr/bin/python3
"""Makes reference.json: documents with every number of every step, computed by NumPy in float64.

The definitions are in reference_attention.py and reference_forms.py; this script draws documents, so that each row of
each table occurs with each form that reads it. Run without arguments; the output is always the same, which
check_reference.py tests.
"""

import json
import pathlib

import numpy as np

import reference_attention as attention
import reference_forms as models
from reference_steps import IllConditioned, Steps

SEED = 20170612
DOCUMENTS = {"raw": 32, "multi_head": 36, "sliced_input": 32, "cross": 32, "encoder": 24, "decoder": 20, "generate": 20,
             "bahdanau": 18, "luong": 20, "online": 18, "linear": 10}
TRAINED = 12
VARIANTS = attention.VARIANTS | models.VARIANTS
OUT = pathlib.Path(__file__).with_name("reference.json")


class Deck:
    """Draws entries so that each occurs once before any occurs again."""

    def __init__(self, rng, entries):
        self.rng, self.entries, self.left = rng, list(entries), []

    def take(self, fits=lambda entry: True):
        if not any(map(fits, self.left)):
            self.left += self.rng.permutation(np.array(self.entries, dtype=object)).tolist()
        return self.left.pop(next(i for i, entry in enumerate(self.left) if fits(entry)))


def matrix(rng, rows, cols, spread, eighths=False):
    """Numbers with two decimals; or whole eighths, whose products are exact in float32, for temperatures so extreme that
    rounding would show."""
    values = rng.normal(0, spread, (rows, cols))
    rounded = np.round(values * 8) / 8 if eighths else np.round(values, 2)
    return [[float(v) + 0.0 for v in row] for row in rounded]


TEMPERATURES = [1, 1, 1, 1, 1, 0.5, 2, 7.5, 0, 1e-38, 1e-3, 1e38, "inf"]
FORGIVE_NOTHING = (0, 1e-38, 1e-3)


def pattern(rng, n, m):
    allowed = (rng.random((n, m)) < 0.6).astype(int)
    if rng.random() < 0.7:
        allowed[rng.integers(n)] = 0  # a row that attends to nothing
    return allowed.tolist()


def projections(rng, doc, d, eighths):
    heads = doc.get("heads", 1)
    shared = doc.get("kv_heads", 0) or heads
    same = d % heads == 0 and rng.random() < 0.3  # widths of d: any weight may be left out
    one_q, one_v = (d // heads, d // heads) if same else rng.integers(1, 4, 2)
    if "rope" in doc.get("position", "") and one_q % 2:
        same, one_q = False, one_q + 1
    wide_o = heads * one_v if same else int(rng.integers(1, 7))
    if not same and rng.random() < 0.3:  # d_k is given by the document, so any weight may be left out here, too
        same, one_v, wide_o = True, one_q, d
        doc["head_width"] = int(one_q)
    shapes = {"W_Q": (d, heads * one_q), "W_K": (d, shared * one_q), "W_V": (d, shared * one_v), "W_O": (heads * one_v, wide_o)}
    for key, (rows, cols) in shapes.items():
        if not same or rng.random() < 0.6:
            doc[key] = matrix(rng, rows, cols, 1 / np.sqrt(rows), eighths)
    for key, weight in {"b_Q": "W_Q", "b_K": "W_K", "b_V": "W_V", "b_O": "W_O"}.items():
        if rng.random() < 0.3:
            doc[key] = matrix(rng, 1, int(shapes[weight][1]), 0.5, eighths)[0]


NO_SELECTION = {"scope": ["global"], "selection": ["soft"], "gate": ["none"], "temperature": [1]}
ADDED = ["none", "sinusoidal", "learned"]
# What a form cannot be combined with, beyond the restrictions of its texts.
SPECIAL = {
    "cross": {"position": ADDED},
    "generate": {"mask": ["none", "causal", "sliding_window", "global_window"],
                 "score": [score for score in attention.SCORES if score != "location"]},
    "bahdanau": {"score": ["additive", "concat", "general", "location"], "position": ["none"]},
    "luong": {"position": ["none"]},
    "online": NO_SELECTION | {"score": ["dot", "scaled_dot"],
                              "position": [position for position in attention.POSITIONS if position != "relative"]},
    "linear": NO_SELECTION | {"score": [None], "mask": ["none", "causal"], "position": ADDED},
}
NO_HEADS = {"raw", "bahdanau", "luong"}


class Decks:
    """The draws of one form: a document takes one entry of each."""

    def __init__(self, rng, variant):
        one, blocks = variant in attention.ONE_SEQUENCE, variant in attention.BLOCKS
        whole_eighths = variant in ("raw", "multi_head", "sliced_input", "cross")
        tables = {"score": attention.SCORES, "mask": [m for m in attention.MASKS if one or m not in attention.SAME_SEQUENCE],
                  "position": attention.POSITIONS, "scope": attention.SCOPES, "selection": attention.SELECTIONS,
                  "gate": ["none", "none", "sigmoid"],
                  "temperature": [t for t in TEMPERATURES if whole_eighths or t not in FORGIVE_NOTHING],
                  "heads": [1] if variant in NO_HEADS else [1, 2] if blocks else [1, 1, 2, 2, 3, 4],
                  "block": models.BLOCKS[:None if variant != "decoder" else -1], "norm": ["layer_norm", "rms_norm"], "activation": models.ACTIVATIONS,
                  "choose": ["greedy", "sample", "sample"], "unit": ["tanh", "gru"],
                  "unembedding": ["by_form", "tied", "own"]}
        self.decks = {key: Deck(rng, table) for key, table in (tables | SPECIAL.get(variant, {})).items()}

    def take(self, key, fits=lambda entry: True):
        return self.decks[key].take(fits)


PLAIN = {"mask": "none", "position": "none", "scope": "global", "selection": "soft", "gate": "none", "temperature": 1,
         "heads": 1, "block": "post_norm", "norm": "layer_norm", "activation": "relu", "choose": "greedy", "score": None, "unit": "tanh",
         "unembedding": "by_form"}


def choices(variant, decks):
    """Choices that can be combined, by the definitions. Extreme temperatures need whole eighths, whose products are exact,
    and so do the ties of top-k."""
    c = {"position": decks.take("position")}
    turned, positioned = "rope" in c["position"], c["position"] in ("rope", "rope_half", "sinusoidal", "alibi", "learned", "relative")
    c["score"] = decks.take("score", lambda s: (not turned or s in attention.INNER_PRODUCTS) and
                            (c["position"] != "relative" or s in ("dot", "scaled_dot")))
    c["heads"] = decks.take("heads", lambda h: c["position"] != "alibi" or h != 3)
    exact = c["score"] in ("dot", "scaled_dot") and not positioned
    c["temperature"] = decks.take("temperature", lambda t: exact or t not in FORGIVE_NOTHING)
    c["mask"] = decks.take("mask")
    c["scope"] = decks.take("scope")
    c["selection"] = decks.take("selection", lambda s: s != "hard" or c["scope"] != "local_p")
    c["gate"] = decks.take("gate")
    if variant in attention.BLOCKS:
        c |= {key: decks.take(key) for key in ("block", "norm", "activation", "unembedding")}
    if variant == "bahdanau":
        c |= {key: decks.take(key) for key in ("unit", "unembedding")}
    if variant == "generate":
        c["choose"] = decks.take("choose")
    return {key: value for key, value in c.items() if value != PLAIN.get(key)}


def numbers_beside(rng, doc):
    """The further settings of the choices; half of the time their defaults."""
    own = {"window": doc.get("mask") in ("sliding_window", "global_window") or "scope" in doc,
           "global_tokens": doc.get("mask") == "global_window", "top_k": doc.get("selection") == "top_k",
           "draws": doc.get("selection") == "hard", "draw_seed": doc.get("selection") == "hard",
           "relative_clip": doc.get("position") == "relative"}
    if doc.get("score") in ("additive", "concat", "gat") or (doc["variant"] == "bahdanau" and "score" not in doc):
        own["score_width"] = True
    ranges = {"score_width": (1, 6), "window": (1, 4), "global_tokens": (0, 3), "top_k": (1, 4), "draws": (1, 60), "draw_seed": (0, 2**53 - 1),
              "relative_clip": (1, 4)}
    for key, read in own.items():
        if read and rng.random() < 0.6:
            doc[key] = int(rng.integers(*ranges[key]))
    if rng.random() < 0.25 and doc["variant"] not in ("generate", "online", "linear"):
        doc["penalty"] = float(rng.choice([0.5, 1, 2]))
    if doc.get("mask") == "padding":
        doc["padding"] = int(rng.integers(1, 3))
    if doc.get("heads", 1) > 1:
        if doc["variant"] in attention.PROJECTED | attention.BLOCKS and rng.random() < 0.4:
            doc["kv_heads"] = int(rng.choice([k for k in range(1, doc["heads"] + 1) if doc["heads"] % k == 0]))
        if rng.random() < 0.25:
            doc["heads_off"] = [int(rng.integers(doc["heads"])) + 1]
    if doc["variant"] in attention.BLOCKS:
        doc |= {"layers": int(rng.choice([1, 1, 2]))} | ({"ffn_width": int(rng.integers(2, 6))} if rng.random() < 0.7 else {})
    if "rope" in doc.get("position", "") and rng.random() < 0.5:
        doc["rope_base"] = float(rng.choice([100, 500000]))
    if doc["variant"] in attention.BLOCKS and rng.random() < 0.3:
        doc["epsilon"] = float(rng.choice([1e-12, 1e-6, 0.01]))
    if doc["variant"] in attention.BLOCKS | {"sliced_input"} and rng.random() < 0.3:
        doc["head_width"] = int(rng.integers(1, 3)) * 2
    if doc["variant"] == "online" and rng.random() < 0.7:
        doc["tile"] = int(rng.integers(1, 5))
    if doc["variant"] == "generate":
        decoding(rng, doc)


def decoding(rng, doc):
    doc["generate"] = int(rng.integers(1, 4))
    if doc.get("choose") != "sample":
        return
    doc["draw_seed"] = int(rng.integers(0, 1000))
    if rng.random() < 0.5:
        doc["choose_temperature"] = [0.5, 2.0, 4.0, "inf"][rng.integers(4)]
    if rng.random() < 0.4:
        doc["choose_top_k"] = int(rng.integers(1, 4))
    if rng.random() < 0.4:
        doc["choose_top_p"] = float(rng.choice([0.3, 0.7, 0.9]))


def vectors(rng, doc, n, d, eighths, padded):
    faint = doc["variant"] == "linear" and rng.random() < 0.4  # φ(x) outside float32's range
    x = matrix(rng, n, d, 15 if faint else 1, eighths)
    if n > 2 and rng.random() < 0.4:
        x[-1] = x[0]  # the same word twice
    if padded and rng.random() < 0.5:
        for row in x[n - doc["padding"]:]:
            row[:] = [0.0] * d
    return x


def width_of(rng, doc):
    variant, heads, turned = doc["variant"], doc.get("heads", 1), "rope" in doc.get("position", "")
    if variant in attention.BLOCKS:
        return max(2, heads * (2 if turned else int(rng.integers(1, 4))))
    if variant in attention.PROJECTED:
        return int(rng.integers(1, 8))
    if turned:
        return 2 * heads * int(rng.integers(1, 3))
    return heads * int(rng.integers(1, 4)) if heads > 1 else int(rng.integers(1, 8 if variant == "raw" else 6))


def texts(rng, doc, eighths):
    two, most = doc["variant"] in attention.TWO_TEXTS, 4 if doc["variant"] in attention.BLOCKS else 6
    n, m, d = int(rng.integers(1, most + 1)), int(rng.integers(1, most + 1)), width_of(rng, doc)
    pad = doc.get("padding", 0)
    doc["X"] = vectors(rng, doc, n + (0 if two else pad), d, eighths, pad and not two)
    doc["tokens"] = [f"t{i + 1}" for i in range(n)]
    if two:
        doc["source"] = ""
        doc["X_source"] = vectors(rng, doc, m + pad, d, eighths, pad)
    if doc.get("mask") == "drawn" and rng.random() < 0.8:
        doc["mask_pattern"] = pattern(rng, n, n if doc["variant"] in attention.ONE_SEQUENCE else m)
    return d


def draw_document(rng, variant, chosen):
    doc = {"variant": variant, **chosen}
    numbers_beside(rng, doc)
    eighths = chosen.get("temperature", 1) in FORGIVE_NOTHING or (doc.get("selection") == "top_k" and rng.random() < 0.5)
    d = texts(rng, doc, eighths)
    if variant in attention.PROJECTED:
        projections(rng, doc, d, eighths)
    plain = rng.random() < 0.25

    def weight(kind, rows, cols):
        spread = {"weight": 1 / np.sqrt(rows), "vector": 1, "table": 0.7, "ones": 1, "zeros": 0.5, "bias": 0.5}[kind]
        left_out = (plain and kind != "table") or (kind == "bias" and rng.random() < 0.6)
        return None if left_out else matrix(rng, rows, cols, spread, eighths)

    return doc, weight


def rounded(value):
    """More digits than a float32 has."""
    return [["-inf" if v == -np.inf else float(f"{v:.8g}") for v in row] for row in value.tolist()]


def case(doc, steps):
    return {"document": doc, "steps": {name: rounded(value) for name, value in steps.items()},
            "all_masked": steps.all_masked}


def cases_of(variant):
    rng = np.random.default_rng([SEED, *variant.encode()])  # each form has documents of its own
    decks, cases = Decks(rng, variant), []
    while len(cases) < DOCUMENTS[variant]:
        chosen = choices(variant, decks)
        for _ in range(2000):
            doc, weight = draw_document(rng, variant, chosen)
            steps = Steps(doc, weight)
            try:
                VARIANTS[variant](steps)
            except IllConditioned:
                continue
            cases.append(case(doc, steps))
            break
        else:
            raise SystemExit(f"no document of {variant} is well conditioned with {chosen}")
    return cases


def training():
    """Hard attention with an objective, whose words are given."""
    rng = np.random.default_rng([SEED, *b"target"])
    cases = []
    while len(cases) < TRAINED:
        variant = ["raw", "multi_head", "cross"][len(cases) % 3]
        doc, weight = draw_document(rng, variant, {"selection": "hard", "mask": ["none", "causal"][rng.integers(1 if variant == "cross" else 2)]})
        doc["draws"] = int(rng.integers(1, 6))
        words = doc["tokens"] + [f"s{i + 1}" for i in range(len(doc.get("X_source", [])))]
        doc["target"] = rng.choice(words, 1 if rng.random() < 0.3 else len(doc["tokens"])).tolist()
        if np.shape(doc.get("W_V", doc["X"]))[-1] != np.shape(doc["X"])[-1] or doc.get("head_width", 0) not in (0, np.shape(doc["X"])[-1]):
            continue
        steps = Steps(doc, weight)
        try:
            VARIANTS[variant](steps)
        except IllConditioned:
            continue
        cases.append(case(doc, steps))
    return cases


def later_positions():
    """Three documents of every form with each position that was added later, so that the documents above stay the same."""
    cases = []
    for variant in VARIANTS:
        for position in attention.LATER_POSITIONS:
            if variant in ("bahdanau", "luong") or (position == "relative_bias" and variant in ("cross", "linear")):
                continue
            rng = np.random.default_rng([SEED, *variant.encode(), *position.encode()])
            for at in range(3):
                chosen = {"position": position} | ({} if variant in NO_HEADS or at == 0 else {"heads": 1 + at})
                while True:
                    doc, weight = draw_document(rng, variant, chosen)
                    if position == "relative_bias":
                        doc |= {"bias_buckets": int(rng.integers(4, 10)), "bias_distance": int(rng.integers(1, 6))}
                    steps = Steps(doc, weight)
                    try:
                        VARIANTS[variant](steps)
                    except IllConditioned:
                        continue
                    cases.append(case(doc, steps))
                    break
    return cases


def text():
    cases = [case for variant in VARIANTS for case in cases_of(variant)] + training() + later_positions()
    lines = [json.dumps(case, separators=(",", ":")) for case in cases]
    return '{"made_by":"tests/data/reference.py","cases":[\n' + ",\n".join(lines) + "\n]}\n"


def main():
    OUT.write_text(text())


if __name__ == "__main__":
    main()
