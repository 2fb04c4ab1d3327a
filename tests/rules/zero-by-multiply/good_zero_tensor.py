"""A product with zeros of a tensor that has been loaded."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_zero_tensor(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    zeros = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        dup(zeros, 0.0)
        mul(u, u, zeros)
        y[0:8, 0:64] <<= u
    return y
