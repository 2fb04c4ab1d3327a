"""Tensors, then scalars."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, factor: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, factor)
        y[0:64, 0:64] <<= ub
    return y
