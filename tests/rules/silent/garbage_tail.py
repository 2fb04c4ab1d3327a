"""Tail lanes hold anything; they are neither stored nor reduced."""
from easyasc.a2 import *


@kernel(mode="vec")
def garbage_tail(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub[0:10, 0:64] <<= x[0:10, 0:64]
        exp(out, ub)
        muls(out, out, 2.0)
        y[0:10, 0:64] <<= out[0:10, 0:64]
    return y
