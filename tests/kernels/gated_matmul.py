"""Two projections of one input in one pass over it, and their sum.

    gate = a @ u.T;  up = a @ v.T;  total = a @ u.T + a @ v.T          (half in, float out)

Shapes   a half [M, K], u and v half [N, K], gate, up and total float [M, N]; M, N, K >= 1
Tiling   tiles of 64 x 64, K in chunks of 128. A chunk of `a` is loaded once and
         multiplied with both weights. The third accumulator takes both products.

Memory in bytes:
    L1   l1_a, l1_u, l1_v  3 x 2 x 64 x 128 x 2 =  98304 of 524288
    L0C  acc_g, acc_u, acc_s  3 x 64 x 64 x 4   =  49152 of 131072
"""
from easyasc.a2 import *

TILE = 64
CHUNK_K = 128


@kernel()
def gated_matmul(
    a: GMTensor,
    u: GMTensor,
    v: GMTensor,
    gate: GMTensor,
    up: GMTensor,
    total: GMTensor,
    M: Var,
    N: Var,
    K: Var,
):
    l1_a = DBuff(DT.half, [TILE, CHUNK_K], Position.L1)
    l1_u = DBuff(DT.half, [TILE, CHUNK_K], Position.L1)
    l1_v = DBuff(DT.half, [TILE, CHUNK_K], Position.L1)
    acc_g = DBuff(DT.float, [TILE, TILE], Position.L0C)
    acc_u = DBuff(DT.float, [TILE, TILE], Position.L0C)
    acc_s = DBuff(DT.float, [TILE, TILE], Position.L0C)

    tiles_m = CeilDiv(M, TILE)
    tiles_n = CeilDiv(N, TILE)
    tiles = Var(tiles_m * tiles_n)
    chunk = Var(0)
    done = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            tile_row = Var(tile // tiles_n)
            m0 = Var(tile_row * TILE)
            n0 = Var((tile - tile_row * tiles_n) * TILE)
            valid_m = Min(TILE, M - m0)
            valid_n = Min(TILE, N - n0)

            for k0 in range(0, K, CHUNK_K):
                valid_k = Min(CHUNK_K, K - k0)
                l1_a[chunk] <<= a[m0:m0 + valid_m, k0:k0 + valid_k]
                l1_u[chunk] <<= u[n0:n0 + valid_n, k0:k0 + valid_k]
                l1_v[chunk] <<= v[n0:n0 + valid_n, k0:k0 + valid_k]
                matmul(acc_g[done], l1_a[chunk], l1_u[chunk], is_init=(k0 == 0), m=TILE, n=TILE, k=valid_k)
                matmul(acc_u[done], l1_a[chunk], l1_v[chunk], is_init=(k0 == 0), m=TILE, n=TILE, k=valid_k)
                matmul(acc_s[done], l1_a[chunk], l1_u[chunk], is_init=(k0 == 0), m=TILE, n=TILE, k=valid_k)
                matmul(acc_s[done], l1_a[chunk], l1_v[chunk], is_init=False, m=TILE, n=TILE, k=valid_k)
                chunk += 1

            gate[m0:m0 + valid_m, n0:n0 + valid_n] <<= acc_g[done][0:valid_m, 0:valid_n]
            up[m0:m0 + valid_m, n0:n0 + valid_n] <<= acc_u[done][0:valid_m, 0:valid_n]
            total[m0:m0 + valid_m, n0:n0 + valid_n] <<= acc_s[done][0:valid_m, 0:valid_n]
            done += 1
    return gate, up, total


if __name__ == "__main__":
    import torch

    for M, N, K in [(64, 64, 128), (65, 127, 257), (1, 63, 64), (300, 130, 129)]:
        a = torch.randn(M, K).half()
        u = torch.randn(N, K).half()
        v = torch.randn(N, K).half()
        gate = torch.zeros(M, N)
        up = torch.zeros(M, N)
        total = torch.zeros(M, N)
        OpExec(gated_matmul, "", simulator=True)(a, u, v, gate, up, total, M, N, K)
