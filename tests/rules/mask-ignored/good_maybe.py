"""On one path there is no mask: nothing is certain."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_maybe(x: GMTensor, y: GMTensor, N: Var):
    u = Tensor(DT.float, [64, 64], Position.UB)
    wide = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        if N < 64:
            set_mask(0, 0xFF)
        brcb(wide, u, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        reset_mask()
        y[0:64, 0:8] <<= wide
    return y
