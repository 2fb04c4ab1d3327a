"""A size that the kernel is compiled with, and a minimum of numbers."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, M: Var):
    half = Min(64, 32)
    ub = Tensor(DT.float, [half, 64], Position.UB)
    row = Tensor(DT.float, [1, M], Position.UB)
    with auto_sync():
        ub <<= x[0:32, 0:64]
        row <<= x[32:33, 0:M]
        y[0:32, 0:64] <<= ub
        y[32:33, 0:M] <<= row
    return y
