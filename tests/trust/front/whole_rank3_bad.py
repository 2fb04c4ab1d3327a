# a copy of a whole tensor of three dimensions does not compile; the rows of which one are meant?
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def copy(x: GM[f32, (1, 8, 64)], y: GM[f32, (1, 8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x  #~ ERROR trace-error: `x` has 3 dimensions
        y[0, 0:8, 0:64] <<= u
    return y
