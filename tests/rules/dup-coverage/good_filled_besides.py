"""A narrow fill is completed by one with a count before anything is stored."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_filled_besides(y: GMTensor, M: Var):
    ones = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        dup(ones, 1.0)
        dup(ones, 1.0, count=512)
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - r)
            y[r:r + rows, 0:8] <<= ones[0:rows, 0:8]
    return y
