"""256 repeats wrap around to none."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [ROWS, 256], Position.UB)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            stored.wait()
            ub_x[0:valid, 0:256] <<= x[r:r + valid, 0:256]
            muls(ub_x, ub_x, 2.0)  #~ ERROR repeat-range: takes 256 repeats
            y[r:r + valid, 0:256] <<= ub_x[0:valid, 0:256]
            stored.set()
            count += 1

    return y
