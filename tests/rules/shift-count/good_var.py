"""A count that a launch decides."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        shiftls(t, t, M)
        shiftls(t, t, 0)
        y[0:64, 0:64] <<= t
    return y
