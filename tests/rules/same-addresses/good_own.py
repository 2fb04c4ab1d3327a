#~ pedantic
"""Each lane loads rows of its own."""
from easyasc.a2 import *

TILES = 20
ROWS = 64
COLUMNS = 64


# a2lint: launch(x=half[51200, 512], y=half[2560, 64])
@kernel(mode="vec")
def largest(x: GMTensor, y: GMTensor):
    tile = DBuff(DT.half, [ROWS, COLUMNS], Position.UB)
    best = Tensor(DT.half, [ROWS, COLUMNS], Position.UB)
    first = GetVecIdx() * ROWS
    with auto_sync():
        dup(best, -60000.0)
        for step in range(0, TILES):
            row = first * TILES + step * ROWS
            tile[step] <<= x[row:row + ROWS, 0:COLUMNS]
            vmax(best, best, tile[step])
        y[first:first + ROWS, 0:COLUMNS] <<= best
    return y
