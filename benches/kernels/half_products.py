"""The same product again and again, summed up in L0C: what a core spends on products alone.

    A half [128, 128]   B half [128, 128]   C float [128, 128]
"""
from easyasc.a2 import *

TILE = 128


@kernel()
def half_products(a: GMTensor, b: GMTensor, c: GMTensor, P: Var):
    l1_a = Tensor(DT.half, [TILE, TILE], Position.L1)
    l1_b = Tensor(DT.half, [TILE, TILE], Position.L1)
    l0c = Tensor(DT.float, [TILE, TILE], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:TILE, 0:TILE]
        l1_b <<= b[0:TILE, 0:TILE]
        matmul(l0c, l1_a, l1_b, m=TILE, n=TILE, k=TILE)
        for product in range(1, P):
            matmul(l0c, l1_a, l1_b, m=TILE, n=TILE, k=TILE, is_init=False)
        c[0:TILE, 0:TILE] <<= l0c
    return c
