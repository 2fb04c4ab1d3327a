"""Two slots of 128 x 128 floats are all of L0C."""
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def product(a: GM[f16, (128, 64)], y: GM[f32, (128, 128)]):
    l1 = Tensor(f16, [128, 64], Position.L1)
    l0c = DBuff(f32, [128, 128], Position.L0C)
    with auto_sync():
        l1 <<= a
        matmul(l0c[0], l1, l1, m=128, n=128, k=64)
        y[0:128, 0:128] <<= l0c[0]
    return y
