"""Jumps of the device."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(0, M):
            muls(ub, ub, 2.0)
            if k == 3:
                break_()
            if k == 2:
                continue_()
            adds(ub, ub, 1.0)
        y[0:64, 0:64] <<= ub
    return y
