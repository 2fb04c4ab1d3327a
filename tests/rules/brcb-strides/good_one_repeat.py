"""Eight scalars are one repeat."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_one_repeat(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    n = Tensor(DT.float, [8, 8], Position.UB)
    s = Tensor(DT.float, [1, 8], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        cmax(s, u)
        brcb(n, s)
        sub(u, u, n)
        y[0:8, 0:64] <<= u
    return y
