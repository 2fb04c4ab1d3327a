"""A column offset that leaves room for 24 of 32 columns."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [32, 64], Position.L1)
    acc = Tensor(DT.float, [16, 40], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:16, 0:64]
        l1_b <<= b[0:24, 0:64]
        matmul(acc[0:16, 16:40], l1_a, l1_b, m=16, n=24, k=64)  #~ ERROR l0c-backing-short: `acc` [16,40] has 640 elements; matmul() takes whole fractals, [16,48] or 768 elements
        c[0:16, 0:40] <<= acc
    return c
