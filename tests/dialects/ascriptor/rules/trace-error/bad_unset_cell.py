"""A cell without a value is set before it is read."""
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def unset(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    factor = Var(dtype=f32)
    with auto_sync():
        tile <<= x
        muls(tile, tile, factor)  #~ ERROR trace-error: factor
        y[0:64, 0:64] <<= tile
    return y
