"""The first value."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    top = Var(0)
    top.GetValueFrom(x[0:1, 0:1])
    first = Var(top)  #~ WARNING var-alias: `top` is updated before `first` is read again
    top <<= top - 1
    with auto_sync():
        ub <<= x[0:64, 0:64]
        for k in range(first, M):
            muls(ub, ub, top)
        y[0:64, 0:64] <<= ub
    return y
