"""Two products, one below the other."""
from easyasc.a2 import *


@kernel()
def products(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [128, 64], Position.L0C)
    with auto_sync():
        l1_b <<= b[0:64, 0:64]
        for r in unroll(2):
            l1_a <<= a[r * 64:r * 64 + 64, 0:64]
            matmul(acc[r * 64:r * 64 + 64, 0:64], l1_a, l1_b, m=64, n=64, k=64)  #~ ERROR l0c-row-offset: matmul() writes `acc[r * 64:r * 64 + 64, 0:64]` from row 64 on; a product starts at row 0 of its tile
        c[0:128, 0:64] <<= acc
    return c
