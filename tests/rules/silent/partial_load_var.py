"""Whole-tile arithmetic after a load of valid rows only."""
from easyasc.a2 import *


@kernel(mode="vec")
def partial_load_var(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            valid = Min(64, M - r)
            ub[slot][0:valid, 0:64] <<= x[r:r + valid, 0:64]
            exp(out[slot], ub[slot])
            y[r:r + valid, 0:64] <<= out[slot][0:valid, 0:64]
            slot += 1
    return y
