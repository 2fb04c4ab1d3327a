"""A module constant."""
from easyasc.a2 import *


CAUSAL = True


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        if CAUSAL:  #~ WARNING static-if: `CAUSAL` is true while the kernel is traced; a kernel branches on Vars only
            exp(ub, ub)
        y[0:64, 0:64] <<= ub
    return y
