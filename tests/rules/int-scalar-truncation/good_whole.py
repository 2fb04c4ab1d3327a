"""Floats without a fraction."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        muls(t, t, 2.0)
        adds(t, t, 1)
        y[0:64, 0:64] <<= t
    return y
