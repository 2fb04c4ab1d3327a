"""Operators that are not in place."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    rest = Var(M)
    scale = Var(1.0)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(0, M):
            rest -= 2 + k  #~ ERROR lost-update: `rest -= 2 + k` rebinds the Python name
            scale *= 0.5  #~ ERROR lost-update
            adds(ub, ub, rest, count=rest)  #~ WARNING repeat-range
            muls(ub, ub, scale)
        y[0:64, 0:64] <<= ub
    return y
