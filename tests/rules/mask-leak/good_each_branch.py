"""Both branches set a mask, and one reset ends either."""
from easyasc.a2 import *


@kernel(mode="vec")
def mask_both(x: GMTensor, y: GMTensor, n: Var):
    u = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        if n > 3:
            set_mask(0, 0xFF)
        else:
            set_mask(0, 0xFFFF)
        muls(u, u, 2.0)
        reset_mask()
        y[0:8, 0:64] <<= u
    return y
