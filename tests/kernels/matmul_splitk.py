"""Matrix product with K split twice: once for L1, once for L0.

    c = a.astype(float32) @ b.astype(float32)

    a  half   [M, K]
    b  half   [K, N]          stored with K outermost, hence `.T` on the operand
    c  float  [M, N]          K >= 16, any M and N >= 1

Tiling: output tiles of 128 x 128 are dealt round-robin to the cores.  K is
walked in two parts:

    bulk   the first (K // 64 - 1) * 64 columns, in L1 chunks of up to 256,
           each cut by `splitk` into mmads of exactly 64 columns;
    tail   the remaining 64 .. 127 columns (or all of a K below 128) in one mmad.

The tail absorbs one whole step, so a remainder of 1 never becomes an mmad
that is narrower than a 32-byte block.

Memory per core, in bytes:
    L1   l1_a    2 x 128 x 256 x 2 = 131072
         l1_b    2 x 256 x 128 x 2 = 131072
         tail_a      128 x 128 x 2 =  32768
         tail_b      128 x 128 x 2 =  32768      327680 of 524288
    L0A  128 x 128 x 2 = 32768 per half, L0B alike (tail; bulk needs 16384)
    L0C  2 x 128 x 128 x 4         = 131072      (131072 of 131072)
"""
from easyasc.a2 import *

TILE_M = 128
TILE_N = 128
STEP_K = 64               # columns of one mmad in the bulk part
CHUNK_K = 4 * STEP_K      # columns of one L1 chunk
TAIL_K = 2 * STEP_K       # the tail has at most TAIL_K - 1 columns


@kernel()
def matmul_splitk(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, N: Var, K: Var):
    l1_a = DBuff(DT.half, [TILE_M, CHUNK_K], Position.L1)
    l1_b = DBuff(DT.half, [CHUNK_K, TILE_N], Position.L1)
    tail_a = Tensor(DT.half, [TILE_M, TAIL_K], Position.L1)
    tail_b = Tensor(DT.half, [TAIL_K, TILE_N], Position.L1)
    l0c = DBuff(DT.float, [TILE_M, TILE_N], Position.L0C)

    tiles_m = CeilDiv(M, TILE_M)
    tiles_n = CeilDiv(N, TILE_N)
    tiles = Var(tiles_m * tiles_n)

    bulk_k = Var(Max(K // STEP_K - 1, 0) * STEP_K)
    tail_k = Var(K - bulk_k)

    # chunk_count turns the L1 slots, tile_count the L0C slots.
    chunk_count = Var(0)
    tile_count = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            tile_row = Var(tile // tiles_n)
            m0 = Var(tile_row * TILE_M)
            n0 = Var((tile - tile_row * tiles_n) * TILE_N)
            valid_m = Min(TILE_M, M - m0)
            valid_n = Min(TILE_N, N - n0)

            for k0 in range(0, bulk_k, CHUNK_K):
                # A multiple of STEP_K by construction of bulk_k.
                valid_k = Min(CHUNK_K, bulk_k - k0)
                l1_a[chunk_count] <<= a[m0:m0 + valid_m, k0:k0 + valid_k]
                l1_b[chunk_count] <<= b[k0:k0 + valid_k, n0:n0 + valid_n]

                # m and n stay at the full tile: 64 fractals per step keep the
                # accumulation pipeline busy enough to need no barrier, and
                # what was not loaded only reaches elements that are not stored.
                matmul(
                    l0c[tile_count],
                    l1_a[chunk_count],
                    l1_b[chunk_count].T,
                    splitk=STEP_K,
                    is_init=(k0 == 0),
                    m=TILE_M,
                    n=TILE_N,
                    k=valid_k,
                )
                chunk_count += 1

            tail_a <<= a[m0:m0 + valid_m, bulk_k:bulk_k + tail_k]
            tail_b <<= b[bulk_k:bulk_k + tail_k, n0:n0 + valid_n]

            # Without a bulk part the tail is the first product of the tile.
            matmul(
                l0c[tile_count],
                tail_a,
                tail_b.T,
                is_init=(bulk_k == 0),
                m=TILE_M,
                n=TILE_N,
                k=tail_k,
            )

            c[m0:m0 + valid_m, n0:n0 + valid_n] <<= l0c[tile_count][0:valid_m, 0:valid_n]
            tile_count += 1

    return c


if __name__ == "__main__":
    import torch

    # Remainders of K: 0, 1, 63, 64, 65, 127 modulo 128, with and without bulk.
    for M, N, K in [
        (128, 128, 512),
        (65, 127, 385),
        (1, 63, 127),
        (257, 129, 191),
        (64, 300, 64),
        (130, 1, 321),
        (641, 650, 65),
    ]:
        a = torch.randn(M, K).half()
        b = torch.randn(K, N).half()
        c = torch.zeros(M, N).float()
        OpExec(matmul_splitk, "", simulator=True)(a, b, c, M, N, K)
