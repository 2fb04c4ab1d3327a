"""A list of tensors is Python's: a loop variable of the device does not index it."""
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def pair(x: GM[f32, (16, 64)], y: GM[f32, (16, 64)]):
    tiles = [Tensor(f32, [8, 64], Position.UB), Tensor(f32, [8, 64], Position.UB)]
    with auto_sync():
        for i in range(2):
            tile = tiles[i]  #~ ERROR trace-error: E0201
            tile <<= x[i * 8:i * 8 + 8, :]
            exp(tile, tile)
            y[i * 8:i * 8 + 8, :] <<= tile
    return y
