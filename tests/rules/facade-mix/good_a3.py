"""A kernel for A3 alone."""
from easyasc.a3 import *


@kernel(mode="vec")
def copied(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub_x <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= ub_x

    return y
