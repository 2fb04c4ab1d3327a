"""Names of the author that an A5 facade also has."""
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
            log = Var(2.0)
            muls(ub_y[count], ub_x[count], log)
            pack = ub_y[count]
            y[r:r + valid, 0:WIDTH] <<= pack[0:valid, 0:WIDTH]
            count += 1

    return y
