"""The loop begins with a reset: what it leaves behind does not reach its next turn."""
from easyasc.a2 import *


@kernel(mode="vec")
def mask_loop(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        for i in range(4):
            reset_mask()
            muls(u, u, 2.0)
            set_mask(0, 0xFF)
            adds(u, u, 1.0)
        reset_mask()
        y[0:8, 0:64] <<= u
    return y
