"""What the definitions record, and the conditions on their numbers: steps by name, weights that are given or drawn, and
documents that float32 could not compute to 1e-5.
"""

from typing import NamedTuple

import numpy as np


# ---- steps -----------------------------------------------------------------------------------------------------------
class At(NamedTuple):
    """The place of a step, counted from 0; None: there is only one."""

    head: int | None = None
    layer: int | None = None
    time: int | None = None
    part: str = ""

    def whole(self):
        return self._replace(head=None)

    def name(self, role):
        words = [self.part] if self.part else []
        words += [f"{letter}{i + 1}" for letter, i in (("l", self.layer), ("t", self.time)) if i is not None]
        return ".".join(words + [role] + ([f"h{self.head + 1}"] if self.head is not None else []))


ONE = At()


class Steps(dict):
    """The values of one document by step name. `draw(kind, rows, cols)` makes a weight that the document does not give, or
    returns None for the default one; a drawn weight is added to the document."""

    def __init__(self, doc, draw=lambda kind, rows, cols: None):
        super().__init__()
        self.doc, self.draw = doc, draw
        self.without = set()  # biases that are not given
        self.all_masked = {}  # rows of weights that attend to nothing

    def choice(self, key, default):
        return self.doc.get(key, default)

    def put(self, role, value, at=ONE):
        name = at.name(role)
        assert name not in self, name
        largest = np.abs(value[np.isfinite(value)]).max(initial=0)
        require(largest == 0 or largest > SMALLEST or role in EXACT)  # otherwise it may be the remainder of larger numbers
        self[name] = value
        return value

    def put_once(self, role, make, at):
        """A step that several heads share."""
        return self[at.name(role)] if at.name(role) in self else self.put(role, make(), at)

    def parameter(self, role, rows, cols, kind, at):
        """A weight by the name of its step: given, or the default: the identity (repeated downwards), ones, zeros. All times
        use the same one."""
        at = at._replace(time=None)
        return self.put_once(role, lambda: self.weight(at.name(role), rows, cols, kind), at)

    def weight(self, name, rows, cols, kind):
        given = self.doc.get("parameters", {}).get(name)
        if given is None:
            given = self.draw(kind, rows, cols)
            if given is not None:
                self.doc.setdefault("parameters", {})[name] = given
        if given is not None:
            assert np.shape(given) == (rows, cols), name
            return numbers(given)
        if kind == "weight":
            return np.array([[float(r % cols == c and (rows > cols or r < cols)) for c in range(cols)] for r in range(rows)])
        return {"vector": np.ones, "ones": np.ones, "zeros": np.zeros}[kind]((rows, cols))

    def project(self, x, weight, result, cols, kind, at):
        w = self.parameter(weight, x.shape[1], cols, kind, at)
        return self.put(result, product(x, w), at)


    def project_biased(self, x, name, result, cols, at):
        """x W, and + b if the document gives a bias under its step's name; whether it does is drawn as well."""
        bias = at._replace(time=None).name(name + "_bias")
        if bias not in self.doc.get("parameters", {}) and bias not in self.without:
            given = self.draw("bias", 1, cols)
            if given is None:
                self.without.add(bias)
            else:
                self.doc.setdefault("parameters", {})[bias] = given
        if bias in self.without:
            return self.project(x, name + "_weight", result, cols, "weight", at)
        made = self.project(x, name + "_weight", name + "_products", cols, "weight", at)
        return self.put(result, total(made, self.parameter(name + "_bias", 1, cols, "zeros", at)), at)


def numbers(values):
    """Numbers as the engine takes them: rounded to float32, then exact."""
    return np.array(values, dtype=np.float32).astype(np.float64)


# ---- what float32 cannot compute to 1e-5, whatever the implementation --------------------------------------------------
class IllConditioned(Exception):
    """Raised to draw another document."""


SMALLEST = 0.03  # of a step's largest number, for inputs of about 1
EXACT = {"distance_bias", "gaussian"}  # a small result that is not due to cancellation
ROUNDING = 1e-6  # of a score: about eight times float32's


def require(condition):
    if not condition:
        raise IllConditioned


def product(a, b):
    """A matrix product whose terms do not cancel to almost nothing."""
    out = a @ b
    require(np.abs(out).max() >= 0.05 * (np.abs(a) @ np.abs(b)).max())
    return out


def total(a, b):
    out = a + b
    require(np.abs(out).max() >= 0.05 * (np.abs(a).max() + np.abs(b).max()))
    return out


def check_softmax(scores, temperature):
    """The rounding error of a score in float32, divided by the temperature, is the relative error of its weight."""
    for row in scores:
        seen = np.sort(row[np.isfinite(row)])[::-1]
        if len(seen) < 2:
            continue
        rounding = ROUNDING * max(1e-30, np.abs(seen).max())
        gap = seen[0] - seen
        exact = gap == 0  # ties come from equal rows of whole eighths: exact in float32, too
        if temperature == 0:
            require(not np.any(~exact & (gap < 100 * rounding)))
        else:
            require(not np.any(~exact & (np.exp(-gap / temperature) * rounding / temperature > 1e-6)))


def check_sparsemax(scores, temperature):
    """A share changes as much as its score does; scores more than one temperature below the largest have none."""
    for row in scores:
        seen = np.sort(row[np.isfinite(row)])[::-1]
        if len(seen) < 2:
            continue
        rounding, gap = ROUNDING * np.abs(seen).max(), seen[0] - seen
        near = (gap > 0) & (gap <= temperature + 100 * rounding)
        require(not np.any(near) or (temperature > 0 and 0.25 * rounding / temperature < 4e-6))


def check_edge(scores, k):
    """The scores around the k-th largest are equal, or far apart."""
    for row in scores:
        seen = np.sort(row[np.isfinite(row)])[::-1]
        if len(seen) > k:
            gap = seen[k - 1] - seen[k:]
            require(not np.any((gap > 0) & (gap < 100 * ROUNDING * max(1.0, np.abs(seen).max()))))
            tied = seen[k - 1] == seen
            require(tied.sum() == 1 or np.all(seen * 64 == np.round(seen * 64)))  # otherwise only float64 has the tie


def check_lengths(x):
    lengths = np.linalg.norm(x, axis=1)
    require(np.all((lengths == 0) | (lengths > 0.1 * lengths.max())))
