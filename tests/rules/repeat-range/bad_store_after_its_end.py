"""The columns that are stored begin at 40 and end at M, which may be less."""
from easyasc.a2 import *

ROWS, COLUMNS = 8, 64


# a2lint: launch(M=32, x=float[64, 64], y=float[64, 64])
@kernel(mode="vec")
def tail(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [ROWS, COLUMNS], Position.UB)
    with auto_sync():
        tile <<= x[0:ROWS, 0:COLUMNS]
        muls(tile, tile, 2.0)
        y[0:ROWS, 40:M] <<= tile  #~ ERROR repeat-range: a length of -8 is negative
        y[0:ROWS, 0:40] <<= tile[0:ROWS, 0:40]
    return y
