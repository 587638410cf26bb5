#!/usr/bin/python3
"""Makes tests/data/planted: a GPT-2 of two layers with four heads each, in which four heads are set by hand and everything
else is small and random; and reference.json with the results of an independent pass in float64.

Layer 1, head 2 attends to the previous token and copies it; head 4 attends to earlier copies of its own token. Layer 2,
head 3 attends to the positions whose *previous* token is its own, which it finds by the copy of layer 1, head 2
(K-composition), and predicts the word at such a position as the next one: an induction head [Elhage et al. 2021; Olsson et
al. 2022]. Layer 2, head 1 attends to the first token. On repeated words these heads alone predict the right next word.

The reference is written from the papers, on the tensors as they are stored; no code of the program is used. `--check`
regenerates everything and compares it with the files.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
from make_checkpoints import Tensors, gelu_tanh, safetensors, softmax

OUT = Path(__file__).parent / "planted"
WORDS = ["river", "stone", "apple", "green", "seven", "paper", "cloud", "horse", "table", "music", "winter", "garden", "silver",
         "window", "bread", "night"]
D, HEADS, LAYERS, INNER, PLACES, EPS = 48, 4, 2, 16, 32, 1e-5
WIDE = D // HEADS
NOISE = 0.008
TURNS = (1, 5, 7, 13)  # of the position encoding's pairs of numbers, for PLACES positions
HALF = 12              # words, which are then repeated


def hadamard(n):
    return np.array([[1]]) if n == 1 else np.block([[hadamard(n // 2), hadamard(n // 2)], [hadamard(n // 2), -hadamard(n // 2)]])


def axes(rng):
    """Directions of the residual stream, orthogonal to each other and to (1, …, 1), so that subtracting the mean leaves them
    unchanged."""
    q = np.linalg.qr(np.hstack([np.ones((D, 1)), rng.standard_normal((D, D - 1))]))[0].T
    q = q[1:] * np.sign(q[1:, :1])
    return {"token": q[:8], "place": q[8:16], "before": q[16:24], "first": q[24:25], "seen": q[25:33], "rest": q[33:34]}


def codes():
    """One vector of eight numbers for each word; no two are similar."""
    return np.vstack([hadamard(8), -hadamard(8)]).astype(float)


def places():
    at = np.arange(PLACES)[:, None] * 2 * math.pi * np.array(TURNS) / PLACES
    return np.stack([np.cos(at), np.sin(at)], axis=2).reshape(PLACES, 8)


def one_back():
    """places()[p] @ one_back() is places()[p - 1]."""
    out = np.zeros((8, 8))
    for i, turns in enumerate(TURNS):
        a = 2 * math.pi * turns / PLACES
        out[2 * i:2 * i + 2, 2 * i:2 * i + 2] = [[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]
    return out


def planted(rng):
    """The tensors that are set by hand, without noise: name -> numbers."""
    to = axes(rng)
    out = {"wte.weight": codes() @ to["token"], "wpe.weight": places() @ to["place"]}
    out["wpe.weight"][0] += to["first"][0]
    for l in range(LAYERS):
        out[f"h.{l}.attn.c_attn.weight"], out[f"h.{l}.attn.c_attn.bias"] = np.zeros((D, 3 * D)), np.zeros(3 * D)
        out[f"h.{l}.attn.c_proj.weight"] = np.zeros((D, D))

    def head(layer, number, query=(), key=(), bias=(), moved=None):
        """`query`, `key`: (from, to the head's columns, how); `bias`: (column, number) of the query; `moved`: from, to, how
        much."""
        first = (number - 1) * WIDE
        w = out[f"h.{layer - 1}.attn.c_attn.weight"]
        for which, rules in enumerate((query, key)):
            for source, column, by in rules:
                by = np.atleast_2d(by)
                at = which * D + first + column
                w[:, at:at + by.shape[1]] += source.T @ by
        for column, number_ in bias:
            out[f"h.{layer - 1}.attn.c_attn.bias"][first + column] = number_
        source, result, much = moved
        w[:, 2 * D + first:2 * D + first + len(source)] += source.T
        out[f"h.{layer - 1}.attn.c_proj.weight"][first:first + len(source)] += much * result

    eye = np.eye(8)
    head(1, 2, [(to["place"], 0, 2 * one_back())], [(to["place"], 0, 2 * eye)], moved=(to["token"], to["before"], 0.5))
    # Not the token itself: it is as similar to itself as its copies are, but it is at the query's own position.
    head(1, 4, [(to["token"], 0, 3 * eye), (to["place"][4:], 8, -4.5 * np.eye(4))],
         [(to["token"], 0, 3 * eye), (to["place"][4:], 8, 4.5 * np.eye(4))], moved=(to["token"], to["seen"], 0.2))
    # The first token has no token before it; layer 1, head 2 has copied the token itself there.
    head(2, 3, [(to["token"], 0, 2 * eye)], [(to["before"], 0, 2 * eye), (to["first"], 8, -10)], [(8, 4)],
         moved=(to["token"], to["token"], 3.2))
    head(2, 1, [], [(to["first"], 0, 20)], [(0, 4)], moved=(to["first"], to["rest"], 0.5))
    return out


def make(t):
    """The tensors as they are stored, under GPT-2's names."""
    by_hand = planted(t.rng)
    shapes = {"wte.weight": (len(WORDS), D), "wpe.weight": (PLACES, D)}
    for l in range(LAYERS):
        h = f"h.{l}."
        shapes |= {h + "ln_1.weight": (D,), h + "ln_1.bias": (D,), h + "attn.c_attn.weight": (D, 3 * D), h + "attn.c_attn.bias": (3 * D,),
                   h + "attn.c_proj.weight": (D, D), h + "attn.c_proj.bias": (D,), h + "ln_2.weight": (D,), h + "ln_2.bias": (D,),
                   h + "mlp.c_fc.weight": (D, INNER), h + "mlp.c_fc.bias": (INNER,), h + "mlp.c_proj.weight": (INNER, D),
                   h + "mlp.c_proj.bias": (D,)}
    shapes |= {"ln_f.weight": (D,), "ln_f.bias": (D,)}
    for name, shape in shapes.items():
        gain = 1.0 if name.split(".")[-2].startswith("ln_") and name.endswith("weight") else 0.0
        t.make("transformer." + name, *shape, spread=NOISE, around=by_hand.get(name, np.zeros(shape)) + gain)


class Model:
    """A forward pass of GPT-2 [Radford et al. 2019] that reports what each part adds and allows interventions."""

    def __init__(self, tensors):
        self.t = {name.removeprefix("transformer."): values for name, values in tensors.items()}

    def normed(self, x, name):
        return self.t[name + ".weight"] * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + EPS) + self.t[name + ".bias"]

    def run(self, ids, off=None, plus=None, mean=False, put=lambda place, value: value):
        """`off`: the head (layer, head) that is set to zero, or to the mean of its rows; `plus`: (layer, head) -> what is
        added to its output; `put`: what replaces a value at ("residual", number of layers passed), ("pattern", layer, head)
        or ("head", layer, head)."""
        t, n = self.t, len(ids)
        made = {"token_embedding": t["wte.weight"][ids], "position_embedding": t["wpe.weight"][:n], "weights": {}, "values": {},
                "heads": {}, "attention_bias": [], "inner": [], "mlp": [], "mlp_bias": [], "stream": [], "at": {}}

        def placed(place, value):
            made["at"][place] = put(place, value)
            return made["at"][place]

        x = placed(("residual", 0), made["token_embedding"] + made["position_embedding"])
        hidden = np.triu(np.ones((n, n), bool), 1)
        made["stream"].append(x)
        for l in range(LAYERS):
            h = f"h.{l}."
            q, k, v = np.split(self.normed(x, h + "ln_1") @ t[h + "attn.c_attn.weight"] + t[h + "attn.c_attn.bias"], 3, axis=1)
            for i in range(HEADS):
                own = slice(i * WIDE, (i + 1) * WIDE)
                weights = placed(("pattern", l, i), softmax(np.where(hidden, -np.inf, q[:, own] @ k[:, own].T / math.sqrt(WIDE))))
                mixed = weights @ v[:, own]
                if (l, i) == off:
                    mixed = np.tile(mixed.mean(0), (n, 1)) if mean else np.zeros_like(mixed)
                if plus and (l, i) in plus:
                    mixed = mixed + plus[(l, i)]
                mixed = placed(("head", l, i), mixed)
                w = t[h + "attn.c_proj.weight"][own]
                made["weights"][(l, i)], made["values"][(l, i)] = weights, v[:, own]
                made["heads"][(l, i)] = mixed @ w
            made["attention_bias"].append(t[h + "attn.c_proj.bias"])
            x = x + sum(made["heads"][(l, i)] for i in range(HEADS)) + t[h + "attn.c_proj.bias"]
            made["stream"].append(x)
            inner = gelu_tanh(self.normed(x, h + "ln_2") @ t[h + "mlp.c_fc.weight"] + t[h + "mlp.c_fc.bias"])
            made["inner"].append(inner)
            made["mlp"].append(inner @ t[h + "mlp.c_proj.weight"])
            made["mlp_bias"].append(t[h + "mlp.c_proj.bias"])
            x = placed(("residual", l + 1), x + made["mlp"][-1] + t[h + "mlp.c_proj.bias"])
            made["stream"].append(x)
        made["end"] = x
        made["logits"] = self.normed(x, "ln_f") @ t["wte.weight"].T
        return made


def attribution(model, made, row, direction):
    """What each part adds to direction · logits at a row, with the scale of the last norm held fixed [Elhage et al.
    2021]."""
    t = model.t
    read = t["ln_f.weight"] * (direction @ t["wte.weight"]) / math.sqrt(made["end"][row].var() + EPS)
    read = read - read.mean()  # the mean, which the norm subtracts, is linear, too
    out = [{"part": "token_embedding", "value": made["token_embedding"][row] @ read},
           {"part": "position_embedding", "value": made["position_embedding"][row] @ read},
           {"part": "norm_bias", "value": t["ln_f.bias"] @ (direction @ t["wte.weight"])}]
    for l in range(LAYERS):
        for i in range(HEADS):
            w = t[f"h.{l}.attn.c_proj.weight"][i * WIDE:(i + 1) * WIDE]
            sources = made["weights"][(l, i)][row] * (made["values"][(l, i)] @ w @ read)
            out.append({"part": "head", "layer": l + 1, "head": i + 1, "value": made["heads"][(l, i)][row] @ read,
                        "sources": list(sources)})
        out += [{"part": "attention_bias", "layer": l + 1, "value": made["attention_bias"][l] @ read},
                {"part": "mlp", "layer": l + 1, "value": made["mlp"][l][row] @ read,
                 "neurons": list(made["inner"][l][row] * (t[f"h.{l}.mlp.c_proj.weight"] @ read))},
                {"part": "mlp_bias", "layer": l + 1, "value": made["mlp_bias"][l] @ read}]
    logit = direction @ made["logits"][row]
    assert abs(sum(one["value"] for one in out) - logit) < 1e-9 * max(1, abs(logit))
    return {"logit": logit, "parts": out}


def slopes(model, made, ids, row, direction):
    """Gradient × value of each head and source token, by central differences: Σ_i α_ij v_j · ∂ logit / ∂ head's output i."""
    step, out = 1e-5, []
    for (l, i), weights in made["weights"].items():
        sources = []
        for j in range(len(ids)):
            added = step * weights[:, j:j + 1] * made["values"][(l, i)][j]
            up, down = (model.run(ids, plus={(l, i): sign * added})["logits"][row] @ direction for sign in (1, -1))
            sources.append((up - down) / (2 * step))
        out.append({"layer": l + 1, "head": i + 1, "value": sum(sources), "sources": sources})
    return out


def roles(made, ids):
    """Mean weight on the previous token, on the token itself, on the first token, on earlier copies, and on the tokens after
    these copies, over the rows that have such a token and at least one other visible token."""
    out = []
    for (l, i), weights in made["weights"].items():
        shares = {}
        for name, keys in (("previous", lambda r: [r - 1]), ("same", lambda r: [r]), ("first", lambda r: [0]),
                           ("duplicate", lambda r: [c for c in range(r) if ids[c] == ids[r]]),
                           ("induction", lambda r: [c + 1 for c in range(r) if ids[c] == ids[r]])):
            rows = [weights[r, keys(r)].sum() for r in range(1, len(ids)) if keys(r)]
            shares[name] = float(np.mean(rows))
        out.append({"layer": l + 1, "head": i + 1, **shares})
    return out


def patches(model, here, there, ids, row, direction):
    """The logit with another text's value at one position, and its first-order estimate by central differences."""
    step, out = 1e-5, []

    def logit(place, rows, share):
        def put(at, value):
            if at != place:
                return value
            value = value.copy()
            value[rows] = (1 - share) * here["at"][place][rows] + share * there["at"][place][rows]
            return value
        return model.run(ids, put=put)["logits"][row] @ direction

    for place in here["at"]:
        for token in range(len(ids)) if place[0] == "residual" else [None]:
            rows = slice(None) if token is None else [token]
            one = {"at": place[0], "layer": place[1] + (place[0] != "residual"), "logit": logit(place, rows, 1.0),
                   "first_order": (logit(place, rows, step) - logit(place, rows, -step)) / (2 * step)}
            out.append(one | ({"head": place[2] + 1} if token is None else {"token": token + 1}))
    return out


def stream(made):
    """The residual stream before the first sub-layer and after each: its norm, its cosines with the previous and the last
    state, and, for what was added, the norm and its cosine with the state that it was added to; one number per row."""
    out = []

    def cosine(a, b):
        return list((a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1))

    for i, x in enumerate(made["stream"]):
        one = {"norm": list(np.linalg.norm(x, axis=1)), "cosine_end": cosine(x, made["stream"][-1])}
        if i:
            before = made["stream"][i - 1]
            one |= {"cosine_before": cosine(x, before), "added_norm": list(np.linalg.norm(x - before, axis=1)),
                    "added_cosine": cosine(x - before, before)}
        out.append(one)
    return out


def turned_at_random(a, b, times=2000):
    """√ of the mean of ‖a R b‖² / (‖a‖² ‖b‖²) over rotations R of the stream without its mean."""
    rng = np.random.default_rng(11)
    inside = np.linalg.qr(np.hstack([np.ones((D, 1)), rng.standard_normal((D, D - 1))]))[0][:, 1:]
    a, b, sum_ = a @ inside, inside.T @ b, 0.0
    for _ in range(times):
        q, r = np.linalg.qr(rng.standard_normal((D - 1, D - 1)))
        sum_ += (np.linalg.norm(a @ (q * np.sign(np.diag(r))) @ b) / np.linalg.norm(a) / np.linalg.norm(b)) ** 2
    return math.sqrt(sum_ / times)


def circuits(model):
    """Every matrix in full, D × D or words × words, with the norms' gains and means folded in; NumPy's own singular values
    and eigenvalues [Elhage et al. 2021]."""
    t = model.t
    centre = np.eye(D) - np.ones((D, D)) / D
    words = t["wte.weight"] @ centre
    read_off = centre @ (t["ln_f.weight"][:, None] * t["wte.weight"].T)
    read_off = read_off - read_off.mean(1, keepdims=True)
    ov, qk = {}, {}
    for l in range(LAYERS):
        w = centre @ (t[f"h.{l}.ln_1.weight"][:, None] * t[f"h.{l}.attn.c_attn.weight"])
        for i in range(HEADS):
            own = slice(i * WIDE, (i + 1) * WIDE)
            q, k, v = (part[:, own] for part in np.split(w, 3, axis=1))
            ov[(l, i)], qk[(l, i)] = v @ t[f"h.{l}.attn.c_proj.weight"][own] @ centre, q @ k.T
    heads = []
    for at in ov:
        full = words @ ov[at] @ read_off
        own = np.linalg.eigvals(full)
        heads.append({"layer": at[0] + 1, "head": at[1] + 1, "ov": list(np.linalg.svd(ov[at])[1][:WIDE]), "qk": list(np.linalg.svd(qk[at])[1][:WIDE]),
                      "copying": own.real.sum() / abs(own).sum(), "itself": list(np.diag(full)), "says": [int(i) for i in full.argmax(1)]})

    def score(a, b):
        return np.linalg.norm(a @ b) / np.linalg.norm(a) / np.linalg.norm(b)

    pairs = [{"writer": [one[0] + 1, one[1] + 1], "reader": [two[0] + 1, two[1] + 1], "q": score(ov[one], qk[two]), "k": score(ov[one], qk[two].T),
              "v": score(ov[one], ov[two])} for one in ov for two in ov if one[0] < two[0]]
    return {"heads": heads, "pairs": pairs, "by_chance": turned_at_random(ov[(0, 1)], qk[(1, 2)].T)}


def reference(tensors):
    model = Model(tensors)
    # From a generator of its own, so that the tested values stay the same when the construction of the model changes.
    first = np.random.default_rng(7).permutation(len(WORDS))[:HALF]
    ids = np.concatenate([first, first])
    made = model.run(ids)
    row = len(ids) - 4
    target, against = int(ids[row + 1]), int(ids[row])
    said = made["logits"].argmax(1)
    one, other = np.eye(len(WORDS))[target], np.eye(len(WORDS))[against]
    right = [int(r) for r in range(HALF, len(ids) - 1) if said[r] == ids[r + 1]]
    assert len(right) == HALF - 1, right
    effects = []
    for l in range(LAYERS):
        for i in range(HEADS):
            without, common = model.run(ids, off=(l, i)), model.run(ids, off=(l, i), mean=True)
            effects.append({"layer": l + 1, "head": i + 1, "logit": without["logits"][row] @ one, "logit_mean": common["logits"][row] @ one,
                            "right": int(sum(without["logits"].argmax(1)[HALF:-1] == ids[HALF + 1:]))})
    # The same, except for the word that followed the first time: an induction head then predicts that one.
    others = ids.copy()
    others[[row + 1 - HALF, row - 1 - HALF]] = others[[row - 1 - HALF, row + 1 - HALF]]
    corrupted = model.run(others)
    patch = {"tokens": [WORDS[i] for i in others], "logit": float(made["logits"][row] @ (one - other)),
             "logit_of_text": float(corrupted["logits"][row] @ (one - other)), "places": patches(model, made, corrupted, ids, row, one - other)}
    return {"tokens": [WORDS[i] for i in ids], "position": row + 1, "target": WORDS[target], "against": WORDS[against],
            "planted": [{"role": "previous", "layer": 1, "head": 2}, {"role": "duplicate", "layer": 1, "head": 4},
                        {"role": "induction", "layer": 2, "head": 3}, {"role": "first", "layer": 2, "head": 1}],
            "right": HALF - 1, "roles": roles(made, ids), "of_target": attribution(model, made, row, one),
            "of_difference": attribution(model, made, row, one - other), "gradient": slopes(model, made, ids, row, one),
            "without_head": effects, "patch": patch, "stream": stream(made), "circuits": circuits(model)}


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value


def files():
    t = Tensors(0, "F16")
    make(t)
    config = {"model_type": "gpt2", "n_embd": D, "n_layer": LAYERS, "n_head": HEADS, "n_positions": PLACES, "n_inner": INNER,
              "activation_function": "gelu_new", "layer_norm_epsilon": EPS, "vocab_size": len(WORDS)}
    return {"config.json": (json.dumps(config, indent=1) + "\n").encode(),
            "vocab.json": (json.dumps({word: i for i, word in enumerate(WORDS)}) + "\n").encode(),
            "model.safetensors": safetensors(t, "F16"),
            "reference.json": (json.dumps(rounded(reference(t)), indent=1) + "\n").encode()}


def alike(a, b):
    """Equal except for the last digits of numbers, as NumPy may sum in another order elsewhere."""
    if isinstance(a, float) or isinstance(b, float):
        return isinstance(a, (int, float)) and isinstance(b, (int, float)) and math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6)
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(alike, a, b))
    return a == b


def check():
    """Files must be the same to the byte, numbers of the reference to 1e-6."""
    wrong = []
    for name, data in files().items():
        there = (OUT / name).read_bytes() if (OUT / name).exists() else b""
        if there == data:
            continue
        if name == "reference.json" and there and alike(json.loads(there), json.loads(data)):
            continue
        wrong.append(name)
    print("\n".join(f"another: planted/{one}" for one in wrong) if wrong else "planted circuit: made again, the same")
    return 1 if wrong else 0


def main():
    if "--check" in sys.argv[1:]:
        return check()
    OUT.mkdir(exist_ok=True)
    for name, data in files().items():
        (OUT / name).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
