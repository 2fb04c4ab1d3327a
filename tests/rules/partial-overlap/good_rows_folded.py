"""Rows of one tensor, apart from each other."""
from easyasc.a2 import *


@kernel(mode="vec")
def shift(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [16, 64], Position.UB)
    with auto_sync():
        u <<= x[0:16, 0:64]
        add(u[0:8, 0:64], u[0:8, 0:64], u[8:16, 0:64])
        add(u[0:4, 0:64], u[0:4, 0:64], u[4:8, 0:64])
        y[0:4, 0:64] <<= u[0:4, 0:64]
    return y
