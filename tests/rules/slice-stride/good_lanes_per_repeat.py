"""Lanes of each row are counted."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_lanes_per_repeat(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 128], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:128]
        exp(t[0:64, 0:64], t[0:64, 0:64], count_per_rep=32)
        y[0:64, 0:128] <<= t
    return y
