"""A2 has no way from UB to L1."""
from ascriptor.a2 import *


@kernel()
def product(a: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    ub = Tensor(f16, [64, 64], Position.UB)
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        ub <<= a
        exp(ub, ub)
        l1 <<= ub  #~ ERROR ub-to-l1
        matmul(l0c, l1, l1, m=64, n=64, k=64)
        y[0:64, 0:64] <<= l0c
    return y
