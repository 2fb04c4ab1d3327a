"""A batch dimension on chip."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [4, 16, 64], Position.UB)  #~ ERROR local-rank: 2 extents, not 3
    ub_y = Tensor(DT.float, [ROWS, WIDTH], Position.UB)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            ub_y[0:valid, 0:WIDTH] <<= x[r:r + valid, 0:WIDTH]
            y[r:r + valid, 0:WIDTH] <<= ub_y[0:valid, 0:WIDTH]
            count += 1

    return y
