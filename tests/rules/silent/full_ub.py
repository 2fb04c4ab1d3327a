"""Buffers that fill UB to the last byte."""
from easyasc.a2 import *


@kernel(mode="vec")
def full_ub(x: GMTensor, y: GMTensor):
    ub = DBuff(DT.float, [96, 128], Position.UB)
    out = DBuff(DT.float, [96, 128], Position.UB)
    with auto_sync():
        ub[0] <<= x[0:96, 0:128]
        muls(out[0], ub[0], 2.0)
        muls(out[1], ub[0], 3.0)
        y[0:96, 0:128] <<= out[0]
        y[96:192, 0:128] <<= out[1]
    return y
