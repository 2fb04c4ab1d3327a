# a tensor of 512 elements has no shape of 504: the compiler refuses it, and nothing is known of what is moved.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def copy(x: GM[f32, (512,)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x.reshape([8, 63])  #~ ERROR trace-error: `x` has 512 elements
        y <<= u
    return y
