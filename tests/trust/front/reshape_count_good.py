# a shape of as many elements is another view of the same tensor.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def copy(x: GM[f32, (512,)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x.reshape([8, 64])
        y <<= u
    return y
