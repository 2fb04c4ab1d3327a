"""A kernel under a condition."""
from easyasc.a2 import *


@kernel(mode="vec")
def doubled(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, 2.0)
        y[0:64, 0:64] <<= ub
    return y


@kernel(mode="vec")
def twice(x: GMTensor, y: GMTensor):
    if GetCubeIdx() == 0:
        doubled(x, y)  #~ ERROR nested-kernel
    return y
