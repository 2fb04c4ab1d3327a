"""The region ends before the work begins."""
from easyasc.a2 import *


@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():  #~ WARNING auto-sync-scope: auto_sync() around no instruction orders nothing
        start = Var(0)
    for m0 in range(start, M, 64):
        ub[slot] <<= x[m0:m0 + 64, 0:64]
        muls(ub[slot], ub[slot], 2.0)  #~ WARNING race
        y[m0:m0 + 64, 0:64] <<= ub[slot]  #~ WARNING race
        slot += 1
        bar_all()
    return y
