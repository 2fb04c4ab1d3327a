"""Rows longer than those of the tensor: the gap between them is negative."""
from easyasc.a2 import *


@kernel(mode="vec")
def wide_rows(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]  #~ ERROR repeat-range: dst_stride=-7 (inferred) of gm_to_ub_pad() is below 0
        y[0:64, 0:8] <<= ub
    return y
