"""Slices of one row are contiguous at any width."""
from easyasc.a2 import *


@kernel(mode="vec")
def row_slices(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [1, 256], Position.UB)
    with auto_sync():
        u <<= x[0:1, 0:256]
        muls(u[0:1, 0:128], u[0:1, 0:128], 2.0)
        muls(u[0:1, 128:192], u[0:1, 128:192], 3.0)
        exp(u[0:1, 192:224], u[0:1, 192:224], count=32)
        y[0:1, 0:256] <<= u
    return y
