"""A row has two extents."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    row = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        u <<= x
        dup(row, 1.0)
        mul(u, u, row)
        y <<= u
    return y
