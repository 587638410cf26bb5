#!/usr/bin/python3
"""Makes gradients.json: documents, what is asked of them, and the gradients that PyTorch's autograd gives in float64.

Written with torch.nn.functional from the papers' definitions; the engine meets it only in the documents' keys and the
steps' names. Run without arguments; the same file comes out every time (Debian's python3-torch 1.13).
"""

import json
import math
import pathlib

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(7)
OUT = pathlib.Path(__file__).with_name("gradients.json")


def numbers(rows, cols, spread=0.6):
    return torch.round(torch.randn(rows, cols) * spread * 1000) / 1000


def rows_of(matrix):
    return [[float("%.9g" % v) for v in row] for row in matrix.tolist()]


def heads_of(x, h):
    return x.view(x.shape[0], h, -1).transpose(0, 1)


def attention(q, k, v, h, causal=False, score="scaled_dot", extra=None):
    out = []
    for i, (a, b, c) in enumerate(zip(heads_of(q, h), heads_of(k, h), heads_of(v, h))):
        if score == "additive":
            w, u, va = extra[i]
            s = torch.tanh((a @ w)[:, None, :] + (b @ u)[None, :, :]) @ va[:, 0]
        else:
            s = a @ b.T / math.sqrt(a.shape[1])
        if causal:
            s = s.masked_fill(torch.ones_like(s).triu(1).bool(), -math.inf)
        out.append(s.softmax(-1) @ c)
    return torch.cat(out, 1)


class Leaves(dict):
    """Parameters by the name of their step."""

    def make(self, name, rows, cols, spread=0.6):
        self[name] = numbers(rows, cols, spread).requires_grad_()
        return self[name]


def multi_head(n, d, h, score="scaled_dot", causal=True):
    p = Leaves()
    x = p.make("embeddings", n, d)
    doc = {"text": "", "variant": "multi_head", "heads": h, "mask": "causal" if causal else "none", "score": score, "X": rows_of(x)}
    made = {}
    for letter, name in zip("QKVO", ("query", "key", "value", "output")):
        made[letter] = p.make(name + "_weight", d, d), p.make(name + "_bias", 1, d)
        doc["W_" + letter], doc["b_" + letter] = rows_of(made[letter][0]), rows_of(made[letter][1])[0]
    extra = None
    if score == "additive":
        dk = d // h
        extra = [(p.make(f"score_weight.h{i + 1}", dk, dk), p.make(f"score_key_weight.h{i + 1}", dk, dk),
                  p.make(f"score_vector.h{i + 1}", dk, 1)) for i in range(h)]
        doc["parameters"] = {name: rows_of(v) for name, v in p.items() if name.startswith("score")}
    q, k, v = (x @ made[c][0] + made[c][1] for c in "QKV")
    y = attention(q, k, v, h, causal, score, extra) @ made["O"][0] + made["O"][1]
    return doc, p, "output", y


def norm(p, name, x, rms):
    d = x.shape[1]
    gain = p.make(name + "norm_gain", 1, d)
    if rms:
        return gain * x / torch.sqrt((x * x).mean(1, keepdim=True) + 1e-5)
    return F.layer_norm(x, (d,), gain[0], p.make(name + "norm_bias", 1, d)[0], 1e-5)


def block(p, prefix, x, memory, h, options, causal=False, layer=1):
    """Self-attention, cross-attention where there is a memory, feed-forward layer."""
    d, pre, rms = x.shape[1], options["block"] == "pre_norm", options["norm"] == "rms_norm"
    width = 2 * d

    def attend(part, a, b, causal):
        w = [p.make(f"{part}l{layer}.{name}_weight", d, d) for name in ("query", "key", "value", "output")]
        return attention(a @ w[0], b @ w[1], b @ w[2], h, causal) @ w[3]

    def feed(a):
        up = a @ p.make(f"{prefix}l{layer}.up_weight", d, width)
        if options["activation"] == "swiglu":
            inner = F.silu(up) * (a @ p.make(f"{prefix}l{layer}.side_weight", d, width))
            return inner @ p.make(f"{prefix}l{layer}.down_weight", width, d)
        up = up + p.make(f"{prefix}l{layer}.up_bias", 1, width)
        act = {"relu": F.relu, "gelu": F.gelu,
               "gelu_tanh": lambda z: 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z ** 3)))}
        return act[options["activation"]](up) @ p.make(f"{prefix}l{layer}.down_weight", width, d) + p.make(f"{prefix}l{layer}.down_bias", 1, d)

    def sub(x, name, f):
        return x + f(norm(p, name, x, rms)) if pre else norm(p, name, x + f(x), rms)

    x = sub(x, f"{prefix}l{layer}.", lambda a: attend(prefix, a, a, causal))
    if memory is not None:
        x = sub(x, f"cross.l{layer}.", lambda a: attend("cross.", a, memory, False))
    feed_part = "encoder_ffn." if prefix == "encoder." else "ffn."
    return sub(x, f"{feed_part}l{layer}.", feed)


def options_of(**given):
    return {"block": "post_norm", "norm": "layer_norm", "activation": "relu"} | given


def encoder(n, d, h, layers, **given):
    options, p = options_of(**given), Leaves()
    x = start = p.make("embeddings", n, d)
    for layer in range(layers):
        x = block(p, "", x, None, h, options, layer=layer + 1)
    if options["block"] == "pre_norm":
        x = norm(p, "final.", x, options["norm"] == "rms_norm")
    doc = {"text": "", "variant": "encoder", "heads": h, "layers": layers, "ffn_width": 2 * d, "X": rows_of(start), **options,
           "parameters": {name: rows_of(v) for name, v in p.items() if name != "embeddings"}}
    return doc, p, "output", x


def decoder(n, m, d, h, **given):
    """Cross-entropy at the logits over the words of both texts; word vectors are the rows of the texts."""
    options, p = options_of(**given), Leaves()
    x, s = p.make("embeddings", n, d), p.make("source.embeddings", m, d)
    words = torch.cat([x.detach(), s.detach()])  # every token is a word of its own
    memory = block(p, "encoder.", s, None, h, options)
    if options["block"] == "pre_norm":
        memory = norm(p, "encoder.", memory, options["norm"] == "rms_norm")
    y = block(p, "", x, memory, h, options, causal=True)
    if options["block"] == "pre_norm":
        y = norm(p, "final.", y, options["norm"] == "rms_norm")
    p["vocabulary"] = words.requires_grad_()
    logits = y @ words.T
    targets = [1, 2, -1, 0][:n]
    loss = F.cross_entropy(logits, torch.tensor(targets), ignore_index=-1)
    doc = {"text": " ".join(f"w{i}" for i in range(n)), "source": " ".join(f"s{i}" for i in range(m)), "variant": "decoder",
           "tokenizer": "words", "heads": h, "ffn_width": 2 * d, "X": rows_of(x), "X_source": rows_of(s), **options,
           "parameters": {name: rows_of(v) for name, v in p.items() if "embeddings" not in name and name != "vocabulary"}}
    return doc, p, "logits", loss, targets


def case(doc, leaves, step, result, targets=None):
    out = {"document": json.dumps(doc), "step": step}
    if targets is None:
        g = numbers(*result.shape, 1)
        out["objective"] = rows_of(g)
        (result * g).sum().backward()
    else:
        out["targets"] = targets
        out["loss"] = float(result)
        result.backward()
    out["gradients"] = {name: rows_of(v.grad) for name, v in leaves.items()}
    return out


CASES = [
    case(*multi_head(5, 6, 2)),
    case(*multi_head(4, 6, 2, score="additive", causal=False)),
    case(*encoder(4, 6, 2, 2)),
    case(*encoder(4, 6, 3, 1, activation="gelu", block="pre_norm")),
    case(*encoder(4, 6, 2, 2, activation="swiglu", norm="rms_norm", block="pre_norm")),
    case(*encoder(3, 6, 1, 1, activation="gelu_tanh", norm="rms_norm")),
    case(*decoder(4, 3, 6, 2)),
    case(*decoder(4, 5, 6, 2, activation="gelu", block="pre_norm")),
]
OUT.write_text(json.dumps({"torch": torch.__version__, "cases": CASES}, separators=(",", ":")) + "\n")
