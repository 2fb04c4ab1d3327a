"""Two slices of two dimensions."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= t
    return y
