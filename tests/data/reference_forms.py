"""The forms, models that are built from attention, in NumPy float64: blocks, generation with a cache, recurrent encoders and decoders,
online softmax, linear attention. Written from the papers named beside each; see reference_attention.py.
"""

import math
from typing import NamedTuple

import numpy as np

import reference_attention as attention
from reference_steps import At, ONE, numbers, product, require, total


# ---- blocks of the Transformer [Vaswani et al. 2017, 3.1; Xiong et al. 2020] --------------------------------------------
def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


ACTIVATIONS = {"relu": lambda x: np.maximum(x, 0), "gelu": gelu, "gelu_tanh": gelu_tanh,
               "silu": lambda x: x * attention.sigmoid(x), "swiglu": lambda x: x * attention.sigmoid(x), "geglu": gelu,
               "geglu_tanh": gelu_tanh, "gelu_quick": lambda x: x * attention.sigmoid(1.702 * x)}
GATED = ("swiglu", "geglu", "geglu_tanh")
BLOCKS = ["post_norm", "pre_norm", "output_norm", "both_norms", "parallel"]


def normalise(steps, x, at, result, kind="norm"):
    """LN [Ba et al. 2016]; or RMSNorm [Zhang, Sennrich 2019]"""
    epsilon = float(np.float32(steps.choice("epsilon", 1e-5)))
    gain = steps.parameter(kind + "_gain", 1, x.shape[1], "ones", at)
    squares = (x**2).mean(axis=1, keepdims=True)
    if steps.choice("norm", "layer_norm") == "rms_norm":
        require(squares.min() > 0.01)
        return steps.put(result[0], gain * x / np.sqrt(squares + epsilon), result[1])
    bias = steps.parameter(kind + "_bias", 1, x.shape[1], "zeros", at)
    variance = x.var(axis=1, keepdims=True)
    require(np.all(variance > 0.03 * squares) and variance.min() > 0.01)  # otherwise the row is nothing but rounding
    return steps.put(result[0], total(gain * (x - x.mean(axis=1, keepdims=True)) / np.sqrt(variance + epsilon), bias), result[1])


def block_of(steps):
    return steps.choice("block", "post_norm")


def sub_layer(steps, x, at, f, result=None, begin=None):
    """x + f(LN x), LN(x + f(x)), x + LN f(x) or x + LN f(LN x); `result` names the output of a norm at the end: its role and
    its place. In a parallel block f reads `begin`, the block's input."""
    block = block_of(steps)
    read = begin if block == "parallel" and begin is not None else x
    made = f(normalise(steps, read, at, ("normed", at)) if block in ("pre_norm", "both_norms", "parallel") else read)
    if block in ("output_norm", "both_norms"):
        made = normalise(steps, made, at, ("outer_normed", at), "outer")
    added = steps.put("residual", total(x, made), at)
    return normalise(steps, added, at, result or ("normed", at)) if block == "post_norm" else added


def block_attention(steps, at, x, source, cache=None, **how):
    """Queries from x, keys and values from the source; with a cache, those of earlier tokens as well."""
    d = x.shape[1]
    heads = steps.choice("heads", 1)
    one = steps.choice("head_width", 0) or d // heads
    narrow = one * (steps.choice("kv_heads", 0) or heads)
    q = steps.project_biased(x, "query", "queries", one * heads, at)
    k = steps.project_biased(source, "key", "keys", narrow, at)
    v = steps.project_biased(source, "value", "values", narrow, at)
    roles = ("queries", "keys", "values")
    if cache:
        k, v = np.vstack([cache[0], k]), np.vstack([cache[1], v])
        steps.put("cached_keys", k, at), steps.put("cached_values", v, at)
        roles = ("queries", "cached_keys", "cached_values")
    if cache is not None:
        cache[:] = [k, v]
    out = attention.attend_heads(steps, at, q, k, v, x, roles, **how)
    return steps.project_biased(out, "output", "attended", d, at)


def layer(steps, x, at, cols, name):
    """x W and b; a gated layer has only the biases that are given."""
    if steps.choice("activation", "relu") in GATED:
        return steps.project_biased(x, name, name, cols, at)
    made = steps.project(x, name + "_weight", name + "_products", cols, "weight", at)
    return steps.put(name, total(made, steps.parameter(name + "_bias", 1, cols, "zeros", at)), at)


def feed_forward(steps, x, at):
    """f(x W_1 + b_1) W_2 + b_2; or (SiLU(x W_1) ⊙ x W_3) W_2 [Shazeer 2020]"""
    d, activation = x.shape[1], steps.choice("activation", "relu")
    width = steps.choice("ffn_width", 0) or 4 * d
    inner = steps.put("activated", ACTIVATIONS[activation](layer(steps, x, at, width, "up")), at)
    if activation in GATED:
        inner = steps.put("gated", inner * steps.project_biased(x, "side", "side", width, at), at)
    return layer(steps, inner, at, d, "down")


class Stack(NamedTuple):
    """A stack of blocks: the place of its steps, and the output of its last norm."""

    result: tuple
    part: str = ""
    feed: str = "ffn"
    final: str = "final"
    time: int | None = None

    def at(self, layer, part):
        return At(None, layer, self.time, part)


def feed_forward_sub_layer(steps, stack, x, layer, begin):
    last = layer + 1 == steps.choice("layers", 1)
    return sub_layer(steps, x, stack.at(layer, stack.feed), lambda y: feed_forward(steps, y, stack.at(layer, stack.part)),
                     stack.result if last else None, begin)


def final_norm(steps, stack, x):
    return normalise(steps, x, At(part=stack.final), stack.result) if block_of(steps) != "post_norm" else x


def layers_of(steps):
    return range(steps.choice("layers", 1))


def encoder_stack(steps, stack, x, **how):
    for l in layers_of(steps):
        at = stack.at(l, stack.part)
        begin = x
        x = sub_layer(steps, x, at, lambda y: block_attention(steps, at, y, y, **how))
        x = feed_forward_sub_layer(steps, stack, x, l, begin)
    return final_norm(steps, stack, x)


def encoder(steps):
    y = encoder_stack(steps, Stack(("output", ONE)), attention.embedded(steps))
    if steps.choice("unembedding", "by_form") != "by_form":  # the word at each position [Devlin et al. 2018, 3.1]
        n = len(steps.doc["tokens"])
        words = numbers(steps.doc["X"])[:n + (steps.choice("padding", 0) > 0)]  # all padding is one word
        attention.shares(steps, word_logits(steps, y, words, ONE), 1, ONE, role="probabilities")


def word_logits(steps, states, words, at):
    """Logits of every word by its vector [Press, Wolf 2017], or by a column of a separate matrix; the words are those of the
    texts, all distinct here."""
    if steps.choice("unembedding", "by_form") == "own":
        above = steps.parameter("unembedding_weight", states.shape[1], len(words), "weight", ONE)
    else:
        steps.put_once("vocabulary", lambda: words, ONE)
        above = steps.put_once("vocabulary_transposed", lambda: words.T, ONE)
    if "unembedding_bias" not in steps.doc.get("parameters", {}) and "unembedding_bias" not in steps.without:
        given = steps.draw("bias", 1, len(words))
        if given is None:
            steps.without.add("unembedding_bias")
        else:
            steps.doc.setdefault("parameters", {})["unembedding_bias"] = given
    if "unembedding_bias" in steps.without:
        return steps.put("logits", product(states, above), at)
    made = steps.put("logit_products", product(states, above), at)
    return steps.put("logits", total(made, steps.parameter("unembedding_bias", 1, len(words), "zeros", ONE)), at)


def decoder(steps):
    """The whole Transformer [Vaswani et al. 2017, 3.1, 3.4]; padding belongs to the second text, other masks to the
    first."""
    doc = steps.doc
    padded = doc.get("mask") == "padding"
    source = attention.embedded(steps, "X_source", "source")
    encoder_part = Stack(("annotations", At(part="encoder")), "encoder", "encoder_ffn", "encoder")
    memory = encoder_stack(steps, encoder_part, source, masked=padded)
    y, stack = attention.embedded(steps), Stack(("output", ONE))
    for l in layers_of(steps):
        own, cross = stack.at(l, ""), stack.at(l, "cross")
        y = sub_layer(steps, y, own, lambda z: block_attention(steps, own, z, z, causal=True, masked=not padded))
        y = sub_layer(steps, y, cross, lambda z: block_attention(steps, cross, z, memory, positioned=False, masked=padded))
        y = feed_forward_sub_layer(steps, stack, y, l, y)
    words = np.vstack([numbers(doc["X"]), numbers(doc["X_source"])])
    attention.shares(steps, word_logits(steps, final_norm(steps, stack, y), words, ONE), 1, ONE, role="probabilities")


# ---- generation, one token at a time with a cache ----------------------------------------------------------------------
def likeliest(scores, p, temperature):
    """The fewest most likely words whose softmax at the temperature sums to p [Holtzman et al. 2020; the order is that of
    Hugging Face: temperature, top-k, top-p]"""
    row = scores[0]
    if temperature == 0:
        require(np.diff(np.sort(row)[-2:]).min(initial=1) > 1e-3)
        return np.where(scores >= row.max(), scores, -np.inf)
    if temperature == np.inf:
        return scores
    order = np.sort(row[np.isfinite(row)])[::-1]
    e = np.exp((order - order[0]) / temperature)
    reached = np.cumsum(e / e.sum())
    require(np.abs(reached - p).min() > 1e-4 and np.all(np.diff(order) < -1e-3))
    edge = order[min(np.searchsorted(reached, p - 1e-9), len(order) - 1)]
    return np.where(scores >= edge, scores, -np.inf)


def choose_word(steps, states, words, at):
    last = steps.put("state", states[-1:], at) if len(states) > 1 else states
    logits = word_logits(steps, last, words, at)
    sample = steps.choice("choose", "greedy") == "sample"
    if sample and steps.choice("choose_top_k", 0) > 0:
        logits = steps.put("logits_kept", attention.largest(logits, steps.doc["choose_top_k"]), at)
    temperature = float(np.float32(steps.choice("choose_temperature", 1))) if sample else 0
    if sample and steps.choice("choose_top_p", 1) < 1:
        logits = steps.put("logits_likely", likeliest(logits, float(np.float32(steps.doc["choose_top_p"])), temperature), at)
    likely = attention.shares(steps, logits, temperature, at, role="probabilities")
    return steps.put("choice", attention.drawn_shares(likely, 1, steps.choice("draw_seed", 1) + at.time), at)


def generate(steps):
    words = numbers(steps.doc["X"])
    times, n = steps.choice("generate", 4), len(words)
    x, table = steps.put("embeddings", words), attention.position_table(steps, n + times - 1, words.shape[1], ONE)
    caches, first, made = [[] for _ in layers_of(steps)], 0, []
    for time in range(times):
        at = At(time=time)
        if table is not None:
            x = steps.put("inputs", total(x, steps.put("positions", table[first:first + len(x)], at)), at)
        stack = Stack(("normed", At(time=time, part="final")), time=time)
        for l in layers_of(steps):
            own = stack.at(l, "")
            begin = x
            x = sub_layer(steps, x, own, lambda y: block_attention(steps, own, y, y, caches[l], causal=True, first=first))
            x = feed_forward_sub_layer(steps, stack, x, l, begin)
        made.append(final_norm(steps, stack, x))
        choice = choose_word(steps, made[-1], words, at)
        first = n + time
        if time + 1 < times:
            x = steps.put("next_embedding", product(choice, steps.put_once("vocabulary", lambda: words, ONE)), at)
    steps.put("output", np.vstack(made))


# ---- recurrent models: h_t = tanh(x_t W + h_{t−1} U) [Elman 1990] -------------------------------------------------------
def recurrent(steps, x, at, prefix="", states="states", backward=False):
    d = x.shape[1]
    z = steps.project(x, (prefix or "state_") + "weight", (prefix or "state_") + "products", d, "weight", at)
    u = steps.parameter(prefix + "recurrent_weight", d, d, "weight", at)
    out, h = np.zeros_like(z), np.zeros(d)
    for t in reversed(range(len(z))) if backward else range(len(z)):
        out[t] = h = np.tanh(z[t] + h @ u)
    return steps.put(states, out, at)


def combined(steps, contexts, states, result):
    """[c; h] W_c [Luong et al. 2015, eq. 5]"""
    both = steps.put("context_states", np.hstack([contexts, states]))
    return steps.project(both, "combine_weight", result, states.shape[1], "weight", ONE)


SOURCE = At(part="source")


def luong(steps):
    """h̃_t = tanh(W_c [c_t; h_t]) [Luong et al. 2015, 3]"""
    keys = recurrent(steps, steps.put("embeddings", numbers(steps.doc["X_source"]), SOURCE), SOURCE)
    states = recurrent(steps, steps.put("embeddings", numbers(steps.doc["X"])), ONE)
    contexts = attention.attend(steps, ONE, states, keys, keys, "head_output", states, positioned=False)
    steps.put("output", np.tanh(combined(steps, contexts, states, "combine_products")))


def unit_part(steps, at, i, inputs, carried, context, prefix, names):
    """y_{i−1} W + s U + c C: the word before the predicted one; the first has none before it."""
    before = inputs[i - 1:i] if i > 0 else np.zeros((1, inputs.shape[1]))
    own = steps.put(names[0] + "_products", before, at)
    d = inputs.shape[1]
    back = steps.project(carried, prefix + "recurrent_weight", prefix + "recurrent_products", d, "weight", at)
    some = steps.put(names[0] + "_sum", total(own, back) if i > 0 else own + back, at)
    looked = steps.project(context, prefix + "context_weight", prefix + "context_products", d, "weight", at)
    return steps.put(names[0] + "_input", total(some, looked), at)


def plain_state(steps, at, i, inputs, state, context):
    return steps.put("state", np.tanh(unit_part(steps, at, i, inputs["state"], state, context, "", ["state"])), at)


def gated_state(steps, at, i, inputs, state, context):
    """[Bahdanau et al. 2014, A.1.1]"""
    gate = lambda name: steps.put(name, attention.sigmoid(unit_part(steps, at, i, inputs[name], state, context, name + "_", [name])), at)
    z, r = gate("update"), gate("reset")
    kept = steps.put("kept_state", r * state, at)
    candidate = steps.put("candidate", np.tanh(unit_part(steps, at, i, inputs["state"], kept, context, "", ["state"])), at)
    change = steps.put("state_change", total(candidate, steps.put("minus_state", -state, at)), at)
    return steps.put("state", total(state, steps.put("gated_change", z * change, at)), at)


def bahdanau(steps):
    """[Bahdanau et al. 2014, 3, A.2.2]: s_i = f(s_{i−1}, y_{i−1}, c_i), f a tanh or the gated unit; the encoder's are tanh."""
    source = steps.put("embeddings", numbers(steps.doc["X_source"]), SOURCE)
    forward = recurrent(steps, source, SOURCE)
    backward = recurrent(steps, source, SOURCE, "backward_", "backward_states", True)
    annotations = steps.put("annotations", np.hstack([forward, backward]), SOURCE)
    x = steps.put("embeddings", numbers(steps.doc["X"]))
    d = x.shape[1]
    gated = steps.choice("unit", "tanh") == "gru"
    inputs = {name: steps.project(x, name + "_weight", name + "_products", d, "weight", ONE)
              for name in ("state", "update", "reset")[:3 if gated else 1]}
    first = steps.put("backward_states", backward[:1])
    state = steps.put("state", np.tanh(steps.project(first, "initial_weight", "initial_products", d, "weight", ONE)))
    weights, contexts, states = [], [], []
    for i in range(len(x)):
        at = At(time=i)
        query = steps.put("queries", state, at)
        weights.append(attention.weighed(steps, at, query, annotations, query, positioned=False, first=i))
        contexts.append(attention.mixed(steps, at, weights[-1], annotations, "head_output", query, covered=False))
        state = (gated_state if gated else plain_state)(steps, at, i, inputs, query, contexts[-1])
        states.append(state)
    attention.penalised(steps, ONE, steps.put("weights", np.vstack(weights)))
    contexts, states = steps.put("head_output", np.vstack(contexts)), steps.put("states", np.vstack(states))
    output = combined(steps, contexts, states, "output")
    if steps.choice("unembedding", "by_form") != "by_form":
        words = np.vstack([numbers(steps.doc["X"]), numbers(steps.doc["X_source"])])
        attention.shares(steps, word_logits(steps, output, words, ONE), 1, ONE, role="probabilities")


# ---- attention without an n×n matrix -----------------------------------------------------------------------------------
def heads_of(steps, run, look=None):
    """Projections of X into heads, `run` on each, then W_O; `look` is called with all heads before that."""
    x = attention.embedded(steps)
    heads = attention.cut_heads(steps, ONE, *attention.projected(steps, x, x))
    if look:
        look(steps, heads)
    outputs = []
    for at, q, k, v in heads:
        out = steps.put("head_output", run(steps, at, q, k, v), at)
        off = (at.head or 0) + 1 in steps.doc.get("heads_off", [])
        outputs.append(steps.put("head_switched", out * 0, at) if off else out)
    out = attention.joined(steps, ONE, outputs)
    attention.project(steps, out, "O", x.shape[1] if steps.choice("head_width", 0) else out.shape[1])


def shift(x, maximum):
    return np.where(np.isfinite(x), np.exp(np.where(np.isfinite(x), x, 0) - np.where(np.isfinite(maximum), maximum, 0)), 0)


def share(top, bottom):
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom != 0)


def tile_scores(steps, at, q, k, pattern, first):
    doc = steps.doc
    scores = attention.inner(steps, q, k, at)
    if doc.get("score", "scaled_dot") == "scaled_dot":
        scores = steps.put("scaled", scores / np.sqrt(q.shape[1]), at)
    if doc.get("position") == "alibi":
        bias = attention.distance_bias(len(q), first + len(k), 0, at.head or 0, doc.get("heads", 1))[:, first:]
        scores = steps.put("biased", total(scores, steps.put("distance_bias", bias, at)), at)
    if doc.get("position") == "relative_bias":
        scores = attention.bucket_biased(steps, scores, at, -first, False)
    if pattern is None:
        return scores
    part = steps.put_once("pattern_tile", lambda: pattern[:, first:first + len(k)], At(time=at.time))
    return steps.put("masked", attention.hide(scores, part), at)


def online_head(steps, head, q, k, v):
    """m' = max(m, rowmax S), l' = e^(m−m') l + Σ e^(S−m'), O' = e^(m−m') O + e^(S−m') V [Dao et al. 2022, alg. 1]"""
    doc, tile = steps.doc, steps.choice("tile", 2)
    if doc.get("position", "none") in ("rope", "rope_half"):
        half, base = doc["position"] == "rope_half", attention.rope_base(steps)
        q = steps.put("rotated_queries", attention.turned(q, 0, half, base), head)
        k = steps.put("rotated_keys", attention.turned(k, 0, half, base), head)
    mask = attention.MASKS[doc.get("mask", "none")]
    pattern = mask and steps.put_once("mask_pattern", lambda: mask(doc, len(q), len(k), 0).astype(float), ONE)
    before = None
    for time, first in enumerate(range(0, len(k), tile)):
        at = head._replace(time=time)
        scores = tile_scores(steps, at, q, steps.put("key_tile", k[first:first + tile], at), pattern, first)
        values = steps.put("value_tile", v[first:first + tile], at)
        maximum = scores.max(axis=1, keepdims=True)
        maximum = steps.put("running_max", maximum if before is None else np.maximum(before[0], maximum), at)
        shifted = steps.put("shifted", shift(scores, maximum), at)
        sums = steps.put("tile_sum", shifted.sum(axis=1, keepdims=True), at)
        out = steps.put("tile_output", product(shifted, values), at)
        if before is not None:
            decay = steps.put("decay", shift(before[0], maximum), at)
            sums = steps.put("running_sum", total(steps.put("decayed_sum", before[1] * decay, at), sums), at)
            out = steps.put("running_output", total(steps.put("decayed_output", before[2] * decay, at), out), at)
        before = (maximum, sums, out)
    dead = [i for i, total_weight in enumerate(before[1][:, 0]) if total_weight == 0]
    if dead:
        steps.all_masked[head.name("head_output")] = dead
    return share(before[2], before[1])


def features(x):
    return np.where(x > 0, x + 1, np.exp(x))  # elu(x) + 1


FAINT = -16


def log_features(x):
    return np.where(x > 0, np.log1p(np.maximum(x, 0)), x)


def lifted(steps, at, q, maxima):
    up = steps.put("lifted_exponents", total(q, steps.put("key_maxima_transposed", maxima.T, at)), at)
    largest = steps.put("query_maximum", up.max(axis=1, keepdims=True), at)
    require(np.abs(largest).max() >= 0.05 * (np.abs(q).max() + np.abs(maxima).max()))  # otherwise it is the remainder of larger numbers
    return steps.put("feature_queries", np.exp(up - largest), at)


def faint_head(steps, head, q, k, v):
    """The same share where φ leaves float32's range: the features of the keys are divided by their largest, which is
    multiplied into the queries; each query is divided by its own largest."""
    require(max(np.abs(q).max(), np.abs(k).max()) < 80)  # the rounding error of an exponent is the relative error of its power
    q, k = steps.put("query_exponents", log_features(q), head), steps.put("key_exponents", log_features(k), head)
    above = steps.put("key_exponents_transposed", k.T, head)
    if steps.choice("mask", "none") == "none":
        maxima = steps.put("key_maxima", above.max(axis=1, keepdims=True), head)
        keys = steps.put("feature_keys_transposed", np.exp(above - maxima), head)
        query = lifted(steps, head, q, maxima)
        top = steps.put("numerator", product(query, steps.put("key_value_sum", product(keys, v), head)), head)
        return top / steps.put("denominator", query @ steps.put("key_sum", keys.sum(axis=1, keepdims=True), head), head)
    sums = total_keys = maxima = None
    outputs = []
    for i in range(len(q)):
        at = head._replace(time=i)
        exponent, before = steps.put("key_exponents", above[:, i:i + 1], at), maxima
        maxima = steps.put("key_maxima", exponent if before is None else np.maximum(exponent, before), at)
        key, value = steps.put("key_row", np.exp(exponent - maxima), at), steps.put("value_row", v[i:i + 1], at)
        step = steps.put("key_value_step", key @ value, at)
        if before is None:
            sums, total_keys = step, key
        else:
            decay = steps.put("decay", np.exp(before - maxima), at)
            sums = steps.put("key_value_sum", total(steps.put("decayed_output", sums * decay, at), step), at)
            total_keys = steps.put("key_sum", steps.put("decayed_sum", total_keys * decay, at) + key, at)
        query = lifted(steps, at, steps.put("query_exponents", q[i:i + 1], at), maxima)
        top, bottom = steps.put("numerator", product(query, sums), at), steps.put("denominator", query @ total_keys, at)
        outputs.append(steps.put("head_output", top / bottom, at))
    return np.vstack(outputs)


def linear_head(steps, head, q, k, v):
    """φ(q_i) Σ_j φ(k_j)ᵀ v_j / φ(q_i)·Σ_j φ(k_j) [Katharopoulos et al. 2020, eq. 5–12]"""
    if steps.faint:
        return faint_head(steps, head, q, k, v)
    q, k = steps.put("feature_queries", features(q), head), steps.put("feature_keys", features(k), head)
    steps.put("feature_keys_transposed", k.T, head)
    if steps.choice("mask", "none") == "none":
        top = steps.put("numerator", product(q, steps.put("key_value_sum", product(k.T, v), head)), head)
        bottom = steps.put("denominator", q @ steps.put("key_sum", k.sum(axis=0)[:, None], head), head)
        return top / bottom
    sums, keys, outputs = 0, 0, []
    for i in range(len(q)):
        at = head._replace(time=i)
        key, value = steps.put("key_row", k[i:i + 1].T, at), steps.put("value_row", v[i:i + 1], at)
        step = steps.put("key_value_step", key @ value, at)
        sums, keys = (steps.put("key_value_sum", total(sums, step), at), steps.put("key_sum", keys + key, at)) if i else (step, key)
        query = steps.put("query_row", q[i:i + 1], at)
        top, bottom = steps.put("numerator", product(query, sums), at), steps.put("denominator", query @ keys, at)
        outputs.append(steps.put("head_output", top / bottom, at))
    return np.vstack(outputs)


def online(steps):
    heads_of(steps, online_head)


def look_for_faint(steps, heads):
    """If one feature of any head underflows, all heads are computed with exponents."""
    all_numbers = np.concatenate([side.ravel() for _, q, k, _ in heads for side in (q, k)])
    require(np.abs(all_numbers - FAINT).min() > 1e-3)
    steps.faint = all_numbers.min() < FAINT


def linear(steps):
    heads_of(steps, linear_head, look_for_faint)


VARIANTS = {"encoder": encoder, "decoder": decoder, "generate": generate, "bahdanau": bahdanau, "luong": luong, "online": online,
            "linear": linear}
