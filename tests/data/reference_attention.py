"""The definitions of attention in NumPy float64, with which reference.py computes its numbers.

Written from the papers (named beside each function), not from the engine's code: the two share only the document's
keys and the steps' names. A new score, mask, position, scope, selection or form is one function and one entry of its
table.
"""

import math

import numpy as np

from reference_steps import (At, ONE, check_edge, check_lengths, check_softmax, check_sparsemax, numbers, product, require,
                             total)


# ---- scores: queries n×f, keys m×f -> n×m ------------------------------------------------------------------------------
def inner(steps, q, k, at):
    steps.put("keys_transposed", k.T, at)
    return steps.put("scores", product(q, k.T), at)


def dot(steps, q, k, at):
    """q·k [Luong et al. 2015]; with Shaw's vectors of distances q·(k + a^K) [Shaw et al. 2018, eq. 4]"""
    scores = inner(steps, q, k, at)
    if steps.position != "relative":
        return scores
    clip = steps.choice("relative_clip", 2)
    table = steps.parameter("relative_keys", 2 * clip + 1, q.shape[1], "table", at)
    steps.put("relative_keys_transposed", table.T, at)
    products = steps.put("relative_products", product(q, table.T), at)
    relative = np.array([[products[i, c] for c in row] for i, row in enumerate(distances(*scores.shape, clip, steps.first))])
    return steps.put("score_sum", total(scores, steps.put("relative_scores", relative, at)), at)


def scaled_dot(steps, q, k, at):
    """[Vaswani et al. 2017, eq. 1]"""
    return steps.put("scaled", dot(steps, q, k, at) / np.sqrt(q.shape[1]), at)


def general(steps, q, k, at):
    """qᵀ W_a k [Luong et al. 2015]"""
    return inner(steps, steps.project(q, "score_weight", "score_queries", k.shape[1], "weight", at), k, at)


def unit(x):
    check_lengths(x)
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    return np.divide(x, lengths, out=np.zeros_like(x), where=lengths > 0)


def cosine(steps, q, k, at):
    """[Graves et al. 2014]"""
    return inner(steps, steps.put("unit_queries", unit(q), at), steps.put("unit_keys", unit(k), at), at)


def folded(steps, pairs, q, k, at):
    return steps.put("scores", pairs.reshape(len(q), len(k)), at)


def bent(steps, sums, q, k, at):
    """v_aᵀ tanh(…), one row per pair"""
    tanh = steps.put("pair_tanh", np.tanh(sums), at)
    return folded(steps, steps.project(tanh, "score_vector", "pair_scores", 1, "vector", at), q, k, at)


def side_by_side(q, k):
    """Row i·m + j: query i and key j."""
    return np.array([np.concatenate([a, b]) for a in q for b in k])


def own_width(steps, k):
    """d_a and d' are free, or as wide as a key."""
    return steps.choice("score_width", 0) or k.shape[1]


def concat(steps, q, k, at):
    """v_aᵀ tanh(W_a [q; k]) [Luong et al. 2015]"""
    pairs = steps.put("pairs", side_by_side(q, k), at)
    return bent(steps, steps.project(pairs, "score_weight", "pair_sums", own_width(steps, k), "weight", at), q, k, at)


def additive(steps, q, k, at):
    """v_aᵀ tanh(W_a q + U_a k) [Bahdanau et al. 2014, A.1.2]"""
    left = steps.project(q, "score_weight", "score_queries", own_width(steps, k), "weight", at)
    right = steps.project(k, "score_key_weight", "score_keys", own_width(steps, k), "weight", at)
    return bent(steps, steps.put("pair_sums", np.array([a + b for a in left for b in right]), at), q, k, at)


def location(steps, q, k, at):
    """W_a q, one score per position [Luong et al. 2015]"""
    return steps.project(q, "score_weight", "scores", len(k), "weight", at)


def gat(steps, q, k, at):
    """LeakyReLU_0.2(aᵀ [W q; W k]) [Veličković et al. 2018, eq. 3]"""
    left = steps.project(q, "score_weight", "score_queries", own_width(steps, k), "weight", at)
    weight = steps.parameter("score_weight", k.shape[1], own_width(steps, k), "weight", at)
    right = steps.put("score_keys", product(k, weight), at)
    pairs = steps.put("pairs", side_by_side(left, right), at)
    one = steps.project(pairs, "score_vector", "pair_scores", 1, "vector", at)
    return folded(steps, steps.put("pair_active", np.where(one > 0, one, 0.2 * one), at), q, k, at)


SCORES = {"dot": dot, "scaled_dot": scaled_dot, "general": general, "cosine": cosine, "additive": additive, "concat": concat,
          "location": location, "gat": gat}
INNER_PRODUCTS = {"dot", "scaled_dot", "general", "cosine"}


# ---- positions -------------------------------------------------------------------------------------------------------
def sinusoidal(n, d):
    """[Vaswani et al. 2017, 3.5]"""
    p, i = np.arange(n)[:, None], np.arange(d)[None, :]
    angle = p / 10000.0 ** (2 * (i // 2) / d)
    return np.where(i % 2 == 0, np.sin(angle), np.cos(angle))


def sinusoidal_half(n, d):
    """The same waves with all sines before all cosines; Hugging Face's MarianSinusoidalPositionalEmbedding."""
    p, i = np.arange(n)[:, None], np.arange(d)[None, :]
    angle = p / 10000.0 ** (2 * (i // 2) / d)
    return np.hstack([np.sin(angle[:, 0::2]), np.cos(angle[:, 1::2])])


WAVES = {"sinusoidal": sinusoidal, "sinusoidal_half": sinusoidal_half}


def position_table(steps, n, d, at):
    """What is added to the vectors of n positions; None: nothing."""
    position = steps.choice("position", "none")
    if position in WAVES:
        return steps.put("positions", WAVES[position](n, d), at)
    return steps.parameter("positions", n, d, "table", at) if position == "learned" else None


def embedded(steps, key="X", part=""):
    at = At(part=part)
    x = steps.put("embeddings", numbers(steps.doc[key]), at)
    table = position_table(steps, *x.shape, at)
    return x if table is None else steps.put("inputs", total(x, table), at)


def turned(x, first, half_pairs, base):
    """Each pair of features as a complex number, rotated by position · θ_i, θ_i = base^(−2i/d) [Su et al. 2021, eq. 15];
    pairs are neighbours, or (i, i + d/2) as in Hugging Face's Llama."""
    n, d = x.shape
    angle = (first + np.arange(n))[:, None] * base ** (-2 * np.arange(d // 2) / d)[None, :]
    left, right = (slice(0, d // 2), slice(d // 2, d)) if half_pairs else (slice(0, d, 2), slice(1, d, 2))
    z = (x[:, left] + 1j * x[:, right]) * np.exp(1j * angle)
    out = np.empty_like(x)
    out[:, left], out[:, right] = z.real, z.imag
    return out


def rope_base(steps):
    return float(np.float32(steps.choice("rope_base", 10000)))


def distances(n, m, clip, first):
    """The row of Shaw's table for query i and key j: clip(j − i) + k."""
    i, j = places(n, m, first)
    return np.clip(j - i, -clip, clip) + clip


def distance_bias(n, m, first, head, heads):
    """−m_i |p − p'|, m_i = 2^(−8i/h) for i = 1…h [Press et al. 2022]"""
    slope = 2.0 ** (-8 * (head + 1) / heads)
    return -slope * np.abs(first + np.arange(n)[:, None] - np.arange(m)[None, :])


def bucket(offset, both, buckets, farthest):
    """Short distances have a bucket each, longer ones share them logarithmically; where both directions count, half of the
    buckets are for keys after the query [Raffel et al. 2020, 2.1]."""
    own = buckets // 2 if both else buckets
    distance = min(abs(offset) if both else max(-offset, 0), farthest)
    near, base = own // 2, own if both and offset > 0 else 0
    if distance < near:
        return base + distance
    if farthest <= near:
        return base + own - 1
    return base + min(own - 1, near + int(math.log(distance / near) / math.log(farthest / near) * (own - near) + 1e-9))


def bucket_biased(steps, scores, at, first, causal):
    """All layers of a stack add the same numbers."""
    doc = steps.doc
    heads, count, reach = doc.get("heads", 1), doc["bias_buckets"], doc["bias_distance"]
    stack, whole = At(part=at.part), At(head=at.head, time=at.time, part=at.part)
    table = steps.parameter("bucket_values", count, heads, "table", stack)
    above = steps.put_once("bucket_values_transposed", lambda: table.T, stack)
    which = [bucket(offset, not causal, count, reach) for offset in range(-reach, reach + 1)]
    shares = steps.put_once("bucket_shares", lambda: np.eye(count)[which].T, stack)
    values = steps.put_once("distance_values", lambda: above @ shares, stack)
    n, m = scores.shape
    own = steps.put_once("head_shares", lambda: np.eye(heads)[[at.head or 0] * n], whole)
    rows = steps.put_once("head_distance_values", lambda: own @ values, whole)
    spread = lambda: np.take_along_axis(rows, distances(n, m, reach, first), axis=1)
    return steps.put("bucket_biased", total(scores, steps.put_once("bucket_bias", spread, whole)), at)


POSITIONS = ["none", "sinusoidal", "learned", "rope", "rope_half", "alibi", "relative"]
LATER_POSITIONS = ["sinusoidal_half", "relative_bias"]  # these have documents of their own


# ---- masks: 1 where a query (row) may attend to a key (column) ---------------------------------------------------------
def places(n, m, first):
    return first + np.arange(n)[:, None], np.arange(m)[None, :]


def causal(doc, n, m, first):
    i, j = places(n, m, first)
    return j <= i


def padding(doc, n, m, first):
    return np.broadcast_to(np.arange(m) < m - doc.get("padding", 0), (n, m))


def sliding_window(doc, n, m, first):
    i, j = places(n, m, first)
    return (j <= i) & (j >= i - doc.get("window", 2))


def global_window(doc, n, m, first):
    i, j = places(n, m, first)
    seen = doc.get("global_tokens", 1)
    return (np.abs(i - j) <= doc.get("window", 2)) | (i < seen) | (j < seen)


def drawn(doc, n, m, first):
    return np.array(doc["mask_pattern"])[first:first + n] != 0 if "mask_pattern" in doc else np.full((n, m), True)


MASKS = {"none": None, "causal": causal, "padding": padding, "sliding_window": sliding_window, "global_window": global_window,
         "drawn": drawn}
SAME_SEQUENCE = {"causal", "sliding_window", "global_window"}


# ---- scope: a window around each query's centre ------------------------------------------------------------------------
def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def own_place(steps, at, x, n, m, first):
    """p_t = t [Luong et al. 2015, local-m]"""
    return (first + np.arange(n, dtype=float))[:, None]


def predicted_place(steps, at, x, n, m, first):
    """p_t = S · sigmoid(v_pᵀ tanh(W_p h_t)) [Luong et al. 2015, eq. 9]"""
    made = steps.project(x, "center_weight", "center_products", x.shape[1], "weight", at)
    tanh = steps.put("center_tanh", np.tanh(made), at)
    logits = steps.project(tanh, "center_vector", "center_logits", 1, "vector", at)
    centers = m * steps.put("center_shares", sigmoid(logits), at)
    off = np.abs(centers - np.round(centers))
    require(np.all((off > 1e-4) | (logits == 0)))  # otherwise float32 may include another key at the window's edge
    return centers


SCOPES = {"global": None, "local_m": own_place, "local_p": predicted_place}


def scoped(steps, scores, at, x, first):
    centers = SCOPES[steps.choice("scope", "global")]
    if centers is None:
        return scores
    n, m = scores.shape
    reach, whole = steps.choice("window", 2), at.whole()

    def pattern():
        p = steps.put("centers", centers(steps, whole, x, n, m, first), whole)
        return (np.abs(np.arange(m)[None, :] - p) <= reach).astype(float)

    return steps.put("windowed", hide(scores, steps.put_once("scope_pattern", pattern, whole)), at)


def with_gaussian(steps, weights, at):
    """Multiplied by exp(−(s − p_t)² / (2σ²)), σ = D/2, without normalising again [Luong et al. 2015, eq. 10]"""
    if steps.choice("scope", "global") != "local_p":
        return weights
    whole, sigma = at.whole(), steps.choice("window", 2) / 2
    bell = lambda: np.exp(-((np.arange(weights.shape[1])[None, :] - steps[whole.name("centers")]) ** 2) / (2 * sigma**2))
    return steps.put("local_weights", weights * steps.put_once("gaussian", bell, whole), at)


# ---- selection: scores to weights ------------------------------------------------------------------------------------
def hide(scores, pattern):
    return np.where(pattern != 0, scores, -np.inf)


def by_row(function, scores):
    """Softmax of the visible scores; a wholly masked row has only zeros."""
    weights = np.zeros_like(scores)
    for row, out in zip(scores, weights):
        if np.isfinite(row).any():
            out[np.isfinite(row)] = function(row[np.isfinite(row)])
    return weights


def softmax(scores, temperature):
    """Temperature 0 is the limit: the largest scores share equally."""
    check_softmax(scores, temperature)

    def one(z):
        e = (z == z.max()).astype(float) if temperature == 0 else np.exp((z - z.max()) / temperature)
        return e / e.sum()

    return by_row(one, scores)


def sparsemax(scores, temperature):
    """The nearest point of the simplex [Martins, Astudillo 2016]: τ by bisection, where the paper sorts."""
    check_sparsemax(scores, temperature)

    def one(z):
        if temperature == 0:
            return (z == z.max()) / (z == z.max()).sum()
        z = (z - z.max()) / temperature
        low, high = -1.0, 0.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if np.maximum(z - middle, 0).sum() >= 1 else (low, middle)
        return np.maximum(z - low, 0)

    return by_row(one, scores)


def largest(scores, k):
    """The k largest of a row; ties with the k-th are all included."""
    check_edge(scores, k)
    out = np.full_like(scores, -np.inf)
    for row, kept in zip(scores, out):
        edge = np.sort(row)[::-1][min(k, len(row)) - 1]
        kept[row >= edge] = row[row >= edge]
    return out


SELECTIONS = ["soft", "hard", "top_k", "sparsemax"]


def selected(steps, scores, at):
    temperature = float(np.float32(steps.choice("temperature", 1)))
    selection = steps.choice("selection", "soft")
    if selection == "top_k":
        scores = steps.put("kept", largest(scores, steps.choice("top_k", 2)), at)
    return shares(steps, scores, temperature, at, sparsemax if selection == "sparsemax" else softmax)


def shares(steps, scores, temperature, at, function=softmax, role="weights"):
    dead = [i for i, row in enumerate(scores) if not np.isfinite(row).any()]
    if dead:
        steps.all_masked[at.name(role)] = dead
    return steps.put(role, function(scores, temperature), at)


WORD = 0xFFFFFFFFFFFFFFFF


class Random:
    """xoshiro256** (Blackman, Vigna 2018), filled from one seed by SplitMix64 (Steele, Lea, Flood 2014)."""

    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & WORD
            z = seed
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
            self.state.append(z ^ (z >> 31))

    def next(self):
        turn = lambda x, by: ((x << by) | (x >> (64 - by))) & WORD
        s = self.state
        result = (turn((s[1] * 5) & WORD, 7) * 9) & WORD
        shifted = (s[1] << 17) & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = turn(s[3], 45)
        return result

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53


def single_draws(weights, draws, seed):
    """One-hot rows, a draw each. The engine's rule: each row has a generator of its own, and the drawn index is where a
    uniform number falls in the running sum of the row's weights."""
    out = np.zeros((draws, *weights.shape))
    for r, row in enumerate(weights):
        if row.sum() == 0:
            continue
        random = Random((seed * 0x9E3779B97F4A7C15 + r) & WORD)
        edges = np.cumsum(row)
        for one in out:
            at = random.uniform() * edges[-1]
            require(np.abs(edges[:-1][row[1:] > 0] - at).min(initial=1) > 1e-5)  # otherwise float32 may draw another index
            one[r, np.searchsorted(edges, at, side="right")] = 1
    return out


def drawn_shares(weights, draws, seed):
    """How often each position was drawn, divided by the number of draws [Xu et al. 2015, 4.1]."""
    return single_draws(weights, draws, seed).sum(axis=0) / draws


def trained(steps, at, weights, v):
    """The lower bound L_s and REINFORCE's estimate of its gradient, with a moving average as baseline [Xu et al. 2015, eq.
    10 to 12]. A position predicts a word with the probability softmax(v E^T), where E has the words' vectors."""
    doc = steps.doc
    words = list(dict.fromkeys(doc["tokens"] + [f"s{i + 1}" for i in range(len(doc.get("X_source", [])))]))
    e = steps.put("vocabulary", numbers(doc["X"] + doc.get("X_source", [])))
    above = steps.put("vocabulary_transposed", e.T)
    said = shares(steps, steps.put("place_logits", product(v, above), at), 1, at, role="place_shares")
    steps.put("place_shares_transposed", said.T, at)
    target = doc["target"] if len(doc["target"]) > 1 else doc["target"] * len(weights)
    one_hot = steps.put("target_words", np.array([[float(word == t) for word in words] for t in target]), at)
    likely = steps.put("target_shares", one_hot @ said.T, at)
    require(likely.min() > 1e-4)
    logs = steps.put("target_logs", np.log(likely), at)
    bound = steps.put("bound", steps.put("bound_terms", weights * logs, at).sum(axis=1, keepdims=True), at)
    whole = steps.put("likelihood", steps.put("likelihood_terms", weights * likely, at).sum(axis=1, keepdims=True), at)
    require(whole.min() > 0)
    assert np.all(bound <= steps.put("log_likelihood", np.log(whole), at) + 1e-12)
    minus = steps.put("minus_weights", -weights, at)
    draws = single_draws(weights, doc.get("draws", 1), draw_seed(steps, at))
    baseline, gradient = steps.put("baseline", np.zeros((len(weights), 1)), at._replace(time=0)), 0
    for k, one in enumerate(draws):
        now = at._replace(time=k)
        steps.put("minus_baseline", -baseline, now)
        log = steps.put("drawn_log", steps.put("drawn_log_terms", steps.put("one_draw", one, now) * logs, now).sum(axis=1, keepdims=True), now)
        reward = steps.put("reward", total(log, -baseline), now)
        term = steps.put("gradient_term", steps.put("draw_change", total(one, minus), now) * reward, now)
        gradient = term if k == 0 else steps.put("gradient_sum", total(gradient, term), now)
        baseline = steps.put("baseline", baseline + steps.put("baseline_change", 0.1 * reward, now), at._replace(time=k + 1))
    steps.put("score_gradient", gradient / len(draws) / doc.get("temperature", 1), at)


PARTS = ["", "encoder", "cross"]  # those with attention


def draw_seed(steps, at):
    """Every head, layer, time and part draws independently."""
    number = lambda i: 0 if i is None else i + 1
    return (steps.choice("draw_seed", 1) + number(at.head) * 1000003 + number(at.layer) * 10007 + number(at.time) * 101 +
            PARTS.index(at.part) * 100000007)


# ---- one attention ---------------------------------------------------------------------------------------------------
def weighed(steps, at, q, k, query_input, masked=True, positioned=True, first=0, causal=False):
    """The weights that mix the values. `first`: the position of the first query; `causal`: in addition to the mask, no query
    sees a later key."""
    doc = steps.doc
    steps.first, steps.position = first, doc.get("position", "none") if positioned else "none"
    if steps.position in ("rope", "rope_half"):
        half, base = steps.position == "rope_half", rope_base(steps)
        q = steps.put("rotated_queries", turned(q, first, half, base), at)
        k = steps.put("rotated_keys", turned(k, 0, half, base), at)
    scores = SCORES[doc.get("score", OWN_SCORE.get(doc.get("variant", "multi_head"), "scaled_dot"))](steps, q, k, at)
    if steps.position == "alibi":
        bias = steps.put("distance_bias", distance_bias(*scores.shape, first, at.head or 0, doc.get("heads", 1)), at)
        scores = steps.put("biased", total(scores, bias), at)
    if steps.position == "relative_bias":
        scores = bucket_biased(steps, scores, at, first, causal)
    scores = scoped(steps, scores, at, query_input, first)
    own = doc.get("mask", "none") if masked else "none"
    if causal:
        own = "none" if own == "causal" else own
        scores = hidden_by(steps, "causal", scores, at, first, *(("mask", "masked") if own == "none" else ("causal", "causal_masked")))
    if own != "none":
        scores = hidden_by(steps, own, scores, at, first, "mask", "masked")
    return with_gaussian(steps, selected(steps, scores, at), at)


def hidden_by(steps, mask, scores, at, first, pattern_role, result):
    whole = At(time=at.time, part=at.part)
    pattern = lambda: MASKS[mask](steps.doc, *scores.shape, first).astype(float)
    return steps.put(result, hide(scores, steps.put_once(pattern_role + "_pattern", pattern, whole)), at)


def attend(steps, at, q, k, v, output, query_input, **how):
    return mixed(steps, at, weighed(steps, at, q, k, query_input, **how), v, output, query_input)


def penalised(steps, at, weights):
    """λ Σ_i (1 − Σ_t α_{t,i})² [Xu et al. 2015, eq. 14]"""
    weight = steps.choice("penalty", 0)
    if weight == 0:
        return
    off = 1 - steps.put("coverage", weights.sum(axis=0, keepdims=True), at)
    require(np.abs(off).max() > 0.05)
    steps.put("penalty", numbers([[weight]]) * (off**2).sum(), at)


def mixed(steps, at, weights, v, output, query_input, covered=True):
    doc = steps.doc
    if covered:
        penalised(steps, at, weights)
    if doc.get("selection", "soft") == "hard":
        steps.put("soft_context", product(weights, v), at)
        weights_before, weights = weights, steps.put("drawn_shares", drawn_shares(weights, doc.get("draws", 1), draw_seed(steps, at)), at)
        if "target" in doc:
            trained(steps, at, weights_before, v)
    gated = doc.get("gate", "none") != "none"
    out = context(steps, at, weights, v, "context" if gated else output)
    if gated:  # β_t = sigmoid(f_β(h_{t−1})) [Xu et al. 2015, 4.2.1]
        whole = at.whole()
        gate = lambda: sigmoid(steps.project(query_input, "gate_weight", "gate_logits", 1, "vector", whole))
        out = steps.put(output, out * steps.put_once("gate", gate, whole), at)
    if (at.head or 0) + 1 in doc.get("heads_off", []):
        return steps.put("head_switched", out * 0, at)
    return out


def context(steps, at, weights, v, output):
    """Σ_j α_ij v_j; with Shaw's vectors of distances Σ_j α_ij (v_j + a^V) [Shaw et al. 2018, eq. 3]"""
    if steps.position != "relative":
        return steps.put(output, product(weights, v), at)
    clip = steps.choice("relative_clip", 2)
    content = steps.put("content_context", product(weights, v), at)
    which = distances(*weights.shape, clip, steps.first)
    collected = np.array([[row[which[i] == c].sum() for c in range(2 * clip + 1)] for i, row in enumerate(weights)])
    steps.put("relative_weights", collected, at)
    table = steps.parameter("relative_values", 2 * clip + 1, v.shape[1], "table", at)
    return steps.put(output, total(content, steps.put("relative_context", product(collected, table), at)), at)


# ---- forms ------------------------------------------------------------------------------------------------------------
def raw(steps):
    """softmax(X Xᵀ) X"""
    x = embedded(steps)
    attend(steps, ONE, x, x, x, "output", x)


PROJECTIONS = {"Q": ("query", "queries"), "K": ("key", "keys"), "V": ("value", "values"), "O": ("output", "output")}


def project(steps, x, letter, width):
    name, result = PROJECTIONS[letter]
    given = steps.doc.get("W_" + letter)
    weight = steps.put(name + "_weight", np.eye(x.shape[1], width) if given is None else numbers(given))
    assert weight.shape[0] == x.shape[1]
    bias = steps.doc.get("b_" + letter)
    if bias is None:
        return steps.put(result, product(x, weight))
    made = steps.put(name + "_products", product(x, weight))
    return steps.put(result, total(made, steps.put(name + "_bias", numbers([bias]))))


def block(a, h, of):
    width = a.shape[1] // of
    return a[:, h * width:(h + 1) * width]


def projected(steps, x, source):
    """Queries from x, keys and values from the source."""
    doc, d = steps.doc, x.shape[1]
    heads = doc.get("heads", 1)
    shared = doc.get("kv_heads", 0) or heads
    size = lambda key, axis: np.shape(doc[key])[axis] if key in doc else None
    wide_k, wide_v = size("W_K", 1), size("W_V", 1)
    one = doc.get("head_width", 0)  # d_k, if the document gives it
    wide_q = one * heads or size("W_Q", 1) or (wide_k // shared * heads if wide_k else d)
    wide_v = one * shared or wide_v or (size("W_O", 0) or d) // heads * shared
    k, v = project(steps, source, "K", wide_q // heads * shared), project(steps, source, "V", wide_v)
    return project(steps, x, "Q", wide_q), k, v


def cut_heads(steps, at, q, k, v, roles=("queries", "keys", "values")):
    """Each head's queries, keys and values; head i reads key head ⌊i·h_kv/h⌋ [Ainslie et al. 2023]"""
    heads = steps.choice("heads", 1)
    shared = steps.choice("kv_heads", 0) or heads
    cut = lambda name, a, of: [steps.put(name, block(a, h, of), at._replace(head=h)) for h in range(of)] if of > 1 else [a]
    q, k, v = (cut(role, a, of) for role, a, of in zip(roles, (q, k, v), (heads, shared, shared)))
    group = lambda h: h * shared // heads
    return [(at._replace(head=h) if heads > 1 else at, q[h], k[group(h)], v[group(h)]) for h in range(heads)]


def joined(steps, at, outputs):
    return steps.put("joined", np.concatenate(outputs, axis=1), at) if len(outputs) > 1 else outputs[0]


def attend_heads(steps, at, q, k, v, query_input, roles=("queries", "keys", "values"), **how):
    return joined(steps, at, [attend(steps, *head, "head_output", query_input, **how)
                              for head in cut_heads(steps, at, q, k, v, roles)])


def projected_attention(steps, x, source, **how):
    out = attend_heads(steps, ONE, *projected(steps, x, source), x, **how)
    project(steps, out, "O", x.shape[1] if steps.choice("head_width", 0) else out.shape[1])


def multi_head(steps):
    """[Vaswani et al. 2017, 3.2.2]"""
    x = embedded(steps)
    projected_attention(steps, x, x)


def cross(steps):
    """Queries from one text, keys and values from another [Vaswani et al. 2017, 3.2.3]"""
    x = embedded(steps)
    projected_attention(steps, x, embedded(steps, "X_source", "source"), positioned=False)


def sliced_input(steps):
    """In contrast to multi-head attention, each head sees only a segment of the input's columns."""
    x, heads, outputs = embedded(steps), steps.choice("heads", 1), []
    for h in range(heads):
        at = At(h) if heads > 1 else ONE
        part = steps.put("input_slice", block(x, h, heads), at) if heads > 1 else x
        width = steps.choice("head_width", 0) or part.shape[1]
        q, k, v = (steps.project_biased(part, name, result, width, at) for name, result in (PROJECTIONS[letter] for letter in "QKV"))
        outputs.append(attend(steps, at, q, k, v, "head_output", x))
    steps.project_biased(joined(steps, ONE, outputs), "output", "output", x.shape[1], ONE)


VARIANTS = {"raw": raw, "multi_head": multi_head, "sliced_input": sliced_input, "cross": cross}
OWN_SCORE = {"raw": "dot", "bahdanau": "additive", "luong": "general"}  # in other forms this is the default: scaled_dot
TWO_TEXTS = {"cross", "decoder", "bahdanau", "luong"}
ONE_SEQUENCE = {"raw", "multi_head", "sliced_input", "encoder", "decoder", "generate", "online", "linear"}
PROJECTED = {"multi_head", "cross", "online", "linear"}
BLOCKS = {"encoder", "decoder", "generate"}
