"""Halving integers."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        muls(t, t, 0.5)  #~ WARNING int-scalar-truncation: muls() on int elements takes 0.5 as 0
        y[0:64, 0:64] <<= t
    return y
