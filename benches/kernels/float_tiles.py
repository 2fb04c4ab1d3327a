"""y = 2 * x + x in tiles of 64 rows, loads and stores included.

    x, y float [M, 128]
"""
from easyasc.a2 import *

TILE_M = 64
D = 128


@kernel()
def float_tiles(x: GMTensor, y: GMTensor, M: Var):
    x_in = DBuff(DT.float, [TILE_M, D], Position.UB)
    y_out = DBuff(DT.float, [TILE_M, D], Position.UB)
    count = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, TILE_M), GetVecNum()):
            m0 = Var(tile * TILE_M)
            x_in[count] <<= x[m0:m0 + TILE_M, 0:D]
            muls(y_out[count], x_in[count], 2.0)
            add(y_out[count], y_out[count], x_in[count])
            y[m0:m0 + TILE_M, 0:D] <<= y_out[count]
            count += 1
    return y
