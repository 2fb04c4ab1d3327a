"""A bias is added where the accumulator is cleared, and only there."""
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def product(a: GM[f16, (64, 64)], bias: GM[f32, (1, 64)], y: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    row = Tensor(f32, [1, 64], Position.L1, layout=Layout.ND)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        l1 <<= a
        row <<= bias
        matmul(l0c, l1, l1, m=64, n=64, k=64)
        matmul(l0c, l1, l1, m=64, n=64, k=64, is_init=False, bias=row)  #~ ERROR trace-error: bias
        y[0:64, 0:64] <<= l0c
    return y
