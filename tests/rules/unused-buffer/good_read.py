"""Read once, by a scalar."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    total = Tensor(DT.float, [64, 64], Position.UB)
    factor = Var(0.0)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        dup(total, 2.0)
        add(total, total, ub)
        bar_all()
        factor.GetValueFrom(total)
        muls(ub, ub, factor)
        y[0:64, 0:64] <<= ub
    return y
