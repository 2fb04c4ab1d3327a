#~ pedantic
"""Each lane looks for the largest products of its own tile with all tiles, from the first one on."""
from easyasc.a2 import *

TILES = 40
ROWS = 64
COLUMNS = 64


# a2lint: launch(x=half[2560, 64], w=half[2560, 512], y=half[2560, 64])
@kernel(mode="vec")
def largest(x: GMTensor, w: GMTensor, y: GMTensor):
    own = Tensor(DT.half, [ROWS, COLUMNS], Position.UB)
    tile = DBuff(DT.half, [ROWS, COLUMNS], Position.UB)
    best = Tensor(DT.half, [ROWS, COLUMNS], Position.UB)
    first = GetVecIdx() * ROWS
    with auto_sync():
        own <<= x[first:first + ROWS, 0:COLUMNS]
        mul(best, own, own)
        for step in range(0, TILES):
            row = step * ROWS
            tile[step] <<= w[row:row + ROWS, 0:COLUMNS]  #~ INFO same-addresses: begin at different iterations save
            mul(tile[step], tile[step], own)
            vmax(best, best, tile[step])
        y[first:first + ROWS, 0:COLUMNS] <<= best
    return y
