"""A load does not convert."""
from ascriptor.a2 import *


@kernel(mode="vec")
def load(x: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        tile <<= x  #~ ERROR move-dtype
        exp(tile, tile)
        y[0:64, 0:64] <<= tile
    return y
