#~ pedantic
"""Every third row is loaded: rows of one move follow each other."""
from easyasc.a2 import *

# a2lint: launch(x=float[7680, 64], y=float[2560, 64])
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    first = GetVecIdx() * 64
    with auto_sync():
        for row in range(0, 64):
            at = (first + row) * 3
            tile[row:row + 1, 0:64] <<= x[at:at + 1, 0:64]
        exp(tile, tile)
        y[first:first + 64, 0:64] <<= tile
    return y
