"""Half has 128 lanes: its upper half alone is meant here."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_half(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.half, [64, 128], Position.UB)
    wide = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:128]
        dup(wide, 0.0)
        set_mask(0xFFFF, 0)
        adds(wide, wide, 1.0)
        adds(ub, ub, 1.0)
        reset_mask()
        y[0:64, 0:128] <<= ub
    return y
