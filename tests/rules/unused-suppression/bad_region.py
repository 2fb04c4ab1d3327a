"""A region without findings, an end without a start, a word that means nothing."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_region(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    bias8 = Tensor(DT.float, [64, 8], Position.UB)
    slot = Var(0)
    with auto_sync():
        # a2lint: disable[dup-coverage] #~ WARNING unused-suppression: nothing to disable
        dup(bias8, 0.25, count=512)
        # a2lint: enable[dup-coverage]
        # a2lint: enable[ub-overflow] #~ WARNING unused-suppression: `ub-overflow` is not disabled here
        # a2lint: ingore[dup-coverage] #~ WARNING unused-suppression: `ingore` means nothing here
        # a2lint: ignore all of it #~ WARNING unused-suppression: `ignore` names no rule
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            ub[slot] <<= x[r:r + 64, 0:64]
            sub(out[slot], ub[slot], bias8)
            y[r:r + 64, 0:64] <<= out[slot]
            slot += 1
    return y
