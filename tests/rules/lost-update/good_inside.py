"""A Var of the trip itself, and one outside of any loop."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    base = Var(M)
    base = base + 1
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(0, M):
            row = Var(k * 64)
            row = row + base
            muls(ub, ub, row)
        y[0:64, 0:64] <<= ub
    return y
