#~ pedantic
"""One load for each row."""
from easyasc.a2 import *

# a2lint: launch(x=float[2560, 64], y=float[2560, 64])
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    first = GetVecIdx() * 64
    with auto_sync():
        for row in range(0, 64):
            tile[row:row + 1, 0:64] <<= x[first + row:first + row + 1, 0:64]  #~ INFO small-moves: one move of all rows
        exp(tile, tile)
        y[first:first + 64, 0:64] <<= tile
    return y
