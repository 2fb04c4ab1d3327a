"""A k of 4096 in steps."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor, K: Var):
    l1_a = Tensor(DT.half, [16, 4096], Position.L1)
    l1_b = Tensor(DT.half, [16, 4096], Position.L1)
    acc = Tensor(DT.float, [16, 16], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:16, 0:4096]
        l1_b <<= b[0:16, 0:4096]
        matmul(acc, l1_a, l1_b, m=16, n=16, k=4096, splitk=64)  # a2lint: ignore[accumulate-settle] the toolchain puts a barrier between the steps
        c[0:16, 0:16] <<= acc
    return c
