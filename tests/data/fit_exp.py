#!/usr/bin/python3
"""The polynomial q of core/kernels/rows.inc: e^r = 1 + r q(r), |r| <= ln 2 / 2.

Fitted by least squares in Chebyshev polynomials at Chebyshev points; prints the table and the largest relative error of e^r.
"""
import math

import numpy as np

DEGREE = 7
MOST = math.log(2) / 2 * 1.0001  # rounding to the nearest multiple may exceed the interval slightly

nodes = MOST * np.cos(np.pi * (np.arange(400) + 0.5) / 400)
fitted = np.polynomial.chebyshev.Chebyshev.fit(nodes, [math.expm1(r) / r for r in nodes], DEGREE, domain=[-MOST, MOST])
table = fitted.convert(kind=np.polynomial.Polynomial)
print("\n".join(f"    {float(v)!r}," for v in table.coef))
print(f"largest error {max(abs(r * table(r) - math.expm1(r)) / math.exp(r) for r in np.linspace(-MOST, MOST, 20001)):.2g}")
