"""Threads that use the package at the same time: nothing waits for ever, and nothing is shared that changes."""

import subprocess
import sys
import threading

import numpy as np

import a2lint

SOURCE = """
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

# A deadlock would take the interpreter's lock with it, so it is looked for from another process.
TOGETHER = """
import sys, threading, time
import numpy as np
import a2lint

source = sys.argv[1]
kernel = a2lint.kernel("double.py", source=source)
M = 256
x = np.random.default_rng(0).standard_normal((M, 64)).astype(np.float32)
result = kernel(x, np.zeros_like(x), M)
expected = x.astype(np.float64) * 2 + 1e-3
until = time.monotonic() + float(sys.argv[2])


def again(work):
    def loop():
        while time.monotonic() < until:
            work()
            counts[work] += 1
    return loop


def small():
    y = np.zeros((64, 64), np.float32)
    assert kernel(x[:64], y, 64)["y"].shape == (64, 64)


works = [
    lambda: result.compare("y", expected),
    lambda: result.text,
    lambda: result.failure,
    lambda: result._ran.json(),
    lambda: result._ran.ending(),
    lambda: result._ran.tensor("y"),
    lambda: result.undefined("y"),
    lambda: (result.end, result.ok, result.findings),
    lambda: x.__setitem__(0, 1.0),
    small,
    lambda: a2lint.check("double.py", source=source),
    lambda: a2lint.explain("dup-coverage"),
]
counts = dict.fromkeys(works, 0)
threads = [threading.Thread(target=again(work), daemon=True) for work in works]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert all(counts.values()), counts.values()
print("together", sum(counts.values()))
"""


def test_no_two_threads_wait_for_each_other():
    command = [sys.executable, "-X", "faulthandler", "-c", TOGETHER, SOURCE, "6"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    except subprocess.TimeoutExpired as stuck:
        raise AssertionError(f"a deadlock: {stuck.stderr!r}") from None
    assert done.returncode == 0 and "together" in done.stdout, done.stderr


def test_a_run_shares_nothing_with_arrays():
    kernel = a2lint.kernel("double.py", source=SOURCE)
    x = np.ones((64, 64), np.float32)
    result = kernel(x, np.zeros_like(x), 64)
    before = result.text
    result["y"][...] = -1.0
    x[...] = 7.0
    assert result.text == before and result.compare("y", np.full((64, 64), 2.0, np.float32))
    again = result._ran.tensor("y")[2].view(np.float32)
    assert (again == 2.0).all()


def test_arrays_may_be_written_while_a_kernel_runs_on_them():
    kernel = a2lint.kernel("double.py", source=SOURCE)
    x = np.ones((256, 64), np.float32)
    stop = threading.Event()

    def write():
        while not stop.is_set():
            x[...] = 3.0
            x[...] = 1.0

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(40):
            found = set(np.unique(kernel(x, np.zeros_like(x), 256)["y"]))
            assert found <= {2.0, 6.0}, found
    finally:
        stop.set()
        writer.join()
