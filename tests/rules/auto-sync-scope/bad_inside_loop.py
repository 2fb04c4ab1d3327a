"""A region per trip."""
from easyasc.a2 import *


@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    for m0 in range(0, M, 64):
        with auto_sync():  #~ WARNING auto-sync-scope: auto_sync() inside a loop: its handshakes do not reach from one iteration to the next
            ub[slot] <<= x[m0:m0 + 64, 0:64]
            muls(out[slot], ub[slot], 2.0)
            y[m0:m0 + 64, 0:64] <<= out[slot]
            slot += 1
    return y
