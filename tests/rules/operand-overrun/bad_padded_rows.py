"""Rows of 60 floats: a load starts each of them on a block and needs 64."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_padded_rows(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 60], Position.UB)
    after = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        dup(after, 0.0)
        ub <<= x[0:64, 0:60]  #~ ERROR operand-overrun: gm_to_ub_pad() writes 256 elements past the end of `ub` [64,60], over `after`
        y[0:1, 0:64] <<= after
    return y
