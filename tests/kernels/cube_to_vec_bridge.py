"""Linear layer with a fused epilogue: cube product, vec bias and relu.

    y = np.maximum(a.astype(f32) @ w.astype(f32).T + bias, 0).astype(f16)

    a     half   [M, K]
    w     half   [N, K]       one row per output feature
    bias  float  [N]
    y     half   [M, N]       K >= 16, any M and N >= 1

A2 has no path from L0C to UB, so a tile travels through a workspace in GM:

    cube  matmul -> L0C -> (FIX) ws[core, slot]          lock .. ready
    vec   ws[core, slot, half of the rows] -> (MTE2) UB  wait .. free

Two slots and a CvMutex of depth 2 let the cube run one tile ahead.

Memory in bytes:
    L1   l1_a  2 x 128 x 128 x 2 =  65536
         l1_w  2 x 128 x 128 x 2 =  65536      131072 of 524288 per core
    L0A, L0B   128 x 128 x 2     =  32768 per half
    L0C  l0c   2 x 128 x 128 x 4 = 131072      (131072 of 131072)
    UB   ub_x  2 x 64 x 128 x 4  =  65536
         ub_y  2 x 64 x 128 x 2  =  32768
         ub_b  2 x 1 x 128 x 4   =   1024       99328 of 196608 per sub-block
    GM   ws    cores x 2 x 128 x 128 x 4
"""
from easyasc.a2 import *

TILE_M = 128
TILE_N = 128
HALF_M = TILE_M // 2
STEP_K = 64
WIDTH_K = 2 * STEP_K
LANES = 256 // 4          # float lanes of one vector repeat


@func()
def clear_l1(pair):
    """Zero both slots, so that rows which no load reaches are defined."""
    set_constant_to_l1(pair[0], 0.0)
    set_constant_to_l1(pair[1], 0.0)


@func()
def add_row(tile, row):
    """tile[r, :] += row for a [64, 128] float tile and a [1, 128] row.

    Slices of 64 columns: the tile then advances by its own row pitch and the
    row, one block run of a single line, by a repeat stride of zero.
    """
    add(tile[0:HALF_M, 0:LANES], tile[0:HALF_M, 0:LANES], row[0:1, 0:LANES])
    add(
        tile[0:HALF_M, LANES:2 * LANES],
        tile[0:HALF_M, LANES:2 * LANES],
        row[0:1, LANES:2 * LANES],
    )


@kernel()
def cube_to_vec_bridge(
    a: GMTensor, w: GMTensor, bias: GMTensor, y: GMTensor, M: Var, N: Var, K: Var
):
    l1_a = DBuff(DT.half, [TILE_M, WIDTH_K], Position.L1)
    l1_w = DBuff(DT.half, [TILE_N, WIDTH_K], Position.L1)
    l0c = DBuff(DT.float, [TILE_M, TILE_N], Position.L0C)
    ub_x = DBuff(DT.float, [HALF_M, TILE_N], Position.UB)
    ub_y = DBuff(DT.half, [HALF_M, TILE_N], Position.UB)
    ub_b = DBuff(DT.float, [1, TILE_N], Position.UB)

    ws = split_workspace(DT.float, [GetCubeNum(), 2, TILE_M, TILE_N])
    handoff = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)

    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * HALF_M)
    tiles_m = CeilDiv(M, TILE_M)
    tiles_n = CeilDiv(N, TILE_N)
    tiles = Var(tiles_m * tiles_n)
    steps = Max(K // STEP_K, 1)

    step_count = Var(0)   # L1 slots, once per K step
    tile_count = Var(0)   # L0C, UB and workspace slots, once per tile

    # The cube publishes full tiles, so every row of L1 must hold something;
    # likewise the part of the bias row behind a tail.  The barrier stands
    # between these fills and the loads, which auto_sync does not order.
    clear_l1(l1_a)
    clear_l1(l1_w)
    dup(ub_b[0], 0.0)
    dup(ub_b[1], 0.0)
    bar_all()

    with auto_sync():
        for tile in range(core, tiles, GetCubeNum()):
            tile_row = Var(tile // tiles_n)
            m0 = Var(tile_row * TILE_M)
            n0 = Var((tile - tile_row * tiles_n) * TILE_N)
            valid_m = Min(TILE_M, M - m0)
            valid_n = Min(TILE_N, N - n0)
            slot = Var(var_mod(tile_count, 2))

            # ---- cube: steps of 64 columns, the last one takes the remainder
            for step in range(0, steps):
                k0 = Var(step * STEP_K)
                is_last = Var((step + 1) // steps)
                valid_k = Var(STEP_K + is_last * (K - steps * STEP_K))
                l1_a[step_count] <<= a[m0:m0 + valid_m, k0:k0 + valid_k]
                l1_w[step_count] <<= w[n0:n0 + valid_n, k0:k0 + valid_k]
                matmul(
                    l0c[tile_count],
                    l1_a[step_count],
                    l1_w[step_count],
                    is_init=(step == 0),
                    m=TILE_M,
                    n=TILE_N,
                    k=valid_k,
                )
                step_count += 1

            handoff.lock()
            ws[core, slot, 0:TILE_M, 0:TILE_N] <<= l0c[tile_count]
            handoff.ready()

            # ---- vec: this sub-block owns rows half_row .. half_row + 63.  In
            # a tail tile its share may be empty; it still takes its token.
            local_m = Min(HALF_M, Max(valid_m - half_row, 0))
            row0 = Min(m0 + half_row, M)

            handoff.wait()
            ub_x[tile_count] <<= ws[core, slot, half_row:half_row + HALF_M, 0:TILE_N]
            handoff.free()

            ub_b[tile_count][0:1, 0:valid_n] <<= bias[n0:n0 + valid_n]
            add_row(ub_x[tile_count], ub_b[tile_count])
            relu(ub_x[tile_count], ub_x[tile_count])
            cast(ub_y[tile_count], ub_x[tile_count], round_mode=RoundMode.TO_EVEN)

            y[row0:row0 + local_m, n0:n0 + valid_n] <<= ub_y[tile_count][0:local_m, 0:valid_n]
            tile_count += 1

    return y


if __name__ == "__main__":
    import torch

    for M, N, K in [(128, 128, 128), (65, 127, 129), (1, 63, 64), (255, 193, 127), (513, 1025, 65)]:
        a = torch.randn(M, K).half()
        w = torch.randn(N, K).half()
        bias = torch.randn(N).float()
        y = torch.zeros(M, N).half()
        OpExec(cube_to_vec_bridge, "", simulator=True)(a, w, bias, y, M, N, K)
