#!/usr/bin/python3
"""Makes gradients.json: documents, the gradients that they request, and their values by PyTorch's autograd in float64.

Written with torch.nn.functional from the papers' definitions; it shares with the engine only the documents' keys and the
steps' names. Run without arguments; the output is always the same (Debian's python3-torch 1.13).
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
    """Parameters by the names of their steps."""

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
    """Cross-entropy of the logits over the words of both texts; word vectors are the rows of the texts."""
    options, p = options_of(**given), Leaves()
    x, s = p.make("embeddings", n, d), p.make("source.embeddings", m, d)
    words = torch.cat([x.detach(), s.detach()])  # every token is a distinct word
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


def words_of(n, letter):
    return " ".join(f"{letter}{i}" for i in range(n))


def document_with(p, variant, **given):
    """Everything that is not a token vector is a parameter, under the name of its step."""
    doc = {"text": words_of(p["embeddings"].shape[0], "w"), "tokenizer": "words", "variant": variant, "X": rows_of(p["embeddings"])} | given
    if "source.embeddings" in p:
        doc |= {"source": words_of(p["source.embeddings"].shape[0], "s"), "X_source": rows_of(p["source.embeddings"])}
    fields = {f"{name}_weight": "W_" + letter for letter, name in zip("QKVO", ("query", "key", "value", "output"))}
    if variant == "sliced_input":  # in this form each head has its own matrices
        fields = {}
    doc |= {fields[name]: rows_of(v) for name, v in p.items() if name in fields}
    doc["parameters"] = {name: rows_of(v) for name, v in p.items() if name not in fields and not name.endswith("embeddings")}
    return doc


def raw(n, d):
    p = Leaves()
    x = p.make("embeddings", n, d)
    return document_with(p, "raw"), p, "output", (x @ x.T).softmax(-1) @ x


def cross(n, m, d, h):
    p = Leaves()
    x, s = p.make("embeddings", n, d), p.make("source.embeddings", m, d)
    w = {name: p.make(name + "_weight", d, d) for name in ("query", "key", "value", "output")}
    y = attention(x @ w["query"], s @ w["key"], s @ w["value"], h) @ w["output"]
    return document_with(p, "cross", heads=h), p, "output", y


def sliced_input(n, d, h):
    p = Leaves()
    x, dk, out = p.make("embeddings", n, d), d // h, []
    for i in range(h):
        part = x[:, i * dk:(i + 1) * dk]
        q, k, v = (part @ p.make(f"{name}_weight.h{i + 1}", dk, dk) for name in ("query", "key", "value"))
        out.append((q @ k.T / math.sqrt(dk)).softmax(-1) @ v)
    y = torch.cat(out, 1) @ p.make("output_weight", d, d)
    return document_with(p, "sliced_input", heads=h), p, "output", y


def tiled(n, d, tile):
    """Online softmax: another way to compute the same numbers, so the gradients are the same."""
    p = Leaves()
    x = p.make("embeddings", n, d)
    w = {name: p.make(name + "_weight", d, d) for name in ("query", "key", "value", "output")}
    y = attention(x @ w["query"], x @ w["key"], x @ w["value"], 1) @ w["output"]
    return document_with(p, "online", tile=tile), p, "output", y


def linear(n, d):
    p = Leaves()
    x = p.make("embeddings", n, d)
    q, k, v = (x @ p.make(name + "_weight", d, d) for name in ("query", "key", "value"))
    q, k = F.elu(q) + 1, F.elu(k) + 1
    y = (q @ (k.T @ v)) / (q @ k.sum(0)[:, None]) @ p.make("output_weight", d, d)
    return document_with(p, "linear"), p, "output", y


def recurrence(inputs, w, backward=False):
    rows, state = [None] * inputs.shape[0], torch.zeros(1, w.shape[0])
    for t in (reversed(range(inputs.shape[0])) if backward else range(inputs.shape[0])):
        state = rows[t] = torch.tanh(inputs[t:t + 1] + state @ w)
    return torch.cat(rows)


def luong(n, m, d):
    p = Leaves()
    x, s = p.make("embeddings", n, d), p.make("source.embeddings", m, d)
    h = recurrence(s @ p.make("source.state_weight", d, d), p.make("source.recurrent_weight", d, d))
    states = recurrence(x @ p.make("state_weight", d, d), p.make("recurrent_weight", d, d))
    context = (states @ p.make("score_weight", d, d) @ h.T).softmax(-1) @ h
    y = torch.tanh(torch.cat([context, states], 1) @ p.make("combine_weight", 2 * d, d))
    return document_with(p, "luong"), p, "output", y


def bahdanau(n, m, d, a, unit):
    """Each state is the query for the next; a word is read after the one before it, and the first after none."""
    p = Leaves()
    x, s = p.make("embeddings", n, d), p.make("source.embeddings", m, d)
    ahead = recurrence(s @ p.make("source.state_weight", d, d), p.make("source.recurrent_weight", d, d))
    back = recurrence(s @ p.make("source.backward_weight", d, d), p.make("source.backward_recurrent_weight", d, d), True)
    h = torch.cat([ahead, back], 1)
    state = torch.tanh(back[:1] @ p.make("initial_weight", d, d))
    wa, ua, va = p.make("score_weight", d, a), p.make("score_key_weight", 2 * d, a), p.make("score_vector", a, 1)
    parts = ("update_", "reset_", "") if unit == "gru" else ("",)
    w = {part: (p.make(part + ("weight" if part else "state_weight"), d, d), p.make(part + "recurrent_weight", d, d),
                p.make(part + "context_weight", 2 * d, d)) for part in parts}
    contexts, states = [], []
    for t in range(n):
        before = x[t - 1:t] if t else torch.zeros(1, d)
        c = (torch.tanh(state @ wa + h @ ua) @ va).T.softmax(-1) @ h

        def sum_of(part, kept):
            return before @ w[part][0] + kept @ w[part][1] + c @ w[part][2]

        if unit == "gru":
            update, reset = torch.sigmoid(sum_of("update_", state)), torch.sigmoid(sum_of("reset_", state))
            state = state + update * (torch.tanh(sum_of("", reset * state)) - state)
        else:
            state = torch.tanh(sum_of("", state))
        contexts.append(c)
        states.append(state)
    y = torch.cat([torch.cat(contexts), torch.cat(states)], 1) @ p.make("combine_weight", 3 * d, d)
    return document_with(p, "bahdanau", unit=unit, score_width=a), p, "output", y


def generate(n, d, h):
    """The text read so far, before the one token that is generated: a block under a causal mask."""
    options, p = options_of(), Leaves()
    x = p.make("embeddings", n, d)
    y = block(p, "", x, None, h, options, causal=True)
    return document_with(p, "generate", heads=h, ffn_width=2 * d, generate=1, **options), p, "output", y


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
    case(*raw(4, 5)),
    case(*cross(3, 4, 6, 2)),
    case(*sliced_input(4, 6, 2)),
    case(*tiled(5, 6, 2)),
    case(*linear(4, 6)),
    case(*luong(3, 4, 6)),
    case(*bahdanau(3, 4, 6, 5, "tanh")),
    case(*bahdanau(3, 4, 6, 5, "gru")),
    case(*generate(4, 6, 2)),
]
OUT.write_text(json.dumps({"torch": torch.__version__, "cases": CASES}, separators=(",", ":")) + "\n")
