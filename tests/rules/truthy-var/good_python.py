"""Python's own values."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    STEPS = [1, 2, 4]
    assert len(STEPS) == 3
    width = 32 if STEPS else 64
    with auto_sync():
        ub <<= x[0:64, 0:64]
        while STEPS:
            break
        muls(ub, ub, width)
        for step in [s for s in STEPS if s > 1]:
            adds(ub, ub, step)
        y[0:64, 0:64] <<= ub
    return y
