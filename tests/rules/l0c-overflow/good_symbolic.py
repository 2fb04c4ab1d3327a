"""A tile of unknown size is not judged."""
from easyasc.a2 import *


@kernel()
def copy_tile(a: GMTensor, c: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [128, 64], Position.L1)
    l0c = Tensor(DT.float, [M, 128], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:128, 0:64]
        matmul(l0c, l1_a, l1_a, m=128, n=128, k=64)
        c[0:128, 0:128] <<= l0c[0:128, 0:128]

    return c
