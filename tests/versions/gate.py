"""y = x / (1 + exp(-1.5 x)), rows of 256 floats."""
from easyasc.a2 import *

ROWS = 8
COLS = 256


# a2lint: launch(rows=10, x=float[10, 256], y=float[10, 256])
@kernel(mode="vec")
def gate(x: GMTensor, y: GMTensor, rows: Var):
    a = DBuff(DT.float, [ROWS, COLS], Position.UB)
    b = DBuff(DT.float, [ROWS, COLS], Position.UB)
    slot = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(rows, ROWS), GetVecNum()):
            row = Var(tile * ROWS)
            valid = Min(ROWS, rows - row)
            a[slot][0:valid, :] <<= x[row:row + valid, 0:COLS]
            muls(b[slot], a[slot], -1.5)
            exp(b[slot], b[slot])
            adds(b[slot], b[slot], 1.0)
            div(b[slot], a[slot], b[slot])
            y[row:row + valid, 0:COLS] <<= b[slot][0:valid, :]
            slot += 1
    return y
