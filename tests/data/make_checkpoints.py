#!/usr/bin/python3
"""Makes tests/data/checkpoints: a tiny seeded checkpoint of every family that is opened, in Hugging Face's layout (the
names of tensors and of keys that the published files have), and the results of a plain forward pass over five tokens, or over
a picture.

The passes are written from the families' papers and published code, in float64 NumPy, on the tensors as they are stored;
no code of the program is used. activations.safetensors names each value as the program's step: l1.queries,
l2.weights.h1, ffn.l1.residual, logits. `--check` regenerates everything and compares it with the files.
"""

import json
import math
import struct
import sys
import zlib
from pathlib import Path

import numpy as np

OUT = Path(__file__).parent / "checkpoints"
TOKENS = ["the", "cat", "sat", "on", "cat"]
WORDS = ["a", "the", "cat", "sat", "on", "mat", "dog", "ran", "away", "red", "hat"]
IDS = [WORDS.index(token) for token in TOKENS]
LAYERS, INNER, PLACES = 2, 10, 8


# --- files

def narrow(values, kind):
    """The bytes of numbers in their stored type, and the numbers after rounding to it."""
    single = np.asarray(values, np.float32)
    if kind == "F32":
        return single.tobytes(), single.astype(float)
    if kind == "F16":
        half = single.astype(np.float16)
        return half.tobytes(), half.astype(float)
    bits = single.view(np.uint32)
    bits = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)  # to nearest, ties to even
    return bits.tobytes(), (bits.astype(np.uint32) << 16).view(np.float32).astype(float)


def safetensors(tensors, kind="F32"):
    """Maps names to values; returns the bytes of the file."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, values in tensors.items():
        raw = narrow(values, kind)[0]
        header[name] = {"dtype": kind, "shape": list(np.shape(values)), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


class Tensors(dict):
    """Seeded tensors, created when they are first named; they become the contents of the file."""

    def __init__(self, seed, kind):
        super().__init__()
        self.rng, self.kind = np.random.default_rng(seed), kind

    def make(self, name, *shape, spread=0.4, around=0.0):
        self[name] = narrow(around + spread * self.rng.standard_normal(shape), self.kind)[1]
        return self[name]

    def linear(self, name, x, out, bias=True):
        w = self.make(name + ".weight", out, x.shape[1])
        return x @ w.T + (self.make(name + ".bias", out, spread=0.2) if bias else 0)

    def gain(self, name, d, around=1.0):
        return self.make(name + ".weight", d, spread=0.2, around=around)

    def layer_norm(self, name, x, eps=1e-5):
        g, b = self.gain(name, x.shape[1]), self.make(name + ".bias", x.shape[1], spread=0.2)
        return g * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + eps) + b

    def rms_norm(self, name, x, eps, offset=0.0):
        g = self.gain(name, x.shape[1], 1.0 - offset) + offset
        return g * x / np.sqrt((x**2).mean(1, keepdims=True) + eps)


# --- mathematics

def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def silu(x):
    return x / (1 + np.exp(-x))


def frequencies(width, base):
    return base ** (-np.arange(0, width, 2) / width)


def llama3(theta, s):
    """Hugging Face's modeling_rope_utils, _compute_llama3_parameters."""
    length = 2 * math.pi / theta
    low, high = s["original_max_position_embeddings"] / s["low_freq_factor"], s["original_max_position_embeddings"] / s["high_freq_factor"]
    out = np.where(length > low, theta / s["factor"], theta)
    smooth = (s["original_max_position_embeddings"] / length - s["low_freq_factor"]) / (s["high_freq_factor"] - s["low_freq_factor"])
    middle = (length <= low) & (length >= high)
    return np.where(middle, (1 - smooth) * theta / s["factor"] + smooth * theta, out)


def rotate(x, theta):
    """Rotates the first 2·len(theta) columns, as halves; the others stay unchanged."""
    half = len(theta)
    angle = np.arange(len(x))[:, None] * theta
    a, b, rest = x[:, :half], x[:, half:2 * half], x[:, 2 * half:]
    return np.hstack([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle), rest])


def yarn(base, width, s):
    """Hugging Face's modeling_rope_utils, _compute_yarn_parameters: the angles, and the factor by which rotated vectors are
    lengthened."""
    def pair(turns):
        return width * math.log(s["original_max_position_embeddings"] / (turns * 2 * math.pi)) / (2 * math.log(base))

    low = max(math.floor(pair(s.get("beta_fast", 32))), 0)
    high = min(math.ceil(pair(s.get("beta_slow", 1))), width - 1)
    slowed = np.clip((np.arange(width // 2) - low) / ((high - low) or 0.001), 0, 1)
    theta = frequencies(width, base)
    return slowed * theta / s["factor"] + (1 - slowed) * theta, s.get("attention_factor") or 0.1 * math.log(s["factor"]) + 1


class Pass:
    """One forward pass; its values are stored under the program's step names."""

    def __init__(self, tensors):
        self.t, self.made, self.files = tensors, {}, {}

    def keep(self, name, value):
        self.made[name] = value
        return value

    def attention(self, layer, q, k, v, heads, kv_heads=None, causal=True, turn=lambda x: x, norm=lambda x, which: x,
                  window=None, cap=None, part="", around=None, bias=None, scaled=True, root=None):
        """Queries, keys and values of all heads, projected; returns the joined heads. `around`: a window to both sides;
        `bias`: added to the scores of each head; `root`: scores are divided by its root instead of that of a key's width."""
        n, kv_heads = len(q), kv_heads or heads
        for name, value in zip(("queries", "keys", "values"), (q, k, v)):
            self.keep(f"{part}l{layer}.{name}", value)
        q, k, v = [[part[:, i:i + part.shape[1] // h] for i in range(0, part.shape[1], part.shape[1] // h)]
                   for part, h in ((q, heads), (k, kv_heads), (v, kv_heads))]
        i, j = np.indices((n, len(k[0])))
        out = []
        for h in range(heads):
            g = h * kv_heads // heads
            scores = turn(norm(q[h], "q")) @ turn(norm(k[g], "k")).T / (math.sqrt(root or q[h].shape[1]) if scaled else 1)
            if bias is not None:
                scores = scores + bias[h]
            if cap:
                scores = cap * np.tanh(scores / cap)
            if causal:
                scores = np.where(j > i, -np.inf, scores)
            if window:
                scores = np.where(i - j >= window, -np.inf, scores)
            if around is not None:
                scores = np.where(np.abs(i - j) > around, -np.inf, scores)
            out.append(self.keep(f"{part}l{layer}.weights.h{h + 1}", softmax(scores)) @ v[g])
        return np.hstack(out)

    def words(self, logits, cap=None):
        logits = cap * np.tanh(logits / cap) if cap else logits
        self.keep("logits", logits)


# --- families: each returns its config.json, the pass, and the prefix of its tensors' names

def gpt2(t, prefix="transformer."):
    d, heads = 8, 2
    p = Pass(t)
    wte = t.make(prefix + "wte.weight", len(WORDS), d)
    x = wte[IDS] + t.make(prefix + "wpe.weight", PLACES, d)[:len(IDS)]

    def conv(name, y, out):
        return y @ t.make(name + ".weight", y.shape[1], out) + t.make(name + ".bias", out, spread=0.2)

    for l in range(LAYERS):
        h = f"{prefix}h.{l}."
        q, k, v = np.split(conv(h + "attn.c_attn", t.layer_norm(h + "ln_1", x), 3 * d), 3, axis=1)
        x = p.keep(f"l{l + 1}.residual", x + conv(h + "attn.c_proj", p.attention(l + 1, q, k, v, heads), d))
        up = conv(h + "mlp.c_fc", t.layer_norm(h + "ln_2", x), 4 * d)
        x = p.keep(f"ffn.l{l + 1}.residual", x + conv(h + "mlp.c_proj", gelu_tanh(up), d))
    p.words(p.keep("output", t.layer_norm(prefix + "ln_f", x)) @ wte.T)
    config = {"model_type": "gpt2", "n_embd": d, "n_layer": LAYERS, "n_head": heads, "n_positions": PLACES, "n_inner": None,
              "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5}
    return config, p


def bert(t, names, model_type="bert", prefix="bert.", skip=0, types=True, eps=1e-12, head=True, pair=False):
    """BERT, DistilBERT and RoBERTa: one pass under three sets of names. `pair`: SOURCE follows as the second segment."""
    d, heads = 8, 2
    ids = IDS[:3] + SOURCE if pair else IDS
    segments = [0] * 3 + [1] * len(SOURCE) if pair else [0] * len(IDS)
    p = Pass(t)
    e = prefix + "embeddings."
    words = t.make(e + "word_embeddings.weight", len(WORDS), d)
    x = words[ids] + t.make(e + "position_embeddings.weight", PLACES + skip, d)[skip:skip + len(ids)]
    if types:
        x = p.keep("typed_inputs", x + t.make(e + "token_type_embeddings.weight", 1 if skip else 2, d)[segments])
    x = t.layer_norm(e + "LayerNorm", x, eps)
    for l in range(LAYERS):
        at = prefix + names["layer"] + f".{l}."
        q, k, v = (t.linear(at + names[which], x, d) for which in "qkv")
        x = p.keep(f"l{l + 1}.residual", x + t.linear(at + names["o"], p.attention(l + 1, q, k, v, heads, causal=False), d))
        x = p.keep(f"l{l + 1}.normed", t.layer_norm(at + names["norm"], x, eps))
        inner = gelu(t.linear(at + names["up"], x, INNER))
        x = p.keep(f"ffn.l{l + 1}.residual", x + t.linear(at + names["down"], inner, d))
        x = p.keep(f"ffn.l{l + 1}.normed" if l + 1 < LAYERS else "output", t.layer_norm(at + names["norm2"], x, eps))
    if head:
        y = t.layer_norm(names["head_norm"], gelu(t.linear(names["head"], x, d)), eps)
        p.words(y @ words.T + t.make(names["head_bias"], len(WORDS), spread=0.2))
    config = {"model_type": model_type, "hidden_size": d, "num_hidden_layers": LAYERS, "num_attention_heads": heads,
              "intermediate_size": INNER, "layer_norm_eps": eps, "hidden_act": "gelu",
              "max_position_embeddings": PLACES + skip, "type_vocab_size": 2, "position_embedding_type": "absolute"}
    if model_type == "distilbert":
        config = {"model_type": model_type, "dim": d, "n_layers": LAYERS, "n_heads": heads, "hidden_dim": INNER,
                  "activation": "gelu", "max_position_embeddings": PLACES}
    if pair:
        p.files = {"text.txt": b"the cat sat", "source.txt": SECOND}
    return config, p


BERT_LAYER = {"layer": "encoder.layer", "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
              "o": "attention.output.dense", "norm": "attention.output.LayerNorm", "up": "intermediate.dense",
              "down": "output.dense", "norm2": "output.LayerNorm"}
BERT = BERT_LAYER | {"head": "cls.predictions.transform.dense", "head_norm": "cls.predictions.transform.LayerNorm",
                     "head_bias": "cls.predictions.bias"}
ROBERTA = BERT_LAYER | {"head": "lm_head.dense", "head_norm": "lm_head.layer_norm", "head_bias": "lm_head.bias"}
DISTILBERT = {"layer": "transformer.layer", "q": "attention.q_lin", "k": "attention.k_lin", "v": "attention.v_lin",
              "o": "attention.out_lin", "norm": "sa_layer_norm", "up": "ffn.lin1", "down": "ffn.lin2",
              "norm2": "output_layer_norm", "head": "vocab_transform", "head_norm": "vocab_layer_norm",
              "head_bias": "vocab_projector.bias"}


def llama(t, model_type, heads=4, kv_heads=2, head=2, base=10000.0, eps=1e-6, bias=False, tied=False, gain="", scaling=None,
          window=None, act=silu, prefix="model.", **more):
    """Llama and its relatives: Mistral, Qwen, OLMo 2, Gemma 1 to 3."""
    d, gemma = 8, model_type.startswith("gemma")
    offset = 1.0 if gemma else 0.0
    layers, cap, final_cap = more.get("layers", LAYERS), more.get("cap"), more.get("final_cap")
    p = Pass(t)
    words = t.make(prefix + "embed_tokens.weight", len(WORDS), d)
    x = words[IDS] * (math.sqrt(d) if gemma else 1)
    theta = frequencies(head, base)
    longer = 1.0
    if scaling and scaling["rope_type"] == "yarn":
        theta, longer = yarn(base, head, scaling)
    elif scaling:
        theta = llama3(theta, scaling) if scaling["rope_type"] == "llama3" else theta / scaling["factor"]
    for l in range(layers):
        at = f"{prefix}layers.{l}."
        every = more.get("every")
        local = window and not (every and (l + 1) % every == 0)
        own = frequencies(head, more["local"]) if local and "local" in more else theta
        y = x if model_type == "olmo2" else t.rms_norm(at + "input_layernorm", x, eps, offset)
        q, k, v = (t.linear(f"{at}self_attn.{name}_proj", y, h * head, bias) for name, h in
                   (("q", heads), ("k", kv_heads), ("v", kv_heads)))
        gains = {}
        if gain:
            wide = {"q": heads * head, "k": kv_heads * head} if gain == "full" else {"q": head, "k": head}
            gains = {w: t.gain(f"{at}self_attn.{w}_norm", wide[w], 1.0 - offset) + offset for w in "qk"}

        def rms(z, which):
            return gains[which] * z / np.sqrt((z**2).mean(1, keepdims=True) + eps)

        raw = (q, k)
        if gain == "full":
            q, k = rms(q, "q"), rms(k, "k")
        placed = not ("unplaced" in more and (l + 1) % more["unplaced"] == 0)
        mixed = p.attention(l + 1, q, k, v, heads, kv_heads, True, lambda z: longer * rotate(z, own) if placed else z,
                            rms if gain == "head" else lambda z, which: z, window if local else None, cap, root=more.get("root"))
        p.keep(f"l{l + 1}.queries", raw[0]), p.keep(f"l{l + 1}.keys", raw[1])
        made = t.linear(at + "self_attn.o_proj", mixed, d, False)
        if model_type in ("olmo2", "gemma2", "gemma3_text"):
            made = t.rms_norm(at + "post_attention_layernorm", made, eps, offset)
        x = p.keep(f"l{l + 1}.residual", x + made)
        before = {"olmo2": None, "gemma2": "pre_feedforward_layernorm", "gemma3_text": "pre_feedforward_layernorm"}
        name = before.get(model_type, "post_attention_layernorm")
        y = t.rms_norm(at + name, x, eps, offset) if name else x
        made = t.linear(at + "mlp.down_proj", act(t.linear(at + "mlp.gate_proj", y, INNER, False)) *
                        t.linear(at + "mlp.up_proj", y, INNER, False), d, False)
        if name != "post_attention_layernorm":
            made = t.rms_norm(at + "post_feedforward_layernorm", made, eps, offset)
        x = p.keep(f"ffn.l{l + 1}.residual", x + made)
    x = p.keep("output", t.rms_norm(prefix + "norm", x, eps, offset))
    p.words(x @ (words if tied else t.make("lm_head.weight", len(WORDS), d)).T, final_cap)
    config = {"model_type": model_type, "hidden_size": d, "num_hidden_layers": layers, "num_attention_heads": heads,
              "num_key_value_heads": kv_heads, "head_dim": head, "intermediate_size": INNER, "rms_norm_eps": eps,
              "hidden_act": "silu", "rope_theta": base, "tie_word_embeddings": tied, "rope_scaling": scaling,
              "max_position_embeddings": 4096}
    if window:
        config["sliding_window"] = window
    if gemma:
        config |= {"hidden_activation": "gelu_pytorch_tanh", "query_pre_attn_scalar": more.get("root", head),
                   "attn_logit_softcapping": cap, "final_logit_softcapping": final_cap}
    if "unplaced" in more:
        config |= {"no_rope_layer_interval": more["unplaced"],
                   "no_rope_layers": [int((l + 1) % more["unplaced"] != 0) for l in range(layers)]}
    if "local" in more:
        config |= {"rope_local_base_freq": more["local"], "sliding_window_pattern": more["every"]}
    if "nested" in more:  # as transformers 5 writes it: settings for each kind of layer, and the kind of each layer
        del config["rope_local_base_freq"], config["rope_theta"], config["rope_scaling"], config["sliding_window_pattern"]
        config["layer_types"] = [("full" if (l + 1) % more["every"] == 0 else "sliding") + "_attention" for l in range(layers)]
        config["rope_parameters"] = {"full_attention": {**scaling, "rope_theta": base},
                                     "sliding_attention": {"rope_theta": more["local"], "rope_type": "default"}}
    return config, p


def neox(t, parallel=True, share=0.25, base=10000, nested=False):
    """`nested`: the rotary settings as transformers 5 writes them."""
    d, heads, head = 16, 2, 8
    p = Pass(t)
    theta = frequencies(int(head * share), float(base))
    x = t.make("gpt_neox.embed_in.weight", len(WORDS), d)[IDS]
    for l in range(LAYERS):
        at = f"gpt_neox.layers.{l}."
        fused = t.linear(at + "attention.query_key_value", t.layer_norm(at + "input_layernorm", x), 3 * d)
        fused = fused.reshape(len(IDS), heads, 3, head)  # head by head
        q, k, v = (fused[:, :, i].reshape(len(IDS), d) for i in range(3))
        mixed = p.attention(l + 1, q, k, v, heads, turn=lambda z: rotate(z, theta))
        attended = p.keep(f"l{l + 1}.residual", x + t.linear(at + "attention.dense", mixed, d))
        y = t.layer_norm(at + "post_attention_layernorm", x if parallel else attended)
        made = t.linear(at + "mlp.dense_4h_to_h", gelu(t.linear(at + "mlp.dense_h_to_4h", y, INNER)), d)
        x = p.keep(f"ffn.l{l + 1}.residual", attended + made)
    x = p.keep("output", t.layer_norm("gpt_neox.final_layer_norm", x))
    p.words(x @ t.make("embed_out.weight", len(WORDS), d).T)
    config = {"model_type": "gpt_neox", "hidden_size": d, "num_hidden_layers": LAYERS, "num_attention_heads": heads,
              "intermediate_size": INNER, "layer_norm_eps": 1e-5, "hidden_act": "gelu", "rotary_pct": share,
              "rotary_emb_base": base, "use_parallel_residual": parallel, "tie_word_embeddings": False}
    if nested:
        config["rope_parameters"] = {"partial_rotary_factor": config.pop("rotary_pct"), "rope_theta": config.pop("rotary_emb_base"),
                                     "rope_type": "default"}
    return config, p


def phi(t):
    d, heads, head = 10, 1, 10
    p = Pass(t)
    theta = frequencies(4, 10000.0)
    x = t.make("model.embed_tokens.weight", len(WORDS), d)[IDS]
    for l in range(LAYERS):
        at = f"model.layers.{l}."
        y = t.layer_norm(at + "input_layernorm", x)
        q, k, v = (t.linear(f"{at}self_attn.{name}_proj", y, d) for name in "qkv")
        mixed = p.attention(l + 1, q, k, v, heads, turn=lambda z: rotate(z, theta))
        attended = p.keep(f"l{l + 1}.residual", x + t.linear(at + "self_attn.dense", mixed, d))
        x = p.keep(f"ffn.l{l + 1}.residual", attended + t.linear(at + "mlp.fc2", gelu_tanh(t.linear(at + "mlp.fc1", y, INNER)), d))
    x = p.keep("output", t.layer_norm("model.final_layernorm", x))
    p.words(t.linear("lm_head", x, len(WORDS)))
    config = {"model_type": "phi", "hidden_size": d, "num_hidden_layers": LAYERS, "num_attention_heads": heads,
              "num_key_value_heads": None, "intermediate_size": INNER, "layer_norm_eps": 1e-5, "hidden_act": "gelu_new",
              "partial_rotary_factor": 0.4, "rope_theta": 10000.0, "tie_word_embeddings": False, "qk_layernorm": False}
    return config, p


def gpt_neo(t):
    """Hugging Face's modeling_gpt_neo: scores are not scaled; a local layer attends to so many tokens, including the query's
    own."""
    d, heads, window, kinds = 8, 2, 3, ["global", "local", "global"]
    p = Pass(t)
    words = t.make("transformer.wte.weight", len(WORDS), d)
    x = words[IDS] + t.make("transformer.wpe.weight", PLACES, d)[:len(IDS)]
    for l, kind in enumerate(kinds):
        h = f"transformer.h.{l}."
        y = t.layer_norm(h + "ln_1", x)
        q, k, v = (t.linear(f"{h}attn.attention.{which}_proj", y, d, False) for which in "qkv")
        mixed = p.attention(l + 1, q, k, v, heads, window=window if kind == "local" else None, scaled=False)
        x = p.keep(f"l{l + 1}.residual", x + t.linear(h + "attn.attention.out_proj", mixed, d))
        up = gelu_tanh(t.linear(h + "mlp.c_fc", t.layer_norm(h + "ln_2", x), 4 * d))
        x = p.keep(f"ffn.l{l + 1}.residual", x + t.linear(h + "mlp.c_proj", up, d))
    p.words(p.keep("output", t.layer_norm("transformer.ln_f", x)) @ words.T)
    config = {"model_type": "gpt_neo", "hidden_size": d, "num_layers": len(kinds), "num_heads": heads, "intermediate_size": None,
              "max_position_embeddings": PLACES, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "window_size": window,
              "attention_types": [[["global", "local"], 1], [["global"], 1]], "attention_layers": kinds, "resid_dropout": 0,
              "embed_dropout": 0, "attention_dropout": 0, "summary_type": "cls_index", "summary_use_proj": True}
    return config, p


def opt(t, before=True):
    """Hugging Face's modeling_opt: the first two rows of the position table belong to no token. Without `before`, norms
    follow the sub-layers and there is none at the end (the order of OPT 350M)."""
    d, heads, at = 8, 2, "model.decoder."
    p = Pass(t)
    words = t.make(at + "embed_tokens.weight", len(WORDS), d)
    x = words[IDS] + t.make(at + "embed_positions.weight", PLACES + 2, d)[2:2 + len(IDS)]

    def sub_layer(name, normed, x, f, last):
        if before:
            return p.keep(name, x + f(t.layer_norm(normed, x)))
        x = p.keep(name, x + f(x))
        return p.keep("output" if last else name.replace("residual", "normed"), t.layer_norm(normed, x))

    for l in range(LAYERS):
        h = f"{at}layers.{l}."

        def attend(y):
            q, k, v = (t.linear(f"{h}self_attn.{which}_proj", y, d) for which in "qkv")
            return t.linear(h + "self_attn.out_proj", p.attention(l + 1, q, k, v, heads), d)

        def feed(y):
            return t.linear(h + "fc2", np.maximum(t.linear(h + "fc1", y, INNER), 0), d)

        x = sub_layer(f"l{l + 1}.residual", h + "self_attn_layer_norm", x, attend, False)
        x = sub_layer(f"ffn.l{l + 1}.residual", h + "final_layer_norm", x, feed, l + 1 == LAYERS)
    if before:
        x = p.keep("output", t.layer_norm(at + "final_layer_norm", x))
    p.words(x @ words.T)
    config = {"model_type": "opt", "hidden_size": d, "num_hidden_layers": LAYERS, "num_attention_heads": heads, "ffn_dim": INNER,
              "max_position_embeddings": PLACES, "activation_function": "relu", "do_layer_norm_before": before, "word_embed_proj_dim": d,
              "_remove_final_layer_norm": False, "enable_bias": True, "layer_norm_elementwise_affine": True, "layerdrop": 0.0,
              "init_std": 0.02, "pad_token_id": 1, "bos_token_id": 2, "eos_token_id": 2, "prefix": "</s>"}
    return config, p


def gptj(t):
    """Hugging Face's modeling_gptj: neighbouring columns are rotated, both sub-layers share one norm, attention has no
    biases."""
    d, heads, head, rotary = 16, 2, 8, 4
    p = Pass(t)
    theta = frequencies(rotary, 10000.0)

    def turn(z):
        angle = np.arange(len(z))[:, None] * theta
        a, b = z[:, 0:rotary:2], z[:, 1:rotary:2]
        out = z.copy()
        out[:, 0:rotary:2] = a * np.cos(angle) - b * np.sin(angle)
        out[:, 1:rotary:2] = b * np.cos(angle) + a * np.sin(angle)
        return out

    x = t.make("transformer.wte.weight", len(WORDS), d)[IDS]
    for l in range(LAYERS):
        h = f"transformer.h.{l}."
        y = t.layer_norm(h + "ln_1", x)
        q, k, v = (t.linear(f"{h}attn.{which}_proj", y, d, False) for which in "qkv")
        mixed = p.attention(l + 1, q, k, v, heads, turn=turn)
        attended = p.keep(f"l{l + 1}.residual", x + t.linear(h + "attn.out_proj", mixed, d, False))
        x = p.keep(f"ffn.l{l + 1}.residual", attended + t.linear(h + "mlp.fc_out", gelu_tanh(t.linear(h + "mlp.fc_in", y, INNER)), d))
    p.words(t.linear("lm_head", p.keep("output", t.layer_norm("transformer.ln_f", x)), len(WORDS)))
    config = {"model_type": "gptj", "n_embd": d, "n_layer": LAYERS, "n_head": heads, "n_inner": INNER, "n_positions": 64, "n_ctx": 64,
              "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "rotary": True, "rotary_dim": rotary,
              "scale_attn_weights": True, "tie_word_embeddings": False}
    return config, p


def phi3(t, scaled=False):
    """Hugging Face's modeling_phi3: fused projections. `scaled`: longrope as in Phi-4-mini, a model that was extended to
    longer texts: up to the original length the angles stay, and rotated vectors are lengthened."""
    d, heads, kv_heads, head, eps = 16, 2, 1, 8, 1e-5
    share, window = (0.5, 0) if scaled else (1.0, 3)
    p = Pass(t)
    theta = frequencies(int(head * share), 10000.0)
    longer = math.sqrt(1 + math.log(131072 / 4096) / math.log(4096)) if scaled else 1.0

    def turn(z):
        turned = rotate(z, theta)
        turned[:, :2 * len(theta)] *= longer
        return turned

    words = t.make("model.embed_tokens.weight", len(WORDS), d)
    x = words[IDS]
    for l in range(LAYERS):
        at = f"model.layers.{l}."
        y = t.rms_norm(at + "input_layernorm", x, eps)
        q, k, v = np.split(t.linear(at + "self_attn.qkv_proj", y, (heads + 2 * kv_heads) * head, False), [heads * head, (heads + kv_heads) * head], 1)
        mixed = p.attention(l + 1, q, k, v, heads, kv_heads, turn=turn, window=window)
        x = p.keep(f"l{l + 1}.residual", x + t.linear(at + "self_attn.o_proj", mixed, d, False))
        y = t.rms_norm(at + "post_attention_layernorm", x, eps)
        gate, up = np.split(t.linear(at + "mlp.gate_up_proj", y, 2 * INNER, False), 2, axis=1)
        x = p.keep(f"ffn.l{l + 1}.residual", x + t.linear(at + "mlp.down_proj", silu(gate) * up, d, False))
    x = p.keep("output", t.rms_norm("model.norm", x, eps))
    p.words(x @ (words if scaled else t.make("lm_head.weight", len(WORDS), d)).T)
    config = {"model_type": "phi3", "hidden_size": d, "num_hidden_layers": LAYERS, "num_attention_heads": heads,
              "num_key_value_heads": kv_heads, "intermediate_size": INNER, "rms_norm_eps": eps, "hidden_act": "silu",
              "rope_theta": 10000.0, "tie_word_embeddings": scaled, "sliding_window": window or None, "rope_scaling": None,
              "max_position_embeddings": 4096, "original_max_position_embeddings": 4096, "attention_bias": False, "embd_pdrop": 0.0,
              "resid_pdrop": 0.0}
    if scaled:
        config |= {"partial_rotary_factor": share, "max_position_embeddings": 131072, "full_attn_mod": 1, "interpolate_factor": 1,
                   "lm_head_bias": False, "mlp_bias": False, "sliding_window": 262144,
                   "rope_scaling": {"type": "longrope", "short_factor": [1.0] * len(theta), "long_factor": [1.0 + i for i in range(len(theta))]}}
    return config, p


def modernbert(t, classes=0):
    """[Warner et al. 2024]; Hugging Face's modeling_modernbert: no biases except that of the output layer. `classes`: a head
    that classifies texts instead of predicting words."""
    d, heads, head, layers, around = 8, 2, 4, 4, 1
    p = Pass(t)

    def norm(name, x):
        return t.gain(name, d) * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)

    words = t.make("model.embeddings.tok_embeddings.weight", len(WORDS), d)
    x = norm("model.embeddings.norm", words[IDS])
    for l in range(layers):
        at = f"model.layers.{l}."
        y = norm(at + "attn_norm", x) if l > 0 else x
        q, k, v = np.split(t.linear(at + "attn.Wqkv", y, 3 * d, False), 3, axis=1)
        theta = frequencies(head, 160000.0 if l % 3 == 0 else 500.0)
        mixed = p.attention(l + 1, q, k, v, heads, causal=False, turn=lambda z: rotate(z, theta), around=None if l % 3 == 0 else around)
        x = p.keep(f"l{l + 1}.residual", x + t.linear(at + "attn.Wo", mixed, d, False))
        bent, gate = np.split(t.linear(at + "mlp.Wi", norm(at + "mlp_norm", x), 2 * INNER, False), 2, axis=1)
        x = p.keep(f"ffn.l{l + 1}.residual", x + t.linear(at + "mlp.Wo", gelu(bent) * gate, d, False))
    x = p.keep("output", norm("model.final_norm", x))
    y = norm("head.norm", gelu(t.linear("head.dense", x, d, False)))
    if classes:
        t.linear("classifier", y, classes)
    else:
        p.words(y @ words.T + t.make("decoder.bias", len(WORDS), spread=0.2))
    config = {"model_type": "modernbert", "hidden_size": d, "num_hidden_layers": layers, "num_attention_heads": heads,
              "intermediate_size": INNER, "norm_eps": 1e-5, "norm_bias": False, "hidden_activation": "gelu",
              "attention_bias": False, "mlp_bias": False, "decoder_bias": True, "local_attention": 2 * around,
              "global_attn_every_n_layers": 3, "global_rope_theta": 160000.0, "local_rope_theta": 500.0,
              "max_position_embeddings": 64, "position_embedding_type": "absolute"}
    return config, p


# The input of an encoder, and what a decoder has written after its start token.
SOURCE = [WORDS.index(token) for token in ("red", "hat", "ran", "away")]
SECOND = b"red hat ran away"
START = 0


def buckets(queries, keys, both, count, farthest):
    """The bucket of a distance [Raffel et al. 2020, 2.1]; Hugging Face's T5Attention._relative_position_bucket"""
    offset = np.arange(keys)[None, :] - np.arange(queries)[:, None]
    base = 0
    if both:
        count //= 2
        base, distance = np.where(offset > 0, count, 0), np.abs(offset)
    else:
        distance = np.maximum(-offset, 0)
    near = count // 2
    far = near + (np.log(np.maximum(distance, 1) / near) / math.log(farthest / near) * (count - near)).astype(int)
    return base + np.where(distance < near, distance, np.minimum(far, count - 1))


def t5(t, gated=False, tied=True, layers=(LAYERS, LAYERS)):
    d, heads, head, count, farthest = 8, 2, 3, 6, 4
    p = Pass(t)
    words = t.make("shared.weight", len(WORDS), d)

    def attention(at, layer, part, y, source, bias, causal=False):
        q, k, v = (t.linear(f"{at}.{which}", z, heads * head, False) for which, z in (("q", y), ("k", source), ("v", source)))
        return t.linear(at + ".o", p.attention(layer, q, k, v, heads, causal=causal, part=part, bias=bias, scaled=False), d, False)

    def feed_forward(at, x):
        if not gated:
            return t.linear(at + "wo", np.maximum(t.linear(at + "wi", x, INNER, False), 0), d, False)
        return t.linear(at + "wo", gelu_tanh(t.linear(at + "wi_0", x, INNER, False)) * t.linear(at + "wi_1", x, INNER, False), d, False)

    def stack(side, x, memory=None):
        part, feed = ("", "ffn.") if memory is not None else ("encoder.", "encoder_ffn.")
        for l in range(layers[memory is not None]):
            at = f"{side}.block.{l}.layer."
            if l == 0:  # all layers share it
                table = t.make(at + "0.SelfAttention.relative_attention_bias.weight", count, heads, spread=1.0)
                bias = table[buckets(len(x), len(x), memory is None, count, farthest)].transpose(2, 0, 1)
            y = t.rms_norm(at + "0.layer_norm", x, 1e-6)
            x = p.keep(f"{part}l{l + 1}.residual", x + attention(at + "0.SelfAttention", l + 1, part, y, y, bias, memory is not None))
            if memory is not None:
                y = t.rms_norm(at + "1.layer_norm", x, 1e-6)
                x = p.keep(f"cross.l{l + 1}.residual", x + attention(at + "1.EncDecAttention", l + 1, "cross.", y, memory, None))
            last = f"{at}{1 if memory is None else 2}."
            y = t.rms_norm(last + "layer_norm", x, 1e-6)
            x = p.keep(f"{feed}l{l + 1}.residual", x + feed_forward(last + "DenseReluDense.", y))
        return t.rms_norm(f"{side}.final_layer_norm", x, 1e-6)

    memory = p.keep("encoder.annotations", stack("encoder", words[SOURCE]))
    y = p.keep("output", stack("decoder", words[[START] + IDS], memory))
    p.words(y / math.sqrt(d) @ words.T if tied else t.linear("lm_head", y, len(WORDS), False))
    config = {"model_type": "t5", "d_model": d, "d_kv": head, "d_ff": INNER, "num_layers": layers[0], "num_decoder_layers": layers[1],
              "num_heads": heads, "relative_attention_num_buckets": count, "relative_attention_max_distance": farthest,
              "layer_norm_epsilon": 1e-6, "feed_forward_proj": "gated-gelu" if gated else "relu", "is_encoder_decoder": True,
              "tie_word_embeddings": tied, "decoder_start_token_id": START, "pad_token_id": START, "eos_token_id": 1}
    p.files = {"source.txt": SECOND}
    return config, p


def marian(t, layers=(LAYERS, LAYERS)):
    """Hugging Face's modeling_marian: post-norm; position vectors have all sines in the first half and all cosines in the
    second."""
    d, heads = 8, 2
    p = Pass(t)
    words = t.make("model.shared.weight", len(WORDS), d)

    def attention(at, layer, part, x, source, causal=False):
        q, k, v = (t.linear(f"{at}.{which}_proj", z, d) for which, z in (("q", x), ("k", source), ("v", source)))
        made = t.linear(at + ".out_proj", p.attention(layer, q, k, v, heads, causal=causal, part=part), d)
        x = p.keep(f"{part}l{layer}.residual", x + made)
        return p.keep(f"{part}l{layer}.normed", t.layer_norm(at + "_layer_norm", x))

    def stack(side, ids, memory=None):
        angle = np.arange(len(ids))[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
        x = words[ids] * math.sqrt(d) + np.hstack([np.sin(angle), np.cos(angle)])
        part, feed = ("", "ffn.") if memory is not None else ("encoder.", "encoder_ffn.")
        for l in range(layers[memory is not None]):
            at = f"model.{side}.layers.{l}."
            x = attention(at + "self_attn", l + 1, part, x, x, memory is not None)
            if memory is not None:
                x = attention(at + "encoder_attn", l + 1, "cross.", x, memory)
            x = p.keep(f"{feed}l{l + 1}.residual", x + t.linear(at + "fc2", silu(t.linear(at + "fc1", x, INNER)), d))
            x = t.layer_norm(at + "final_layer_norm", x)
        return x

    memory = p.keep("encoder.annotations", stack("encoder", SOURCE))
    y = p.keep("output", stack("decoder", [START] + IDS, memory))
    p.words(y @ words.T + t.make("final_logits_bias", 1, len(WORDS), spread=0.2))
    config = {"model_type": "marian", "d_model": d, "encoder_layers": layers[0], "decoder_layers": layers[1],
              "encoder_attention_heads": heads, "decoder_attention_heads": heads, "encoder_ffn_dim": INNER,
              "decoder_ffn_dim": INNER, "activation_function": "swish", "scale_embedding": True,
              "max_position_embeddings": PLACES, "normalize_before": False, "normalize_embedding": False,
              "add_final_layer_norm": False, "static_position_embeddings": True, "share_encoder_decoder_embeddings": True,
              "decoder_vocab_size": len(WORDS), "decoder_start_token_id": START, "pad_token_id": START, "eos_token_id": 1}
    p.files = {"source.txt": SECOND}
    return config, p


def electra(t, head=True, narrow=4):
    """[Clark et al. 2020]; Hugging Face's modeling_electra: word vectors have a width of their own and are projected to that
    of the blocks. The generator predicts words; the discriminator (without `head`) predicts for each word whether it was
    replaced."""
    d, heads, eps = 8, 2, 1e-12
    p = Pass(t)
    e = "electra.embeddings."
    words = t.make(e + "word_embeddings.weight", len(WORDS), narrow)
    x = words[IDS] + t.make(e + "position_embeddings.weight", PLACES, narrow)[:len(IDS)]
    x = p.keep("typed_inputs", x + t.make(e + "token_type_embeddings.weight", 2, narrow)[0])
    x = t.layer_norm(e + "LayerNorm", x, eps)
    if narrow != d:
        x = p.keep("projected_inputs", t.linear("electra.embeddings_project", x, d))
    for l in range(LAYERS):
        at = f"electra.encoder.layer.{l}."
        q, k, v = (t.linear(f"{at}attention.self.{which}", x, d) for which in ("query", "key", "value"))
        x = p.keep(f"l{l + 1}.residual", x + t.linear(at + "attention.output.dense", p.attention(l + 1, q, k, v, heads, causal=False), d))
        x = t.layer_norm(at + "attention.output.LayerNorm", x, eps)
        x = p.keep(f"ffn.l{l + 1}.residual", x + t.linear(at + "output.dense", gelu(t.linear(at + "intermediate.dense", x, INNER)), d))
        x = t.layer_norm(at + "output.LayerNorm", x, eps)
    p.keep("output", x)
    if head:
        y = t.layer_norm("generator_predictions.LayerNorm", gelu(t.linear("generator_predictions.dense", x, narrow)), eps)
        p.words(y @ words.T + t.make("generator_lm_head.bias", len(WORDS), spread=0.2))
    else:
        t.linear("discriminator_predictions.dense_prediction", gelu(t.linear("discriminator_predictions.dense", x, d)), 1)
    config = {"model_type": "electra", "embedding_size": narrow, "hidden_size": d, "num_hidden_layers": LAYERS, "num_attention_heads": heads,
              "intermediate_size": INNER, "layer_norm_eps": eps, "hidden_act": "gelu", "max_position_embeddings": PLACES,
              "type_vocab_size": 2, "position_embedding_type": "absolute", "summary_activation": "gelu", "summary_last_dropout": 0.1,
              "summary_type": "first", "summary_use_proj": True}
    return config, p


def albert(t, layers=3, groups=1, inside=1):
    """[Lan et al. 2019]; Hugging Face's modeling_albert: groups of layers, each of which is applied repeatedly."""
    d, heads, narrow, eps = 8, 2, 6, 1e-12
    p = Pass(t)
    e = "albert.embeddings."
    words = t.make(e + "word_embeddings.weight", len(WORDS), narrow)
    x = words[IDS] + t.make(e + "position_embeddings.weight", PLACES, narrow)[:len(IDS)]
    x = p.keep("typed_inputs", x + t.make(e + "token_type_embeddings.weight", 2, narrow)[0])
    x = p.keep("projected_inputs", t.linear("albert.encoder.embedding_hidden_mapping_in", t.layer_norm(e + "LayerNorm", x, eps), d))
    for group in range(groups):
        for inner in range(inside):
            at = f"albert.encoder.albert_layer_groups.{group}.albert_layers.{inner}."
            for name, out, into in (("attention.query", d, d), ("attention.key", d, d), ("attention.value", d, d), ("attention.dense", d, d),
                                    ("ffn", INNER, d), ("ffn_output", d, INNER)):
                t.make(at + name + ".weight", out, into)
                t.make(at + name + ".bias", out, spread=0.2)
            for name in ("attention.LayerNorm", "full_layer_layer_norm"):
                t.gain(at + name, d)
                t.make(at + name + ".bias", d, spread=0.2)

    def linear(name, y):
        return y @ t[name + ".weight"].T + t[name + ".bias"]

    def norm(name, y):
        return t[name + ".weight"] * (y - y.mean(1, keepdims=True)) / np.sqrt(y.var(1, keepdims=True) + eps) + t[name + ".bias"]

    step = 0
    for layer in range(layers):
        for inner in range(inside):
            step += 1
            at = f"albert.encoder.albert_layer_groups.{int(layer / (layers / groups))}.albert_layers.{inner}."
            q, k, v = (linear(at + "attention." + which, x) for which in ("query", "key", "value"))
            mixed = p.attention(step, q, k, v, heads, causal=False)
            x = norm(at + "attention.LayerNorm", p.keep(f"l{step}.residual", x + linear(at + "attention.dense", mixed)))
            made = linear(at + "ffn_output", gelu_tanh(linear(at + "ffn", x)))
            x = norm(at + "full_layer_layer_norm", p.keep(f"ffn.l{step}.residual", x + made))
    p.keep("output", x)
    y = t.layer_norm("predictions.LayerNorm", gelu_tanh(t.linear("predictions.dense", x, narrow)), eps)
    bias = t.make("predictions.bias", len(WORDS), spread=0.2)
    t["predictions.decoder.bias"] = bias
    p.words(y @ words.T + bias)
    config = {"model_type": "albert", "embedding_size": narrow, "hidden_size": d, "num_hidden_layers": layers, "num_hidden_groups": groups,
              "inner_group_num": inside, "num_attention_heads": heads, "intermediate_size": INNER, "layer_norm_eps": eps,
              "hidden_act": "gelu_new", "max_position_embeddings": PLACES, "type_vocab_size": 2, "position_embedding_type": "absolute",
              "net_structure_type": 0, "gap_size": 0, "num_memory_blocks": 0, "down_scale_factor": 1, "classifier_dropout_prob": 0.1}
    return config, p


def mpnet(t, head=True):
    """[Song et al. 2020]; Hugging Face's modeling_mpnet: learned positions from 2 on, and a bias per head for every
    distance, shared by all layers. The text is long enough for several distances to share a bias."""
    d, heads, eps, count = 8, 2, 1e-5, 32
    ids = (IDS * 3)[:13]
    p = Pass(t)
    words = t.make("mpnet.embeddings.word_embeddings.weight", len(WORDS), d)
    x = words[ids] + t.make("mpnet.embeddings.position_embeddings.weight", 18, d)[2:2 + len(ids)]
    x = t.layer_norm("mpnet.embeddings.LayerNorm", x, eps)
    table = t.make("mpnet.encoder.relative_attention_bias.weight", count, heads, spread=1.0)
    bias = np.empty((heads, len(ids), len(ids)))
    for i in range(len(ids)):
        for j in range(len(ids)):
            away, half = i - j, count // 2
            bucket = half if away < 0 else 0
            away = abs(away)
            near = half // 2
            far = near + int(math.log(max(away, 1) / near) / math.log(128 / near) * (half - near))
            bias[:, i, j] = table[bucket + (away if away < near else min(far, half - 1))]
    for l in range(LAYERS):
        at = f"mpnet.encoder.layer.{l}."
        q, k, v = (t.linear(f"{at}attention.attn.{which}", x, d) for which in "qkv")
        mixed = p.attention(l + 1, q, k, v, heads, causal=False, bias=bias)
        x = p.keep(f"l{l + 1}.residual", x + t.linear(at + "attention.attn.o", mixed, d))
        x = t.layer_norm(at + "attention.LayerNorm", x, eps)
        x = p.keep(f"ffn.l{l + 1}.residual", x + t.linear(at + "output.dense", gelu(t.linear(at + "intermediate.dense", x, INNER)), d))
        x = t.layer_norm(at + "output.LayerNorm", x, eps)
    p.keep("output", x)
    if head:
        y = t.layer_norm("lm_head.layer_norm", gelu(t.linear("lm_head.dense", x, d)), eps)
        p.words(y @ words.T + t.make("lm_head.bias", len(WORDS), spread=0.2))
    config = {"model_type": "mpnet", "hidden_size": d, "num_hidden_layers": LAYERS, "num_attention_heads": heads, "intermediate_size": INNER,
              "layer_norm_eps": eps, "hidden_act": "gelu", "max_position_embeddings": 18, "relative_attention_num_buckets": count,
              "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    p.files = {"text.txt": " ".join(WORDS[i] for i in ids).encode()}
    return config, p


def bart(t, model_type, layers=(LAYERS, LAYERS), head=True):
    """Hugging Face's modeling_bart (norms after the sub-layers and after the inputs), modeling_mbart (before the sub-layers,
    after the inputs, and at the end of both sides) and modeling_m2m_100 (before the sub-layers and at the end; sines and
    cosines from position 2 on)."""
    d, heads = 8, 2
    before, waves = model_type != "bart", model_type == "m2m_100"
    act, name = {"bart": (gelu, "gelu"), "mbart": (gelu, "gelu"), "m2m_100": (lambda x: np.maximum(x, 0), "relu")}[model_type]
    root = 1.0 if model_type == "bart" else math.sqrt(d)
    p = Pass(t)
    words = t.make("model.shared.weight", len(WORDS), d)

    def sub_layer(key, normed, x, f):
        if before:
            return p.keep(key, x + f(t.layer_norm(normed, x)))
        return t.layer_norm(normed, p.keep(key, x + f(x)))

    def stack(side, ids, memory=None):
        part, feed = ("", "ffn.") if memory is not None else ("encoder.", "encoder_ffn.")
        at = f"model.{side}."
        if waves:
            half = d // 2
            angle = (np.arange(len(ids))[:, None] + 2) * np.exp(np.arange(half) * -(math.log(10000) / (half - 1)))
            places = np.hstack([np.sin(angle), np.cos(angle)])
        else:
            places = t.make(at + "embed_positions.weight", PLACES + 2, d)[2:2 + len(ids)]
        x = words[ids] * root + places
        if not waves:
            x = t.layer_norm(at + "layernorm_embedding", x)
        for l in range(layers[memory is not None]):
            h = f"{at}layers.{l}."

            def attend(which, where, other=None):
                def f(y):
                    source = y if other is None else other
                    q, k, v = (t.linear(f"{h}{which}.{one}_proj", z, d) for one, z in (("q", y), ("k", source), ("v", source)))
                    mixed = p.attention(l + 1, q, k, v, heads, causal=memory is not None and other is None, part=where)
                    return t.linear(f"{h}{which}.out_proj", mixed, d)
                return f

            x = sub_layer(f"{part}l{l + 1}.residual", h + "self_attn_layer_norm", x, attend("self_attn", part))
            if memory is not None:
                x = sub_layer(f"cross.l{l + 1}.residual", h + "encoder_attn_layer_norm", x, attend("encoder_attn", "cross.", memory))
            x = sub_layer(f"{feed}l{l + 1}.residual", h + "final_layer_norm", x,
                          lambda y: t.linear(h + "fc2", act(t.linear(h + "fc1", y, INNER)), d))
        return t.layer_norm(at + "layer_norm", x) if before else x

    memory = p.keep("encoder.annotations", stack("encoder", SOURCE))
    start = 2
    y = p.keep("output", stack("decoder", [start] + IDS, memory))
    p.words(y @ words.T + (t.make("final_logits_bias", 1, len(WORDS), spread=0.2) if head and not waves else 0))
    config = {"model_type": model_type, "d_model": d, "encoder_layers": layers[0], "decoder_layers": layers[1],
              "encoder_attention_heads": heads, "decoder_attention_heads": heads, "encoder_ffn_dim": INNER, "decoder_ffn_dim": INNER,
              "activation_function": name, "scale_embedding": model_type != "bart", "max_position_embeddings": PLACES, "is_encoder_decoder": True,
              "decoder_start_token_id": start, "pad_token_id": 1, "eos_token_id": 2, "bos_token_id": 0, "num_hidden_layers": layers[0],
              "classifier_dropout": 0.0, "encoder_layerdrop": 0.0, "decoder_layerdrop": 0.0}
    if not waves:
        config |= {"normalize_before": before, "normalize_embedding": True, "add_final_layer_norm": before, "static_position_embeddings": False,
                   "extra_pos_embeddings": 2, "add_bias_logits": False}
    if model_type == "bart":
        config |= {"forced_bos_token_id": 0}
    if not head:  # as BartModel is saved, without the output layer
        for key in list(t):
            t[key.removeprefix("model.")] = t.pop(key)
    p.files = {"source.txt": SECOND}
    return config, p


# A picture for a ViT: smaller than the model's input in one direction and larger in the other.
PICTURE = (7, 11)  # rows and columns of pixels
LABELS = ["tabby cat", "猫头鹰", "bus"]


def picture():
    """Bytes of red, green and blue: stripes, a ramp, and a bright spot."""
    y, x = np.indices(PICTURE)
    out = np.stack([(x * 23 + y * 7) % 256, (y * 41 + 30) % 256, (x // 3 % 2) * 200], axis=2)
    out[2:4, 6:9] = (250, 240, 120)
    return out.astype(np.uint8)


def png(pixels):
    """A PNG of 8-bit red, green and blue, stored uncompressed, so that no compressor affects its bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(rows), len(rows) ^ 0xFFFF) + rows + struct.pack(">I", zlib.adler32(rows))
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", stored) + chunk(b"IEND", b"")


def triangle(x):
    return np.maximum(0, 1 - x)


def cubic(x):
    """Keys' kernel with a = -1/2, as in Pillow."""
    return np.where(x < 1, (1.5 * x - 2.5) * x * x + 1, np.where(x < 2, ((-0.5 * x + 2.5) * x - 4) * x + 2, 0))


def shrunk(pixels, count, kernel=triangle):
    """Resizes rows as Pillow does: with a kernel as wide as a pixel of the coarser picture. (BILINEAR: a triangle; BICUBIC
    uses pixels whose centres are less than two of those widths away.)"""
    ratio = len(pixels) / count
    reach = max(ratio, 1.0)
    centers = (np.arange(count) + 0.5) * ratio
    weights = kernel(np.abs(np.arange(len(pixels))[None, :] + 0.5 - centers[:, None]) / reach)
    weights /= weights.sum(1, keepdims=True)
    return np.floor(np.tensordot(weights, pixels.astype(float), (1, 0)) + 0.5).clip(0, 255)


def vit(t, prefix="vit.", head=True, distilled=False):
    """[Dosovitskiy et al. 2021]; Hugging Face's modeling_vit and image_processing_vit. `distilled`: [Touvron et al. 2021],
    modeling_deit and image_processing_deit: a second token with an output head of its own, and a centre crop of a larger
    picture."""
    d, heads, size, patch, eps = 8, 2, 12, 4, 1e-12
    before, whole = (2, 15) if distilled else (1, size)
    p = Pass(t)
    mean, std = np.array([0.5, 0.4, 0.3]), np.array([0.5, 0.25, 0.2])
    near = cubic if distilled else triangle
    bytes_ = shrunk(shrunk(picture().swapaxes(0, 1), whole, near).swapaxes(0, 1), whole, near)
    edge = (whole - size) // 2
    bytes_ = bytes_[edge:edge + size, edge:edge + size]
    numbers_ = (bytes_ / 255 - mean) / std
    e = prefix + "embeddings."
    first = t.make(e + "cls_token", 1, 1, d)[0]
    if distilled:
        first = np.vstack([first, t.make(e + "distillation_token", 1, 1, d)[0]])
    places = t.make(e + "position_embeddings", 1, (size // patch) ** 2 + before, d)[0]
    kernel = t.make(e + "patch_embeddings.projection.weight", d, 3, patch, patch)
    side = size // patch
    cut = numbers_.reshape(side, patch, side, patch, 3).transpose(0, 2, 4, 1, 3)  # row, column, channel, y, x
    pixels = p.keep("pixels", cut.reshape(side * side, -1))
    made = np.einsum("rcnyx,dnyx->rcd", cut, kernel).reshape(-1, d) + t.make(e + "patch_embeddings.projection.bias", d, spread=0.2)
    assert np.allclose(made, pixels @ kernel.reshape(d, -1).T + t[e + "patch_embeddings.projection.bias"])
    x = p.keep("inputs", p.keep("embeddings", np.vstack([first, p.keep("patches", made)])) + places)
    for l in range(LAYERS):
        at = f"{prefix}encoder.layer.{l}."
        y = t.layer_norm(at + "layernorm_before", x, eps)
        q, k, v = (t.linear(f"{at}attention.attention.{name}", y, d) for name in ("query", "key", "value"))
        x = p.keep(f"l{l + 1}.residual", x + t.linear(at + "attention.output.dense", p.attention(l + 1, q, k, v, heads, causal=False), d))
        inner = gelu(t.linear(at + "intermediate.dense", t.layer_norm(at + "layernorm_after", x, eps), INNER))
        x = p.keep(f"ffn.l{l + 1}.residual", x + t.linear(at + "output.dense", inner, d))
    x = p.keep("output", t.layer_norm(prefix + "layernorm", x, eps))
    if head and not distilled:
        p.words(t.linear("classifier", p.keep("class_state", x[:1]), len(LABELS)))
    elif head:
        by_class = p.keep("class_logits", t.linear("cls_classifier", p.keep("class_state", x[:1]), len(LABELS)))
        by_teacher = p.keep("distillation_logits", t.linear("distillation_classifier", p.keep("distillation_state", x[1:2]), len(LABELS)))
        p.words((by_class + by_teacher) / 2)
    config = {"model_type": "deit" if distilled else "vit", "hidden_size": d, "num_hidden_layers": LAYERS, "num_attention_heads": heads,
              "intermediate_size": INNER, "layer_norm_eps": eps, "hidden_act": "gelu", "image_size": size, "patch_size": patch,
              "num_channels": 3, "qkv_bias": True}
    if head:
        config |= {"id2label": {str(i): label for i, label in enumerate(LABELS)}}
    pre = {"do_normalize": True, "do_resize": True, "image_mean": list(mean), "image_std": list(std), "resample": 2,
           "size": {"height": whole, "width": whole}}
    if distilled:
        pre |= {"resample": 3, "do_center_crop": True, "crop_size": {"height": size, "width": size}}
    p.files = {"preprocessor_config.json": (json.dumps(pre, indent=1) + "\n").encode(), "picture.png": png(picture())}
    return config, p


def quick_gelu(x):
    """Hugging Face's QuickGELUActivation."""
    return x / (1 + np.exp(-1.702 * x))


def cut_picture(p, patch, size, shorter=None, mean=(0.5, 0.4, 0.3), std=(0.5, 0.25, 0.2)):
    """The patches of the picture as the image processors of CLIP and DINOv2 prepare them: bicubic resizing of the shorter
    side to `shorter`, then a centre crop. Rows and columns of patches, each channel by channel."""
    rows, columns = PICTURE
    wanted = (size, size)
    if shorter:
        wanted = (int(shorter * rows / columns), shorter) if columns < rows else (shorter, int(shorter * columns / rows))
    bytes_ = shrunk(shrunk(picture().swapaxes(0, 1), wanted[1], cubic).swapaxes(0, 1), wanted[0], cubic)
    top, left = (wanted[0] - size) // 2, (wanted[1] - size) // 2
    numbers_ = (bytes_[top:top + size, left:left + size] / 255 - np.array(mean)) / np.array(std)
    side = size // patch
    cut = numbers_.reshape(side, patch, side, patch, 3).transpose(0, 2, 4, 1, 3)
    p.keep("pixels", cut.reshape(side * side, -1))
    pre = {"do_normalize": True, "do_resize": True, "do_rescale": True, "image_mean": list(mean), "image_std": list(std), "resample": 3,
           "size": {"height": size, "width": size}}
    if shorter:
        pre |= {"size": {"shortest_edge": shorter}, "do_center_crop": True, "crop_size": {"height": size, "width": size}}
    p.files = {"preprocessor_config.json": (json.dumps(pre, indent=1) + "\n").encode(), "picture.png": png(picture())}
    return cut


def keys_cubic(x, a):
    """Keys' kernel for any a; PyTorch uses -0.75, or -0.5 when it averages."""
    x = abs(x)
    return (a + 2) * x**3 - (a + 3) * x**2 + 1 if x < 1 else a * (x**3 - 5 * x**2 + 8 * x - 4) if x < 2 else 0.0


def resized_grid(grid, count, average):
    """torch.nn.functional.interpolate(mode="bicubic", align_corners=False, antialias=average) of rows × columns × d with the
    size given (ATen's UpSample.h and UpSampleKernel.cpp), one direction after the other."""
    for _ in range(2):  # rows, then columns
        m, out = len(grid), []
        ratio = m / count
        for i in range(count):
            at = (i + 0.5) * ratio
            if average:
                wide = 2 * max(ratio, 1)
                low, high = max(int(at - wide + 0.5), 0), min(int(at + wide + 0.5), m)
                shares = [keys_cubic((j - at + 0.5) / max(ratio, 1), -0.5) for j in range(low, high)]
                out.append(sum(share * grid[j] for share, j in zip(shares, range(low, high))) / sum(shares))
            else:
                base = math.floor(at - 0.5)
                t = at - 0.5 - base
                shares = [keys_cubic(t + 1, -0.75), keys_cubic(t, -0.75), keys_cubic(1 - t, -0.75), keys_cubic(2 - t, -0.75)]
                out.append(sum(share * grid[min(max(base - 1 + k, 0), m - 1)] for k, share in enumerate(shares)))
        grid = np.array(out).swapaxes(0, 1)
    return grid


def dino(t, registers=0, size=8, stored=20, gated=False):
    """DINOv2; Hugging Face's modeling_dinov2 and modeling_dinov2_with_registers. The position table is for a picture of
    `stored` pixels."""
    d, heads, patch, eps, ratio = 8, 2, 4, 1e-6, 3
    p = Pass(t)
    cut = cut_picture(p, patch, size, 15)
    side, grid = size // patch, stored // patch
    e = "embeddings."
    first = t.make(e + "cls_token", 1, 1, d)[0]
    t.make(e + "mask_token", 1, d)
    own = t.make(e + "register_tokens", 1, registers, d)[0] if registers else np.zeros((0, d))
    places = t.make(e + "position_embeddings", 1, grid * grid + 1, d)[0]
    kernel = t.make(e + "patch_embeddings.projection.weight", d, 3, patch, patch)
    made = p.keep("patches", np.einsum("rcnyx,dnyx->rcd", cut, kernel).reshape(-1, d) + t.make(e + "patch_embeddings.projection.bias", d, spread=0.2))
    at_patches = places[1:].reshape(grid, grid, d)
    if side != grid:
        at_patches = resized_grid(at_patches, side, registers > 0)
    at_patches = at_patches.reshape(-1, d)
    p.keep("positions", np.vstack([places[:1], np.zeros((registers, d)), at_patches]))
    x = p.keep("inputs", np.vstack([first + places[:1], own, made + at_patches]))
    inner = (int(d * ratio * 2 / 3) + 7) // 8 * 8 if gated else d * ratio
    for l in range(LAYERS):
        at = f"encoder.layer.{l}."
        y = t.layer_norm(at + "norm1", x, eps)
        q, k, v = (t.linear(f"{at}attention.attention.{name}", y, d) for name in ("query", "key", "value"))
        y = t.linear(at + "attention.output.dense", p.attention(l + 1, q, k, v, heads, causal=False), d)
        x = p.keep(f"l{l + 1}.residual", x + p.keep(f"l{l + 1}.layer_scaled", y * t.make(at + "layer_scale1.lambda1", d)))
        y = t.layer_norm(at + "norm2", x, eps)
        if gated:
            one, other = np.split(t.linear(at + "mlp.weights_in", y, 2 * inner), 2, axis=1)
            y = t.linear(at + "mlp.weights_out", silu(one) * other, d)
        else:
            y = t.linear(at + "mlp.fc2", gelu(t.linear(at + "mlp.fc1", y, inner)), d)
        x = p.keep(f"ffn.l{l + 1}.residual", x + y * t.make(at + "layer_scale2.lambda1", d))
    p.keep("output", t.layer_norm("layernorm", x, eps))
    config = {"model_type": "dinov2_with_registers" if registers else "dinov2", "hidden_size": d, "num_hidden_layers": LAYERS,
              "num_attention_heads": heads, "mlp_ratio": ratio, "hidden_act": "gelu", "layer_norm_eps": eps, "image_size": stored, "patch_size": patch,
              "num_channels": 3, "qkv_bias": True, "layerscale_value": 1.0, "drop_path_rate": 0.0, "use_swiglu_ffn": gated, "apply_layernorm": True,
              "reshape_hidden_states": True, "out_features": ["stage2"], "out_indices": [2], "stage_names": ["stem", "stage1", "stage2"],
              "attention_probs_dropout_prob": 0.0, "hidden_dropout_prob": 0.0}
    if registers:
        config |= {"num_register_tokens": registers, "interpolate_antialias": True, "interpolate_offset": 0.0}
    return config, p


def clip_blocks(t, p, at, x, heads, act, eps, causal):
    d = x.shape[1]
    for l in range(LAYERS):
        h = f"{at}encoder.layers.{l}."
        y = t.layer_norm(h + "layer_norm1", x, eps)
        q, k, v = (t.linear(f"{h}self_attn.{name}_proj", y, d) for name in "qkv")
        x = p.keep(f"l{l + 1}.residual", x + t.linear(h + "self_attn.out_proj", p.attention(l + 1, q, k, v, heads, causal=causal), d))
        x = p.keep(f"ffn.l{l + 1}.residual", x + t.linear(h + "mlp.fc2", act(t.linear(h + "mlp.fc1", t.layer_norm(h + "layer_norm2", x, eps), INNER)), d))
    return x


def clip_picture(t, siglip=False, at="vision_model."):
    """The vision model of CLIP and of SigLIP; Hugging Face's modeling_clip and modeling_siglip."""
    d, heads, size, patch, eps = 8, 2, 12, 4, 1e-6 if siglip else 1e-5
    p = Pass(t)
    cut = cut_picture(p, patch, size, None if siglip else 14)
    e = at + "embeddings."
    first = np.zeros((0, d)) if siglip else t.make(e + "class_embedding", d)[None]
    kernel = t.make(e + "patch_embedding.weight", d, 3, patch, patch)
    made = np.einsum("rcnyx,dnyx->rcd", cut, kernel).reshape(-1, d) + (t.make(e + "patch_embedding.bias", d, spread=0.2) if siglip else 0)
    x = p.keep("inputs", np.vstack([first, made]) + t.make(e + "position_embedding.weight", len(first) + len(made), d))
    if not siglip:
        x = p.keep("normed", t.layer_norm(at + "pre_layrnorm", x, eps))
    x = clip_blocks(t, p, at, x, heads, gelu_tanh if siglip else quick_gelu, eps, False)
    p.keep("output", t.layer_norm(at + "post_layernorm", x, eps))
    if siglip:  # one learned query that attends to all patches; the program ignores it
        h = at + "head."
        t.make(h + "probe", 1, 1, d), t.make(h + "attention.in_proj_weight", 3 * d, d), t.make(h + "attention.in_proj_bias", 3 * d)
        t.linear(h + "attention.out_proj", x, d), t.layer_norm(h + "layernorm", x, eps)
        t.linear(h + "mlp.fc2", t.linear(h + "mlp.fc1", x, INNER), d)
    config = {"model_type": "siglip_vision_model" if siglip else "clip_vision_model", "hidden_size": d, "num_hidden_layers": LAYERS,
              "num_attention_heads": heads, "intermediate_size": INNER, "image_size": size, "patch_size": patch,
              "hidden_act": "gelu_pytorch_tanh" if siglip else "quick_gelu", "layer_norm_eps": eps, "attention_dropout": 0.0}
    if not siglip:
        config |= {"initializer_factor": 1.0, "initializer_range": 0.02, "projection_dim": 6, "dropout": 0.0}
    return config, p


def clip_text(t, end=2, at="text_model."):
    """CLIP's text model: causal, and the row of the end token represents the text. Where config.json says 2, as in the first
    files, that is the token with the highest id."""
    d, heads = 8, 2
    p = Pass(t)
    x = p.keep("inputs", t.make(at + "embeddings.token_embedding.weight", len(WORDS), d)[IDS]
               + t.make(at + "embeddings.position_embedding.weight", PLACES, d)[:len(IDS)])
    x = clip_blocks(t, p, at, x, heads, quick_gelu, 1e-5, True)
    y = p.keep("output", t.layer_norm(at + "final_layer_norm", x))
    row = IDS.index(max(IDS)) if end == 2 else IDS.index(end)
    p.keep("end_state", y[row:row + 1])
    config = {"model_type": "clip_text_model", "vocab_size": len(WORDS), "hidden_size": d, "num_hidden_layers": LAYERS, "num_attention_heads": heads,
              "intermediate_size": INNER, "max_position_embeddings": PLACES, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5,
              "bos_token_id": 0, "eos_token_id": end, "pad_token_id": 1, "projection_dim": 6, "attention_dropout": 0.0}
    return config, p


def clip(t):
    """Both models in one folder. The text's activations are in a separate file, and the text model's end token is given by
    its id."""
    of_picture, p = clip_picture(t)
    of_text, q = clip_text(t, IDS[1])
    t.make("visual_projection.weight", 6, 8), t.make("text_projection.weight", 6, 8), t.make("logit_scale")
    config = {"model_type": "clip", "initializer_factor": 1.0, "logit_scale_init_value": 2.6592, "projection_dim": 6,
              "text_config": of_text, "vision_config": of_picture, "text_config_dict": None, "vision_config_dict": None}
    p.files |= {"vocab.json": (json.dumps({word: i for i, word in enumerate(WORDS)}) + "\n").encode(), "text_activations.safetensors": safetensors(q.made)}
    return config, p


def siglip(t):
    """Like SigLIP's files, which leave out the usual settings; here all sizes are unusual. The text model has only one
    tensor."""
    of_picture, p = clip_picture(t, True)
    t.make("text_model.final_layer_norm.weight", 8), t.make("logit_scale", 1), t.make("logit_bias", 1)
    return {"model_type": "siglip", "initializer_factor": 1.0,
            "text_config": {"model_type": "siglip_text_model", "vocab_size": 11}, "vision_config": of_picture}, p


SLOWED = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 64}
STRETCHED = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 256}
FAMILIES = {
    "gpt2": ("F32", gpt2),
    "gpt2-bare": ("F16", lambda t: gpt2(t, "")),
    "bert": ("F16", lambda t: bert(t, BERT)),
    "minilm": ("F32", lambda t: bert(t, BERT, prefix="", head=False)),
    "distilbert": ("F32", lambda t: bert(t, DISTILBERT, "distilbert", "distilbert.", types=False)),
    "roberta": ("F16", lambda t: bert(t, ROBERTA, "roberta", "roberta.", skip=2, eps=1e-5)),
    "llama": ("BF16", lambda t: llama(t, "llama", head=4, base=500.0, scaling=SLOWED, tied=True, eps=1e-5)),
    "smollm2": ("BF16", lambda t: llama(t, "llama", tied=True, prefix="", kv_heads=1)),
    "mistral": ("F32", lambda t: llama(t, "mistral", window=3, eps=1e-5)),
    "qwen2": ("BF16", lambda t: llama(t, "qwen2", bias=True, base=1e6, tied=True)),
    "qwen3": ("BF16", lambda t: llama(t, "qwen3", head=4, gain="head", base=1e6, tied=True)),
    "olmo2": ("F32", lambda t: llama(t, "olmo2", kv_heads=4, gain="full", base=5e5)),
    "gemma": ("F32", lambda t: llama(t, "gemma", head=4, kv_heads=1, act=gelu_tanh, tied=True)),
    "gemma2": ("F32", lambda t: llama(t, "gemma2", head=4, act=gelu_tanh, tied=True, cap=5.0, final_cap=3.0, window=3, every=2)),
    "gemma3": ("BF16", lambda t: llama(t, "gemma3_text", head=4, act=gelu_tanh, tied=True, gain="head", window=2, every=3, layers=3,
                                      base=1e6, local=10000.0, scaling={"rope_type": "linear", "factor": 8.0})),
    "pythia": ("F16", neox),
    "phi": ("F16", phi),
    "modernbert": ("F16", modernbert),
    "qwen3-yarn": ("BF16", lambda t: llama(t, "qwen3", head=8, gain="head", base=1000.0, tied=True, scaling=STRETCHED)),
    "smollm3": ("BF16", lambda t: llama(t, "smollm3", tied=True, base=5e6, layers=3, unplaced=2)),
    "t5": ("F32", t5),
    "flan-t5": ("BF16", lambda t: t5(t, gated=True, tied=False)),
    "marian": ("F16", marian),
    "vit": ("F32", vit),
    "vit-bare": ("F16", lambda t: vit(t, "", head=False)),
    "marian-uneven": ("F32", lambda t: marian(t, (3, 1))),
    "t5-uneven": ("F32", lambda t: t5(t, layers=(1, 3))),
    "deit": ("F32", lambda t: vit(t, "deit.", distilled=True)),
    "deit-bare": ("F16", lambda t: vit(t, "", head=False, distilled=True)),
    "pythia-whole": ("F16", lambda t: neox(t, share=1.0, base=5000, nested=True)),
    "gemma3-nested": ("BF16", lambda t: llama(t, "gemma3_text", head=4, act=gelu_tanh, tied=True, gain="head", window=2, every=3,
                                             layers=3, base=5000.0, local=200.0, nested=True,
                                             scaling={"rope_type": "linear", "factor": 4.0})),
    "gemma2-root": ("BF16", lambda t: llama(t, "gemma2", head=4, act=gelu_tanh, tied=True, cap=5.0, final_cap=3.0, window=3, every=2,
                                            root=7)),
    "modernbert-classes": ("F16", lambda t: modernbert(t, classes=3)),
    "bert-pair": ("F32", lambda t: bert(t, BERT, pair=True)),
    "gpt-neo": ("F32", gpt_neo),
    "opt": ("F16", opt),
    "opt-behind": ("F32", lambda t: opt(t, before=False)),
    "gptj": ("F16", gptj),
    "phi3": ("BF16", phi3),
    "phi3-long": ("BF16", lambda t: phi3(t, scaled=True)),
    "electra": ("F32", electra),
    "electra-discriminator": ("F32", lambda t: electra(t, head=False, narrow=8)),
    "albert": ("F32", albert),
    "albert-groups": ("F16", lambda t: albert(t, layers=2, groups=2, inside=2)),
    "mpnet": ("F16", mpnet),
    "mpnet-bare": ("F32", lambda t: mpnet(t, head=False)),
    "bart": ("F32", lambda t: bart(t, "bart")),
    "bart-bare": ("F16", lambda t: bart(t, "bart", (1, 2), head=False)),
    "mbart": ("F16", lambda t: bart(t, "mbart")),
    "m2m": ("F32", lambda t: bart(t, "m2m_100")),
    "m2m-uneven": ("F16", lambda t: bart(t, "m2m_100", (1, 2))),
    "dinov2": ("F32", dino),
    "dinov2-large": ("F16", lambda t: dino(t, size=12, stored=12, gated=True)),
    "dinov2-registers": ("F32", lambda t: dino(t, registers=3, size=12)),
    "clip": ("F32", clip),
    "clip-text": ("F16", clip_text),
    "siglip": ("F16", siglip),
}


def folders():
    """Maps each folder to its files: {file: bytes}."""
    out = {}
    for seed, (name, (kind, make)) in enumerate(FAMILIES.items()):
        tensors = Tensors(seed, kind)
        config, made = make(tensors)
        if "picture.png" not in made.files:
            config["vocab_size"] = len(WORDS)
            made.files |= {"vocab.json": (json.dumps({word: i for i, word in enumerate(WORDS)}) + "\n").encode()}
        files = {"config.json": (json.dumps(config, indent=1) + "\n").encode(), **made.files,
                 "activations.safetensors": safetensors(made.made)}
        if name != "smollm2":
            files["model.safetensors"] = safetensors(tensors, kind)
        else:  # in two files, with their index
            names = list(tensors)
            shards = {"model-00001-of-00002.safetensors": names[:7], "model-00002-of-00002.safetensors": names[7:]}
            for file, own in shards.items():
                files[file] = safetensors({one: tensors[one] for one in own}, kind)
            index = {"metadata": {}, "weight_map": {one: file for file, own in shards.items() for one in own}}
            files["model.safetensors.index.json"] = (json.dumps(index, indent=1) + "\n").encode()
        out[name] = files
    return out


def numbers(data):
    """Tensors of a file that this script wrote, in float32."""
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__")
    return {name: np.frombuffer(data[8 + length + t["data_offsets"][0]:8 + length + t["data_offsets"][1]], np.float32)
            for name, t in header.items()}


def check():
    """Tensors and texts must be the same to the byte; activations to 1e-6, as NumPy may sum in another order elsewhere."""
    wrong = []
    for name, files in folders().items():
        for file, data in files.items():
            path = OUT / name / file
            there = path.read_bytes() if path.exists() else b""
            if there == data:
                continue
            if file != "activations.safetensors" or not there:
                wrong.append(f"{name}/{file}")
                continue
            old, new = numbers(there), numbers(data)
            if old.keys() != new.keys() or any(not np.allclose(old[k], new[k], 1e-6, 1e-6) for k in old):
                wrong.append(f"{name}/{file}")
    print("\n".join(f"another: {one}" for one in wrong) if wrong else "checkpoints: made again, the same")
    return 1 if wrong else 0


def main():
    if "--check" in sys.argv[1:]:
        return check()
    for name, files in folders().items():
        (OUT / name).mkdir(parents=True, exist_ok=True)
        for file, data in files.items():
            (OUT / name / file).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
