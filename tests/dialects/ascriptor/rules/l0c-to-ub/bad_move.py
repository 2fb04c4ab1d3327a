"""A2 has no way from L0C to UB."""
from ascriptor.a2 import *


@kernel()
def product(a: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        l1 <<= a
        matmul(l0c, l1, l1, m=64, n=64, k=64)
        ub <<= l0c  #~ ERROR l0c-to-ub
        y[0:64, 0:64] <<= ub
    return y
