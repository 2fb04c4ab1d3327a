"""A tile that fits an A5 but not an A2: 2 x 128 x 256 x 4 bytes of L0C.

    c = a.astype(float32) @ b.astype(float32).T

    a half [M, 64], b half [N, 64], c float [M, N]
"""
from easyasc.a2 import *

TILE_M = 128
TILE_N = 256
DEPTH = 64                # the whole K fits one mmad: 256 * 64 * 2 = 32768


@kernel()
def l0c_overflow(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, N: Var):
    l1_a = DBuff(DT.half, [TILE_M, DEPTH], Position.L1)
    l1_b = DBuff(DT.half, [TILE_N, DEPTH], Position.L1)
    l0c = DBuff(DT.float, [TILE_M, TILE_N], Position.L0C)  #~ ERROR l0c-overflow: needs 256 KB; L0C has 128 KB

    tiles_m = CeilDiv(M, TILE_M)
    tiles_n = CeilDiv(N, TILE_N)
    tiles = Var(tiles_m * tiles_n)
    count = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            tile_row = Var(tile // tiles_n)
            m0 = Var(tile_row * TILE_M)
            n0 = Var((tile - tile_row * tiles_n) * TILE_N)
            valid_m = Min(TILE_M, M - m0)
            valid_n = Min(TILE_N, N - n0)

            l1_a[count] <<= a[m0:m0 + valid_m, 0:DEPTH]
            l1_b[count] <<= b[n0:n0 + valid_n, 0:DEPTH]
            matmul(l0c[count], l1_a[count], l1_b[count], m=TILE_M, n=TILE_N, k=DEPTH)
            c[m0:m0 + valid_m, n0:n0 + valid_n] <<= l0c[count][0:valid_m, 0:valid_n]
            count += 1

    return c


if __name__ == "__main__":
    import torch

    for M, N in [(128, 256), (129, 257)]:
        a = torch.randn(M, DEPTH).half()
        b = torch.randn(N, DEPTH).half()
        c = torch.zeros(M, N).float()
        OpExec(l0c_overflow, "", simulator=True)(a, b, c, M, N)
