"""Nothing relies on the mask behind the counted instruction."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_last(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        set_mask(0, 0xFF)
        adds(u, u, 1.0)
        muls(u, u, 0.5, count=4096)
        reset_mask()
        exp(u, u)
        y[0:64, 0:64] <<= u
    return y
