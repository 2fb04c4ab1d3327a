"""Counts make narrow work contiguous, and narrow sources are row broadcasts."""
from easyasc.a2 import *


@kernel()
def narrow(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 8], Position.UB)
    b = Tensor(DT.float, [64, 8], Position.UB)
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        a <<= x[0:64, 0:8]
        b <<= x[0:64, 8:16]
        add(a, a, b, count=512)
        muls(b, b, 2.0, count=512)
        mul(u, u, a)
        add(u, u, b)
        y[0:64, 0:64] <<= u
    return y
