#~ pedantic
"""One load for all rows."""
from easyasc.a2 import *

# a2lint: launch(x=float[2560, 64], y=float[2560, 64])
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    first = GetVecIdx() * 64
    with auto_sync():
        tile <<= x[first:first + 64, 0:64]
        exp(tile, tile)
        y[first:first + 64, 0:64] <<= tile
    return y
