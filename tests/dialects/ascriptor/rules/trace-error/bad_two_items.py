"""A with statement has one item, and binds nothing."""
from ascriptor.a2 import *


@kernel(mode="vec")
def items(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    with auto_sync(), vec_scope():  #~ ERROR trace-error: E0201
        tile <<= x
        exp(tile, tile)
        y[0:64, 0:64] <<= tile
    return y
