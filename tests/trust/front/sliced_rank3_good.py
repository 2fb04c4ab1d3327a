# two slices and an index pick rows and columns of three dimensions.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def copy(x: GM[f32, (1, 8, 64)], y: GM[f32, (1, 8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[0, 0:8, 0:64]
        y[0, 0:8, 0:64] <<= u
    return y
