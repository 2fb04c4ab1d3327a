"""In place."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    rest = Var(M)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(0, M):
            rest <<= rest - 64
            rest += 1
            muls(ub, ub, rest)
        y[0:64, 0:64] <<= ub
    return y
