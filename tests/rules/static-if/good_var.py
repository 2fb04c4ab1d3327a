"""A branch on a Var, and a Python condition outside of the kernel."""
from easyasc.a2 import *


WIDE = True
if WIDE:
    STEP = 64


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        if M > 64:
            exp(ub, ub)
        y[0:64, 0:64] <<= ub
    return y
