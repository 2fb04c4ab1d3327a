"""Thirty-two lanes of each row."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_lanes(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    s = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cadd(s, u, count_per_rep=32)
        y[0:1, 0:64] <<= s
    return y
