"""One lane is to start the product."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    row = Var(sb * 32)
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        l1_b <<= b[0:64, 0:64]
        if sb == 0:
            matmul(acc, l1_a, l1_b, m=64, n=64, k=64)  #~ ERROR sub-block-in-cube: matmul() runs on the cube, which has no sub-block index to be guarded by
        c[0:64, 0:64] <<= acc
        ub <<= c[row:row + 32, 0:64]  #~ ERROR missing-mutex
        c[64 + row:96 + row, 0:64] <<= ub
    return c
