"""The fill is partial, but brcb writes the whole tensor before it is read."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_brcb(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    max8 = Tensor(DT.float, [64, 8], Position.UB)
    row_max = Tensor(DT.float, [64, 1], Position.UB)
    slot = Var(0)
    with auto_sync():
        dup(max8, 0.0)
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            ub[slot] <<= x[r:r + 64, 0:64]
            cmax(row_max, ub[slot])
            brcb(max8, row_max, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
            sub(out[slot], ub[slot], max8)
            y[r:r + 64, 0:64] <<= out[slot]
            slot += 1
    return y
