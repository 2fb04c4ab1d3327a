"""A slot for each product."""
from easyasc.a2 import *


@kernel()
def products(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = DBuff(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        l1_b <<= b[0:64, 0:64]
        for r in unroll(2):
            l1_a <<= a[r * 64:r * 64 + 64, 0:64]
            matmul(acc[r], l1_a, l1_b, m=64, n=64, k=64)
            c[r * 64:r * 64 + 64, 0:64] <<= acc[r]
    return c
