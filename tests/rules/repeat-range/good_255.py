"""255 repeats fit."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [255, 64], Position.UB)
    ub_y = Tensor(DT.float, [255, 64], Position.UB)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            ub_x <<= x[r:r + 255, 0:64]
            exp(ub_y, ub_x)
            y[r:r + 255, 0:64] <<= ub_y
            count += 1

    return y
