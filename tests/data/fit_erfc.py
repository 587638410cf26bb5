#!/usr/bin/python3
"""The polynomial p of core/kernels/rows.inc: erfc(z) = t exp(-z^2 + p(t)), t = 1 / (1 + z/2), z >= 0.

Fitted by least squares in Chebyshev polynomials at Chebyshev points of 0 < t <= 1; prints the table and the largest error of p,
which is the relative error of erfc.
"""
import math

import numpy as np

DEGREE = 14


def log_of_scaled_erfc(z):
    """log(erfc(z) exp(z^2)): by the library near 0, by the continued fraction elsewhere."""
    if z < 3:
        return math.log(math.erfc(z)) + z * z
    fraction = 0.0
    for k in range(400, 0, -1):
        fraction = (k / 2) / (z + fraction)
    return -math.log((z + fraction) * math.sqrt(math.pi))


def p(t):
    return log_of_scaled_erfc(2 * (1 / t - 1)) - math.log(t)


nodes = (np.cos(np.pi * (np.arange(400) + 0.5) / 400) + 1) / 2
fitted = np.polynomial.chebyshev.Chebyshev.fit(nodes, [p(t) for t in nodes], DEGREE, domain=[0, 1])
table = fitted.convert(kind=np.polynomial.Polynomial)
print("\n".join(f"    {float(v)!r}," for v in table.coef))
print(f"largest error {max(abs(table(t) - p(t)) for t in np.linspace(1e-3, 1, 20001)):.2g}")
