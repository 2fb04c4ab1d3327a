"""Sixty-four columns are a repeat."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_half(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 128], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:128]
        exp(t[0:64, 64:128], t[0:64, 0:64])
        y[0:64, 0:128] <<= t
    return y
