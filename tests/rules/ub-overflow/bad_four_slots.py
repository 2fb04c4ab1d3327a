"""A single ring of 256 KB."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = QBuff(DT.float, [ROWS, 256], Position.UB)  #~ ERROR ub-overflow: `ub_x` needs 256 KB; UB has 192 KB (4 slots x 64 x 256 x 4)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            ub_x[count][0:valid, 0:256] <<= x[r:r + valid, 0:256]
            y[r:r + valid, 0:256] <<= ub_x[count][0:valid, 0:256]
            count += 1

    return y
