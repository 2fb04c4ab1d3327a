"""One row, and a whole block of columns."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        t[0:1, 0:1] <<= x[2:3, 2:3]
        bar_all()
        t <<= x[0:64, 8:16]
        bar_all()
        y[0:64, 0:8] <<= t
    return y
