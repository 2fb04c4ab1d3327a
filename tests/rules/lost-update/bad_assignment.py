"""A counter by assignment."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    rest = Var(M)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(0, M):
            rest = rest - 64  #~ ERROR lost-update: `rest = rest - 64` rebinds the Python name in each iteration; the device variable `rest` is not updated
            muls(ub[0:8, 0:64], ub[0:8, 0:64], rest)
        y[0:64, 0:64] <<= ub
    return y
