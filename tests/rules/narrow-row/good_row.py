#~ pedantic
"""Row scalars in one row, and rows of whole blocks."""
from easyasc.a2 import *


@kernel(mode="vec")
def row_maximum(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    top = Tensor(DT.float, [1, 64], Position.UB)
    wide = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        cmax(top, ub)
        brcb(wide, top, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        y[0:1, 0:64] <<= top
        y[1:65, 0:8] <<= wide
    return y
