"""Operators, and the complement."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.uint32, [64, 64], Position.UB)
    u = Tensor(DT.uint32, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[64:128, 0:64]
        t <<= x[0:64, 0:64]
        t <<= t | u  #~ WARNING bitwise-width: vor() on uint32 elements
        vnot(t, t)  #~ WARNING bitwise-width: vnot()
        y[0:64, 0:64] <<= t
    return y
