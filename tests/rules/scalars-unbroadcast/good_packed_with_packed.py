"""Packed scalars meet packed scalars, in any shape."""
from easyasc.a2 import *


@kernel(mode="vec")
def packed_elementwise(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    a = Tensor(DT.float, [64, 1], Position.UB)
    b = Tensor(DT.float, [1, 64], Position.UB)
    c = Tensor(DT.float, [8, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cmax(a, u)
        cmin(b, u)
        sub(a, a, b)
        sub(c, a, b, count=64)
        sub(b, a, c, count=64)
        y[0:64] <<= b
    return y
