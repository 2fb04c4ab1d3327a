"""A K loop that never clears its accumulator.

    c = a.astype(float32) @ b.astype(float32).T

    a half [M, K], b half [N, K], c float [M, N], K a multiple of 128
"""
from easyasc.a2 import *

TILE = 128
CHUNK_K = 128


@kernel()
def unseeded_accumulation(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, N: Var, K: Var):
    l1_a = DBuff(DT.half, [TILE, CHUNK_K], Position.L1)
    l1_b = DBuff(DT.half, [TILE, CHUNK_K], Position.L1)
    l0c = DBuff(DT.float, [TILE, TILE], Position.L0C)

    tiles_n = CeilDiv(N, TILE)
    tiles = Var(CeilDiv(M, TILE) * tiles_n)
    chunk_count = Var(0)
    tile_count = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            tile_row = Var(tile // tiles_n)
            m0 = Var(tile_row * TILE)
            n0 = Var((tile - tile_row * tiles_n) * TILE)
            valid_m = Min(TILE, M - m0)
            valid_n = Min(TILE, N - n0)

            for k0 in range(0, K, CHUNK_K):
                l1_a[chunk_count] <<= a[m0:m0 + valid_m, k0:k0 + CHUNK_K]
                l1_b[chunk_count] <<= b[n0:n0 + valid_n, k0:k0 + CHUNK_K]
                # `is_init=(k0 == 0)` would clear the tile in the first trip.
                matmul(l0c[tile_count], l1_a[chunk_count], l1_b[chunk_count], is_init=False)  #~ ERROR unseeded-accumulation
                chunk_count += 1

            c[m0:m0 + valid_m, n0:n0 + valid_n] <<= l0c[tile_count][0:valid_m, 0:valid_n]
            tile_count += 1

    return c


if __name__ == "__main__":
    import torch

    for M, N, K in [(128, 128, 256), (65, 127, 128)]:
        a = torch.randn(M, K).half()
        b = torch.randn(N, K).half()
        c = torch.zeros(M, N).float()
        OpExec(unseeded_accumulation, "", simulator=True)(a, b, c, M, N, K)
