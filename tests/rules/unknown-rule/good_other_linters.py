"""Comments of other linters are none of our business."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_other_linters(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    bias8 = Tensor(DT.float, [64, 8], Position.UB)
    slot = Var(0)
    with auto_sync():
        dup(bias8, 0.25, count=512)  # noqa: E501  # ruff: ignore[whatever]  # type: ignore[dup-covrage]
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            ub[slot] <<= x[r:r + 64, 0:64]
            sub(out[slot], ub[slot], bias8)
            y[r:r + 64, 0:64] <<= out[slot]
            slot += 1
    return y
