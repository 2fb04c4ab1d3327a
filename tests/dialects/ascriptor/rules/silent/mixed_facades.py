"""The facades of A2 and A3 export the same objects."""
from ascriptor.a2 import *
import ascriptor.a3 as a3


@a3.kernel(mode="vec")
def mixed(x: GM[f32, (64, 64)], y: a3.GM[a3.f32, (64, 64)]):
    tile = Tensor(a3.f32, [64, 64], Position.UB)
    with a3.auto_sync():
        tile <<= x
        exp(tile, tile)
        y[0:64, 0:64] <<= tile
    return y
