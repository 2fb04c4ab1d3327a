"""A block of float holds 8 columns; what a launch decides is not known."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor, K: Var):
    l1_a = Tensor(DT.float, [16, 16], Position.L1)
    l1_b = Tensor(DT.float, [16, 16], Position.L1)
    acc = Tensor(DT.float, [16, 16], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:16, 0:16]
        l1_b <<= b[0:16, 0:16]
        matmul(acc, l1_a, l1_b, m=16, n=16, k=8)
        c[16:32, 0:16] <<= acc
        matmul(acc, l1_a, l1_b, m=16, n=16, k=Min(16, K))
        c[0:16, 0:16] <<= acc
    return c
