"""The depth of a ring is 1 up to its slots."""
from ascriptor.a2 import *


@kernel(mode="vec")
def ring(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = DBuff(f32, [64, 64], Position.UB, sync_depth=3)  #~ ERROR trace-error: sync_depth
    with auto_sync():
        tile[0] <<= x
        exp(tile[0], tile[0])
        y[0:64, 0:64] <<= tile[0]
    return y
