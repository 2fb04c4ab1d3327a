"""The sign in every bit, and the full width."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        shiftrs(t, t, 31)
        shiftrs(t, t, 32)
        y[0:64, 0:64] <<= t
    return y
