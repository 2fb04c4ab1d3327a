"""One row at a time may be longer than a row of its tensor: there is no gap after it."""
from easyasc.a2 import *


@kernel(mode="vec")
def long_row(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [2, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            ub[0:1, 0:64] <<= x[row:row + 1, 0:128]
            y[row:row + 1, 0:128] <<= ub[0:1, 0:128]
    return y
