"""A slot of the bias table holds 64 floats."""
from ascriptor.a2 import *


@kernel(mode="cube")
def product(a: GM[f16, (128, 64)], bias: GM[f32, (1, 128)], y: GM[f32, (128, 128)]):
    l1 = Tensor(f16, [128, 64], Position.L1)
    row = Tensor(f32, [1, 128], Position.L1, layout=Layout.ND)
    l0c = Tensor(f32, [128, 128], Position.L0C)
    with auto_sync():
        l1 <<= a
        row <<= bias
        matmul(l0c, l1, l1, m=128, n=128, k=64, bias=row)  #~ ERROR bias-overflow
        y[0:128, 0:128] <<= l0c
    return y
