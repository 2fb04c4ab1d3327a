"""The tensor held expanded scalars before; now a reduction has packed others into it."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_reused(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    top = Tensor(DT.float, [64, 1], Position.UB)
    wide = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        dup(wide, 0.0, count=512)
        cmax(top, u)
        brcb(wide, top, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        sub(u, u, wide)
        dup(wide, 0.0, count=512)
        cadd(wide, u)
        div(u, u, wide)  #~ ERROR scalars-unbroadcast
        y[0:64, 0:64] <<= u
    return y
