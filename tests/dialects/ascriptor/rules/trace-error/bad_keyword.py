"""A vector instruction refuses a keyword that it does not know."""
from ascriptor.a2 import *


@kernel(mode="vec")
def typo(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        tile <<= x
        exp(tile, tile, repeats=64)  #~ ERROR trace-error: repeats
        y[0:64, 0:64] <<= tile
    return y
