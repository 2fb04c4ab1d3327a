"""Rows that may be as short as the tensor's own."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        t[0:64, 0:4] <<= x[0:64, 0:4]
        y[0:64, 0:4] <<= t[0:64, 0:4]
    return y
