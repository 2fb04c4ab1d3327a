"""A value of its own."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    count = Var(0)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(0, M):
            before = Var(count + 0)
            count += 1
            muls(ub, ub, before)
        y[0:64, 0:64] <<= ub
    return y
