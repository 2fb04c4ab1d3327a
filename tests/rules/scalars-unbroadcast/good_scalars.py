"""Scalars among themselves."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_scalars(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    s = Tensor(DT.float, [1, 64], Position.UB)
    r = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cmax(s, u)
        cadd(r, u)
        div(r, r, s)
        y[0:1, 0:64] <<= r
    return y
