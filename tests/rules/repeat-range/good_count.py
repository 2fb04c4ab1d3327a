"""Counter mode has no repeat field."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [ROWS, 512], Position.UB)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            stored.wait()
            ub_x[0:valid, 0:512] <<= x[r:r + valid, 0:512]
            exp(ub_x, ub_x, count=ROWS * 512)
            y[r:r + valid, 0:512] <<= ub_x[0:valid, 0:512]
            stored.set()
            count += 1

    return y
