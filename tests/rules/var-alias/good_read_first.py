"""The other name is read before the update only."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    count = Var(0)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(0, M):
            now = Var(count)
            muls(ub, ub, now)
            count += 1
        y[0:64, 0:64] <<= ub
    return y
