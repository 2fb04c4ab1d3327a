"""Row scalars that move as one contiguous row, and a block copy with its extents spelled out."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_one_burst(x: GMTensor, y: GMTensor):
    scale = Tensor(DT.float, [64, 1], Position.UB)
    copy = Tensor(DT.float, [64, 1], Position.UB)
    wide = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        scale <<= x[0:64]
        ub_to_ub(copy, scale, 1, 8, 0, 0)
        y[0:64] <<= copy
    return y
