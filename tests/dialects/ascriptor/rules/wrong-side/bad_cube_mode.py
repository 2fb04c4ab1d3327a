"""A kernel of the cube alone has no vector unit, and a scope does not change that."""
from ascriptor.a2 import *


@kernel(mode="cube")
def product(a: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    ub = Tensor(f16, [64, 64], Position.UB)
    with auto_sync():
        dup(ub, 0.0)  #~ ERROR wrong-side
        l1 <<= a
        matmul(l0c, l1, l1, m=64, n=64, k=64)
        y[0:64, 0:64] <<= l0c
    return y
