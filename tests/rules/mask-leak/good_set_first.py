"""Each iteration sets the mask before anything looks at it."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_set_first(x: GMTensor, y: GMTensor, N: Var):
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for t in range(N):
            u <<= x[t * 64:t * 64 + 64, 0:64]
            set_mask(0, 0xFF)
            adds(u, u, 1.0)
            y[t * 64:t * 64 + 64, 0:64] <<= u
            bar_all()
        reset_mask()
    return y
