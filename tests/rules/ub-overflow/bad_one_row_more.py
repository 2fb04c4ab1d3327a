"""One more block than the 192 KB that the rings fill."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = DBuff(DT.float, [ROWS, 192], Position.UB)
    ub_y = DBuff(DT.float, [ROWS, 192], Position.UB)
    flags = Tensor(DT.float, [1, 8], Position.UB)  #~ ERROR ub-overflow: 3 buffers need 196640 bytes; UB has 196608 bytes
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            dup(flags, 0.0, count=8)
            ub_x[count][0:valid, 0:192] <<= x[r:r + valid, 0:192]
            for c in unroll(0, 192, 64):
                exp(ub_y[count][0:ROWS, c:c + 64], ub_x[count][0:ROWS, c:c + 64])
            y[r:r + valid, 0:192] <<= ub_y[count][0:valid, 0:192]
            count += 1

    return y
