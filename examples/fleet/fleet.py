"""Checks and runs many variants of a kernel on Ray, and prints the throughput."""

import argparse
import collections
import itertools
import time

import numpy as np
import ray

import a2lint

TEMPLATE = '''"""y = {scale} * x + {shift}, a variant of {rows} rows a tile."""
from easyasc.a2 import *


@kernel(mode="vec")
def affine(x: GMTensor, y: GMTensor, M: Var):
    tile = DBuff(DT.float, [{rows}, {columns}], Position.UB)
    beat = Var(0)
    with auto_sync():
        for step in range(GetVecIdx(), CeilDiv(M, {rows}), GetVecNum()):
            first = Var(step * {rows})
            rows = Min({rows}, M - first)
            tile[beat][0:rows, 0:{columns}] <<= x[first:first + rows, 0:{columns}]
            muls(tile[beat], tile[beat], {scale})
            adds(tile[beat], tile[beat], {shift})
            y[first:first + rows, 0:{columns}] <<= tile[beat][0:rows, 0:{columns}]
            beat += 1
    return y
'''
ROWS = 100


def variants(count):
    """Tile sizes, some of them too large for the chip, and constants."""
    sizes = itertools.product([8, 16, 32, 64, 128, 512, 1024], [64, 128, 192])
    cases = itertools.cycle(sizes)
    for number, (rows, columns) in zip(range(count), cases):
        shift = 0.5 + number
        yield TEMPLATE.format(rows=rows, columns=columns, scale=2.0, shift=shift), columns, shift


@ray.remote
def judge(batch):
    """What becomes of each of some variants."""
    verdicts = collections.Counter()
    for source, columns, shift in batch:
        report = a2lint.check(source=source, replay=False)
        if report.errors:
            verdicts[report.errors[0].name] += 1
            continue
        x = np.random.default_rng(0).standard_normal((ROWS, columns)).astype(np.float32)
        kernel = a2lint.kernel("affine.py", source=source)
        result = kernel.run(x, np.empty_like(x), ROWS, check=False, cores=4, progress=lambda *_: None)
        agrees = result.ok and result.compare("y", 2.0 * x + np.float32(shift))
        verdicts["agrees" if agrees else "differs"] += 1
    return verdicts


def batches(items, size):
    items = iter(items)
    while batch := list(itertools.islice(items, size)):
        yield batch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variants", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=100, help="variants that a task takes")
    options = parser.parse_args()
    ray.init(log_to_driver=False)
    start = time.perf_counter()
    pending = [judge.remote(batch) for batch in batches(variants(options.variants), options.batch)]
    verdicts = sum(ray.get(pending), collections.Counter())
    seconds = time.perf_counter() - start
    for verdict, count in verdicts.most_common():
        print(f"{count:8} {verdict}")
    cores = int(ray.cluster_resources()["CPU"])
    print(f"{options.variants} variants in {seconds:.1f} s on {cores} cores: {options.variants / seconds:.0f} a second")


if __name__ == "__main__":
    main()
