#!/usr/bin/env python3
"""`add` on float tiles of [64, 128]: the machine against numpy, in one run.

Needs numpy and cargo: `python3 benches/against_numpy.py`.
"""

import re
import subprocess
import time

import numpy

TILE = (64, 128)
CALLS = 2000
ROUNDS = 30
# Both take turns, because the clock of a shared machine wavers from second to second.
TURNS = 5


def numpy_rate():
    """Elements per second of the fastest round."""
    a = numpy.ones(TILE, numpy.float32)
    b = numpy.full(TILE, 1.5, numpy.float32)
    out = numpy.empty(TILE, numpy.float32)
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(CALLS):
            numpy.add(a, b, out=out)
        best = min(best, time.perf_counter() - start)
    return a.size * CALLS / best


def machine_rate():
    """Elements per second of the fastest round, as the benchmark of the vector unit prints it."""
    rounds = ["--sample-count", str(ROUNDS), "--sample-size", str(CALLS)]
    command = ["cargo", "bench", "--bench", "vector", "--", "add", *rounds]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if re.search(r"─ float\b", line))
    rate = re.search(r"([\d.]+) ([KMGT]?)item/s", lines[at + 1])
    scale = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    return float(rate[1]) * scale[rate[2]]


if __name__ == "__main__":
    turns = [(machine_rate(), numpy_rate()) for _ in range(TURNS)]
    ours, theirs = map(max, zip(*turns))
    print(f"machine {ours / 1e9:.2f} G elements/s, definedness included")
    print(f"numpy   {theirs / 1e9:.2f} G elements/s")
    print(f"ratio   {ours / theirs:.2f}")
