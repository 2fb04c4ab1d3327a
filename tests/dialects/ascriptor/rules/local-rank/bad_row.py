"""A row with one extent."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    row = Tensor(f32, [64], Position.UB)  #~ ERROR local-rank: 2 extents, not 1
    with auto_sync():
        u <<= x
        dup(row, 1.0)
        mul(u, u, row)
        y <<= u
    return y
