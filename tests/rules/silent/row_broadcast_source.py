"""Sources one block wide: the row-broadcast idiom."""
from easyasc.a2 import *


@kernel(mode="vec")
def row_broadcast_source(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    row_max = Tensor(DT.float, [64, 1], Position.UB)
    max8 = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        cmax(row_max, ub)
        brcb(max8, row_max, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        sub(ub, ub, max8)
        y[0:64, 0:64] <<= ub
    return y
