"""A trip that is to end early, without a condition."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(0, M):
            muls(ub, ub, 2.0)
            continue  #~ ERROR loop-exit-at-trace: `continue` takes effect
            adds(ub, ub, 1.0)
        y[0:64, 0:64] <<= ub
    return y
