"""A kernel that is to end early."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    if M == 0:
        return y  #~ ERROR loop-exit-at-trace: `return` takes effect
    with auto_sync():
        ub <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= ub
    return y
