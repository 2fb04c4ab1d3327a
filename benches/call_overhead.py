"""What a call of `kernel.run` costs beside the kernel: python benches/call_overhead.py [CALLS]

Prints microseconds of a call on a tiny kernel after the first (least, median, 90th percentile), by number of
cores, and what arrays of 64 MB add to the memory of the process, in arrays.
"""

import resource
import sys
import time

import numpy as np

import a2lint

KERNEL = """
from easyasc.a2 import *


@kernel(mode="vec")
def double(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        for step in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            tile <<= x[step * 8:step * 8 + 8, 0:64]
            muls(tile, tile, 2.0)
            y[step * 8:step * 8 + 8, 0:64] <<= tile
    return y
"""


def calls(kernel, count, cores):
    x = np.ones((8, 64), np.float32)
    y = np.empty_like(x)
    kernel.run(x, y, 8, cores=cores)
    took = []
    for _ in range(count):
        start = time.perf_counter()
        kernel.run(x, y, 8, cores=cores)["y"]
        took.append(1e6 * (time.perf_counter() - start))
    took.sort()
    return took[0], took[count // 2], took[count * 9 // 10]


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def copies(kernel):
    """Arrays of 64 MB in and out; how many more of them there were at the same time, and seconds a call."""
    x = np.ones((1 << 18, 64), np.float32)
    y = np.empty_like(x)
    before = peak()
    start = time.perf_counter()
    result = kernel.run(x, y, 8, check=False)["y"]
    took = time.perf_counter() - start
    assert result.nbytes == x.nbytes
    return (peak() - before) / x.nbytes, took


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    kernel = a2lint.kernel("double.py", source=KERNEL)
    for cores in (1, 20):
        least, median, late = calls(kernel, count, cores)
        print(f"{cores:2} cores: least {least:.0f} µs, median {median:.0f} µs, 90th percentile {late:.0f} µs")
    more, took = copies(kernel)
    print(f"64 MB in, 64 MB out: {more:.2f} arrays more, {1e3 * took:.0f} ms")
