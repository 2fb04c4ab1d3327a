"""Float elements, and a scalar that a launch decides."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    i = Tensor(DT.int, [64, 64], Position.UB)
    share = Var(0.0)
    share <<= M * 0.5
    with auto_sync():
        t <<= x[0:64, 0:64]
        muls(t, t, 0.5)
        cast(i, t, round_mode=RoundMode.TRUNC)
        muls(i, i, share)
        cast(t, i)
        y[0:64, 0:64] <<= t
    return y
