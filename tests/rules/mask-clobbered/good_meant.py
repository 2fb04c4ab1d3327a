"""The mask has been used; the counted instruction after it is meant to end it."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_meant(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    row = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        set_mask(0, 0xFF)
        muls(u, u, 2.0)
        dup(row, 0.0, count=64)
        adds(u, u, 1.0)
        y[0:64, 0:64] <<= u
    return y
