"""Branches of the device."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    width = Var(64)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        if M > 64 and not M == 128:
            width <<= 32
        muls(ub, ub, width)
        y[0:64, 0:64] <<= ub
    return y
