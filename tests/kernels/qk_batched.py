"""Batched attention scores on the cube unit only.

    scores[b] = q[b].astype(float32) @ k[b].astype(float32).T

    q       half   [BH, S1, 128]
    k       half   [BH, S2, 128]
    scores  float  [BH, S1, S2]

Tiling: one work unit is a block of 128 query rows of one batch entry; the
units are dealt to the cores in contiguous shares.  Within a unit the Q tile
stays in L1 while the K tiles stream past it.

Memory per core, in bytes:
    L1   l1_q  2 x 128 x 128 x 2 =  65536
         l1_k  2 x 128 x 128 x 2 =  65536      131072 of 524288
    L0A  128 x 128 x 2 = 32768 per half        ( 65536 of  65536)
    L0B  128 x 128 x 2 = 32768 per half        ( 65536 of  65536)
    L0C  2 x 128 x 128 x 4       = 131072      (131072 of 131072)
"""
from easyasc.a2 import *

TILE_M = 128
TILE_N = 128
HEAD_DIM = 2 * 64         # TILE * HEAD_DIM * 2 fills an L0A half exactly


@kernel(mode="cube")
def qk_batched(q: GMTensor, k: GMTensor, scores: GMTensor, BH: Var, S1: Var, S2: Var):
    l1_q = DBuff(DT.half, [TILE_M, HEAD_DIM], Position.L1)
    l1_k = DBuff(DT.half, [TILE_N, HEAD_DIM], Position.L1)
    l0c = DBuff(DT.float, [TILE_M, TILE_N], Position.L0C)

    tiles_m = CeilDiv(S1, TILE_M)
    units = Var(BH * tiles_m)

    # Contiguous shares; a core past the end gets begin == end and stays idle.
    share = CeilDiv(units, GetCubeNum())
    begin = Min(share * GetCubeIdx(), units)
    end = Min(begin + share, units)

    # The Q slot turns once per unit, the K and L0C slots once per K tile:
    # two lifetimes, hence two counters.
    q_count = Var(0)
    k_count = Var(0)

    with auto_sync():
        for unit in range(begin, end):
            batch = Var(unit // tiles_m)
            m0 = Var((unit - batch * tiles_m) * TILE_M)
            valid_m = Min(TILE_M, S1 - m0)

            # Only valid_m rows arrive, but they are laid out in a 128-row NZ
            # tile (M_dst defaults to the rows of the tile), so m may be 128.
            l1_q[q_count] <<= q[batch, m0:m0 + valid_m, 0:HEAD_DIM]

            for n0 in range(0, S2, TILE_N):
                valid_n = Min(TILE_N, S2 - n0)
                l1_k[k_count] <<= k[batch, n0:n0 + valid_n, 0:HEAD_DIM]

                # One mmad covers the whole head dimension, so each tile
                # initialises L0C and nothing is ever accumulated.
                matmul(
                    l0c[k_count],
                    l1_q[q_count],
                    l1_k[k_count],
                    is_init=True,
                    m=TILE_M,
                    n=valid_n,
                    k=HEAD_DIM,
                )

                # Rows past valid_m hold products of rows that were never
                # loaded; the store clips them away.
                scores[batch, m0:m0 + valid_m, n0:n0 + valid_n] <<= l0c[k_count][0:valid_m, 0:valid_n]
                k_count += 1

            q_count += 1

    return scores


if __name__ == "__main__":
    import torch

    # One exact tile, the awkward remainders, and 5 * 7 = 35 units on 20 cores.
    for BH, S1, S2 in [(1, 128, 128), (2, 65, 127), (3, 1, 64), (2, 191, 385), (5, 833, 63)]:
        q = torch.randn(BH, S1, HEAD_DIM).half()
        k = torch.randn(BH, S2, HEAD_DIM).half()
        scores = torch.empty(BH, S1, S2).float()
        OpExec(qk_batched, "", simulator=True)(q, k, scores, BH, S1, S2)
