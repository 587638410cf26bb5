#!/usr/bin/python3
"""Makes reference.json: documents with every number of every step, computed by NumPy in float64.

Written from the definitions (Vaswani et al. 2017; Luong et al. 2015), not from the engine's code: the two meet only in
the document's keys and the steps' names. A new score, mask, position or variant is one function and one entry of its
table below. Run without arguments; the same file comes out every time.
"""

import json
import pathlib

import numpy as np

SEED = 20170612
DOCUMENTS = 64
OUT = pathlib.Path(__file__).with_name("reference.json")


class Steps(dict):
    """The values by step name; `head` is None where there is one head."""

    def put(self, name, value, head=None):
        self[name if head is None else f"{name}.h{head + 1}"] = value
        return value


# ---- scores: queries n×f, keys m×f -> n×m ---------------------------------------------------------------------------
def dot(steps, q, k, head):
    steps.put("keys_transposed", k.T, head)
    return steps.put("scores", q @ k.T, head)


def scaled_dot(steps, q, k, head):
    return steps.put("scaled", dot(steps, q, k, head) / np.sqrt(q.shape[1]), head)


SCORES = {"dot": dot, "scaled_dot": scaled_dot}
OWN_SCORE = {"raw": "dot", "multi_head": "scaled_dot"}


# ---- masks: 1 where a query (row) may look at a key (column); None: no mask -------------------------------------------
def causal(doc, n, m):
    return (np.arange(m)[None, :] <= np.arange(n)[:, None]).astype(float)


def drawn(doc, n, m):
    return np.array(doc["mask_pattern"], dtype=float) if "mask_pattern" in doc else np.ones((n, m))


MASKS = {"none": None, "causal": causal, "drawn": drawn}


# ---- positions: n×d, added to the vectors; None: nothing is added ----------------------------------------------------
def sinusoidal(n, d):
    p, i = np.arange(n)[:, None], np.arange(d)[None, :]
    angle = p / 10000.0 ** (2 * (i // 2) / d)
    return np.where(i % 2 == 0, np.sin(angle), np.cos(angle))


POSITIONS = {"none": None, "sinusoidal": sinusoidal}


# ---- softmax and what every variant shares ---------------------------------------------------------------------------
def softmax(scores, temperature):
    """By row. Temperature 0 is the limit: the largest share equally. A row wholly masked weighs 0."""
    weights = np.zeros_like(scores)
    for row, out in zip(scores, weights):
        allowed = np.isfinite(row)
        if not allowed.any():
            continue
        top = row[allowed].max()
        if temperature == 0:
            e = (row == top).astype(float)
        else:
            e = np.where(allowed, np.exp(np.where(allowed, row - top, 0) / temperature), 0)
        out[:] = e / e.sum()
    return weights


def embedded(steps, doc):
    x = steps.put("embeddings", numbers(doc["X"]))
    encoding = POSITIONS[doc.get("position", "none")]
    if encoding is None:
        return x
    return steps.put("inputs", x + steps.put("positions", encoding(*x.shape)))


def attend(steps, doc, q, k, v, head, output):
    scores = SCORES[doc.get("score", OWN_SCORE[doc.get("variant", "multi_head")])](steps, q, k, head)
    pattern = MASKS[doc.get("mask", "none")]
    if pattern is not None:
        allowed = steps.put("mask_pattern", pattern(doc, *scores.shape))
        scores = steps.put("masked", np.where(allowed != 0, scores, -np.inf), head)
    temperature = float(np.float32(doc.get("temperature", 1)))
    weights = steps.put("weights", softmax(scores, temperature), head)
    check_condition(scores, temperature)
    return steps.put(output, weights @ v, head)


# ---- variants --------------------------------------------------------------------------------------------------------
def raw(doc):
    steps = Steps()
    x = embedded(steps, doc)
    attend(steps, doc, x, x, x, None, "output")
    return steps


PROJECTIONS = {"Q": ("query", "queries"), "K": ("key", "keys"), "V": ("value", "values"), "O": ("output", "output")}


def project(steps, doc, x, letter, width):
    name, result = PROJECTIONS[letter]
    given = doc.get("W_" + letter)
    weight = steps.put(name + "_weight", np.eye(x.shape[1], width) if given is None else numbers(given))
    bias = doc.get("b_" + letter)
    if bias is None:
        return steps.put(result, x @ weight)
    product = steps.put(name + "_products", x @ weight)
    return steps.put(result, product + steps.put(name + "_bias", numbers([bias])))


def multi_head(doc):
    steps = Steps()
    x = embedded(steps, doc)
    heads = doc.get("heads", 1)
    d = x.shape[1]
    given = lambda key, axis: np.shape(doc[key])[axis] if key in doc else None
    wide_q = given("W_Q", 1) or given("W_K", 1) or d
    wide_v = given("W_V", 1) or given("W_O", 0) or d
    q, k, v = (project(steps, doc, x, letter, width) for letter, width in (("Q", wide_q), ("K", wide_q), ("V", wide_v)))
    if heads == 1:
        joined = attend(steps, doc, q, k, v, None, "head_output")
    else:
        parts = []
        for h in range(heads):
            block = lambda a: a[:, h * (a.shape[1] // heads):(h + 1) * (a.shape[1] // heads)]
            q_h, k_h, v_h = (steps.put(n, block(a), h) for n, a in (("queries", q), ("keys", k), ("values", v)))
            parts.append(attend(steps, doc, q_h, k_h, v_h, h, "head_output"))
        joined = steps.put("joined", np.concatenate(parts, axis=1))
    project(steps, doc, joined, "O", wide_v)
    return steps


VARIANTS = {"raw": raw, "multi_head": multi_head}


# ---- documents -------------------------------------------------------------------------------------------------------
class IllConditioned(Exception):
    """float32 scores could not give these weights to 1e-5, whoever computed them: another document is drawn."""


def check_condition(scores, temperature):
    """A score's rounding in float32, divided by the temperature, is the relative error of its weight."""
    for row in scores:
        seen = np.sort(row[np.isfinite(row)])[::-1]
        if len(seen) < 2:
            continue
        rounding = 1e-6 * max(1e-30, np.abs(seen).max())
        gap = seen[0] - seen
        exact = gap == 0  # ties are made of equal rows of whole eighths: exact in float32 too
        if temperature == 0:
            if np.any(~exact & (gap < 100 * rounding)):
                raise IllConditioned
            continue
        shares = np.exp(-gap / temperature)
        if np.any(~exact & (shares * rounding / temperature > 1e-6)):
            raise IllConditioned


def numbers(values):
    """As the engine takes them: the nearest float32, then exact."""
    return np.array(values, dtype=np.float32).astype(np.float64)


def matrix(rng, rows, cols, spread, eighths):
    """Three decimals; or whole eighths, whose products are exact in float32, for temperatures that forgive nothing."""
    values = rng.normal(0, spread, (rows, cols))
    rounded = np.round(values * 8) / 8 if eighths else np.round(values, 3)
    return [[float(v) + 0.0 for v in row] for row in rounded]


TEMPERATURES = [1, 1, 1, 0.5, 2, 7.5, 0, 0, 1e-38, 1e-3, 1e38]


def pattern(rng, n):
    allowed = (rng.random((n, n)) < 0.6).astype(int)
    if rng.random() < 0.7:
        allowed[rng.integers(n)] = 0  # a row that looks at nothing
    return allowed.tolist()


def projections(rng, doc, d, eighths):
    heads = int(rng.choice([1, 1, 2, 3, 4, 5, 8]))
    same = d % heads == 0 and rng.random() < 0.3  # widths of d: any weight may be left out
    wide_q, wide_v, wide_o = (d, d, d) if same else (heads * int(rng.integers(1, 5)) for _ in range(3))
    shapes = {"W_Q": (d, wide_q), "W_K": (d, wide_q), "W_V": (d, wide_v), "W_O": (wide_v, wide_o)}
    for key, (rows, cols) in shapes.items():
        if not same or rng.random() < 0.6:
            doc[key] = matrix(rng, rows, cols, 1 / np.sqrt(rows), eighths)
    for key, width in {"b_Q": wide_q, "b_K": wide_q, "b_V": wide_v, "b_O": wide_o}.items():
        if rng.random() < 0.4:
            doc[key] = matrix(rng, 1, width, 0.5, eighths)[0]
    if heads > 1:
        doc["heads"] = heads


def draw_document(rng, index):
    variant = list(VARIANTS)[index % 4 != 0]
    n, d = int(rng.integers(1, 13)), int(rng.integers(1, 13))
    temperature = TEMPERATURES[index % len(TEMPERATURES)]
    eighths = temperature in (0, 1e-38, 1e-3)
    doc = {"tokens": [f"t{i + 1}" for i in range(n)], "variant": variant}
    doc["X"] = matrix(rng, n, d, 1, eighths)
    if n > 2 and rng.random() < 0.4:
        doc["X"][-1] = doc["X"][0]  # the same word twice
    for key, table in (("score", SCORES), ("mask", MASKS)):
        if rng.random() < 0.75:
            doc[key] = str(rng.choice(list(table)))
    if not eighths and rng.random() < 0.7:
        doc["position"] = str(rng.choice(list(POSITIONS)[::-1]))
    if doc.get("mask") == "drawn" and rng.random() < 0.8:
        doc["mask_pattern"] = pattern(rng, n)
    if temperature != 1:
        doc["temperature"] = temperature
    if variant == "multi_head":
        projections(rng, doc, d, eighths)
    return doc


def rounded(value):
    """Nine digits: more than a float32 has."""
    return [["-inf" if v == -np.inf else float(f"{v:.9g}") for v in row] for row in value.tolist()]


def main():
    rng = np.random.default_rng(SEED)
    cases = []
    while len(cases) < DOCUMENTS:
        doc = draw_document(rng, len(cases))
        try:
            steps = VARIANTS[doc["variant"]](doc)
        except IllConditioned:
            continue
        dead = {name: [i for i, row in enumerate(value) if not row.any()]
                for name, value in steps.items() if name.startswith("weights")}
        cases.append({"document": doc, "steps": {name: rounded(value) for name, value in steps.items()},
                      "all_masked": {name: rows for name, rows in dead.items() if rows}})
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    OUT.write_text('{"made_by":"tests/data/reference.py","cases":[\n' + lines + "\n]}\n")


if __name__ == "__main__":
    main()
