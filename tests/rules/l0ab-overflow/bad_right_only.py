"""Only the wider right operand does not fit."""
from easyasc.a2 import *


TILE_M = 64
TILE_N = 256
DEPTH = 128


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, N: Var):
    l1_a = DBuff(DT.half, [TILE_M, DEPTH], Position.L1)
    l1_b = DBuff(DT.half, [TILE_N, DEPTH], Position.L1)
    l0c = DBuff(DT.float, [TILE_M, TILE_N], Position.L0C)
    count = Var(0)

    with auto_sync():
        for m0 in range(GetCubeIdx() * TILE_M, M, GetCubeNum() * TILE_M):
            for n0 in range(0, N, TILE_N):
                valid_m = Min(TILE_M, M - m0)
                valid_n = Min(TILE_N, N - n0)
                l1_a[count] <<= a[m0:m0 + valid_m, 0:DEPTH]
                l1_b[count] <<= b[n0:n0 + valid_n, 0:DEPTH]
                matmul(l0c[count], l1_a[count], l1_b[count], m=TILE_M, n=TILE_N, k=DEPTH)  #~ ERROR l0ab-overflow: n=256 by k=128 of half needs 64 KB
                c[m0:m0 + valid_m, n0:n0 + valid_n] <<= l0c[count][0:valid_m, 0:valid_n]
                count += 1

    return c
