"""As a source it is one value per row."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_source(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    n = Tensor(DT.float, [64, 8], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        dup(s, 1.0)
        brcb(n, s, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        mul(u, u, n)
        y[0:64, 0:64] <<= u
    return y
