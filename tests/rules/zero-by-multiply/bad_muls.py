"""Clearing by a product with zero."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_muls(x: GMTensor, y: GMTensor):
    acc = Tensor(DT.float, [64, 64], Position.UB)
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        muls(acc, acc, 0.0)  #~ ERROR zero-by-multiply: muls() does not clear `acc` [64,64]
        ub <<= x[0:64, 0:64]
        add(acc, acc, ub)
        y[0:64, 0:64] <<= acc
    return y
