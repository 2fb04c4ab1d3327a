"""8192 rows in one move."""
from easyasc.a2 import *


ROWS = 4608
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.half, [4608, 16], Position.UB)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            stored.wait()
            ub_x <<= x[r:r + 4608, 0:16]  #~ ERROR repeat-range: 4608 rows; a move has at most 4095
            y[r:r + 4095, 0:16] <<= ub_x[0:4095, 0:16]
            stored.set()
            count += 1

    return y
