"""y = sum over rows of x, 32 rows at a time, with column sums that are kept in UB."""
from easyasc.a2 import *

ROWS = 32
COLS = 64


# a2lint: launch(M=96, x=float[96, 64], y=float[1, 64])
@kernel(mode="vec")
def totals(x: GMTensor, y: GMTensor, M: Var):
    a = DBuff(DT.float, [ROWS, COLS], Position.UB)
    total = Tensor(DT.float, [1, COLS], Position.UB)
    slot = Var(0)
    with auto_sync():
        if GetVecIdx() == 0:
            dup(total, 0.0)
            for row in range(0, M, ROWS):
                a[slot] <<= x[row:row + ROWS, 0:COLS]
                for at in range(ROWS):
                    add(total, total, a[slot][at:at + 1, :])
                slot += 1
            y[0:1, 0:COLS] <<= total
    return y
