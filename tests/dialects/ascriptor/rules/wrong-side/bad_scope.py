"""A scope routes to its side; what belongs to the other one is refused."""
from ascriptor.a2 import *


@kernel()
def product(a: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        l1 <<= a
        with vec_scope():
            matmul(l0c, l1, l1, m=64, n=64, k=64)  #~ ERROR wrong-side
        y[0:64, 0:64] <<= l0c
    return y
