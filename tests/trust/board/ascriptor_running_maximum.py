# A running maximum that starts at minus infinity and is subtracted: where nothing was larger, the difference is NaN.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def from_infinity(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    top = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        dup(top, float("-inf"))  #~ WARNING infinite-sentinel: takes the sentinel -inf
        tile <<= x
        vmax(top, top, tile)
        sub(tile, tile, top)
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def from_the_least_float(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    top = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        dup(top, -3.4028235e38)
        tile <<= x
        vmax(top, top, tile)
        sub(tile, tile, top)
        y <<= tile
    return y
