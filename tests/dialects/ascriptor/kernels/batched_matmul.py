"""Batched product of f16 matrices, on the cube alone.

    out[b] = (lhs[b].astype(f32) @ rhs[b].astype(f32)).astype(f16)

    lhs  f16  [NB, M, K];   rhs  f16  [NB, K, N];   out  f16  [NB, M, N]       any sizes >= 1

Tiles of 128 x 128, K in chunks of 128. The first chunk of a tile clears its accumulator.
"""
from ascriptor.a2 import *

TILE_M = 128
TILE_N = 128
CHUNK_K = 128


@kernel(mode="cube")
def batched_matmul(
    lhs: GM[f16, ("NB", "M", "K")],
    rhs: GM[f16, ("NB", "K", "N")],
    out: GM[f16, ("NB", "M", "N")],
):
    l1_a = DBuff(f16, [TILE_M, CHUNK_K], Position.L1)
    l1_b = DBuff(f16, [CHUNK_K, TILE_N], Position.L1)
    l0c = DBuff(f32, [TILE_M, TILE_N], Position.L0C)
    tiles_m = CeilDiv(M, TILE_M)
    tiles_n = CeilDiv(N, TILE_N)
    chunk = Var(0)
    tile = Var(0)

    with auto_sync():
        for unit in range(GetCubeIdx(), NB * tiles_m * tiles_n, GetCubeNum()):
            batch = unit // (tiles_m * tiles_n)
            inside = unit % (tiles_m * tiles_n)
            m0 = inside // tiles_n * TILE_M
            n0 = inside % tiles_n * TILE_N
            valid_m = Min(TILE_M, M - m0)
            valid_n = Min(TILE_N, N - n0)
            for k0 in range(0, K, CHUNK_K):
                valid_k = Min(CHUNK_K, K - k0)
                l1_a[chunk] <<= lhs[batch, m0:m0 + valid_m, k0:k0 + valid_k]
                l1_b[chunk] <<= rhs[batch, k0:k0 + valid_k, n0:n0 + valid_n]
                matmul(
                    l0c[tile],
                    l1_a[chunk],
                    l1_b[chunk].T,
                    m=TILE_M,
                    n=TILE_N,
                    k=valid_k,
                    is_init=(k0 == 0),
                )
                chunk += 1
            out[batch, m0:m0 + valid_m, n0:n0 + valid_n] <<= l0c[tile][0:valid_m, 0:valid_n]
            tile += 1
    return out


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for NB, M, N, K in [(1, 128, 128, 256), (3, 65, 127, 129), (2, 1, 63, 17), (5, 130, 7, 300)]:
        lhs = torch.randn(NB, M, K).half()
        rhs = torch.randn(NB, K, N).half()
        out = torch.empty(NB, M, N).half()
        OpExec(batched_matmul, launcher="aclnn", block_dim=4)(lhs, rhs, out)
