"""One of two rules has nothing to silence; the other has."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_one_of_two(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    bias8 = Tensor(DT.float, [64, 8], Position.UB)
    slot = Var(0)
    with auto_sync():
        # a2lint: ignore[COV001, ub-overflow] old code #~ WARNING unused-suppression: no finding of `ub-overflow`
        dup(
            bias8,
            0.25,
        )
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            ub[slot] <<= x[r:r + 64, 0:64]
            sub(out[slot], ub[slot], bias8)
            y[r:r + 64, 0:64] <<= out[slot]
            slot += 1
    return y
