"""128 x 256 halves are twice a half of L0A."""
from ascriptor.a2 import *


@kernel(mode="cube")
def product(a: GM[f16, (128, 256)], b: GM[f16, (64, 256)], y: GM[f32, (128, 64)]):
    l1_a = Tensor(f16, [128, 256], Position.L1)
    l1_b = Tensor(f16, [64, 256], Position.L1)
    l0c = Tensor(f32, [128, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a
        l1_b <<= b
        matmul(l0c, l1_a, l1_b, m=128, n=64, k=256)  #~ ERROR l0ab-overflow
        y[0:128, 0:64] <<= l0c
    return y
