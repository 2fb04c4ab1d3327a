"""Both operands of a product have one type."""
from ascriptor.a2 import *


@kernel(mode="cube")
def product(a: GM[f16, (64, 64)], b: GM[bf16, (64, 64)], y: GM[f32, (64, 64)]):
    l1_a = Tensor(f16, [64, 64], Position.L1)
    l1_b = Tensor(bf16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a
        l1_b <<= b
        matmul(l0c, l1_a, l1_b, m=64, n=64, k=64)  #~ ERROR accumulator-dtype
        y[0:64, 0:64] <<= l0c
    return y
