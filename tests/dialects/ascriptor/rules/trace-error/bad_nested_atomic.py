"""Atomic blocks do not nest."""
from ascriptor.a2 import *


@kernel(mode="vec")
def nested(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        tile <<= x
        with atomic_add():
            with atomic_max():  #~ ERROR trace-error
                y[0:64, 0:64] <<= tile
    return y
