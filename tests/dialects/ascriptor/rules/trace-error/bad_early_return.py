"""Only the last statement returns."""
from ascriptor.a2 import *


@kernel(mode="vec")
def early(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    if M < 64:
        return y  #~ ERROR trace-error: E0130
    with auto_sync():
        tile <<= x[0:64, 0:64]
        exp(tile, tile)
        y[0:64, 0:64] <<= tile
    return y
