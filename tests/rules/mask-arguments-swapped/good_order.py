"""High word first, low word second."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_order(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        set_mask(0, 0xFFFF)
        adds(ub, ub, 1.0)
        reset_mask()
        y[0:64, 0:64] <<= ub
    return y
