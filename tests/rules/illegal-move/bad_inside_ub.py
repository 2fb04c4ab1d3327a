"""A snapshot with the move operator."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = DBuff(DT.float, [ROWS, WIDTH], Position.UB)
    ub_y = DBuff(DT.float, [ROWS, WIDTH], Position.UB)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            ub_x[count][0:valid, 0:WIDTH] <<= x[r:r + valid, 0:WIDTH]
            ub_y[count] <<= ub_x[count]  #~ ERROR illegal-move: `<<=` does not copy inside UB
            y[r:r + valid, 0:WIDTH] <<= ub_y[count][0:valid, 0:WIDTH]
            count += 1

    return y
