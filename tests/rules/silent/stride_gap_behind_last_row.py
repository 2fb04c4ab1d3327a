"""The gap behind the last row of a move lies past the tensor."""
from easyasc.a2 import *


@kernel(mode="vec")
def stride_gap_behind_last_row(x: GMTensor, y: GMTensor):
    wide = Tensor(DT.float, [8, 128], Position.UB)
    packed = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        wide <<= x[0:8, 0:128]
        ub_to_ub(packed, wide[0:8, 64:128])
        bar_all()
        y[0:8, 0:64] <<= wide[0:8, 64:128]
        y[8:16, 0:64] <<= packed
    return y
