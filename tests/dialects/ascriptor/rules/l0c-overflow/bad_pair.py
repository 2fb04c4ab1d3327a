"""Two slots of 128 x 256 floats are twice of L0C."""
from ascriptor.a2 import *


@kernel(mode="cube")
def product(a: GM[f16, (128, 64)], b: GM[f16, (256, 64)], y: GM[f32, (128, 256)]):
    l1_a = Tensor(f16, [128, 64], Position.L1)
    l1_b = Tensor(f16, [256, 64], Position.L1)
    l0c = DBuff(f32, [128, 256], Position.L0C)  #~ ERROR l0c-overflow
    with auto_sync():
        l1_a <<= a
        l1_b <<= b
        matmul(l0c[0], l1_a, l1_b, m=128, n=256, k=64)
        y[0:128, 0:256] <<= l0c[0]
    return y
