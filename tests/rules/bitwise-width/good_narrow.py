"""16-bit elements."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int16, [64, 64], Position.UB)
    u = Tensor(DT.int16, [64, 64], Position.UB)
    with auto_sync():
        dup(u, 255)
        t <<= x[0:64, 0:64]
        vor(t, t, u)
        vnot(t, t)
        y[0:64, 0:64] <<= t
    return y
