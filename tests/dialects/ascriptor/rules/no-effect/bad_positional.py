"""What follows the operands of matmul() is given by name; by position it is passed over."""
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def product(a: GM[f16, (64, 64)], b: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    l1_a = Tensor(f16, [64, 64], Position.L1)
    l1_b = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a
        l1_b <<= b
        matmul(l0c, l1_a, l1_b, 32)  #~ WARNING no-effect: by position
        y[0:64, 0:64] <<= l0c
    return y
