"""A Python loop is no device loop; two regions in a row."""
from easyasc.a2 import *


@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    for m0 in unroll(0, 128, 64):
        with auto_sync():
            ub[slot] <<= x[m0:m0 + 64, 0:64]
            muls(ub[slot], ub[slot], 2.0)
            y[m0:m0 + 64, 0:64] <<= ub[slot]
            slot += 1
    return y
