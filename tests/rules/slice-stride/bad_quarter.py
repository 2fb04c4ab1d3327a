"""Thirty-two columns of a row of 128."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_quarter(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 128], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:128]
        exp(t[0:64, 0:32], t[0:64, 0:32])  #~ ERROR slice-stride: processes 2048 consecutive elements from the start of its `dst`
        y[0:64, 0:128] <<= t
    return y
