"""Clearing with dup."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_dup(x: GMTensor, y: GMTensor):
    acc = Tensor(DT.float, [64, 64], Position.UB)
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        dup(acc, 0.0)
        ub <<= x[0:64, 0:64]
        add(acc, acc, ub)
        y[0:64, 0:64] <<= acc
    return y
