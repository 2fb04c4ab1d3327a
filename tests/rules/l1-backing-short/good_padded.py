"""31 rows in a tensor of 32."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [32, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [32, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:31, 0:64]
        l1_b <<= b[0:64, 0:64]
        matmul(acc, l1_a, l1_b, m=31, n=64, k=64)
        c[0:31, 0:64] <<= acc[0:31, 0:64]
    return c
