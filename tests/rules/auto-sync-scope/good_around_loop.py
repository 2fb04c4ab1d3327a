"""The region encloses the loop."""
from easyasc.a2 import *


@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():
        for m0 in range(0, M, 64):
            ub[slot] <<= x[m0:m0 + 64, 0:64]
            muls(out[slot], ub[slot], 2.0)
            y[m0:m0 + 64, 0:64] <<= out[slot]
            slot += 1
    return y
