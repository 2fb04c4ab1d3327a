"""Five rows of an accumulator."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [5, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:5, 0:64]
        l1_b <<= b[0:64, 0:64]
        matmul(acc, l1_a, l1_b, m=5, n=64, k=64)  #~ ERROR l0c-backing-short: `acc` [5,64] has 320 elements; matmul() takes whole fractals, [16,64] or 1024 elements
        c[0:5, 0:64] <<= acc
    return c
