"""Row scalars: a copy in blocks would not help either."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = DBuff(DT.float, [ROWS, WIDTH], Position.UB)
    ub_y = DBuff(DT.float, [ROWS, WIDTH], Position.UB)
    row_max = Tensor(DT.float, [ROWS, 1], Position.UB)
    saved = Tensor(DT.float, [ROWS, 1], Position.UB)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            ub_x[count][0:ROWS, 0:WIDTH] <<= x[r:r + ROWS, 0:WIDTH]
            muls(ub_y[count], ub_x[count], 2.0)
            cmax(row_max, ub_x[count])
            saved <<= row_max  #~ ERROR illegal-move
            y[r:r + ROWS, 0:WIDTH] <<= ub_y[count]
            count += 1

    return y
