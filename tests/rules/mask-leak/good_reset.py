"""The mask is reset in every iteration."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_reset(x: GMTensor, y: GMTensor, N: Var):
    u = Tensor(DT.float, [64, 64], Position.UB)
    v = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for t in range(N):
            u <<= x[t * 64:t * 64 + 64, 0:64]
            exp(v, u)
            for bit in unroll(3):
                set_mask(0, 0xFF << bit)
                adds(v, v, 1.0)
            reset_mask()
            y[t * 64:t * 64 + 64, 0:64] <<= v
    return y
