"""A Python loop, and the return of a helper."""
from easyasc.a2 import *


def step(k):
    for power in [1, 2, 4, 8]:
        if power > k:
            return power
    return 16


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in unroll(8):
            ub <<= ub * step(k)
            for j in [0, 1, 2]:
                break
        y[0:64, 0:64] <<= ub
    return y
