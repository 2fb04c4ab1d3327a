# a flag counts to fifteen.
from ascriptor.a2 import *


@kernel(mode="mix", block_dim=1)
def deep(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    m = CvMutex(1, depth=16)  #~ ERROR trace-error: the depth of a mutex is 1 to 15
    with auto_sync():
        u <<= x
        y <<= u
    return y
