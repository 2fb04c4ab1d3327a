"""Floats without a fraction lose nothing."""
from easyasc.a2 import *


@kernel()
def int_whole(x: GMTensor, y: GMTensor):
    i = Tensor(DT.int, [8, 64], Position.UB)
    with auto_sync():
        i <<= x[0:8, 0:64]
        muls(i, i, 2.0)
        adds(i, i, 64 / 2)
        dup(i, 7 // 2)
        y[0:8, 0:64] <<= i
    return y
