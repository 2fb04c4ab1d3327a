"""One batch by its number."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for b in range(0, M):
            t <<= x[b, 0:64, 0, 0:64]
            y[b, 0:64, 0:64] <<= t
    return y
