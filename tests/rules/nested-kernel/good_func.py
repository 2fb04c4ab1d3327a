"""A helper that both use."""
from easyasc.a2 import *


@func()
def doubled(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, 2.0)
        y[0:64, 0:64] <<= ub
    return y


@kernel(mode="vec")
def twice(x: GMTensor, y: GMTensor):
    doubled(x, y)
    return y
