"""The operand of a product is transposed, not its load."""
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def product(a: GM[f16, (64, 128)], y: GM[f32, (128, 128)]):
    l1 = Tensor(f16, [64, 128], Position.L1)
    l0c = Tensor(f32, [128, 128], Position.L0C)
    with auto_sync():
        l1 <<= a
        matmul(l0c, l1.T, l1.T, m=128, n=128, k=64)
        y[0:128, 0:128] <<= l0c
    return y
