"""Zeros in a tensor clear undefined memory no better than the number zero."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_zero_tensor(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    acc = Tensor(DT.float, [8, 64], Position.UB)
    zeros = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        dup(zeros, 0.0)
        mul(acc, acc, zeros)  #~ ERROR zero-by-multiply
        add(acc, acc, u)
        y[0:8, 0:64] <<= acc
    return y
