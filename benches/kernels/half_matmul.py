"""C = A @ B.T on the cube side alone, one tile of 128 rows at a time.

    A half [M, 128]   B half [64, 128]   C float [M, 64]
"""
from easyasc.a2 import *

TILE_M = 128
N = 64
K = 128


@kernel()
def half_matmul(a: GMTensor, b: GMTensor, c: GMTensor, M: Var):
    l1_a = DBuff(DT.half, [TILE_M, K], Position.L1)
    l1_b = DBuff(DT.half, [N, K], Position.L1)
    l0c = DBuff(DT.float, [TILE_M, N], Position.L0C)
    count = Var(0)
    with auto_sync():
        for tile in range(GetCubeIdx(), CeilDiv(M, TILE_M), GetCubeNum()):
            m0 = Var(tile * TILE_M)
            l1_a[count] <<= a[m0:m0 + TILE_M, 0:K]
            l1_b[count] <<= b[0:N, 0:K]
            matmul(l0c[count], l1_a[count], l1_b[count], m=TILE_M, n=N, k=K)
            c[m0:m0 + TILE_M, 0:N] <<= l0c[count]
            count += 1
    return c
