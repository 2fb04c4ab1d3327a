"""A helper of the file may be called like an A5 instruction."""
from easyasc.a2 import *


@func()
def neg(dst, src):
    muls(dst, src, -1.0)


@kernel(mode="vec")
def negated(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [64, 64], Position.UB)
    ub_y = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub_x <<= x[0:64, 0:64]
        neg(ub_y, ub_x)
        y[0:64, 0:64] <<= ub_y

    return y
