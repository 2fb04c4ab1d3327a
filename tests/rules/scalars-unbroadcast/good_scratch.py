"""The tensor is scratch for a reduction first, and holds expanded scalars when it is used."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_scratch(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    top = Tensor(DT.float, [64, 1], Position.UB)
    wide = Tensor(DT.float, [64, 8], Position.UB)
    zero = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        dup(zero, 0.0)
        cmax(wide[0:8, 0:8], u)
        add(top, wide[0:8, 0:8], zero, count=64)
        brcb(wide, top, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        sub(u, u, wide)
        y[0:64, 0:64] <<= u
    return y
