"""matmul() keeps two halves of L0A and of L0B for itself: nothing is left."""
from ascriptor.a2 import *


@kernel(mode="cube")
def product(a: GM[f16, (64, 64)], y: GM[f32, (64, 64)], z: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0a = Tensor(f16, [64, 64], Position.L0A)  #~ ERROR l0ab-overflow
    l0b = Tensor(f16, [64, 64], Position.L0B)  #~ ERROR l0ab-overflow
    l0c = DBuff(f32, [64, 64], Position.L0C)
    with auto_sync():
        l1 <<= a
        matmul(l0c[0], l1, l1, m=64, n=64, k=64)
        l0a <<= l1
        l0b <<= l1
        mmad(l0c[1], l0a, l0b, M=64, N=64, K=64)
        y[0:64, 0:64] <<= l0c[0]
        z[0:64, 0:64] <<= l0c[1]
    return y, z
