"""A slot counter that only grows."""
from easyasc.a2 import *


@kernel(mode="vec")
def growing_slot(x: GMTensor, y: GMTensor, K: Var):
    ub = TBuff(DT.float, [64, 64], Position.UB)
    out = TBuff(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():
        for k in range(K):
            ub[slot] <<= x[k * 64:k * 64 + 64, 0:64]
            muls(out[slot], ub[slot], 2.0)
            y[k * 64:k * 64 + 64, 0:64] <<= out[slot]
            slot += 1
    return y
