"""The fill was repaired; its comment stayed behind."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_idle_statement(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    bias8 = Tensor(DT.float, [64, 8], Position.UB)
    slot = Var(0)
    with auto_sync():
        dup(bias8, 0.25, count=512)  # a2lint: ignore[dup-coverage] filled below #~ WARNING unused-suppression: no finding of `dup-coverage` on this statement
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            ub[slot] <<= x[r:r + 64, 0:64]
            sub(out[slot], ub[slot], bias8)
            y[r:r + 64, 0:64] <<= out[slot]
            slot += 1
    return y
