# a tensor with declared extents takes one entry for each of them.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def copy(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[0:8]  #~ ERROR trace-error: `x` has 2 dimensions and 1 indices
        y <<= u
    return y
