"""y = exp(-a * x * x) of halves, computed in float, in batches of rows."""
from easyasc.a2 import *

ROWS = 16
COLS = 64


# a2lint: launch(B=3, M=20, x=half[3, 20, 64], y=half[3, 20, 64], a=0.7)
@kernel(mode="vec")
def scaled(x: GMTensor, y: GMTensor, B: Var, M: Var, a: Var):
    short = DBuff(DT.half, [ROWS, COLS], Position.UB)
    wide = Tensor(DT.float, [ROWS, COLS], Position.UB)
    out = DBuff(DT.half, [ROWS, COLS], Position.UB)
    tiles = CeilDiv(M, ROWS)
    slot = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), B * tiles, GetVecNum()):
            batch = Var(tile // tiles)
            row = Var((tile - batch * tiles) * ROWS)
            rows = Min(ROWS, M - row)
            short[slot][0:rows, :] <<= x[batch, row:row + rows, 0:COLS]
            cast(wide, short[slot], round_mode=RoundMode.NONE)
            mul(wide, wide, wide)
            muls(wide, wide, a)
            muls(wide, wide, -1.0)
            exp(wide, wide)
            cast(out[slot], wide, round_mode=RoundMode.TO_EVEN)
            y[batch, row:row + rows, 0:COLS] <<= out[slot][0:rows, :]
            slot += 1
    return y
