#!/usr/bin/env python3
"""The machine against NumPy, in one run.

`add` on float tiles of [64, 128], and attention of one head of 4096 queries, keys and values: the kernel
`flash_attention` on as many threads as there are, NumPy on one.

Needs NumPy and cargo: `python3 benches/against_numpy.py`.
"""

import os
import re
import subprocess
import time

# Before NumPy starts the threads of its library.
for library in ["OMP", "OPENBLAS", "MKL"]:
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy  # noqa: E402

TILE = (64, 128)
# Bytes of a cache line.
LINE = 64
CALLS = 2000
ROUNDS = 30
# Both take turns, because the clock of a shared machine wavers from second to second.
TURNS = 5
QUERIES, DEPTH = 4096, 128


def fastest(rounds, call):
    """Seconds of the fastest round."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def aligned(value):
    """A tile at a whole cache line: elsewhere NumPy takes twice as long, and where it puts a tile is chance."""
    size = TILE[0] * TILE[1] * 4
    raw = numpy.empty(size + LINE, numpy.uint8)
    start = -raw.ctypes.data % LINE
    tile = raw[start : start + size].view(numpy.float32).reshape(TILE)
    tile[:] = value
    return tile


def numpy_rate():
    """Elements per second of the fastest round."""
    a, b, out = (aligned(value) for value in (1, 1.5, 0))

    def calls():
        for _ in range(CALLS):
            numpy.add(a, b, out=out)

    return a.size * CALLS / fastest(ROUNDS, calls)


def bench(name, *arguments):
    """Lines that a benchmark prints."""
    command = ["cargo", "bench", "--bench", name, "--", *arguments]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return text.splitlines()


def machine_rate():
    """Elements per second of the fastest round, as the benchmark of the vector unit prints it."""
    lines = bench("vector", "add", "--sample-count", str(ROUNDS), "--sample-size", str(CALLS))
    at = next(i for i, line in enumerate(lines) if re.search(r"─ float\b", line))
    rate = re.search(r"([\d.]+) ([KMGT]?)item/s", lines[at + 1])
    scale = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    return float(rate[1]) * scale[rate[2]]


def numpy_attention(dtype):
    """Seconds of the fastest round, computed in this type."""
    random = numpy.random.default_rng(0)
    shape = (QUERIES, DEPTH)
    q, k, v = (random.standard_normal(shape).astype(numpy.float16) for _ in range(3))

    def call():
        scores = dtype(DEPTH**-0.5) * (q.astype(dtype) @ k.astype(dtype).T)
        powers = numpy.exp(scores - scores.max(axis=1, keepdims=True))
        total = powers.sum(axis=1, keepdims=True)
        weights = powers.astype(numpy.float16).astype(dtype)
        (weights @ v.astype(dtype) / total).astype(numpy.float16)

    return fastest(3, call)


def machine_attention():
    """Seconds of the fastest round by number of threads."""
    seconds = {}
    for line in bench("machine", "long_attention", "--sample-count", "5"):
        found = re.search(r"─ (\d+) +([\d.]+) ms", line)
        if found:
            seconds[int(found[1])] = float(found[2]) / 1e3
    return seconds


def add():
    turns = [(machine_rate(), numpy_rate()) for _ in range(TURNS)]
    ours, theirs = map(max, zip(*turns))
    print(f"add: machine {ours / 1e9:.2f} G elements/s, definedness included; NumPy {theirs / 1e9:.2f}")
    print(f"  machine by NumPy {ours / theirs:.2f}")


def attention():
    types = [numpy.float32, numpy.float64]
    turns = [(machine_attention(), *map(numpy_attention, types)) for _ in range(TURNS)]
    ours, single, double = zip(*turns)
    single, double = min(single), min(double)
    print(f"attention: NumPy {single * 1e3:.0f} ms in float32, {double * 1e3:.0f} ms in float64")
    for threads in ours[0]:
        seconds = min(turn[threads] for turn in ours)
        print(
            f"  machine with at most {threads} threads {seconds * 1e3:.0f} ms: "
            f"{seconds / single:.2f} and {seconds / double:.2f} times as long"
        )


if __name__ == "__main__":
    add()
    attention()
