"""Two products side by side in one tile."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [32, 64], Position.L1)
    acc = Tensor(DT.float, [16, 48], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:16, 0:64]
        l1_b <<= b[0:24, 0:64]
        matmul(acc[0:16, 0:16], l1_a, l1_b, m=16, n=16, k=64)
        matmul(acc[0:16, 16:48], l1_a, l1_b, m=16, n=24, k=64)
        c[0:16, 0:40] <<= acc[0:16, 0:40]
    return c
