"""Wide output tiles: the A tile is loaded into L0A once and meets B in slices.

    c = (a.astype(float32) @ b.astype(float32).T).astype(float16)

    a  bfloat16  [M, K]
    b  bfloat16  [N, K]
    c  half      [M, N]       K >= 16, any M and N >= 1

Tiling: output tiles of 128 x 256.  `splitn` cuts the 256 columns into slices
of 64, so that one L0A load serves up to four mmads.  K is walked in steps of
64 columns; the last step takes the remainder with it (64 .. 127 columns), so
no mmad is narrower than a 32-byte block.  FIX converts float to half.

Memory per core, in bytes:
    L1   l1_a  2 x 128 x 128 x 2 =  65536
         l1_b  2 x 256 x 128 x 2 = 131072      196608 of 524288
    L0A  128 x 128 x 2 = 32768 per half        ( 65536 of  65536)
    L0B   64 x 128 x 2 = 16384 per half        ( 32768 of  65536)
    L0C  128 x 256 x 4           = 131072      (131072 of 131072), one slot
"""
from easyasc.a2 import *

TILE_M = 128
TILE_N = 256
SLICE_N = TILE_N // 4
STEP_K = 64
WIDTH_K = 2 * STEP_K      # room for a last step of up to 127 columns


@func()
def step_width(step, steps, K):
    """Columns of this K step: STEP_K, and all that is left in the last one."""
    is_last = (step + 1) // steps
    return STEP_K + is_last * (K - steps * STEP_K)


# a2lint: launch(M=128, N=256, K=128)
# a2lint: launch(M=127, N=65, K=129)
# a2lint: launch(M=1, N=449, K=191)
@kernel
def matmul_splitn(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, N: Var, K: Var):
    l1_a = DBuff(DT.bfloat16, [TILE_M, WIDTH_K], Position.L1)
    l1_b = DBuff(DT.bfloat16, [TILE_N, WIDTH_K], Position.L1)
    # A second slot would need 256 KB, so the tile is single.
    l0c = Tensor(DT.float, [TILE_M, TILE_N], Position.L0C)

    tiles_m = CeilDiv(M, TILE_M)
    tiles_n = CeilDiv(N, TILE_N)
    tiles = Var(tiles_m * tiles_n)
    steps = Max(K // STEP_K, 1)

    core = GetCubeIdx()
    per_core = CeilDiv(tiles, GetCubeNum())
    first = Min(core * per_core, tiles)
    last = Min(first + per_core, tiles)

    step_count = Var(0)

    with auto_sync():
        for tile in range(first, last):
            tile_col = Var(tile // tiles_m)
            n0 = Var(tile_col * TILE_N)
            m0 = Var((tile - tile_col * tiles_m) * TILE_M)
            valid_m = Min(TILE_M, M - m0)
            valid_n = Min(TILE_N, N - n0)

            for step in range(0, steps):
                k0 = Var(step * STEP_K)
                valid_k = Var(step_width(step, steps, K))
                l1_a[step_count] <<= a[m0:m0 + valid_m, k0:k0 + valid_k]
                l1_b[step_count] <<= b[n0:n0 + valid_n, k0:k0 + valid_k]

                # With a short last slice (n rounds up to 16) an mmad is only
                # 8 fractals long, too few to hide the accumulate latency.
                bar_m()

                # n is clipped, for a slice of B that was never loaded must not
                # be multiplied; m stays full so that L0C keeps its row pitch.
                matmul(
                    l0c,
                    l1_a[step_count],
                    l1_b[step_count],
                    splitn=SLICE_N,
                    is_init=(step == 0),
                    m=TILE_M,
                    n=valid_n,
                    k=valid_k,
                )
                step_count += 1

            c[m0:m0 + valid_m, n0:n0 + valid_n] <<= l0c[0:valid_m, 0:valid_n]

    return c


if __name__ == "__main__":
    import torch

    for M, N, K in [(128, 256, 128), (65, 127, 65), (63, 320, 64), (257, 257, 127), (700, 1030, 193)]:
        a = torch.randn(M, K).to(torch.bfloat16)
        b = torch.randn(N, K).to(torch.bfloat16)
        c = torch.zeros(M, N).half()
        OpExec(matmul_splitn, "", simulator=True)(a, b, c, M, N, K)
